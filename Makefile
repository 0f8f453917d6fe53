# `make demo` and `make test` need python3 (3.11 or later) with its venv module, and the package index. All they
# install goes into .venv. Both are quick the second time, and install again when pyproject.toml has changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := $(VENV)/oldest
BENCH := $(VENV)/bench/harness
DOCS := $(VENV)/docs
# Processes that run the tests; 0 runs them in pytest's own.
WORKERS ?= logical
# The files with tests that measure time: to collect all the others takes every process half a minute.
TIMED = $(shell grep -rl "pytest.mark.timed" tests --include="test_*.py")
comma := ,
# $(call install,environment,what). uv does in seconds what takes pip minutes; where it cannot be had, or where only
# pip knows the package index, it is pip.
install = $(BIN)/uv pip install --quiet --python $(1)/bin/python $(2) || \
	$(1)/bin/python -m pip install --quiet --disable-pip-version-check $(2)

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test pytest chromium oldest oldest-extras pythons docs lint ruff mypy pyright format diagrams bench bench-quick clean

help: ## Show this help
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | \
	while IFS='|' read -r name does; do printf '  make %-10s%s\n' "$$name" "$$does"; done

demo: $(VENV)/installed ## Install callagain, and watch a run: no key, no network
	@$(BIN)/callagain demo

test: lint pytest oldest ## Run all checks and all tests

pytest: $(VENV)/installed-dev chromium ## Run the tests
ifdef PYTEST_OPTIONS
	$(BIN)/python -m pytest $(PYTEST_OPTIONS)
else
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadgroup -m "not timed"
	$(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadgroup -m timed $(TIMED)
endif

# A browser for the tests of callagain.viewer, which are skipped where there is none. No step of theirs downloads one.
chromium:
	@for name in "$${CHROMIUM:-chromium}" chromium chromium-browser google-chrome; do \
		if command -v "$$name" >/dev/null; then exit 0; fi; \
	done; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
		apt-get update -qq && apt-get install -y -qq chromium >/dev/null && exit 0; \
	fi; \
	echo "no Chromium was found, so the tests of the viewer are skipped; install one, or name it: CHROMIUM=path"

oldest: $(OLDEST)/installed ## Run the tests of endpoints with the oldest supported dependencies
	$(OLDEST)/bin/python -m pytest -p no:cacheprovider -k "R0 or R1 or client" tests/conformance tests/loop/test_connector.py

oldest-extras: $(OLDEST)-extras/installed
	$(OLDEST)-extras/bin/python -m pytest -p no:cacheprovider tests/mcp tests/serving tests/telemetry

pythons: ## Run some of the tests with every Python from 3.11 to 3.14 that is here
	$(PYTHON) tests/packaging/pythons.py

docs: $(DOCS)/installed ## Build the site of docs/ in build/site; a link that leads nowhere is an error
	$(DOCS)/bin/python -m tests.docs.site
	$(DOCS)/bin/zensical build --clean --strict
	@! grep -rE '<(script|link|img|iframe)[^>]* (src|href)="?(https?:)?//' build/site --include '*.html' || \
		{ echo "these pages ask the network for a part of them"; exit 1; }

# Each of the two takes a minute of one processor.
lint: ruff ## Run ruff, mypy and pyright
	@$(MAKE) --no-print-directory mypy & mypy=$$!; \
	$(MAKE) --no-print-directory pyright; pyright=$$?; \
	wait $$mypy && exit $$pyright

ruff: $(VENV)/installed-dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

mypy: $(VENV)/installed-dev
	$(BIN)/mypy

# --pythonpath: pyright would otherwise look for the dependencies in the first python of PATH.
# PYRIGHT_PYTHON_IGNORE_WARNINGS: it would otherwise ask the index for newer releases of itself.
pyright: $(VENV)/installed-dev
	PYRIGHT_PYTHON_IGNORE_WARNINGS=1 $(BIN)/pyright --pythonpath $(BIN)/python

format: $(VENV)/installed-dev ## Format the code, and correct what ruff can correct
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

diagrams: $(VENV)/installed-dev ## Draw the files of diagrams/ anew
	$(BIN)/python -m callagain.diagrams

# BENCH_OPTIONS="--help" tells what there is to choose.
bench: $(BENCH)/installed ## Measure callagain and other libraries at the same work; writes docs/performance.md
	$(BENCH)/bin/python -m benchmarks $(BENCH_OPTIONS)

bench-quick: $(BENCH)/installed
	$(BENCH)/bin/python -m benchmarks --quick $(BENCH_OPTIONS)

clean: ## Remove .venv, caches and what was built
	rm -rf $(VENV) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage

# pip comes last into a virtual environment, so what has it is whole.
$(BIN)/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "callagain needs Python 3.11 or later; name one: make PYTHON=python3.12 demo")'
	$(PYTHON) -m venv $(VENV)

$(BIN)/uv: | $(BIN)/pip
	-@$(BIN)/python -m pip install --quiet --disable-pip-version-check uv

$(VENV)/installed: pyproject.toml | $(BIN)/uv
	$(call install,$(VENV),--editable .)
	@touch $@

# The lower bounds of pyproject.toml; the newest versions are in $(VENV).
$(OLDEST)/installed: pyproject.toml | $(BIN)/uv
	$(PYTHON) -m venv $(OLDEST)
	what="$$($(BIN)/python tests/packaging/oldest_dependencies.py) pytest pytest-asyncio pytest-timeout hypothesis"; \
		$(call install,$(OLDEST),$$what)
	@touch $@

$(OLDEST)-extras/installed: pyproject.toml | $(BIN)/uv
	$(PYTHON) -m venv $(OLDEST)-extras
	what="$$($(BIN)/python tests/packaging/oldest_dependencies.py mcp otel serve) \
		opentelemetry-sdk pytest pytest-asyncio pytest-timeout hypothesis"; \
		$(call install,$(OLDEST)-extras,$$what)
	@touch $@

$(DOCS)/installed: pyproject.toml | $(BIN)/uv
	$(PYTHON) -m venv $(DOCS)
	$(call install,$(DOCS),--editable '.[docs]')
	@touch $@

$(BENCH)/installed: benchmarks/requirements/harness.txt | $(BIN)/uv
	$(PYTHON) -m venv $(BENCH)
	$(call install,$(BENCH),--requirement $<)
	@touch $@

# OpenAILike is for the tests of tests/ecosystem. What it stands on asks for openai 2, but works with openai 3, which
# callagain needs; all else that the two of them require is in the extra llamaindex.
$(VENV)/installed-dev: pyproject.toml | $(BIN)/uv
	$(call install,$(VENV),--editable '.[dev]')
	$(call install,$(VENV),--no-deps 'llama-index-llms-openai>=0.8$(comma)<0.9' 'llama-index-llms-openai-like>=0.8$(comma)<0.9')
	@touch $(VENV)/installed $@

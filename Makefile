# `make demo` and `make test` need python3 (3.11 or later) with its venv module, and the package index. All they
# install goes into .venv. Both are quick the second time, and install again when pyproject.toml has changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
OLDEST := $(VENV)/oldest
BENCH := $(VENV)/bench/harness
# Processes that run the tests; 0 runs them in pytest's own.
WORKERS ?= logical
# The files with tests that measure time: to collect all the others takes every process half a minute.
TIMED = $(shell grep -rl "pytest.mark.timed" tests --include="test_*.py")
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo test pytest chromium oldest lint ruff mypy pyright format diagrams bench bench-quick clean

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

$(VENV)/installed: pyproject.toml | $(BIN)/pip
	$(INSTALL) .
	@touch $@

# The lower bounds of pyproject.toml; the newest versions are in $(VENV).
$(OLDEST)/installed: pyproject.toml | $(BIN)/pip
	$(PYTHON) -m venv $(OLDEST)
	$(OLDEST)/bin/python -m pip install --quiet --disable-pip-version-check \
		$$($(BIN)/python tests/packaging/oldest_dependencies.py) pytest pytest-asyncio pytest-timeout hypothesis
	@touch $@

$(BENCH)/installed: benchmarks/requirements/harness.txt | $(BIN)/pip
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --requirement $<
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/pip
	$(INSTALL) '.[dev]'
	@touch $(VENV)/installed $@

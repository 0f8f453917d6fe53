"""The course is run as a reader runs it, shows the code as it is, and can be read in an hour.

`python -m tests.docs.course` writes anew what it shows of the code, and the notebook.
"""

import itertools
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.docs.course import FOLDER, LESSONS, NOTEBOOK, PAGES, notebook
from tests.docs.fences import fences_in
from tests.docs.included_sources import ROOT, definition, with_sources
from tests.docs.lesson_run import LessonRun, fits

from callagain.scenarios import SCENARIOS, Scenario

WRITE_ANEW = "run python -m tests.docs.course to write it anew"
PARTS = ["In the guide", "In Python", "Run it", "Break it", "A question"]
OPERATIONS = [f"operations/{file.name}" for file in (ROOT / "operations").glob("[!_]*.py")]

# How fast prose and code are read by somebody who sees them for the first time, and what a screen holds.
WORDS_A_MINUTE = 200
LINES_OF_CODE_A_MINUTE = 25
WORDS_OF_TWO_SCREENS = 700


@pytest.fixture
def fresh_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """With the environment of somebody who has no endpoint."""
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "CALLAGAIN_JOURNAL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_lesson_prints_what_it_shows(page: Path, fresh_folder: Path) -> None:
    with LessonRun(fresh_folder) as run:
        run.follow(page.read_text("utf-8"))


@pytest.mark.parametrize(
    ("page", "told"),
    [
        (
            "```python\nprint(1)\n```\n\n```text\n2\n```\n",
            "line 6:\n--- shown\n+++ printed\n@@ -1 +1 @@\n-2\n+1",
        ),
        ("```text\n2\n```\n", "line 2: nothing was run before this output"),
        ("```console\n$ callagain demo --jsno\n```\n", "line 2: exit code 2\ncallagain: error: "),
    ],
)
def test_a_lesson_that_shows_something_else_is_told(page: str, told: str, fresh_folder: Path) -> None:
    with LessonRun(fresh_folder) as run, pytest.raises(AssertionError, match=re.escape(told)):
        run.follow(page)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_that_is_shown_is_the_code(page: Path) -> None:
    text = page.read_text("utf-8")
    assert text == with_sources(text), WRITE_ANEW


def test_code_that_is_no_longer_there_is_told_by_its_name() -> None:
    with pytest.raises(LookupError, match="operations/initialize.py has no Initialize.walk"):
        definition("operations/initialize.py::Initialize.walk")


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.name)
def test_a_scenario_is_an_entry_of_its_lesson(scenario: Scenario) -> None:
    contents = (FOLDER / "README.md").read_text("utf-8")
    assert f"| `{scenario.name}` | " in contents
    command = "$ callagain demo" if scenario is SCENARIOS[0] else f"$ callagain demo {scenario.name}"
    text = (FOLDER / scenario.lesson).read_text("utf-8")
    fences = fences_in(text)
    (place,) = [place for place, fence in enumerate(fences) if fence.body == f"{command}\n"]
    output = fences[place + 1]
    assert output.language == "text"
    assert text[output.end :].lstrip().startswith("Look at "), "say what to look for"


@pytest.mark.parametrize("path", ["engine/table.py", "engine/drivers/synchronous.py", *OPERATIONS])
def test_the_table_each_operation_and_a_driver_are_shown(path: str) -> None:
    shown = [fence.source or "" for page in LESSONS for fence in fences_in(page.read_text("utf-8"))]
    assert any(source.startswith(f"{path}::") for source in shown)


@pytest.mark.parametrize("page", LESSONS, ids=lambda page: page.stem)
def test_a_lesson_has_its_five_parts_and_fits_two_screens(page: Path) -> None:
    text = page.read_text("utf-8")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == PARTS
    assert text.count("<details>") == text.count("</details>") == 1
    assert words_of_prose(text) <= WORDS_OF_TWO_SCREENS


def test_the_course_is_read_in_an_hour() -> None:
    texts = [page.read_text("utf-8") for page in PAGES]
    code = [fence for text in texts for fence in fences_in(text) if fence.language == "python"]
    minutes = sum(map(words_of_prose, texts)) / WORDS_A_MINUTE
    minutes += sum(fence.body.count("\n") for fence in code) / LINES_OF_CODE_A_MINUTE
    assert minutes <= 60


def words_of_prose(page: str) -> int:
    for fence in reversed(fences_in(page)):
        page = page[: fence.start] + page[fence.end :]
    return len(page.split())


def test_the_notebook_is_made_of_the_first_lessons() -> None:
    assert NOTEBOOK.read_text("utf-8") == notebook(), WRITE_ANEW


@pytest.mark.slow
def test_the_notebook_prints_in_a_kernel_what_it_shows(fresh_folder: Path) -> None:
    copy = fresh_folder / NOTEBOOK.name
    shutil.copy(NOTEBOOK, copy)
    folders = dict.fromkeys(("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"), str(fresh_folder))
    done = subprocess.run(
        [Path(sys.executable).with_name("jupyter-execute"), "--inplace", "--timeout=60", str(copy)],
        env={**os.environ, **folders, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    shown, printed = cells_of(NOTEBOOK), cells_of(copy)
    assert [source for source, _ in shown] == [source for source, _ in printed]
    for (source, text), (_, said) in zip(shown, printed, strict=True):
        assert fits(text, said), f"{source}\nprinted:\n{said}"


def cells_of(notebook: Path) -> list[tuple[str, str]]:
    """Source and output of each cell that is code."""
    cells = [cell for cell in json.loads(notebook.read_text("utf-8"))["cells"] if cell["cell_type"] == "code"]
    outputs = [[output.get("text", [output["output_type"]]) for output in cell["outputs"]] for cell in cells]
    return [
        ("".join(cell["source"]), "".join(itertools.chain(*output)))
        for cell, output in zip(cells, outputs, strict=True)
    ]

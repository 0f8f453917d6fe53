"""The committed drawings show the chains as they are, and the command that draws them."""

import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from callagain.diagrams.__main__ import CHAINS, FOLDER, main
from callagain.diagrams.drawn_files import drawn_files, stale_files
from callagain.engine.chain import Chain
from callagain.operations import TOOL_CALLING_LOOP

ROOT = Path(__file__).parents[2]
DRAW = "run python -m callagain.diagrams"


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain.name)
def test_the_committed_files_show_the_chain_as_it_is(chain: Chain) -> None:
    assert stale_files(chain, ROOT / "diagrams") == [], DRAW


def test_no_drawn_file_is_left_over_from_a_chain_that_is_gone() -> None:
    expected = {name for chain in CHAINS for name in drawn_files(chain)}
    drawn = {path.name for path in FOLDER.iterdir() if path.suffix in (".mmd", ".md", ".svg")}
    assert drawn == expected


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.svg")), ids=lambda path: path.name)
def test_a_committed_picture_is_an_svg_that_needs_no_browser(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
    assert "foreignObject" not in text


def test_the_readme_shows_the_flowchart() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert f"](diagrams/{TOOL_CALLING_LOOP.name}.flowchart.svg)\n" in readme


def test_check_names_what_is_missing_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--check", str(tmp_path)]) == 1
    complaints = capsys.readouterr().err.splitlines()
    assert len(complaints) == 5 * len(CHAINS)
    assert complaints[0] == (
        f"{tmp_path / 'tool_calling_loop.flowchart.mmd'} does not show its chain as it is now; {DRAW}"
    )
    assert list(tmp_path.iterdir()) == []


def test_check_finds_a_changed_text_and_a_changed_picture(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in FOLDER.iterdir():
        if path.suffix in (".mmd", ".md", ".svg"):
            (tmp_path / path.name).write_bytes(path.read_bytes())
    assert main(["--check", str(tmp_path)]) == 0
    changed = [tmp_path / name for name in ("tool_calling_loop.states.svg", "function_routing.table.md")]
    for path in changed:
        path.write_text(path.read_text("utf-8").replace("llm_call", "call_llm"), "utf-8")
    assert main(["--check", str(tmp_path)]) == 1
    stale = [Path(line.split(" does not ")[0]).name for line in capsys.readouterr().err.splitlines()]
    assert stale == [path.name for path in changed]


def test_a_picture_is_the_same_in_every_process(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "callagain.diagrams", str(tmp_path)]
    environment = {"PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "7"}
    subprocess.run(command, env=environment, check=True, capture_output=True)
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {
        name: text for chain in CHAINS for name, text in drawn_files(chain).items()
    }


def test_draws_nothing_anew_that_is_up_to_date(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 5 * len(CHAINS)
    assert main([str(tmp_path)]) == 0
    assert capsys.readouterr().out == ""


def test_refuses_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path / "nowhere")])
    assert "is no folder; make it first, or name another" in capsys.readouterr().err

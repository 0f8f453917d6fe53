"""What CONTRIBUTING.md says of the checkout is true."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
MAKEFILE = (ROOT / "Makefile").read_text("utf-8")


def test_names_every_target_that_make_help_shows_and_no_other() -> None:
    shown = set(re.findall(r"^(\w+):.*##", MAKEFILE, re.MULTILINE))
    assert set(re.findall(r"`make (\w+)", CONTRIBUTING)) == shown - {"help"}


def test_the_layout_names_every_folder_of_the_packages() -> None:
    layout = CONTRIBUTING.partition("```text\n")[2].partition("```")[0]
    named = [line.split()[0].rstrip("/") for line in layout.splitlines()]
    assert [path for path in named if not (ROOT / path).is_dir()] == []
    folders = [ROOT / "src/callagain", *(ROOT / "src/callagain").iterdir()]
    packages = {str(each.relative_to(ROOT)) for each in folders if (each / "__init__.py").exists()}
    assert {path for path in packages if not (ROOT / path).is_symlink()} <= set(named)


def test_every_file_that_it_names_is_there() -> None:
    paths = re.findall(r"`([\w.]+(?:/[\w.]+)+)/?`", CONTRIBUTING)
    # What goes into build/ is made by a command.
    assert [path for path in paths if not path.startswith("build/") and not (ROOT / path).exists()] == []

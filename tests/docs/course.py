"""The course, and what is made of it: `python -m tests.docs.course` writes both anew.

The fences that name a source show it as it is, and the notebook of the first lessons is made of their pages.
"""

from pathlib import Path

from tests.docs.included_sources import ROOT, with_sources
from tests.docs.lesson_notebook import notebook_of

FOLDER = ROOT / "docs" / "course"
PAGES = sorted(FOLDER.glob("*.md"))
LESSONS = [page for page in PAGES if page.name[0].isdecimal()]
NOTEBOOK = FOLDER / "first-lessons.ipynb"
IN_THE_NOTEBOOK = 3


def notebook() -> str:
    """The text of the notebook, as the lessons are now."""
    pages = [with_sources(page.read_text("utf-8")) for page in LESSONS[:IN_THE_NOTEBOOK]]
    return notebook_of(pages)


def write() -> list[Path]:
    """Writes what has changed."""
    texts = {page: with_sources(page.read_text("utf-8")) for page in PAGES} | {NOTEBOOK: notebook()}
    changed = [path for path, text in texts.items() if not path.exists() or path.read_text("utf-8") != text]
    for path in changed:
        path.write_text(texts[path], "utf-8")
    return changed


if __name__ == "__main__":
    for path in write():
        print(path.relative_to(ROOT))

"""The pages of the site: `python -m tests.docs.site` puts them into build/pages, for `make docs`.

They are those of docs/. What they link to in the rest of the checkout comes with them, so that no link of the
site leads out of it: a source becomes a page that shows it, a folder a page that lists it.
"""

import os
import re
import shutil
from pathlib import Path

from tests.docs.fences import fences_in

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = ROOT / "build" / "pages"
# Where the rest of the checkout stands in the pages.
CHECKOUT = Path("checkout")

LINK = re.compile(r"(?P<before>\]\()(?P<target>[^)#\s]+)(?P<anchor>#[^)\s]*)?(?=\))")
UNSEARCHED = "---\nsearch:\n  exclude: true\n---\n\n"
# What a fence of the sources shows; the site takes a fence with an option that it does not know for prose.
SOURCE = re.compile(r"^(```\w+) source=\S+$", re.MULTILINE)
LANGUAGES = {".py": "python", ".toml": "toml", ".json": "json", ".mmd": "text"}


def put_together(pages: Path) -> None:
    """Writes all of them into a fresh folder."""
    shutil.rmtree(pages, ignore_errors=True)
    shutil.copytree(DOCS, pages)
    linked: list[Path] = []
    for page in sorted(pages.rglob("*.md")):
        source = DOCS / page.relative_to(pages)
        page.write_text(_with_links_inside(source, page.relative_to(pages), linked), "utf-8")
    done: set[Path] = set()
    while linked:
        path = linked.pop()
        if path not in done:
            done.add(path)
            _add(path, pages, linked)


def _with_links_inside(source: Path, page: Path, linked: list[Path]) -> str:
    """The text of a page. Its links to the rest of the checkout are noted, and lead to where that will be."""
    text = source.read_text("utf-8")
    code = [(fence.start, fence.end) for fence in fences_in(text)]

    def inside(link: re.Match[str]) -> str:
        if ":" in link["target"] or any(start <= link.start() < end for start, end in code):
            return link[0]
        path = (source.parent / link["target"]).resolve()
        if path.is_relative_to(DOCS):
            target = path.relative_to(DOCS)
        else:
            linked.append(path)
            target = _place(path)
        if path.is_dir() and path.is_relative_to(DOCS):
            target /= "README.md"
        relative = Path(os.path.relpath(target, page.parent)).as_posix()
        return f"{link['before']}{relative}{link['anchor'] or ''}"

    return SOURCE.sub(r"\1", LINK.sub(inside, text))


def _place(path: Path) -> Path:
    """Where a file or a folder of the checkout is among the pages."""
    place = CHECKOUT / path.relative_to(ROOT)
    if path.is_dir():
        return place / "README.md"
    return place if path.suffix in (".md", ".svg", ".png") else place.with_name(f"{place.name}.md")


def _add(path: Path, pages: Path, linked: list[Path]) -> None:
    place = _place(path)
    file = pages / place
    file.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix in (".svg", ".png"):
        shutil.copy2(path, file)
    elif path.suffix == ".md":
        file.write_text(UNSEARCHED + _with_links_inside(path, place, linked), "utf-8")
    elif path.is_dir() and (path / "README.md").exists():
        linked.append(path / "README.md")
    else:
        file.write_text(UNSEARCHED + (_listing(path) if path.is_dir() else _shown(path)), "utf-8")


def _shown(path: Path) -> str:
    language = LANGUAGES.get(path.suffix, "text")
    return f"# {path.relative_to(ROOT).as_posix()}\n\n``````{language}\n{path.read_text('utf-8')}``````\n"


def _listing(folder: Path) -> str:
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith(("_", ".")))
    return f"# {folder.relative_to(ROOT).as_posix()}/\n\n" + "".join(f"- `{name}`\n" for name in names)


if __name__ == "__main__":
    put_together(PAGES)

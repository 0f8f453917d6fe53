"""Every link of the documentation leads somewhere, with its anchor, and the site has every page."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeAlias

import pytest
from tests.docs.fences import fences_in
from tests.docs.site import DOCS, ROOT, put_together

PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *DOCS.rglob("*.md"),
        *(ROOT / "tests").rglob("*.md"),
        *(ROOT / "benchmarks").rglob("*.md"),
    ]
)
LINK = re.compile(r"\]\((?P<target>[^)#\s]*)(?:#(?P<anchor>[^)\s]+))?\)")
HEADING = re.compile(r"^#{1,6} +(?P<text>.+?) *#*$", re.MULTILINE)
SITE = tomllib.loads((ROOT / "zensical.toml").read_text("utf-8"))["project"]


def prose(page: Path) -> str:
    """The text of a page without its fences."""
    text = page.read_text("utf-8")
    for fence in reversed(fences_in(text)):
        text = text[: fence.start] + text[fence.end :]
    return text


@cache
def anchors(page: Path) -> set[str]:
    """Those of its headings, as repositories and the site make them, and those that it names itself."""
    found: set[str] = set()
    for heading in HEADING.findall(prose(page)):
        words = re.sub(r"\]\([^)]*\)", "", heading).lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        repeated = sum(re.fullmatch(rf"{re.escape(anchor)}(-\d+)?", each) is not None for each in found)
        found.add(f"{anchor}-{repeated}" if repeated else anchor)
    return found | set(re.findall(r'<\w+ (?:id|name)="([^"]+)"', page.read_text("utf-8")))


def broken_links(page: Path) -> Iterator[str]:
    for link in LINK.finditer(prose(page)):
        target, anchor = link["target"], link["anchor"]
        if ":" in target:
            continue
        path = page.parent / target if target else page
        if not path.exists():
            yield target
        elif anchor is not None and path.suffix == ".md" and anchor not in anchors(path.resolve()):
            yield f"{target}#{anchor}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_links_lead_somewhere(page: Path) -> None:
    assert list(broken_links(page)) == []


def test_a_link_to_a_missing_page_or_heading_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# A `code` heading: here!\n\n[a](#a-code-heading-here) [b](#another) [c](none.md) [d](https://e.org/#f)\n",
        "utf-8",
    )
    assert list(broken_links(page)) == ["#another", "none.md"]


def test_the_readme_leads_to_every_guide() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    # The site begins with the one, and docs/porting.md leads to the other.
    left_out = {"index.md", "porting-traps.md"}
    missing = {page.name for page in DOCS.glob("*.md") if f"](docs/{page.name})" not in readme}
    assert missing == left_out


Entry: TypeAlias = "str | list[Entry] | dict[str, Entry]"


def in_navigation(entry: Entry) -> Iterator[str]:
    if isinstance(entry, str):
        yield entry
    else:
        for each in entry.values() if isinstance(entry, dict) else entry:
            yield from in_navigation(each)


def test_every_page_is_in_the_navigation_once() -> None:
    pages = [page.relative_to(DOCS).as_posix() for page in DOCS.rglob("*.md")]
    assert sorted(in_navigation(SITE["nav"])) == sorted(pages)


def test_nothing_of_the_site_is_asked_of_the_network() -> None:
    assert SITE["theme"]["font"] is False
    assert (DOCS / SITE["extra"]["polyfills"][0]).exists()
    assert "offline" in SITE["plugins"]


def test_what_pages_of_the_site_link_to_is_in_it(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    put_together(pages)
    broken = {page.name: list(broken_links(page)) for page in pages.rglob("*.md")}
    assert {name: links for name, links in broken.items() if links} == {}
    assert "```python" in (pages / "checkout/engine/table.py.md").read_text("utf-8")
    assert (pages / "checkout/diagrams/tool_calling_loop.flowchart.svg").exists()


def test_fences_of_the_site_have_no_option_that_it_does_not_know(tmp_path: Path) -> None:
    """A fence with one would be prose, and end elsewhere."""
    put_together(tmp_path / "pages")
    opening = re.compile(r"^`{3,}(?P<language>\w*)(?P<options>.*)$", re.MULTILINE)
    known = re.compile(r"( (title|hl_lines|linenums)=\S+)*")
    options = {
        f"{page.name}: {fence[0]}"
        for page in (tmp_path / "pages").rglob("*.md")
        for fence in opening.finditer(page.read_text("utf-8"))
        if not known.fullmatch(fence["options"])
    }
    assert options == set()

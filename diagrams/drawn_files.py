"""The drawn files of a chain in a folder: written, and compared with what the chain says now.

For a chain named `name`: name.flowchart.mmd, name.states.mmd, name.table.md, and an SVG of each .mmd.
"""

from pathlib import Path

from callagain.diagrams.flowchart import flowchart
from callagain.diagrams.markdown import transition_table_markdown
from callagain.diagrams.mermaid import flowchart_text, state_diagram_text
from callagain.diagrams.states import state_diagram
from callagain.diagrams.svg import draw_svg, origin
from callagain.engine.chain import Chain


def drawn_texts(chain: Chain) -> dict[str, str]:
    """The Mermaid and Markdown files of the chain: file name and content."""
    return {
        f"{chain.name}.flowchart.mmd": flowchart_text(flowchart(chain)),
        f"{chain.name}.states.mmd": state_diagram_text(state_diagram(chain)),
        f"{chain.name}.table.md": transition_table_markdown(chain),
    }


def stale_files(chain: Chain, folder: Path) -> list[str]:
    """The names of the files that are missing in the folder or show another chain than this one."""
    stale: list[str] = []
    for name, text in drawn_texts(chain).items():
        if _content(folder / name) != text:
            stale.append(name)
        picture = _picture(name)
        if picture and not _is_drawn_from(folder / picture, text):
            stale.append(picture)
    return stale


def write_texts(chain: Chain, folder: Path) -> list[str]:
    """Writes the stale Mermaid and Markdown files; returns their names."""
    texts = drawn_texts(chain)
    names = [name for name in stale_files(chain, folder) if name in texts]
    for name in names:
        _write(folder / name, texts[name])
    return names


def write_pictures(chain: Chain, folder: Path) -> list[str]:
    """Draws the stale SVG files; returns their names. Raises RendererMissingError if it cannot."""
    sources = {_picture(name): text for name, text in drawn_texts(chain).items()}
    names = [name for name in stale_files(chain, folder) if name in sources]
    for name in names:
        _write(folder / name, draw_svg(sources[name]))
    return names


def _picture(name: str) -> str | None:
    return f"{name.removesuffix('.mmd')}.svg" if name.endswith(".mmd") else None


def _is_drawn_from(picture: Path, mermaid: str) -> bool:
    return _content(picture).partition("\n")[0] == origin(mermaid)


def _content(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")

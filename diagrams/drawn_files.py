"""The drawn files of a chain in a folder: written, and compared with what the chain says now.

For a chain named `name`: name.flowchart.mmd, name.states.mmd, name.table.md, and an SVG of each .mmd.
"""

from pathlib import Path

from callagain.diagrams.drawing import flowchart_svg, state_diagram_svg
from callagain.diagrams.markdown import transition_table_markdown
from callagain.diagrams.mermaid import flowchart_mermaid, state_diagram_mermaid
from callagain.engine.chain import Chain


def drawn_files(chain: Chain) -> dict[str, str]:
    """All files of the chain: name and content, which is the same wherever they are drawn."""
    return {
        f"{chain.name}.flowchart.mmd": flowchart_mermaid(chain),
        f"{chain.name}.flowchart.svg": flowchart_svg(chain),
        f"{chain.name}.states.mmd": state_diagram_mermaid(chain),
        f"{chain.name}.states.svg": state_diagram_svg(chain),
        f"{chain.name}.table.md": transition_table_markdown(chain),
    }


def stale_files(chain: Chain, folder: Path) -> list[str]:
    """The names of the files that are missing in the folder or show another chain than this one."""
    return [name for name, text in drawn_files(chain).items() if _content(folder / name) != text]


def write_files(chain: Chain, folder: Path) -> list[str]:
    """Writes the stale files; returns their names."""
    stale = stale_files(chain, folder)
    for name in stale:
        (folder / name).write_text(drawn_files(chain)[name], encoding="utf-8", newline="\n")
    return stale


def _content(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.exists() else ""

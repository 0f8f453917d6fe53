"""The page about diagrams: its program runs, and prints what the page shows."""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def test_the_program_on_the_page_prints_the_flowchart_on_the_page() -> None:
    blocks = dict(FENCE.findall((ROOT / "docs" / "diagrams.md").read_text(encoding="utf-8")))
    ran = subprocess.run(
        [sys.executable, "-c", blocks["python"]],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
    )
    assert ran.stdout.startswith(blocks["mermaid"] + "\nstateDiagram-v2\n")

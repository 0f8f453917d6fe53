"""Prints the oldest versions of what callagain always requires that pyproject.toml allows, as pip takes them.

With the names of extras (`oldest_dependencies.py mcp otel`) the oldest ones of these: they may want newer
versions of the rest, so that is left to pip.
"""

import re
import sys
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def oldest(requirement: str) -> str:
    """`openai==3` for `openai>=3,<4`."""
    found = re.match(r"(?P<name>[\w-]+)>=(?P<version>[\d.]+)", requirement)
    assert found is not None, f"{requirement!r} has no lower bound"
    return f"{found['name']}=={found['version']}"


def requirements(extras: list[str]) -> list[str]:
    project = tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]
    always: list[str] = project["dependencies"]
    if not extras:
        return [oldest(one) for one in always]
    optional = project["optional-dependencies"]
    return [*always, *(oldest(one) for name in extras for one in optional[name])]


if __name__ == "__main__":
    print(*requirements(sys.argv[1:]))

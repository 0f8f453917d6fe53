"""Prints the oldest version of each dependency that pyproject.toml allows, as pip takes them."""

import re
import tomllib
from pathlib import Path

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"


def oldest(requirement: str) -> str:
    """`openai==3` for `openai>=3,<4`."""
    found = re.match(r"(?P<name>[\w-]+)>=(?P<version>[\d.]+)", requirement)
    assert found is not None, f"{requirement!r} has no lower bound"
    return f"{found['name']}=={found['version']}"


if __name__ == "__main__":
    print(*(oldest(one) for one in tomllib.loads(PYPROJECT.read_text("utf-8"))["project"]["dependencies"]))

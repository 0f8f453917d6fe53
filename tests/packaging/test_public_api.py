"""The public names and their signatures are those of public_api.txt: no change of them is by accident."""

import difflib

from tests.packaging.public_api import FILE, public_api

WRITE_ANEW = """\
the public API has changed, as shown above. If that is meant: docs/stability.md says what may change in which
release; write a line in CHANGELOG.md, and the file anew with `python -m tests.packaging.public_api`"""


def test_the_public_names_and_signatures_are_those_that_users_rely_on() -> None:
    frozen, found = FILE.read_text("utf-8").splitlines(), public_api().splitlines()
    changed = "\n".join(difflib.unified_diff(frozen, found, FILE.name, "the code", lineterm="", n=1))
    assert not changed, f"{changed}\n{WRITE_ANEW}"

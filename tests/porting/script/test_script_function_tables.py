"""Every function, by its table of values."""

import pytest
from tests.porting.script import (
    tables_collections_and_json,
    tables_logical_and_general,
    tables_scalars,
    tables_strings,
)
from tests.porting.script.evaluating import Fails, outcome, same
from tests.porting.script.tables_logical_and_general import Table

from callagain.porting.script import Value
from callagain.porting.script.functions import FUNCTIONS, GROUPS

TABLES: tuple[Table, ...] = (
    tables_logical_and_general.LOGICAL,
    tables_logical_and_general.GENERAL,
    tables_logical_and_general.LOGGING,
    tables_logical_and_general.CACHE,
    tables_strings.STRING,
    tables_collections_and_json.DICTIONARY,
    tables_collections_and_json.JSON,
    tables_scalars.CONVERSION,
    tables_scalars.DATE,
    tables_scalars.MATH,
    tables_scalars.CRYPTOGRAPHIC,
)
ROWS = [(script, value) for table in TABLES for rows in table.values() for script, value in rows]


@pytest.mark.parametrize(("script", "expected"), ROWS, ids=[script for script, _ in ROWS])
def test_a_function_gives_the_value_of_its_table(script: str, expected: Value | Fails) -> None:
    found = outcome(script)
    assert same(found, expected), f"{script} gave {found!r} and not {expected!r}"


def test_every_function_has_a_table_that_calls_it() -> None:
    tables = {name: rows for table in TABLES for name, rows in table.items()}
    assert tables.keys() == {function.name for function in FUNCTIONS.values()}
    not_called = [
        name for name, rows in tables.items() if not any(f"{name.lower()}(" in row[0].lower() for row in rows)
    ]
    assert not_called == []


def test_every_function_says_what_it_does_and_where_that_is_said() -> None:
    for function in FUNCTIONS.values():
        doc = function.body.__doc__ or ""
        assert function.summary.endswith("."), function.name
        assert function.declaration in doc
        assert doc.endswith(f"Source: {function.group.page}#{function.name.lower()}")
        assert function.group in GROUPS


def test_at_least_the_sixty_functions_that_designs_use_are_there() -> None:
    assert len(FUNCTIONS) >= 120

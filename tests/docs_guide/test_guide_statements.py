"""What the guides of others state stands on a page, with our departures explained there."""

from itertools import groupby

from tests.docs_guide.page import ROOT
from tests.docs_guide.statements import Statement, read_statements

STATEMENT = Statement(
    "a result is a string", "tools.md", ("is written as text", "since an API takes no other")
)


def test_every_statement_stands_on_its_page() -> None:
    by_page = groupby(sorted(read_statements(), key=lambda each: each.page), key=lambda each: each.page)
    problems: list[str] = []
    for page, statements in by_page:
        text = (ROOT / "docs" / page).read_text("utf-8") if page else ""
        problems.extend(problem for each in statements for problem in each.problems(text))
    assert not problems, "\n".join(problems)


def test_no_statement_is_listed_twice_and_each_is_somewhere_or_says_why_not() -> None:
    statements = read_statements()
    assert len({each.words for each in statements}) == len(statements)
    assert all(each.nowhere or (each.page and each.phrases) for each in statements)


def test_a_paragraph_that_was_removed_is_told_with_what_it_held() -> None:
    kept = "A result is written\nas text,\nsince an API takes no other.\n"
    assert list(STATEMENT.problems(kept)) == []
    assert list(STATEMENT.problems("Something else. But since an API takes no other.")) == [
        "tools.md has 0 times 'is written as text', which holds: a result is a string"
    ]


def test_a_departure_that_is_no_longer_explained_is_told() -> None:
    (told,) = STATEMENT.problems("A result is written as text.")
    assert told.startswith("tools.md has 0 times 'since an API takes no other'")


def test_a_phrase_that_stands_twice_is_told_since_one_of_them_could_go_unnoticed() -> None:
    twice = "It is written as text, since an API takes no other. It is written as text."
    assert [told.split(",")[0] for told in STATEMENT.problems(twice)] == [
        "tools.md has 2 times 'is written as text'"
    ]

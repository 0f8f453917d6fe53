import pytest

from callagain.connectors.tools.docstrings import Docstring, parse_docstring

GOOGLE = """Find an order.

    Looks in the archive too.

    Args:
        number (int): The order's
            number: six digits.
        year: The year.
        **options: More.

    Returns:
        The order.

    Raises:
        KeyError: If there is none.

    Note:
        Slow at night.
    """

NUMPY = """Find an order.

    Looks in the archive too.

    Parameters
    ----------
    number : int
        The order's
        number: six digits.
    year : int, optional
        The year.
    first, last
        A range.

    Returns
    -------
    Order
        The order.

    Notes
    -----
    Slow at night.
    """

REST = """Find an order.

    Looks in the archive too.

    :param int number: The order's
        number: six digits.
    :param year: The year.
    :type year: int
    :returns: The order.
    :raises KeyError: If there is none.
    """


def test_reads_google_style() -> None:
    parsed = parse_docstring(GOOGLE)
    assert parsed.description == "Find an order.\n\nLooks in the archive too.\n\nNote:\n    Slow at night."
    assert parsed.parameters == {
        "number": "The order's number: six digits.",
        "year": "The year.",
        "options": "More.",
    }


def test_reads_numpy_style() -> None:
    parsed = parse_docstring(NUMPY)
    assert parsed.description == "Find an order.\n\nLooks in the archive too.\n\nNotes\n-----\nSlow at night."
    assert parsed.parameters == {
        "number": "The order's number: six digits.",
        "year": "The year.",
        "first": "A range.",
        "last": "A range.",
    }


def test_reads_rest_style() -> None:
    parsed = parse_docstring(REST)
    assert parsed.description == "Find an order.\n\nLooks in the archive too."
    assert parsed.parameters == {"number": "The order's number: six digits.", "year": "The year."}


@pytest.mark.parametrize("text", [None, "", "   \n  "])
def test_nothing_said_is_no_description(text: str | None) -> None:
    assert parse_docstring(text) == Docstring()


def test_a_word_of_the_description_is_no_section() -> None:
    assert (
        parse_docstring("Returns: the sum.\n\nArgs are free.").description
        == "Returns: the sum.\n\nArgs are free."
    )


def test_a_section_that_stands_alone_leaves_no_description() -> None:
    assert parse_docstring("\n    Args:\n        a: first\n    ") == Docstring("", {"a": "first"})

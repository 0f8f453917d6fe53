"""Expected and called side by side, as lines of text."""

from collections.abc import Mapping, Sequence

from callagain.testing.trajectory_alignment import Row, RunCall
from callagain.testing.trajectory_expected import ExpectedCall, shown

_MOST_CHARS_OF_A_CALL = 60
_MOST_CHARS_OF_A_LINE = 300


def side_by_side(rows: Sequence[Row]) -> list[str]:
    """A line for each row, the first wrong one marked by `>`, and below it what differs in its arguments."""
    cells = [("expected", "called"), *((_expected(row.expected), _called(row.call)) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(2)]
    number_width = len(str(len(rows)))
    first_wrong = next((row for row in rows if not row.is_right), None)
    lines: list[str] = []
    for row, (expected, called) in zip([None, *rows], cells, strict=True):
        mark = ">" if row is not None and row is first_wrong else " "
        number = str(row.number) if row is not None and row.number is not None else ""
        remark = "" if row is None else _remark(row)
        line = f"{mark} {number:>{number_width}}  {expected:{widths[0]}}  {called:{widths[1]}}  {remark}"
        lines.append(line.rstrip())
        lines += [_cut(f"{'':{number_width + 8}}{one}", _MOST_CHARS_OF_A_LINE) for one in _details(row)]
    return lines


def shown_call(name: str, arguments: Mapping[str, object] | None, others: str = "") -> str:
    """`refund_order(order_id='1')`, of many arguments the first ones. others: stands behind them."""
    if arguments is None:
        return f"{name}(no JSON object)"
    named = (f"{key}={shown(value)}" for key, value in arguments.items())
    return _cut(f"{name}({', '.join([*named, *others])})", _MOST_CHARS_OF_A_CALL)


def _expected(expected: ExpectedCall | None) -> str:
    if expected is None:
        return ""
    return shown_call(expected.name, expected.arguments, others="" if expected.exact else "…")


def _called(call: RunCall | None) -> str:
    if call is None:
        return ""
    note = "" if call.note is None else f" → {call.note}"
    return shown_call(call.name, call.arguments) + note


def _remark(row: Row) -> str:
    if row.call is None:
        return "not called"
    if row.expected is None:
        return "" if row.is_allowed else "not expected"
    return "other arguments" if row.differences else ""


def _details(row: Row | None) -> Sequence[str]:
    return () if row is None else row.differences


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"

"""A package that does not do what its design does: each lie is found at its place."""

from pathlib import Path

import pytest
from tests.porting.parity.packages import lying

from callagain.porting.parity import Case, parity
from callagain.testing import AnyAnswer, calls

STATUS = calls(("get_order_status", {"order_id": "481516"}))
NOBODY = calls(("get_order_status", {"order_id": "1"}))
PROMPT = 'text(variables.get("systemPrompt")) or None'


@pytest.mark.parametrize(
    ("file", "old", "new", "answers", "expected"),
    [
        (
            "scripts.py",
            'add("get_order_status: "',
            'add("order status: "',
            [STATUS, "Done."],
            [
                (
                    "script Get Order Status",
                    "operation log: [0]",
                    '"get_order_status: {',
                    '"order status: {',
                )
            ],
        ),
        (
            "chain.py",
            "MAX_ITERATIONS = 5",
            "MAX_ITERATIONS = 3",
            [STATUS] * 6,
            [("the end", "how many requests were sent", "6", "4")],
        ),
        (
            "chain.py",
            "MAX_ITERATIONS = 5",
            "MAX_ITERATIONS = 9",
            [*[STATUS] * 6, "At last."],
            [("the end", "outcome", '"limit"', '"completed"')],
        ),
        (
            "tools.py",
            '"Tool - Order Status", variables',
            '"Tool - Delivery Date", variables',
            [NOBODY, "Done."],
            [("tool_dispatcher 1", "operation log: [0]", '"get_order_status: ', '"get_delivery_date: ')],
        ),
        (
            "chain.py",
            PROMPT,
            '"Be brief."',
            ["Hello."],
            [("request 1", "request: messages[0].content", '"You are the assistant', '"Be brief."')],
        ),
        (
            "chain.py",
            'PROJECT.run("Send Answer", variables)',
            'variables["chat_reply"] = 1',
            ["Hello."],
            [("the end", "chat_reply", '"Hello."', "1")],
        ),
    ],
    ids=["a script", "a lower limit", "a higher limit", "another tool", "the prompt", "the end"],
)
def test_a_lie_is_found_at_its_place(
    orders: Path,
    tmp_path: Path,
    file: str,
    old: str,
    new: str,
    answers: list[AnyAnswer],
    expected: list[tuple[str, str, str, str]],
) -> None:
    package = lying(orders, tmp_path / "orders", f"orders_assistant/{file}", old, new)
    found = parity(package, cases=[Case("lie", "Where is my order?", answers)])
    assert [(each.after, each.variable) for each in found.differences] == [each[:2] for each in expected]
    for difference, (_, _, design, python) in zip(found.differences, expected, strict=True):
        assert difference.design.startswith(design)
        assert difference.python.startswith(python)
    assert not found.holds

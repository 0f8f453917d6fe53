"""Each rule finds what it is for, and passes over what is nearly so."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from callagain.engine.json_text import JsonObject
from callagain.tool_check import RULES, Finding, check_tools

Announce = Callable[..., JsonObject]
Changes = dict[str, Any]


def text(description: str = "", **schema: Any) -> Changes:
    return {"type": "string", **({"description": description} if description else {}), **schema}


def number(description: str, **schema: Any) -> Changes:
    return {"type": "number", "description": description, **schema}


def properties(**given: Any) -> Changes:
    return {"properties": given}


def numbers(count: int) -> Changes:
    return properties(**{f"side_{index}": number("Side of the shape in cm") for index in range(count)})


ADDRESS = {"type": "object", "properties": {"zip": text("Postal code, such as 1050-121")}}


@dataclass(frozen=True)
class Example:
    """Tools that break a rule, at a place, and tools that keep it. Each tool is what it has of its own."""

    code: str
    bad: list[Changes]
    place: str
    message: str
    good: list[Changes]
    are_read_only: bool = False


EXAMPLES = [
    *(
        Example(
            "name-generic",
            [{"name": name}],
            name,
            "the name says nothing of the task; use a verb and a noun, as in look_up_invoice",
            [{"name": good}],
        )
        for name, good in [
            ("run", "run_report"),
            ("helper", "ticket_status"),
            ("do_it", "do_laundry"),
            ("tool1", "lookup_invoice"),
            ("handle", "handle_complaint"),
            ("getData", "getOrder"),
            ("main", "get_item"),
        ]
    ),
    Example(
        "name-verb-noun",
        [{"name": "search"}],
        "search",
        "the name is a verb alone; add the noun, as in look_up_invoice",
        [{"name": "search_catalogue"}, {"name": "weather"}],
    ),
    Example(
        "description-missing",
        [{"description": " \n"}],
        "look_up_order",
        "there is no description, and the model chooses by it; say what the tool does, what it returns and "
        "when not to use it",
        [{}],
    ),
    Example(
        "description-repeats-name",
        [{"name": "getOrder", "description": "Gets the order."}],
        "getOrder",
        "the description repeats the name, and no more; say what the tool does, what it returns and when not "
        "to use it",
        [{"description": "Look up an order by its number."}],
    ),
    Example(
        "description-returns",
        [{"name": "cancel_order", "description": "Cancel an order by its number."}],
        "cancel_order",
        "say what the tool returns, as in “Returns the ticket's id.”",
        [
            {
                "name": "cancel_order",
                "description": "Cancel an order by its number. The result is its state.",
            },
            {"name": "order_status", "description": "Shows the state of an order."},
            {"name": "find_order", "description": "Searches the orders of the shop."},
        ],
    ),
    Example(
        "description-when-not",
        [{"description": "Look up an order by its number."}],
        "look_up_order",
        "say when not to use the tool, as in “Not for returns.”",
        [
            {"description": "Look up an order by its number. Doesn't know returns."},
            {"name": "find_order", "description": "Find an order of this year only."},
        ],
    ),
    Example(
        "description-alike",
        [
            {"description": "Look up the order by its number, not by name."},
            {"name": "find_order", "description": "look up an order, by its number (not by name)"},
        ],
        "find_order",
        "the description is that of look_up_order; say in both when to use which",
        [
            {"name": "to_celsius", "description": "Convert Fahrenheit to Celsius, not back."},
            {"name": "to_fahrenheit", "description": "Convert Celsius to Fahrenheit, not back."},
        ],
    ),
    Example(
        "parameters-several",
        [numbers(4)],
        "look_up_order",
        "4 parameters; up to 3 are filled in right more often",
        [numbers(3), numbers(7) | {"name": "draw_shape", "description": "Draw a shape; never returns it."}],
    ),
    Example(
        "parameters-many",
        [numbers(7)],
        "look_up_order",
        "7 parameters are too many to be filled in right; split the tool, or look up by yourself what an id "
        "leads to",
        [numbers(6)],
    ),
    Example(
        "parameters-nested",
        [properties(address=ADDRESS)],
        "look_up_order.address",
        "it is an object; make its fields parameters of the tool",
        [properties(zip=text("Postal code, such as 1050-121"), tags={"type": "array", "items": text()})],
    ),
    Example(
        "parameters-list-of-objects",
        [properties(addresses={"type": "array", "description": "Of the customer", "items": ADDRESS})],
        "look_up_order.addresses",
        "it is a list of objects; take one of them a call, its fields as parameters, or a list of ids",
        [properties(ids={"type": "array", "description": "Order numbers", "items": text()})],
    ),
    Example(
        "property-type",
        [properties(value={"description": "Anything"})],
        "look_up_order.value",
        'it has no type; say what is wanted, as in {"type": "string"}',
        [properties(value={"enum": [1, "one"]}, other={"anyOf": [text("A text"), {"type": "null"}]})],
    ),
    Example(
        "property-type",
        [properties(ids={"type": "array", "description": "Order numbers"})],
        "look_up_order.ids",
        'its items have no type; say what is wanted, as in "items": {"type": "string"}',
        [properties(pair={"type": "array", "description": "From and to", "prefixItems": [text(), text()]})],
    ),
    Example(
        "enum-missing",
        [properties(status=text("Status of the order, 'open' or 'closed'"))],
        "look_up_order.status",
        "the description lists “open”, “closed”; give them as an enum, so that the model makes up no other",
        [properties(status=text("Status, 'open' or 'closed'", enum=["open", "closed"]))],
    ),
    Example(
        "enum-likely",
        [properties(order_status=text("Status that the order is to have"))],
        "look_up_order.order_status",
        "if only certain values are allowed, give them as an enum",
        [
            properties(
                order_status=text("Status of the order", pattern="^[a-z]+$"),
                mime_type=text("Type of the file, such as text/html"),
            )
        ],
    ),
    Example(
        "property-description",
        [properties(order_id=text())],
        "look_up_order.order_id",
        "there is no description; say what it is, as in “Ticket id, such as T-101”",
        [properties(order_id=text("Order number, such as 7"), status=text(enum=["open", "closed"]))],
    ),
    Example(
        "property-description",
        [properties(days={"type": "integer"})],
        "look_up_order.days",
        "there is no description; say what it is, as in “Length of the stay in days”",
        [properties(days={"type": "integer", "description": "How far to look back"})],
    ),
    Example(
        "property-example",
        [properties(order_id=text("The order's number"))],
        "look_up_order.order_id",
        "add an example or the format, as in “Ticket id, such as T-101”",
        [
            properties(
                by_example=text("Order number, such as one on a bill"),
                by_format=text("Six digits"),
                by_schema=text("The order's number", pattern="^[0-9]{6}$"),
                by_default=text("The shop's number", default="main"),
            ),
            {"name": "find_order", **properties(question=text("What the customer wants to know"))},
        ],
    ),
    Example(
        "property-unit",
        [properties(weight=number("Weight of the parcel"))],
        "look_up_order.weight",
        "add the unit, as in “Amount in euros”",
        [
            properties(
                weight=number("Weight of the parcel in kg"),
                amount_usd=number("The amount to pay"),
                price=number("Price, in the currency of the order"),
                page_size=number("The size of a page"),
                volume=number("Volume of the music, from 0 to 10"),
                number_of_parcels=number("Size of the delivery, as a number of parcels"),
                first=number("The first summand"),
            )
        ],
    ),
    Example(
        "omnibus",
        [properties(action=text(enum=["create", "cancel", "reopen"]))],
        "look_up_order.action",
        "it chooses among create, cancel; make each of them a tool of its own",
        [
            properties(
                mode=text(enum=["walking", "driving"]),
                action=text(enum=["on", "off"]),
                event=text(enum=["create", "update"]),
            )
        ],
    ),
    Example(
        "omnibus",
        [{"name": "create_update_or_delete_order"}],
        "create_update_or_delete_order",
        "the name has the verbs create, update, delete; make each of them a tool of its own",
        [{"name": "get_or_create_order"}, {"name": "get_update_list", "description": "List the updates."}],
    ),
    Example(
        "read-only-effects",
        [{"name": "refund_order"}],
        "refund_order",
        "it is declared read_only, but its name says “refund”, which changes something; mend one of the two",
        [{"name": "refund_status"}, {"name": "look_up_refund", "description": "Look up a refund."}],
        are_read_only=True,
    ),
]


def found_by(example: Example, tools: list[Changes], announce: Announce) -> list[Finding]:
    names = [each.get("name", "look_up_order") for each in tools]
    found = check_tools(
        [announce(**each) for each in tools], read_only=names if example.are_read_only else []
    )
    return [each for each in found if each.code == example.code]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.code}-{example.place}")
def test_a_rule_finds_what_it_is_for(announce: Announce, example: Example) -> None:
    (found,) = found_by(example, example.bad, announce)
    assert (found.place, found.message) == (example.place, example.message)
    assert found.severity == RULES[example.code].severity


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.code}-{example.place}")
def test_a_rule_is_silent_where_it_is_kept(announce: Announce, example: Example) -> None:
    assert found_by(example, example.good, announce) == []


def test_every_rule_has_an_example() -> None:
    assert {example.code for example in EXAMPLES} == RULES.keys()


def test_a_tool_that_keeps_every_rule_is_clean(announce: Announce) -> None:
    assert check_tools([announce()]) == []


def test_a_tool_with_effects_that_is_not_declared_read_only_is_clean(announce: Announce) -> None:
    assert check_tools([announce(name="refund_order")]) == []


def test_one_mistake_is_told_once(announce: Announce) -> None:
    (found,) = check_tools([announce(description="")])
    assert found.code == "description-missing"
    (found,) = check_tools([announce(properties={"status": text("open or closed")})])
    assert found.code == "enum-missing"

"""Reports to be rendered: one of a whole port, and one of a design that means harm."""

from callagain.porting.design.model import SourcePlace
from callagain.porting.report import (
    Component,
    FoundTrap,
    Report,
    Status,
    UnknownFunction,
    UnresolvedTag,
)

FIRST_CALL = (
    "Only the first call of a response is answered; the API refuses a request that leaves others open."
)
EVERY_CALL = "Every call of a response is run and answered, at the same time where the tools allow it."
PLACE = SourcePlace("orders.json", "components[3]")

ORDERS = Report(
    design="Orders Assistant",
    form="Studio export",
    package="orders_assistant",
    inventory={"operations": 8, "Jitterbit scripts": 10},
    components=(
        Component("operation", "LLM Call", PLACE, Status.CONVERTED, "orders_assistant/chain.py"),
        Component("script", "Find Order", PLACE, Status.CONVERTED, "orders_assistant/find_order.py"),
        Component("script", "Parse Response", PLACE, Status.CONVERTED_WITH_NOTES, None, ("see the traps",)),
        Component("script", "Notify", PLACE, Status.STUB, "orders_assistant/stubs.py", ("no SendEmail",)),
        Component("schedule", "Nightly", PLACE, Status.IGNORED),
    ),
    unknown_functions=(UnknownFunction("SendEmail", ("Notify",), 2),),
    unresolved_tags=(UnresolvedTag("<TAG>operation:Gone</TAG>", "Notify", 4, 12),),
    traps=(
        FoundTrap("first call only", "Parse Response", PLACE, FIRST_CALL, EVERY_CALL, 7, 31),
        FoundTrap("first call only", "Parse Response", PLACE, FIRST_CALL, EVERY_CALL, 9, 31),
    ),
    names={"variable": {"$gpt.model": "gpt_model"}},
    secrets=("openai key",),
    guesses=("outcome 200 was taken for On Fail (orders.json: components[3])",),
    diagram="stateDiagram-v2\n    [*] --> initialize\n",
)

HARMFUL = (
    "a\x1b[31mred\x07\r\n\u202etxt.exe| `b` <script>x</script> [l](http://e.com) www.e.com @me *s* \ud800"
)


def harmful_report() -> Report:
    """Every text that comes from a design, full of what a terminal, a browser or Markdown would obey."""
    place = SourcePlace(HARMFUL, HARMFUL)
    components = (Component(HARMFUL, HARMFUL, place, status, HARMFUL, (HARMFUL,)) for status in Status)
    return Report(
        design=HARMFUL,
        form=HARMFUL,
        package=HARMFUL,
        inventory={HARMFUL: 1},
        components=tuple(components),
        unknown_functions=(UnknownFunction(HARMFUL, (HARMFUL,), 1),),
        unresolved_tags=(UnresolvedTag(HARMFUL, HARMFUL, 1, 1),),
        traps=(FoundTrap(HARMFUL, HARMFUL, place, HARMFUL, HARMFUL, 1, 1),),
        names={HARMFUL: {HARMFUL: HARMFUL}},
        secrets=(HARMFUL,),
        guesses=(HARMFUL,),
        diagram=f"graph\n{HARMFUL}\n```\n# out\n~~~~\n",
    )

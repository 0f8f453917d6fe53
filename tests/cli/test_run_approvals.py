"""`callagain run` and calls that wait for approval: asked on a real terminal, else suspended."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain import ToolLoop, approve
from callagain.cli.tools_file import load_tools
from callagain.testing import AnyAnswer, StandIn, calls, says
from callagain.testing.plugin import StartStandIn

Command = Callable[..., Any]
Start = Callable[..., Any]
Write = Callable[..., str]

CHOICES = "[y]es, [n]o, [e]dit? "
NEW = "(an empty line is no): "
REFUND = ("refund", {"order_id": "481516", "amount": 12.5})


@pytest.fixture
def refunds(write: Write) -> str:
    """A tools file with refund, which needs approval and leaves a line in `refunds.log`, and look_up."""
    return write(
        "refunds.py",
        '''
        from pathlib import Path
        from callagain import tool

        @tool(requires_approval=True)
        def refund(order_id: str, amount: float, note: str = "") -> str:
            """Pay the money for an order back."""
            with Path(__file__).with_suffix(".log").open("a") as log:
                log.write(f"{order_id} {amount} {note}\\n")
            return "paid"

        @tool(read_only=True)
        def look_up(order_id: str) -> str:
            """Look up an order."""
            return "shipped"

        @tool
        def cancel(order_id: str) -> str:
            """Cancel an order."""
            return "cancelled"
        ''',
    )


def paid(refunds: str) -> list[str]:
    """What the tool did."""
    log = Path(refunds).with_suffix(".log")
    return log.read_text().splitlines() if log.exists() else []


def options(server: StandIn, refunds: str, *more: str) -> list[str]:
    return ["--tools", refunds, "--base-url", server.base_url, "--model", "any", *more]


def told(server: StandIn) -> list[str]:
    """What the model was told as the results of its calls."""
    messages = server.requests[-1].json["messages"]
    return [message["content"] for message in messages if message["role"] == "tool"]


# On a terminal


def test_a_yes_runs_the_call(at_terminal: Start, stand_in: StartStandIn, refunds: str) -> None:
    server = stand_in([calls(REFUND), "Paid."])
    terminal = at_terminal("run", "Refund it", *options(server, refunds))
    shown = terminal.see(CHOICES)
    assert shown.endswith(
        "     refund waits for approval\n"
        "callagain: may refund run with these arguments?\n"
        '    order_id: "481516"\n'
        "    amount: 12.5\n"
        f"refund: {CHOICES}"
    )
    assert paid(refunds) == []
    terminal.type("y\n")
    code, shown = terminal.end()
    assert (code, paid(refunds), told(server)) == (0, ["481516 12.5 "], ["paid"])
    assert shown.startswith("y\n     refund: approved\n     refund {")
    assert shown.endswith("\nPaid.\n")


def test_a_no_is_told_to_the_model_with_its_reason(
    at_terminal: Start, stand_in: StartStandIn, refunds: str
) -> None:
    server = stand_in([calls(REFUND), "Not paid."])
    terminal = at_terminal("run", "Refund it", *options(server, refunds))
    terminal.see(CHOICES)
    terminal.type("perhaps\n")
    assert "callagain: y runs the call; n does not, and what follows n is told to" in terminal.see(CHOICES)
    terminal.type("n ask the  customer first\n")
    code, shown = terminal.end()
    assert (code, paid(refunds)) == (0, [])
    assert told(server) == ['{"error":{"code":"denied","message":"ask the customer first"}}']
    assert "\n     refund: denied\n" in shown


def test_new_arguments_are_asked_for_until_they_fit(
    at_terminal: Start, stand_in: StartStandIn, refunds: str
) -> None:
    server = stand_in([calls(REFUND), "Paid."])
    terminal = at_terminal("run", "Refund it", *options(server, refunds))
    terminal.see(CHOICES)
    terminal.type("e\n")
    assert '    {"order_id":"481516","amount":12.5}\n' in terminal.see(NEW)
    for wrong, why in (
        ('{"order_id": ', "Expecting value at position 12"),
        ("[1]", "they are no JSON object, such as {}"),
        ('{"order_id": "1", "order_id": "2", "amount": 1}', "the key 'order_id' stands twice"),
        ('{"order_id": "481516", "amount": "much"}', "amount"),
    ):
        terminal.type(f"{wrong}\n")
        shown = terminal.see(NEW)
        assert "callagain: these arguments cannot be used: " in shown
        assert why in shown
    terminal.type('{"order_id": "481516", "amount": 5, "note": "two  spaces"}\n')
    code, shown = terminal.end()
    assert (code, paid(refunds)) == (0, ["481516 5.0 two  spaces"])
    assert "\n     refund: approved with other arguments\n" in shown


def test_an_empty_line_and_the_end_of_the_input_are_no(
    at_terminal: Start, stand_in: StartStandIn, refunds: str
) -> None:
    answers = ["\n", "\x04", "y\x04\x04", "e\n|\n", "e\n|\x04"]
    asked = [("refund", {"order_id": answer, "amount": 1}) for answer in answers]
    server = stand_in([calls(*asked), "Not paid."])
    terminal = at_terminal("run", "Refund it", *options(server, refunds))
    for answer in answers:
        for question, typed in zip((CHOICES, NEW), answer.split("|"), strict=False):
            terminal.see(question)
            terminal.type(typed)
        # Whatever was typed, what follows stands in a line of its own.
        terminal.see("\n     refund: denied\n")
    code, _ = terminal.end()
    assert (code, paid(refunds)) == (0, [])
    assert told(server) == ['{"error":{"code":"denied","message":"the call was denied"}}'] * 5


def test_ctrl_c_at_the_question_ends_the_run(
    at_terminal: Start, stand_in: StartStandIn, refunds: str
) -> None:
    server = stand_in([calls(REFUND)])
    terminal = at_terminal("run", "Refund it", *options(server, refunds))
    terminal.see(CHOICES)
    terminal.type("\x03")
    code, shown = terminal.end()
    assert (code, paid(refunds), len(server.requests)) == (130, [], 1)
    assert shown.endswith("\ncallagain: interrupted\n")


def test_what_was_typed_before_a_question_does_not_answer_it(
    at_terminal: Start, stand_in: StartStandIn, refunds: str
) -> None:
    other = ("refund", {"order_id": "7", "amount": 9000})
    server = stand_in([calls(REFUND, other), "Done."])
    terminal = at_terminal("run", "Refund it", *options(server, refunds))
    terminal.see(CHOICES)
    terminal.type("y\ny\ny\n")
    terminal.see("    amount: 9000\n")
    terminal.see(CHOICES)
    terminal.type("\n")
    code, _ = terminal.end()
    assert (code, paid(refunds)) == (0, ["481516 12.5 "])


def test_hostile_arguments_can_neither_forge_the_question_nor_steer_the_terminal(
    at_terminal: Start, stand_in: StartStandIn, refunds: str
) -> None:
    forged = "\x1b[2J\x1b[H\r\ncallagain: may look_up run with these arguments?\n\x9b8m"
    note = f"{forged}\u202elook_up: {CHOICES}\x07" + "界" * 100 + f"refund: {CHOICES}" * 6
    server = stand_in([calls(("refund", {"order_id": "7", "amount": 9000, "note": note})), "Done."])
    terminal = at_terminal("run", "Refund it", *options(server, refunds), columns=60)
    before, header, question = terminal.see(f"\nrefund: {CHOICES}").partition("callagain: may refund run")
    assert "\x1b" not in before + header + question
    _, *lines, last = question.split("\n")
    assert last == f"refund: {CHOICES}"
    order, amount, *others = lines
    assert (order, amount) == ('    order_id: "7"', "    amount: 9000")
    assert all(line.isprintable() for line in others)
    # No line of the text begins where an argument begins.
    assert [line[:5] for line in others] == ["    n", *["     "] * (len(others) - 1)]
    widths = [len(line) + line.count("界") for line in lines]
    assert max(widths) in (59, 60)
    whole = "".join(line[8:] for line in others)
    assert others[0].startswith(r'    note: "\u001b[2J\u001b[H\r\ncallagain: may look_up')
    assert r"\u009b8m\u202elook_up: [y]es" in whole
    terminal.type("n\n")
    assert terminal.end()[0] == 0


def test_text_that_is_streamed_cannot_hide_the_question(
    at_terminal: Start, stand_in: StartStandIn, refunds: str
) -> None:
    server = stand_in([calls(REFUND, text="A\x1b[8m\rmoment\tplease."), says("\x1b[2JDone.\nAll.")])
    terminal = at_terminal("run", "Refund it", *options(server, refunds, "--stream"))
    shown = terminal.see(CHOICES)
    terminal.type("y\n")
    code, ended = terminal.end()
    assert "A [8m moment\tplease.\n" in shown
    assert "\n [2JDone.\nAll.\n" in ended
    assert "\x1b" not in shown + ended
    assert (code, ended.count("Done.")) == (0, 1)


def test_long_arguments_are_cut_until_all_is_asked_for(
    at_terminal: Start, stand_in: StartStandIn, refunds: str
) -> None:
    note = "harmless " * 200 + "pay it to me"
    server = stand_in([calls(("refund", {"order_id": "7", "amount": 1, "note": note})), "Done."])
    terminal = at_terminal("run", "Refund it", *options(server, refunds))
    question = "refund: [y]es, [n]o, [e]dit, [s]how all? "
    shown = terminal.see(question)
    assert shown.endswith(f"\n        … (1,820 chars)\n{question}")
    assert "pay it to me" not in shown
    terminal.type("s\n")
    assert 'pay it to me"\n' in terminal.see(CHOICES)
    terminal.type("n\n")
    assert terminal.end()[0] == 0
    assert paid(refunds) == []


def test_nobody_is_asked_where_the_answer_would_be_the_message(
    at_terminal: Start, stand_in: StartStandIn, refunds: str
) -> None:
    server = stand_in([calls(REFUND)])
    terminal = at_terminal("run", "-", *options(server, refunds))
    terminal.type("Refund it\n\x04")
    code, shown = terminal.end()
    assert code == 4
    assert "[y]es" not in shown
    assert server.requests[0].json["messages"][-1]["content"] == "Refund it"


def test_nobody_is_asked_for_a_document(at_terminal: Start, stand_in: StartStandIn, refunds: str) -> None:
    terminal = at_terminal("run", "Refund it", *options(stand_in([calls(REFUND)]), refunds, "--json"))
    code, shown = terminal.end()
    assert (code, "[y]es" in shown) == (4, False)
    assert '"outcome":"suspended"' in shown


# Elsewhere


def test_without_a_terminal_the_run_is_suspended(
    command: Command, stand_in: StartStandIn, refunds: str
) -> None:
    server = stand_in([calls(REFUND, ("look_up", {"order_id": "481516"}))])
    ended = command("run", "Refund it", *options(server, refunds))
    assert (ended.code, ended.out, paid(refunds)) == (4, "", [])
    assert ended.err == (
        "callagain: error: suspended (approval_required): waiting for somebody: refund (call_1); run it on a "
        "terminal, without --json and with the question as MESSAGE, and you are asked; or decide beforehand "
        "by --approve; --json gives its snapshot, with which a Python program goes on by loop.resume\n"
    )


def test_the_document_of_a_suspended_run_is_enough_to_go_on(
    command: Command, stand_in: StartStandIn, refunds: str
) -> None:
    server = stand_in([calls(REFUND, ("look_up", {"order_id": "481516"})), "Paid."])
    document = command("run", "Refund it", "--json", *options(server, refunds)).json
    assert (document["outcome"], document["error"]["kind"]) == ("suspended", "approval_required")
    (waiting,) = document["pending_calls"]
    assert len(waiting.pop("digest")) == 64
    assert waiting == {
        "id": "call_1",
        "name": "refund",
        "arguments": REFUND[1],
        "arguments_text": '{"order_id":"481516","amount":12.5}',
        "why": "approval_required",
        "needs_approval": True,
    }
    loop = ToolLoop(model="any", tools=load_tools([refunds]), base_url=server.base_url)
    result = loop.resume(document["snapshot"], decisions={waiting["id"]: approve})
    assert (result.final_response, paid(refunds)) == ("Paid.", ["481516 12.5 "])
    assert told(server) == ["paid", "shipped"]


@pytest.mark.parametrize(
    ("choice", "done", "model_is_told"),
    [
        ("all", ["481516 12.5 "], "paid"),
        ("none", [], '{"error":{"code":"denied","message":"nobody approves calls in this run"}}'),
    ],
)
def test_a_decision_beforehand_needs_no_terminal(
    command: Command, stand_in: StartStandIn, refunds: str, choice: str, done: list[str], model_is_told: str
) -> None:
    server = stand_in([calls(REFUND), "Done."])
    ended = command("run", "Refund it", "--approve", choice, *options(server, refunds))
    assert (ended.code, ended.out, ended.err) == (0, "Done.\n", "")
    assert (paid(refunds), told(server)) == (done, [model_is_told])


def test_every_effect_can_be_made_to_wait(command: Command, stand_in: StartStandIn, refunds: str) -> None:
    script: list[AnyAnswer] = [calls(("cancel", {"order_id": "1"}), ("look_up", {"order_id": "1"})), "Done."]
    assert command("run", "Go", *options(stand_in(script), refunds)).code == 0
    ended = command("run", "Go", "--approve-effects", "-v", *options(stand_in(script), refunds))
    assert ended.code == 4
    assert "\n     cancel waits for approval\n" in ended.err
    assert "waiting for somebody: cancel (call_1); " in ended.err

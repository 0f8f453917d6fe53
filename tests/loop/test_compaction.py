"""compact_context: old results are shortened, and every request stays one that the API takes."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from tests.loop.book import DONE, NOTE, kinds, log_lines, loop_with, page, reads, told

from callagain import ChainError, ConfigurationError, Result
from callagain.diagrams import flowchart_mermaid, transition_table_markdown
from callagain.engine.chain import Chain
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.extensions import with_compaction
from callagain.operations import TOOL_CALLING_LOOP, Initialize
from callagain.testing import StandIn, call, calls, says

Run = Callable[..., Result]
Serve = Callable[..., StandIn]

both_apis = pytest.mark.parametrize("api", ["chat_completions", "responses"])


# Which rounds, and when.


@pytest.mark.parametrize("stream", [False, True], ids=["plain", "stream"])
@both_apis
def test_all_rounds_but_the_newest_are_shortened(run: Run, stand_in: Serve, api: Any, stream: bool) -> None:
    server = stand_in([reads(1), reads(2), reads(3), DONE])
    result = run(loop_with(server, api=api, stream=stream))
    assert (result.outcome, result.final_response) == ("completed", "Read.")
    assert kinds(server, 1, 1) == ["whole"]
    assert kinds(server, 2, 2) == ["short", "whole"]
    assert kinds(server, 3, 3) == ["short", "short", "whole"]
    assert [call_id for call_id, _ in told(server, 3)] == ["c1", "c2", "c3"]
    assert result.warnings == []


def test_an_old_result_keeps_its_two_ends_and_says_how_long_it_was(run: Run, stand_in: Serve) -> None:
    server = stand_in([reads(1), reads(2), DONE])
    run(loop_with(server))
    shortened = told(server, 2)[0][1]
    assert shortened.startswith("Page 1 begins. Nothing happens on page 1.")
    assert f"[… truncated: {len(page(1))} characters in full, " in shortened
    assert shortened.endswith(f"Page 1 ends.\n{NOTE}")
    assert len(shortened) <= 250


@both_apis
def test_every_call_of_a_round_keeps_its_answer_and_what_is_short_stays(
    run: Run, stand_in: Serve, api: Any
) -> None:
    first = calls(
        call("read_page", {"number": 1}, id="c1"),
        call("count_pages", id="n"),
        call("read_page", {"number": "x"}, id="wrong"),
        call("read_page", {"number": 2}, id="c2"),
    )
    server = stand_in([first, reads(3), DONE])
    result = run(loop_with(server, api=api))
    before, after = told(server, 1), told(server, 2)
    assert [call_id for call_id, _ in after] == ["c1", "n", "wrong", "c2", "c3"]
    assert after[1:3] == before[1:3]
    assert kinds(server, 2, 3) == ["short", "short", "whole"]
    assert result.tool_results[0].content == page(1)


def test_below_the_limit_nothing_is_shortened(run: Run, stand_in: Serve) -> None:
    server = stand_in([reads(1), reads(2), DONE])
    result = run(loop_with(server, compact_context=100_000))
    assert kinds(server, 2, 2) == ["whole", "whole"]
    assert (log_lines(result), dict(result.variables.own)) == ([], {})


@both_apis
@pytest.mark.parametrize(("counted", "expected"), [(49_999, "whole"), (50_000, "short")])
def test_the_count_of_the_endpoint_decides(
    run: Run, stand_in: Serve, api: Any, counted: int, expected: str
) -> None:
    server = stand_in([reads(1), reads(2, usage={"prompt_tokens": counted}), DONE])
    run(loop_with(server, api=api, compact_context=50_000))
    assert kinds(server, 2, 2) == [expected, "whole"]


@pytest.mark.parametrize("usage", [{}, {"usage": {"prompt_tokens": 7, "completion_tokens": 1}}])
@pytest.mark.parametrize(("above", "expected"), [(1, "whole"), (0, "short")])
def test_so_does_the_size_of_the_request_where_the_endpoint_counts_nothing_or_less(
    run: Run, stand_in: Serve, usage: dict[str, Any], above: int, expected: str
) -> None:
    def answer(request: dict[str, Any]) -> dict[str, Any]:
        number = sum(message["role"] == "tool" for message in request["messages"]) + 1
        if number == 3:
            return {"choices": [{"message": {"role": "assistant", "content": "Read."}}], **usage}
        function = {"name": "read_page", "arguments": json.dumps({"number": number})}
        wanted = [{"id": f"c{number}", "type": "function", "function": function}]
        return {"choices": [{"message": {"role": "assistant", "tool_calls": wanted}}], **usage}

    whole = stand_in(answer)
    run(loop_with(whole, compact_context=False))
    tokens = -(-len(whole.requests[2].body) // 4)
    server = stand_in(answer)
    run(loop_with(server, compact_context=tokens + above))
    assert kinds(server, 2, 2) == [expected, "whole"]


def test_a_round_stays_as_it_was_written_once(run: Run, stand_in: Serve) -> None:
    server = stand_in([reads(1), reads(2), reads(3), reads(4), DONE])
    result = run(loop_with(server))
    assert told(server, 4)[:2] == told(server, 3)[:2]
    assert told(server, 3)[:1] == told(server, 2)[:1]
    assert result.variables.own["compact_context"] == {"rewritten": 3}


def test_rounds_of_before_the_limit_was_reached_are_shortened_together(run: Run, stand_in: Serve) -> None:
    server = stand_in([reads(1), reads(2), reads(3, usage={"prompt_tokens": 9000}), reads(4), DONE])
    result = run(loop_with(server, compact_context=9000))
    assert kinds(server, 2, 2) == ["whole", "whole"]
    assert kinds(server, 3, 3) == ["short", "short", "whole"]
    # What the endpoint counts after that is below the limit again.
    assert kinds(server, 4, 4) == ["short", "short", "whole", "whole"]
    assert len(log_lines(result)) == 1


# What is told of it.


def test_the_log_says_how_many_results_and_what_that_saves(run: Run, stand_in: Serve) -> None:
    server = stand_in([reads(1, 2), reads(3), reads(4), DONE])
    result = run(loop_with(server))
    one, other = [re.fullmatch(r"(.*) shortened, which saves about (\d+) tokens a request", line)
                  for line in log_lines(result)]  # fmt: skip
    assert one is not None
    assert other is not None
    assert (one[1], other[1]) == ("2 old results of 1 round", "1 old result of 1 round")
    before, after = (sum(len(text) for _, text in texts) for texts in (told(server, 1), told(server, 2)[:2]))
    assert int(one[2]) == pytest.approx((before - after) / 4, abs=20)


def test_nothing_is_said_where_all_old_results_are_short(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(call("count_pages")), calls(call("count_pages")), DONE])
    result = run(loop_with(server))
    assert (log_lines(result), [text for _, text in told(server, 2)]) == ([], ["312", "312"])


def test_the_trace_keeps_what_was_removed_and_the_results_stay(run: Run, stand_in: Serve) -> None:
    server = stand_in([reads(1), reads(2), DONE])
    result = run(loop_with(server))
    step = [step for step in result.trace if step.operation == "compact_context"][-1]
    assert page(1) in str(step.before.messages)
    assert page(1) not in str(step.after.messages)
    assert [each.content for each in result.tool_results] == [page(1), page(2)]


@both_apis
def test_the_messages_of_the_result_can_be_sent_on(run: Run, stand_in: Serve, api: Any) -> None:
    first = run(loop_with(stand_in([reads(1), reads(2), DONE]), api=api))
    server = stand_in([says("As before.")])
    result = run(loop_with(server, api=api), "And now?", history=first.messages)
    assert result.final_response == "As before."
    assert kinds(server, 0, 2) == ["short", "whole"]


# Data stays data.


def delimited_data(text: str) -> str:
    """What stands between the delimiters of a told result; they must have one and the same id."""
    match = re.match(r'<untrusted_data id="(\w{16})">\n(.*)\n</untrusted_data id="\1">', text, re.DOTALL)
    assert match is not None
    assert text.count(match[1]) == 2
    return match[2]


LETTERS = [calls(call("read_letter", {"number": number}, id=f"c{number}")) for number in (1, 2)]


def test_what_is_left_of_untrusted_data_is_delimited(run: Run, stand_in: Serve) -> None:
    server = stand_in([*LETTERS, DONE])
    run(loop_with(server))
    (_, old), (_, newest) = told(server, 2)
    assert delimited_data(newest) == page(2)
    assert delimited_data(old).startswith("Page 1 begins.")
    assert delimited_data(old).endswith("Page 1 ends.")
    assert old.endswith(f"\n{NOTE}")


def test_a_summary_of_untrusted_data_is_delimited_too(run: Run, stand_in: Serve) -> None:
    server = stand_in([*LETTERS, DONE])

    def shorten(name: str, arguments: dict[str, Any], result: str) -> str:  # noqa: ARG001
        return f"In short: {result[:13]}"

    run(loop_with(server, summarizer=shorten))
    assert delimited_data(told(server, 2)[0][1]) == "In short: Page 1 begins"


def test_so_is_what_is_left_of_an_error(run: Run, stand_in: Serve) -> None:
    server = stand_in([calls(call("read_letter", {"number": 0})), LETTERS[0], DONE])
    run(loop_with(server))
    error = json.loads(delimited_data(told(server, 2)[0][1]))["error"]
    assert error["code"] == "tool_exception"
    assert error["message"].startswith("ValueError: That is no letter. Page 0 begins.")


class Redact(Script):
    """Takes a word out of every result before the model is told."""

    def run(self, variables: Variables) -> None:
        variables.function_resps = tuple(text.replace("begins", "***") for text in variables.function_resps)


def test_what_a_script_has_taken_out_of_a_result_does_not_come_back(run: Run, stand_in: Serve) -> None:
    asked: list[str] = []

    def keep(name: str, arguments: dict[str, Any], result: str) -> str:  # noqa: ARG001
        asked.append(result)
        return result

    chain = TOOL_CALLING_LOOP.insert("redact", Redact(), after="tool_dispatcher")
    shortened, summarised = (stand_in([reads(1), reads(2), DONE]) for _ in range(2))
    run(loop_with(shortened, chain=chain))
    run(loop_with(summarised, chain=chain, summarizer=keep))
    assert told(shortened, 2)[0][1].startswith("Page 1 ***.")
    assert asked == [page(1).replace("begins", "***")]


# Together with what else changes a run.


class Stamp(Script):
    """Sends every request with a mark of its own."""

    def run(self, variables: Variables) -> None:
        request = json.loads(variables.InAndOut)
        variables.assign_jitterbit("InAndOut", json.dumps({**request, "user": "nightly"}))


def test_a_request_that_a_script_has_assigned_is_sent_as_it_stands(run: Run, stand_in: Serve) -> None:
    chain = TOOL_CALLING_LOOP.insert("stamp", Stamp(), after="append_tool_result")
    server = stand_in([reads(1), reads(2), DONE])
    result = run(loop_with(server, chain=chain))
    assert server.requests[2].json["user"] == "nightly"
    assert kinds(server, 2, 2) == ["whole", "whole"]
    assert log_lines(result) == []


class Reassign(Script):
    """Assigns all rounds whole, as the guide's scripts do, once three of them are there."""

    def run(self, variables: Variables) -> None:
        if variables.loop_count == 3:
            rounds = [json.loads(b"[" + fragment + b"]") for fragment in variables.tools_messages]
            messages = [message for messages in rounds for message in messages]
            messages[1]["content"] = page(1)
            variables.assign_jitterbit("tools_messages", json.dumps(messages))


def test_rounds_that_a_script_has_assigned_are_new_ones(run: Run, stand_in: Serve) -> None:
    chain = TOOL_CALLING_LOOP.insert("reassign", Reassign(), after="append_tool_result")
    server = stand_in([reads(1), reads(2), reads(3), reads(4), DONE])
    run(loop_with(server, chain=chain))
    assert kinds(server, 2, 2) == ["short", "whole"]
    assert kinds(server, 3, 3) == ["whole", "whole", "whole"]
    assert kinds(server, 4, 4) == ["short", "short", "short", "whole"]


@both_apis
def test_with_budgets_a_closing_answer_a_ceiling_and_a_deadline(run: Run, stand_in: Serve, api: Any) -> None:
    cut = calls(call("read_page", '{"number": '), finish_reason="length")
    server = stand_in([reads(1), reads(2), cut, reads(3), reads(4), says("That is all.")])
    options: dict[str, Any] = {
        "max_iterations": 3,
        "on_limit": "final_answer",
        "deadline": 60,
        "budget_requests": 20,
    }
    result = run(loop_with(server, api=api, max_tokens_ceiling=400, **options))
    assert (result.outcome, result.final_response) == ("limit", "That is all.")
    assert kinds(server, 2, 2) == kinds(server, 3, 2) == ["short", "whole"]
    assert kinds(server, 5, 3) == ["short", "short", "whole"]


# The option.


def test_half_of_the_context_window_has_to_be_known(stand_in: Serve) -> None:
    with pytest.raises(ConfigurationError, match="the profile does not know; pass compact_context=TOKENS"):
        loop_with(stand_in([]), compact_context=True)


@pytest.mark.parametrize("tokens", [0, -1, 1.5, "80", None])
def test_a_limit_is_a_number_of_tokens(stand_in: Serve, tokens: Any) -> None:
    with pytest.raises(
        ConfigurationError, match="^compact_context must be True, False, or the number of tok"
    ):
        loop_with(stand_in([]), compact_context=tokens)


def test_the_diagrams_show_it_only_where_it_is(stand_in: Serve) -> None:
    chain = loop_with(stand_in([])).chain
    assert "Shorten old results" in flowchart_mermaid(chain).replace("<br/>", " ")
    assert "compact_context" in transition_table_markdown(chain)
    plain = loop_with(stand_in([]), compact_context=False).chain
    assert plain is TOOL_CALLING_LOOP


def test_a_chain_without_a_request_has_no_use_for_it() -> None:
    ends = (Link("initialize", ON_SUCCESS, COMPLETED), Link(ANY_OPERATION, ON_FAIL, FAILED))
    chain = Chain("short", ends, {"initialize": Initialize()}, {})
    with pytest.raises(ChainError, match="there is no operation 'llm_call' in chain 'short'"):
        with_compaction(chain)

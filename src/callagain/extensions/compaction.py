"""`compact_context=`: old tool results are shortened, or summarised, when a request has grown large.

Source: "Operando agentes com orçamento limitado" in the document on agents and guards: summarise or remove
old outputs of tools once they were used, watch `usage.prompt_tokens`, and do so near half of the window.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from callagain.engine.chain import Chain
from callagain.engine.commands import CallFunction
from callagain.engine.growing_sequence import GrowingSequence
from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.operation import Activity
from callagain.engine.receipts import FunctionReceipt, ToolResult
from callagain.engine.result_cutting import cut_result
from callagain.engine.untrusted import boundary_of, delimited
from callagain.engine.variables import Variables
from callagain.engine.wire.usage import estimated_usage

NAME = "compact_context"
LLM_CALL = "llm_call"
# The function that writes a summary: (name, arguments, result) -> text.
SUMMARIZER = "callagain.summarizer"

# In characters. What is kept and the note below it are together no longer than what counts as long.
_LONG, _KEPT = 250, 200
_NOTE = "[an old result, shortened to save context]"


class CompactContext(Activity):
    """Rewrites the long results of all rounds but the newest, which the model has not read yet.

    Reads tool_results, reply, InAndOut and limits.compact_at, in tokens. Writes tools_messages: every call
    keeps its one answer, and no round is rewritten twice. What was there before stays in the trace. An
    InAndOut that was assigned is sent as it stands.
    With inputs.summarize each of these results goes through the function SUMMARIZER; one that gets no summary
    is shortened, with the warning summarizer_failed.

    Departs from the guide in tools_messages: the guide's only grows. With compact_context old results in it
    are shortened when a request has grown large, so that a long run stays inside the model's context.
    """

    title = "Shorten old results"

    def request(self, variables: Variables) -> Sequence[CallFunction]:
        rewritten, newest = _rewritten(variables), len(variables.tools_messages) - 1
        if _kept(variables):
            variables.own[NAME] = {"rewritten": rewritten}
        if rewritten >= newest or not _is_large(variables):
            return []
        # Decided here, so that a limit that is changed before the summaries come does not matter to them.
        variables.own[NAME] = {"rewritten": rewritten, "until": newest}
        if not variables.inputs.summarize:
            return []
        return [
            CallFunction(
                SUMMARIZER,
                {"name": old.name, "arguments": old.arguments, "result": old.text},
                on_unknown="retry",
            )
            for old in _old_results(variables, rewritten, newest)
        ]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        until = _kept(variables).get("until")
        if not isinstance(until, int):
            return
        results = _old_results(variables, _rewritten(variables), until)
        variables.own[NAME] = {"rewritten": until}
        if variables.inputs.summarize:
            texts = _summaries(variables, results, receipts)
        else:
            texts = [old.shortened() for old in results]
        if results:
            _rewrite(variables, results, texts)


def with_compaction(chain: Chain) -> Chain:
    """Every request is preceded by compact_context. Raises ChainError for a chain that makes none."""
    return chain.insert(NAME, CompactContext(), before=LLM_CALL)


@dataclass(frozen=True, slots=True)
class _OldResult:
    """A long result. position: of its round. text: what the model was told, without delimiters around it.

    name: empty, where the run made no call of this id. boundary: of the delimiters, if there were some.
    """

    position: int
    call_id: str
    name: str
    arguments: JsonObject
    text: str
    boundary: str | None

    def shortened(self) -> str:
        return f"{self.delimited(cut_result(self.text, _KEPT))}\n{_NOTE}"

    def delimited(self, text: str) -> str:
        """What comes of data is data."""
        return text if self.boundary is None else delimited(text, self.boundary)


def _is_large(variables: Variables) -> bool:
    """As the endpoint counted the last request, or by our estimate of this one, which has grown since."""
    limit, reply = variables.limits.compact_at, variables.reply
    if limit is None or variables.assigned_request is not None:
        return False
    counted = 0 if reply is None else reply.usage.prompt_tokens
    return max(counted, _estimated_tokens(len(variables.InAndOut))) >= limit


def _estimated_tokens(size: int) -> int:
    return estimated_usage(size, 0).prompt_tokens


def _kept(variables: Variables) -> JsonObject:
    kept = variables.own.get(NAME)
    return kept if isinstance(kept, dict) else {}


def _rewritten(variables: Variables) -> int:
    """How many rounds, from the first one on; 0 if a script has assigned others since."""
    count = _kept(variables).get("rewritten")
    return count if isinstance(count, int) and count < len(variables.tools_messages) else 0


def _old_results(variables: Variables, first: int, end: int) -> list[_OldResult]:
    """The long results of the rounds from `first` to before `end`, in order."""
    inputs = variables.inputs
    calls = {result.id: result for result in variables.tool_results}
    boundary = boundary_of(inputs.seed or inputs.run_id)
    rounds = list(variables.tools_messages)[first:end]
    results = [
        _old_result(position, call_id, calls.get(call_id), told, boundary)
        for position, fragment in enumerate(rounds, first)
        for call_id, told in inputs.wire.answers_in(fragment).items()
    ]
    return [old for old in results if len(old.text) > _LONG]


def _old_result(position: int, call_id: str, call: ToolResult | None, told: str, boundary: str) -> _OldResult:
    name, arguments = ("", None) if call is None else (call.name, call.arguments)
    found = boundary if boundary in told else None
    return _OldResult(position, call_id, name, arguments or {}, _undelimited(told, boundary), found)


def _undelimited(text: str, boundary: str) -> str:
    opening, _, closing = delimited("", boundary).splitlines()
    for mark in (f"{opening}\n", f"\n{closing}"):
        # An error is JSON, with the delimiters in one of its texts.
        text = text.replace(mark, "").replace(encode(mark).decode()[1:-1], "")
    return text


def _summaries(variables: Variables, results: Sequence[_OldResult], receipts: Sequence[Json]) -> list[str]:
    """A summary for each; a result without one is shortened, with a warning that says why."""
    texts: list[str] = []
    reasons: list[str] = []
    for old, received in zip(results, receipts, strict=True):
        receipt = FunctionReceipt.from_json(received)
        summary = receipt.value if isinstance(receipt.value, str) and receipt.value.strip() else None
        if receipt.error is None and summary is not None and len(summary) <= len(old.text):
            texts.append(old.delimited(summary))
        else:
            texts.append(old.shortened())
            longer = "none" if summary is None else f"a longer one, of {len(summary)} characters"
            reasons.append(receipt.error or f"{old.name} ({old.call_id}) got {longer}")
    if reasons:
        told = f"the summarizer gave no short text for {len(reasons)} of {_count(len(results), 'old result')}"
        variables.warn("summarizer_failed", f"{told}, and what it left was shortened: {reasons[0]}")
    return texts


def _rewrite(variables: Variables, results: Sequence[_OldResult], texts: Sequence[str]) -> None:
    rounds = list(variables.tools_messages)
    size = sum(map(len, rounds))
    by_round: dict[int, dict[str, str]] = {}
    for old, text in zip(results, texts, strict=True):
        by_round.setdefault(old.position, {})[old.call_id] = text
    for position, answers in by_round.items():
        rounds[position] = variables.inputs.wire.with_answers(rounds[position], answers)
    variables.tools_messages = GrowingSequence(*rounds)
    saved = _estimated_tokens(max(0, size - sum(map(len, rounds))))
    what = f"{_count(len(results), 'old result')} of {_count(len(by_round), 'round')}"
    how = "summarised or shortened" if variables.inputs.summarize else "shortened"
    variables.write_to_operation_log(f"{what} {how}, which saves about {_count(saved, 'token')} a request")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"

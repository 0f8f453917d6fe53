"""A run as a sequence: who said what to whom, from the caller's message to the answer.

The callagain in it is the loop. Of a long run the rounds in the middle are left out, and of a response with
many calls those in the middle; a remark says how many. Long texts are shortened.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from callagain.diagrams.walk import Performed, SentRequest, Walk, WalkedStep
from callagain.diagrams.words import title
from callagain.engine.commands import CallFunction, CallTool
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, JsonError, decode, encode
from callagain.engine.links import FINAL_STATES
from callagain.engine.receipts import FunctionReceipt, ToolReceipt, ToolResult
from callagain.engine.wire.http_answer import HttpAnswer

MOST_ROUNDS = 10
_MOST_CALLS = 8
_MOST_ATTEMPTS = 3
_MOST_CHARACTERS = 60

CALLER, LOOP, ENDPOINT = "caller", "callagain", "LLM endpoint"


class Kind(Enum):
    """What a message is. A renderer decides how that looks."""

    CALL = "call"  # a request, or the call of a tool
    RESULT = "result"
    ERROR = "error"
    RETRY = "retry"  # an attempt that was not the last
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Participant:
    """Tools come after the first three; one may well be called like one of those."""

    name: str
    is_tool: bool = False


@dataclass(frozen=True, slots=True)
class Message:
    """step: the number of the operation in which it was said, None outside of one."""

    source: Participant
    target: Participant
    text: str
    kind: Kind
    step: int | None = None


@dataclass(frozen=True, slots=True)
class Remark:
    """over: the participants that it is about, the first and the last of them."""

    over: tuple[Participant, Participant]
    text: str


@dataclass(frozen=True, slots=True)
class Together:
    """Calls of one response, which ran at the same time, each with what belongs to it."""

    branches: "tuple[tuple[Message | Remark, ...], ...]"


Part: TypeAlias = Message | Remark | Together


@dataclass(frozen=True, slots=True)
class SequenceDiagram:
    participants: tuple[Participant, ...]
    parts: tuple[Part, ...]


_CALLER, _LOOP, _ENDPOINT = Participant(CALLER), Participant(LOOP), Participant(ENDPOINT)


def sequence(walk: Walk, *, rounds: int = MOST_ROUNDS) -> SequenceDiagram:
    """rounds: so many are drawn, the first and the last ones; a round begins with a request."""
    parts = tuple(_parts(walk, max(rounds, 1)))
    participants = dict.fromkeys((_CALLER, _LOOP, _ENDPOINT))
    participants.update(dict.fromkeys(each for part in parts for each in _participants(part)))
    return SequenceDiagram(tuple(participants), parts)


def _participants(part: Part) -> Iterator[Participant]:
    match part:
        case Message():
            yield from (part.source, part.target)
        case Remark():
            yield from part.over
        case Together():
            yield from (each for branch in part.branches for inner in branch for each in _participants(inner))


def _parts(walk: Walk, most: int) -> Iterator[Part]:
    message = walk.inputs.user_message
    yield Message(_CALLER, _LOOP, _short(message), Kind.CALL)
    groups = _rounds(walk)
    left_out = range((most + 1) // 2, len(groups) - most // 2)
    for number, group in enumerate(groups):
        if number not in left_out:
            for step, performed, again in group:
                yield from _of_step(walk, step, performed, again)
        elif number == left_out[0]:
            yield _remark_on_the_rest(len(left_out), "round", left_out[0] + 1, len(groups))
    yield from _some([_of_command(walk, None, each) for each in walk.waiting], "call")
    yield from _end(walk)


_Group: TypeAlias = list[tuple[WalkedStep, list[Performed], str | None]]


def _rounds(walk: Walk) -> list[_Group]:
    """The steps, what was performed in each, and as what the run had ended before it, if it was resumed."""
    groups: list[_Group] = [[]]
    ended: str | None = None
    has_request = False
    for step, performed in walk.newly_performed():
        is_request = any(isinstance(each.command, SentRequest) for each in performed)
        if is_request and has_request:
            groups.append([])
        has_request = has_request or is_request
        groups[-1].append((step, performed, ended))
        ended = _ended(step) if step.step.target in FINAL_STATES else None
    return groups


def _ended(step: WalkedStep) -> str:
    problem = step.step.problem
    return step.step.target if problem is None else f"{step.step.target}: {problem.kind}"


def _of_step(
    walk: Walk, walked: WalkedStep, performed: Sequence[Performed], ended: str | None
) -> Iterator[Part]:
    if ended is not None:
        yield Message(_LOOP, _CALLER, ended, Kind.ERROR)
        yield Message(_CALLER, _LOOP, "resume", Kind.DECISION)
    number = walked.step.number
    branches = [_of_command(walk, number, each) for each in performed]
    called = {each.command.call_id for each in walked.performed if isinstance(each.command, CallTool)}
    branches += [[_not_called(each)] for each in walked.results if each.id not in called]
    yield from _some(branches, "call")
    problem = walked.step.problem
    if problem is not None and walked.step.target not in FINAL_STATES:
        yield Remark((_LOOP, _LOOP), f"{title(walked.step.operation)} failed: {problem.kind}")


def _some(branches: Sequence[Sequence[Message | Remark]], what: str) -> Iterator[Part]:
    if len(branches) == 1:
        yield from branches[0]
        return
    half = _MOST_CALLS // 2
    left_out = len(branches) - _MOST_CALLS
    if left_out > 0:
        rest = _remark_on_the_rest(left_out, what, half + 1, len(branches))
        branches = [*branches[:half], [rest], *branches[-half:]]
    if branches:
        yield Together(tuple(map(tuple, branches)))


def _remark_on_the_rest(count: int, what: str, first: int, of: int) -> Remark:
    if count == 1:
        return Remark((_LOOP, _ENDPOINT), f"{what} {first} of {of} is left out")
    return Remark((_LOOP, _ENDPOINT), f"{count} {what}s are left out, {first} to {first + count - 1} of {of}")


def _of_command(walk: Walk, step: int | None, done: Performed) -> list[Message | Remark]:
    command = done.command
    if isinstance(command, SentRequest):
        begun = _begun_before(done, _ENDPOINT, _request_words(walk, command), step)
        return [*begun, *_request(walk, step, command, done.receipt)]
    other = Participant(command.name, is_tool=True)
    asked, decision = _short(command.arguments), done.decision
    parts: list[Message | Remark] = [*_begun_before(done, other, asked, step)]
    why = "" if done.held is None else _words(done.held.why)
    if done.receipt is None and decision is None:
        stands = f"waits, {why}" if why else "is not answered yet"
        return [*parts, Remark((_LOOP, other), f"{_short(command.name)} {asked} {stands}")]
    if why:
        parts.append(Remark((_LOOP, other), f"held: {why}"))
    if decision is not None and decision.verdict == "answer":
        said = _short(_content(decision.value))
        return [*parts, Message(_CALLER, _LOOP, f"answers for it: {said}", Kind.DECISION, step)]
    if decision is not None:
        said = "run it" if decision.verdict == "release" else "run it with other arguments"
        parts.append(Message(_CALLER, _LOOP, said, Kind.DECISION, step))
    if done.receipt is None:
        return [*parts, Remark((_LOOP, other), f"{_short(command.name)} {asked} is not answered yet")]
    parts.append(Message(_LOOP, other, asked, Kind.CALL, step))
    error = _error(command, done.receipt)
    said = _short(_content(done.receipt))
    if error is None:
        parts.append(Message(other, _LOOP, said, Kind.RESULT, step))
    else:
        parts.append(Message(other, _LOOP, f"{error}: {said}", Kind.ERROR, step))
    return parts


def _begun_before(done: Performed, other: Participant, asked: str, step: int | None) -> Iterator[Message]:
    if (count := done.begun_before) > 0:
        often = "begun" if count == 1 else f"begun {count} times"
        yield Message(_LOOP, other, f"{asked}, {often}, no result was kept", Kind.RETRY, step)


def _request(walk: Walk, step: int | None, command: SentRequest, receipt: Json) -> Iterator[Message | Remark]:
    asked = _request_words(walk, command)
    if receipt is None:
        yield Remark((_LOOP, _ENDPOINT), f"{asked}, not answered yet")
        return
    answer = HttpAnswer.from_json(receipt)
    failed = max(answer.attempts - 1, 0)
    for number in range(1, min(failed, _MOST_ATTEMPTS) + 1):
        last = failed if number == _MOST_ATTEMPTS else number
        which = f"attempt {number}" if last == number else f"attempts {number} to {last}"
        yield Message(_LOOP, _ENDPOINT, f"{asked}, {which} of {answer.attempts}", Kind.RETRY, step)
    yield Message(_LOOP, _ENDPOINT, asked, Kind.CALL, step)
    said, is_error = _answer_words(walk, answer)
    yield Message(_ENDPOINT, _LOOP, said, Kind.ERROR if is_error else Kind.RESULT, step)


def _request_words(walk: Walk, command: SentRequest) -> str:
    try:
        body = decode(command.body.decode())
    except (JsonError, UnicodeDecodeError):
        return f"{len(command.body)} bytes"
    fields = body if isinstance(body, dict) else {}
    messages, tools = fields.get(walk.inputs.wire.messages_field), fields.get("tools")
    counts = [_count(messages, "message"), _count(tools, "tool")]
    return ", ".join(each for each in counts if each) or f"{len(command.body)} bytes"


def _count(values: Json, what: str) -> str:
    if not isinstance(values, list):
        return f"1 {what}" if values else ""
    return f"{len(values)} {what}{'' if len(values) == 1 else 's'}"


def _answer_words(walk: Walk, answer: HttpAnswer) -> tuple[str, bool]:
    """What the endpoint said, and whether it is an error."""
    if answer.error is not None:
        return f"{_words(answer.error)}: {_short(answer.body)}", True
    if not answer.is_success:
        return f"{answer.status}: {_short(_message_in(answer.body))}", True
    try:
        reply = walk.inputs.wire.read(answer, walk.inputs.profile, "")
    except Failure as failure:
        return f"{failure.problem.kind}: {_short(answer.body)}", True
    if reply.calls:
        return f"calls {_listed(call.name for call in reply.calls)}", False
    if reply.problem is not None:
        return f"{reply.problem.kind}: {_short(reply.text)}", True
    return _short(reply.text), False


def _listed(names: Iterable[str]) -> str:
    all_names = list(names)
    shown = ", ".join(map(_short, all_names[:_MOST_ATTEMPTS]))
    more = len(all_names) - _MOST_ATTEMPTS
    return f"{shown} and {more} more" if more > 0 else shown


def _not_called(result: ToolResult) -> Remark:
    return Remark(
        (_LOOP, _LOOP), f"{_short(result.name)} is not called: {_words(result.error or 'answered')}"
    )


def _error(command: CallTool | CallFunction, receipt: Json) -> str | None:
    if isinstance(command, CallTool):
        code = ToolReceipt.from_json(receipt).error
        return None if code is None else _words(code)
    return None if FunctionReceipt.from_json(receipt).error is None else "failed"


def _content(receipt: Json) -> Json:
    """What of a receipt the other side said."""
    if not isinstance(receipt, dict):
        return receipt
    if "content" in receipt:
        return _message_in(receipt["content"])
    return receipt.get("value") if receipt.get("error") is None else receipt["error"]


def _message_in(content: Json) -> Json:
    """The message of an error that is told in JSON; anything else as it is."""
    try:
        value = decode(content) if isinstance(content, str) else content
    except JsonError:
        return content
    error = value.get("error") if isinstance(value, dict) else None
    message = error.get("message") if isinstance(error, dict) else None
    return message if isinstance(message, str) else content


def _end(walk: Walk) -> Iterator[Part]:
    if walk.outcome == "completed":
        yield Message(_LOOP, _CALLER, _short(walk.variables.final_response), Kind.RESULT)
    elif walk.outcome in ("limit", "failed"):
        kind = "" if walk.problem is None else f": {walk.problem.kind}"
        yield Message(_LOOP, _CALLER, f"{walk.outcome}{kind}", Kind.ERROR)
    elif walk.outcome == "suspended":
        yield Message(_LOOP, _CALLER, "suspended", Kind.RESULT)
    else:
        yield Remark((_LOOP, _LOOP), f"stands in {title(walk.state)}")


def _words(name: str) -> str:
    return name.replace("_", " ")


def _short(value: Json) -> str:
    text = value if isinstance(value, str) else "" if value is None else encode(value).decode()
    line = " ".join(text[: 4 * _MOST_CHARACTERS].split())
    if len(line) <= _MOST_CHARACTERS and len(text) <= 4 * _MOST_CHARACTERS:
        return line
    return f"{line[: _MOST_CHARACTERS - 1].rstrip()}…"

"""Trajectories: which tools a run called, in which order, with which arguments.

    assert_trajectory(result, ["get_order_status", called("refund_order", order_id="481516")])

A run that called other tools fails the test with expected and called side by side, line by line.
"""

import inspect
from collections.abc import Mapping, Sequence
from typing import Literal, Protocol, TypeAlias, cast, get_args

from callagain.engine.json_text import JsonObject
from callagain.engine.problem import Problem
from callagain.testing.answers import Call
from callagain.testing.trajectory_alignment import RunCall, align, pair_in_any_order
from callagain.testing.trajectory_expected import ExpectedCall, ExpectedValue
from callagain.testing.trajectory_text import shown_call, side_by_side

Order: TypeAlias = Literal["exact", "in_order", "any_order"]

Expected: TypeAlias = str | ExpectedCall | tuple[str, Mapping[str, object] | None]
"""The name of a tool, whatever its arguments; what `called` makes; or an entry of `trajectory(result)`."""


class PendingCall(Protocol):
    """A call of `result.pending_calls`. arguments: None where the model sent no JSON object."""

    @property
    def name(self) -> str: ...
    @property
    def arguments(self) -> JsonObject | None: ...


class AnsweredCall(PendingCall, Protocol):
    """A call of `result.tool_results`. error: the code, if the answer tells of an error."""

    @property
    def error(self) -> str | None: ...


class RunResult(Protocol):
    """What is asked of a run's result; `callagain.Result` has it."""

    @property
    def tool_results(self) -> Sequence[AnsweredCall]: ...
    @property
    def pending_calls(self) -> Sequence[PendingCall]: ...
    @property
    def outcome(self) -> str: ...
    @property
    def error(self) -> Problem | None: ...


def called(
    name: str, arguments: Mapping[str, ExpectedValue] | None = None, /, **some: ExpectedValue
) -> ExpectedCall:
    """One expected call.

        called("refund_order")                                      whatever its arguments
        called("refund_order", {"order_id": "1"})                   these arguments, and no others
        called("refund_order", order_id="1", reason=ANY)            these arguments, and maybe others
        called("refund_order", amount=lambda amount: amount < 100)  one of which this is true

    A value, within lists and mappings too, is compared by `==`, so that `unittest.mock.ANY` and its like
    work; only, True is not 1. A class stands for each of its values. Any other callable gets the argument;
    if it raises, the argument does not fit, and the difference says why.

    Raises TypeError for a name that is no text, arguments that are no mapping, and both forms of arguments.
    """
    _check_call(name, arguments, some)
    if arguments is None:
        return ExpectedCall(name, some, exact=False)
    return ExpectedCall(name, arguments, exact=True)


def trajectory(result: RunResult, *, pending: bool = False) -> list[tuple[str, JsonObject | None]]:
    """The name and the arguments of every call that was answered, be it with an error.

    Calls of one response stand in the order in which the model gave them, whichever ended first. Arguments
    are None where the model sent no JSON object.
    pending: the calls that were not run follow, be it at the limit or since they wait for a decision.
    """
    return [(call.name, call.arguments) for call in _calls(result, pending)]


def assert_trajectory(
    result: RunResult, expected: Sequence[Expected], *, order: Order = "exact", pending: bool = False
) -> None:
    """Fails the test if the run called other tools than these.

    order: "exact": these calls in this order. "in_order": these calls in this order; others may stand before,
    between and after them. "any_order": these calls, each as often as it is named, in whatever order.
    pending: calls that were not run count too, see `trajectory`.

    Raises AssertionError; TypeError or ValueError for what cannot be expected.
    """
    __tracebackhide__ = True
    difference = trajectory_difference(result, expected, order=order, pending=pending)
    if difference is not None:
        raise AssertionError(difference)


def trajectory_difference(
    result: RunResult, expected: Sequence[Expected], *, order: Order = "exact", pending: bool = False
) -> str | None:
    """What `assert_trajectory` fails with; None if the run called what is expected."""
    if order not in get_args(Order):
        raise ValueError(f'order must be "exact", "in_order" or "any_order", not {order!r}')
    wanted = _expected_calls(expected)
    calls = _calls(result, pending)
    if order == "any_order":
        rows = pair_in_any_order(wanted, calls)
    else:
        rows = align(wanted, calls, others_allowed=order == "in_order")
    if all(row.is_right for row in rows):
        return None
    title = f'the run called other tools than expected (order="{order}"):'
    return "\n".join([title, *side_by_side(rows), *_about(result, pending)])


def _expected_calls(expected: object) -> list[ExpectedCall]:
    if not isinstance(expected, list | tuple):
        raise TypeError(f"expected calls are given as a list, not as {type(expected).__name__}")
    return [_expected_call(entry) for entry in cast("Sequence[object]", expected)]


def _expected_call(entry: object) -> ExpectedCall:
    match entry:
        case ExpectedCall():
            return entry
        case str(name):
            return ExpectedCall(name, {}, exact=False)
        case (str(name), Mapping() | None):
            arguments = cast("tuple[str, Mapping[str, object] | None]", entry)[1]
            return ExpectedCall(name, arguments, exact=True)
        case Call(name=name):
            raise TypeError(f"call({name!r}) is an answer of a script; expect called({name!r})")
        case _:
            raise TypeError(
                'an expected call is the name of a tool, called("name", …) or ("name", {arguments}), '
                f"not {entry!r}"
            )


def _check_call(name: object, arguments: object, some: object) -> None:
    if not isinstance(name, str):
        raise TypeError(f"called() takes the name of a tool first, not {name!r}")
    if arguments is not None and not isinstance(arguments, Mapping):
        raise TypeError(f"called({name!r}) takes arguments as a mapping or by their names, not {arguments!r}")
    if arguments is not None and some:
        raise TypeError(
            f"called({name!r}) takes all arguments in a mapping, or some by their names, not both"
        )


def _calls(result: RunResult, pending: bool) -> list[RunCall]:
    if inspect.isawaitable(result) or not hasattr(result, "tool_results"):
        raise TypeError(
            "a trajectory is that of a result, which loop.run(…) and `await loop.arun(…)` return, "
            f"not of {type(result).__name__}"
        )
    answered = [
        RunCall(call.name, call.arguments, None if call.error is None else f"error {call.error}")
        for call in result.tool_results
    ]
    not_run = result.pending_calls if pending else ()
    return answered + [RunCall(call.name, call.arguments, "not run") for call in not_run]


def _about(result: RunResult, pending: bool) -> list[str]:
    """What else may explain the difference: why the run ended, and the calls that were not run."""
    lines: list[str] = []
    if result.error is not None:
        lines.append(f"outcome: {result.outcome} ({result.error.kind}): {result.error.message}")
    if not pending and result.pending_calls:
        not_run = (shown_call(call.name, call.arguments) for call in result.pending_calls)
        lines.append(f"not run: {', '.join(not_run)}; pending=True counts such calls")
    return lines

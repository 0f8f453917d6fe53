"""The answer of a run, for programs that expect an answer or an exception."""

from callagain.engine.error_kinds import without_advice
from callagain.engine.errors import ConfigurationError, OutcomeError
from callagain.loop import ToolLoop
from callagain.result import Result


class NotCompletedError(OutcomeError):
    """A run that did not complete. Carries its `result`, with which `loop.resume` goes on.

    A result belongs to its process: sent to another one, this is an OutcomeError without it.
    """

    def __init__(self, result: Result[object], kind: str, message: str) -> None:
        super().__init__(result.outcome, kind, message)
        self.result = result

    def __copy__(self) -> "NotCompletedError":
        return self

    def __deepcopy__(self, _: object) -> "NotCompletedError":
        return self

    def __reduce__(self) -> tuple[type[OutcomeError], tuple[str, str, str]]:
        return OutcomeError, (self.outcome, self.kind, self.message)


def completed_answer(result: Result[object]) -> str:
    """The final response, or the function_resp of a chain that ends without one. Raises NotCompletedError."""
    if (error := result.error) is not None:
        raise NotCompletedError(result, error.kind, error.message)
    answer = result.final_response
    return result.variables.function_resp if answer is None else answer


def words_for_a_model(name: str, loop: ToolLoop[object], result: Result[object]) -> str:
    """How a run of this loop ended, which a model has as its tool `name`: without advice for programmers."""
    assert result.error is not None
    if result.outcome != "suspended":
        return f"{name} ended as {result.outcome}: {without_advice(result.error.kind, result.error.message)}"
    calls = ", ".join(call.name for call in result.pending_calls) or "a function"
    if loop.journal is None:
        return f"{name} cannot go on without somebody who decides about {calls}, and nobody is asked"
    return (
        f"{name} waits for somebody who decides about {calls}; whoever runs this program finds it as the run "
        f"{result.run_id}"
    )


def check_loop(loop: object, taker: str) -> None:
    """Raises ConfigurationError for what is no ToolLoop."""
    if not isinstance(loop, ToolLoop):
        raise ConfigurationError(f"{taker} takes a ToolLoop, not {type(loop).__name__}")

"""The answer of a run, for programs that expect an answer or an exception."""

from callagain.engine.errors import OutcomeError
from callagain.result import Result


class NotCompletedError(OutcomeError):
    """A run that did not complete. Carries its `result`, with which `loop.resume` goes on."""

    def __init__(self, result: Result[object], kind: str, message: str) -> None:
        super().__init__(result.outcome, kind, message)
        self.result = result


def completed_answer(result: Result[object]) -> str:
    """The final response, or the function_resp of a chain that ends without one. Raises NotCompletedError."""
    if (error := result.error) is not None:
        raise NotCompletedError(result, error.kind, error.message)
    answer = result.final_response
    return result.variables.function_resp if answer is None else answer

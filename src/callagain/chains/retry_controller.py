"""The retry controller: a target runs until it succeeds, or until its attempts are used up.

No model is asked. The target is the loop's function `target`, and is called with the run's `message`. It
succeeds by returning a JSON value, and fails by raising an exception. A function that runs another loop, and
ends in `raise_for_outcome()`, makes that loop the target.

The guide's variables stand in `variables.own` by their names there: maxRetries, attempt, success. maxRetries
is the loop's max_iterations, which counts rounds here as everywhere: it is kept with the run, and can be
raised when the run is resumed.

Source: Jitterbit's guide "Retry a failed operation".
"""

from collections.abc import Sequence

from callagain.engine.chain import Chain
from callagain.engine.commands import CallFunction
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json, encode
from callagain.engine.links import ANY_OPERATION, COMPLETED, FAILED, ON_FAIL, ON_SUCCESS, Link
from callagain.engine.operation import Activity, Script
from callagain.engine.receipts import FunctionReceipt
from callagain.engine.variables import Variables

TARGET = "target"
MAX_RETRIES, ATTEMPT, SUCCESS = "maxRetries", "attempt", "success"
TARGET_RESULT, LAST_ERROR = "target_result", "last_error"


class InitializeRetries(Script):
    """Sets attempt to 0, and success to false.

    Writes own["maxRetries"], own["attempt"], own["success"].
    """

    title = "Set attempt to 0,\nsuccess to false"

    def run(self, variables: Variables) -> None:
        variables.own[MAX_RETRIES] = variables.max_iterations
        variables.own[ATTEMPT] = 0
        variables.own[SUCCESS] = False


class RunOperation(Activity):
    """Counts the attempt on entering, and has the target called.

    Reads own["attempt"], the user's message. Writes own["attempt"], own["success"], and own["target_result"]
    or own["last_error"]. A target that fails does not fail the operation: as in the guide, success stays
    false, and the controller goes on.
    Fails with deadline if the run's time is over.
    """

    kind = "RunOperation"
    title = "Run the target\nattempt + 1"

    def request(self, variables: Variables) -> Sequence[CallFunction]:
        # Larger than in the beginning, if the run was resumed with more.
        variables.own[MAX_RETRIES] = variables.max_iterations
        variables.own[ATTEMPT] = _attempt(variables) + 1
        return [CallFunction(TARGET, {"message": variables.inputs.user_message})]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        receipt = FunctionReceipt.from_json(receipts[0])
        if receipt.kind is not None:
            raise Failure(receipt.kind, receipt.error or f"{TARGET} was not called")
        variables.own[SUCCESS] = receipt.error is None
        if receipt.error is None:
            variables.own[TARGET_RESULT] = receipt.value
        else:
            variables.own[LAST_ERROR] = receipt.error


class TakeResult(Script):
    """Sets function_resp to what the target returned: a text as it is, anything else as JSON.

    Reads own["target_result"]. Writes function_resp.
    """

    title = "Set function_resp"

    def run(self, variables: Variables) -> None:
        result = variables.own.get(TARGET_RESULT)
        variables.function_resp = result if isinstance(result, str) else encode(result).decode()


class GetLastError(Script):
    """Writes the error of the attempt to the operation log.

    Reads own["last_error"], own["attempt"], own["maxRetries"].
    """

    title = "Log GetLastError"

    def run(self, variables: Variables) -> None:
        own = variables.own
        variables.write_to_operation_log(
            f"attempt {own.get(ATTEMPT)} of {own.get(MAX_RETRIES)} failed: {own.get(LAST_ERROR)}"
        )


class RaiseError(Script):
    """Fails with operation_failed and the error of the last attempt."""

    title = "RaiseError"

    def run(self, variables: Variables) -> None:
        attempt = _attempt(variables)
        if attempt == 0:
            told = "the target was not run: max_iterations, which is maxRetries here, is 0; give 1 or more"
        else:
            attempts = "the only attempt" if attempt == 1 else f"all {attempt} attempts"
            told = (
                f"the target failed in {attempts}, the last time with {variables.own.get(LAST_ERROR)}; when "
                "the cause is gone, resume the run, or raise max_iterations"
            )
        raise Failure("operation_failed", told)


def attempts_left(variables: Variables) -> bool:
    """attempt is less than maxRetries, the number of attempts in all."""
    return _attempt(variables) < variables.max_iterations


def success(variables: Variables) -> bool:
    """The target has returned."""
    return variables.own.get(SUCCESS) is True


def _attempt(variables: Variables) -> int:
    attempt = variables.own.get(ATTEMPT)
    return attempt if isinstance(attempt, int) else 0


RETRY_CONTROLLER = Chain(
    name="retry_controller",
    links=(
        Link("initialize", ON_SUCCESS, "run_operation", ("attempts_left",)),
        Link("initialize", ON_SUCCESS, "raise_error", ("not attempts_left",)),
        Link("run_operation", ON_SUCCESS, "take_result", ("success",)),
        Link("run_operation", ON_SUCCESS, "get_last_error", ("not success",)),
        Link("get_last_error", ON_SUCCESS, "run_operation", ("attempts_left",)),
        Link("get_last_error", ON_SUCCESS, "raise_error", ("not attempts_left",)),
        Link("take_result", ON_SUCCESS, COMPLETED),
        # It always fails, but a chain says for both events where they lead.
        Link("raise_error", ON_SUCCESS, FAILED),
        Link(ANY_OPERATION, ON_FAIL, FAILED),
    ),
    operations={
        "initialize": InitializeRetries(),
        "run_operation": RunOperation(),
        "take_result": TakeResult(),
        "get_last_error": GetLastError(),
        "raise_error": RaiseError(),
    },
    guards={"attempts_left": attempts_left, "success": success},
)
"""An operation is run until it succeeds, or all attempts are used up; no model is asked."""

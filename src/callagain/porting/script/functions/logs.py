"""Logging and error functions."""

from callagain.porting.script.errors import RaisedError
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.values import Value

LOGGING = Group("Logging and error", "docs.jitterbit.com/studio/functions/logging-and-error")


@LOGGING.of_run("string WriteToOperationLog(string message)")
def write_to_operation_log(run: Run, message: str) -> Value:
    """Writes a line to the operation log, and gives it."""
    run.host.write_to_operation_log(message)
    return message


@LOGGING.of_run("null RaiseError(string message)")
def raise_error(run: Run, message: str) -> Value:
    """The script fails, and its operation with it. Eval catches it."""
    run.set_last_error(message)
    raise RaisedError(message)


@LOGGING.of_run("string GetLastError()")
def get_last_error(run: Run) -> Value:
    """The last error of this script: caught by Eval or IsValid, of RunOperation, or set by SetLastError."""
    return run.last_error


@LOGGING.of_run("null SetLastError(string message)")
def set_last_error(run: Run, message: str) -> Value:
    """Sets what GetLastError gives, and writes it to the operation log as a warning."""
    run.set_last_error(message)
    run.host.write_to_operation_log(f"Warning: {message}")
    return None


@LOGGING.of_run("null ResetLastError()")
def reset_last_error(run: Run) -> Value:
    """As SetLastError(""), without a line in the log."""
    run.set_last_error("")
    return None

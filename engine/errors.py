"""What is raised in the program that builds or drives a loop. Each message says what happened and what to do.

What goes wrong in a run is not here: a run *returns* its outcome, and `result.error` says why. Raised are
only mistakes of the program itself, and `Failure`, by which an operation takes the On Fail link of the chain.

Two exceptions stand elsewhere, and are no CallAgainError. `ToolProblem` (callagain.connectors.tools) is what
a tool raises to choose the words that the model is told. `JsonError` (callagain.engine.json_text) is a
ValueError, for a text or a value that is not JSON.
"""

from callagain.engine.problem import Problem


class CallAgainError(Exception):
    """The base of the exceptions of this file."""


class ChainError(CallAgainError):
    """The chain is not well formed; the message names the link, the state or the operation."""


class IllegalEventError(CallAgainError):
    """The table has no link for this event in this state. Nothing has changed."""


class EntryError(CallAgainError):
    """An entry of the log does not fit the run as it stands. Nothing has changed."""


class ConfigurationError(CallAgainError):
    """The loop cannot be built from these settings."""


class ToolSchemaError(CallAgainError):
    """A function or a schema cannot be announced as a tool; the message names the tool."""


class DuplicateToolError(ToolSchemaError):
    """Two tools have one name."""


class SnapshotError(CallAgainError):
    """A snapshot cannot be resumed: damaged, foreign, of another chain or other tools, or resumed already."""


class ReplayError(CallAgainError):
    """A replay does not do what the run did; the message names the first place."""


class JournalError(CallAgainError):
    """The journal cannot be opened, read or written, or does not have the run that is asked for.

    The message names the file, and says in one line what to do.
    """


class RunExistsError(JournalError):
    """The journal has a run of this id already. Nothing has changed."""


class DatabaseError(CallAgainError):
    """The database of durable runs cannot be used, or does not have the run that is asked for.

    The message names the database, without its password.
    """


class RunNotFoundError(DatabaseError):
    """The database has no run of this id; another try will not find it either."""


class DecisionError(CallAgainError):
    """A decision or a result does not fit the calls that wait for one. Nothing has changed."""


class RunInProgressError(CallAgainError):
    """The run is being driven by somebody else; two drivers of one run would perform things twice."""


class RunCancelledError(CallAgainError):
    """The run was cancelled by `cancel()`. It stays where it was and can be driven on."""


class OutcomeError(CallAgainError):
    """`result.raise_for_outcome()` for an outcome other than completed. Carries `outcome` and `kind`."""

    def __init__(self, outcome: str, kind: str, message: str) -> None:
        super().__init__(outcome, kind, message)
        self.outcome = outcome
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        return f"{self.outcome} ({self.kind}): {self.message}"


class Failure(CallAgainError):
    """Raised by an operation: the run follows the On Fail link with this problem.

    The name is the chain's word: On Success, On Fail.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.problem = Problem(kind, message)

    @classmethod
    def of(cls, problem: Problem) -> "Failure":
        failure = cls(problem.kind, problem.message)
        failure.problem = problem
        return failure

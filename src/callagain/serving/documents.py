"""The JSON that goes in and out: shapes that are validated, and that /openapi.json shows."""

import dataclasses
from typing import Annotated, Any, Literal, Self, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from callagain.decisions import Verdict, approve, deny, edit
from callagain.engine.error_kinds import without_advice
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.problem import Problem
from callagain.result import Result
from callagain.serving.words import in_words_of_http

RUN_ID_PATTERN = "^[A-Za-z0-9][A-Za-z0-9._:~-]{0,127}$"
Status: TypeAlias = Literal["running", "interrupted", "suspended", "limit", "failed", "completed"]


GOES_ON = "send the same request with this run_id, or resume the run by POST /runs/{run_id}/resume with {}"
INTERRUPTED = f"nobody drives the run any more; {GOES_ON}"
_RESUME = "by POST /runs/{run_id}/resume"
_ADVICE = {
    "approval_required": f"decide about pending_calls {_RESUME}",
    "tool_requests": f"give the results of pending_calls {_RESUME}",
    "call_outcome_unknown": "find out whether it took effect; then give its result, or approve it to be "
    f"made again, {_RESUME}",
}


class _Request(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class RunRequest(_Request):
    """What a run begins with."""

    message: Annotated[str, Field(min_length=1)] | Annotated[list[dict[str, Any]], Field(min_length=1)] = (
        Field(description="The question: a text, or a list of content parts.")
    )
    history: list[dict[str, Any]] = Field(
        default_factory=list[dict[str, Any]],
        description="Messages of earlier turns, as `messages` of a run gives them.",
    )
    run_id: str | None = Field(
        default=None,
        pattern=RUN_ID_PATTERN,
        description="An id of your own. The same request under the same id is run once, however often it "
        "is sent.",
    )

    @property
    def question(self) -> Json:
        """The message, as a loop takes it."""
        return cast("Json", self.message)

    @property
    def earlier(self) -> list[Json]:
        """The history, as a loop takes it."""
        return cast("list[Json]", self.history)


class Decision(_Request):
    """What somebody says about a call that waits."""

    decision: Literal["approve", "deny", "edit"]
    reason: str | None = Field(default=None, description="Why it is denied; the model is told.")
    arguments: dict[str, Any] | None = Field(default=None, description="In place of the model's, for `edit`.")
    digest: str | None = Field(
        default=None, description="Of the pending call that was seen; the decision is refused for any other."
    )

    @model_validator(mode="after")
    def _check_members(self) -> Self:
        if (self.decision == "edit") != (self.arguments is not None):
            raise ValueError("arguments go with the decision edit, and only with it")
        if self.reason is not None and self.decision != "deny":
            raise ValueError("a reason goes with the decision deny")
        return self

    @property
    def verdict(self) -> Verdict:
        verdict = approve
        if self.decision == "deny":
            verdict = deny(self.reason) if self.reason else deny()
        elif self.arguments is not None:
            verdict = edit(self.arguments)
        return verdict if self.digest is None else verdict(self.digest)


class ResumeRequest(_Request):
    """Decisions and results, by the ids of pending calls. Empty for a run that was interrupted or failed."""

    decisions: dict[str, Literal["approve", "deny"] | Decision] = Field(default_factory=dict)
    results: dict[str, Any] = Field(
        default_factory=dict, description="What the tool would have returned, for calls made elsewhere."
    )

    @property
    def verdicts(self) -> dict[str, Verdict]:
        said = {
            call_id: Decision(decision=each) if isinstance(each, str) else each
            for call_id, each in self.decisions.items()
        }
        return {call_id: each.verdict for call_id, each in said.items()}


class RunError(BaseModel):
    """Why a run did not complete; of an interrupted one, how it goes on."""

    kind: str
    message: str


class PendingCallDocument(BaseModel):
    """A tool call that was not run: it waits for somebody, or a limit came first."""

    id: str
    name: str
    arguments: dict[str, Any] | None
    arguments_text: str
    why: str | None
    digest: str
    needs_approval: bool


class RunDocument(BaseModel):
    """A run as it stands."""

    run_id: str
    status: Status
    final_response: str | None = None
    loop_count: int | None = None
    error: RunError | None = None
    pending_calls: list[PendingCallDocument] = Field(default_factory=list[PendingCallDocument])
    usage: dict[str, Any] | None = None
    warnings: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    messages: list[dict[str, Any]] | None = Field(default=None, description="Only with `?messages=true`.")

    def as_json(self) -> JsonObject:
        return self.model_dump(mode="json")


class ProblemDocument(BaseModel):
    """RFC 9457. detail says what is wrong, and what to do."""

    type: str
    title: str
    status: int
    detail: str
    run_id: str | None = None
    errors: list[dict[str, str]] | None = None


def document_of(result: Result, *, with_messages: bool = False) -> JsonObject:
    """Of a run that has come to its outcome."""
    error = result.error
    return RunDocument(
        run_id=result.run_id,
        status=result.outcome,
        final_response=result.final_response,
        loop_count=result.loop_count,
        error=None if error is None else _told(error),
        pending_calls=[PendingCallDocument.model_validate(call.as_json()) for call in result.pending_calls],
        usage=dataclasses.asdict(result.usage),
        warnings=[dataclasses.asdict(warning) for warning in result.warnings],
        messages=result.messages if with_messages else None,
    ).as_json()


def _told(error: Problem) -> RunError:
    """What happened, with advice for those who ask over HTTP, and not for those who write Python."""
    advice = _ADVICE.get(error.kind)
    happened = in_words_of_http(without_advice(error.kind, error.message)).rstrip(".")
    return RunError(kind=error.kind, message=f"{happened}; {advice}" if advice else happened)


def document_on_the_way(run_id: str, status: Status, loop_count: int | None = None) -> JsonObject:
    """Of a run that has not."""
    error = RunError(kind="interrupted", message=INTERRUPTED) if status == "interrupted" else None
    return RunDocument(run_id=run_id, status=status, loop_count=loop_count, error=error).as_json()

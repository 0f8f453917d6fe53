"""Why a run did not complete."""

from dataclasses import dataclass, field

from callagain.engine.wire.usage import Usage


@dataclass(frozen=True, slots=True)
class Problem:
    """`kind` is from the closed list of `callagain.engine.error_kinds`, the message is for people: what
    happened, then what to do.

    partial_text: what of an answer had come. usage: the tokens of the response that could not be used.
    retry_after: seconds that the endpoint asked to wait. status, body: of the answer that could not be used,
    as it came, without secrets; of a long body its beginning. operation: the one in which it happened, by its
    name in the chain.
    """

    kind: str
    message: str
    partial_text: str | None = None
    usage: Usage = field(default_factory=Usage)
    retry_after: float | None = None
    status: int | None = None
    body: str | None = None
    operation: str | None = None

"""What an endpoint wants otherwise than others: data, here and nowhere else."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of endpoint.

    call_id_pattern: a regular expression that every tool call id must match in full. An id that does not
    is replaced, in the call and in its result alike. None: every id is returned exactly as received.
    """

    name: str
    call_id_pattern: str | None = None


GENERIC = Profile("generic")

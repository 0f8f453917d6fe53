"""The ids of tool calls: as received wherever possible, since some endpoints look up their state by them."""

import hashlib
from collections.abc import Collection, Container, Iterable, Sequence
from dataclasses import replace

from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Call, Note

_LETTERS_AND_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def usable_id(received: Json, taken: Collection[str], profile: Profile) -> str | None:
    """The id as received; None if it is missing, empty, taken by another call, or of a form that the
    endpoint refuses.

    Guide: id exactly as received.
    Departs from the guide in id exactly as received: an id that cannot be sent is replaced, in the call and
    in its result alike, with a warning; the guide's request would be refused.
    """
    if not isinstance(received, str) or not received or received in taken:
        return None
    return received if profile.fits_id(received) else None


def generated_id(seed: str, *taken: Container[str]) -> str:
    """Nine letters and digits: the one form of an id that every known endpoint accepts."""
    digest = hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest()
    made = "".join(_LETTERS_AND_DIGITS[byte % 62] for byte in digest[:9])
    is_taken = any(made in each for each in taken)
    return generated_id(f"{seed}+", *taken) if is_taken else made


def ids_in(messages: Iterable[JsonObject]) -> frozenset[str]:
    """The ids of all calls in a conversation, of either API."""
    found: list[Json] = []
    for message in messages:
        calls = message.get("tool_calls")
        found += [
            call.get("id") for call in (calls if isinstance(calls, list) else []) if isinstance(call, dict)
        ]
        found.append(message.get("call_id"))
    return frozenset(call_id for call_id in found if isinstance(call_id, str))


def with_new_ids(
    calls: Sequence[Call], used: Container[str], answered: Container[str], seed: str
) -> tuple[tuple[Call, ...], tuple[Note, ...]]:
    """The calls with ids that no earlier call of the conversation has; some servers count anew in each
    response, and others refuse a conversation in which two calls share an id.

    used, answered: the ids of the history, and those of the run.
    """
    notes: list[Note] = []
    changed: list[Call] = []
    for position, call in enumerate(calls):
        if call.id in used or call.id in answered:
            new = generated_id(f"{seed}:{position}", used, answered, {other.id for other in calls})
            notes.append(
                Note(f"the call id {call.id!r} was taken; {new} stands in its place", "call_id_replaced")
            )
            call = replace(call, id=new)
        changed.append(call)
    return tuple(changed), tuple(notes)

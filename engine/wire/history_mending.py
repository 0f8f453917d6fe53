"""What both APIs have alike when the messages of a caller are taken: refusing, mending, and telling of it."""

from callagain.engine.error_kinds import advised
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json
from callagain.engine.receipts import ToolReceipt
from callagain.engine.wire.arguments import read_arguments
from callagain.engine.wire.call_ids import generated_id, usable_id
from callagain.engine.wire.profile import Profile
from callagain.engine.wire.reply import Note

NOT_EXECUTED = ToolReceipt.of_error("not_executed", "this call was never executed")


class HistoryMending:
    """notes: a warning for everything that was mended. Indexes are those of the caller's messages."""

    def __init__(self, profile: Profile, repair: bool) -> None:
        self.notes: list[Note] = []
        self._profile = profile
        self._repair = repair
        self._taken: set[str] = set()

    def mend(self, index: int, what: str, how: str) -> None:
        """Tells how it is mended, if that is asked for. Raises Failure("invalid_history") if it is not."""
        if not self._repair:
            told = f"message {index} of the history {what}"
            raise Failure("invalid_history", advised("invalid_history", told))
        self.notes.append(Note(f"message {index} of the history {what}; {how}", "history_repaired"))

    def sent_id(self, index: int, call_id: Json, seed: str, longest: int | None = None) -> str:
        """The id itself, unless it is none, the endpoint refuses it, or an earlier call has it."""
        sent = usable_id(call_id, self._taken, self._profile)
        if sent is None or (longest is not None and len(sent) > longest):
            sent = generated_id(seed, self._taken)
            what = f"the call id {call_id!r} in message {index} of the history was replaced by {sent}"
            self.notes.append(Note(what, "call_id_replaced"))
        self._taken.add(sent)
        return sent

    def sent_arguments(self, index: int, call_id: Json, received: Json) -> str:
        """The text of a JSON object, whatever stood there: servers parse the arguments of every call."""
        text = read_arguments(received).text
        if text != received:
            what = f"the arguments of call {call_id!r} in message {index} of the history"
            self.notes.append(Note(f"{what} were sent as {text[:100]}", "arguments_repaired"))
        return text


def invalid(index: int, what: str) -> Failure:
    """For what nobody could know how to mend."""
    told = f"message {index} of the history {what.rstrip('.')}"
    return Failure("invalid_history", f"{told}; mend it, or pass result.messages of an earlier run")

"""The commands that an Activity waits for: what may be performed, what is under way, what has come of it."""

from collections.abc import Iterable
from dataclasses import replace

from callagain.engine.commands import CallFunction, CallTool, Command, Key, SendRequest
from callagain.engine.errors import EntryError
from callagain.engine.json_text import Json
from callagain.engine.log_entries import Decision, Held, Intent, Receipt
from callagain.engine.receipts import FunctionReceipt


class OpenCommands:
    """The commands of one step, by key, with what the log says of each.

    `ready` and `unanswered` only look. `take` takes an entry, or raises EntryError and changes nothing.
    """

    def __init__(self, step: int = 0, commands: Iterable[Command] = ()) -> None:
        self.commands: dict[Key, Command] = {(step, place): each for place, each in enumerate(commands)}
        self.held: dict[Key, Held] = {}
        self.released: set[Key] = set()
        self.edited: set[Key] = set()
        self._intents: set[Key] = set()
        self._receipts: dict[Key, Json] = {}

    @property
    def receipts(self) -> list[Json] | None:
        """All receipts in the order of the commands, once they are there."""
        if len(self._receipts) < len(self.commands):
            return None
        return [self._receipts[key] for key in self.commands]

    def ready(self) -> list[tuple[Key, Command]]:
        """What may be performed now, in order: nothing from behind an ordering point that is still open."""
        found: list[tuple[Key, Command]] = []
        open_before = False
        for key, command in self.commands.items():
            if key in self._receipts:
                continue
            if command.sequential and open_before:
                break
            if key not in self._intents and key not in self.held:
                found.append((key, command))
            if command.sequential:
                break
            open_before = True
        return found

    def receipt(self, key: Key) -> Json:
        """What came of this command; None if nothing has."""
        return self._receipts.get(key)

    def answered(self) -> list[tuple[Command, Json]]:
        """What has its receipt, while others have not."""
        return [(self.commands[key], value) for key, value in self._receipts.items()]

    def without_receipt(self) -> list[tuple[Key, Command]]:
        """What is held, under way or not begun."""
        return [(key, command) for key, command in self.commands.items() if key not in self._receipts]

    def blocked(self) -> list[tuple[Key, Command]]:
        """What may not be performed yet, since a command before it is still open, and is not held itself."""
        ready = {key for key, _ in self.ready()}
        taken = {*ready, *self.held, *self._intents, *self._receipts}
        return [(key, command) for key, command in self.commands.items() if key not in taken]

    def unanswered(self) -> list[tuple[Key, Command]]:
        """What has an intent and no receipt: it is under way, or, in a run taken up anew, unknown."""
        waiting = self._intents - self._receipts.keys() - self.held.keys()
        return [(key, command) for key, command in self.commands.items() if key in waiting]

    def without_requests(self) -> "OpenCommands":
        """What is kept of them for `again`: a request is large, and can be asked for once more."""
        copied = OpenCommands()
        calls = self.commands.items()
        copied.commands = {key: call for key, call in calls if not isinstance(call, SendRequest)}
        copied._receipts = self._receipts
        return copied

    def again(self, asked: "OpenCommands", *, discard: bool) -> "OpenCommands":
        """The same commands once more, with their receipts.

        asked: the commands as the operation asks for them once more. Calls are taken from here, since
        somebody may have edited one. discard: without the receipts of requests, and of functions that gave no
        value. What tools have done is never done again.
        """
        commands = {**asked.commands, **self.commands}
        kept = {
            key: value for key, value in self._receipts.items() if not discard or _stays(commands[key], value)
        }
        copied = OpenCommands()
        copied.commands = commands
        copied._receipts = kept
        copied._intents = set(kept)
        return copied

    def only(self, key: Key) -> "OpenCommands":
        """The command of this key as if there were no other, and as if nothing had been done about it yet."""
        alone = OpenCommands()
        alone.commands = {key: self.commands[key]}
        alone.released, alone.edited = self.released & {key}, self.edited & {key}
        return alone

    def take(self, entry: Intent | Receipt | Held | Decision) -> None:
        match entry:
            case Intent():
                self._intend(entry)
            case Receipt():
                self._open(entry.key, "receipt")
                if entry.key not in self._intents:
                    raise EntryError(f"receipt for {entry.key}: there was no intent")
                self._receipts[entry.key] = entry.value
            case Held():
                self._open(entry.key, "hold")
                self.held[entry.key] = entry
            case Decision():
                self._decide(entry)

    def _open(self, key: Key, what: str) -> Command:
        command = self.commands.get(key)
        if command is None:
            raise EntryError(f"{what} for {key}: no open command has this key")
        if key in self._receipts:
            raise EntryError(f"{what} for {key}: the command has its receipt already")
        if key in self.held:
            raise EntryError(f"{what} for {key}: the command is held ({self.held[key].why}); decide first")
        return command

    def _intend(self, entry: Intent) -> None:
        if self._open(entry.key, "intent").digest != entry.digest:
            raise EntryError(
                f"intent for {entry.key}: the command differs from the one in the log; the chain, the inputs "
                "or an operation have changed since"
            )
        if entry.key not in self._intents and entry.key not in dict(self.ready()):
            raise EntryError(f"intent for {entry.key}: a call before it is an ordering point, and still open")
        self._intents.add(entry.key)

    def _decide(self, entry: Decision) -> None:
        if entry.key not in self.held:
            raise EntryError(f"decision about {entry.key}: no command of this key is held")
        command = self.commands[entry.key]
        if command.digest != entry.digest:
            raise EntryError(f"decision about {entry.key}: it was made about another command")
        if entry.verdict == "answer":
            self._receipts[entry.key] = entry.value
        elif entry.verdict == "edit":
            if isinstance(command, SendRequest) or not isinstance(entry.value, dict):
                raise EntryError(f"decision about {entry.key}: only a call can be edited, with a JSON object")
            self.commands[entry.key] = replace(command, arguments=entry.value)
            self.edited.add(entry.key)
        del self.held[entry.key]
        self._intents.discard(entry.key)
        self.released.add(entry.key)


def _stays(command: Command, receipt: Json) -> bool:
    """Whether this receipt is kept where others are discarded."""
    if isinstance(command, CallFunction):
        return FunctionReceipt.from_json(receipt).error is None
    return isinstance(command, CallTool)

"""What the design calls the guide's variables."""

from collections.abc import Mapping

from callagain.porting.design.model import Guess
from callagain.porting.recognition.conditions import Limit
from callagain.porting.recognition.dispatchers import Dispatcher
from callagain.porting.recognition.facts import guess_in
from callagain.porting.recognition.loops import Loop
from callagain.porting.recognition.survey import Survey
from callagain.porting.script import syntax

SWITCH = "call_llm_again"


class Names:
    """Collects the names of the parts of one shape; the part that is looked at first decides."""

    def __init__(self, survey: Survey) -> None:
        self._survey = survey
        self._names: dict[str, str] = {}
        self._all: dict[str, dict[str, None]] = {}
        self._switches: tuple[str, ...] = ()
        self._opposites: tuple[str, ...] = ()
        self.guesses: list[Guess] = []

    def of_parts(self, parser: str | None, message: str | None, initialise: str | None) -> None:
        """By the scripts that read the response, make the tool message and write the first request."""
        survey = self._survey
        if parser is not None:
            parsed = survey.parsers[parser]
            self._switches, self._opposites = parsed.switches, parsed.opposites
            self._take(parser, parsed.names)
        if message is not None:
            self._take(message, survey.messages[message].names)
        if initialise is not None:
            self._take(initialise, survey.requests[initialise].names)
        self._say_if_messages_are_one(message)

    def of_dispatcher(self, dispatcher: Dispatcher | None) -> None:
        if dispatcher is None:
            return
        found = {"function_name": dispatcher.subject, "function_resp": dispatcher.answer}
        for name, variable in found.items():
            if variable is not None:
                self._names.setdefault(name, variable)

    def of_controller(self, controller: Loop | None, limit: Limit | None) -> None:
        """The switch is what the parser sets and the loop reads; the counter is what the limit counts."""
        read = controller.reads if controller else frozenset(self._switches)
        switch = next((name for name in self._switches if name in read), None)
        opposite = next((name for name in self._opposites if name in read), None)
        if switch is None and opposite is not None and controller is not None:
            text = f"${opposite} is the opposite of {SWITCH}: it ends the loop where it is true"
            self.guesses.append(guess_in(controller.facts.script, text, controller.line))
        elif switch is None and opposite is None:
            switch = self._switches[0] if self._switches else _switch_read(controller)
        if switch is not None:
            self._names[SWITCH] = switch
        if limit is not None:
            if limit.by > 0 and isinstance(limit.counter, syntax.Global):
                self._names["loop_count"] = limit.counter.name
            if isinstance(limit.limit, syntax.Global):
                self._names["maxIterations"] = limit.limit.name

    def variables(self, name: str) -> tuple[str, ...]:
        """All names that the parts have for one of the guide's variables."""
        return tuple(self._all.get(name, ()))

    def differing(self) -> dict[str, str]:
        """The guide's names with the design's, where they differ."""
        return {name: own for name, own in sorted(self._names.items()) if name != own}

    def _take(self, script: str, names: Mapping[str, str]) -> None:
        for name, own in names.items():
            before = self._names.setdefault(name, own)
            self._all.setdefault(name, {})[own] = None
            if before != own:
                text = f"{name} is ${own} here and ${before} elsewhere; ${before} is taken for it"
                self.guesses.append(guess_in(self._survey.scripts[script].script, text))

    def _say_if_messages_are_one(self, script: str | None) -> None:
        base, tools = self._names.get("non_tool_messages_json"), self._names.get("tools_messages")
        if script is not None and base is not None and base == tools:
            text = f"${base} holds the base messages and the tool messages; the guide has two variables"
            self.guesses.append(guess_in(self._survey.scripts[script].script, text))


def _switch_read(controller: Loop | None) -> str | None:
    """A global variable in the condition of the loop that is no part of its limit."""
    if controller is None:
        return None
    own = controller.limit
    numbers = {own.counter.name} if own else set[str]()
    if own and isinstance(own.limit, syntax.Global):
        numbers.add(own.limit.name)
    found = [each.name for each, _ in syntax.walk(controller.condition) if isinstance(each, syntax.Global)]
    others = sorted(set(found) - numbers)
    return others[0] if len(others) == 1 else None

"""What a request says by the time it is sent: model, tools and tool choice, and guesses where it does not."""

from callagain.porting.design.model import Design, Guess, Script
from callagain.porting.recognition.evidence import Request
from callagain.porting.recognition.facts import guess_in
from callagain.porting.recognition.values import Part, Source, Variable


class RequestReader:
    """Looks up what the members of a request are, by the project variables of the design."""

    def __init__(self, design: Design, script: Script, request: Request) -> None:
        self._design = design
        self._script = script
        self._request = request
        self.guesses: list[Guess] = []

    def model(self) -> str | None:
        return self._text("model", self._request.model)

    def tool_choice(self) -> str | None:
        return self._text("tool_choice", self._request.tool_choice)

    def parallel_tool_calls(self) -> bool | None:
        text = self._text("parallel_tool_calls", self._request.parallel_tool_calls)
        return {"true": True, "false": False, "1": True, "0": False}.get((text or "").lower())

    def tools_variable(self) -> str | None:
        """The variable that holds the tools; None if the request has none, or has them in its own text."""
        match self._request.tools:
            case Variable(name) | Part(str(name), _):
                return name
            case None:
                return None
            case _:
                self._guess("the tools stand in the text of the request, and in no variable")
                return None

    def _text(self, member: str, value: str | Source | None) -> str | None:
        match value:
            case str() if value.startswith(("{", "[")):
                self._guess(f"'{member}' of the request is an object; it is to be carried over by hand")
                return None
            case str():
                return value or None
            case Variable(name, True):
                return self._default(member, name)
            case None:
                return None
            case _:
                self._guess(f"'{member}' of the request is computed; its value is not known")
                return None

    def _default(self, member: str, name: str) -> str | None:
        for variable in self._design.variables:
            if variable.name == name and variable.default and not variable.is_secret:
                return variable.default
        self._guess(f"'{member}' of the request is in ${name}, which has no value in the design")
        return None

    def _guess(self, text: str) -> None:
        self.guesses.append(guess_in(self._script, text, self._request.line))

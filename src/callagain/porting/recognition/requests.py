"""What the first request says by the time it is sent: the model, the tools and the choice of them."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from callagain.porting.design.model import Guess
from callagain.porting.recognition.facts import guess_in
from callagain.porting.recognition.survey import Survey
from callagain.porting.recognition.values import Filling, Part, Variable

_TRUTHS = {"true": True, "false": False, "1": True, "0": False}


@dataclass(frozen=True, slots=True)
class SentRequest:
    """None: the request does not say it, or not by a value that the design has; then it is a guess."""

    tools_variable: str = "toolsJson"
    model: str | None = None
    tool_choice: str | None = None
    parallel_tool_calls: bool | None = None
    numbers: Mapping[str, float] = field(default_factory=dict[str, float])
    guesses: tuple[Guess, ...] = ()


def sent_request(survey: Survey, script: str | None) -> SentRequest:
    """The request that a script writes; without a script the guide's variable of the tools, and no more."""
    if script is None:
        return SentRequest()
    request = survey.requests[script]
    members = _Members(survey, script)
    numbers = {key: members.number(key, value) for key, value in request.numbers.items()}
    parallel_tool_calls = members.text("parallel_tool_calls", request.parallel_tool_calls) or ""
    return SentRequest(
        tools_variable=members.tools_variable() or "toolsJson",
        model=members.text("model", request.model),
        tool_choice=members.text("tool_choice", request.tool_choice),
        parallel_tool_calls=_TRUTHS.get(parallel_tool_calls.lower()),
        numbers={key: value for key, value in numbers.items() if value is not None},
        guesses=tuple(members.guesses),
    )


class _Members:
    """Looks up the members of a request, by the project variables of the design."""

    def __init__(self, survey: Survey, script: str) -> None:
        self._design = survey.design
        self._script = survey.scripts[script].script
        self._request = survey.requests[script]
        self.guesses: list[Guess] = []

    def tools_variable(self) -> str | None:
        match self._request.tools:
            case Variable(name) | Part(str(name), _):
                return name
            case None:
                return None
            case _:
                self._guess("the tools stand in the text of the request, and in no variable")
                return None

    def text(self, member: str, value: Filling | None) -> str | None:
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

    def number(self, member: str, value: Filling) -> float | None:
        text = self.text(member, value)
        if text is None:
            return None
        try:
            number = float(text)
        except ValueError:
            self._guess(f"'{member}' of the request is no number, and was left out")
            return None
        return int(number) if number.is_integer() and "." not in text else number

    def _default(self, member: str, name: str) -> str | None:
        for variable in self._design.variables:
            if variable.name == name and variable.default and not variable.is_secret:
                return variable.default
        self._guess(f"'{member}' of the request is in ${name}, which has no value in the design")
        return None

    def _guess(self, text: str) -> None:
        self.guesses.append(guess_in(self._script, text, self._request.line))

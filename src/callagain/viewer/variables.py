"""The variables of a run for the page: the guide's by its names, with what changed in each step."""

from callagain.diagrams.walk import RESPONSE
from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.variables import Variables
from callagain.viewer.texts import Requests, Rounds, Texts

# What inserted operations keep stands behind the guide's variables.
OWN = "own."


class VariableValues:
    """The values of all variables, as what stands for them in the page.

    Booleans and numbers are themselves; {"text": …} and {"request": …} are those of `texts`; {"array": place}
    is the text with brackets around it; {"rounds": version} is tools_messages.
    """

    def __init__(self, texts: Texts, rounds: Rounds, requests: Requests) -> None:
        self._texts = texts
        self._rounds = rounds
        self._requests = requests
        self._constants: JsonObject | None = None
        self._own: dict[str, tuple[Json, JsonObject]] = {}
        self._of: Variables | None = None
        self._values: JsonObject = {}

    def of(self, variables: Variables) -> JsonObject:
        """By name, in the guide's order."""
        if variables is not self._of:
            self._of, self._values = variables, self._read(variables)
        return self._values

    def _read(self, variables: Variables) -> JsonObject:
        text = self._texts.of
        response = variables.response
        is_built = _is_built(variables)
        return {
            **self._read_constants(variables),
            "maxIterations": variables.max_iterations,
            "InAndOut": self._requests.of(variables) if is_built else text(""),
            "non_tool_messages_json": self._base_messages(variables) if is_built else text(""),
            "tools_messages": {"rounds": self._rounds.version(variables.tools_messages)},
            "tools_resp": text(variables.tools_resp),
            "call_llm_again": variables.call_llm_again,
            "loop_count": variables.loop_count,
            "tool_call_id": text(variables.tool_call_id),
            "function_name": text(variables.function_name),
            "function_arguments": text(variables.function_arguments),
            "function_resp": text(variables.function_resp),
            "final_response": text(variables.final_response or ""),
            RESPONSE: text("" if response is None else response.body),
            **{f"{OWN}{name}": self._read_own(name, value) for name, value in variables.own.items()},
        }

    def _base_messages(self, variables: Variables) -> JsonObject:
        return {"array": self._texts.place(variables.non_tool_messages.decode())}

    def _read_constants(self, variables: Variables) -> JsonObject:
        if self._constants is None:
            names = ("systemPrompt", "userMessage", "toolsJson")
            jitterbit = Variables.of(variables.inputs).as_jitterbit()
            self._constants = {name: self._texts.of(str(jitterbit[name])) for name in names}
        return self._constants

    def _read_own(self, name: str, value: Json) -> JsonObject:
        known = self._own.get(name)
        if known is None or known[0] is not value:
            known = self._own[name] = value, self._texts.of(encode(value).decode())
        return known[1]


def _is_built(variables: Variables) -> bool:
    """Whether there is a request yet; there is none before Part 1."""
    return bool(variables.non_tool_messages) or variables.as_jitterbit()["InAndOut"] != ""


def difference(was: JsonObject, now: JsonObject) -> JsonObject:
    """What is other now; null stands for a variable that is not there any more."""
    gone: JsonObject = {name: None for name in was if name not in now}
    return {**{name: value for name, value in now.items() if name not in was or was[name] != value}, **gone}

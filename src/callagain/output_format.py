"""`response_format=Model`: what a final answer has to be, as a schema for the endpoint and as a type here."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from callagain.connectors.tools import ToolProblem
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import JsonError, JsonObject, decode, encode
from callagain.engine.wire.tool_names import legal_name
from callagain.strict_schema import strict_schema

if TYPE_CHECKING:
    from pydantic import TypeAdapter
    from typing_extensions import TypeVar

    # Covariant: whoever takes any result takes that of a loop with a response_format.
    Output = TypeVar("Output", covariant=True, default=str | None)
else:
    from typing import TypeVar

    # Its default is for type checkers. What knows defaults at run time takes long to import.
    Output = TypeVar("Output", covariant=True)


_FENCE = "```"
_NOTICE = (
    "Your final answer is one JSON object and nothing else: no words around it, no Markdown. It fits this "
    "JSON schema:"
)


@final
@dataclass(frozen=True)
class OutputFormat:
    """name: of the type. schema: its JSON schema, the schema of an object, as validation takes it."""

    name: str
    schema: JsonObject
    _adapter: "TypeAdapter[Any]"

    @classmethod
    def of(cls, kind: Any) -> "OutputFormat":
        """Of a pydantic model, a dataclass or a TypedDict. Raises ConfigurationError for what is none.

        A type that contains itself stands in $defs like the others, and its schema at the root besides.
        """
        from pydantic import TypeAdapter

        from callagain.connectors.tools.json_schema import without_titles
        from callagain.connectors.tools.problem import first_sentence

        name = str(getattr(kind, "__name__", kind))[:80]
        if not isinstance(kind, type) and not hasattr(kind, "__origin__"):
            raise ConfigurationError(
                f"response_format must be a pydantic model, a dataclass or a TypedDict, not {name}; a schema "
                'of your own goes into request_options={"response_format": …}'
            )
        try:
            adapter: TypeAdapter[Any] = TypeAdapter(kind)
            schema = without_titles(adapter.json_schema())
        except Exception as error:
            raise ConfigurationError(
                f"response_format {name} has no JSON schema: {first_sentence(error)}"
            ) from None
        target, definitions = schema.pop("$ref", None), schema.get("$defs")
        if isinstance(target, str) and isinstance(definitions, dict):
            root = definitions[target.removeprefix("#/$defs/")]
            schema |= root if isinstance(root, dict) else {}
        if schema.get("type") == "object" and _has_no_fields(schema):
            raise ConfigurationError(
                f"response_format {name} has no fields; give it one for each thing that the answer is to tell"
            )
        if schema.get("type") != "object" or "properties" not in schema:
            raise ConfigurationError(
                f"response_format {name} must be an object with named fields, as endpoints demand; make it a "
                "field of a model"
            )
        return cls(name, schema, adapter)

    def read(self, text: str) -> object:
        """The value of a JSON text, strictly: no text is taken for a number.

        Raises ToolProblem: invalid_arguments, with what is wrong in one line, or tool_exception where a
        validator of the type's own broke.
        """
        from callagain.connectors.tools.strict_json import read_strictly

        try:
            value = decode(text, unique_keys=True)
        except JsonError as error:
            raise ToolProblem("invalid_arguments", _why_no_json(text, error)) from None
        if not isinstance(value, dict):
            raise ToolProblem("invalid_arguments", "the answer must be a JSON object")
        properties = self.schema.get("properties")
        return read_strictly(self._adapter, value, list(properties) if isinstance(properties, dict) else [])

    def request_field(self) -> JsonObject:
        """What Chat Completions takes as response_format.

        Raises ConfigurationError for what strict mode cannot say.
        """
        return {
            "type": "json_schema",
            "json_schema": {
                "name": legal_name(self.name),
                "strict": True,
                "schema": strict_schema(self.schema, f"response_format {self.name}"),
            },
        }


@final
class OutputReader:
    """The answers of one run as values: each is validated once, by the run itself or when it is asked for.

    hide: takes the endpoint's key out of what validators say.
    """

    def __init__(self, output: OutputFormat, hide: Callable[[str], str]) -> None:
        self._output = output
        self._hide = hide
        self._found: dict[str, object] = {}
        self._lock = threading.Lock()

    def faults(self, text: str) -> str:
        """What is wrong with a text, in one line; empty if it fits. The run calls it, and its value is kept.

        Raises RuntimeError where a validator of the type's own broke.
        """
        try:
            self._found[text] = self._output.read(text)
        except ToolProblem as problem:
            if problem.code != "invalid_arguments":
                raise RuntimeError(
                    f"a validator of {self._output.name} broke: {problem.message}"
                ) from problem
            return problem.message
        return ""

    def value_of(self, text: str) -> object:
        """The value of an answer, always the same one; a ToolProblem, which is not raised, if it has none."""
        with self._lock:
            if text not in self._found:
                self._found[text] = self._read(text)
            return self._found[text]

    def _read(self, text: str) -> object:
        try:
            return self._output.read(text)
        except ToolProblem as problem:
            return ToolProblem(problem.code, self._hide(problem.message))


def with_schema(system_prompt: str | None, schema: JsonObject) -> str:
    """What the system prompt says, at its end, where the endpoint takes no schema.

    That of an earlier turn, which may have had another one, gives way.
    """
    told = (system_prompt or "").partition(_NOTICE)[0].rstrip()
    notice = f"{_NOTICE} {encode(schema).decode()}"
    return f"{told}\n\n{notice}" if told else notice


def _has_no_fields(schema: JsonObject) -> bool:
    return not schema.get("properties") and "additionalProperties" not in schema


def _why_no_json(text: str, error: JsonError) -> str:
    """In words by which a model can mend it."""
    within = text[text.find("{") : text.rfind("}") + 1]
    if within != text and _is_json(within):
        return "the answer has words around its JSON object; leave them out"
    if within != text and text.count(_FENCE) > 2:
        return "the answer has more than one block of code; give one JSON object, without any"
    return f"the answer is not JSON: {error}"


def _is_json(text: str) -> bool:
    try:
        decode(text)
    except JsonError:
        return False
    return True

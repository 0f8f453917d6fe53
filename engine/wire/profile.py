"""What an endpoint wants otherwise than others, and what is known of it beforehand: data."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from callagain.engine.errors import ConfigurationError

_VERSION = re.compile(r"-latest|[-@]\d{3,8}(-\d\d)*")


@dataclass(frozen=True, slots=True)
class Prices:
    """US dollars for a million tokens. cached_input: tokens of a prompt that the endpoint had seen before."""

    input: float
    output: float
    cached_input: float | None = None


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """What is known of a model; None where it is not.

    context_window, max_output_tokens: tokens. tools: whether it can call tools. reasoning: whether it thinks
    before it answers, in tokens of its own. json_schema: whether it answers by a JSON schema, where its
    endpoint takes one.
    """

    context_window: int | None = None
    max_output_tokens: int | None = None
    prices: Prices | None = None
    tools: bool | None = None
    reasoning: bool | None = None
    json_schema: bool | None = None


@dataclass(frozen=True, slots=True)
class Supports:
    """What an endpoint takes.

    tools: tools at all. parallel_tool_calls, stream_options: whether the field of this name may be sent.
    forced_tool_choice: `tool_choice` "required" or a named function. responses: the Responses API.
    json_schema: an answer by a strict JSON schema (`response_format`), also in a request that has tools.
    """

    tools: bool = True
    parallel_tool_calls: bool = True
    stream_options: bool = True
    forced_tool_choice: bool = True
    responses: bool = False
    json_schema: bool = False


@dataclass(frozen=True, slots=True)
class Profile:
    """One kind of endpoint.

    call_id_pattern: a regular expression that every tool call id must match in full. An id that does not
    is replaced, in the call and in its result alike. None: every id is returned exactly as received.
    not_echoed: fields of an assistant message that must not go back, although the endpoint sent them.
    output_limit_field: the field of Chat Completions that limits the tokens of a response.
    hosts: base URLs of which it is the profile: a host name, one that begins with a dot for all hosts below
    it, or `:PORT` on this machine.
    requests_per_minute: the limit of the smallest account, if the endpoint has one.
    models: facts by the name of a model, which stands for its dated versions too, as gpt-4o for
    gpt-4o-2024-08-06; or by the beginning of names and a `*`. The longest that fits counts. model: of all
    other models.
    """

    name: str
    call_id_pattern: str | None = None
    not_echoed: frozenset[str] = frozenset()
    output_limit_field: str = "max_tokens"
    supports: Supports = field(default_factory=Supports)
    hosts: tuple[str, ...] = ()
    requests_per_minute: int | None = None
    models: Mapping[str, ModelFacts] = field(default_factory=dict[str, ModelFacts])
    model: ModelFacts = field(default_factory=ModelFacts)

    def __post_init__(self) -> None:
        """Raises ConfigurationError for what would only fail when an endpoint has answered."""
        try:
            re.compile(self.call_id_pattern or "")
        except re.error as error:
            told = f"profile {self.name!r}: call_id_pattern is no regular expression: {error}"
            raise ConfigurationError(told) from None
        supports, *facts = cast("list[object]", [self.supports, self.model, *self.models.values()])
        if not isinstance(supports, Supports) or not all(isinstance(one, ModelFacts) for one in facts):
            told = "supports must be a Supports, model and the values of models must be ModelFacts"
            raise ConfigurationError(f"profile {self.name!r}: {told}")

    def facts(self, model: str) -> ModelFacts:
        """What is known of a model, by its name."""
        fitting = [key for key in self.models if _fits(key, model)]
        # At the same length a name is more than the beginning of names.
        best = max(fitting, key=lambda key: (len(key.removesuffix("*")), not key.endswith("*")), default=None)
        return self.model if best is None else self.models[best]

    def fits_id(self, call_id: str) -> bool:
        """Whether the endpoint takes this tool call id."""
        return self.call_id_pattern is None or re.fullmatch(self.call_id_pattern, call_id) is not None


def _fits(key: str, model: str) -> bool:
    if key.endswith("*"):
        return model.startswith(key[:-1])
    # gpt-4o-mini is another model than gpt-4o, at another price: only versions are meant.
    return model == key or (model.startswith(key) and _VERSION.fullmatch(model, len(key)) is not None)


GENERIC = Profile("generic")

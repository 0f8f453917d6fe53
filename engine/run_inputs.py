"""What a run begins with. With its log, it is all that there is of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from callagain.engine.json_text import Json, JsonObject
from callagain.engine.wire.formats import WIRE_FORMATS, Api
from callagain.engine.wire.profile import GENERIC, Profile
from callagain.engine.wire.wire_format import WireFormat


@dataclass(frozen=True, slots=True)
class AnnouncedTool:
    """A tool as the operations know it: its name, its entry in `tools`, and how it may be performed."""

    name: str
    entry: JsonObject
    sequential: bool = False
    repeatable: bool = False


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that the operations may know. Every value is JSON.

    user_message: a text, or a list of content parts as Chat Completions takes them.
    history: messages of earlier turns, in order; a system message at its beginning gives way to
    system_prompt, if there is one.
    request_options: further fields of the request, and `tool_choice` or `parallel_tool_calls` in place of
    the defaults.
    api: the wire format. stream: responses come in pieces.
    tool_choice_every_round: a forced tool_choice holds for every request, and not for the first alone.
    use_previous_response_id: the endpoint keeps the conversation, if the API can.
    accept_truncated: an answer that the output limit cut off is an answer.
    repair_history: a broken history is mended, and not refused.
    """

    run_id: str
    model: str
    user_message: Json
    system_prompt: str | None = None
    history: tuple[Json, ...] = ()
    tools: tuple[AnnouncedTool, ...] = ()
    request_options: Mapping[str, Json] = field(default_factory=dict[str, Json])
    max_iterations: int = 5
    profile: Profile = GENERIC
    api: Api = "chat_completions"
    stream: bool = False
    tool_choice_every_round: bool = False
    use_previous_response_id: bool = False
    accept_truncated: bool = False
    repair_history: bool = False

    @property
    def wire(self) -> WireFormat:
        return WIRE_FORMATS[self.api]

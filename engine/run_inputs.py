"""What a run begins with. With its log, it is all that there is of a run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from callagain.engine.commands import OnUnknown
from callagain.engine.json_text import Json, JsonObject
from callagain.engine.limits import Limits
from callagain.engine.wire.formats import WIRE_FORMATS, Api
from callagain.engine.wire.profile import GENERIC, Prices, Profile
from callagain.engine.wire.wire_format import WireFormat

OnLimit: TypeAlias = Literal["stop", "final_answer"]


@dataclass(frozen=True, slots=True)
class AnnouncedTool:
    """A tool as the operations know it: its name, its entry in `tools`, and what is done with its calls.

    sequential: an ordering point. on_unknown: see `commands.OnUnknown`. max_result_chars: how much of a
    result the model is told. untrusted: its results are delimited as data. verbatim: its result is the final
    response. polling: the same call may come again and again.
    """

    name: str
    entry: JsonObject
    sequential: bool = False
    on_unknown: OnUnknown = "ask"
    max_result_chars: int | None = None
    untrusted: bool = False
    verbatim: bool = False
    polling: bool = False


@dataclass(frozen=True, slots=True)
class Inputs:
    """All that the operations may know. Every value is JSON.

    user_message: a text, or a list of content parts as Chat Completions takes them.
    history: messages of earlier turns, in order; a system message at its beginning gives way to
    system_prompt, if there is one.
    request_options: further fields of the request, and `tool_choice` or `parallel_tool_calls` in place of
    the defaults.
    seed: what everything that is not to be guessed derives from, such as the delimiters of untrusted data.
    limits, prices: how much the run may do, and what a million tokens cost. on_limit: whether a closing
    answer is asked for. summarize: whether old results are summarised, and not shortened, by compact_at.
    approve_effects, return_tool_requests: what waits for somebody, whoever goes on with the run.
    fail_on_unknown_tool: a call of a tool that is not there ends the run, and is not told to the model.
    output_schema: the JSON schema that the answer has to fit, if there is one; of an object.
    api: the wire format. stream: responses come in pieces.
    tool_choice_every_round: a forced tool_choice holds for every request, and not for the first alone.
    use_previous_response_id: the endpoint keeps the conversation, if the API can.
    accept_truncated: an answer that the output limit cut off is an answer.
    repair_history: a broken history is mended, and not refused.

    Guide: systemPrompt, userMessage, toolsJson, model.
    """

    run_id: str
    model: str
    user_message: Json
    system_prompt: str | None = None
    history: tuple[Json, ...] = ()
    tools: tuple[AnnouncedTool, ...] = ()
    request_options: Mapping[str, Json] = field(default_factory=dict[str, Json])
    max_iterations: int = 5
    limits: Limits = field(default_factory=Limits)
    on_limit: OnLimit = "stop"
    summarize: bool = False
    prices: Prices | None = None
    seed: str = ""
    approve_effects: bool = False
    return_tool_requests: bool = False
    fail_on_unknown_tool: bool = False
    output_schema: JsonObject | None = None
    profile: Profile = GENERIC
    api: Api = "chat_completions"
    stream: bool = False
    tool_choice_every_round: bool = False
    use_previous_response_id: bool = False
    accept_truncated: bool = False
    repair_history: bool = False

    def tool(self, name: str) -> AnnouncedTool | None:
        """The tool of this name, if it is announced."""
        return next((tool for tool in self.tools if tool.name == name), None)

    @property
    def wire(self) -> WireFormat:
        return WIRE_FORMATS[self.api]

"""What a run began with, for the page."""

from dataclasses import asdict

from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.viewer.texts import Texts

# Whatever is not as in a run with no options is shown, under the names that a loop takes them by.
_FLAGS = (
    "summarize",
    "approve_effects",
    "return_tool_requests",
    "fail_on_unknown_tool",
    "stream",
    "tool_choice_every_round",
    "use_previous_response_id",
    "accept_truncated",
    "repair_history",
)
_FLAGS_OF_A_TOOL = ("sequential", "untrusted", "verbatim", "polling")


def inputs_as_json(inputs: Inputs, texts: Texts) -> JsonObject:
    """The prompts, the tools with their schemas, and the settings by name."""
    user = inputs.user_message
    history: Json = list(inputs.history)
    return {
        "system_prompt": None if inputs.system_prompt is None else texts.of(inputs.system_prompt),
        "user_message": texts.of(user if isinstance(user, str) else encode(user).decode()),
        "history": texts.of(encode(history).decode()) if inputs.history else None,
        "tools": [_tool(tool, texts) for tool in inputs.tools],
        "settings": [[name, value] for name, value in _settings(inputs).items()],
    }


def _tool(tool: AnnouncedTool, texts: Texts) -> JsonObject:
    return {
        "name": tool.name,
        "entry": texts.of(encode(tool.entry).decode()),
        "flags": [name for name in _FLAGS_OF_A_TOOL if getattr(tool, name)],
        "on_unknown": tool.on_unknown,
        "max_result_chars": tool.max_result_chars,
    }


def _settings(inputs: Inputs) -> JsonObject:
    settings: JsonObject = {
        "model": inputs.model,
        "api": inputs.api,
        "profile": inputs.profile.name,
        "max_iterations": inputs.max_iterations,
        "on_limit": inputs.on_limit,
        **{name: value for name, value in asdict(inputs.limits).items() if value is not None},
        **{name: True for name in _FLAGS if getattr(inputs, name)},
        **inputs.request_options,
    }
    if inputs.prices is not None:
        settings["price_input"], settings["price_output"] = inputs.prices.input, inputs.prices.output
    return settings

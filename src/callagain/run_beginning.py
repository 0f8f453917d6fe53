"""What a run begins with and is no plain setting: announced tools, copied messages, the notice."""

from collections.abc import Mapping, Sequence

from callagain.connectors.tools import Tool
from callagain.engine.json_text import Json, JsonError, decode, encode
from callagain.engine.run_inputs import AnnouncedTool, Inputs
from callagain.engine.untrusted import with_notice
from callagain.output_format import with_schema


def announced(tools: Mapping[str, Tool], max_result_chars: int | None) -> tuple[AnnouncedTool, ...]:
    """The tools as operations know them. max_result_chars: of those that say nothing themselves."""
    return tuple(_announced(tool, max_result_chars) for tool in tools.values())


def copied(messages: Sequence[Json]) -> tuple[Json, ...]:
    """Whoever changes a message later does not change the run, which tells of one that is no JSON."""
    return tuple(map(_copied, messages))


def system_prompt(
    inputs: Inputs, history: Sequence[Json], notice: str, *, is_schema_sent: bool
) -> str | None:
    """With the notice about delimited data, if a tool is untrusted; and with the schema of the answer, if it
    has one that is not sent in a field of its own.

    A conversation that brings its own system message keeps it.
    """
    is_notice_needed = any(tool.untrusted for tool in inputs.tools)
    schema = None if is_schema_sent else inputs.output_schema
    prompt = inputs.system_prompt
    if prompt is None and (is_notice_needed or schema is not None):
        prompt = _system_text(history)
    if is_notice_needed:
        prompt = with_notice(prompt, notice)
    return prompt if schema is None else with_schema(prompt, schema)


def _announced(tool: Tool, max_result_chars: int | None) -> AnnouncedTool:
    return AnnouncedTool(
        name=tool.name,
        entry=tool.announced(),
        sequential=tool.sequential,
        on_unknown=tool.when_unknown,
        max_result_chars=max_result_chars if tool.max_result_chars is None else tool.max_result_chars,
        untrusted=tool.untrusted,
        verbatim=tool.verbatim,
        polling=tool.polling,
    )


def _copied(message: Json) -> Json:
    try:
        return decode(encode(message).decode())
    except JsonError:
        return message


def _system_text(history: Sequence[Json]) -> str | None:
    """Of the system message at the beginning, if there is one and it is a text."""
    first = history[0] if history else None
    if not isinstance(first, dict) or first.get("role") not in ("system", "developer"):
        return None
    content = first.get("content")
    return content if isinstance(content, str) else None

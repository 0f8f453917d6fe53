"""A file of fixed prompts, `*.prompts.toml`: what is asked, and which tools are to be called.

    tools = "orders.py"             # as `callagain run --tools` takes it; or a list of files
    script = "orders.script.json"   # may be left out: the stand-in endpoint answers from it

    [loop]                          # temperature, and the options of ToolLoop
    model = "gpt-4o"
    system_prompt = "You answer questions about orders."

    [[prompt]]
    message = "Where is order 481516?"
    tools = [{name = "get_order_status", arguments = {order_id = "481516"}}]
    answer_contains = ["shipped"]

Paths are relative to the file. docs/testing.md shows every key.
"""

import inspect
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from callagain.cli.prompts import Prompt, read_prompts
from callagain.cli.toml_values import Table, check_keys, shown, table_of, texts_of, value_of
from callagain.cli.tools_file import load_tools
from callagain.connectors.tools import Tool
from callagain.engine.errors import CallAgainError, ConfigurationError
from callagain.loop import ToolLoop
from callagain.testing import load_script
from callagain.testing.script import Answers, Rules

DEFAULT_TEMPERATURE = 0.2
"""Low: what is asked again is to bring the same calls."""

# A loop that is made only to have its settings checked sends nothing.
_ANY_ENDPOINT = {"model": "any", "base_url": "http://localhost/v1"}


@dataclass(frozen=True, slots=True)
class PromptsFile:
    """settings: arguments of ToolLoop, its tools included. script: None if an endpoint is to answer."""

    settings: Mapping[str, Any]
    script: Answers | Rules | None
    prompts: Sequence[Prompt]

    def loop(self, **endpoint: Any) -> ToolLoop:
        """A loop of these settings, with model, base_url or client in place of theirs.

        Raises ConfigurationError, also where there is no endpoint.
        """
        return ToolLoop(**{**self.settings, **endpoint})


def read_prompts_file(path: Path) -> PromptsFile:
    """Reads the file and those that it names; the tools are imported.

    Raises ConfigurationError, in one line that names the key, and the line where it is known.
    """
    text = _text_of(path)
    document = _parsed(text)
    check_keys(document, ("tools", "script", "loop", "prompt"), "the file")
    tools = _load_tools(document, path.parent)
    settings: dict[str, Any] = {**_settings(document), "tools": tools}
    script = value_of(document, "script", str)
    if script is not None and "base_url" in settings:
        raise ConfigurationError("script and loop.base_url exclude each other: leave out one of them")
    checked: dict[str, Any] = {**_ANY_ENDPOINT, **settings}
    try:
        ToolLoop(**checked)
    except CallAgainError as error:
        raise ConfigurationError(f"loop: {error}") from None
    return PromptsFile(
        settings,
        None if script is None else load_script(path.parent / script),
        read_prompts(document, text, [tool.name for tool in tools]),
    )


def _text_of(path: Path) -> str:
    try:
        return path.read_text("utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"the file cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError("the file is not UTF-8 text") from None


def _parsed(text: str) -> Table:
    try:
        return tomllib.loads(text)
    except ValueError as error:
        raise ConfigurationError(f"the file is not TOML: {error}") from None
    except RecursionError:
        raise ConfigurationError("the file is not TOML: it is nested too deeply") from None


def _load_tools(document: Table, folder: Path) -> list[Tool]:
    files = texts_of(document, "tools")
    for file in files:
        if not file.endswith(".py"):
            raise ConfigurationError(f"tools must be Python files, which end in .py, not {file!r}")
    try:
        return load_tools(str(folder / file) for file in files)
    except CallAgainError as error:
        raise ConfigurationError(f"tools: {error}") from None


def _settings(document: Table) -> dict[str, Any]:
    """The table [loop] as arguments of ToolLoop."""
    settings = table_of(document, "loop") or {}
    if "api_key" in settings:
        raise ConfigurationError("loop.api_key: a key does not belong into a file; set OPENAI_API_KEY")
    known = {*_options_of_a_loop(), "temperature"} - {"tools", "client"}
    check_keys(settings, sorted(known), "loop", known_as="the options of ToolLoop, and temperature")
    request_options = table_of(settings, "request_options", "loop.") or {}
    if "temperature" in settings and "temperature" in request_options:
        raise ConfigurationError("loop.temperature stands in loop.request_options too: leave out one of them")
    temperature = {"temperature": DEFAULT_TEMPERATURE, **request_options, **settings}["temperature"]
    settings, others = _without_temperature(settings), _without_temperature(request_options)
    return {**settings, "request_options": {**others, **_sent(temperature)}}


def _options_of_a_loop() -> Iterator[str]:
    """The names of the arguments of ToolLoop; some of them are the keys of one typed dictionary."""
    for parameter in inspect.signature(ToolLoop).parameters.values():
        if parameter.kind is parameter.VAR_KEYWORD:
            (options,) = get_args(parameter.annotation)
            yield from options.__annotations__
        else:
            yield parameter.name


def _sent(temperature: object) -> dict[str, Any]:
    if temperature is False:
        return {}
    if isinstance(temperature, bool) or not isinstance(temperature, int | float):
        raise ConfigurationError(
            f"loop.temperature must be a number, or false to send none, not {shown(temperature)}"
        )
    return {"temperature": temperature}


def _without_temperature(table: Table) -> dict[str, Any]:
    return {name: value for name, value in table.items() if name != "temperature"}

"""The check itself: every rule, on every tool."""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from typing import TypeAlias

from callagain.engine.errors import ConfigurationError, ToolSchemaError
from callagain.engine.json_text import JsonObject
from callagain.tool_check.announcement import NO_TOOL, AnnouncedTool, Announcement, read_announcement
from callagain.tool_check.descriptions import check_alike, check_description
from callagain.tool_check.names import check_name
from callagain.tool_check.parameters import check_parameters
from callagain.tool_check.properties import check_properties
from callagain.tool_check.rules import RULES, Finding

_Check: TypeAlias = Callable[[Announcement], Iterator[Finding]]

_CHECKS: tuple[_Check, ...] = (check_name, check_description, check_parameters, check_properties)


def check_tools(
    tools: Iterable[AnnouncedTool | JsonObject],
    *,
    read_only: Collection[str] = (),
    ignore: Collection[str] = (),
) -> list[Finding]:
    """What the rules find in tools that are offered to a model together, in the order of the tools.

    tools: each a Tool, or its entry `{"type": "function", "function": {…}}` of a request. read_only: names of
    tools that are declared to have no effects; a Tool says so itself. ignore: codes of rules to pass over.

    Raises ToolSchemaError for what is no tool, and ConfigurationError for a code that no rule has, or a name
    that no tool has.
    """
    for code in ignore:
        if code not in RULES:
            raise ConfigurationError(f"there is no rule {code!r} to ignore; there are {', '.join(RULES)}")
    announcements = [_read(tool, read_only) for tool in tools]
    names = [each.name for each in announcements]
    if unknown := [name for name in read_only if name not in names]:
        raise ConfigurationError(
            f"read_only names {unknown[0]!r}, but the tools are {', '.join(names) or 'none'}"
        )
    alike = {found.tool: found for found in check_alike(announcements)}
    findings: list[Finding] = []
    for each in announcements:
        findings += [found for check in _CHECKS for found in check(each)]
        findings += [alike[each.name]] if each.name in alike else []
    return [found for found in findings if found.code not in ignore]


def _read(tool: AnnouncedTool | JsonObject, read_only: Collection[str]) -> Announcement:
    if isinstance(tool, dict):
        announcement = read_announcement(tool)
        return replace(announcement, read_only=announcement.name in read_only)
    if not hasattr(tool, "announced"):
        raise ToolSchemaError(NO_TOOL)
    announcement = read_announcement(tool.announced())
    return replace(announcement, read_only=tool.read_only or announcement.name in read_only)

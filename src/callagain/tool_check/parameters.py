"""Rules about the parameters of a tool: how many, how deep, and whether one of them chooses what is done."""

from collections.abc import Iterator

from callagain.engine.json_text import JsonObject
from callagain.tool_check.announcement import Announcement, Property, type_names
from callagain.tool_check.rules import MOST_PARAMETERS, TOO_MANY_PARAMETERS, Finding, finding
from callagain.tool_check.words import VERBS, last_word, name_words, vocabulary

_CHOOSING = vocabulary("action command mode op operation task verb")
_FEWEST_TASKS = 2
_SHOWN_TASKS = 4


def check_parameters(tool: Announcement) -> Iterator[Finding]:
    """parameters-several or -many; for each parameter parameters-nested or -list-of-objects, and omnibus."""
    count = len(tool.parameters)
    if count >= TOO_MANY_PARAMETERS:
        yield finding(tool.name, "parameters-many", count=count)
    elif count > MOST_PARAMETERS:
        yield finding(tool.name, "parameters-several", count=count)
    for parameter in tool.parameters:
        if any(map(_is_object, parameter.forms)):
            yield finding(tool.name, "parameters-nested", parameter.path)
        elif any(map(_is_object, parameter.items)):
            yield finding(tool.name, "parameters-list-of-objects", parameter.path)
        tasks = _tasks(parameter)
        if len(tasks) >= _FEWEST_TASKS:
            more = ", …" if len(tasks) > _SHOWN_TASKS else ""
            what = f"it chooses among {', '.join(tasks[:_SHOWN_TASKS])}{more}"
            yield finding(tool.name, "omnibus", parameter.path, what=what)


def _is_object(form: JsonObject) -> bool:
    return "object" in type_names(form) or "properties" in form


def _tasks(parameter: Property) -> list[str]:
    """The values that begin with a verb, if the parameter's name is that of a flag."""
    if last_word(parameter.name) not in _CHOOSING:
        return []
    return [value for value in parameter.values if isinstance(value, str) and _is_task(value)]


def _is_task(value: str) -> bool:
    return not VERBS.isdisjoint(name_words(value)[:1])

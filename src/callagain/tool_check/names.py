"""Rules about a tool's name."""

from collections.abc import Iterator

from callagain.tool_check.announcement import Announcement
from callagain.tool_check.rules import Finding, finding
from callagain.tool_check.words import CHANGING, EMPTY, VERBS, name_words, vocabulary

_FEWEST_TASKS = 3
_TASKS = vocabulary("add create delete edit find get insert list modify read remove search update write")
# Those of them that are no nouns: get_update_list is one task.
_SURE_TASKS = vocabulary("add create delete insert modify remove")
_JOINING = frozenset({"and", "or"})

# What a name ends with if its first word is a noun, as in refund_status.
_ABOUT_SOMETHING = vocabulary("""
    amount balance cost count date deadline details estimate fee fees history id info information
    limit limits list log logs notes options policy preview price quote rate reason reasons report
    rules schedule state status summary time total type types
""")
_ALSO_NOUNS = vocabulary("deploy install refund transfer update upload")


def check_name(tool: Announcement) -> Iterator[Finding]:
    """name-generic, name-verb-noun, omnibus, read-only-effects."""
    words = name_words(tool.name)
    if all(word in EMPTY or len(word) == 1 for word in words):
        yield finding(tool.name, "name-generic")
    elif len(words) == 1 and words[0] in VERBS:
        yield finding(tool.name, "name-verb-noun")
    if tasks := _several_tasks(words):
        yield finding(tool.name, "omnibus", what=f"the name has the verbs {', '.join(tasks)}")
    if tool.read_only and (verb := _changing_verb(words)):
        yield finding(tool.name, "read-only-effects", verb=verb)


def _several_tasks(words: list[str]) -> list[str]:
    """The verbs before the first noun, as in create_update_or_delete_order; none if they may be one task."""
    tasks: list[str] = []
    for word in words:
        if word in _TASKS:
            tasks.append(word)
        elif word not in _JOINING:
            break
    are_sure = len(_SURE_TASKS.intersection(tasks)) > 1
    return tasks if len(tasks) >= _FEWEST_TASKS and are_sure else []


def _changing_verb(words: list[str]) -> str:
    """The first word, if it says that something is changed; else empty."""
    if not words or words[0] not in CHANGING:
        return ""
    is_noun = words[0] in _ALSO_NOUNS and words[-1] in _ABOUT_SOMETHING
    return "" if is_noun else words[0]

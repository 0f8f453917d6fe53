"""Where a script changes what the chain sends or answers as it is: the prompts, the result, the answer."""

from collections.abc import Iterator
from dataclasses import dataclass

from callagain.porting.recognition.evidence import is_content
from callagain.porting.recognition.facts import Facts, calls_in
from callagain.porting.recognition.own_parts import OwnParts
from callagain.porting.recognition.values import Derived, Filling, Part, Piece, Source, Variable
from callagain.porting.script import Place, syntax

_CUTTING = frozenset(("left", "mid", "regexreplace", "right", "tolower", "toproper", "toupper", "truncate"))
_TRIMMING = frozenset(("ltrim", "rtrim", "trim"))
_UNQUOTING = frozenset(("ltrimchars", "rtrimchars", "trimchars"))
_CHOOSING = ("if", "case", "ifempty", "ifnull")
CHANGES_THE_RESULT = "changes the tool result before it is sent"
CHANGES_THE_ANSWER = "changes the final response after it is read"
_ESCAPED = "\\"


@dataclass(frozen=True, slots=True)
class Change:
    """place: of the variable that is assigned, or of the call that changes."""

    place: Place
    effect: str


def changes_in(facts: Facts, own: OwnParts, roles: tuple[str, ...]) -> list[Change]:
    found: list[Change] = []
    if "initialise" in roles:
        found += _prompts(facts)
    found += _changing_calls(facts, own, roles)
    if "append_tool_result" in roles:
        found += _results(facts)
    return found


def _prompts(facts: Facts) -> Iterator[Change]:
    """The first writes in which a prompt is more than one variable."""
    for roles, prompt in ((("system", "developer"), "system prompt"), (("user",), "user prompt")):
        for write, template in facts.templates:
            pieces = next((found for role in roles if (found := template.content(role)) is not None), None)
            if pieces is None:
                continue
            if not _is_one_variable(pieces):
                yield Change(write.place, f"builds the {prompt} of {_in_words(pieces)}")
            break


def _is_one_variable(pieces: tuple[Piece, ...]) -> bool:
    return len(pieces) == 1 and _variable(pieces[0]) is not None


def _in_words(pieces: tuple[Piece, ...]) -> str:
    words: dict[str, None] = {}
    for piece in pieces:
        match piece:
            case str():
                words["a literal text"] = None
            case Derived(sources):
                names = [name for each in sources if (name := _variable(each))]
                words["what is computed" + (f" from {', '.join(names)}" if names else "")] = None
            case _:
                words[_variable(piece) or "what is read"] = None
    return " and ".join(words)


def _variable(source: Filling | Source) -> str | None:
    match source:
        case Variable(name, True) | Part(str(name), ()):
            return f"${name}"
        case _:
            return None


def _changing_calls(facts: Facts, own: OwnParts, roles: tuple[str, ...]) -> Iterator[Change]:
    """Calls of Left, ToUpper, Replace and the like on what the chain takes as it is."""
    if facts.tree is None:
        return
    statements = _statements(facts.tree.body)
    for call in calls_in(facts.tree.body):
        if call.name.lower() in _CHOOSING and id(call) not in statements:
            source = facts.value_of(call).only
        elif call.arguments and call.arguments[0].items and _is_change(call, facts, own):
            source = facts.value_of(call.arguments[0].items[-1]).only
        else:
            continue
        if (what := _what(source, own, roles)) is not None:
            yield Change(call.place, what)


def _statements(body: syntax.Statements) -> set[int]:
    """The identity of what stands as a statement, and not as a value."""
    bodies = [body]
    for call in calls_in(body, "if", "case", "while"):
        bodies += call.arguments[1:]
    return {id(item) for each in bodies for item in each.items}


def _what(source: Source | None, own: OwnParts, roles: tuple[str, ...]) -> str | None:
    guide = (
        own.guide_names(source.name)
        if isinstance(source, Variable) and source.is_global
        else frozenset[str]()
    )
    if "initialise" in roles and guide & {"systemPrompt", "userMessage"}:
        return f"changes the {'system' if 'systemPrompt' in guide else 'user'} prompt before it is sent"
    if roles[0] in ("append_tool_result", "dispatcher") and "function_resp" in guide:
        return CHANGES_THE_RESULT
    if is_content(source) and own.is_text:
        return "changes the text of the model before it is compared"
    if is_content(source) and {"response_parser", "controller"} & set(roles):
        return CHANGES_THE_ANSWER
    return None


def _is_change(call: syntax.Call, facts: Facts, own: OwnParts) -> bool:
    """Whether it does more than to escape, to take quotes off, or to trim a name in the text of a model."""
    name = call.name.lower()
    texts = [facts.value_of(each.items[-1]).text if each.items else "" for each in call.arguments[1:3]]
    if name == "replace":
        return not any((text or "").startswith(_ESCAPED) for text in texts)
    if name in _UNQUOTING:
        return texts != ['"']
    return name in _CUTTING or (name in _TRIMMING and not own.is_text)


def _results(facts: Facts) -> Iterator[Change]:
    """The first write in which the content of the tool message is more than one variable."""
    for write, template in facts.templates:
        pieces = template.content("tool")
        if pieces is not None:
            if not _is_one_variable(pieces):
                yield Change(write.place, CHANGES_THE_RESULT)
            return

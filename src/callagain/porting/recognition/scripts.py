"""The facts of a Jitterbit Script: its tree is gone through once, and every expression gets its value."""

from callagain.porting.design.model import Guess, Script
from callagain.porting.recognition.facts import Branch, Facts, Run, Write, guess_in, templates_of
from callagain.porting.recognition.values import (
    NOTHING,
    Derived,
    Part,
    Ran,
    Value,
    Variable,
    as_json,
    constant_of,
    derived_from,
    joined,
    text_of,
)
from callagain.porting.script import Place, ScriptError, parse, read_tag, syntax

_NAMES = """
    bool double dquote eval ifempty ifnull int jsonstringify left long ltrim ltrimchars mid quote regexreplace
    replace right rtrim rtrimchars string tolower toupper trim trimchars urldecode
"""
_PASSES_ON = frozenset(_NAMES.split())
"""Functions that give their first argument, changed in a way that does not matter here."""

_BRANCHES = frozenset(("if", "case", "while"))
_MAX_WORK = 5_000_000
_MAX_COPIES = 10


def read_script(script: Script) -> tuple[Facts, list[Guess]]:
    """The facts of a script; of one that does not parse there are none, and the guess says where and why."""
    try:
        tree = parse(script.text, script.name)
        reader = _Reader()
        reader.statements(tree.body)
    except ScriptError as error:
        line = error.place.line if error.place else None
        column = f", column {error.place.column}" if error.place else ""
        text = f"it is left out of the search for shapes, since it does not parse{column}: {error.message}"
        return Facts(script), [guess_in(script, text, line)]
    writes = tuple(reader.writes)
    parts = tuple(reader.parts)
    return Facts(script, tree, writes, parts, reader.runs, reader.values, templates_of(writes)), []


class _Reader:
    """Goes through a tree in the order of the text; both sides of an If are gone through, apart."""

    def __init__(self) -> None:
        self.writes: list[Write] = []
        self.parts: list[Part] = []
        self.runs: dict[int, Run] = {}
        self.values: dict[int, Value] = {}
        self._known: dict[tuple[str, bool], Value] = {}
        self._changed: dict[tuple[str, bool], Value | None] = {}
        self._branch: Branch = ()
        self._work = 0

    def statements(self, node: syntax.Statements) -> Value:
        value = NOTHING
        for item in node.items:
            value = self.value(item)
        return value

    def value(self, node: syntax.Expression) -> Value:
        value = self._value(node)
        self._work += value.size
        if self._work > _MAX_WORK:
            value = derived_from(())
        self.values[id(node)] = value
        return value

    def _value(self, node: syntax.Expression) -> Value:
        match node:
            case syntax.Literal():
                return text_of(node.value) if isinstance(node.value, str) else constant_of(node.value)
            case syntax.Local() | syntax.Global():
                return self._read(node.name, isinstance(node, syntax.Global))
            case syntax.Index():
                return self._element(node)
            case syntax.ArrayLiteral():
                items = [joined((as_json(self.statements(item)), text_of(","))) for item in node.items]
                return joined((text_of("["), *items, text_of("]")))
            case syntax.Call():
                return self._call(node)
            case syntax.Unary():
                return self._unary(node)
            case syntax.Step():
                by = 1.0 if node.operator == "++" else -1.0
                return self._write(node.target, derived_from((self.value(node.target),)), by)
            case syntax.Operations():
                return self._operations(node)
            case syntax.Assignment():
                return self._assignment(node)

    # Variables

    def _read(self, name: str, is_global: bool) -> Value:
        """A text is put in place of its variable; what comes from outside keeps the name of a global one."""
        known = self._known.get((name, is_global))
        if known is None or (is_global and known.only is not None):
            return Value((Variable(name, is_global),))
        return known

    def _set(self, name: str, is_global: bool, value: Value) -> None:
        key = (name, is_global)
        self._changed.setdefault(key, self._known.get(key))
        self._known[key] = value

    def _forget(self) -> None:
        """What is run may change every global variable."""
        for key in [key for key in self._known if key[1]]:
            self._changed.setdefault(key, self._known.pop(key))

    def _write(self, target: syntax.Target, value: Value, by: float | None = None) -> Value:
        written = value
        if isinstance(target, syntax.Index):
            keys = [self.value(key) for key in target.keys]
            base = target.target
            if not isinstance(base, syntax.Local | syntax.Global):
                return value
            before = self._known.get((base.name, isinstance(base, syntax.Global)), text_of("{"))
            key = keys[-1].text
            label = text_of(f'"{key}":') if key is not None else NOTHING
            written = joined((before, label, as_json(value), text_of(",")))
            target = base
        is_global = isinstance(target, syntax.Global)
        self._record(target.name, written, target.place, is_global, by)
        return value

    def _record(
        self,
        name: str,
        value: Value,
        place: Place,
        is_global: bool,
        by: float | None = None,
    ) -> None:
        self._work += value.size
        self._set(name, is_global, value)
        self.writes.append(Write(name, value, place, is_global, self._branch, by))

    def _assignment(self, node: syntax.Assignment) -> Value:
        value = self.value(node.value)
        target = node.target
        if node.operator == "=":
            return self._write(target, value, _counted(target, node.value))
        before = self.value(target)
        sign = 1 if node.operator == "+=" else -1
        if value.constant is not None:
            return self._write(target, derived_from((before,)), sign * float(value.constant))
        return self._write(target, joined((before, value)) if sign > 0 else derived_from((before, value)))

    def _element(self, node: syntax.Index) -> Value:
        target = self.value(node.target)
        keys = [self.value(key) for key in node.keys]
        inside = self._inside(target)
        if isinstance(target.only, Part) or inside.path:
            segments = (key.text or (str(key.constant) if key.constant is not None else "*") for key in keys)
            return self._part(inside.below(*segments))
        return derived_from((target, *keys))

    def _inside(self, json: Value) -> Part:
        """The JSON that a value is, to be looked into: that of a global variable by where it comes from."""
        source = json.only
        for _ in range(_MAX_COPIES):
            known = self._known.get((source.name, source.is_global)) if isinstance(source, Variable) else None
            if known is None or known.only is None:
                break
            source = known.only
        match source:
            case Part():
                return source
            case Variable(name, True):
                return Part(name, ())
            case _:
                return Part(None, ())

    def _part(self, part: Part) -> Value:
        self.parts.append(part)
        return Value((part,))

    # Operators

    def _unary(self, node: syntax.Unary) -> Value:
        value = self.value(node.operand)
        if value.constant is None:
            return derived_from((value,))
        return constant_of(not value.constant if node.operator == "!" else -value.constant)

    def _operations(self, node: syntax.Operations) -> Value:
        values = [self.value(node.first), *(self.value(each.operand) for each in node.rest)]
        if all(each.operator == "+" for each in node.rest):
            if all(value.constant is not None for value in values):
                return constant_of(sum(value.constant or 0 for value in values))
            return joined(values)
        return derived_from(values)

    # Functions

    def _call(self, node: syntax.Call) -> Value:
        name = node.name.lower()
        if name in _BRANCHES:
            return self._branches(node, name)
        values = [self.statements(argument) for argument in node.arguments]
        match name, values:
            case ("runoperation" | "runscript", [tag, *_]):
                return self._run(node, name.removeprefix("run"), tag)
            case ("getjsonstring" | "getjsonstringex", [json, path, *_]):
                return self._part(self._inside(json).below(*_segments(path)))
            case ("jsonparser", [json, *_]):
                return json if json.text is not None else self._part(self._inside(json))
            case ("dict", []):
                return text_of("{")
            case ("set", [variable, value, *rest]) if variable.text and not rest:
                self._record(variable.text.removeprefix("$"), value, node.place, True)
                return value
            case ("get", [variable]) if variable.text:
                return self._read(variable.text.removeprefix("$"), True)
            case ("addtodict", [_, key, value, *_]):
                return self._add(node, key, value)
            case (_, [first, *_]) if name in _PASSES_ON:
                return first
            case _:
                return derived_from(values)

    def _add(self, node: syntax.Call, key: Value, value: Value) -> Value:
        items = node.arguments[0].items
        target = items[-1] if items else None
        if isinstance(target, syntax.Local | syntax.Global):
            before = self._known.get((target.name, isinstance(target, syntax.Global)), text_of("{"))
            label = text_of(f'"{key.text}":') if key.text is not None else NOTHING
            return self._write(target, joined((before, label, as_json(value), text_of(","))))
        return derived_from((value,))

    def _run(self, node: syntax.Call, kind: str, value: Value) -> Value:
        tag = read_tag(value.text or "")
        name = tag.name if tag else value.text
        self.runs[id(node)] = Run(kind, name, value, node.place)
        self._forget()
        return Value((Ran(name, kind),)) if name else derived_from((value,))

    def _branches(self, node: syntax.Call, name: str) -> Value:
        """Conditions are gone through in their order, results each as if the others were not there."""
        results: list[Value] = []
        conditions: list[Value] = []
        outcomes: list[dict[tuple[str, bool], Value]] = []
        runs = len(self.runs)
        for number, argument in enumerate(node.arguments):
            if number == 0 or (name == "case" and number % 2 == 0):
                conditions.append(self.statements(argument))
                continue
            value, outcome = self._apart(argument, (id(node), number))
            results.append(value)
            outcomes.append(outcome)
        self._join(outcomes, whole=name == "if" and len(outcomes) == 2)
        if len(self.runs) > runs:
            self._forget()
        if name == "while" or not results or all(each.constant is not None for each in results):
            return derived_from((*conditions, *results))
        return _one_of(results)

    def _join(self, outcomes: list[dict[tuple[str, bool], Value]], *, whole: bool) -> None:
        """What is known after the branches. whole: one of them is gone through in any case."""
        for key in dict.fromkeys(key for outcome in outcomes for key in outcome):
            values = [outcome[key] for outcome in outcomes if key in outcome]
            if not whole or len(values) < len(outcomes):
                values.append(self._known.get(key, Value((Variable(*key),))))
            self._set(*key, _one_of(values))

    def _apart(
        self, argument: syntax.Statements, branch: tuple[int, int]
    ) -> tuple[Value, dict[tuple[str, bool], Value]]:
        """The value of a branch and what it changes, with the variables put back as they were."""
        outside, self._changed = self._changed, {}
        self._branch = (*self._branch, branch)
        value = self.statements(argument)
        self._branch = self._branch[:-1]
        outcome = {key: self._known[key] for key in self._changed if key in self._known}
        for key, before in self._changed.items():
            if before is None:
                self._known.pop(key, None)
            else:
                self._known[key] = before
        self._changed = outside
        return value, outcome


def _one_of(values: list[Value]) -> Value:
    """The longest one; a text gets a hole if there are others, since it is not known which one it is."""
    longest = max(values, key=lambda each: each.size)
    is_text = any(isinstance(piece, str) for piece in longest.pieces)
    has_hole = isinstance(longest.pieces[-1], Derived) if longest.pieces else False
    if is_text and not has_hole and any(each != longest for each in values):
        return joined((longest, derived_from(each for each in values if each != longest)))
    return longest


def _segments(path: Value) -> list[str]:
    text = "".join(piece if isinstance(piece, str) else "*" for piece in path.pieces)
    return [segment.strip("[] ") for segment in text.split("/") if segment.strip("[] ")]


def _counted(target: syntax.Target, value: syntax.Expression) -> float | None:
    """By how much `x = x + 1` and `x = 1 + x` count; None for what does not count."""
    if not isinstance(value, syntax.Operations) or len(value.rest) != 1:
        return None
    (operation,) = value.rest
    for one, other in ((value.first, operation.operand), (operation.operand, value.first)):
        if one == target and isinstance(other, syntax.Literal) and isinstance(other.value, int | float):
            if operation.operator == "+":
                return float(other.value)
            if operation.operator == "-" and one is value.first:
                return -float(other.value)
    return None

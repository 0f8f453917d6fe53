"""The facts of a JavaScript step, by a tolerant look at its tokens: what it parses, builds and assigns.

It is a look and no parser of JavaScript: blocks are read one after the other, whatever their condition, and
what is not understood has no value. A step is ECMAScript 5.1; a dotted variable is read by
`Jitterbit.GetVar("$hr.messages")` and set by `Jitterbit.SetVar`.
"""

from collections.abc import Collection

from callagain.porting.design.model import Script
from callagain.porting.recognition.facts import Facts, Write, templates_of
from callagain.porting.recognition.javascript_tokens import JavaScriptToken, Kind, tokens_of
from callagain.porting.recognition.values import (
    NOTHING,
    Part,
    Value,
    Variable,
    as_json,
    constant_of,
    derived_from,
    joined,
    text_of,
)
from callagain.porting.script import Place

_DECLARES = frozenset(("var", "let", "const"))
_HAS_A_CONDITION = frozenset(("if", "while", "switch"))
_HAS_A_HEAD = frozenset(("for", "catch", "with"))
_STANDS_ALONE = frozenset(
    ("else", "do", "try", "finally", "return", "{", "}", ";", "throw", "case", "default")
)
_KEEPS_ITS_OBJECT = frozenset(
    ("slice", "replace", "toString", "trim", "toLowerCase", "toUpperCase", "substring")
)
_METHODS = _KEEPS_ITS_OBJECT | {"concat", "push", "join", "map", "filter", "forEach", "length", "split"}
_PASSES_ON = frozenset(("String", "Number", "Boolean", "stringify", "trim"))
_CONSTANTS = {"true": True, "false": False}
_PREFIXES = frozenset(("!", "-", "+", "typeof", "new", "void", "delete", "++", "--"))
_MAX_DEPTH = 60
_MAX_WORK = 5_000_000


def read_javascript(script: Script, dotted: Collection[str] = ()) -> Facts:
    """The facts of a JavaScript step. dotted: names with a dot that the design's variables have."""
    reader = _Reader(tokens_of(script.text), frozenset(dotted))
    reader.statements()
    writes = tuple(reader.writes)
    return Facts(script, None, writes, tuple(reader.parts), templates=templates_of(writes))


class _Reader:
    def __init__(self, tokens: list[JavaScriptToken], dotted: frozenset[str]) -> None:
        self.writes: list[Write] = []
        self.parts: list[Part] = []
        self._tokens = tokens
        self._dotted = dotted
        self._at = 0
        self._depth = 0
        self._known: dict[str, Value] = {}
        self._work = 0

    # Tokens

    @property
    def _next(self) -> JavaScriptToken:
        return self._tokens[self._at]

    def _look(self, ahead: int) -> str:
        place = self._at + ahead
        return self._tokens[place].value if place < len(self._tokens) else ""

    def _is(self, *symbols: str) -> bool:
        token = self._next
        return token.kind in (Kind.SYMBOL, Kind.NAME) and token.value in symbols

    def _take(self) -> JavaScriptToken:
        token = self._next
        if token.kind is not Kind.END:
            self._at += 1
        return token

    def _take_if(self, *symbols: str) -> bool:
        return self._is(*symbols) and bool(self._take())

    def _skip_balanced(self) -> None:
        """From an opening bracket to behind the one that closes it."""
        depth = 0
        while self._next.kind is not Kind.END:
            depth += self._is("(", "[", "{") - self._is(")", "]", "}")
            self._take()
            if depth <= 0:
                return

    # Statements

    def statements(self) -> None:
        while self._next.kind is not Kind.END:
            self._statement()

    def _block(self) -> None:
        """The statements of a function, from its `{` to its `}`."""
        if not self._take_if("{"):
            return
        depth = 1
        while depth and self._next.kind is not Kind.END:
            depth += self._is("{") - self._is("}")
            if depth:
                self._statement()
            else:
                self._take()

    def _statement(self) -> None:
        start = self._at
        if self._is(*_STANDS_ALONE):
            self._take()
        elif self._is(*_HAS_A_CONDITION):
            self._take()
            self._arguments()
        elif self._is(*_HAS_A_HEAD):
            self._take()
            if self._is("("):
                self._skip_balanced()
        elif self._is("function"):
            self._function()
        elif self._is(*_DECLARES):
            self._take()
            self._simple()
            while self._take_if(","):
                self._simple()
        else:
            self._simple()
        if self._at == start:
            self._take()

    def _function(self) -> None:
        """A function: its body is read where it stands."""
        self._take()
        while self._next.kind is not Kind.END and not self._is("{", "("):
            self._take()
        if self._is("("):
            self._skip_balanced()
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            self._skip_balanced()
        else:
            self._block()
        self._depth -= 1

    def _simple(self) -> None:
        """`a = b`, `a.b = c`, `a["b"] = c`, `a.push(b)`, or any other expression."""
        target = self._target()
        if target is None:
            self._expression()
            return
        name, key, line = target
        operator = self._take().value
        if operator == "push":
            items = [part for value in self._arguments() for part in (text_of(","), as_json(value))]
            self._set(name, joined((self._read(name), *items)), line)
            return
        value = self._expression()
        if operator == "+=":
            value = joined((self._read(name), value))
        elif operator == "-=":
            value = derived_from((self._read(name), value))
        if key is not None:
            label = text_of(f',"{key}":')
            value = joined((self._read(name), label, as_json(value)))
        self._set(name, value, line)

    def _target(self) -> tuple[str, str | None, int] | None:
        """What is assigned to and its last key, up to the operator; None if this is no assignment."""
        start, token = self._at, self._next
        if token.kind is not Kind.NAME or token.value == "Jitterbit":
            return None
        name = self._name()
        key: str | None = None
        while True:
            if self._is(".") and self._look(1) == "push" and self._look(2) == "(":
                self._take()
                return name, key, token.line
            if self._take_if("."):
                key = self._take().value
            elif self._is("["):
                key = self._look(1) if self._look(2) == "]" else "*"
                self._skip_balanced()
            else:
                break
        if self._is("=", "+=", "-="):
            return name, key, token.line
        self._at = start
        return None

    def _name(self) -> str:
        """The name of a variable; a dotted one that the design has is one name."""
        name = self._take().value
        if name.startswith("$") and self._is(".") and f"{name[1:]}.{self._look(1)}" in self._dotted:
            self._take()
            return f"{name}.{self._take().value}"
        return name

    def _set(self, name: str, value: Value, line: int) -> None:
        self._work += value.size
        if self._work > _MAX_WORK:
            value = derived_from(())
        self._known[name] = value
        self.writes.append(Write(name.removeprefix("$"), value, Place(line, 1), name.startswith("$")))

    def _read(self, name: str) -> Value:
        known = self._known.get(name)
        if known is not None:
            return known
        return Value((Variable(name[1:]),)) if name.startswith("$") else derived_from(())

    # Expressions

    def _expression(self) -> Value:
        """One expression up to `,`, `;` or a closing bracket."""
        if self._depth >= _MAX_DEPTH:
            self._skip_expression()
            return derived_from(())
        self._depth += 1
        value = self._operand()
        while not self._ends():
            if self._is("+"):
                terms = [value]
                while self._take_if("+"):
                    terms.append(self._operand())
                value = joined(terms)
            elif self._take_if("||"):
                other = self._operand()
                value = value if value.sources else other
            elif self._take_if("?"):
                first = self._expression()
                second = self._expression() if self._take_if(":") else NOTHING
                value = max(first, second, key=lambda each: (len(each.sources), each.size))
            else:
                self._take()
                value = derived_from((value, self._operand()))
        self._depth -= 1
        return value

    def _ends(self) -> bool:
        token = self._next
        if token.kind is Kind.END or self._is(",", ";", ")", "]", "}", ":"):
            return True
        # A line that ends where a new statement can begin, without its semicolon.
        return token.breaks and token.kind is Kind.NAME and not self._is("in", "instanceof")

    def _skip_expression(self) -> None:
        while not self._ends():
            if self._is("(", "[", "{"):
                self._skip_balanced()
            else:
                self._take()

    def _operand(self) -> Value:
        negated = False
        while self._is(*_PREFIXES):
            negated = self._take().value == "!" or negated
        value = self._primary()
        while True:
            if self._is(".") or (self._is("[") and not self._next.breaks):
                value = self._member(value)
            elif self._is("("):
                value = derived_from((value, *self._arguments()))
            elif not self._take_if("++", "--"):
                break
        if negated:
            return constant_of(not value.constant) if value.constant is not None else derived_from((value,))
        return value

    def _primary(self) -> Value:
        token = self._next
        if token.kind is Kind.STRING:
            self._take()
            return text_of(token.value)
        if token.kind is Kind.NUMBER:
            self._take()
            return constant_of(int(token.value)) if token.value.isdecimal() else text_of(token.value)
        if self._is("("):
            self._take()
            value = self._expression()
            self._close(")")
            return value
        if self._is("{", "["):
            return self._literal()
        if self._is("function"):
            self._function()
            return NOTHING
        if token.kind is Kind.NAME:
            return self._named()
        if not self._ends():
            self._take()
        return NOTHING

    def _named(self) -> Value:
        token = self._next
        if token.value in _CONSTANTS:
            self._take()
            return constant_of(_CONSTANTS[token.value])
        if token.value in ("JSON", "Jitterbit") and self._look(1) == ".":
            self._at += 2
            return self._library(self._take().value)
        name = self._name()
        if self._is("(") and name in _PASSES_ON:
            return next(iter(self._arguments()), NOTHING)
        return self._read(name)

    def _library(self, function: str) -> Value:
        """`JSON.parse`, `JSON.stringify`, `Jitterbit.GetVar`, `Jitterbit.SetVar`."""
        line = self._next.line
        values = self._arguments() if self._is("(") else []
        match function.lower(), values:
            case ("parse", [value, *_]):
                return self._part(Part(value.only.name, ())) if isinstance(value.only, Variable) else value
            case ("stringify", [value, *_]):
                return value
            case ("getvar", [name, *_]) if name.text:
                return self._read("$" + name.text.removeprefix("$"))
            case ("setvar", [name, value, *_]) if name.text:
                self._set("$" + name.text.removeprefix("$"), value, line)
                return value
            case _:
                return derived_from(values)

    def _part(self, part: Part) -> Value:
        self.parts.append(part)
        return Value((part,))

    def _member(self, value: Value) -> Value:
        """What stands at `.name` or `[index]`; of a method what goes into it."""
        if self._take_if("."):
            name = self._take().value
        else:
            self._take()
            key = self._expression()
            self._close("]")
            name = key.text or (str(key.constant) if key.constant is not None else "*")
        if self._is("("):
            values = self._arguments()
            if name == "concat":
                return joined((value, *(part for each in values for part in (text_of(","), each))))
            return value if name in _KEEPS_ITS_OBJECT else derived_from((value, *values))
        if isinstance(value.only, Part) and name not in _METHODS:
            return self._part(value.only.below(name))
        return derived_from((value,))

    def _arguments(self) -> list[Value]:
        self._take_if("(")
        values: list[Value] = []
        while self._next.kind is not Kind.END and not self._is(")"):
            start = self._at
            values.append(self._expression())
            self._take_if(",")
            if self._at == start:
                self._take()
        self._close(")")
        return values

    def _literal(self) -> Value:
        """An object or an array, as the JSON that it is."""
        line = self._next.line
        opening = self._take().value
        closing = "}" if opening == "{" else "]"
        parts: list[Value] = [text_of(opening)]
        while self._next.kind is not Kind.END and not self._is(closing):
            start = self._at
            if opening == "{" and self._look(1) == ":":
                parts.append(text_of(f'"{self._take().value}":'))
                self._take()
            parts.append(as_json(self._expression()))
            if self._take_if(","):
                parts.append(text_of(","))
            if self._at == start:
                self._take()
        self._close(closing)
        value = joined((*parts, text_of(closing)))
        if opening == "{" and any(part.text == '"role":' for part in parts):
            # A message may be handed on to a function, and so never be assigned.
            self.writes.append(Write("", value, Place(line, 1), is_global=False))
        return value

    def _close(self, bracket: str) -> None:
        self._take_if(bracket)

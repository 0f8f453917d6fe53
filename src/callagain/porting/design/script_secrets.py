"""The literal secrets of a script, in either language: found by the names that they stand beside.

    $password = "…"; d["password"] = "…"; If($password == "…", …)
    AddToDict(d, "apiToken", "…"); RunScript("<TAG>script:Login</TAG>", user, "…");
    {"X-API-Key": "…", password: "…"}

A literal stays a literal, so that the script can be read as before.
"""

import re
from collections.abc import Callable, Sequence

from callagain.porting.design.labelled_secrets import label_at_end, mask_labelled
from callagain.porting.design.script_code import COMPARES, INDEX, Code
from callagain.porting.design.script_tokens import Kind, Token, tokens_of
from callagain.porting.design.secret_values import is_secret_value
from callagain.porting.design.secrets import MARK, MARKED, MASK, Certainty, certainty_of, mask_forms
from callagain.porting.script.tags import read_tag

Parameters = Callable[[str], Sequence[str]]
"""The names of the parameters of a script, by its name; empty if it is not known."""

_ASSIGNS = ("=", "+=", "||=", "??=")
# What stands before these, or before the comma in these calls, may have what follows as its value.
_FALLS_BACK = ("||", "??")
_FALLBACKS = {"ifempty", "ifnull", "nvl"}
_JSON = re.compile(r"\s*(?:\{.*\}|\[.*\])\s*", re.DOTALL)
_NAME = re.compile(r"[\w.$/-]{1,200}")
_NUMBERS = re.compile(r"(?i)pin\b|pass|pwd|pw\b")
# What puts its second literal under the name that its first one is.
_SETTERS = {"addtodict", "append", "header", "set", "setheader", "setitem", "setrequestheader", "setvar"}
# What has literals that are part of what it returns; those of others must look like chance.
_PASSES_ON = {
    "", "base64encode", "btoa", "case", "concat", "encodeuricomponent", "if", "ifempty", "ifnull", "nvl",
    "string", "tolower", "toupper", "trim", "urlencode",
}  # fmt: skip
# What has literals that say where to look, and how.
_LOOKS_UP = {
    INDEX, "dbexecute", "dblookup", "endswith", "get", "getitem", "getjsonstring", "getvar", "getxmlstring",
    "haskey", "includes", "index", "indexof", "match", "readfile", "regexmatch", "runoperation", "runscript",
    "selectnodes", "split", "startswith", "trimchars", "writetooperationlog",
}  # fmt: skip
_GETS = {"get", "getitem", "getjsonstring", "getvar", "getxmlstring", "tolower", "toupper", "trim"}
# The parameters of functions of Jitterbit Script, where one is a secret.
_PARAMETERS: dict[str, tuple[str, ...]] = {
    "aesdecryption": ("text", "passphrase"),
    "aesencryption": ("text", "passphrase"),
    "hmacsha256": ("message", "secret"),
}
_KEYS_OF_VALUES = {"const", "default", "example", "val", "value"}
_KEYS_OF_SCHEMAS = {"$ref", "description", "format", "kind", "pattern", "title", "type"}


def mask_secrets(text: str, parameters: Parameters = lambda _: ()) -> tuple[str, list[int]]:
    """The text of a script with its literal secrets as `***`, and the lines, from 1, where they are now.

    parameters: what the scripts of the design call their arguments.
    """
    marked = mask_forms(_marked(text.replace(MARK, ""), parameters))
    lines = [number for number, line in enumerate(marked.split("\n"), 1) if MARK in line]
    return (marked.replace(MARKED, MASK), lines) if lines else (text, [])


def mask_text(text: str) -> str:
    """A value with its secrets as `***`: JSON of any depth, a connection string, XML, a URL with a query."""
    if _JSON.fullmatch(text):
        return mask_secrets(text)[0]
    marked = mask_labelled(text.replace(MARK, ""))
    return marked.replace(MARKED, MASK) if MARK in marked else text


def parameters_of(text: str) -> tuple[str, ...]:
    """What a script calls its arguments: by `ArgumentList(user, password)`, or by `password = _2`."""
    code = _code_of(tokens_of(text))
    named: dict[int, str] = {}
    for position, token in enumerate(code.tokens):
        if token.kind is not Kind.NAME:
            continue
        if token.text.lower() == "argumentlist" and code.is_at(position + 1, "("):
            return tuple(code.at(start).text for start in code.arguments(position + 1))
        if re.fullmatch(r"_[1-9]\d?", token.text) and code.is_at(position - 1, "="):
            named.setdefault(int(token.text[1:]), code.name_before(position - 1))
    return tuple(named.get(number, "") for number in range(1, max(named, default=0) + 1))


def _marked(text: str, parameters: Parameters, *, with_comments: bool = True) -> str:
    tokens = tokens_of(text)
    secrets = {id(token) for token in _Search(_code_of(tokens), parameters).found()}
    parts: list[str] = []
    for token in tokens:
        if id(token) in secrets:
            quote = token.text[0] if token.kind is Kind.STRING else '"'
            parts.append(f"{quote}{MARKED}{token.closing if token.kind is Kind.STRING else quote}")
        elif token.kind is Kind.STRING:
            parts.append(f"{token.text[0]}{mask_labelled(token.content)}{token.closing}")
        elif token.kind is Kind.COMMENT and with_comments:
            inside = _marked(token.text[2:], parameters, with_comments=False)
            parts.append(token.text[:2] + mask_labelled(inside))
        else:
            parts.append(token.text)
    return "".join(parts)


def _code_of(tokens: list[Token]) -> Code:
    return Code([token for token in tokens if token.kind not in (Kind.SPACE, Kind.COMMENT)])


class _Search:
    """Goes through the code once, and collects the literals that are secrets."""

    def __init__(self, code: Code, parameters: Parameters) -> None:
        self._code = code
        self._parameters = parameters
        self._found: set[int] = set()
        # The string that each variable was given last.
        self._given: dict[str, Token] = {}

    def found(self) -> list[Token]:
        for position, token in enumerate(self._code.tokens):
            if token.is_symbol(*_ASSIGNS):
                if self._code.at(position + 1).kind is Kind.STRING:
                    self._given[self._code.name_before(position)] = self._code.tokens[position + 1]
                self._assigned(self._code.name_before(position), position + 1)
            elif token.is_symbol(":"):
                self._under_key(position)
            elif token.is_symbol(*_FALLS_BACK):
                self._judge(position + 1, certainty_of(self._code.name_before(position)))
            elif token.is_symbol(*COMPARES):
                self._compared(position)
            elif token.is_symbol("("):
                self._arguments(position)
            elif token.kind is Kind.STRING:
                self._after_name(position)
                self._after_label(position)
        return [self._code.tokens[position] for position in self._found]

    def _assigned(self, name: str, start: int) -> None:
        """What is assigned to a name, put under a key, or given for a parameter."""
        certainty = certainty_of(name)
        if certainty is Certainty.NONE:
            return
        first = self._code.at(start)
        if first.kind is Kind.NUMBER and self._code.ends_at(start + 1):
            if certainty is Certainty.SURE and _NUMBERS.search(name) and len(first.text) >= 4:
                self._found.add(start)
            return
        for literal in self._code.literals(start):
            if _LOOKS_UP.intersection(literal.inside) or literal.key.lower() in _KEYS_OF_SCHEMAS:
                continue
            content = self._code.tokens[literal.position].content
            passes_on = _PASSES_ON.issuperset(literal.inside)
            self._judge(literal.position, certainty, passes_on and not (literal.is_joined and " " in content))

    def _judge(self, position: int, certainty: Certainty, is_whole: bool = True) -> None:
        token = self._code.at(position)
        if token.kind is Kind.STRING and is_secret_value(token.content, certainty, is_whole=is_whole):
            self._found.add(position)

    def _under_key(self, colon: int) -> None:
        """`password: "…"`, `name: "X-Api-Key", value: "…"`, `"password": {"default": "…"}`."""
        code = self._code
        if not code.is_at(colon - 2, "{", ","):
            return
        key = code.name_before(colon)
        # A key named `key` holds the name of something.
        if key.lower() != "key":
            self._assigned(key, colon + 1)
        if key.lower() not in _KEYS_OF_VALUES:
            return
        if code.at(colon - 3).kind is Kind.STRING and code.is_at(colon - 4, ":"):
            self._assigned(code.at(colon - 3).content, colon + 1)
        opening = code.openings[colon]
        if code.is_at(opening - 1, ":"):
            self._assigned(code.name_before(opening - 1), colon + 1)

    def _compared(self, sign: int) -> None:
        code = self._code
        name = code.name_before(sign)
        if code.is_at(sign - 1, ")") and code.function_at(code.pairs.get(sign - 1, -1)) in _GETS:
            name = code.name_before(sign - 1)
        if code.at(sign - 1).kind is not Kind.STRING:
            self._judge(sign + 1, certainty_of(name))
        else:
            self._judge(sign - 1, certainty_of(code.name_after(sign)))

    def _after_name(self, position: int) -> None:
        """`AddToDict(d, "apiToken", "…")`; in other calls and arrays it must look like chance."""
        code = self._code
        name = code.tokens[position].content
        is_alone = code.is_at(position + 1, ",") and code.is_at(position - 1, "(", "[", "{", ",", ";")
        if not is_alone or not _NAME.fullmatch(name):
            return
        function = code.function_at(code.openings[position])
        if function in _SETTERS:
            self._assigned(name, position + 2)
        elif (
            function not in _LOOKS_UP and code.ends_at(position + 3) and certainty_of(name) != Certainty.NONE
        ):
            self._judge(position + 2, Certainty.PERHAPS)

    def _after_label(self, position: int) -> None:
        """`"Password=" + "…"`."""
        if self._code.is_at(position + 1, "+"):
            name = label_at_end(self._code.tokens[position].content)
            self._judge(position + 2, certainty_of(name or ""))

    def _arguments(self, opening: int) -> None:
        """`RunScript("<TAG>script:Login</TAG>", user, "…")`, by what Login calls its arguments."""
        function = self._code.function_at(opening)
        parameters = _PARAMETERS.get(function, ())
        if function == "runscript":
            parameters = ("", *self._parameters(self._script_at(opening + 1)))
        elif function in _FALLBACKS and self._code.is_at(opening + 2, ","):
            parameters = ("", self._code.name_before(opening + 2))
        if any(parameters):
            for name, start in zip(parameters, self._code.arguments(opening), strict=False):
                self._assigned(name, start)

    def _script_at(self, position: int) -> str:
        """The name of the script that is run, by its tag or by a variable that was given the tag."""
        target = self._code.at(position)
        if target.kind is Kind.NAME:
            target = self._given.get(target.text, target)
        tag = read_tag(target.content if target.kind is Kind.STRING else target.text)
        return tag.name if tag else ""

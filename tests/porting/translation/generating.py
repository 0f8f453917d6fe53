"""Scripts by chance, each by a seed: short, of all that the language has, and most of them free of errors."""

import random

# What there is of each type; `any` is one of the others.
ATOMS = {
    "text": ('"a"', '"10"', '"x y"', '""', '"true"', "a", "a", "$y", "$y", "_1"),
    "number": ("0", "1", "2", "1.5", "-1", "b", "b", "$x", "$x", "i"),
    "bool": ("true", "false", "maxCount"),
    "any": ("Null()", "$order.id", "$never", "{1, 2}", '{"a"}', "_2", "maxCount"),
}
FORMS = {
    "text": (
        "({text} + {any})", "({text} + {text})", "({number} + {text} + {any})",
        "({text} + {bool} + {number})", "Left({text}, 2)", "Left({text}, Length({text}) - 1)",
        "Replace({any}, 'a', {text})", "Replace({text}, {text}, {text})", "TrimChars({text}, 'a')",
        "Trim({any})", "String({any})", "ToUpper({text})",
        'GetJSONString(\'{"p":[{"q":"w"},2]}\', \'/p/0/q\')',
        'GetJSONString(\'{"p":[{"q":"w"},2]}\', \'/\' + {text})', "JSONStringify({any})",
        "WriteToOperationLog({any})", "Round({number}, 1)", "GetLastError()", "Mid({text}, {number}, 1)",
        "-({text})", "RunScript('<TAG>script:Echo</TAG>', {any})", "If({bool}, {text}, {text})",
        "(a = {text})", "($y = {text})", "Case({bool}, {text}, {any}, {text}, true, {text})",
        "If({bool}, {s}; {text}, {text})", "Set('y', {text})", "Eval({text}, {text})",
        "Eval({s}; {text}, {text})", "GetName($x)", "IfEmpty({any}, {text})",
    ),
    "number": (
        "({number} + {number})", "({number} - {number})", "({number} * {number})", "({number} / 2)",
        "-({number})", "Length({any})", "Length({text})", "Index({text}, {text})", "Int({text})",
        "Double({any})", "Mod(7, {number})", "If({bool}, {number}, {number})", "({number} ^ 2)",
        "(b = {number})", "(++b)", "(--$x)", "(b++)", "($x += 1)", "InList({any}, 1, {text})", "{1, 2}[0]",
        "($x = {number})", "Get('x')", "IfNull({any}, 1)", "Length({text} + {any})",
    ),
    "bool": (
        "({number} == {number})", "({text} == {text})", "({number} < {number})", "({text} >= {text})",
        "({any} == {any})", "({any} != {text})", "({bool} && {bool})", "({bool} || {any})", "!{bool}",
        "!{any}", "IsNull({any})", "Bool({text})", "Equal({any}, {any})", "IsValid({any})",
        "IsValid({number} / {number})", "({text} == {number})", "({bool} == {bool})",
        "RunOperation('<TAG>operation:Tool</TAG>')", "RunOperation('<TAG>operation:LLM Call</TAG>')",
        "({number} > $never)", "HasKey($d, {text})", "If({bool}, true, false)",
        "({number} <= {number} == {bool})", "(maxCount = {bool})",
    ),
    "any": (
        "Eval({number} / {number}, {any})", "Split({text}, ' ')", "($never + {any})", "Dict()", "Array()",
        "Now()", "If({bool}, {any})", "If({bool}, {s}; {any}, {number})", "$list[{number}]", "($list)[-1]",
        "GetKeys($d)",
    ),
}  # fmt: skip
STATEMENTS = (
    "a = {text}", "a = {text}", "b = {number}", "b = {number}", "maxCount = {any}", "$x = {number}",
    "$y = {text}", "$order.id = {any}", "$x = $x + 1", "b = b + {number}", "a += {any}", "b -= 1", "b++",
    "--$x", "$x++", "a = $y = {text}", "{any}", "{bool}", "{text}", "WriteToOperationLog({any})",
    "If({bool}, {s}; {s}, {s})", "If({any}, {s};)", "If({bool}, , {s}; {s};)",
    "If({bool}, If({bool}, {s}))", "a = If({bool}, {s}; {text}, {text})", "$y = Eval({text}, {s}; {text})",
    "Eval({s}, {s})", "Case({bool}, {s}, {any}, {s}; {s}, true, {s})", "Case({bool}, {s}, {bool}, {s})",
    "i = 0; While(i < 3 && {bool}, i++; {s}; {s})", "b = b++", "i = 0; i++; ++i",
    "i = 0; While(i < 2, i = i + 1; a = a + i; {s})", "$n = 3; While($n > 0, $n--; {s})",
    "$list[{number}] = {any}", "$list[1][0] = {any}", "$d = Dict(); $d['k'] = {any}",
    "maxCount = Dict(); maxCount['k'] = {any}; maxCount['k']++", "AddToDict($d, {text}, {any})",
    "AddToDict($d, 'k', $d)", "RaiseError({text})", "ArgumentList(a, maxCount)", "IsValid({s})",
    "While(IsValid({any}) && Length($w) < 2, $w = $w + 1)",
    "maxCount = Array(); maxCount[-1] = {any}; {s}", "$x = b++",
    "a = '#' + If({bool}, {s}; {any}, {text})", "b = If({bool}, b + 1, b)",
    "$list = {{number}, {text}}; $list[0]++", "ArgumentList(a)", "c = {any}; c = {text}; $x = c",
    "Set('y', {text})", "Set('list', {any}, -1)", "a = a + a", "While(false, {s})", "If(true, {s})",
    "c = {text}; If({bool}, c = {number}); $y = c", "x = y = {number}; $x = x + y",
)  # fmt: skip
_SIMPLE = STATEMENTS[:19]
_OF_ANOTHER_TYPE = 0.06


class Scripts:
    """Makes a script of a seed."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def script(self) -> str:
        first = ['a = "text"', "b = 1", "maxCount = true", "i = 0"]
        rest = [self._statement(2) for _ in range(self._chance.randint(2, 6))]
        return ";\n".join([*(each for each in first if self._chance.random() < 0.97), *rest])

    def _statement(self, depth: int) -> str:
        form = self._chance.choice(STATEMENTS if depth else _SIMPLE)
        return self._filled(form, depth)

    def _expression(self, kind: str, depth: int) -> str:
        if kind == "any" or self._chance.random() < _OF_ANOTHER_TYPE:
            kind = self._chance.choice(("text", "number", "bool", "any"))
        if depth <= 0 or self._chance.random() < 0.35:
            return self._chance.choice(ATOMS[kind])
        return self._filled(self._chance.choice(FORMS[kind]), depth - 1)

    def _filled(self, form: str, depth: int) -> str:
        for kind in ("text", "number", "bool", "any"):
            while (mark := f"{{{kind}}}") in form:
                form = form.replace(mark, self._expression(kind, depth), 1)
        while "{s}" in form:
            form = form.replace("{s}", self._statement(depth - 1) if depth > 0 else "$x = 7", 1)
        return form

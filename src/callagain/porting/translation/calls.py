"""Calls of functions: what Python has itself, a function of the runtime, or a method of the state."""

from collections.abc import Callable

from callagain.porting.jitterbit import functions
from callagain.porting.jitterbit.functions import JitterbitFunction
from callagain.porting.script.errors import ScriptError
from callagain.porting.script.functions import FUNCTIONS
from callagain.porting.script.syntax import Call, Global, Literal, Local, Script, Statements
from callagain.porting.script.tags import read_tag
from callagain.porting.script.unknown import unknown_function
from callagain.porting.translation.choices import Choices
from callagain.porting.translation.kinds import NUMERIC, OF_DECLARED, Kind
from callagain.porting.translation.layout import (
    COMPARISON,
    Atom,
    Called,
    Chain,
    Code,
    Display,
    Slice,
    Text,
)
from callagain.porting.translation.values import NULL, Coded
from callagain.porting.translation.work import STATEMENTS, Learned

_OF_VALUES = {
    each.name.lower(): name for name, each in vars(functions).items() if isinstance(each, JitterbitFunction)
} | {"sortarray": "sort_array"}

_OF_STATE = {
    "getjsonstring": "get_json_string",
    "getjsonstringex": "get_json_string_ex",
    "bool": "to_bool",
    "regexmatch": "reg_ex_match",
    "base64encode": "base64_encode",
    "getlasterror": "get_last_error",
    "setlasterror": "set_last_error",
    "resetlasterror": "reset_last_error",
    "raiseerror": "raise_error",
    "canceloperationchain": "cancel_operation_chain",
    "writetooperationlog": "write_to_operation_log",
    "sleep": "sleep",
    "now": "now",
    "now_": "now_with_milliseconds",
    "guid": "guid",
    "random": "random",
    "randomstring": "random_string",
    "readcache": "read_cache",
    "writecache": "write_cache",
}

# What the declaration says of the value is not all, or not true.
_KINDS = {
    **dict.fromkeys(
        (
            "length",
            "index",
            "countsubstring",
            "inlist",
            "regexmatch",
            "dayofmonth",
            "dayofweek",
            "monthofyear",
        ),
        Kind.SMALL,
    ),
    **dict.fromkeys(("string", "stringlength", "getjsonstringex", "runscript"), Kind.ANY),
}


class Calls(Choices):
    """Translates calls of functions."""

    def __init__(self, script: Script, before: Learned) -> None:
        super().__init__(script, before)
        self._special: dict[str, Callable[[Call], Coded]] = {
            "if": self.if_value,
            "case": self.case_value,
            "length": self._length,
            "null": self._null,
            "array": self._array_call,
            "collection": self._array_call,
            "dict": self._dictionary_call,
            "map": self._dictionary_call,
            "isnull": self._is_null,
            "string": self._string,
            "replace": self._replace,
            "trimchars": self._trimmed,
            "ltrimchars": self._trimmed,
            "rtrimchars": self._trimmed,
            "left": self._left,
            "get": self._get,
            "set": self._set,
            "getname": self._get_name,
            "addtodict": self._add_to_dict,
            "mapcache": self._map_cache,
            "haskey": self._has_key,
            "ifnull": self.if_null_value,
            "ifempty": self.if_null_value,
            "runoperation": self._run_operation,
            "runscript": self._run_script,
            "regexmatch": self._reg_ex_match,
        }

    def check(self, node: Call) -> None:
        """Refuses a call that would fail whenever it is evaluated."""
        name = node.name.lower()
        if name not in FUNCTIONS:
            self.refuse(unknown_function(node.name).message, node)
        try:
            FUNCTIONS[name].check_count(len(node.arguments), node.name)
        except ScriptError as error:
            self.refuse(error.message, node)
        if name == "case" and len(node.arguments) % 2:
            self.refuse("Case takes pairs of a condition and a result; write true before a default", node)

    def call(self, node: Call) -> Coded:
        self.check(node)
        name = node.name.lower()
        if name in STATEMENTS:
            return self.held(node)
        special = self._special.get(name)
        return special(node) if special else self._plain_call(name, node)

    def _plain_call(self, name: str, node: Call) -> Coded:
        """A function of values or of the state, which converts its arguments itself."""
        arguments = [each.code for each in self.arguments(node.arguments)]
        if name in _OF_STATE:
            code = self.of_state(_OF_STATE[name], *arguments)
        else:
            code = self.runtime(_OF_VALUES[name], *arguments)
        declared = FUNCTIONS[name].declaration.partition(" ")[0]
        return Coded(code, _KINDS.get(name, OF_DECLARED[declared]), pure=name == "getlasterror")

    # What Python has itself

    def _length(self, node: Call) -> Coded:
        value = self.argument(node.arguments[0])
        if value.kind in (Kind.TEXT, Kind.ARRAY):
            return Coded(Called("len", (value.code,)), Kind.SMALL, value.pure)
        return Coded(self.runtime("length", value.code), Kind.SMALL)

    def _null(self, node: Call) -> Coded:  # noqa: ARG002
        return NULL

    def _array_call(self, node: Call) -> Coded:  # noqa: ARG002
        return Coded(Display(()), Kind.ARRAY, pure=True)

    def _dictionary_call(self, node: Call) -> Coded:  # noqa: ARG002
        return Coded(Display((), "{}"), Kind.DICTIONARY, pure=True)

    def _is_null(self, node: Call) -> Coded:
        value = self.argument(node.arguments[0])
        if self._may_be_compared_with_none(value.code) and value.kind is Kind.ANY:
            return Coded(Chain(value.code, (("is", Atom("None")),), COMPARISON), Kind.BOOL, value.pure)
        return Coded(self.runtime("is_null", value.code), Kind.BOOL, value.pure)

    def _may_be_compared_with_none(self, code: Code) -> bool:
        """Whether a type checker can know nothing of the value: a result, or a variable nobody sets here."""
        if isinstance(code, Called):
            return True
        is_global = isinstance(code, Atom) and code.text.startswith("state[")
        return is_global and all(code != self.variable(name) for name in self.globals_set)

    def _string(self, node: Call) -> Coded:
        value = self.argument(node.arguments[0])
        if value.kind is Kind.TEXT:
            return value
        if value.kind in (*NUMERIC, Kind.BOOL, Kind.DATE):
            return Coded(self.runtime("text", value.code), Kind.TEXT)
        return Coded(self.runtime("to_string", value.code), Kind.ANY)

    def _receiver(self, value: Coded) -> Code | None:
        """The value as a string that has methods; of a type that is not known, its text."""
        if value.kind is Kind.TEXT:
            return value.code
        return self.runtime("text", value.code) if value.kind is Kind.ANY else None

    def _replace(self, node: Call) -> Coded:
        value, old, new = self.arguments(node.arguments)
        if _is_some_text(old) and new.kind is Kind.TEXT and not self.grows_in_a_loop(node):
            receiver = self._receiver(value)
            if receiver is not None and (new.pure or value.kind is Kind.TEXT):
                return Coded(Called("replace", (old.code, new.code), receiver), Kind.TEXT)
        return Coded(self.runtime("replace", value.code, old.code, new.code), Kind.TEXT)

    def _trimmed(self, node: Call) -> Coded:
        name = node.name.lower()
        value, characters = self.arguments(node.arguments)
        receiver = self._receiver(value) if _is_some_text(characters) else None
        if receiver is None:
            return Coded(self.runtime(_OF_VALUES[name], value.code, characters.code), Kind.TEXT)
        method = {"trimchars": "strip", "ltrimchars": "lstrip", "rtrimchars": "rstrip"}[name]
        return Coded(Called(method, (characters.code,), receiver), Kind.TEXT)

    def _left(self, node: Call) -> Coded:
        value, count = self.arguments(node.arguments)
        receiver = self._receiver(value)
        if receiver is not None and isinstance(count.code, Atom) and count.code.text.isdecimal():
            return Coded(Slice(receiver, count.code.text), Kind.TEXT)
        return Coded(self.runtime("left", value.code, count.code), Kind.TEXT)

    # Variables by name, and dictionaries

    def _get(self, node: Call) -> Coded:
        name = _literal_name(node.arguments[0])
        if name is not None and len(node.arguments) == 1:
            return self.global_(name)
        values = self.arguments(node.arguments)
        if not all(each.pure for each in values[1:]):
            self.refuse("an index of Get is computed while the variable is read; read it first", node)
        self._names_variable(node, name, reads=True)
        return Coded(self.of_state("get", *(each.code for each in values)), Kind.ANY)

    def _set(self, node: Call) -> Coded:
        name = _literal_name(node.arguments[0])
        values = self.arguments(node.arguments)
        self._names_variable(node, name, reads=len(values) > 2, writes=True)
        if name is not None and len(values) == 2:
            code = self.of_state("assign", Text(name), values[1].code)
            return Coded(code, values[1].kind, literal=values[1].literal)
        return Coded(self.of_state("set", *(each.code for each in values)), Kind.ANY)

    def _names_variable(self, node: Call, name: str | None, *, reads: bool, writes: bool = False) -> None:
        if name is None:
            self.note(f"the name of the variable that {node.name} uses is computed", node)
            return
        if reads:
            self.reads.add(name)
        if writes:
            self.writes.add(name)

    def _get_name(self, node: Call) -> Coded:
        match node.arguments[0].items:
            case (Local() | Global() as variable,):
                return Coded(Text(variable.name), Kind.TEXT, pure=True, literal=True)
            case _:
                if not self.argument(node.arguments[0]).pure:
                    self.refuse("GetName has an argument that does something; it is always empty", node)
                return Coded(Text(""), Kind.TEXT, pure=True, literal=True)

    def _add_to_dict(self, node: Call) -> Coded:
        return self._with_dictionary(node, "add_to_dict", Kind.BOOL)

    def _map_cache(self, node: Call) -> Coded:
        return self._with_dictionary(node, "map_cache", Kind.ANY)

    def _with_dictionary(self, node: Call, name: str, kind: Kind) -> Coded:
        holder = self._dictionary(node)
        key, value = self.arguments(node.arguments[1:])
        if not value.pure and (name == "map_cache" or key.kind is not Kind.TEXT):
            self.refuse(f"{node.name} evaluates its value behind the key; set a variable before", node)
        return Coded(self.runtime(name, holder, key.code, value.code), kind)

    def _dictionary(self, node: Call) -> Code:
        """The dictionary to be changed: a variable of the state is made one, and nothing else."""
        variable = _only_global(node.arguments[0])
        if variable is not None:
            self.reads.add(variable)
            self.writes.add(variable)
            self.may_write = False
            return self.of_state("dictionary", Text(variable))
        holder = self.argument(node.arguments[0])
        if holder.kind is not Kind.DICTIONARY:
            self.refuse(f"{node.name} may be given what is no dictionary; make it one by Dict() before", node)
        return holder.code

    def _has_key(self, node: Call) -> Coded:
        holder, key = self.arguments(node.arguments)
        if holder.kind is Kind.DICTIONARY and key.kind is Kind.TEXT and not isinstance(holder.code, Display):
            code = Chain(key.code, (("in", holder.code),), COMPARISON)
            return Coded(code, Kind.BOOL, holder.pure and key.pure)
        return Coded(self.runtime("has_key", holder.code, key.code), Kind.BOOL)

    # Other parts of the design

    def _run_operation(self, node: Call) -> Coded:
        return Coded(self._run_part(node, "operation"), Kind.BOOL)

    def _run_script(self, node: Call) -> Coded:
        return Coded(self._run_part(node, "script"), Kind.ANY)

    def _run_part(self, node: Call, kind: str) -> Code:
        text = _literal_text(node.arguments[0])
        arguments = [each.code for each in self.arguments(node.arguments)]
        if text is None:
            self.note(f"the {kind} that {node.name} runs is computed", node)
            return self.of_state(f"run_{kind}_of_tag", *arguments)
        tag = read_tag(text)
        if tag is None or tag.kind != kind:
            self.refuse(f'{node.name} wants a tag, such as "<TAG>{kind}:Name</TAG>"', node)
        self.runs[tag.name] = None
        if read_tag(f"<TAG>{kind}:{tag.name}</TAG>") == tag:
            return self.of_state(f"run_{kind}", Text(tag.name), *arguments[1:])
        return self.of_state(f"run_{kind}_of_tag", *arguments)

    def _reg_ex_match(self, node: Call) -> Coded:
        for name in map(_literal_name, node.arguments[2:]):
            self._names_variable(node, name, reads=False, writes=True)
        return self._plain_call("regexmatch", node)


def _literal_text(statements: Statements) -> str | None:
    match statements.items:
        case (Literal(value=str() as text),):
            return text
        case _:
            return None


def _only_global(statements: Statements) -> str | None:
    match statements.items:
        case (Global(name=name),):
            return name
        case _:
            return None


def _literal_name(statements: Statements) -> str | None:
    """The name of a global variable that is given as a literal, without `$`."""
    text = _literal_text(statements)
    return text.removeprefix("$") if text else None


def _is_some_text(value: Coded) -> bool:
    """Whether it is a literal that is not empty."""
    return isinstance(value.code, Text) and value.code.value != ""

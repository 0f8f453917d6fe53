"""What a translated script reads, writes and calls: the variables of the run, and what is outside of it."""

from collections.abc import MutableMapping, Sequence
from datetime import datetime
from typing import Any, NoReturn, TypeVar

from callagain.porting.jitterbit.calling import NO_SCRIPT, NOWHERE, called, called_with, given
from callagain.porting.script.elements import element
from callagain.porting.script.errors import RaisedError, ScriptError, ScriptLimitError
from callagain.porting.script.host import Caller, Host, LocalHost
from callagain.porting.script.interpreter import Interpreter
from callagain.porting.script.limits import Limits, Meter
from callagain.porting.script.modes import Mode, mode_of
from callagain.porting.script.syntax import Global, Index, Local
from callagain.porting.script.values import Value

Kept = TypeVar("Kept", bound=Value)

_HOLDER = Local("holder", NOWHERE)
_MOST_ITERATIONS = "jitterbit.scripting.while.max_iterations"


class State:
    """The state of one run of a translated script.

    `state["loop_count"]` is the global variable `$loop_count`, and None if it was never set. Methods are the
    functions of Jitterbit Script that need more than their arguments: other scripts and operations, the log,
    the clock, the last error, the mode.

    variables, host, mode, arguments, limits, caller: as `run_script` has them, `variables` being its
    `globals`; so a host runs a translated script where it ran the original:
    `parse_response(State(host=host, caller=caller))`. Every run has a state of its own.

    Of the limits those of loops, nesting and single values hold here; steps are counted by loops alone.
    Raises ScriptError as the interpreter does, without a line of the script.
    """

    def __init__(
        self,
        variables: MutableMapping[str, Any] | None = None,
        *,
        host: Host | None = None,
        mode: str | Mode = "guide",
        arguments: Sequence[Value] = (),
        limits: Limits | None = None,
        caller: Caller | None = None,
    ) -> None:
        if variables is not None and host is not None:
            raise TypeError("give variables, or a host that has them, and not both")
        if host is None:
            host = LocalHost(variables={} if variables is None else variables)
        meter = caller.meter if caller else Meter(limits or Limits())
        nesting = caller.nesting + 1 if caller else 1
        self._run = Interpreter(NO_SCRIPT, host, mode_of(mode), meter, arguments, nesting)
        # An empty script checks the nesting, as every script does before it begins.
        self._run.run()

    # Variables

    def __getitem__(self, name: str) -> Value:
        return self._run.variables.get(name)

    def __setitem__(self, name: str, value: Value) -> None:
        self._run.variables[name] = value

    def assign(self, name: str, value: Kept) -> Kept:
        """Sets a variable inside an expression, and gives the value."""
        self._run.variables[name] = value
        return value

    def argument(self, position: int) -> Value:
        """The argument `_1`, `_2` … of RunScript; None if it was not passed."""
        return self._run.scope.argument(position)

    def get(self, name: Value, *keys: Value) -> Value:
        """`Get`: a variable whose name is computed, or an element of it."""
        value: Value = called_with("Get", self._run, map(given, (name, *keys)))
        return value

    def set(self, name: Value, value: Value, *keys: Value) -> Value:
        """`Set`: sets a variable whose name is computed, or an element of it, and gives the value."""
        kept: Value = called_with("Set", self._run, map(given, (name, value, *keys)))
        return kept

    def element(self, holder: Value, *keys: Value) -> Value:
        """`holder[key][key]`, of an array or a dictionary; that of null is null."""
        for key in keys:
            holder = element(holder, key, self._run.mode)
        return holder

    def set_element(self, name: str, value: Value, *keys: Value) -> None:
        """`$name[key][key] = value`; -1 appends to an array, and a variable that is null becomes one."""
        self._run.assign(Index(Global(name, NOWHERE), tuple(map(given, keys)), NOWHERE), value)

    def with_element(self, holder: Value, value: Value, *keys: Value) -> Value:
        """`holder[key][key] = value` of a local variable: gives the holder, which is a new array for null."""
        scope = self._run.scope
        scope.set(_HOLDER.name, holder)
        self._run.assign(Index(_HOLDER, tuple(map(given, keys)), NOWHERE), value)
        return scope.get(_HOLDER)

    def dictionary(self, name: str) -> dict[str, Value]:
        """The dictionary that a variable holds; what is none becomes an empty one, as for AddToDict."""
        value = self[name]
        if not isinstance(value, dict):
            self[name] = value = {}
        return value

    # The loop, and errors

    def iterations(self) -> "Iterations":
        """The limit of one While, which begins here."""
        return Iterations(self._run)

    def catch(self, error: ScriptError) -> None:
        """What Eval and IsValid do with an error: it is the last error now. Others are raised again."""
        if not error.caught_by_eval:
            raise error
        self._run.set_last_error(error.message)

    def error(self, message: Value) -> RaisedError:
        """The error of RaiseError, to be raised; GetLastError gives it from now on."""
        try:
            called("RaiseError", self._run, message)
        except RaisedError as error:
            return error
        raise AssertionError("RaiseError did not raise")

    def raise_error(self, message: Value) -> NoReturn:
        """`RaiseError`, inside an expression."""
        raise self.error(message)

    def get_last_error(self) -> str:
        return self._run.last_error

    def set_last_error(self, message: Value) -> None:
        called("SetLastError", self._run, message)

    def reset_last_error(self) -> None:
        called("ResetLastError", self._run)

    # Other parts of the design, the log, the clock, chance

    def run_operation(self, name: str, *synchronous: Value) -> bool:
        """`RunOperation`: false if it fails, and `get_last_error` says why."""
        return self.run_operation_of_tag(f"<TAG>operation:{name}</TAG>", *synchronous)

    def run_operation_of_tag(self, tag: Value, *synchronous: Value) -> bool:
        """`RunOperation` of an operation whose tag is computed."""
        ran: bool = called("RunOperation", self._run, tag, *synchronous)
        return ran

    def run_script(self, name: str, *arguments: Value) -> Value:
        """`RunScript`: the value of another script."""
        return self.run_script_of_tag(f"<TAG>script:{name}</TAG>", *arguments)

    def run_script_of_tag(self, tag: Value, *arguments: Value) -> Value:
        """`RunScript` of a script whose tag is computed."""
        value: Value = called("RunScript", self._run, tag, *arguments)
        return value

    def cancel_operation_chain(self, message: Value) -> None:
        called("CancelOperationChain", self._run, message)

    def write_to_operation_log(self, message: Value) -> str:
        """Writes a line to the operation log, and gives it."""
        written: str = called("WriteToOperationLog", self._run, message)
        return written

    def sleep(self, seconds: Value) -> None:
        called("Sleep", self._run, seconds)

    def now(self) -> datetime:
        """The time, without its fraction of a second."""
        moment: datetime = called("Now", self._run)
        return moment

    def now_with_milliseconds(self) -> datetime:
        moment: datetime = called("Now_", self._run)
        return moment

    def guid(self) -> str:
        text: str = called("GUID", self._run)
        return text

    def random(self, least: Value, most: Value) -> int:
        number: int = called("Random", self._run, least, most)
        return number

    def random_string(self, length: Value, *characters: Value) -> str:
        text: str = called("RandomString", self._run, length, *characters)
        return text

    def read_cache(self, name: Value, *options: Value) -> Value:
        value: Value = called("ReadCache", self._run, name, *options)
        return value

    def write_cache(self, name: Value, value: Value, *options: Value) -> Value:
        kept: Value = called("WriteCache", self._run, name, value, *options)
        return kept

    # What depends on the mode or on variables

    def get_json_string(self, text: Value, path: Value) -> str:
        """The text at a path; `null` for one that is not there in the mode guide, an error in strict."""
        found: str = called("GetJSONString", self._run, text, path)
        return found

    def get_json_string_ex(self, text: Value, path: Value, *default: Value) -> Value:
        """The text at a path, or the default."""
        found: Value = called("GetJSONStringEx", self._run, text, path, *default)
        return found

    def to_bool(self, value: Value) -> bool:
        """`Bool`; "1" is true in the mode guide alone."""
        result: bool = called("Bool", self._run, value)
        return result

    def reg_ex_match(self, text: Value, pattern: Value, *names: Value) -> int:
        """`RegExMatch`, which puts the groups into variables of these names."""
        groups: int = called("RegExMatch", self._run, text, pattern, *names)
        return groups

    def base64_encode(self, value: Value) -> str:
        text: str = called("Base64Encode", self._run, value)
        return text


class Iterations:
    """Counts the iterations of one While, against `$jitterbit.scripting.while.max_iterations` or 50,000."""

    def __init__(self, run: Interpreter) -> None:
        self._meter = run.meter
        self._most = run.limit(_MOST_ITERATIONS, run.meter.limits.iterations)
        self._done = 0

    def count(self) -> None:
        """Counts the iteration that begins here. Raises ScriptLimitError if the loop has had its last one."""
        if self._done >= self._most:
            raise ScriptLimitError(
                f"the loop reached {self._most:,} iterations; check its condition, or set ${_MOST_ITERATIONS}"
            )
        self._meter.step()
        self._done += 1

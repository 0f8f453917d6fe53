"""General functions that run other parts of the project, and the cache."""

from callagain.porting.script.errors import ScriptArgumentError
from callagain.porting.script.functions.general import GENERAL
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.host import Caller, OperationFailed
from callagain.porting.script.tags import Tag, read_tag
from callagain.porting.script.values import Value, to_text

CACHE = Group("Cache", "docs.jitterbit.com/studio/functions/cache")


@GENERAL.of_run("bool RunOperation(string operationTag[, bool runSynchronously])")
def run_operation(run: Run, tag: str, synchronous: bool = True) -> Value:
    """Runs an operation; false if it fails, and GetLastError says why. It shares the global variables."""
    wanted = _tag(tag, "operation", "RunOperation")
    _check_nesting(run)
    try:
        run.host.run_operation(wanted, synchronous, Caller(run.nesting, run.meter))
    except OperationFailed as error:
        run.set_last_error(str(error))
        return False
    return True


@GENERAL.of_run("string RunScript(string scriptTag[, type arg1, ...])")
def run_script(run: Run, tag: str, *arguments: Value) -> Value:
    """Runs another script with the arguments `_1`, `_2` …, and gives its value.

    The reference says that the value comes back as a string: arrays, dictionaries and null keep their type
    here.
    """
    wanted = _tag(tag, "script", "RunScript")
    _check_nesting(run)
    value = run.host.run_script(wanted, arguments, Caller(run.nesting, run.meter))
    return value if value is None or isinstance(value, list | dict) else to_text(value)


@GENERAL.of_run("null CancelOperationChain(string message)")
def cancel_operation_chain(run: Run, message: str) -> Value:
    """Keeps the operations that follow on this one from being run; the script itself goes on."""
    run.host.cancel_operation_chain(message)
    return None


@CACHE.of_run("type ReadCache(string name[, int expirationSeconds, string scope])")
def read_cache(run: Run, name: str, seconds: int = 1800, scope: str = "") -> Value:  # noqa: ARG001
    """The value that WriteCache kept under this name, or null; it expires only if the host sees to it."""
    return run.host.cache.get(_cache_key(name, scope))


@CACHE.of_run("type WriteCache(string name, type value[, int expirationSeconds, string scope])")
def write_cache(run: Run, name: str, value: Value, seconds: int = 1800, scope: str = "") -> Value:  # noqa: ARG001
    """Keeps a value under a name, and gives it."""
    run.host.cache[_cache_key(name, scope)] = value
    return value


def _cache_key(name: str, scope: str) -> str:
    return f"{scope}/{name}" if scope else name


def _tag(text: str, kind: str, function: str) -> Tag:
    tag = read_tag(text)
    if tag is None or tag.kind != kind:
        example = f'{function}("<TAG>{kind}:Name</TAG>")'
        raise ScriptArgumentError(f"{function} wants a tag, such as {example}; it got '{text[:60]}'")
    return tag


def _check_nesting(run: Run) -> None:
    if run.nesting + 1 > run.limit("jitterbit.scripting.nesting.max", run.meter.limits.nesting):
        raise run.too_nested()

"""What the statements of a script do that outlasts it: what they set, what they run, what they write."""

from collections.abc import Iterable, Iterator

from callagain.porting.recognition.changes import CHANGES_THE_ANSWER, CHANGES_THE_RESULT, Change
from callagain.porting.recognition.evidence import is_content
from callagain.porting.recognition.facts import Facts, calls_in, variables_in
from callagain.porting.recognition.own_parts import OwnParts
from callagain.porting.recognition.values import Part, Value, Variable
from callagain.porting.script import Place, syntax

_OF_FUNCTIONS = {
    "archivefile": "moves a file",
    "canceloperation": "cancels an operation",
    "canceloperationchain": "cancels operations",
    "dbexecute": "runs a statement of a database",
    "dbwrite": "writes to a database",
    "deletefile": "deletes a file",
    "deletefiles": "deletes files",
    "flushallfiles": "writes files",
    "flushfile": "writes a file",
    "raiseerror": "raises an error",
    "runplugin": "runs a plugin",
    "sendemail": "sends an email",
    "sendemailmessage": "sends an email",
    "sendsystememail": "sends an email",
    "setlasterror": "sets the last error",
    "sleep": "waits",
    "writecache": "writes to the cache",
    "writefile": "writes a file",
    "writetooperationlog": "writes to the log",
}
_CHANGE_THEIR_FIRST_ARGUMENT = ("addtodict", "removekey", "sortarray")
_BRANCHES = ("if", "case", "while")
_READ = frozenset(("call_llm_again", "function_arguments", "function_name", "tool_call_id", "tools_resp"))
_STATE = _READ | {"final_response", "function_resp", "loop_count", "tools_messages"}


class Deeds:
    """The effects of the statements of one script, those left out that the chain has itself."""

    def __init__(
        self, facts: Facts, own: OwnParts, roles: tuple[str, ...], changes: Iterable[Change]
    ) -> None:
        self._facts = facts
        self._own = own
        self._roles = roles
        self._changes: dict[Place, str] = {each.place: each.effect for each in changes}
        self._branches: set[int] = set()
        self._answers: set[int] = set()
        self._dispatching: set[int] = set()
        self._first_comparison: Place | None = None
        for dispatch in own.dispatches:
            if dispatch.facts.name != facts.name:
                continue
            self._branches |= {id(branch.body) for branch in dispatch.branches}
            self._first_comparison = min(self._first_comparison or dispatch.place, dispatch.place)
            if dispatch.default is not None:
                self._answers |= {id(node) for node, _ in syntax.walk(dispatch.default)}
        self._after_own_runs: set[int] = set()
        self._outcomes: set[str] = set()
        self._look_at_own_runs()

    def of(self, item: syntax.Expression) -> tuple[int, tuple[str, ...]]:
        """The line of the first effect, and all of them, each once."""
        found: dict[str, int] = {}
        for place, effect in sorted(self._effects(item), key=lambda pair: pair[0]):
            found.setdefault(effect, place.line)
        return next(iter(found.values()), item.place.line), tuple(found)

    def rest_of(self, item: syntax.Expression) -> syntax.Expression | None:
        """The statement without what the chain does itself; None if nothing is left."""
        if not any(self._effects(item)):
            return None
        if not isinstance(item, syntax.Call) or item.name.lower() not in _BRANCHES or not self._has_own(item):
            return item
        case = item.name.lower() == "case"
        arguments = [
            argument if number == 0 or (case and number % 2 == 0) else self._rest_of_body(argument)
            for number, argument in enumerate(item.arguments)
        ]
        if not case and len(arguments) > 2 and not arguments[2].items:
            del arguments[2]
        return syntax.Call(item.name, tuple(arguments), item.place)

    def is_dispatch(self, item: syntax.Expression) -> bool:
        """Whether a statement is the comparison with the names of tools."""
        return any(id(node) in self._branches for node, _ in syntax.walk(item))

    def hangs_on_own_runs(self, item: syntax.Expression) -> bool:
        """Whether a statement runs something of the chain's, or asks how that went."""
        if any(self._is_own_run(call) for call in calls_in(item)):
            return True
        conditions = (call.arguments[0] for call in calls_in(item, *_BRANCHES) if call.arguments)
        return any(variables_in(condition) & self._outcomes for condition in conditions)

    def begins_loop(self, item: syntax.Expression) -> bool:
        """Whether a statement runs a part of the loop, and not only what writes the first request."""
        runs = [self._facts.runs.get(id(call)) for call in calls_in(item) if self._is_own_run(call)]
        return any("initialise" not in self._own.roles.get(run.name or "", ()) for run in runs if run)

    def _rest_of_body(self, body: syntax.Statements) -> syntax.Statements:
        if id(body) in self._branches:
            return syntax.Statements((), body.place)
        rests = (self.rest_of(item) for item in body.items)
        return syntax.Statements(tuple(rest for rest in rests if rest is not None), body.place)

    def _look_at_own_runs(self) -> None:
        if self._facts.tree is None:
            return
        body = self._facts.tree.body
        for call in calls_in(body, "if"):
            if call.arguments and any(self._is_own_run(each) for each in calls_in(call.arguments[0])):
                for argument in call.arguments[1:]:
                    self._after_own_runs |= {id(node) for node, _ in syntax.walk(argument)}
        for node, _ in syntax.walk(body):
            if not isinstance(node, syntax.Assignment) or not isinstance(node.target, syntax.Local):
                continue
            if any(self._is_own_run(each) for each in calls_in(node.value)):
                self._outcomes.add(node.target.name)

    # Nodes

    def _nodes(self, node: syntax.Node) -> Iterator[syntax.Node]:
        """A node and all below it, but for the branches of the dispatcher."""
        waiting = [node]
        while waiting:
            current = waiting.pop()
            if id(current) not in self._branches:
                yield current
                waiting.extend(syntax.children(current))

    def _has_own(self, item: syntax.Expression) -> bool:
        return any(
            id(node) in self._branches
            or (isinstance(node, syntax.Call) and self._is_own_run(node))
            or (isinstance(node, syntax.Assignment | syntax.Step) and self._is_own_write(node))
            for node, _ in syntax.walk(item)
        )

    def _effects(self, item: syntax.Node) -> Iterator[tuple[Place, str]]:
        for node in self._nodes(item):
            place = place_of_write(node) or node.place
            if isinstance(node, syntax.Assignment | syntax.Call) and place in self._changes:
                yield place, self._changes[place]
            if effect := self._effect_of(node):
                yield place, effect

    def _effect_of(self, node: syntax.Node) -> str | None:
        if isinstance(node, syntax.Assignment | syntax.Step):
            name = _global_of(node.target)
            return None if name is None or self._is_own_write(node) else self._sets(name)
        if not isinstance(node, syntax.Call):
            return None
        function = node.name.lower()
        if function in ("runoperation", "runscript"):
            return None if self._is_own_run(node) else self._run(node)
        if function == "set" and node.arguments:
            name = (self._facts.value_of(_last(node.arguments[0])).text or "").removeprefix("$")
            value = self._facts.value_of(_last(node.arguments[1])) if len(node.arguments) > 1 else Value()
            return self._sets(name) if name and not self._is_own(name, node, value) else None
        if function in _CHANGE_THEIR_FIRST_ARGUMENT and node.arguments:
            name = _global_of(_last(node.arguments[0]))
            return self._sets(name) if name is not None else None
        return _OF_FUNCTIONS.get(function)

    def _sets(self, name: str) -> str:
        guide = self._own.guide_names(name)
        if "function_resp" in guide and self._roles[0] in ("append_tool_result", "dispatcher"):
            return CHANGES_THE_RESULT
        if "final_response" in guide and "response_parser" in self._roles:
            return CHANGES_THE_ANSWER
        return f"sets ${name}"

    def _run(self, node: syntax.Call) -> str:
        run = self._facts.runs.get(id(node))
        kind = node.name.lower().removeprefix("run")
        if run is None or run.name is None:
            return f"runs {'an operation' if kind == 'operation' else 'a script'} whose name is computed"
        return f"runs {kind} {run.name}"

    def _is_own_run(self, node: syntax.Call) -> bool:
        run = self._facts.runs.get(id(node))
        if run is None:
            return False
        if run.name is None:
            return any(each.computed is run for each in self._own.dispatches)
        return (run.kind, run.name) in self._own.runs

    # What the guide's scripts set in the way that they do it

    def _is_own_write(self, node: syntax.Assignment | syntax.Step) -> bool:
        name = _global_of(node.target)
        if name is None:
            return False
        if isinstance(node, syntax.Step):
            return "loop_count" in self._own.guide_names(name)
        return self._is_own(name, node, self._facts.value_of(node.value))

    def _is_own(self, name: str, node: syntax.Node, value: Value) -> bool:
        if self._own.is_retry:
            return name in self._own.retry_variables
        return any(
            self._as_in_guide(role, guide, node, value)
            for guide in self._own.guide_names(name)
            for role in self._roles
        )

    def _as_in_guide(self, role: str, guide: str, node: syntax.Node, value: Value) -> bool:
        if guide in ("loop_count", "maxIterations"):
            return True
        constant = value.constant is not None or value.text is not None or _is_null(node)
        match role:
            case "initialise":
                return guide in ("InAndOut", "non_tool_messages_json") or (guide in _STATE and constant)
            case "response_parser":
                return self._is_read(guide, value, constant)
            case "dispatcher" if guide == "function_resp":
                before = self._first_comparison is None or node.place < self._first_comparison
                return id(node) in self._answers or (before and constant)
            case "dispatcher":
                return self._own.is_text and guide == "function_name" and is_content(value.only)
            case "append_tool_result":
                return guide in ("tools_messages", "InAndOut")
            case "controller":
                own = guide == "call_llm_again" or (guide in _STATE and (value.text or "") == "")
                return own and constant and id(node) not in self._after_own_runs
            case _:
                return False

    def _is_read(self, guide: str, value: Value, constant: bool) -> bool:
        """Whether a parser sets a variable to a part of the response, or empties it."""
        if guide == "final_response":
            return is_content(value.only) or (constant and value.text == "")
        if guide == "call_llm_again":
            return True
        return guide in _READ and (constant or isinstance(value.only, Part | Variable))


def place_of_write(node: syntax.Node) -> Place | None:
    """Where the variable of an assignment stands, as in the writes of a script's facts."""
    if not isinstance(node, syntax.Assignment | syntax.Step):
        return None
    target: syntax.Expression = node.target
    while isinstance(target, syntax.Index):
        target = target.target
    return target.place


def _global_of(target: syntax.Node) -> str | None:
    while isinstance(target, syntax.Index):
        target = target.target
    return target.name if isinstance(target, syntax.Global) else None


def _is_null(node: syntax.Node) -> bool:
    value = node.value if isinstance(node, syntax.Assignment) else None
    return isinstance(value, syntax.Call) and value.name.lower() == "null"


def _last(node: syntax.Statements) -> syntax.Node:
    return node.items[-1] if node.items else node

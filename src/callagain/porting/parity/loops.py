"""The chain of a package beside the loop of its design: variables, requests, logs, operation by operation."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from callagain.engine.run import Step
from callagain.porting.parity.circumstances import (
    FAILED_UNSEEN,
    FIRST_CALL_ONLY,
    MESSAGES,
    NO_LIMIT,
    STALE_RESPONSE,
    Circumstances,
)
from callagain.porting.parity.findings import Findings
from callagain.porting.parity.guide_variables import GUIDE_VARIABLES, guide_leaves, is_empty
from callagain.porting.parity.messages import without_empty_system_message
from callagain.porting.parity.played import ChainPlayed, DesignPlayed
from callagain.porting.parity.roles import Roles
from callagain.porting.parity.values import MISSING, Leaf, Missing, leaves
from callagain.porting.running import Kind, Outcome, Snapshot
from callagain.porting.script.values import to_truth
from callagain.result import Result

THE_END = "the end"
_OPERATIONS = ("parse_response", "tool_dispatcher", "append_tool_result")
_ADDED = ("parallel_tool_calls", "tool_choice")
_RAN = (None, "tool_exception")


class LoopComparison:
    """One conversation of both sides.

    found: the traps of the design, by name. What comes behind a place where the two go different ways by a
    trap is not compared, and a note says so.
    """

    def __init__(
        self,
        roles: Roles,
        design: DesignPlayed,
        chain: ChainPlayed,
        result: Result,
        findings: Findings,
        found: frozenset[str],
    ) -> None:
        self._roles = roles
        self._design = design
        self._chain = chain
        self._result = result
        self._findings = findings
        self._found = found
        self._tool_runs = iter(self._runs_of_tools())

    def compare(self) -> None:
        """Everything, in the order in which it happened."""
        operations = _OPERATIONS[:2] if self._roles.has_one_round else _OPERATIONS
        for operation in operations:
            if operation not in self._roles.parts:
                self._findings.note(f"{operation} is not compared: no part of the design does that alone")
        for number in range(1, max(len(self._design.requests), len(self._chain.requests)) + 1):
            if not self._compare_round(number):
                return
        self._compare_final_response()
        if self._compare_outcome():
            self._compare_the_end()

    # One round

    def _compare_round(self, number: int) -> bool:
        """Whether the two go on together."""
        if not self._compare_request(number):
            return False
        self._compare_after("parse_response", number)
        if self._has_more_calls_than_the_design_sees(number):
            return False
        self._compare_after("tool_dispatcher", number)
        self._compare_tool_log(number)
        self._compare_after("append_tool_result", number)
        return True

    def _compare_request(self, number: int) -> bool:
        if number > min(len(self._design.requests), len(self._chain.requests)):
            return True
        after = f"request {number}"
        bodies = self._design.requests[number - 1], self._chain.requests[number - 1]
        for leaf in self._sent("request", *bodies):
            trap = self._known.trap_of("request", leaf)
            self._findings.add(after, "request", leaf, trap)
            if trap is not None and not leaf.path:
                return self._stop(after, trap)
        return True

    def _sent(self, name: str, design: object, python: object) -> Iterator[Leaf]:
        """What differs, but for fields that callagain sends on its own, and empty ones that it leaves out."""
        compared = without_empty_system_message(design, python) if name in MESSAGES else design
        if compared is not design:
            self._findings.left_out("the system message")
        for leaf in guide_leaves(name, compared, python):
            if leaf.path in _ADDED and isinstance(leaf.design, Missing):
                self._findings.added(leaf.path)
            elif leaf.design == [] and isinstance(leaf.python, Missing):
                self._findings.left_out(leaf.path.rpartition(".")[2])
            else:
                yield leaf

    def _compare_after(self, operation: str, number: int) -> None:
        """All variables of the guide that the design has, after an operation of the loop."""
        snapshots, steps = self._snapshots(operation), self._steps(operation)
        if number > min(len(snapshots), len(steps)):
            return
        snapshot, values = snapshots[number - 1], steps[number - 1].after.as_jitterbit()
        for name, python in values.items():
            own = self._roles.named(name)
            if name == "final_response" or self._is_no_count(name) or own not in self._names_in_design:
                continue
            design = snapshot.variables.get(own, MISSING)
            if name == "loop_count" and operation != "parse_response" and _is_one_behind(design, python):
                self._findings.note("the design counts a round at its end: compared after parse_response")
                continue
            call_id = values["tool_call_id"]
            self._compare_guide_variable(f"{operation} {number}", name, design, python, call_id)

    def _compare_guide_variable(
        self, after: str, name: str, design: object, python: object, call_id: object
    ) -> None:
        """call_id: of the call that function_resp answers."""
        for leaf in self._sent(name, design, python):
            at = leaf._replace(call_id=str(call_id)) if name == "function_resp" else leaf
            self._findings.add(after, self._roles.named(name), at, self._known.trap_of(name, at))

    def _has_more_calls_than_the_design_sees(self, number: int) -> bool:
        steps = self._steps("parse_response")
        calls = len(steps[number - 1].after.tool_calls) if number <= len(steps) else 0
        if calls < 2 or FIRST_CALL_ONLY not in self._found or not steps[number - 1].after.call_llm_again:
            return False
        after = f"tool_dispatcher {number}"
        leaf = Leaf("", "the first call is answered", f"{calls} calls are answered")
        self._findings.add(after, "tool_calls", leaf, FIRST_CALL_ONLY)
        return not self._stop(after, FIRST_CALL_ONLY)

    def _compare_tool_log(self, number: int) -> None:
        results = self._result.tool_results
        if number > len(results) or results[number - 1].error not in _RAN:
            return
        run, snapshot = next(self._tool_runs, None), self._tool_snapshot(number)
        if run is None or snapshot is None:
            return
        for leaf in leaves(list(snapshot.log), list(run.log)):
            self._findings.add(f"tool_dispatcher {number}", "operation log", leaf)

    # The end

    def _compare_final_response(self) -> None:
        steps, snapshots = self._steps("extract_final"), self._snapshots("parse_response")
        own = self._roles.named("final_response")
        if not steps or len(snapshots) != len(self._steps("parse_response")):
            return
        python = steps[-1].after.as_jitterbit()["final_response"]
        design = snapshots[-1].variables.get(own, MISSING)
        self._compare_guide_variable("extract_final", "final_response", design, python, None)

    def _compare_outcome(self) -> bool:
        """Whether the two ended in the same way, after the same number of responses."""
        design, python = self._outcome_of_design, str(self._result.outcome)
        error = self._result.error
        if design != python:
            trap = self._trap_of_outcome()
            shown = python if error is None else f"{python}: {error.message}"
            self._findings.add(THE_END, "outcome", Leaf("", self._design.run.error or design, shown), trap)
            return self._stop(THE_END, trap) if trap else False
        # In a single round the dispatcher of a design may run, and do nothing.
        compared = _OPERATIONS[:1] if self._roles.has_one_round else _OPERATIONS
        sent = len(self._design.requests), len(self._chain.requests)
        if sent[0] != sent[1]:
            self._findings.add(THE_END, "how many requests were sent", Leaf("", *sent))
            return False
        for operation in filter(self._roles.parts.get, compared):
            times = len(self._snapshots(operation)), len(self._steps(operation))
            if times[0] != times[1]:
                self._findings.add(THE_END, f"how often {operation} ran", Leaf("", *times))
                return False
        return True

    @property
    def _outcome_of_design(self) -> str:
        if self._design.run.outcome is Outcome.FAILED:
            return "failed"
        if self._roles.has_one_round:
            return "completed"
        again = self._design.variables.get(self._roles.named("call_llm_again"))
        return "limit" if isinstance(again, bool | int | float | str) and to_truth(again) else "completed"

    def _trap_of_outcome(self) -> str | None:
        error = self._result.error
        failed = error is not None and error.operation == "llm_call" and self._has_failed_llm_call
        if failed and FAILED_UNSEEN in self._found:
            return FAILED_UNSEEN
        without_limit = self._roles.limit is None and NO_LIMIT in self._found
        return NO_LIMIT if without_limit and self._result.outcome == "limit" else None

    @property
    def _has_failed_llm_call(self) -> bool:
        """Whether the model could not be asked on the side of the design, either."""
        part = None if self._roles.loop is None else (Kind.OPERATION, self._roles.loop.llm_call)
        return any(
            (each.kind, each.name) == part and each.outcome is Outcome.FAILED
            for each in self._design.run.snapshots
        )

    def _compare_the_end(self) -> None:
        """All global variables, but for Jitterbit's own."""
        design, python = self._design.variables, self._chain.variables
        guide = {self._roles.named(name): name for name in GUIDE_VARIABLES}
        call_id = python.get(self._roles.named("tool_call_id"))
        for name in dict.fromkeys([*design, *python]):
            values = design.get(name, MISSING), python.get(name, MISSING)
            if name.startswith("jitterbit.") or self._is_no_count(guide.get(name)):
                continue
            if name in guide and name not in self._names_in_design:
                if not is_empty(values[1]):
                    self._findings.added(f"${name}")
            elif name in guide:
                self._compare_guide_variable(THE_END, guide[name], *values, call_id)
            else:
                for leaf in leaves(*values):
                    trap = STALE_RESPONSE if self._is_stale else self._known.trap_of(name, leaf)
                    self._findings.add(THE_END, name, leaf, trap)

    def _is_no_count(self, guide_name: str | None) -> bool:
        """A design of one round counts none."""
        return guide_name == "loop_count" and self._roles.has_one_round

    @cached_property
    def _is_stale(self) -> bool:
        """What the design runs behind its loop has read a final_response of an earlier run."""
        own = self._roles.named("final_response")
        has_none = not self._result.final_response
        return bool(self._known.at_limit and has_none and self._design.variables.get(own))

    def _stop(self, after: str, trap: str) -> bool:
        self._findings.note(f"nothing is compared behind {after}, where the two part: {trap}")
        return False

    # What happened

    @cached_property
    def _known(self) -> Circumstances:
        results = self._result.tool_results
        failed = [
            each.id
            for number, each in enumerate(results, 1)
            if each.error == "tool_exception" and self._failed(number)
        ]
        return Circumstances(
            self._found,
            frozenset(failed),
            frozenset(each.id for each in results if each.error == "unknown_tool"),
            at_limit=self._result.outcome == "limit",
            failed=self._result.outcome == "failed" and self._design.run.outcome is Outcome.FAILED,
        )

    def _failed(self, number: int) -> bool:
        """Whether the design's tool failed in this round."""
        return any(each.outcome is Outcome.FAILED for each in self._inside_of_dispatcher(number))

    def _snapshots(self, operation: str) -> Sequence[Snapshot]:
        part = self._roles.parts.get(operation)
        return [each for each in self._design.run.snapshots if (each.kind, each.name) == part]

    def _steps(self, operation: str) -> Sequence[Step]:
        return [each for each in self._result.trace if each.operation == operation and each.problem is None]

    @cached_property
    def _names_in_design(self) -> frozenset[str]:
        names = {name for each in self._design.run.snapshots for name in each.variables}
        return frozenset(names.union(each.name for each in self._roles.design.variables))

    def _inside_of_dispatcher(self, number: int) -> Sequence[Snapshot]:
        """The tools that ran while the dispatcher did, for the so-manieth time."""
        inside: list[Snapshot] = []
        times = 0
        for snapshot in self._design.run.snapshots:
            if (snapshot.kind, snapshot.name) == self._roles.parts.get("tool_dispatcher"):
                times += 1
                if times == number:
                    return inside
                inside = []
            elif (snapshot.kind, snapshot.name) in self._roles.tool_parts:
                inside.append(snapshot)
        return []

    def _tool_snapshot(self, number: int) -> Snapshot | None:
        """The tool's operation; the dispatcher where the branch itself answers."""
        if inside := self._inside_of_dispatcher(number):
            return inside[-1]
        dispatchers = self._snapshots("tool_dispatcher")
        return dispatchers[number - 1] if number <= len(dispatchers) else None

    def _runs_of_tools(self) -> Iterator[Snapshot]:
        """What the tools of the chain ran, in order: by the operation, and by a branch of the dispatcher."""
        names = {each.operation or f"Branch {each.function_name}" for each in self._roles.tools}
        for run in self._chain.runs:
            if run.operation in names:
                yield from (each for each in run.after(run.operation)[:1] if each.kind is Kind.OPERATION)


def _is_one_behind(design: object, python: object) -> bool:
    return isinstance(design, int | float) and isinstance(python, int) and design + 1 == python

"""A run as a walk through its machine: what each operation asked for, what came of it, and where it led.

The log of the run is folded once more, so a walk is the same whether the run is in memory, in a journal or in
a file, and nothing is performed.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from callagain.engine.chain import Chain
from callagain.engine.commands import CallFunction, CallTool, Key, SendRequest
from callagain.engine.json_text import Json
from callagain.engine.links import Link, links_from
from callagain.engine.log_entries import Decision, Entry, Held, Intent, Receipt, Resumed
from callagain.engine.open_commands import OpenCommands
from callagain.engine.problem import Problem
from callagain.engine.receipts import ToolResult
from callagain.engine.run import Outcome, Run, Step
from callagain.engine.run_inputs import Inputs
from callagain.engine.variables import JitterbitValue, Variables

# The response that was received last, by the guide's name for it.
RESPONSE = "jitterbit.response"


@dataclass(frozen=True, slots=True)
class SentRequest:
    """A SendRequest of a walk. A run of many rounds sends what it has sent before again and again.

    kept: its body; or the variables of which it is the InAndOut, and it is put together when it is asked for.
    """

    digest: str
    kept: bytes | Variables = field(repr=False)

    @classmethod
    def of(cls, command: SendRequest, before: Variables) -> "SentRequest":
        """before: the variables of the operation, before it was entered."""
        is_as_it_stands = before.request_bytes == len(command.body) and before.InAndOut == command.body
        return cls(command.digest, before if is_as_it_stands else command.body)

    @property
    def body(self) -> bytes:
        return self.kept if isinstance(self.kept, bytes) else self.kept.InAndOut


AskedFor: TypeAlias = SentRequest | CallTool | CallFunction


@dataclass(frozen=True, slots=True)
class Performed:
    """A command that an operation asked for. receipt: what came of it, None if nothing has.

    held: why it was not performed at once, and decision: what somebody decided then. begun: how often it was
    begun; again where a process ended, or a run was left, and nobody knew what had come of it.
    """

    key: Key
    command: AskedFor
    receipt: Json = None
    held: Held | None = None
    decision: Decision | None = None
    begun: int = 0

    @property
    def begun_before(self) -> int:
        """How often it was begun before, and nothing was kept of what came of it."""
        return max(self.begun - 1, 0)

    @property
    def seconds(self) -> float | None:
        """How long it took, retries and waits included; None where nobody measured it."""
        seconds = self.receipt.get("seconds") if isinstance(self.receipt, dict) else None
        return float(seconds) if isinstance(seconds, int | float) else None


@dataclass(frozen=True, slots=True)
class WalkedStep:
    """An operation that ended. link: by which it was left. performed: in the order of its commands."""

    step: Step
    link: Link
    performed: tuple[Performed, ...] = ()

    @property
    def results(self) -> list[ToolResult]:
        """The tool calls that were answered in this operation."""
        return new_results(self.step)

    @property
    def changes(self) -> list[tuple[str, JitterbitValue, JitterbitValue]]:
        """See `changes`."""
        return changes(self.step)

    @property
    def seconds(self) -> float | None:
        """How long its longest command took; calls of one response run at the same time."""
        known = [each.seconds for each in self.performed if each.seconds is not None]
        return max(known, default=None)


@dataclass(frozen=True, slots=True)
class Walk:
    """state: the operation that comes next, or a final state. waiting: the commands that it waits for.

    misfit: why the walk ends before the log does, in words.
    """

    chain: Chain
    inputs: Inputs
    steps: tuple[WalkedStep, ...]
    state: str
    outcome: Outcome | None
    problem: Problem | None
    variables: Variables
    waiting: tuple[Performed, ...] = ()
    misfit: str | None = None

    @classmethod
    def of(cls, run: Run) -> "Walk":
        """The walk that a run has made so far."""
        return walk(run.chain, run.inputs, run.log)

    @property
    def visits(self) -> Counter[Link]:
        """How often each link was taken."""
        return Counter(each.link for each in self.steps)

    def newly_performed(self) -> Iterator[tuple[WalkedStep, list[Performed]]]:
        """Each step with what was performed in it, without what a resumed run took over from before."""
        known: set[int] = set()
        for each in self.steps:
            yield each, [done for done in each.performed if id(done.receipt) not in known]
            known.update(id(done.receipt) for done in each.performed)

    def timed(self) -> Iterator[tuple[WalkedStep, float]]:
        """The steps in which time was measured, with the seconds of their longest command."""
        for each, performed in self.newly_performed():
            if known := [seconds for done in performed if (seconds := done.seconds) is not None]:
                yield each, max(known)


def walk(chain: Chain, inputs: Inputs, log: Sequence[Entry]) -> Walk:
    """Folds the log over the inputs, as far as it fits: with another chain, or damaged, it may not."""
    run, steps = Run(chain, inputs), list[WalkedStep]()
    said, misfit = _Said(), None
    try:
        for entry in log:
            _go_on(run, said, steps)
            said.take(entry)
            run.apply(entry)
        _go_on(run, said, steps)
    except Exception as error:
        # An operation that meets what it never met may raise anything.
        misfit = f"entry {len(run.log) + 1} of the log, in {run.state}: {type(error).__name__}: {error}"
    # What came of the commands there is what does not fit.
    open_commands = run.open if misfit is None else OpenCommands()
    waiting = said.performed(open_commands, run.variables)
    walked = tuple(steps)
    return Walk(chain, inputs, walked, run.state, run.outcome, run.problem, run.variables, waiting, misfit)


def changes(step: Step) -> list[tuple[str, JitterbitValue, JitterbitValue]]:
    """(name, before, after) of each of the guide's variables that the operation changed, in its order.

    The response as received is among them, as jitterbit.response.
    """
    before, after = variables_of(step.before), variables_of(step.after)
    return [(name, before[name], after[name]) for name in after if before[name] != after[name]]


def variables_of(variables: Variables) -> dict[str, JitterbitValue]:
    """The guide's variables by its names, with the response as received."""
    response = "" if variables.response is None else variables.response.body
    return {**variables.as_jitterbit(), RESPONSE: response}


def new_results(step: Step) -> list[ToolResult]:
    """The tool calls that were answered in this operation."""
    results = step.after.tool_results
    return [results[place] for place in range(len(step.before.tool_results), len(results))]


def link_of(chain: Chain, step: Step) -> Link:
    """The link by which the operation was left."""
    values = {name: guard(step.after) for name, guard in chain.guards.items()}
    own, general = links_from(chain.links, step.operation, step.event)
    for link in (*own, *general):
        if link.target == step.target and link.fires(values):
            return link
    raise LookupError(f"no link of {chain.name} leads from {step.operation} to {step.target}")


class _Said:
    """What the log says of the commands that are open, beside their receipts."""

    def __init__(self) -> None:
        self.open = OpenCommands()
        self._held: dict[Key, Held] = {}
        self._decisions: dict[Key, Decision] = {}
        self._begun: Counter[Key] = Counter()

    def take(self, entry: Entry) -> None:
        match entry:
            case Intent():
                self._begun[entry.key] += 1
            case Held():
                self._held[entry.key] = entry
            case Decision():
                self._decisions[entry.key] = entry
            case Resumed():
                # What is performed again now was known to have failed.
                self._begun.clear()
            case Receipt():
                pass

    def performed(self, open_commands: OpenCommands, before: Variables) -> tuple[Performed, ...]:
        return tuple(
            Performed(
                key,
                SentRequest.of(command, before) if isinstance(command, SendRequest) else command,
                open_commands.receipt(key),
                self._held.get(key),
                self._decisions.get(key),
                self._begun[key],
            )
            for key, command in open_commands.commands.items()
        )


def _go_on(run: Run, said: _Said, steps: list[WalkedStep]) -> None:
    for step in run.walk():
        steps.append(WalkedStep(step, link_of(run.chain, step), said.performed(said.open, step.before)))
        said.open = OpenCommands()
    said.open = run.open

"""One kept run, for people: paragraphs as wide as the terminal."""

import argparse
import sys
from collections.abc import Iterator, Sequence

from callagain.cli.journal_option import resume_command
from callagain.cli.kept_run import KeptRun
from callagain.cli.report import DECISIONS, LIMIT_OPTIONS, happened_in
from callagain.cli.run_words import coloured_status, date_and_time, waits
from callagain.cli.said import said_in
from callagain.cli.terminal import Style, columns, flat, fold, say
from callagain.diagrams.words import EVENTS, title
from callagain.engine.journal.store import StoredCommand
from callagain.engine.links import ON_FAIL

_LABEL_WIDTH = 9
_WHO_WIDTH = 11
_WHAT_WIDTH = 24
_INDENT = " " * 4


class RunParagraphs:
    """Shows one run on stdout."""

    def __init__(self, kept: KeptRun) -> None:
        self._kept = kept
        self._style = Style.of(sys.stdout)
        self._width = columns()

    def show(self, arguments: argparse.Namespace) -> None:
        """arguments: of the command, for the one that goes on with the run."""
        self._show_facts()
        self._show_operations()
        self._show_waiting()
        self._show_messages()
        if self._kept.stored.status not in ("running", "completed"):
            say(f"\n{self._style.bold('go on by')}  {self._way_on(arguments)}")

    def _way_on(self, arguments: argparse.Namespace) -> str:
        stored, run = self._kept.stored, self._kept.run
        if run is not None and run.inputs.output_schema is not None:
            # No option gives the type of an answer.
            return f"loop.resume({stored.run_id!r}), in the program that has its response_format"
        told = DECISIONS.get(stored.kind or "", " ".join(LIMIT_OPTIONS.get(stored.kind or "", [])))
        tools = " --tools FILE.py" if run is not None and run.inputs.tools else ""
        return f"{resume_command(arguments, stored.run_id)}{tools} {told}".rstrip()

    def _show_facts(self) -> None:
        stored, run = self._kept.stored, self._kept.run
        self._line("run", flat(stored.run_id))
        kind = f" ({stored.kind})" if stored.kind else ""
        self._line("status", f"{coloured_status(stored.status, self._style)}{kind}")
        if (result := self._kept.result) is not None and result.error is not None:
            self._line("why", fold(happened_in(result.error), self._width - _LABEL_WIDTH))
        self._line("model", fold(stored.model, self._width - _LABEL_WIDTH))
        self._line("chain", fold(stored.chain, self._width - _LABEL_WIDTH))
        began, changed = date_and_time(stored.created_at), date_and_time(stored.updated_at)
        self._line("times", f"began {began}, changed {changed} UTC")
        if run is not None:
            used = run.variables
            self._line(
                "used",
                f"rounds of tools {used.loop_count}, requests {used.requests}, "
                f"tokens {used.usage.total_tokens:,}",
            )

    def _show_operations(self) -> None:
        say(f"\n{self._style.bold('operations')}")
        commands = self._commands_by_step()
        steps = self._kept.stored.steps
        last = {step.number: place for place, step in enumerate(steps)}
        for place, step in enumerate(steps):
            way = self._style.bad(f"  {EVENTS[step.event]}") if step.event == ON_FAIL else ""
            say(f"{step.number:>2} {self._name(step.operation)}→ {title(step.target)}{way}")
            # A step that was taken up again stands there twice.
            if last[step.number] == place:
                self._show_commands(commands.pop(step.number, []))
        run = self._kept.run
        for number, rest in sorted(commands.items()):
            say(f"{number:>2} {self._name('' if run is None else run.state)}has not ended")
            self._show_commands(rest)

    def _commands_by_step(self) -> dict[int, list[StoredCommand]]:
        found: dict[int, list[StoredCommand]] = {}
        for command in self._kept.commands:
            found.setdefault(command.step, []).append(command)
        return found

    def _show_commands(self, commands: Sequence[StoredCommand]) -> None:
        for command in commands:
            begun = command.begun_at[11:23] if command.begun_at else ""
            seconds = "" if command.seconds is None else f"{command.seconds:.3f} s"
            tried = f"  {command.attempts} attempts" if command.attempts > 1 else ""
            state = command.state if command.state == "done" else self._style.bold(command.state)
            what = fold(command.what, _WHAT_WIDTH)
            say(f"{_INDENT}{what:<{_WHAT_WIDTH}}  {begun:<12}  {seconds:>10}  {state}{tried}")

    def _show_waiting(self) -> None:
        lines = list(self._waiting())
        if lines:
            say(f"\n{self._style.bold('calls that were not run')}")
        for line in lines:
            say(f"{_INDENT}{line}")

    def _waiting(self) -> Iterator[str]:
        for call in self._kept.pending_calls:
            why = f"  {waits(call.why)}" if call.why else ""
            room = self._width - len(_INDENT) - len(why)
            asked = fold(f"{call.id}  {call.name} {call.arguments_text}", room)
            yield f"{asked}{self._style.faint(why)}"

    def _show_messages(self) -> None:
        messages = self._kept.messages
        if messages:
            say(f"\n{self._style.bold('messages')}")
        for message in messages:
            who, what = said_in(message)
            name = fold(who, _WHO_WIDTH)
            say(f"{_INDENT}{name:<{_WHO_WIDTH}} {fold(what, self._width - len(_INDENT) - _WHO_WIDTH - 1)}")

    def _name(self, operation: str) -> str:
        return self._style.bold(f"{title(operation):<19}")

    def _line(self, label: str, text: str) -> None:
        say(f"{self._style.faint(f'{label:<{_LABEL_WIDTH}}')}{text}")

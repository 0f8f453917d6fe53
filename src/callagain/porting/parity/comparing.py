"""A ported package beside the design it came from, case by case."""

from collections.abc import Generator, Sequence
from dataclasses import replace
from pathlib import Path

from callagain.porting.parity.cases import Case, default_cases
from callagain.porting.parity.errors import NotRunError
from callagain.porting.parity.findings import Findings
from callagain.porting.parity.loading import LoadedPackage, loaded_package
from callagain.porting.parity.loops import THE_END, LoopComparison
from callagain.porting.parity.model import CaseResult, Parity, Status
from callagain.porting.parity.played import DesignPlayed, Player
from callagain.porting.parity.roles import Roles
from callagain.porting.parity.scripts import compare_scripts
from callagain.porting.parity.shown import Shown
from callagain.porting.parity.values import Leaf
from callagain.porting.report import find_traps
from callagain.porting.running import Outcome
from callagain.porting.script import to_text


def parity(folder: Path, *, cases: Sequence[Case] | None = None) -> Parity:
    """Runs the cases by the original scripts and by the package, and compares.

    folder: what `callagain port` has written. cases: in place of those that are made of the design.
    The model is played by the answers of the cases; steps that talk to other endpoints are run by the
    functions of the package, on both sides.

    Raises ParityError for a folder that is no ported package, or that cannot be imported.
    """
    return Parity(tuple(case_results(folder, cases=cases)))


def case_results(folder: Path, *, cases: Sequence[Case] | None = None) -> Generator[CaseResult, None, None]:
    """The same, case by case. The package is imported until the last one, or until this is closed."""
    with loaded_package(folder) as package:
        comparison = _Comparison(package)
        for case in default_cases(package.project) if cases is None else cases:
            yield comparison.result(case)


class _Comparison:
    """A package, and what is known of its design."""

    def __init__(self, package: LoadedPackage) -> None:
        self._package = package
        self._roles = Roles.of(package.project)
        traps = find_traps(package.project.design, self._roles.recognition)
        self._found = frozenset(each.trap for each in traps)

    def result(self, case: Case) -> CaseResult:
        project = self._package.project
        values = {**project.variables(), **case.variables}
        shown = Shown(to_text(values.get(each.name)) for each in project.design.variables if each.is_secret)
        findings = Findings(case.name, shown)
        try:
            self._compare(case, findings)
        except NotRunError as error:
            reason = shown.line(str(error))
            return CaseResult(shown.line(case.name), Status.NOT_RUN, reason=reason)
        return findings.result()

    def _compare(self, case: Case, findings: Findings) -> None:
        operation = case.operation or self._roles.main
        if operation is None:
            raise NotRunError(
                "no operation of the design begins a tool-calling loop; give the case an operation"
            )
        if case.operation is None:
            case = self._with_tools(case, findings)
        player = Player(self._package, self._roles, case)
        design = player.design(operation)
        if self._package.project.python:
            compare_scripts(design.run, player.design(operation, python=True).run, findings)
        if case.operation is None:
            self._compare_chain(player, design, findings)
        elif self._roles.main is None and self._package.ask is not None:
            findings.note("the chain is not compared: no operation of the design begins a tool-calling loop")

    def _with_tools(self, case: Case, findings: Findings) -> Case:
        """The case, with the tools of the package where the design does not say what they are."""
        loop, tools = self._roles.loop, self._package.tools
        if loop is None or tools is None or self._roles.says(loop.tools_variable):
            return case
        findings.note(f"the design does not say what ${loop.tools_variable} is: tools.json stands in for it")
        return replace(case, variables={loop.tools_variable: tools, **case.variables})

    def _compare_chain(self, player: Player, design: DesignPlayed, findings: Findings) -> None:
        if self._package.ask is None:
            findings.note("the package has no chain: its scripts alone are compared")
            return
        chain = player.chain(self._package.ask)
        if chain.result is not None:
            LoopComparison(self._roles, design, chain, chain.result, findings, self._found).compare()
            return
        if design.run.outcome is not Outcome.FAILED:
            findings.add(THE_END, "outcome", Leaf("", design.run.outcome.value, f"failed: {chain.error}"))
        else:
            findings.note("an operation beside the loop failed on both sides: the loop is not compared")

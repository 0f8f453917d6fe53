"""Runs of a loop as live ones: new, or taken up from where they are kept, with what a loop has for them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic

from callagain.approval import Approval, Approver
from callagain.connectors.means import Means
from callagain.connectors.performer import LoopPerformer
from callagain.connectors.stop_watch import StopWatch
from callagain.connectors.tool_calls import ToolCalls
from callagain.engine.chain import Chain
from callagain.engine.errors import SnapshotError
from callagain.engine.journal.snapshot import RunContent, content_of, run_of_content
from callagain.engine.run import Run
from callagain.engine.run_inputs import Inputs
from callagain.extended_chain import extended_chain
from callagain.extensions.valid_output import FAULTS_IN_OUTPUT
from callagain.keeping import KeptElsewhere, kept_in
from callagain.kept_runs import content_in, is_run_id, known_entries
from callagain.live_run import LiveRun
from callagain.observers import Observations, ObservedRun, Observer
from callagain.operation_log import LogPayloads, OperationLog, default_logger
from callagain.output_format import Output, OutputFormat, OutputReader
from callagain.recording import FailedRuns, Records
from callagain.result import Result
from callagain.settings_check import checked


@dataclass(frozen=True)
class LiveRuns(Generic[Output]):
    """What is given is checked here. Raises ConfigurationError.

    inputs: what a run of the loop begins with, of which a kept one has to have the tools, the API and the
    schema of the answer. log: the logger, or None for the default one, and what it holds of texts. output:
    what the answer has to be. observers: of every run.
    """

    means: Means
    inputs: Inputs
    chain: Chain
    approver: Approver | None
    records: Records
    max_concurrent_tools: int
    log: tuple[Any, LogPayloads]
    output: OutputFormat | None
    observers: Sequence[Observer] = ()

    def __post_init__(self) -> None:
        checked("chain", self.chain)
        checked("approver", self.approver)
        checked("max_concurrent_tools", self.max_concurrent_tools)
        checked("logger", self.log[0])
        checked("log_payloads", self.log[1])
        object.__setattr__(self, "observers", tuple(checked("observers", self.observers)))

    def chain_for(self, inputs: Inputs) -> Chain:
        """With the extensions that these inputs want."""
        return extended_chain(self.chain, inputs)

    def content(self, run: Result[object] | str | bytes) -> RunContent:
        """Of a result, a snapshot, or the id of a run in the journal. Raises SnapshotError, JournalError."""
        if isinstance(run, str) and is_run_id(run):
            return content_in(self.records.journal, run)
        return content_of(run.snapshot() if isinstance(run, Result) else run, self.records.snapshot_key)

    def taken_up(self, run: Result[object] | str | bytes, *, kept_elsewhere: bool = False) -> LiveRun[Output]:
        """The run where it stands. Raises SnapshotError, JournalError."""
        content = self.content(run)
        # Other tools than it began with do not matter to a run that has its answer.
        tools = content.inputs.tools if content.outcome == "completed" else self.inputs.tools
        taken_up = run_of_content(content, self.chain_for, tools)
        if taken_up.inputs.api != self.inputs.api:
            api = taken_up.inputs.api
            raise SnapshotError(f"the run speaks the API {api}; resume it by a loop with api={api!r}")
        if taken_up.inputs.output_schema != self.inputs.output_schema:
            raise SnapshotError(
                "the answer of the run has another schema than this loop's response_format; resume it by a "
                "loop with the response_format that it began with, or without one if it had none"
            )
        known = None
        if isinstance(run, str) and is_run_id(run):
            known = len(content.log)
        elif self.records.journal is not None:
            known = known_entries(self.records.journal, taken_up)
        return self.live(taken_up, known, kept_elsewhere=kept_elsewhere)

    def live(self, run: Run, known: int | None = None, *, kept_elsewhere: bool = False) -> LiveRun[Output]:
        """known: how many entries of the run the journal has; None if it does not know it.

        kept_elsewhere: neither the journal nor the approver has to do with it.
        """
        logger, payloads = self.log
        endpoint = self.means.endpoint
        log = OperationLog(run, logger or default_logger(), payloads, endpoint.hide_secrets)
        means, reader = self.means, self.output and OutputReader(self.output, endpoint.hide_secrets)
        if reader is not None:
            # The value that the run finds is the one that its result gives.
            means = replace(means, functions={**means.functions, FAULTS_IN_OUTPUT: reader.faults})
        tool_calls = ToolCalls(means, log.tools.exception, log.tools.line)
        approver = None if kept_elsewhere else self.approver
        return LiveRun(
            run,
            LoopPerformer(means, tool_calls, StopWatch(means.clock)),
            log.write,
            observations=Observations(
                self.observers, ObservedRun(run, endpoint.hide_secrets, endpoint.base_url)
            ),
            keeping=KeptElsewhere(run) if kept_elsewhere else kept_in(self.records.journal, run, known),
            approval=approver and Approval(run, tool_calls, approver, log.approver_failed),
            failed_runs=FailedRuns(
                self.records.folder_of_failures, self.records.snapshot_key, log.not_recorded
            ),
            snapshot_key=self.records.snapshot_key,
            read_output=reader and reader.value_of,
            max_concurrent_tools=self.max_concurrent_tools,
            clock=self.means.clock,
        )

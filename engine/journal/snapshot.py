"""A run as one JSON text, for another time or another process, and the run that is made of it again.

    {"callagain": "snapshot", "version": 1, "fingerprint": "…", "run_id": "…", "outcome": "suspended",
     "inputs": {…}, "log": [{…}, …], "steps": [{…}, …], "checksum": "…"}

The text holds the inputs and the log, and digests of what each operation left behind, for a replay. The keys
of an endpoint are in none of it; what was said, and what the tools were told and returned, is there in full.

It is to be kept as a text: a column that sorts the members of objects (PostgreSQL's jsonb) would change the
requests, which are written from them in their order.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast

from callagain.engine.chain import Chain
from callagain.engine.errors import CallAgainError, EntryError, SnapshotError
from callagain.engine.journal.dataclass_json import as_json, from_json
from callagain.engine.journal.entries_json import entry_as_json, entry_from_json
from callagain.engine.journal.fingerprint import difference, fingerprint
from callagain.engine.journal.seal import sealed, unsealed
from callagain.engine.journal.steps import KeptStep, kept_step
from callagain.engine.json_text import MAX_DEPTH, JsonObject, decode, encode
from callagain.engine.log_entries import Entry
from callagain.engine.run import Outcome, Run
from callagain.engine.run_inputs import AnnouncedTool, Inputs

VERSION = 1

# The values inside may be as deep as JSON may be anywhere, and stand some levels down themselves.
_MAX_DEPTH = 2 * MAX_DEPTH
_MESSAGE_CHARS = 300


@dataclass(frozen=True, slots=True)
class RunContent:
    """What is sealed. run_id and outcome follow from the rest: they stand here for whoever looks into it."""

    callagain: Literal["snapshot"]
    version: int
    fingerprint: str
    run_id: str
    outcome: Outcome | None
    inputs: Inputs
    log: tuple[JsonObject, ...]
    steps: tuple[KeptStep, ...]


def snapshot(run: Run, key: bytes | None = None) -> str:
    """The run as it stands, in one line. key: signs it; without one it gets a checksum.

    A lone surrogate becomes U+FFFD, as it does wherever a text is sent.
    Raises SnapshotError if the inputs or the log hold something that is no JSON, or a profile of a subclass.
    """
    try:
        content = RunContent(
            callagain="snapshot",
            version=VERSION,
            fingerprint=fingerprint(run.chain, run.inputs),
            run_id=run.inputs.run_id,
            outcome=run.outcome,
            inputs=run.inputs,
            log=tuple(entry_as_json(entry) for entry in run.log),
            steps=tuple(map(kept_step, run.trace)),
        )
    except ValueError as error:
        raise _not_kept(error) from error
    return text_of(content, key)


def text_of(content: RunContent, key: bytes | None = None) -> str:
    """The snapshot with this content, as `snapshot` gives it. Raises SnapshotError."""
    try:
        # What is sealed is what will be read, so nothing is written that could not be read again.
        as_read = _decoded(encode(as_json(content)).decode())
        return encode(sealed(as_read, key)).decode()
    except ValueError as error:
        raise _not_kept(error) from error


def run_of(
    text: str | bytes,
    chain: Chain | Callable[[Inputs], Chain],
    tools: Sequence[AnnouncedTool],
    key: bytes | None = None,
) -> Run:
    """The run of a snapshot, walked to where it stands. It goes on with its own inputs.

    chain, tools: those of the loop that takes it up, which have to be the ones that it began with; where the
    chain depends on what the run began with, a function of its inputs. key: the one that signed it. A
    checksum protects from nobody: without a key, take only what nobody else can write.
    Raises SnapshotError, and nothing else whatever the text; its message says in one line what to do.
    """
    return run_of_content(content_of(text, key), chain, tools)


def run_of_content(
    content: RunContent, chain: Chain | Callable[[Inputs], Chain], tools: Sequence[AnnouncedTool]
) -> Run:
    """The same of what was read already. Raises SnapshotError."""
    inputs, then = content.inputs, content.fingerprint
    entries = entries_of(content)
    chain = chain if isinstance(chain, Chain) else _chain_for(inputs, chain)
    now = fingerprint(chain, replace(inputs, tools=tuple(tools)))
    if not then == now == fingerprint(chain, inputs):
        raise _of_another_loop(difference(chain, tools, inputs.tools))
    return _folded(chain, inputs, entries)


def content_of(text: str | bytes, key: bytes | None = None) -> RunContent:
    """What a snapshot holds. Raises SnapshotError."""
    return _content(unsealed(_snapshot_in(text), key))


def _chain_for(inputs: Inputs, chain: Callable[[Inputs], Chain]) -> Chain:
    try:
        return chain(inputs)
    except CallAgainError as error:
        raise _of_another_loop(error) from error


def _snapshot_in(text: str | bytes) -> JsonObject:
    """The JSON of a snapshot of this version, whole or not."""
    if not isinstance(cast("object", text), str | bytes):
        raise SnapshotError(
            f"a snapshot is the text that result.snapshot() gave, not a {type(text).__name__}"
        )
    try:
        value = _decoded(text.decode() if isinstance(text, bytes) else text)
    except ValueError as error:
        raise SnapshotError(
            f"the snapshot is no JSON text ({_one_line(error)}); it may have been cut off: take it again "
            "from where it was kept"
        ) from error
    if value.get("callagain") != "snapshot":
        raise SnapshotError("this is no snapshot of a run; give the text that result.snapshot() gave")
    if value.get("version") != VERSION:
        raise SnapshotError(
            f"the snapshot has version {_one_line(value.get('version'))}, and this callagain reads "
            f"{VERSION}; use the callagain that wrote it"
        )
    return value


def _content(value: JsonObject) -> RunContent:
    try:
        return from_json(RunContent, value, "snapshot")
    except ValueError as error:
        raise _of_another_form(error) from error


def entries_of(content: RunContent) -> list[Entry]:
    """The log of a snapshot. Raises SnapshotError."""
    entries: list[Entry] = []
    for number, value in enumerate(content.log, 1):
        try:
            entries.append(entry_from_json(value))
        except ValueError as error:
            raise _of_another_form(f"entry {number} of its log: {error}") from error
    return entries


def _not_kept(why: object) -> SnapshotError:
    return SnapshotError(f"the run cannot be kept: {_one_line(why)}")


def _of_another_loop(why: object) -> SnapshotError:
    return SnapshotError(
        f"the snapshot is of another loop: {_one_line(why)}; resume it with the chain and the tools that it "
        "began with, or begin a new run"
    )


def _of_another_form(why: object) -> SnapshotError:
    return SnapshotError(
        f"the snapshot is not of the form that this callagain reads ({_one_line(why)}); use the callagain "
        "that wrote it"
    )


def _folded(chain: Chain, inputs: Inputs, log: Sequence[Entry]) -> Run:
    run = Run(chain, inputs)
    try:
        for entry in log:
            run.apply(entry)
        for _ in run.walk():
            pass
    except Exception as error:
        # Given a receipt that is none, an operation may raise anything.
        words = str(error) if isinstance(error, EntryError) else f"{type(error).__name__}: {error}"
        raise SnapshotError(
            f"the log of the snapshot does not fit the chain after {len(run.log)} of {len(log)} entries, in "
            f"{run.state} ({_one_line(words)}); resume it with the operations and the callagain that it "
            "began with, from the text as it was written"
        ) from error
    return run


def _decoded(text: str) -> JsonObject:
    """The members of a JSON object. What is JSON, but no object, has none."""
    value = decode(text, unique_keys=True, max_depth=_MAX_DEPTH)
    return value if isinstance(value, dict) else {}


def _one_line(words: object) -> str:
    return " ".join(str(words).split())[:_MESSAGE_CHARS]

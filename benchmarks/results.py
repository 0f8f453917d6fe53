"""What a session found out, as a JSON file."""

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, cast

from benchmarks.measurement import Measured


@dataclass(frozen=True, slots=True)
class Sample:
    """One measurement, and that of the baseline of the same turn, if the peer has one."""

    work: str
    peer: str
    repeat: int
    own: Measured
    baseline: Measured | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A peer that could not be installed, or did not do a work. why: one line."""

    peer: str
    work: str
    why: str


@dataclass(frozen=True, slots=True)
class EngineShare:
    """What the engine costs where everything is answered at once. seconds_per_round: of each repeat.
    parts: by name, the share of the profiled time, 1.0 for all. calls_per_round: of Python functions."""

    seconds_per_round: list[float]
    parts: dict[str, float]
    calls_per_round: float


@dataclass(slots=True)
class Results:
    """machine: by name, what it is. versions: of each peer's packages. imports: CPU seconds by module."""

    machine: dict[str, str]
    versions: dict[str, dict[str, str]] = field(default_factory=dict[str, dict[str, str]])
    samples: list[Sample] = field(default_factory=list[Sample])
    imports: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    engine: EngineShare | None = None
    failures: list[Failure] = field(default_factory=list[Failure])

    def write(self, path: Path) -> None:
        """All at once: whoever interrupts this leaves the old file whole. A line for each sample."""
        members = [f"{json.dumps(name)}: {_written(value)}" for name, value in asdict(self).items()]
        write_whole(path, "{\n" + ",\n".join(members) + "\n}\n")

    @classmethod
    def read(cls, path: Path) -> "Results":
        read: dict[str, Any] = json.loads(path.read_text("utf-8"))
        return cls(
            machine=read["machine"],
            versions=read["versions"],
            samples=[_sample(each) for each in read["samples"]],
            imports=read["imports"],
            engine=EngineShare(**read["engine"]) if read["engine"] else None,
            failures=[Failure(**each) for each in read["failures"]],
        )


def _sample(read: dict[str, Any]) -> Sample:
    baseline = Measured(**read["baseline"]) if read["baseline"] else None
    return Sample(read["work"], read["peer"], read["repeat"], Measured(**read["own"]), baseline)


def _written(value: object) -> str:
    if not isinstance(value, list):
        return json.dumps(value)
    return "[\n" + ",\n".join(json.dumps(each) for each in cast(list[object], value)) + "\n]"


def write_whole(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_name(path.name + ".unfinished")
    unfinished.write_text(text, "utf-8")
    os.replace(unfinished, path)

"""The tables of a session, in Markdown."""

from collections import Counter
from collections.abc import Iterable, Sequence

from benchmarks.figures import (
    Figure,
    busy,
    cpu,
    figure,
    median_of,
    memory,
    ratio,
    throughput,
    throughput_of_cpu,
    wall,
)
from benchmarks.goals import Row, rows
from benchmarks.results import Results
from benchmarks.roster import JOURNALED, PEERS, Peer
from benchmarks.works import AT_ONCE, JOURNAL, LONG, ONE_AFTER_THE_OTHER, ROUNDS_50, WORKS, Work

NOTHING = "–"


def table(head: Sequence[str], lines: Iterable[Sequence[str]], *, of_numbers: bool = True) -> str:
    """Empty if there are no lines."""
    written = [f"| {' | '.join(line)} |" for line in lines]
    if not written:
        return ""
    rule = "|".join(["---", *["---:" if of_numbers else "---"] * (len(head) - 1)])
    return "\n".join([f"| {' | '.join(head)} |", f"|{rule}|", *written]) + "\n"


def number(value: float | None) -> str:
    """With three digits that count."""
    if value is None:
        return NOTHING
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def spread(figure: Figure | None) -> str:
    """The median, and between what it lies."""
    if figure is None:
        return NOTHING
    return f"{number(figure.median)} ({number(figure.least)} to {number(figure.most)})"


def per_cent(share: float) -> str:
    """With two digits that count, for shares below all."""
    return f"{100 * share:.2g} %" if share < 1 else f"{100 * share:.0f} %"


def goals(results: Results) -> str:
    head = ["work", "goal", "sync", "async"]
    return table(head, [_goal_line(row) for row in rows(results) if row.is_measured], of_numbers=False)


def _goal_line(row: Row) -> list[str]:
    return [row.work, _goal(row), *(_held_against(row, value) for value in (row.sync, row.asynchronous))]


def _goal(row: Row) -> str:
    return f"{'at least' if row.is_least else 'at most'} {number(row.goal)}"


def _held_against(row: Row, found: Figure | None) -> str:
    if found is None:
        return NOTHING
    missed_by = row.missed_by(found.median)
    return f"{spread(found)} {f'**missed by {per_cent(missed_by)}**' if missed_by > 0 else 'reached'}"


def missed(results: Results) -> str:
    """A line for each goal that is missed."""
    lines: list[str] = []
    for row in rows(results):
        for kind, found in (("sync", row.sync), ("async", row.asynchronous)):
            if found and (missed_by := row.missed_by(found.median)) > 0:
                measured = f"{found.median:.4g} instead of {_goal(row)}"
                lines.append(f"- {row.work}, {kind}: {measured}, missed by {per_cent(missed_by)}\n")
    return "".join(lines) or "None.\n"


def costs(results: Results) -> str:
    """CPU of a run in ms, and what that is of the baseline's."""
    works = [work for work in ONE_AFTER_THE_OTHER if _has(results, work)]
    head = ["client CPU of a run: ms, and × plain SDK loop", *(work.title for work in works)]
    found = [
        [_name(results, peer), *(_cost(results, work, peer) for work in works)] for peer in PEERS.values()
    ]
    return table(head, [line for line in found if set(line[1:]) - {NOTHING}])


def _cost(results: Results, work: Work, peer: Peer) -> str:
    own, against = figure(results, work, peer, cpu), ratio(results, work, peer, cpu)
    if own is None:
        return NOTHING
    return number(own.median) + (f" (× {number(against.median)})" if against else "")


def long_runs(results: Results) -> str:
    head = ["client CPU of a round, ms", "of 50", "of 1,000", "×"]
    lines: list[list[str]] = []
    for peer in PEERS.values():
        short, long = figure(results, ROUNDS_50, peer, cpu), figure(results, LONG, peer, cpu)
        if short and long:
            of_short, of_long = short.median / ROUNDS_50.task.rounds, long.median / LONG.task.rounds
            lines.append([peer.title, number(of_short), number(of_long), number(of_long / of_short)])
    return table(head, lines)


def journal(results: Results) -> str:
    head = ["20 rounds", "CPU, ms", "× without a journal", "time, ms", "× without a journal"]
    lines: list[list[str]] = []
    for peer in JOURNALED:
        line = [peer.title]
        for read in (cpu, wall):
            own, against = figure(results, JOURNAL, peer, read), ratio(results, JOURNAL, peer, read)
            line += [number(median_of(own)), number(median_of(against))]
        lines.append(line)
    return table(head, [line for line in lines if set(line[1:]) != {NOTHING}])


def at_once(results: Results) -> str:
    many = AT_ONCE[-1]
    head = ["1,000 runs at once", "runs/s", "×", "runs per CPU second", "MB above idle", "×", "endpoint busy"]
    lines: list[list[str]] = []
    for peer in many.peers:
        if figure(results, many, peer, cpu) is None:
            continue
        line = [_name(results, peer)]
        for read, against in ((throughput, True), (throughput_of_cpu, False), (memory, True)):
            line.append(number(median_of(figure(results, many, peer, read))))
            if against:
                line.append(number(median_of(ratio(results, many, peer, read))))
        used = figure(results, many, peer, busy)
        lines.append([*line, f"{used.median:.0f} %" if used else NOTHING])
    return table(head, lines)


def throughputs(results: Results) -> str:
    head = ["runs a second", *(work.title for work in AT_ONCE)]
    lines = [
        [peer.title, *(number(median_of(figure(results, work, peer, throughput))) for work in AT_ONCE)]
        for peer in AT_ONCE[0].peers
    ]
    return table(head, [line for line in lines if set(line[1:]) != {NOTHING}])


def engine(results: Results) -> str:
    if results.engine is None:
        return ""
    head = ["part of the engine's own share", "of its profiled time"]
    calls = f"A round is {results.engine.calls_per_round:.0f} calls of Python functions.\n"
    parts = results.engine.parts.items()
    return "\n".join([table(head, [[part, f"{share:.0%}"] for part, share in parts]), calls])


def failures(results: Results) -> str:
    """Nothing if nothing failed."""
    head = ["failed", "why", "times"]
    found = Counter((f"{each.peer}, {each.work}", each.why.replace("|", "\\|")) for each in results.failures)
    return table(head, [[what, why, str(times)] for (what, why), times in found.items()], of_numbers=False)


def versions(results: Results) -> str:
    found: dict[str, list[str]] = {}
    for peer in PEERS.values():
        packages = results.versions.get(peer.name, {})
        told = ", ".join(f"{package} {version}" for package, version in packages.items())
        found.setdefault(told, []).append(peer.title)
    lines = [[told, "; ".join(titles)] for told, titles in found.items() if told]
    return table(["packages", "of"], lines, of_numbers=False)


def machine(results: Results) -> str:
    return table(["machine", ""], list(results.machine.items()), of_numbers=False)


def imports(results: Results) -> str:
    """CPU seconds."""
    head = ["CPU of an import", "ms"]
    found = {module: Figure.of(1000 * each for each in times) for module, times in results.imports.items()}
    return table(head, [[f"`import {module}`", spread(figure)] for module, figure in found.items()])


def endpoint_share(results: Results) -> str:
    """How busy the endpoint was where it was busiest."""
    found = [
        (used.median, f"{PEERS[peer].title}, {WORKS[work].title}")
        for work, peer in dict.fromkeys((sample.work, sample.peer) for sample in results.samples)
        if (used := figure(results, WORKS[work], PEERS[peer], busy))
    ]
    if not found:
        return ""
    most, where = max(found)
    return f"The endpoint was busy for {most:.0f} % of a core at the most ({where}).\n"


def _has(results: Results, work: Work) -> bool:
    return any(sample.work == work.name for sample in results.samples)


def _name(results: Results, peer: Peer) -> str:
    versions = results.versions.get(peer.name, {})
    return f"{peer.title} {next(iter(versions.values()), '')}".strip()


def everything(results: Results) -> str:
    """All tables for which something was measured."""
    parts = (
        goals,
        costs,
        long_runs,
        journal,
        throughputs,
        at_once,
        imports,
        engine,
        failures,
        endpoint_share,
    )
    return "\n".join(text for part in parts if (text := part(results)))

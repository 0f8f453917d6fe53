"""The tables of a session, in Markdown."""

from collections.abc import Iterable, Sequence

from benchmarks.figures import (
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


def table(head: Sequence[str], lines: Iterable[Sequence[str]]) -> str:
    """Empty if there are no lines."""
    written = [f"| {' | '.join(line)} |" for line in lines]
    if not written:
        return ""
    rule = "|".join(["---", *["---:"] * (len(head) - 1)])
    return "\n".join([f"| {' | '.join(head)} |", f"|{rule}|", *written]) + "\n"


def number(value: float | None) -> str:
    """With three digits that count."""
    if value is None:
        return NOTHING
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def goals(results: Results) -> str:
    head = ["work", "goal", "sync", "async"]
    return table(head, [_goal_line(row) for row in rows(results) if row.is_measured])


def _goal_line(row: Row) -> list[str]:
    goal = f"{'at least' if row.is_least else 'at most'} {number(row.goal)}"
    return [row.work, goal, *(_held_against(row, value) for value in (row.sync, row.asynchronous))]


def _held_against(row: Row, value: float | None) -> str:
    if value is None:
        return NOTHING
    return f"{number(value)} {'reached' if row.is_reached_by(value) else 'missed'}"


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


def engine(results: Results) -> str:
    if results.engine is None:
        return ""
    return table(
        ["part of the engine's own share", "of its profiled time"],
        [[part, f"{share:.0%}"] for part, share in results.engine.parts.items()],
    )


def failures(results: Results) -> str:
    head = ["left out", "why"]
    return table(head, [[f"{each.peer}, {each.work}", each.why] for each in results.failures])


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
    parts = (goals, costs, long_runs, journal, at_once, engine, failures, endpoint_share)
    return "\n".join(text for part in parts if (text := part(results)))

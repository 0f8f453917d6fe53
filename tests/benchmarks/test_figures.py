"""What is worked out of samples, and what the tables say of it."""

from pathlib import Path

from benchmarks.figures import Figure, cpu, figure, growth, ratio, throughput
from benchmarks.measurement import Measured
from benchmarks.results import Failure, Results, Sample
from benchmarks.roster import OURS, OURS_ASYNC
from benchmarks.tables import everything, goals, number, table
from benchmarks.works import AT_ONCE, LONG, ONE_ROUND, ROUNDS_50

PAIRS = [(2.0, 4.0), (1.0, 4.0), (9.0, 3.0)]


def results() -> Results:
    samples = [
        Sample(ONE_ROUND.name, OURS.name, repeat, Measured(1, own, own), Measured(1, other, other))
        for repeat, (own, other) in enumerate(PAIRS)
    ]
    return Results({"cores": "2"}, samples=samples, failures=[Failure("burr", "install", "no network")])


def test_a_ratio_is_the_median_of_the_ratios_of_each_turn() -> None:
    assert ratio(results(), ONE_ROUND, OURS, cpu) == Figure(0.5, 0.25, 3.0)
    assert figure(results(), ONE_ROUND, OURS, cpu) == Figure(2000, 1000, 9000)


def test_throughput_is_the_better_the_less_time_a_run_takes() -> None:
    assert ratio(results(), ONE_ROUND, OURS, throughput) == Figure(2.0, 1 / 3, 4.0)


def test_what_was_not_measured_has_no_figure() -> None:
    assert figure(results(), ONE_ROUND, OURS_ASYNC, cpu) is None
    assert ratio(results(), ROUNDS_50, OURS, cpu) is None


def test_growth_compares_the_cost_of_a_round() -> None:
    samples = [
        Sample(ROUNDS_50.name, OURS.name, 0, Measured(1, 0.05, 0.05)),
        Sample(LONG.name, OURS.name, 0, Measured(1, 2.0, 2.0)),
    ]
    assert growth(Results({}, samples=samples), LONG, ROUNDS_50, OURS) == Figure(2.0, 2.0, 2.0)


def test_a_goal_stands_beside_what_was_measured() -> None:
    measured = results()
    own, other = Measured(1000, 0.004, 0.004, 30.0), Measured(1000, 0.02, 0.02, 40.0)
    measured.samples.append(Sample(AT_ONCE[-1].name, OURS_ASYNC.name, 0, own, other))
    assert "| 1 round | at most 0.65 | 0.5 (0.25 to 3) reached | – |" in goals(measured)
    assert "| 1,000 runs at once: throughput | at least 4.5 | – | 5 (5 to 5) reached |" in goals(measured)
    assert "| 1,000 runs at once: memory | at most 1.5 | – | 0.75 (0.75 to 0.75) reached |" in goals(measured)


def test_a_peer_that_failed_is_in_the_tables_with_its_reason() -> None:
    assert "| burr, install | no network | 1 |" in everything(results())


def test_a_table_without_lines_is_left_out() -> None:
    assert table(["a", "b"], []) == ""
    assert table(["a", "b"], [["1", "2"]]) == "| a | b |\n|---|---:|\n| 1 | 2 |\n"


def test_numbers_have_three_digits_that_count() -> None:
    assert [number(each) for each in (None, 0.12345, 12.345, 1234.5)] == ["–", "0.123", "12.3", "1234"]


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "new" / "results.json"
    results().write(file)
    assert Results.read(file) == results()
    assert [each.name for each in file.parent.iterdir()] == ["results.json"]

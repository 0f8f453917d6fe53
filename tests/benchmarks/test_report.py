"""The page about performance shows the results that are committed with it, and so do its plots."""

from xml.etree import ElementTree

import pytest
from benchmarks.measurement import Measured
from benchmarks.places import PAGE, PLOTS, RESULTS
from benchmarks.plots import COLOURS, LINES, TEXT_COLOUR, Plot, plots
from benchmarks.report import BLOCKS, filled
from benchmarks.results import Results, Sample
from benchmarks.roster import LIBRARIES, OURS, OURS_ASYNC, SDK_ASYNC
from benchmarks.tables import goals, missed
from benchmarks.works import AT_ONCE, ONE_ROUND, ROUNDS_20, ROUNDS_50

SVG = "{http://www.w3.org/2000/svg}"
IDENTIFIER = "{http://purl.org/dc/elements/1.1/}identifier"
BACKGROUNDS = ("#ffffff", "#0d1117")


def some_results() -> Results:
    samples = [
        Sample(work.name, peer.name, 0, Measured(1, cpu, cpu))
        for peer in (SDK_ASYNC, OURS_ASYNC, *LIBRARIES)
        for work, cpu in ((ONE_ROUND, 0.003), (ROUNDS_50, 0.4), (AT_ONCE[0], 0.9), (AT_ONCE[-1], 0.01))
    ]
    return Results({}, samples=samples)


def some_page() -> str:
    blocks = [f"About {name}:\n<!-- measured: {name} -->\n<!-- end -->\n" for name in BLOCKS]
    return "# Title\n" + "".join(blocks)


def test_the_page_shows_the_committed_results() -> None:
    page = PAGE.read_text("utf-8")
    assert page == filled(page, Results.read(RESULTS)), "run python -m benchmarks --report"


def test_the_plots_show_the_committed_results() -> None:
    for plot in plots(Results.read(RESULTS)):
        shown = ElementTree.parse(PLOTS / f"{plot.name}.svg").findtext(f".//{IDENTIFIER}")
        assert shown == plot.digest, "run python -m benchmarks --report"


@pytest.mark.parametrize("plot", plots(some_results()), ids=lambda plot: plot.name)
def test_a_plot_is_a_picture_with_its_labels_as_texts(plot: Plot) -> None:
    picture = ElementTree.fromstring(plot.svg())
    texts = {element.text for element in picture.iter(f"{SVG}text")}
    assert picture.tag == f"{SVG}svg"
    assert {plot.title, plot.x_label, plot.y_label, *(line.title for line in plot.lines)} <= texts
    assert {"callagain", "plain SDK loop", "LangGraph"} <= texts


@pytest.mark.parametrize("colour", [TEXT_COLOUR, *COLOURS, *(colour for colour, _, _ in LINES.values())])
def test_a_colour_stands_out_on_light_and_on_dark_ground(colour: str) -> None:
    """As https://www.w3.org/TR/WCAG22/#non-text-contrast wants it."""
    for background in BACKGROUNDS:
        darker, lighter = sorted((luminance(colour), luminance(background)))
        assert (lighter + 0.05) / (darker + 0.05) >= 3


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_every_library_has_a_colour_of_its_own() -> None:
    assert len(set(COLOURS)) == len(COLOURS) >= len(LIBRARIES)


def test_a_missed_goal_is_marked_with_how_far_it_is_missed() -> None:
    own, other = (0.228, 1.0), (0.1, 1.0)
    results = Results({})
    for repeat, (cpu, base) in enumerate((own, other, own)):
        results.samples.append(
            Sample(ROUNDS_20.name, OURS.name, repeat, Measured(1, cpu, cpu), Measured(1, base, base))
        )
    assert "| 20 rounds | at most 0.19 | 0.228 (0.1 to 0.228) **missed by 20 %** | – |" in goals(results)
    assert missed(results) == "- 20 rounds, sync: 0.228 instead of at most 0.19, missed by 20 %\n"


def test_what_stands_around_the_blocks_stays() -> None:
    page = filled(some_page(), some_results())
    assert page.startswith("# Title\nAbout goals:\n<!-- measured: goals -->\n\n")
    assert all(f"\nAbout {name}:\n<!-- measured: {name} -->\n" in page for name in BLOCKS)
    assert "| callagain, async | 3 |" in page
    assert filled(page, some_results()) == page


@pytest.mark.parametrize("name", ["cost", "goals"])
def test_a_page_with_other_blocks_is_refused(name: str) -> None:
    page = some_page().replace("measured: costs", f"measured: {name}")
    with pytest.raises(ValueError, match=f"must be goals, .*, not .*{name}"):
        filled(page, some_results())

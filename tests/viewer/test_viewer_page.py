"""The page of a run, as its reader uses it: in a real browser."""

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.viewer.runs import long_run, look_up, two_rounds

from callagain import TOOL_CALLING_LOOP, ToolLoop, tool
from callagain.diagrams.walk import SentRequest, Walk
from callagain.engine.operation import Script
from callagain.engine.variables import Variables
from callagain.testing import Answer, calls
from callagain.testing.plugin import StartStandIn
from callagain.viewer import page as page_of

if TYPE_CHECKING:
    from tests.viewer.conftest import Open

WalkOf = Callable[[StartStandIn], Walk]

pytestmark = pytest.mark.xdist_group("browser")


def lit(page: Page) -> list[str]:
    """The nodes that are lit in the flowchart that can be seen, by what stands in them."""
    nodes = page.locator("#flowchart .node.is-now").filter(visible=True)
    return [text for text in nodes.locator("text:not(.count)").all_text_contents() if text]


def counts(page: Page) -> list[str]:
    return [text for text in page.locator(".wide .edge .count").all_text_contents() if text]


def tab(page: Page, name: str) -> None:
    page.get_by_role("tab", name=re.compile(f"^{name}")).click()


def test_the_arrow_keys_walk_through_the_flowchart(open_page: "Open", stand_in: StartStandIn) -> None:
    page = open_page(two_rounds(stand_in)[0])
    assert lit(page) == ["Script", "Build initial request", "(base messages + tools)"]
    assert counts(page) == ["1/1", "0/3", "0/2", "0/2", "0/2", "0/2", "0/1"]
    page.keyboard.press("ArrowRight")
    assert lit(page) == ["HTTP v2", "LLM call"]
    page.keyboard.press("End")
    assert page.locator(".timeline [aria-current=step]").inner_text().split("\n")[:2] == [
        "12",
        "Extract Final",
    ]
    assert counts(page) == ["1/1", "3/3", "2/2", "2/2", "2/2", "2/2", "1/1"]
    page.keyboard.press("ArrowLeft")
    assert lit(page) == ["tool_calls", "in response?"]
    expect(page.get_by_role("status")).to_have_text(
        "Step 11 of 12: Parse Response, On Success, leads to Extract Final"
    )
    page.keyboard.press("Home")
    expect(page.locator("#place")).to_have_text("1 of 12")


def test_what_the_second_request_contained_is_two_clicks_away(
    open_page: "Open", stand_in: StartStandIn
) -> None:
    walk, server = two_rounds(stand_in)
    page = open_page(walk)
    tab(page, "Request")
    page.get_by_role("button", name="Request 2", exact=True).click()
    messages = page.locator(".message")
    assert messages.locator(".badge").first.inner_text() == "user"
    expect(messages).to_have_count(3)
    assert page.locator(".message.is-new").count() == 2
    for number, request in enumerate(server.requests, 1):
        page.get_by_role("button", name=f"Request {number}", exact=True).click()
        page.get_by_role("button", name="As it was sent").click()
        assert page.locator("#panel-request .value").text_content() == request.body.decode()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (360, 740)])
def test_what_was_chosen_is_seen_together_with_the_lit_node(
    open_page: "Open", stand_in: StartStandIn, width: int, height: int
) -> None:
    page = open_page(two_rounds(stand_in)[0], width=width)
    page.set_viewport_size({"width": width, "height": height})

    def is_seen_below_the_picture(part: Locator) -> None:
        expect(page.locator("#flowchart .node.is-now").filter(visible=True).first).to_be_in_viewport(
            ratio=0.99
        )
        expect(part).to_be_in_viewport()
        box, machine = part.bounding_box(), page.locator("#machine").bounding_box()
        assert box is not None
        assert machine is not None
        assert box["y"] >= machine["y"] + machine["height"] - 1

    is_seen_below_the_picture(page.get_by_role("tab", name="Request"))
    tab(page, "Request")
    page.get_by_role("button", name="Request 2", exact=True).click()
    is_seen_below_the_picture(page.locator(".message").first)
    tab(page, "Variables")
    page.evaluate("scrollTo(0, 2_000)")
    page.keyboard.press("ArrowRight")
    is_seen_below_the_picture(page.locator("#step-title"))
    is_seen_below_the_picture(page.locator(".variable h3").first)


def test_what_was_begun_again_says_so_at_its_place_and_for_the_run(open_page: "Open") -> None:
    page = open_page(long_run(1, begun=2), "#step=4&tab=calls")
    expect(page.get_by_role("article", name="look_up")).to_contain_text(
        "begun twice: the first time the process ended, or left the run, before its result was kept; "
        "it was performed again with the same key"
    )
    expect(page.locator(".timeline .is-warning .row-what")).to_have_text(
        ["request 1, begun twice", "look_up, begun twice", "request 2, begun twice"]
    )
    tab(page, "Request")
    expect(page.get_by_role("tabpanel")).to_contain_text("it was sent again")
    tab(page, "Run")
    expect(page.get_by_role("tabpanel")).to_contain_text("step 4: look_up was begun twice")


def test_a_link_leads_to_a_step_and_a_tab(open_page: "Open", stand_in: StartStandIn) -> None:
    page = open_page(two_rounds(stand_in)[0], "#step=4&tab=calls")
    expect(page.get_by_role("heading", level=2, name="4 Tool Dispatcher")).to_be_visible()
    call = page.get_by_role("article", name="look_up")
    assert "7 is shipped" in call.inner_text()
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#step=5&tab=calls$"))
    page.evaluate("location.hash = '#step=2'")
    expect(page.locator("#place")).to_have_text("2 of 12")


def test_variables_show_what_a_step_changed(open_page: "Open", stand_in: StartStandIn) -> None:
    page = open_page(two_rounds(stand_in)[0], "#step=1")
    changed = page.locator("#panel-variables > div > .variable")
    assert changed.locator("h3").all_inner_texts() == ["InAndOut\nset", "non_tool_messages_json\nset"]
    page.evaluate("select(9)")
    assert changed.locator("h3").all_inner_texts() == ["InAndOut", "tools_messages"]
    page.get_by_role("button", name="As it is").click()
    (added,) = changed.nth(1).locator("ins").all_text_contents()
    assert added.startswith(',{"role":"assistant"')
    assert added.endswith('"content":"8 is shipped"}')
    page.keyboard.press("ArrowLeft")
    scalar = changed.filter(has_text="loop_count")
    assert (scalar.locator("del").inner_text(), scalar.locator("ins").inner_text()) == ("1", "2")


def test_tabs_and_playing_work_by_the_keyboard_alone(open_page: "Open", stand_in: StartStandIn) -> None:
    page = open_page(two_rounds(stand_in)[0])
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#detail")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("tab", name="Variables")).to_be_focused()
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("tab", name="Run")).to_be_focused()
    expect(page.get_by_role("tabpanel")).to_contain_text("What it began with")
    expect(page.locator("#place")).to_have_text("1 of 12")
    tab(page, "Request")
    page.get_by_role("button", name="Request 2", exact=True).press("Enter")
    expect(page.get_by_role("button", name="Request 2", exact=True)).to_be_focused()
    page.keyboard.press("Home")
    page.locator("#speed").select_option("5")
    page.locator("#detail").focus()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(page.locator("#place")).not_to_have_text("1 of 12")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_whatever_a_text_holds_is_shown_as_text(open_page: "Open", stand_in: StartStandIn) -> None:
    hostile = '</script><script>alert(1)</script><img src="https://example.com/x.png" onerror=alert(2)>'
    told = f"{hostile} \x00 \u202eabc שלום \u2028 \ud800 {{{{run}}}}"

    @tool
    def read_page(url: str) -> str:
        """Read a page."""
        return told if url == hostile else url

    server = stand_in([calls(("read_page", {"url": hostile})), hostile])
    chain = TOOL_CALLING_LOOP.replace(name=hostile)
    loop = ToolLoop(
        model=hostile, base_url=server.base_url, tools=[read_page], system_prompt=hostile, chain=chain
    )
    page = open_page(loop.run(hostile, run_id=f"a {hostile}").walk, "#step=4&tab=calls")
    result = page.locator(".call .value").last.text_content()
    assert result == told.replace("\ud800", "\ufffd")
    assert page.locator(".call .unseen").evaluate_all("all => all.map(each => each.title)") == [
        "U+0000",
        "U+202E",
    ]
    for name in ("Variables", "Request", "Response", "Log", "Code", "Run"):
        tab(page, name)
    assert page.locator("img, #panels script").count() == 0
    assert page.title() == f"Run a {hostile}"


def test_an_inserted_operation_is_drawn_and_shown_with_its_place(
    open_page: "Open", stand_in: StartStandIn
) -> None:
    class Redact(Script):
        """Takes numbers out of results."""

        title = "<b>Redact</b>"

        def run(self, variables: Variables) -> None:
            variables.own["redact"] = {"times": 1}
            variables.warn("redacted", "a number was taken out")

    chain = TOOL_CALLING_LOOP.insert("redact", Redact(), before="append_tool_result")
    server = stand_in([calls(("look_up", {"order_id": "7"})), "Shipped."])
    loop = ToolLoop(model="any", base_url=server.base_url, tools=[look_up], chain=chain)
    page = open_page(loop.run("Where is 7?").walk, "#step=5&tab=code")
    assert lit(page) == ["Script", "<b>Redact</b>"]
    place = page.locator("#panel-code .rows-of-facts code")
    expect(place).to_have_text(re.compile(r"tests/viewer/test_viewer_page\.py:\d+$"))
    assert page.locator(".source").count() == 0
    tab(page, "Log")
    expect(page.get_by_role("tabpanel")).to_contain_text("redacted a number was taken out")
    tab(page, "Variables")
    expect(page.get_by_role("tabpanel")).to_contain_text("own.redact")
    page.keyboard.press("ArrowLeft")
    tab(page, "Code")
    assert "class ToolDispatcher(Activity):" in page.locator(".source").inner_text()
    expect(place).to_have_text(re.compile(r"^operations/tool_dispatcher\.py:\d+$"))
    expect(place).to_have_attribute("title", "callagain.operations.tool_dispatcher")


def refused(stand_in: StartStandIn) -> Walk:
    server = stand_in([Answer(status=401, body={"error": {"message": "no such key"}})])
    return ToolLoop(model="any", base_url=server.base_url).run("Hello").walk


def at_its_limit(stand_in: StartStandIn) -> Walk:
    return two_rounds(stand_in, max_iterations=1)[0]


def suspended(stand_in: StartStandIn) -> Walk:
    return two_rounds(stand_in, approve_effects=True)[0]


@pytest.mark.parametrize(
    ("walk", "told", "place", "seen"),
    [
        (refused, "auth: HTTP 401: no such key", "2 of 2", "On Fail"),
        (at_its_limit, "max_iterations", "7 of 7", "LLM Call"),
        (suspended, "Tool Dispatcher: waits for approval", "4 of 4", "waits for approval"),
    ],
)
def test_a_run_that_did_not_complete_says_why_and_leads_there(
    open_page: "Open",
    stand_in: StartStandIn,
    walk: Callable[[StartStandIn], Walk],
    told: str,
    place: str,
    seen: str,
) -> None:
    page = open_page(walk(stand_in))
    expect(page.locator(".alert")).to_contain_text(told)
    page.locator(".alert button").click()
    expect(page.locator("#place")).to_have_text(place)
    tab(page, "Tool calls")
    expect(page.locator("main")).to_contain_text(seen)


def test_a_long_text_is_folded_and_unfolds(open_page: "Open") -> None:
    page = open_page(long_run(1, "x" * 48_212), "#step=4&tab=calls")
    fold = page.get_by_role("button", name="Show all 48,213 characters")
    fold.click()
    expect(fold).to_have_count(0)
    assert page.locator(".call .value").last.text_content() == "x" * 48_212 + "1"


def test_a_difference_of_the_replay_is_shown(open_page: "Open", stand_in: StartStandIn) -> None:
    page = open_page(two_rounds(stand_in)[0], difference="step 4, tool_dispatcher: <b>otherwise</b>")
    expect(page.locator(".alert")).to_have_text(
        "The replay differs from what was kept: step 4, tool_dispatcher: <b>otherwise</b>"
    )


CONTRASTS = """() => {
  const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => {
    const linear = (c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    const [r, g, b] = numbers(colour).map((c) => linear(c / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if ((numbers(colour)[3] ?? 1) > 0) return colour;
    }
  };
  const found = [];
  for (const element of document.querySelectorAll("body *:not(svg *)")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    const isFree = element.closest("[aria-disabled=true], :disabled, .visually-hidden, .skip, option");
    if (!hasText || isFree || !element.getClientRects().length) continue;
    const [one, other] = [light(getComputedStyle(element).color), light(behind(element))];
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < 4.5) found.push(`${element.tagName}.${element.className}: ${contrast.toFixed(2)}`);
  }
  return found;
}"""


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_can_be_told_from_what_is_behind_it(
    open_page: "Open", stand_in: StartStandIn, dark: bool
) -> None:
    page = open_page(two_rounds(stand_in, max_iterations=1)[0], "#step=5", dark=dark)
    for name in ("Variables", "Request", "Response", "Tool calls", "Log", "Code", "Run"):
        tab(page, name)
        assert page.evaluate(CONTRASTS) == [], name


def test_a_phone_scrolls_down_only(open_page: "Open", stand_in: StartStandIn) -> None:
    page = open_page(two_rounds(stand_in)[0], "#step=4", width=360)
    for name in ("Variables", "Request", "Response", "Tool calls", "Log", "Code", "Run"):
        tab(page, name)
        assert page.evaluate("document.documentElement.scrollWidth") == 360, name
    assert page.locator("#flowchart").get_by_text("LLM call").filter(visible=True).count() == 1


def test_a_short_run_is_printed_step_by_step(open_page: "Open", stand_in: StartStandIn) -> None:
    page = open_page(two_rounds(stand_in)[0], "#step=4")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    printed = page.locator(".printed")
    expect(printed).to_have_count(12)
    expect(printed.nth(3)).to_contain_text("7 is shipped")
    expect(printed.nth(3)).to_contain_text(
        re.compile(r"the guide, Part 3, operations/tool_dispatcher\.py:\d+")
    )
    expect(printed.locator(".messages .badge")).to_have_text(["user", *["assistant", "tool"] * 2])
    expect(printed.nth(9)).to_contain_text("It begins with 3 messages of request 2. What is new in it:")
    assert lit(page) == []
    assert counts(page) == ["1×", "3×", "2×", "2×", "2×", "2×", "1×"]
    expect(page.locator("#tabs")).to_be_hidden()
    expect(page.locator(".wide svg")).to_be_visible()


def test_a_page_grows_with_what_is_new_in_each_round(open_page: "Open") -> None:
    walk = long_run(300)
    sizes = [len(page_of(each)) for each in (long_run(100), long_run(200), walk)]
    assert sizes[2] - sizes[1] < 1.1 * (sizes[1] - sizes[0])
    page = open_page(walk, "#step=1200&tab=request")
    assert page.locator(".timeline li").count() < 50
    field = page.get_by_role("spinbutton", name="Request")
    field.fill("150")
    field.press("Enter")
    page.get_by_role("button", name="As it was sent").click()
    sent = [done.command for step in walk.steps for done in step.performed]
    requests = [command for command in sent if isinstance(command, SentRequest)]
    shown = page.evaluate("valueOf(requests[149].body)")
    assert shown.encode() == requests[149].body

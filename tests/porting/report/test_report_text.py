"""The report on a terminal."""

from dataclasses import replace

import pytest
from tests.porting.report.reports import ORDERS, harmful_report

from callagain.porting.design.model import SourcePlace
from callagain.porting.report import Component, FoundTrap, Report, Status, report_text

WHOLE = """\
Orders Assistant (Studio export) became the package orders_assistant.

     2 converted
     1 with notes
     1 stub
     1 ignored

What is left to do
  - 1 stub to write:
      script Notify
  - 1 secret to enter anew:
      openai key
  - 1 function to replace:
      SendEmail
  - 1 tag that names nothing:
      <TAG>operation:Gone</TAG> in Notify, 4:12
  - 1 trap to read about, at 2 places:
      first call only
  - 1 guess to check:
      outcome 200 was taken for On Fail (orders.json: components[3])

Inventory
  operations         8
  Jitterbit scripts  10

Stubs (1)
  script  Notify  -> orders_assistant/stubs.py
          at orders.json: components[3]
          no SendEmail

Converted with notes (1)
  script  Parse Response
          at orders.json: components[3]
          see the traps

Converted (2)
  operation  LLM Call    -> orders_assistant/chain.py
             at orders.json: components[3]
  script     Find Order  -> orders_assistant/find_order.py
             at orders.json: components[3]

Ignored (1)
  schedule  Nightly
            at orders.json: components[3]

Traps
  first call only
    Jitterbit  Only the first call of a response is answered; the API refuses a
               request that leaves others open.
    Python     Every call of a response is run and answered, at the same time
               where the tools allow it.
    at         Parse Response 7:31, 9:31

  Places are lines and columns of a script, without the line of its mark <trans>
  or <javascript>.

Unknown functions
  SendEmail: 2 calls in Notify

Tags that name nothing
  <TAG>operation:Gone</TAG> in Notify 4:12

Names: variable
  $gpt.model  gpt_model

Guesses
  - outcome 200 was taken for On Fail (orders.json: components[3])
"""


def test_the_summary_comes_first_then_what_is_left_to_do_then_the_details() -> None:
    assert report_text(ORDERS) == WHOLE


def test_a_port_without_anything_left_says_so() -> None:
    done = Report(
        "D",
        "a folder",
        "d",
        {"scripts": 1},
        (Component("script", "S", SourcePlace("s.jb"), Status.CONVERTED),),
    )
    assert report_text(done) == (
        "D (a folder) became the package d.\n\n     1 converted\n\nWhat is left to do\n"
        "  Nothing: run the tests of the package.\n\nInventory\n  scripts  1\n\nConverted (1)\n"
        "  script  S\n          at s.jb\n"
    )


@pytest.mark.parametrize("width", [10, 60, 80, 120])
def test_lines_keep_to_the_width_of_the_terminal(width: int) -> None:
    assert max(map(len, report_text(ORDERS, width).splitlines())) <= max(width, 60)


def test_a_path_that_is_wider_than_the_line_is_kept_whole() -> None:
    path = "orders_assistant/stubs/notify_the_department_of_a_missing_paycheck_of_last_month.py"
    component = Component("script", "Notify " * 8, SourcePlace("s.jb"), Status.STUB, path)
    assert path in report_text(replace(ORDERS, components=(component,))).split()


def test_many_places_of_a_trap_are_counted_after_the_first() -> None:
    traps = tuple(FoundTrap("t", f"S{n}", SourcePlace("f"), "A.", "B.", 1, 1) for n in range(20))
    text = " ".join(report_text(replace(ORDERS, traps=traps)).split())
    assert "S10 1:1; S11 1:1 and 8 more" in text


def test_of_many_guesses_the_shortest_stand_above_and_all_in_their_list() -> None:
    guesses = tuple(f"guess {'x' * (20 - number)}" for number in range(20))
    text = report_text(replace(ORDERS, guesses=guesses))
    assert (
        "  - 20 guesses to check:\n      guess xxx\n      guess xx\n      guess x\n"
        "      and 17 more, listed below: Guesses\n"
    ) in text
    assert text.endswith("".join(f"  - {guess}\n" for guess in guesses))


def test_columns_stand_below_each_other_for_wide_characters_too() -> None:
    place = SourcePlace("f")
    components = tuple(
        Component("script", name, place, Status.CONVERTED, "x.py") for name in ("注文を探す", "Find order")
    )
    lines = report_text(replace(ORDERS, components=components)).splitlines()
    assert "  script  注文を探す  -> x.py" in lines
    assert "  script  Find order  -> x.py" in lines


def test_colours_come_only_if_asked_for() -> None:
    assert "\x1b" not in report_text(ORDERS)
    assert "\x1b[31mstub\x1b[0m" in report_text(ORDERS, colour=True)


def test_a_design_sends_nothing_to_the_terminal_but_text() -> None:
    text = report_text(harmful_report())
    assert [each for each in text if not (each.isprintable() or each == "\n")] == []
    assert "\u202e" not in text
    assert "\\u202etxt.exe" in text

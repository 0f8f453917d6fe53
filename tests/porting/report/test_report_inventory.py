"""The inventory, unknown functions, and tags that name nothing."""

from tests.porting.report.designs import PLACE, javascript, jitterbit, of, operation

from callagain.porting.design.model import (
    Activity,
    Connection,
    Design,
    Ignored,
    Operation,
    SourcePlace,
    Step,
    StepKind,
    Variable,
)
from callagain.porting.report import inventory, unknown_functions, unresolved_tags

GUID = "3f2504e0-4f89-11d3-9a0c-0305e82c3301"


def tags(design: Design) -> list[str]:
    return [f"{each.script} {each.line}:{each.column} {each.tag}" for each in unresolved_tags(design)]


def test_the_inventory_counts_what_is_there_and_leaves_out_what_is_not() -> None:
    design = of(
        jitterbit("1"),
        javascript("1"),
        operations=(operation("A"), operation("B")),
        variables=(Variable("a", PLACE), Variable("b", PLACE, is_project=False)),
        ignored=(Ignored("schedule", "Nightly", PLACE, ""), Ignored("schedule", "Weekly", PLACE, "")),
    )
    assert inventory(design) == {
        "operations": 2,
        "Jitterbit scripts": 1,
        "JavaScript scripts": 1,
        "project variables": 1,
        "global variables": 1,
        "other: schedule": 2,
    }
    assert inventory(of()) == {}


def test_unknown_functions_are_counted_with_their_scripts() -> None:
    design = of(
        jitterbit('SendEmail("a"); sendemail("b"); Lenght($x)', "Notify"),
        jitterbit('If(SENDEMAIL("c"), Length($x))', "Again"),
        jitterbit("SendEmail(", "Broken"),
    )
    found = [(each.name, each.scripts, each.calls) for each in unknown_functions(design)]
    assert found == [("Lenght", ("Notify",), 1), ("SendEmail", ("Notify", "Again"), 3)]


def test_functions_of_javascript_that_reach_outside_are_unknown_too() -> None:
    step = javascript('Jitterbit.SetVar("$a", Jitterbit.DbLookup("x", "y")); // Jitterbit.ReadFile("z")')
    found = [(each.name, each.scripts, each.calls) for each in unknown_functions(of(step))]
    assert found == [("Jitterbit.DbLookup", ("J",), 1)]


def test_tags_are_resolved_by_the_names_of_the_design() -> None:
    script = """
        RunOperation("<TAG>operation:Work</TAG>"); RunScript("<TAG>script:S</TAG>");
        name = "<TAG>Operations/folder/Work</TAG>"; a = "<TAG>activity:http/LLM/post/Send</TAG>";
        c = "<TAG>endpoint:http/LLM</TAG>"; m = "<TAG>email:Warn</TAG>"; p = "<TAG>plugin:Zip</TAG>";
    """
    known = of(
        script,
        operations=(operation("Work", "S"),),
        activities=(Activity("Send", "http", "post", "target", PLACE),),
        connections=(Connection("LLM", "http", PLACE),),
        ignored=(Ignored("e-mail notification", "Warn", PLACE, ""), Ignored("plugin", "Zip", PLACE, "")),
    )
    assert tags(known) == []
    assert tags(of(script)) == [
        "S 2:22 <TAG>operation:Work</TAG>",
        "S 3:16 <TAG>Operations/folder/Work</TAG>",
        "S 3:57 <TAG>activity:http/LLM/post/Send</TAG>",
        "S 4:13 <TAG>endpoint:http/LLM</TAG>",
        "S 4:49 <TAG>email:Warn</TAG>",
        "S 4:78 <TAG>plugin:Zip</TAG>",
    ]


def test_tags_in_javascript_count_and_those_in_comments_do_not() -> None:
    design = of(
        javascript('// "<TAG>script:No</TAG>"\nvar t = "<TAG>script:Gone</TAG>";'), '"a <TAG>b</TAG>"'
    )
    assert tags(design) == ["J 2:9 <TAG>script:Gone</TAG>"]


def test_a_guid_is_resolved_by_the_place_of_a_component() -> None:
    text = f'RunOperation("op.{GUID}")'
    known = Operation("Work", (), SourcePlace("project.jpk", f"Operation/{GUID}"))
    assert tags(of(text, operations=(known,))) == []
    assert tags(of(text)) == [f"S 1:14 op.{GUID}"]


def test_an_email_step_is_known_by_its_name() -> None:
    step = Operation("Warn", (Step(StepKind.EMAIL, "Mail"),), PLACE)
    assert tags(of('"<TAG>email:Mail</TAG>"', operations=(step,))) == []

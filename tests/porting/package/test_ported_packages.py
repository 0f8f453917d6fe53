"""What a design becomes: a package that imports and runs, whatever is in the design."""

import ast
import json
from dataclasses import replace
from pathlib import Path

import pytest
from tests.porting.package.packages import imported, texts, written
from tests.porting.recognition.designs import OPERATIONS, SCRIPTS, design
from tests.porting.script import guide_scripts as guide

from callagain.porting.design import Connection, Design, Flow, Ignored, SourcePlace, Variable, read_design
from callagain.porting.package import port
from callagain.porting.ported import OperationFailedError
from callagain.porting.report import Component, Status
from callagain.testing import StandIn, calls

PLACE = SourcePlace("design.json")
FLOWCHART = """flowchart LR
A["Script
Build initial request"] --> B["HTTP v2
LLM call"]
B --> C{"tool_calls
in response?"}
C -->|Yes| D["Dispatcher
Run tool operation"]
D --> E["Script
Append tool result"]
E --> B
C -->|No| F["Script
Extract final response"]
"""


def of_the_guide(**changes: object) -> Design:
    variables = {"systemPrompt": "Be brief.", "toolsJson": json.dumps([tool("get_order_status")])}
    return replace(design(SCRIPTS, OPERATIONS, variables=variables), name="Orders", **changes)  # type: ignore[arg-type]


def tool(name: str) -> dict[str, object]:
    parameters = {"type": "object", "properties": {"order_id": {"type": "string"}}, "required": ["order_id"]}
    return {"type": "function", "function": {"name": name, "description": "Look.", "parameters": parameters}}


def component(package_components: tuple[Component, ...], name: str) -> Component:
    (found,) = [each for each in package_components if each.name == name and each.kind != "tool"]
    return found


def test_each_name_is_python_s_own_and_only_one_thing_s(tmp_path: Path) -> None:
    names = [
        "class",
        "Class",
        "order-status",
        "order status",
        "1st",
        "注文",
        '"""\nimport os',
        "state",
        "x" * 300,
    ]
    scripts = {name: f'$seen = "{number}"' for number, name in enumerate(names)}
    hostile = design(scripts, {f"Run {number}": name for number, name in enumerate(names)}, javascript=())
    package = written(replace(hostile, name='"""\nimport os #'), tmp_path / "ported", "hostile")
    functions = [each.function for each in package.plan.translations.values()]
    assert len(set(functions)) == len(names)
    with imported(tmp_path / "ported", "hostile") as module:
        for number in range(len(names)):
            variables = module.PROJECT.variables()
            module.PROJECT.run(f"Run {number}", variables)
            assert variables["seen"] == str(number)


def test_every_module_is_python(tmp_path: Path) -> None:
    written(of_the_guide(), tmp_path / "ported")
    modules = {path: text for path, text in texts(tmp_path / "ported") if path.endswith(".py")}
    assert "orders/chain.py" in modules
    for path, text in modules.items():
        ast.parse(text, path)
        assert max(map(len, text.splitlines())) <= 110, path


def test_a_step_that_talks_to_an_endpoint_is_left_to_write_and_told_to_the_model(tmp_path: Path) -> None:
    package = written(of_the_guide(), tmp_path / "ported", "with_stub")
    assert component(package.report.components, "Read Invoice").status is Status.STUB
    assert package.report.exit_code == 1
    with (
        StandIn([calls(("get_invoice", {})), "No."]) as endpoint,
        imported(tmp_path / "ported", "with_stub") as module,
    ):
        answer = module.ask("Send it", base_url=endpoint.base_url, api_key="any")
    assert answer.result.outcome == "completed"
    assert "activities.py is still to be written" in answer.result.tool_results[0].content


def test_single_round_routing_ends_with_what_the_function_returned(tmp_path: Path) -> None:
    scripts = {name: SCRIPTS[name] for name in ("Initialize", "Parse Response", "Dispatch", "Order Status")}
    operations = {
        "Main": "Initialize, >LLM Call, Dispatch",
        "LLM Call": "@Send Request, Parse Response",
        "Tool - Order Status": "Order Status",
        "Tool - Invoice": "Order Status",
    }
    routed = replace(design(scripts, operations, variables={"toolsJson": "[]"}), name="Routing")
    written(routed, tmp_path / "ported", "routing")
    with (
        StandIn([calls(("get_order_status", {"order_id": "7"}))]) as endpoint,
        imported(tmp_path / "ported", "routing") as module,
    ):
        assert module.CHAIN.name == "function_routing"
        answer = module.ask("Where is 7?", base_url=endpoint.base_url, api_key="any")
    assert answer.result.outcome == "completed"
    assert answer.result.variables.function_resp == answer.variables["function_resp"]


def test_a_retry_controller_tries_the_operation_again(tmp_path: Path) -> None:
    scripts = {
        "Retry": """
            $maxRetries = 3; $attempt = 0; $success = false;
            While($success == false && $attempt < $maxRetries,
                $attempt = $attempt + 1;
                $success = RunOperation("<TAG>operation:Send</TAG>");
            );
            If($success == false, RaiseError("all attempts failed: " + GetLastError()));
        """,
        "Send": '$tries = IfNull($tries, 0) + 1; If($tries < 2, RaiseError("not yet"));',
    }
    scripts["Tell"] = "$told = $userMessage"
    operations = {"Main": "Retry -> Tell", "Send": "Send", "Tell": "Tell"}
    retried = replace(design(scripts, operations, javascript=()), name="Retry")
    written(retried, tmp_path / "ported", "retried")
    with imported(tmp_path / "ported", "retried") as module:
        assert module.CHAIN.name == "retry_controller"
        answer = module.ask("Send it")
    assert answer.result.outcome == "completed"
    assert answer.result.variables.own["attempt"] == 2
    assert answer.variables["told"] == "Send it"


def test_a_flowchart_becomes_a_chain_without_tools(tmp_path: Path) -> None:
    (tmp_path / "loop.mmd").write_text(FLOWCHART)
    package = written(read_design(tmp_path / "loop.mmd"), tmp_path / "ported", "drawn")
    assert package.report.exit_code == 1
    with StandIn(["Hello."]) as endpoint, imported(tmp_path / "ported", "drawn") as module:
        answer = module.ask("Hi", base_url=endpoint.base_url, api_key="any")
    assert answer.result.final_response == "Hello."


def test_scripts_beside_the_loop_run_before_and_after_it(tmp_path: Path) -> None:
    scripts = {
        **SCRIPTS,
        "Shout": "$userMessage = ToUpper($userMessage)",
        "Sign": '$signed = $final_response + " Yours, the shop"',
        "Thank": "$thanked = true",
    }
    operations = {**OPERATIONS, "Main": "Shout, Initialize, Controller, Sign -> Thank", "Thank": "Thank"}
    written(replace(design(scripts, operations), name="Beside"), tmp_path / "ported", "beside")
    with StandIn(["Hello."]) as endpoint, imported(tmp_path / "ported", "beside") as module:
        answer = module.ask("hi", base_url=endpoint.base_url, api_key="any")
    assert endpoint.requests[0].json["messages"][-1] == {"role": "user", "content": "HI"}
    assert answer.variables["signed"] == "Hello. Yours, the shop"
    assert answer.variables["thanked"] is True


@pytest.mark.parametrize(
    ("text", "status", "note"),
    [
        ("Eval(x = 1, 0); $function_resp = x", Status.KEPT_AS_SCRIPT, ""),
        ("NoSuchFunction($a)", Status.STUB, "line 1: there is no function 'NoSuchFunction'"),
        ("$function_resp = (", Status.STUB, "Order Status, line 1, "),
    ],
)
def test_a_script_that_is_not_translated_is_kept_if_it_runs_and_left_to_write_if_not(
    text: str, status: Status, note: str
) -> None:
    report = port(replace(design({**SCRIPTS, "Order Status": text}, OPERATIONS), name="Kept")).report
    found = component(report.components, "Order Status")
    assert (found.status, found.notes[0][: len(note)]) == (status, note)


def test_a_prompt_that_a_script_builds_is_sent(tmp_path: Path) -> None:
    scripts = {
        "Initialize": guide.INITIALIZE.replace(
            'Replace($systemPrompt, "\\"", "\\\\\\"")', '"You are the helpdesk of " + $shop'
        )
        + '$tenant = "eu"; $tier = If($customer == "ACME", "gold", "standard");',
        "Order Status": '$function_resp = $tenant + " " + $tier',
    }
    changed = replace(design({**SCRIPTS, **scripts}, OPERATIONS, variables={"shop": "ACME"}), name="Prompt")
    package = written(changed, tmp_path / "ported", "with_prompt")
    assert package.plan.main.builds_request
    with (
        StandIn([calls(("get_order_status", {})), "Done."]) as endpoint,
        imported(tmp_path / "ported", "with_prompt") as module,
    ):
        answer = module.ask(
            "Where\nis it?", inputs={"customer": "ACME"}, base_url=endpoint.base_url, api_key="any"
        )
    messages = endpoint.requests[0].json["messages"]
    assert messages[0] == {"role": "system", "content": "You are the helpdesk of ACME"}
    assert messages[1] == {"role": "user", "content": "Where\nis it?"}
    assert answer.result.tool_results[0].content == "eu gold"


def test_a_request_that_a_script_builds_wrongly_is_an_error_that_names_it(tmp_path: Path) -> None:
    scripts = {**SCRIPTS, "Initialize": guide.INITIALIZE + '$tenant = "eu"'}
    written(replace(design(scripts, OPERATIONS), name="Broken"), tmp_path / "ported", "broken_prompt")
    with (
        imported(tmp_path / "ported", "broken_prompt") as module,
        pytest.raises(OperationFailedError, match=r"^\$InAndOut is no request of Chat Completions: "),
    ):
        module.ask("a \\d in a text", base_url="http://127.0.0.1:9/v1", api_key="any")


def test_statements_around_the_loop_run_and_those_inside_are_named(tmp_path: Path) -> None:
    scripts = {
        **SCRIPTS,
        "Controller": "$asked = Length($userMessage);\n"
        + guide.CONTROLLER
        + ';\n$shown = $final_response + "!";',
        "Dispatch": guide.DISPATCHER + "$rounds = IfNull($rounds, 0) + 1;",
    }
    package = written(replace(design(scripts, OPERATIONS), name="Around"), tmp_path / "ported", "around")
    dispatch = component(package.report.components, "Dispatch")
    assert dispatch.status is Status.STUB
    assert any("not carried over" in note and "sets $rounds" in note for note in dispatch.notes)
    with StandIn(["Hello."]) as endpoint, imported(tmp_path / "ported", "around") as module:
        answer = module.ask("Hi", base_url=endpoint.base_url, api_key="any")
    assert (answer.variables["asked"], answer.variables["shown"]) == (2, "Hello.!")


def test_a_secret_is_read_from_the_environment_and_in_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = Variable("crm.apiKey", PLACE, default="swordfish", is_secret=True)
    connection = Connection("CRM", "http", PLACE, secrets=("password",))
    kept = of_the_guide(variables=(secret,), connections=(connection,))
    written(kept, tmp_path / "ported", "with_secret")
    assert [path for path, text in texts(tmp_path / "ported") if "swordfish" in text] == []
    monkeypatch.setenv("CRM_API_KEY", "given")
    with imported(tmp_path / "ported", "with_secret") as module:
        assert module.PROJECT.variables()["crm.apiKey"] == "given"


def test_what_has_no_place_is_listed_with_the_reason() -> None:
    ignored = Ignored("schedule", "Nightly", PLACE, "a package does not start by itself")
    flow = Flow("A", "Script", "Build", PLACE)
    report = port(of_the_guide(ignored=(ignored,), flowchart=(flow,))).report
    found = component(report.components, "Nightly")
    assert (found.status, found.notes) == (Status.IGNORED, ("a package does not start by itself",))


def test_guides_scripts_are_taken_over_by_the_chain() -> None:
    report = port(of_the_guide()).report
    assert {
        each.name: each.became for each in report.components if each.kind == "script" and each.name in SCRIPTS
    } == {
        "Initialize": "callagain: Initialize",
        "Controller": "callagain: the links of the chain",
        "Parse Response": "callagain: Parse Response and Extract Final",
        "Dispatch": "callagain: Tool Dispatcher",
        "Append Tool Result": "callagain: Append Tool Result",
        "Order Status": "orders/scripts.py: order_status",
    }
    assert guide.CONTROLLER in SCRIPTS.values()

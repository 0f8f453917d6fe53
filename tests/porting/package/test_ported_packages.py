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
    retried = replace(design(scripts, {"Main": "Retry", "Send": "Send"}, javascript=()), name="Retry")
    written(retried, tmp_path / "ported", "retried")
    with imported(tmp_path / "ported", "retried") as module:
        assert module.CHAIN.name == "retry_controller"
        answer = module.ask("Send it")
    assert answer.result.outcome == "completed"
    assert answer.result.variables.own["attempt"] == 2


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


def test_a_script_that_is_not_translated_is_kept_with_the_reason_and_runs(tmp_path: Path) -> None:
    scripts = {**SCRIPTS, "Order Status": "$function_resp = 'x'; NoSuchFunction($function_arguments)"}
    package = written(replace(design(scripts, OPERATIONS), name="Kept"), tmp_path / "ported", "kept_one")
    found = component(package.report.components, "Order Status")
    assert found.status is Status.KEPT_AS_SCRIPT
    assert found.notes == ("line 1: there is no function 'NoSuchFunction'",)
    assert [each.name for each in package.report.unknown_functions] == ["NoSuchFunction"]


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

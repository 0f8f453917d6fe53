"""The Studio export of the orders assistant is the folder, and nothing else."""

import json

from examples.designs.write_studio_export import EXPORT, FOLDER, export_text
from tests.porting.running.example_designs import ROOT, example


def test_the_export_is_written_from_the_folder() -> None:
    assert EXPORT == ROOT / "orders_studio_export.json"
    assert EXPORT.read_text("utf-8") == export_text(FOLDER), "run examples/designs/write_studio_export.py"


def test_every_reference_in_the_export_leads_to_a_component_of_its_type() -> None:
    project = json.loads(EXPORT.read_text("utf-8"))["project"]
    types = {each["id"]: each["type"] for each in project["components"]}
    assert len(types) == len(project["components"])
    for operation in (each for each in project["components"] if each["type"] == 200):
        assert all(types[step["id"]] == step["type"] for step in operation["steps"])
        assert all(types[outcome["operationId"]] == 200 for outcome in operation["outcomes"])
    for workflow in project["workflows"]:
        assert all(types[each["id"]] == 200 for each in workflow["operations"])


def test_the_export_and_the_folder_are_read_as_one_design() -> None:
    folder, export = example("orders"), example("orders_studio_export.json")
    assert [(each.name, each.steps, each.on_success, each.on_fail) for each in export.operations] == [
        (each.name, each.steps, each.on_success, each.on_fail) for each in folder.operations
    ]
    assert [(each.name, each.language, each.text) for each in export.scripts] == [
        (each.name, each.language, each.text) for each in folder.scripts
    ]
    assert [(each.name, each.default, each.is_secret) for each in export.variables if each.is_project] == [
        (each.name, each.default, each.is_secret) for each in folder.variables
    ]
    assert [each.name for each in export.tools] == [each.name for each in folder.tools]

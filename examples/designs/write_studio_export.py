"""Writes orders_studio_export.json from the folder orders/: the same design as Jitterbit Studio exports it.

    python examples/designs/write_studio_export.py

The folder is what is edited. Ids are made from names, so that the same folder gives the same file.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

HERE = Path(__file__).parent
FOLDER = HERE / "orders"
EXPORT = HERE / "orders_studio_export.json"

PROJECT, OPERATION, SCRIPT, ACTIVITY, CONNECTION = 100, 200, 400, 500, 600
PROJECT_VARIABLE, WORKFLOW, GLOBAL_VARIABLE = 1000, 1100, 1300
ON_SUCCESS, ON_FAIL = 100, 200
KINDS = {"script": SCRIPT, "activity": ACTIVITY, "operation": OPERATION}
ADAPTER = "httpv2"

# What every component carries besides, and says nothing of the design.
BOOKKEEPING: dict[str, Any] = {
    "checksum": "1",
    "chunks": 1,
    "partial": False,
    "requiresDeploy": True,
    "encryptedAtRest": False,
    "validationState": 300,
    "hidden": False,
}

_GLOBAL = re.compile(r"\$([A-Za-z_][\w.]*\w)")
_ASSIGNED = re.compile(r"\$([A-Za-z_][\w.]*\w)\s*(?:=(?!=)|[+-]=|\+\+|--)")
_COMMENT = re.compile(r"//[^\n]*")


def export_of(folder: Path) -> dict[str, Any]:
    """The export of a design in a folder."""
    design = json.loads((folder / "design.json").read_text("utf-8"))
    texts = {each["name"]: (folder / each["file"]).read_text("utf-8") for each in design["scripts"]}
    components = [
        *map(_operation, design["operations"]),
        *(_script(name, text, design["variables"]) for name, text in texts.items()),
        *map(_activity, design["activities"]),
        *map(_connection, design["connections"]),
        *map(_project_variable, design["variables"]),
        *_global_variables(texts, [each["name"] for each in design["variables"]]),
    ]
    project: dict[str, Any] = {
        "name": design["name"],
        "description": "",
        "id": _id(PROJECT, design["name"]),
        "harmonyProjectId": "0",
        "organizationId": "0",
        "targetEnvironmentId": "0",
        "type": PROJECT,
        "validationState": 300,
        "adapterIds": [ADAPTER],
        "adapters": [],
        "appliedDataMigrations": [],
        "settings": {},
        "disableScriptParser": False,
        "requireDeployWorkflows": [],
        "workflows": [_workflow(each) for each in design["workflows"]],
        "components": components,
        "tags": [],
    }
    return {"apis": [], "assets": [], "project": project, "version": 4}


def export_text(folder: Path) -> str:
    """The export as the text of the file."""
    return json.dumps(export_of(folder), indent=1, ensure_ascii=False) + "\n"


def _id(kind: int, name: str) -> str:
    return str(uuid5(NAMESPACE_URL, f"{kind}/{name}"))


def _reference(kind: int, name: str) -> dict[str, Any]:
    return {"id": _id(kind, name), "type": kind}


def _component(kind: int, name: str, **fields: object) -> dict[str, Any]:
    return {"id": _id(kind, name), "type": kind, "name": name, **fields, **BOOKKEEPING}


def _workflow(workflow: Mapping[str, Any]) -> dict[str, Any]:
    operations = [_reference(OPERATION, name) for name in workflow["operations"]]
    name = workflow["name"]
    return {"id": _id(WORKFLOW, name), "name": name, "type": WORKFLOW, "operations": operations}


def _operation(operation: Mapping[str, Any]) -> dict[str, Any]:
    steps = [_reference(KINDS[kind], name) for step in operation["steps"] for kind, name in step.items()]
    links = {ON_SUCCESS: operation.get("on_success"), ON_FAIL: operation.get("on_fail")}
    outcomes = [
        {
            "id": _id(code, f"{operation['name']} to {target}"),
            "outcomeType": code,
            "operationId": _id(OPERATION, target),
        }
        for code, target in links.items()
        if target is not None
    ]
    options = {"timeoutValue": 2, "timeoutUnit": "Hours", "logLevel": "Everything", "enableChunking": False}
    return _component(
        OPERATION, operation["name"], steps=steps, outcomes=outcomes, options=options, operationType=3
    )


def _script(name: str, text: str, variables: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    project_variables = {each["name"] for each in variables}
    used = [
        {
            "name": variable,
            "value": "",
            "isNull": True,
            "scope": "project" if variable in project_variables else "global",
            "isArray": False,
        }
        for variable in _names(_GLOBAL, text)
    ]
    return _component(
        SCRIPT,
        name,
        scriptBody=text.strip(),
        scriptBodyCleansed=_COMMENT.sub("", text).strip(),
        scriptType=2 if "<javascript>" in text else 1,
        globalVariables=used,
        notes="",
    )


def _activity(activity: Mapping[str, Any]) -> dict[str, Any]:
    return _component(
        ACTIVITY,
        activity["name"],
        adapterId=ADAPTER,
        functionName=activity["function"],
        polarity=activity["polarity"],
        endpoint=_reference(CONNECTION, activity["connection"]),
        properties=_page("activity", activity["properties"]),
        plugins=[],
    )


def _connection(connection: Mapping[str, Any]) -> dict[str, Any]:
    secrets = [
        {"name": name, "type": "secret", "widgetHint": "password", "value": "[openaiApiKey]"}
        for name in connection["secrets"]
    ]
    properties = _page("connection", connection["properties"])
    properties[0]["children"].extend(secrets)
    return _component(CONNECTION, connection["name"], adapterId=ADAPTER, properties=properties)


def _page(name: str, values: Mapping[str, str]) -> list[dict[str, Any]]:
    children = [{"name": key, "type": "string", "value": value} for key, value in values.items()]
    return [{"name": name, "type": "pagination", "children": children}]


def _project_variable(variable: Mapping[str, Any]) -> dict[str, Any]:
    return _component(
        PROJECT_VARIABLE,
        variable["name"],
        defaultValue=variable.get("default", ""),
        label=variable["name"],
        hidevalue=variable.get("secret", False),
    )


def _global_variables(texts: Mapping[str, str], but: Iterable[str]) -> list[dict[str, Any]]:
    """The index of global variables: which scripts read and write them."""
    names = sorted({name for text in texts.values() for name in _names(_GLOBAL, text)} - set(but))
    return [
        _component(GLOBAL_VARIABLE, name, value="", usages=_usages(name, texts))
        for name in names
        if not name.startswith("jitterbit.")
    ]


def _usages(name: str, texts: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            **_reference(SCRIPT, script),
            "isRead": _count(_GLOBAL, name, text) > _count(_ASSIGNED, name, text),
            "isWrite": _count(_ASSIGNED, name, text) > 0,
        }
        for script, text in texts.items()
        if name in _names(_GLOBAL, text)
    ]


def _names(pattern: re.Pattern[str], text: str) -> list[str]:
    """The variables in a script, each once."""
    return sorted(set(pattern.findall(_COMMENT.sub("", text))))


def _count(pattern: re.Pattern[str], name: str, text: str) -> int:
    return pattern.findall(_COMMENT.sub("", text)).count(name)


if __name__ == "__main__":
    EXPORT.write_text(export_text(FOLDER), "utf-8")
    print(f"wrote {EXPORT.name}")

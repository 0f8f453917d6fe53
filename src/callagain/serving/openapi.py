"""The OpenAPI document, with the shapes that requests are validated by."""

from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from callagain.engine.json_text import Json, JsonObject
from callagain.serving.documents import (
    RUN_ID_PATTERN,
    ProblemDocument,
    ResumeRequest,
    RunDocument,
    RunRequest,
)
from callagain.serving.problems import PROBLEM_JSON
from callagain.serving.sse import EVENT_STREAM

Schema: TypeAlias = dict[str, Any]

_REFERENCE = "#/components/schemas/{model}"
_PROBLEMS: dict[int, str] = {
    400: "The body is not JSON, or a header or a parameter is none that is told here.",
    401: "The token is missing or wrong.",
    403: "A server without a token answers its own machine alone.",
    404: "There is no such run.",
    408: "The body did not come in time.",
    409: "The request does not fit the run as it stands.",
    413: "The body is too large.",
    415: "The body is not application/json.",
    422: "The body does not have the shape that is told here.",
    500: "The run was interrupted, or the server has an error; its log says why.",
    503: "Too many runs or requests, or the server is shutting down; Retry-After says when to ask again.",
}
_OF_BODIES = (400, 408, 409, 413, 415, 422)
_RUN_ID: Schema = {
    "name": "run_id",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": RUN_ID_PATTERN},
}
_PREFER: Schema = {
    "name": "Prefer",
    "in": "header",
    "schema": {"type": "string"},
    "description": "`respond-async` does not wait for the end of the run, `wait=30` waits 30 seconds, or as "
    "long as the server waits at the most, which `Preference-Applied` tells.",
}


@cache
def openapi_document(*, has_token: bool) -> JsonObject:
    """OpenAPI 3.1, whose schemas are JSON Schema 2020-12."""
    models: list[type[BaseModel]] = [RunRequest, ResumeRequest, RunDocument, ProblemDocument]
    _, definitions = models_json_schema([(model, "validation") for model in models], ref_template=_REFERENCE)
    components: Schema = {"schemas": definitions["$defs"]}
    document: Schema = {
        "openapi": "3.1.0",
        "info": {
            "title": "A tool-calling loop",
            "version": _version(),
            "description": "POST /runs begins a run and waits for its answer.",
        },
        "paths": _with_common_answers({**_paths_of_runs(), **_paths_of_server()}, 401 if has_token else 403),
        "components": components,
    }
    if has_token:
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
    return document


def _paths_of_runs() -> Schema:
    accept = f"With `Accept: {EVENT_STREAM}` the answer is the events of the run."
    return {
        "/runs": {
            "post": {
                "operationId": "beginRun",
                "summary": "Begin a run, and wait for its answer.",
                "description": f"The same request under the same run_id is run once. {accept}",
                "parameters": [_PREFER],
                "requestBody": _body("RunRequest", is_required=True),
                "responses": {**_run_answers(waits=True, streams=True), **_problems(*_OF_BODIES)},
            }
        },
        "/runs/{run_id}": {
            "get": {
                "operationId": "showRun",
                "summary": "A run as it stands.",
                "parameters": [
                    _RUN_ID,
                    {"name": "messages", "in": "query", "schema": {"type": "boolean"}},
                ],
                "responses": {**_run_answers(), **_problems(400, 404, 409)},
            }
        },
        "/runs/{run_id}/resume": {
            "post": {
                "operationId": "resumeRun",
                "summary": "Decide about calls that wait, and go on; or go on with what was interrupted.",
                "description": accept,
                "parameters": [_RUN_ID, _PREFER],
                "requestBody": _body("ResumeRequest", is_required=False),
                "responses": {**_run_answers(waits=True, streams=True), **_problems(404, *_OF_BODIES)},
            }
        },
        "/runs/{run_id}/events": {
            "get": {
                "operationId": "watchRun",
                "summary": "The events of a run, from the beginning or from Last-Event-ID on.",
                "description": "The last event, `run`, is the run as it stands.",
                "parameters": [
                    _RUN_ID,
                    {"name": "Last-Event-ID", "in": "header", "schema": {"type": "integer"}},
                ],
                "responses": {"200": _event_answer(), **_problems(400, 404, 409)},
            }
        },
    }


def _paths_of_server() -> Schema:
    return {
        "/openapi.json": {
            "get": {
                "operationId": "describe",
                "summary": "This document.",
                "responses": {"200": {"description": "OpenAPI 3.1"}},
            }
        },
        "/healthz": {
            "get": {
                "operationId": "health",
                "summary": "Whether the server takes runs.",
                "security": [],
                "responses": {"200": {"description": "It does."}},
            }
        },
    }


def _body(model: str, *, is_required: bool) -> Schema:
    return {"required": is_required, "content": {"application/json": {"schema": _of(model)}}}


def _run_answers(*, waits: bool = False, streams: bool = False) -> Schema:
    content: Schema = {"application/json": {"schema": _of("RunDocument")}}
    answers: Schema = {"200": {"description": "The run as it stands.", "content": content}}
    if streams:
        answers["200"]["content"] = {**content, **_event_answer()["content"]}
    if waits:
        told = "The run is under way; look at it by GET, after Retry-After seconds."
        answers["202"] = {"description": told, "content": content}
    return answers


def _event_answer() -> Schema:
    return {
        "description": "Server-sent events.",
        "content": {EVENT_STREAM: {"schema": {"type": "string"}}},
    }


def _problems(*statuses: int) -> Schema:
    content = {PROBLEM_JSON: {"schema": _of("ProblemDocument")}}
    return {str(status): {"description": _PROBLEMS[status], "content": content} for status in statuses}


def _with_common_answers(paths: Schema, of_strangers: int) -> Schema:
    """of_strangers: what whoever may not ask is answered; what needs no token has that only without one."""
    for operation in (operation for methods in paths.values() for operation in methods.values()):
        is_open = of_strangers == 401 and operation.get("security") == []
        common = (500, 503) if is_open else (of_strangers, 500, 503)
        operation["responses"] = dict(sorted({**operation["responses"], **_problems(*common)}.items()))
    return paths


def _of(model: str) -> Json:
    return {"$ref": _REFERENCE.format(model=model)}


def _version() -> str:
    try:
        return version("callagain")
    except PackageNotFoundError:
        return "0"

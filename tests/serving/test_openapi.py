"""The OpenAPI document tells what the server does."""

import json
import re
from typing import Any

from jsonschema import Draft202012Validator
from tests.serving.conftest import TOKEN, Serve, Shop

from callagain.serving.openapi import openapi_document


def test_every_path_and_method_is_documented_and_answers(serve: Serve, shop: Shop) -> None:
    server = serve(shop.loop())
    server.ask("POST", "/runs", {"message": "refund 7", "run_id": "r"})
    document = server.ask("GET", "/openapi.json").json
    assert document["openapi"] == "3.1.0"
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            body = {"message": "Hello"} if path == "/runs" else None
            answered = server.ask(method.upper(), path.replace("{run_id}", "r"), body)
            assert str(answered.status) in operation["responses"], (method, path, answered.text)
            assert answered.status != 404, path


def test_every_answer_to_a_stranger_and_to_one_too_many_is_documented() -> None:
    for has_token, common in ((True, {"401", "503"}), (False, {"403", "503"})):
        document: Any = openapi_document(has_token=has_token)
        for path, methods in document["paths"].items():
            for operation in methods.values():
                found = operation["responses"].keys() & {"401", "403", "503"}
                assert found == (common if not has_token or path != "/healthz" else {"503"}), path


def test_schemas_are_whole_and_fit_what_is_answered(serve: Serve, shop: Shop) -> None:
    document: Any = openapi_document(has_token=True)
    assert document["security"] == [{"token": []}]
    assert "security" not in openapi_document(has_token=False)
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        Draft202012Validator.check_schema(schema)
    named = re.findall(r'"\$ref": "#/components/schemas/(\w+)"', json.dumps(document))
    assert set(named) <= schemas.keys()
    server = serve(shop.loop(), token=TOKEN)
    run = server.ask("POST", "/runs", {"message": "refund 7"}, Authorization=f"Bearer {TOKEN}").json
    for name, value in (("RunDocument", run), ("ProblemDocument", server.ask("GET", "/runs/r").json)):
        whole = {"$ref": f"#/components/schemas/{name}", "components": document["components"]}
        validator: Any = Draft202012Validator(whole)
        assert validator.is_valid(value), value

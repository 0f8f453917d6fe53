"""A server without any SDK, which misbehaves as its argument says. It starts in no time."""

import json
import os
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

MODE = sys.argv[1]
TEXT = {"type": "text", "text": "plain"}
STARTS = sys.argv[2] if len(sys.argv) > 2 else None


def tool(name: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    return {"name": name, "description": "A tool.", "inputSchema": schema or {"type": "object"}}


def deep(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def listed() -> dict[str, Any]:
    match MODE:
        case "many tools":
            return {"tools": [tool(f"tool_{number}") for number in range(1001)]}
        case "endless pages":
            return {"tools": [], "nextCursor": "more"}
        case "deep schema":
            return {"tools": [tool("deep", deep(40))]}
        case "very deep schema":
            return {"tools": [tool("deep", deep(150))]}
        case "no schema":
            return {"tools": [tool("odd", {"type": "object", "properties": {"a": {"type": "number?"}}})]}
        case "schema from afar":
            return {"tools": [tool("odd", {"type": "object", "$ref": "http://127.0.0.1:9/schema"})]}
        case "long description":
            return {"tools": [{**tool("wordy"), "description": "x" * 100_001}]}
        case "bad tools beside a good one":
            odd: list[Any] = [
                {"name": "without"},
                tool("a_text", {"type": "string"}),
                tool("deep", deep(100)),
            ]
            odd += [tool("odd", {"type": "object", "properties": []}), {"name": "lone", "title": "\ud83d"}]
            return {"tools": [*odd, {**tool("work"), "annotations": 1, "outputSchema": {}, "icons": "x"}]}
        case "no inputSchema":
            return {"tools": [{"name": "without"}]}
        case "one name twice":
            return {"tools": [tool("work"), tool("work")]}
        case "two names alike":
            return {"tools": [tool("a.b"), tool("a_b")]}
        case "exploding pattern":
            text = {"type": "string", "pattern": "^(a+)+$"}
            return {"tools": [tool("work", {"type": "object", "properties": {"text": text}})]}
        case "long name":
            return {"tools": [tool("x" * 65)]}
        case _:
            return {"tools": [tool("work")]}


def called() -> dict[str, Any]:
    match MODE:
        case "long result":
            return {"content": [{"type": "text", "text": "x" * 300_000}]}
        case "endless result":
            while True:
                sys.stdout.write("x" * 65536)
        case "long error":
            return {"content": [{"type": "text", "text": "e" * 300_000}], "isError": True}
        case "no result":
            return {"content": "what?"}
        case "unknown parts":
            image = {"type": "image", "data": 1, "mimeType": "image/png"}
            resource = {"type": "resource", "resource": {"uri": "mem://x"}}
            return {"content": [{"type": "hologram\n", "data": "x"}, image, resource, 7, TEXT]}
        case "structured content alone":
            return {"structuredContent": {"a": 1}}
        case "quotes its secrets":
            secret = os.environ["API_TOKEN"]
            quoted = [secret, json.dumps(secret), quote(secret), os.environ["DSN"], os.environ["NICKNAME"]]
            return {
                "content": [{"type": "text", "text": " ".join(quoted)}],
                "structuredContent": {secret: secret},
            }
        case "hangs in a call":
            time.sleep(60)
        case "dies in a call":
            os._exit(1)
        case "dies in its first call" if STARTS and Path(STARTS).read_text(encoding="utf-8") == "call\n":
            os._exit(1)
        case _:
            pass
    return {"content": [{"type": "text", "text": "done"}]}


def answer(request: dict[str, Any]) -> dict[str, Any] | None:
    match request["method"]:
        case "initialize":
            version = request["params"]["protocolVersion"]
            server = {"name": "bad", "version": "1"}
            return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": server}
        case "tools/list":
            return listed()
        case "tools/call":
            if STARTS is not None:
                with open(STARTS, "a", encoding="utf-8") as file:
                    file.write("call\n")
            return called()
        case _:
            return None


def main() -> None:
    if MODE == "dies at the start":
        print("no database at postgres://me:s3cret@db.example", file=sys.stderr)
        sys.exit(1)
    if MODE == "says nothing":
        print("Listening on port 80", flush=True)
        time.sleep(60)
    print('{"level": "info", "message": "no message of the protocol"}')
    for line in sys.stdin:
        request = json.loads(line)
        if "id" not in request:
            continue
        if MODE == "no JSON-RPC":
            print('{"jsonrpc": "2.0", "hello": "world"}', flush=True)
            continue
        result = answer(request)
        if MODE.startswith("error ") and request["method"] == "tools/call":
            _, code, words = MODE.split(" ", 2)
            reply_error = {"code": int(code), "message": words}
            print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "error": reply_error}), flush=True)
            continue
        reply = {"result": result} if result else {"error": {"code": -32601, "message": "no such method"}}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **reply}), flush=True)


main()

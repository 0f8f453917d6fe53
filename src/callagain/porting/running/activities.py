"""Activities as functions: what a step that talks to an endpoint is run by."""

import re
import time
from collections.abc import Callable, Mapping, MutableMapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from callagain.porting.design.model import Activity
from callagain.porting.script.host import OperationFailed
from callagain.porting.script.values import Value, to_text

if TYPE_CHECKING:
    from callagain.connectors.clients import ClientOrFactory
    from callagain.testing.script import Script as Answers

ActivityFunction: TypeAlias = Callable[[str, MutableMapping[str, Value]], str | None]
"""Gets the request body and the global variables, and gives the body of the response, which becomes
`$jitterbit.response`, or None if there is none. Raises OperationFailed if the activity fails."""

Activities: TypeAlias = Mapping[str, ActivityFunction] | ActivityFunction
"""Functions by the names of activities, or one function for all of them."""

RESPONSE = "jitterbit.response"
REQUEST = "InAndOut"

_VARIABLE = re.compile(r"\[\$?([A-Za-z_][\w.]*)(?:\{([^}]*)\})?\]")


def body_of(activity: Activity | None, variables: Mapping[str, Value]) -> str:
    """The request body: the property `body`, or `$InAndOut` where the activity has none, as in the guide.

    In the property `[name]` stands for a global variable and `[name{default}]` for one with a default; one
    that was never set is empty, as it is in the text of a script.

    Source: "HTTP v2 connector" (docs.jitterbit.com/studio/connectors/http-v2).
    """
    template = activity.properties.get("body") if activity is not None else None
    if template is None:
        return to_text(variables.get(REQUEST))

    def value_of(found: re.Match[str]) -> str:
        value = variables.get(found[1])
        return found[2] or "" if value is None else to_text(value)

    return _VARIABLE.sub(value_of, template)


def llm_activity(
    base_url: str | None = None,
    api_key: str | None = None,
    *,
    client: "ClientOrFactory | None" = None,
    timeout: float | None = 60.0,
) -> ActivityFunction:
    """An HTTP v2 POST of the body, as it stands, to the Chat Completions API of an endpoint.

    base_url, api_key, client: as ToolLoop takes them; without any, the usual environment variables are read.
    timeout: seconds that the connection may be silent. A status that is no success fails the operation with
    the beginning of what the endpoint said.

    Raises ConfigurationError where there is no key and no base URL, or one that cannot be used.
    """
    from callagain.connectors.endpoint import Endpoint
    from callagain.connectors.exchange import Exchange
    from callagain.engine.wire.formats import WIRE_FORMATS

    endpoint = Endpoint(
        WIRE_FORMATS["chat_completions"],
        "",
        client=client,
        base_url=base_url,
        api_key=api_key,
        timeout=timeout,
    )

    def post(body: str, variables: MutableMapping[str, Value]) -> str:  # noqa: ARG001 - the body is all
        answer = Exchange(endpoint, body.encode(), time.time).send(lambda _: None)
        if answer.is_success:
            return answer.body
        raise OperationFailed(f"HTTP {answer.status}: {answer.quoted}" if answer.status else answer.body)

    return post


class ScriptedActivity:
    """An LLM Call that answers from a script, without a server; see `scripted_activity`.

    requests: the bodies that it got, those that were refused included.
    """

    def __init__(self, answers: "Answers", *, repeat_last: bool = False) -> None:
        from callagain.testing.endpoint import Endpoint
        from callagain.testing.script import responder

        self.requests: list[str] = []
        self._endpoint = Endpoint(responder(answers, repeat_last=repeat_last), event_delay=0.0)

    def __call__(self, body: str, variables: MutableMapping[str, Value]) -> str:  # noqa: ARG002
        from callagain.testing.http_messages import HttpRequest

        self.requests.append(body)
        headers = {"authorization": "Bearer scripted"}
        request = HttpRequest("POST", "/v1/chat/completions", headers, body.encode(), _Nobody())
        response = self._endpoint.respond(request, len(self.requests))
        text = _text(response.body)
        if 200 <= response.status < 300:
            return text
        raise OperationFailed(f"HTTP {response.status}: {text}")


def scripted_activity(answers: "Answers", *, repeat_last: bool = False) -> ScriptedActivity:
    """An LLM Call that answers from a script of `callagain.testing`: a list of answers, rules, or a function.

        llm_call = scripted_activity([calls(("get_order_status", {"order_id": "42"})), "It is shipped."])

    It is the stand-in endpoint without the network, and refuses what that refuses.
    """
    return ScriptedActivity(answers, repeat_last=repeat_last)


class _Nobody:
    """The client of a request that no connection brought."""

    closed_early = False

    def waits(self, seconds: float) -> bool:  # noqa: ARG002
        return True


def _text(body: bytes | Sequence[bytes]) -> str:
    return (body if isinstance(body, bytes) else b"".join(body)).decode("utf-8", "replace")

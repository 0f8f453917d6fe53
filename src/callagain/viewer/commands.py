"""What the operations of a run asked for, for the page: requests with responses, calls with results."""

from collections.abc import Sequence
from operator import itemgetter

from callagain.diagrams.walk import Performed, SentRequest, WalkedStep
from callagain.engine.commands import CallTool
from callagain.engine.json_text import Json, JsonObject, encode
from callagain.engine.log_entries import Decision
from callagain.engine.receipts import FunctionReceipt, ToolReceipt, ToolResult
from callagain.engine.variables import Variables
from callagain.engine.wire.http_answer import HttpAnswer
from callagain.viewer.texts import Requests, Texts

_VERDICTS = {"release": "approved", "edit": "edited", "answer": "answered"}


class Commands:
    """Collects all requests of a run, in order, and says what else each step asked for."""

    def __init__(self, texts: Texts, requests: Requests) -> None:
        self._texts = texts
        self._requests = requests
        self.requests: list[Json] = []

    def of(
        self, step: int, before: Variables, performed: Sequence[Performed], ended: WalkedStep | None = None
    ) -> JsonObject:
        """requests: the numbers of those that this step sent. calls: of tools and of functions.

        ended: the step, if it has ended; it may have more results than what was performed in it.
        """
        results = {} if ended is None else {result.id: result for result in ended.results}
        asked = {call.id: call.arguments_text for call in before.tool_calls}
        places = {call_id: place for place, call_id in enumerate(asked)}
        requests: list[Json] = []
        calls: list[tuple[int, Json]] = []
        for each in performed:
            if isinstance(each.command, SentRequest):
                self.requests.append(self._request(step, each, each.command))
                requests.append(len(self.requests))
            elif isinstance(each.command, CallTool):
                call_id = each.command.call_id
                call = self._tool_call(each, each.command, results.pop(call_id, None), asked.get(call_id))
                calls.append((places.get(call_id, 0), call))
            else:
                function = self._function_call(each, each.command.name, each.command.arguments)
                calls.append((len(calls), function))
        taken_over = set[str]() if ended is None else _calls_of(ended.performed)
        for result in results.values():
            call = self._answered_call(result, result.id in taken_over)
            calls.append((places.get(result.id, 0), call))
        in_order: list[Json] = [call for _, call in sorted(calls, key=itemgetter(0))]
        return _without_nothing({"requests": requests, "calls": in_order})

    def _request(self, step: int, performed: Performed, command: SentRequest) -> JsonObject:
        receipt = performed.receipt
        answer = None if receipt is None else HttpAnswer.from_json(receipt)
        told: JsonObject = {} if answer is None else {**answer.as_json(), "body": self._text(answer.body)}
        return {
            "step": step,
            "body": self._requests.sent(command),
            "answer": told or None,
            **self._how_it_went(performed),
        }

    def _tool_call(
        self, performed: Performed, command: CallTool, result: ToolResult | None, asked: str | None
    ) -> JsonObject:
        """asked: the arguments in the model's words, shown where somebody put others in their place."""
        receipt = None if performed.receipt is None else ToolReceipt.from_json(performed.receipt)
        told = result.content if result is not None else None if receipt is None else receipt.content
        decision, edited = performed.decision, receipt is not None and receipt.edited is not None
        edited = edited or (decision is not None and decision.verdict == "edit")
        return {
            "id": command.call_id,
            "name": command.name,
            "arguments": self._json(command.arguments if result is None else result.arguments),
            "told": self._text(told),
            "said": None if receipt is None or receipt.content == told else self._text(receipt.content),
            "error": None if receipt is None else receipt.error,
            **_without_nothing({"asked": self._text(asked) if edited else None}),
            **_without_nothing({"abandoned": _is_abandoned(performed)}),
            **self._how_it_went(performed),
        }

    def _answered_call(self, result: ToolResult, is_taken_over: bool) -> JsonObject:
        """One that was not performed here: it was before, or it could not be, for its name or arguments."""
        return {
            "id": result.id,
            "name": result.name,
            "arguments": None if result.arguments is None else self._json(result.arguments),
            "told": self._text(result.content),
            "said": self._text(result.full_content),
            "error": result.error,
            "not_run": "taken over" if is_taken_over else "not run",
        }

    def _function_call(self, performed: Performed, name: str, arguments: JsonObject) -> JsonObject:
        receipt = None if performed.receipt is None else FunctionReceipt.from_json(performed.receipt)
        return {
            "name": name,
            "function": True,
            "arguments": self._json(arguments),
            "told": None if receipt is None else self._json(receipt.value),
            "error": None if receipt is None else receipt.error,
            **self._how_it_went(performed),
        }

    def _how_it_went(self, performed: Performed) -> JsonObject:
        held, decision = performed.held, performed.decision
        return _without_nothing(
            {
                "seconds": performed.seconds,
                # Once is as it should be.
                "begun": performed.begun if performed.begun > 1 else None,
                "held": None if held is None else held.why,
                "decision": None if decision is None else _verdict(decision),
            }
        )

    def _text(self, text: str | None) -> Json:
        return None if text is None else self._texts.of(text)

    def _json(self, value: Json) -> JsonObject:
        return self._texts.of(encode(value).decode())


def _calls_of(performed: Sequence[Performed]) -> set[str]:
    return {each.command.call_id for each in performed if isinstance(each.command, CallTool)}


def _verdict(decision: Decision) -> str:
    value = decision.value
    if decision.verdict == "answer" and isinstance(value, dict) and value.get("error") == "denied":
        return "denied"
    return _VERDICTS[decision.verdict]


def _is_abandoned(performed: Performed) -> bool:
    receipt = performed.receipt
    told = isinstance(receipt, dict) and receipt.get("abandoned") is True
    return told or (performed.held is not None and performed.held.abandoned)


def _without_nothing(fields: JsonObject) -> JsonObject:
    return {
        name: value
        for name, value in fields.items()
        if value is not None and value is not False and value != []
    }

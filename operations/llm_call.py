"""The LLM Call of the guide: HTTP v2 POST with InAndOut as the request body."""

from collections.abc import Sequence

from callagain.engine.commands import SendRequest
from callagain.engine.diagnosis import explain_refused_ids
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json
from callagain.engine.operation import Activity
from callagain.engine.variables import Variables
from callagain.engine.wire.error_answers import problem_of
from callagain.engine.wire.http_answer import HttpAnswer


class LLMCall(Activity):
    """Sends InAndOut as it stands, and keeps the answer as it came.

    Reads InAndOut. Writes the response (the guide's $jitterbit.response), and counts requests.
    Fails with the kind that the status stands for, or the error that stands in a body with a status of
    success, and the endpoint's own words; on a 400 that cites a tool_call_id the message compares the ids.

    Guide: operation LLM Call, node LLM call, HTTP v2, $jitterbit.response.
    Departs from the guide in operation LLM Call: after a call in the loop that failed the guide's parser does
    not run, so call_llm_again stays true, and the same tool runs again. Here On Fail ends the run.
    """

    kind = "HTTP v2"
    part = "Part 2"
    title = "LLM call"

    def request(self, variables: Variables) -> Sequence[SendRequest]:
        return [SendRequest(variables.InAndOut)]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        answer = HttpAnswer.from_json(receipts[0])
        variables.requests += answer.attempts
        if (problem := problem_of(answer, variables.inputs.wire.error_in)) is not None:
            raise Failure.of(explain_refused_ids(problem, variables, answer))
        variables.response = answer

"""Part 3 of the guide: dispatch to the tool operation."""

from collections.abc import Sequence

from callagain.engine.commands import CallTool
from callagain.engine.error_kinds import advised
from callagain.engine.errors import Failure
from callagain.engine.json_text import Json
from callagain.engine.operation import Activity
from callagain.engine.receipts import ToolReceipt
from callagain.engine.tool_answers import take_answers
from callagain.engine.variables import Variables


class ToolDispatcher(Activity):
    """Has every call of the response performed, and collects the answers in the order of the calls.

    Reads tool_calls. Writes loop_count (one more on entering), function_resp of the first call, and
    function_resps of all, as `callagain.engine.tool_answers` words them.

    Guide: operation Tool Dispatcher, node Run tool operation, Case, counting of rounds.
    Departs from the guide in Case: the guide dispatches by a Case over function_name, one call at a time.
    Here one command goes out for each call that can be run, so that they run at the same time; a call that
    cannot (an unknown name, unusable arguments) has its answer already.
    Departs from the guide in function_resp: where no Case fits or the tool fails, the guide's still holds
    what an earlier tool returned. Here the model is told the error, so that it can do better.
    """

    kind = "Dispatcher"
    part = "Part 3"
    title = "Run tool\noperation"

    def request(self, variables: Variables) -> Sequence[CallTool]:
        if not variables.open_calls:
            what = "call_llm_again is true, but there is no open call"
            raise Failure("operation_failed", advised("operation_failed", what))
        variables.loop_count += 1
        tools = {tool.name: tool for tool in variables.inputs.tools}
        return [
            CallTool(call.id, call.name, arguments, tools[call.name].sequential, tools[call.name].on_unknown)
            for call in variables.tool_calls
            if call.error is None and (arguments := call.arguments) is not None
        ]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        arrived = iter(receipts)
        take_answers(
            variables,
            [call.error or ToolReceipt.from_json(next(arrived)) for call in variables.tool_calls],
        )
        variables.function_resp = variables.function_resps[0]

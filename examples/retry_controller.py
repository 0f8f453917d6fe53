"""The retry controller: an assistant whose model is now and then not there is asked again.

The target is another loop, which asks a model. The controller itself asks none. `max_iterations` is the
guide's maxRetries: the number of attempts, the first one included.
"""

from callagain import Result, ToolLoop, tool
from callagain.chains import RETRY_CONTROLLER
from callagain.testing import Answer, AnyAnswer, StandIn, calls, says


@tool(read_only=True)
def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its six-digit id. Not for returns."""
    return {"order_id": order_id, "status": "shipped"}


NOT_THERE = Answer(404, {"error": {"message": "the model is being deployed"}})
# Two attempts at the first question fail, and both that are made at the second one.
STAND_IN: list[AnyAnswer] = [
    NOT_THERE,
    NOT_THERE,
    calls(("get_order_status", {"order_id": "481516"})),
    says("Order 481516 has shipped."),
    NOT_THERE,
    NOT_THERE,
]


def controller(base_url: str, max_retries: int) -> ToolLoop:
    assistant = ToolLoop(
        model="gpt-4o",
        tools=[get_order_status],
        base_url=base_url,
        request_options={"temperature": 0.2},
    )

    def target(message: str) -> str | None:
        return assistant.run(message).raise_for_outcome().final_response

    return ToolLoop(
        model="none",
        base_url=base_url,
        chain=RETRY_CONTROLLER,
        functions={"target": target},
        max_iterations=max_retries,
    )


def show(result: Result) -> None:
    for step in result.trace:
        for note in step.notes:
            print(f"  {note.message}")
    own = result.variables.own
    told = result.variables.function_resp if result.error is None else result.error.message
    print(f"attempt {own['attempt']} of {own['maxRetries']}, success {own['success']}: {told}")


def main() -> None:
    with StandIn(STAND_IN) as server:
        show(controller(server.base_url, 3).run("Where is order 481516?"))
        show(controller(server.base_url, 2).run("Where is order 481517?"))


if __name__ == "__main__":
    main()

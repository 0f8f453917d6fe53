"""Tools of LlamaIndex in a loop, as they are."""

import datetime
import threading
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict
from tests.ecosystem.conftest import Call

from callagain import ToolLoop, ToolSchemaError, foreign_tool


def status(order_id: str, days: int = 7) -> dict[str, object]:
    """Look up the status of an order.

    Not for returns.
    """
    return {"order_id": order_id, "day": datetime.date(2026, 1, 2), "days": days}


async def status_async(order_id: str, days: int = 7) -> str:
    return f"async {order_id} {days}"


def made(function: Any = status, **options: Any) -> Any:
    from llama_index.core.tools import FunctionTool

    return FunctionTool.from_defaults(function, name="order_status", **options)


def asked(**output: Any) -> Any:
    """A tool that is no function; what it answers is an output of its own making."""
    from llama_index.core.tools import ToolMetadata, ToolOutput
    from llama_index.core.tools.types import AsyncBaseTool

    class Ask(AsyncBaseTool):
        @property
        def metadata(self) -> ToolMetadata:
            return ToolMetadata("Ask the handbook.", "ask")

        def call(self, question: Any) -> ToolOutput:  # pyright: ignore[reportIncompatibleMethodOverride]
            return ToolOutput("ask", raw_input={"question": question}, **output)

        async def acall(self, question: Any) -> ToolOutput:  # pyright: ignore[reportIncompatibleMethodOverride]
            return self.call(question)

    return Ask()


def test_name_description_and_schema_are_announced_without_the_signature() -> None:
    tool = made()
    assert tool.metadata.description.startswith("order_status(order_id: str, days: int = 7) -> ")
    assert foreign_tool(tool).announced()["function"] == {
        "name": "order_status",
        "description": "Look up the status of an order.\n\nNot for returns.",
        "parameters": {
            "type": "object",
            "properties": {"order_id": {"type": "string"}, "days": {"type": "integer", "default": 7}},
            "required": ["order_id"],
        },
    }


def test_a_description_of_its_own_stays_as_it_is() -> None:
    assert foreign_tool(made(description="Status\nof an order.")).description == "Status\nof an order."


def test_each_driver_calls_the_kind_of_its_own(call: Call) -> None:
    both = made(async_fn=status_async)
    assert call.told(both, {"order_id": "1"}).startswith("async 1" if call.is_async else '{"order_id":"1"')
    assert call.told(both, {"order_id": "1"}, in_caller_thread=True).startswith('{"order_id":"1"')
    assert call.told(made(status_async, description="s"), {"order_id": "1"}) == "async 1 7"
    assert not foreign_tool(made()).is_async


def test_a_value_is_told_as_of_any_function_unless_its_author_has_words_for_it(call: Call) -> None:
    told = call.told(made(), {"order_id": "1"})
    assert told == '{"order_id":"1","day":"2026-01-02","days":7}'

    def in_words(value: dict[str, object]) -> str:
        return f"of {value['days']} days"

    assert call.told(made(callback=in_words), {"order_id": "1"}) == "of 7 days"
    assert call.told(asked(content="Yes.", raw_output=object()), {"input": "May I?"}) == "Yes."


def test_what_llamaindex_itself_made_is_told_by_its_text(call: Call) -> None:
    from llama_index.core.base.llms.types import ImageBlock, TextBlock
    from llama_index.core.base.response.schema import Response
    from llama_index.core.schema import NodeWithScore, TextNode

    def search() -> Response:
        """Search."""
        return Response("Chapter 3.", [NodeWithScore(node=TextNode(text="long"))])

    assert call.told(made(search), {}) == "Chapter 3."
    blocks = [TextBlock(text="A picture:"), ImageBlock(image=b"0", image_mimetype="image/png")]
    assert call.told(asked(blocks=blocks), {"input": "?"}) == "A picture:\n[image, not shown]"


def test_an_output_that_is_an_error_is_told_as_one(call: Call) -> None:
    (result,) = call(asked(content="closed today", is_error=True), {"input": "?"}).tool_results
    assert (result.error, "closed today" in result.content) == ("tool_exception", True)


def test_arguments_that_its_author_has_given_are_not_the_models(call: Call) -> None:
    partial = made(partial_params={"days": 3})
    assert '"days":3' in call.told(partial, {"order_id": "1"})
    told = call.told(partial, {"order_id": "1", "days": 30})
    assert "days: unknown key; known are: order_id" in told


def test_return_direct_is_verbatim_unless_the_options_say_otherwise(call: Call) -> None:
    direct = made(lambda: "As it is.", return_direct=True, description="Terms.")
    assert call(direct, {}).final_response == "As it is."
    assert call(direct, {}, verbatim=False).final_response == "Done."


class NoSchema(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    event: threading.Event


class Unserialisable(BaseModel):
    @classmethod
    def model_json_schema(cls, *_: Any, **__: Any) -> dict[str, Any]:
        return {"type": "object", "properties": {"a": {"default": object()}}}


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        (NoSchema, "it has no JSON schema: PydanticInvalidForJsonSchema: "),
        (Unserialisable, "parameters: the schema cannot be written as JSON: "),
        (dict, "it has no JSON schema: AttributeError: "),
    ],
)
def test_a_broken_schema_is_told_when_the_loop_is_made(schema: Any, problem: str) -> None:
    with pytest.raises(ToolSchemaError) as raised:
        ToolLoop(model="m", base_url="http://127.0.0.1:1/v1", tools=[made(fn_schema=schema)])
    told = str(raised.value)
    assert told.startswith(f"LlamaIndex tool order_status: {problem}")
    assert told.endswith("; correct its fn_schema")


def test_what_only_llamaindex_could_give_is_told_when_the_tool_is_made() -> None:
    from llama_index.core.workflow import Context

    def remember(context: Context) -> str:
        """Remember."""
        return str(context)

    with pytest.raises(ToolSchemaError) as raised:
        foreign_tool(made(remember))
    assert str(raised.value) == (
        "LlamaIndex tool order_status: it wants the Context of a workflow, which a loop does not have; "
        "write the function without it"
    )

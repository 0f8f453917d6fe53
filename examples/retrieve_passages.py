"""Retrieval as a tool: few short passages with their sources, read as data; a plain word if there is none.

docs/tools-or-retrieval.md says when it is better than an ordinary tool, and what a vector store replaces.
"""

import re

from callagain import ToolLoop, tool
from callagain.testing import Rule, StandIn, calls, says

HANDBOOK = {
    "returns.md": [
        "Goods may be returned within 30 days of delivery, unused and in their packaging.",
        "Goods from a sale may be returned within 14 days. Shipping is not refunded for them.",
    ],
    "shipping.md": [
        "Orders that come in before noon are shipped on the same day, Monday to Friday.",
        "Shipping abroad takes 5 to 10 days. Customs may ask for more.",
    ],
}
MAX_PASSAGES = 2
MAX_PASSAGE_CHARS = 400
LEAST_SHARED_WORDS = 2


def words(text: str) -> set[str]:
    """The words that say something; those of up to three letters are left out."""
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3}


def best_passages(question: str) -> list[tuple[str, str]]:
    """Sources and texts that share most words with the question, the best first."""
    asked = words(question)
    ranked = [
        (len(asked & words(text)), f"{file}#{number}", text)
        for file, texts in HANDBOOK.items()
        for number, text in enumerate(texts, 1)
    ]
    ranked.sort(key=lambda each: -each[0])
    return [(source, text) for shared, source, text in ranked if shared >= LEAST_SHARED_WORDS]


@tool(read_only=True, untrusted=True, timeout=5, max_result_chars=2_000)
def search_handbook(question: str) -> dict[str, object]:
    """Search the shop's handbook. Returns up to 2 passages with their sources. Not for the state of an order.

    Args:
        question: what is to be found out, in a few words, such as "return of sale goods"
    """
    found = best_passages(question)[:MAX_PASSAGES]
    if not found:
        return {"passages": [], "next": "Search in other words, or say that the handbook is silent."}
    return {"passages": [{"source": source, "text": text[:MAX_PASSAGE_CHARS]} for source, text in found]}


STAND_IN = [
    Rule(
        asked="sale",
        then=[
            calls(("search_handbook", {"question": "return of goods from a sale"})),
            says("Yes, within 14 days; shipping is not refunded (returns.md#2)."),
        ],
    ),
    Rule(
        asked="vouchers",
        then=[
            calls(("search_handbook", {"question": "paying with vouchers"})),
            says("The handbook does not tell."),
        ],
    ),
]


def main() -> None:
    with StandIn(STAND_IN) as server:
        loop = ToolLoop(
            model="gpt-4o",
            tools=[search_handbook],
            system_prompt="Answer from the handbook alone, and name the source of each fact in brackets.",
            max_iterations=3,
            base_url=server.base_url,
            request_options={"temperature": 0.2, "max_tokens": 400},
        )
        for question in ("May I return goods from the sale?", "Do you take vouchers?"):
            result = loop.run(question).raise_for_outcome()
            print(result.tool_results[0].content)
            print(result.final_response)


if __name__ == "__main__":
    main()

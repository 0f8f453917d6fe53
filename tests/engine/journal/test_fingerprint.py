"""A fingerprint changes with what a kept run means, and with nothing else."""

from dataclasses import replace

import pytest
from tests.engine.journal.runs import TOOLS, announced, inputs_of

from callagain.engine.chain import Chain
from callagain.engine.journal import fingerprint as module
from callagain.engine.journal.fingerprint import difference, fingerprint
from callagain.engine.links import Link
from callagain.engine.operation import Script
from callagain.engine.run_inputs import AnnouncedTool
from callagain.engine.table import call_llm_again
from callagain.engine.variables import Variables
from callagain.operations import TOOL_CALLING_LOOP, Initialize

READ, PAY, LOG = TOOLS


class Redact(Script):
    def run(self, variables: Variables) -> None:
        variables.own["redacted"] = True


def renamed_guard() -> Chain:
    links = tuple(
        replace(link, when=tuple(word.replace("call_llm_again", "again") for word in link.when))
        for link in TOOL_CALLING_LOOP.links
    )
    return TOOL_CALLING_LOOP.replace(links=links, guards={"again": call_llm_again})


def from_the_second_operation() -> Chain:
    begins_later = TOOL_CALLING_LOOP.insert("redact", Redact(), before="initialize")
    links = (*begins_later.links, Link("extract_final", "on_fail", "redact"))
    return replace(begins_later, initial="initialize", links=links)


CHAINS = {
    "another name": TOOL_CALLING_LOOP.replace(name="mine"),
    "one operation more": TOOL_CALLING_LOOP.insert("redact", Redact(), before="llm_call"),
    "that operation elsewhere": TOOL_CALLING_LOOP.insert("redact", Redact(), after="llm_call"),
    "that operation by another name": TOOL_CALLING_LOOP.insert("cleanse", Redact(), before="llm_call"),
    "another link": TOOL_CALLING_LOOP.replace(
        links=(*TOOL_CALLING_LOOP.links, Link("extract_final", "on_fail", "llm_call"))
    ),
    "another guard": renamed_guard(),
    "the operation before the first": TOOL_CALLING_LOOP.insert("redact", Redact(), before="initialize"),
    "another initial state": from_the_second_operation(),
}
TOOL_LISTS: dict[str, tuple[AnnouncedTool, ...]] = {
    "no tools": (),
    "a tool less": (READ, PAY),
    "a tool more": (*TOOLS, announced("list")),
    "another order": (PAY, READ, LOG),
    "another description": (READ, PAY, announced("log", "Writes a line")),
    "another name": (READ, PAY, replace(LOG, name="write")),
}


def test_every_change_of_the_chain_or_of_the_schemas_gives_another_fingerprint() -> None:
    found = [fingerprint(TOOL_CALLING_LOOP, inputs_of())]
    found += [fingerprint(chain, inputs_of()) for chain in CHAINS.values()]
    found += [
        fingerprint(TOOL_CALLING_LOOP, replace(inputs_of(), tools=tools)) for tools in TOOL_LISTS.values()
    ]
    assert len(set(found)) == len(found)


def test_a_new_format_gives_another_fingerprint(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint(TOOL_CALLING_LOOP, inputs_of())
    monkeypatch.setattr(module, "FORMAT", module.FORMAT + 1)
    assert fingerprint(TOOL_CALLING_LOOP, inputs_of()) != before


def test_what_a_run_records_for_itself_is_not_in_the_fingerprint() -> None:
    other = replace(inputs_of(1), run_id="r2", model="another", user_message="Stop")
    other = replace(other, tools=(replace(READ, sequential=True, max_result_chars=9), PAY, LOG))
    assert fingerprint(TOOL_CALLING_LOOP, other) == fingerprint(TOOL_CALLING_LOOP, inputs_of())


def test_the_order_of_links_and_operations_and_of_the_keys_of_a_schema_is_of_no_matter() -> None:
    chain = TOOL_CALLING_LOOP
    turned = replace(
        chain.replace(links=chain.links[::-1]),
        operations=dict(reversed([*chain.operations.items(), ("initialize", Initialize())])),
    )
    tools = tuple(replace(tool, entry=dict(reversed(tool.entry.items()))) for tool in TOOLS)
    assert fingerprint(turned, replace(inputs_of(), tools=tools)) == fingerprint(chain, inputs_of())


@pytest.mark.parametrize(
    ("now", "words"),
    [
        ((READ, PAY), "the tools are not those that it began with (removed: 'log')"),
        (
            (READ, announced("pay", "Pays"), announced("list"), announced("find")),
            "the tools are not those that it began with (added: 'list', 'find'; removed: 'log'; with another "
            "schema or description: 'pay')",
        ),
        (
            tuple(announced(f"tool{number}") for number in range(7)),
            "the tools are not those that it began with (added: 'tool0', 'tool1', 'tool2', 'tool3', 'tool4' "
            "and 2 more; removed: 'read', 'pay', 'log')",
        ),
        ((LOG, PAY, READ), "the tools stand in another order than when it began"),
        (
            TOOLS,
            "it began with another chain than 'tool_calling_loop' as it is now (its links, its guards or the "
            "names of its operations), or with another version of callagain",
        ),
    ],
)
def test_the_difference_in_words(now: tuple[AnnouncedTool, ...], words: str) -> None:
    assert difference(TOOL_CALLING_LOOP, now, TOOLS) == words

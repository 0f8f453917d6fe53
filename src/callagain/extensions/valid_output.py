"""`response_format=Model`: the answer is validated, and asked for again where it does not fit."""

import re
from collections.abc import Sequence
from dataclasses import replace

from callagain.engine.chain import Chain
from callagain.engine.commands import CallFunction
from callagain.engine.error_kinds import advised
from callagain.engine.errors import ChainError, Failure
from callagain.engine.json_text import Json, JsonError, JsonObject, decode, encode
from callagain.engine.links import LIMIT, ON_SUCCESS, Link
from callagain.engine.operation import Activity, Script
from callagain.engine.problem import Problem
from callagain.engine.receipts import FunctionReceipt
from callagain.engine.variables import Variables
from callagain.extensions.final_answer import answer_asked_for
from callagain.extensions.output_limit import ways_to_llm_call

NAME, REPAIR = "validate_output", "repair_output"
OUTPUT_FITS, OUTPUT_REPAIRS_LEFT = "output_fits", "output_repairs_left"
EXTRACT_FINAL = "extract_final"
# The function that validates: (text) -> what is wrong with it, in one line; empty if it fits.
FAULTS_IN_OUTPUT = "callagain.faults_in_output"

_BYTE_ORDER_MARK = "\ufeff"
_FENCED = re.compile(r"```(?:json)?[ \t]*\n(.*?)```", re.DOTALL | re.IGNORECASE)


class ValidateOutput(Activity):
    """Has the answer validated by the type that the loop was given, outside, as every function is called.

    Reads final_response. Writes it as bare JSON: blanks around it, a byte order mark, or a fence of Markdown
    are left out. An answer that does not fit is none: final_response is None again, and the chain goes to
    repair_output, or, with limits.max_output_repairs repairs made, to the limit.
    Fails with operation_failed if a validator of the type's own broke.

    Departs from the guide in final_response: the guide takes what the model says, whatever its form. With
    response_format it is JSON that fits the type, or there is none: the model is told what is wrong, and
    answers again.
    """

    title = "Validate final\nresponse"

    def request(self, variables: Variables) -> Sequence[CallFunction]:
        text = variables.final_response
        if text is None:
            raise Failure("operation_failed", "there is no answer to validate; Extract Final must come first")
        variables.final_response = bare_json(text)
        # A validation has no effects.
        return [CallFunction(FAULTS_IN_OUTPUT, {"text": variables.final_response}, on_unknown="retry")]

    def receive(self, variables: Variables, receipts: Sequence[Json]) -> None:
        receipt = FunctionReceipt.from_json(receipts[0])
        if receipt.error is not None:
            kind = receipt.kind or "operation_failed"
            raise Failure(kind, advised(kind, f"the answer could not be validated: {receipt.error}"))
        faults = str(receipt.value)
        variables.own[NAME] = {"faults": faults, "repairs": repairs_made(variables)}
        if not faults:
            return
        text, variables.final_response = variables.final_response, None
        if output_repairs_left(variables):
            return
        if answer_asked_for(variables):
            # The run ends at the limit that it had come to before.
            variables.warn("output_invalid", "the closing answer does not fit response_format")
        else:
            variables.limit_reached = _problem(variables, faults, text)


class RepairOutput(Script):
    """Tells the model what is wrong with its answer, and asks for another one.

    Reads reply, and the faults that validate_output found. Writes tools_messages, to which the answer and
    the faults are appended, and InAndOut. The model may call tools again before it answers.
    """

    title = "Ask again\nwith the faults"

    def run(self, variables: Variables) -> None:
        reply = variables.reply
        if reply is None:
            raise Failure("operation_failed", "there is no answer to repair; Extract Final must come first")
        inputs, wire = variables.inputs, variables.inputs.wire
        answer: JsonObject = {"role": "assistant", "content": reply.text}
        said, _ = wire.base_messages(None, [answer], _request(variables), inputs.profile, repair=False)
        variables.tools_messages = variables.tools_messages.plus(b",".join(map(encode, said)))
        fields = variables.request.fields
        variables.assigned_request = wire.continuation(
            fields, reply.message, (), (), inputs.use_previous_response_id
        )
        if variables.assigned_request is not None:
            # The endpoint knows its own answer, and is told what is new.
            continued = decode(variables.assigned_request.decode())
            assert isinstance(continued, dict)
            variables.assigned_request = encode({**continued, wire.messages_field: [said[-1]]})
        made = repairs_made(variables) + 1
        variables.own[NAME] = {"faults": _faults(variables), "repairs": made}
        most = variables.limits.max_output_repairs
        told = f"the answer does not fit response_format, and is asked for again ({made} of {most})"
        variables.warn("output_repaired", told)


def bare_json(text: str) -> str:
    """The JSON in an answer: all of it, or what stands in its one fence; the text as it is if there is none.

    Words around a fence are left out, words around JSON without a fence are not: what of them is the answer
    would be a guess.
    """
    stripped = text.strip().removeprefix(_BYTE_ORDER_MARK).strip()
    try:
        decode(stripped)
    except JsonError:
        fenced = _FENCED.findall(stripped)
        return str(fenced[0]).strip() if len(fenced) == 1 else stripped
    return stripped


def repairs_made(variables: Variables) -> int:
    """How often the answer was asked for again, in the whole run."""
    made = _kept(variables).get("repairs")
    return made if isinstance(made, int) else 0


def was_validated(variables: Variables) -> bool:
    """An answer of the run was held against the schema."""
    return "faults" in _kept(variables)


def output_fits(variables: Variables) -> bool:
    """The answer fits its schema."""
    return _faults(variables) == ""


def output_repairs_left(variables: Variables) -> bool:
    """The answer may be asked for once more."""
    return repairs_made(variables) < variables.limits.max_output_repairs


def with_valid_output(chain: Chain) -> Chain:
    """The answer is validated behind extract_final; one that does not fit goes back to the LLM Call.

    Raises ChainError for a chain that extracts no answer, or makes no request that could be asked again.
    """
    if EXTRACT_FINAL not in chain.operations:
        raise ChainError(
            f"chain {chain.name!r} has no {EXTRACT_FINAL}, whose answer response_format is about"
        )
    ways = ways_to_llm_call(chain, REPAIR)
    chain = chain.insert(NAME, ValidateOutput(), after=EXTRACT_FINAL)
    links = [
        replace(link, when=(*link.when, OUTPUT_FITS)) if link.source == NAME else link for link in chain.links
    ]
    wrong = f"not {OUTPUT_FITS}"
    links.append(Link(NAME, ON_SUCCESS, REPAIR, (wrong, OUTPUT_REPAIRS_LEFT)))
    links.append(Link(NAME, ON_SUCCESS, LIMIT, (wrong, f"not {OUTPUT_REPAIRS_LEFT}")))
    return chain.replace(
        links=(*links, *ways),
        operations={REPAIR: RepairOutput()},
        guards={OUTPUT_FITS: output_fits, OUTPUT_REPAIRS_LEFT: output_repairs_left},
    )


def _kept(variables: Variables) -> JsonObject:
    kept = variables.own.get(NAME)
    return kept if isinstance(kept, dict) else {}


def _faults(variables: Variables) -> str:
    return str(_kept(variables).get("faults", ""))


def _request(variables: Variables) -> str:
    return (
        f"Your answer does not fit its JSON schema: {_faults(variables)}. Answer again: the whole JSON "
        "object, mended, and nothing else."
    )


def _problem(variables: Variables, faults: str, text: str | None) -> Problem:
    made = repairs_made(variables)
    times = {0: "", 1: ", asked for again once"}.get(made, f", asked for again {made} times")
    told = f"the answer does not fit response_format{times}: {faults}"
    return Problem("max_output_repairs", advised("max_output_repairs", told), partial_text=text)

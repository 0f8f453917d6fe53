"""Routing without a way back: single-round by tool calls, and prompt-based by the text of the model."""

from callagain.porting.design.model import Guess
from callagain.porting.recognition.dispatchers import dispatcher_of
from callagain.porting.recognition.facts import guess_in
from callagain.porting.recognition.llm_calls import llm_call_of
from callagain.porting.recognition.model import PromptBasedRouting, SingleRoundRouting
from callagain.porting.recognition.requests import RequestReader
from callagain.porting.recognition.survey import Survey


def single_round_in(survey: Survey) -> tuple[SingleRoundRouting | None, list[Guess]]:
    """One request with tools, a parser of its tool calls, and a dispatch; no loop was found before."""
    dispatches = survey.tool_dispatches()
    initialise = next((name for name, each in survey.requests.items() if each.tools is not None), None)
    parser = max(survey.parsers, key=lambda name: len(survey.parsers[name].names), default=None)
    if parser is None:
        return None, []
    request = survey.requests[initialise] if initialise else None
    variables = [request.variable] if request else []
    llm_call, guesses = llm_call_of(survey, [parser], variables, None)
    if not dispatches and initialise is None:
        text = "it takes a tool call out of a response, and no dispatcher and no request with tools was found"
        return None, [guess_in(survey.scripts[parser].script, text)]
    answers = [
        each.names["function_resp"] for each in survey.messages.values() if "function_resp" in each.names
    ]
    dispatcher = dispatcher_of(survey, dispatches, answers)
    reader = (
        RequestReader(survey.design, survey.scripts[initialise].script, request)
        if request and initialise
        else None
    )
    shape = SingleRoundRouting(
        initialise=initialise,
        llm_call=llm_call,
        response_parser=parser,
        dispatcher=dispatcher.script if dispatcher else None,
        tools=dispatcher.tools if dispatcher else (),
        default_response=dispatcher.default_response if dispatcher else None,
        tools_variable=(reader.tools_variable() if reader else None) or "toolsJson",
        model=reader.model() if reader else None,
    )
    return shape, [*guesses, *(reader.guesses if reader else ()), *(dispatcher.guesses if dispatcher else ())]


def prompt_based_in(survey: Survey) -> tuple[PromptBasedRouting | None, list[Guess]]:
    """A dispatch on the text that a model answered with."""
    dispatches = survey.text_dispatches()
    if not dispatches:
        return None, []
    initialise = next((name for name, each in survey.requests.items() if each.tools is None), None)
    variables = [survey.requests[initialise].variable] if initialise else []
    readers = [name for name in survey.contents if name not in survey.parsers]
    llm_call, guesses = llm_call_of(survey, readers, variables, None)
    dispatcher = dispatcher_of(survey, dispatches)
    if dispatcher is None:
        return None, []
    shape = PromptBasedRouting(
        initialise=initialise,
        llm_call=llm_call,
        dispatcher=dispatcher.script,
        routes=dispatcher.tools,
        default_response=dispatcher.default_response,
    )
    return shape, [*guesses, *dispatcher.guesses]

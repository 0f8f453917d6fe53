"""Routing without a way back: single-round by tool calls, and prompt-based by the text of the model."""

from collections.abc import Collection

from callagain.porting.design.model import Guess
from callagain.porting.recognition.dispatchers import dispatcher_of
from callagain.porting.recognition.dispatching import Dispatch
from callagain.porting.recognition.facts import guess_in
from callagain.porting.recognition.graph import Node
from callagain.porting.recognition.llm_calls import llm_call_of, prompting_operations
from callagain.porting.recognition.model import PromptBasedRouting, SingleRoundRouting
from callagain.porting.recognition.naming import Names
from callagain.porting.recognition.requests import sent_request
from callagain.porting.recognition.survey import Survey
from callagain.porting.recognition.values import Variable


def single_round_in(survey: Survey, taken: Collection[str]) -> tuple[SingleRoundRouting | None, list[Guess]]:
    """One request with tools, a parser of its tool calls, and a dispatch. taken: the scripts of loops."""
    dispatches = [each for each in survey.tool_dispatches() if each.facts.name not in taken]
    requests = {name: each for name, each in survey.requests.items() if name not in taken}
    initialise = next((name for name, each in requests.items() if each.tools is not None), None)
    parsers = [name for name in survey.parsers if name not in taken]
    parser = max(parsers, key=lambda name: len(survey.parsers[name].names), default=None)
    if parser is None:
        return None, []
    variables = [survey.requests[initialise].variable] if initialise else []
    llm_call, guesses = llm_call_of(survey, [parser], variables, None)
    if not dispatches and initialise is None:
        text = "it takes a tool call out of a response, and no dispatcher and no request with tools was found"
        return None, [guess_in(survey.scripts[parser].script, text)]
    answers = [
        each.names["function_resp"] for each in survey.messages.values() if "function_resp" in each.names
    ]
    dispatcher = dispatcher_of(survey, dispatches, answers)
    names = Names(survey)
    names.of_parts(parser, None, initialise)
    names.of_dispatcher(dispatcher)
    names.of_controller(None, None)
    sent = sent_request(survey, initialise)
    shape = SingleRoundRouting(
        initialise=initialise,
        llm_call=llm_call,
        response_parser=parser,
        dispatcher=dispatcher.script if dispatcher else None,
        tools=dispatcher.tools if dispatcher else (),
        default_response=dispatcher.default_response if dispatcher else None,
        tools_variable=sent.tools_variable,
        model=sent.model,
        numbers=sent.numbers,
        names=names.differing(),
        tool_choice=sent.tool_choice,
        default_script=dispatcher.default_script if dispatcher else None,
    )
    guesses = [*guesses, *sent.guesses, *names.guesses]
    return shape, [*guesses, *(dispatcher.guesses if dispatcher else ())]


def prompt_based_in(survey: Survey) -> tuple[PromptBasedRouting | None, list[Guess]]:
    """A dispatch on the text that a model answered with."""
    dispatches = survey.text_dispatches()
    guesses: list[Guess] = []
    if not dispatches and not survey.contents:
        dispatches, guesses = _dispatches_after_a_prompt(survey)
    if not dispatches:
        return None, []
    initialise = next((name for name, each in survey.requests.items() if each.tools is None), None)
    variables = [survey.requests[initialise].variable] if initialise else []
    readers = [name for name in survey.contents if name not in survey.parsers]
    llm_call, more = llm_call_of(survey, readers, variables, None)
    guesses += more
    dispatcher = dispatcher_of(survey, dispatches, of_text=True)
    if dispatcher is None:
        return None, []
    names = Names(survey)
    names.of_parts(None, None, initialise)
    names.of_dispatcher(dispatcher)
    sent = sent_request(survey, initialise)
    shape = PromptBasedRouting(
        initialise=initialise,
        llm_call=llm_call,
        dispatcher=dispatcher.script,
        routes=dispatcher.tools,
        default_response=dispatcher.default_response,
        model=sent.model,
        names=names.differing(),
        numbers=sent.numbers,
        default_script=dispatcher.default_script,
    )
    return shape, [*guesses, *sent.guesses, *dispatcher.guesses]


def _dispatches_after_a_prompt(survey: Survey) -> tuple[list[Dispatch], list[Guess]]:
    """Dispatches on a variable that no script sets, behind an activity that answers with a text itself."""
    starts = [Node("operation", each.name) for each in prompting_operations(survey.design)]
    reached = survey.graph.reached(starts)
    set_by_scripts = {
        write.name
        for facts in survey.scripts.values()
        for write in facts.global_writes
        if not isinstance(write.value.only, Variable)
    }
    given = {each.name for each in survey.design.variables if each.default is not None}
    for dispatch in survey.dispatches:
        name = dispatch.subject.name if isinstance(dispatch.subject, Variable) else None
        if name is None or name in set_by_scripts or name in given:
            continue
        if Node("script", dispatch.facts.name) in reached:
            text = f"${name} is taken for the text of the model, since no script sets it"
            return [dispatch], [guess_in(dispatch.facts.script, text, dispatch.place.line)]
    return [], []

"""Which shapes a design has."""

from callagain.porting.design.model import Design
from callagain.porting.recognition.flowcharts import shapes_of_flowchart
from callagain.porting.recognition.model import Recognition, Shape
from callagain.porting.recognition.retrying import retry_controllers_in
from callagain.porting.recognition.routing import prompt_based_in, single_round_in
from callagain.porting.recognition.survey import survey
from callagain.porting.recognition.tool_loops import controllers_in, tool_loops_in


def recognise(design: Design) -> Recognition:
    """The shapes of the guides that a design has: found in its scripts, steps and links, not in names.

    A design that has no scripts is recognised by its flowchart. Never raises, whatever the design is like;
    what is not certain is among the guesses, with its place.
    """
    if not design.scripts:
        return shapes_of_flowchart(design)
    found = survey(design)
    shapes: list[Shape] = []
    loops, guesses = tool_loops_in(found)
    shapes += loops
    guesses = [*found.guesses, *guesses]
    taken = [(loop.response_parser, loop.dispatcher, loop.initialise) for loop in loops]
    single, more = single_round_in(found, {name for names in taken for name in names if name})
    shapes += [single] if single else []
    guesses += more if not loops or single else []
    prompt_based, more = prompt_based_in(found)
    shapes += [prompt_based] if prompt_based else []
    guesses += more
    retries, more = retry_controllers_in(found, controllers_in(found))
    shapes += retries
    guesses += more
    return Recognition(tuple(shapes), tuple(dict.fromkeys(guesses)))

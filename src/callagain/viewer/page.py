"""The page: one HTML file with the style, the program and the run in it, and nothing from elsewhere."""

import base64
import functools
import hashlib
import html
import os
import re
from importlib.resources import files
from pathlib import Path

from callagain.diagrams.drawing import flowchart_svg
from callagain.diagrams.walk import Walk
from callagain.diagrams.words import EVENTS, LOOP_CONTROL
from callagain.diagrams.words import title as title_of
from callagain.engine.errors import ConfigurationError
from callagain.engine.json_text import Json, JsonObject, encode, valid_unicode
from callagain.engine.links import FINAL_STATES
from callagain.recording import write_whole
from callagain.viewer.run_inputs import inputs_as_json
from callagain.viewer.sources import source_of
from callagain.viewer.steps import Steps, problem_as_json
from callagain.viewer.texts import Texts

# By this a page is known as one of ours.
_GENERATOR = '<meta name="generator" content="callagain view">'
_BEGINNING = 1_000

# In the order in which they build on each other.
_SCRIPTS = ("run", "text", "parts", "panels", "flowchart", "timeline", "paper", "page")

_PLACE = re.compile(r"\{\{(\w+)\}\}")
# What would end the element that holds the run, or what some readers take for the end of a line.
_ESCAPED = "<>&\u2028\u2029"


def page(walk: Walk, *, title: str = "", difference: str | None = None) -> str:
    """The whole HTML of a run, for any browser, offline.

    title: what stands above it; the run's id is the default. difference: where a replay did not do what the
    run did, in words, to be shown on the page; where the walk ends before the log does, if none is given.
    """
    style, script = _read("page.css"), "\n".join(_read(f"{name}.js") for name in _SCRIPTS)
    heading = title or f"Run {walk.inputs.run_id}"
    parts = {
        "policy": _policy(style, script),
        "generator": _GENERATOR,
        "title": html.escape(heading),
        "style": style,
        "flowchart": flowchart_svg(walk.chain, style=False),
        "narrow_flowchart": flowchart_svg(walk.chain, direction="TB", style=False),
        "run": _escaped(encode(_run(walk, heading, difference or walk.misfit)).decode()),
        "script": script,
    }
    whole = _PLACE.sub(lambda place: parts[place[1]], _read("page.html"))
    return valid_unicode(whole)


def write_page(
    walk: Walk, path: str | os.PathLike[str], *, title: str = "", difference: str | None = None
) -> None:
    """Writes the page of a run, whole or not at all; a file that is there already is replaced.

    Raises ConfigurationError, which names the path, if it cannot be written.
    """
    # A link stays a link, and nothing but a file is replaced.
    try:
        target = Path(os.path.realpath(path))
    except ValueError:
        raise ConfigurationError(f"{os.fspath(path)!r} is no path of a file; give another one") from None
    if os.path.lexists(target) and not os.path.isfile(target):
        raise ConfigurationError(f"{os.fspath(path)} is not a file; give the path of a new one")
    text = page(walk, title=title, difference=difference)
    try:
        write_whole(target, text)
    except OSError as error:
        raise ConfigurationError(
            f"the page could not be written to {os.fspath(path)}: {error.strerror}; choose another path"
        ) from None


def is_page(path: str | os.PathLike[str]) -> bool:
    """Whether this file is a page that callagain wrote."""
    try:
        with open(path, "rb") as file:
            return _GENERATOR.encode() in file.read(_BEGINNING)
    except OSError:
        return False


@functools.cache
def _read(name: str) -> str:
    return files("callagain.viewer").joinpath(name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Nothing may be loaded, and nothing may run but what is known to be ours, by its SHA-256."""
    ours = f"script-src {_sha256(script)}; style-src {_sha256(style)}"
    return f"default-src 'none'; {ours}; base-uri 'none'; form-action 'none'"


def _escaped(json: str) -> str:
    for letter in _ESCAPED:
        json = json.replace(letter, f"\\u{ord(letter):04x}")
    return json


def _sha256(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _run(walk: Walk, title: str, difference: str | None) -> JsonObject:
    texts = Texts()
    steps = Steps(walk, texts)
    chain, answer = walk.chain, walk.variables.final_response
    return {
        "run_id": walk.inputs.run_id,
        "title": title,
        "chain": chain.name,
        "difference": difference,
        "outcome": walk.outcome,
        "state": walk.state,
        "problem": None if walk.problem is None else problem_as_json(walk.problem),
        "answer": None if answer is None else texts.of(answer),
        "words": {**EVENTS, **{state: title_of(state) for state in (*chain.operations, *FINAL_STATES)}},
        "loop_control": LOOP_CONTROL,
        "operations": {name: _operation(walk, name) for name in chain.operations},
        "inputs": inputs_as_json(walk.inputs, texts),
        "first": steps.first,
        "steps": steps.as_json(),
        "links": steps.links_as_json(),
        "requests": steps.commands.requests,
        "rounds": steps.rounds.as_json(),
        "texts": texts.as_json(),
    }


def _operation(walk: Walk, name: str) -> Json:
    operation = walk.chain.operations[name]
    return {"kind": operation.kind, "part": operation.part, **source_of(operation)}

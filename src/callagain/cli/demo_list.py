"""`callagain demo --list`: the scenarios, and what each one shows."""

import sys
import textwrap
from collections.abc import Sequence

from callagain.cli.terminal import Style, columns, say
from callagain.engine.json_text import encode
from callagain.scenarios import Scenario

_NARROWEST = 20
_FIELDS = ("name", "title", "shows", "parts", "point", "outcome", "lesson", "page")


def show_list(scenarios: Sequence[Scenario], *, as_json: bool) -> None:
    """A paragraph for each scenario, or one JSON document."""
    if as_json:
        fields = [{name: getattr(scenario, name) for name in _FIELDS} for scenario in scenarios]
        say(encode({"scenarios": fields}).decode())
        return
    style = Style.of(sys.stdout)
    indent = max(len(scenario.name) for scenario in scenarios) + 2
    for scenario in scenarios:
        default = " (the default)" if scenario is scenarios[0] else ""
        say(f"{style.bold(scenario.name)}{' ' * (indent - len(scenario.name))}{scenario.title}{default}")
        for line in textwrap.wrap(scenario.shows, max(_NARROWEST, columns() - indent)):
            say(style.faint(f"{' ' * indent}{line}"))
    say("\ncallagain demo NAME plays one.")

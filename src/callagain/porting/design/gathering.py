"""What a reader finds, piece by piece, and the design that comes of it.

Whatever the form, the same is looked at in the end: names that stand twice, names that name nothing, circles
of operations, tools that a variable holds, secrets in the text of scripts.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from callagain.engine.json_text import decode, encode
from callagain.porting.design.circles import circles
from callagain.porting.design.model import (
    Activity,
    Connection,
    Design,
    Flow,
    Guess,
    Ignored,
    Language,
    Operation,
    Script,
    SourcePlace,
    StepKind,
    ToolSchema,
    Variable,
    Workflow,
)
from callagain.porting.design.readers.limits import MAX_JSON_DEPTH
from callagain.porting.design.script_secrets import mask_secrets, mask_text, parameters_of
from callagain.porting.design.script_texts import unwrap
from callagain.porting.design.secrets import has_secret_form, is_reference, is_secret_name
from callagain.porting.design.tool_schemas import holds_tools, read_tools

LOOKED_UP = frozenset({StepKind.SCRIPT, StepKind.ACTIVITY, StepKind.OPERATION})
"""The kinds of steps whose names `design()` looks up; a reader tells of others that are not there."""


@dataclass(slots=True)
class Gathered:
    """The pieces of a design that is being read; `design()` looks at them as a whole."""

    name: str
    form: str
    place: SourcePlace
    workflows: list[Workflow] = field(default_factory=list[Workflow])
    operations: list[Operation] = field(default_factory=list[Operation])
    scripts: list[Script] = field(default_factory=list[Script])
    activities: list[Activity] = field(default_factory=list[Activity])
    connections: list[Connection] = field(default_factory=list[Connection])
    variables: list[Variable] = field(default_factory=list[Variable])
    tools: list[ToolSchema] = field(default_factory=list[ToolSchema])
    flowchart: list[Flow] = field(default_factory=list[Flow])
    ignored: list[Ignored] = field(default_factory=list[Ignored])
    guesses: list[Guess] = field(default_factory=list[Guess])
    has_scripts: bool = True
    """Whether the form has texts of scripts; without them it is no wonder that a script is not there."""

    def guess(self, text: str, place: SourcePlace) -> None:
        self.guesses.append(Guess(text, place))

    def ignore(self, kind: str, name: str, place: SourcePlace, why: str) -> None:
        self.ignored.append(Ignored(kind, name, place, why))

    def add_script(self, name: str, raw: str, place: SourcePlace, language: Language | None = None) -> None:
        """A script by its whole text. language: where the form says it, and the text has no mark."""
        unwrapped = unwrap(raw, language)
        if unwrapped.outside:
            self.guess(f"script {name!r} has text outside of its marks, which was left out", place)
        self.scripts.append(Script(name, unwrapped.language, unwrapped.text, place))

    def add_variable(
        self,
        name: str,
        default: str | None,
        place: SourcePlace,
        *,
        is_project: bool = True,
        is_secret: bool | None = None,
    ) -> None:
        """A variable, without its value if it is a secret. is_secret: None if the form does not say."""
        by_name = is_secret is None and is_secret_name(name) and not is_reference(default or "")
        by_value = default is not None and has_secret_form(default)
        if not is_secret and default and (by_name or by_value):
            why = "by the form of its value" if by_value else "by its name"
            self.guess(f"variable {name!r} is taken for a secret {why}; its value was left out", place)
        if by_name or by_value or is_secret:
            self.variables.append(Variable(name, place, is_project, None, True))
        else:
            shown = self._without_secrets(default, f"variable {name!r}", place) if default else default
            self.variables.append(Variable(name, place, is_project, shown))

    def design(self) -> Design:
        self._mask_scripts()
        self._mask_texts()
        self._read_tools_of_variables()
        self._guess_at_doubles()
        self._guess_at_names_of_nothing()
        self.guesses += circles(self.operations, self.scripts)
        return Design(
            self.name,
            self.form,
            tuple(self.workflows),
            tuple(self.operations),
            tuple(self.scripts),
            tuple(self.activities),
            tuple(self.connections),
            tuple(self.variables),
            tuple(self.tools),
            tuple(self.flowchart),
            tuple(self.ignored),
            tuple(self.guesses),
        )

    def _mask_scripts(self) -> None:
        """Once all scripts are there: what one gives to another may be a secret by its name there."""
        parameters = {script.name.lower(): parameters_of(script.text) for script in reversed(self.scripts)}
        for position, script in enumerate(self.scripts):
            text, lines = mask_secrets(script.text, lambda name: parameters.get(name.lower(), ()))
            if not lines:
                continue
            where = ", ".join(map(str, lines))
            self._guess_at_secret(f"script {script.name!r}", f" in line {where}", script.place)
            self.scripts[position] = replace(script, text=text)

    def _mask_texts(self) -> None:
        """The texts of a flowchart, and of the tools that the form lists."""
        for position, flow in enumerate(self.flowchart):
            what = f"node {flow.id!r}"
            text = self._without_secrets(flow.text, what, flow.place)
            edges = tuple(
                (self._without_secrets(label, what, flow.place), target) for label, target in flow.edges
            )
            self.flowchart[position] = replace(flow, text=text, edges=edges)
        for position, tool in enumerate(self.tools):
            what = f"tool {tool.name!r}"
            description = self._without_secrets(tool.description, what, tool.place)
            schema = encode(dict(tool.parameters)).decode()
            shown = self._without_secrets(schema, what, tool.place)
            if (description, shown) != (tool.description, schema):
                parameters = decode(shown, max_depth=MAX_JSON_DEPTH)
                assert isinstance(parameters, dict)
                self.tools[position] = replace(tool, description=description, parameters=parameters)

    def _without_secrets(self, text: str, what: str, place: SourcePlace) -> str:
        shown = mask_text(text)
        if shown != text:
            self._guess_at_secret(what, "", place)
        return shown

    def _guess_at_secret(self, what: str, where: str, place: SourcePlace) -> None:
        text = f"{what} has what looks like a secret{where}; it stands as *** here"
        self.guess(f"{text}: give it a project variable", place)

    def _read_tools_of_variables(self) -> None:
        given = {tool.name: tool for tool in self.tools}
        for variable in self.variables:
            if not variable.default or not holds_tools(variable.name, variable.default):
                continue
            tools, problems = read_tools(variable.default, variable.name, variable.place)
            for problem in problems:
                self.guess(problem, variable.place)
            for tool in tools:
                first = given.get(tool.name)
                if first is None:
                    self.tools.append(tool)
                elif not _same(tool, first):
                    text = f"tool {tool.name!r} of variable {variable.name!r} is another one in {first.place}"
                    self.guess(f"{text}; that one counts", variable.place)
            given = {tool.name: tool for tool in tools} | given

    def _guess_at_doubles(self) -> None:
        kinds: tuple[tuple[str, Iterable[Named]], ...] = (
            ("workflow", self.workflows),
            ("operation", self.operations),
            ("script", self.scripts),
            ("activity", self.activities),
            ("connection", self.connections),
            ("variable", self.variables),
            ("tool", self.tools),
        )
        for kind, items in kinds:
            places: dict[str, list[SourcePlace]] = {}
            for item in items:
                places.setdefault(item.name, []).append(item.place)
            for name, found in places.items():
                if len(found) > 1:
                    text = (
                        f"{len(found)} of kind {kind} have the name {name!r}; what names it means the first"
                    )
                    self.guess(text, found[1])

    def _guess_at_names_of_nothing(self) -> None:
        names = {
            StepKind.ACTIVITY: {activity.name for activity in self.activities},
            StepKind.OPERATION: {operation.name for operation in self.operations},
        }
        if self.has_scripts:
            names[StepKind.SCRIPT] = {script.name for script in self.scripts}
        for operation in self.operations:
            for step in operation.steps:
                if step.kind in names and step.name not in names[step.kind]:
                    text = f"operation {operation.name!r} has a step {step.kind} {step.name!r}"
                    self.guess(f"{text}, which is not there", operation.place)
            for link, target in (("On Success", operation.on_success), ("On Fail", operation.on_fail)):
                if target is not None and target not in names[StepKind.OPERATION]:
                    text = f"operation {operation.name!r} leads {link} to {target!r}, which is not there"
                    self.guess(text, operation.place)
        for workflow in self.workflows:
            for name in workflow.operations:
                if name not in names[StepKind.OPERATION]:
                    text = f"workflow {workflow.name!r} has an operation {name!r}, which is not there"
                    self.guess(text, workflow.place)


Named = Workflow | Operation | Script | Activity | Connection | Variable | ToolSchema


def _same(one: ToolSchema, other: ToolSchema) -> bool:
    return (one.description, one.parameters) == (other.description, other.parameters)

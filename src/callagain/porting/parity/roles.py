"""Which parts of a design play which part in a comparison."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from callagain.porting.design.model import Design, Operation, StepKind
from callagain.porting.ported import PortedDesign
from callagain.porting.recognition import (
    DispatchedTool,
    PromptBasedRouting,
    Recognition,
    RetryController,
    SingleRoundRouting,
    ToolCallingLoop,
    recognise,
)
from callagain.porting.running import Kind

Part = tuple[Kind, str]
"""An operation or a script, by its name: the two may share one."""


@dataclass(frozen=True)
class Roles:
    """A design with its shapes.

    loop: its tool-calling loop. main: the operation that a conversation is; None if there is no loop, or no
    operation that runs its controller. names: the design's names of the guide's variables, where they differ.
    """

    design: Design
    recognition: Recognition
    loop: ToolCallingLoop | None
    main: str | None
    names: Mapping[str, str]

    @classmethod
    def of(cls, project: PortedDesign) -> "Roles":
        recognition = recognise(project.design)
        loop = recognition.loop
        return cls(project.design, recognition, loop, _main_operation(project.design, loop), project.names)

    def named(self, guide_name: str) -> str:
        """The name that the design has for a variable of the guide."""
        return self.names.get(guide_name, guide_name)

    def says(self, variable: str) -> bool:
        """Whether the design has a value for a global variable, or a script that sets it."""
        if any(each.name == variable and each.default is not None for each in self.design.variables):
            return True
        sets = re.compile(rf"\${re.escape(variable)}\s*\+?=(?!=)")
        return any(sets.search(script.text) for script in self.design.scripts)

    @property
    def limit(self) -> int | None:
        return None if self.loop is None else self.loop.max_iterations

    @property
    def tools(self) -> tuple[DispatchedTool, ...]:
        """What the dispatcher of the design knows."""
        for shape in self.recognition.shapes:
            if isinstance(shape, ToolCallingLoop | SingleRoundRouting):
                return shape.tools
            if isinstance(shape, PromptBasedRouting):
                return shape.routes
        return ()

    @property
    def routes_by_prompt(self) -> bool:
        return any(isinstance(shape, PromptBasedRouting) for shape in self.recognition.shapes)

    def parameters(self, tool: str) -> Mapping[str, object]:
        """The schema of a tool's arguments; one that is not announced has none."""
        known = {each.name: each.parameters for each in self.design.tools}
        return known.get(tool, {})

    @property
    def llm_activities(self) -> frozenset[str]:
        """The steps that ask the model."""
        names = {
            shape.llm_call for shape in self.recognition.shapes if not isinstance(shape, RetryController)
        }
        return frozenset(
            step.name
            for operation in self.design.operations
            if operation.name in names
            for step in operation.steps
            if step.kind not in (StepKind.SCRIPT, StepKind.OPERATION)
        )

    @property
    def parts(self) -> Mapping[str, Part]:
        """What stands for an operation of callagain; one that the controller itself does has no part."""
        loop = self.loop
        if loop is None:
            return {}
        scripts = {"append_tool_result": loop.append_tool_result, "parse_response": loop.response_parser}
        found = {
            operation: (Kind.SCRIPT, name)
            for operation, name in scripts.items()
            if name not in (None, loop.controller)
        }
        if loop.llm_call is not None:
            found.setdefault("parse_response", (Kind.OPERATION, loop.llm_call))
        if loop.tool_dispatcher is not None:
            found["tool_dispatcher"] = (Kind.OPERATION, loop.tool_dispatcher)
        elif loop.dispatcher not in (None, loop.controller):
            found["tool_dispatcher"] = (Kind.SCRIPT, str(loop.dispatcher))
        return {operation: (kind, str(name)) for operation, (kind, name) in found.items()}

    @property
    def tool_parts(self) -> frozenset[Part]:
        return frozenset((Kind.OPERATION, each.operation) for each in self.tools if each.operation)


def _main_operation(design: Design, loop: ToolCallingLoop | None) -> str | None:
    """The first operation that has the controller as a step."""
    if loop is None or loop.controller is None:
        return None
    return next((each.name for each in design.operations if _runs(each, loop.controller)), None)


def _runs(operation: Operation, script: str) -> bool:
    return any(step.kind is StepKind.SCRIPT and step.name == script for step in operation.steps)

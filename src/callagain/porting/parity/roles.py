"""Which parts of a design play which part in a comparison."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from callagain.porting.design.model import Design, Step, StepKind
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

Loop = ToolCallingLoop | SingleRoundRouting

Part = tuple[Kind, str]
"""An operation or a script, by its name: the two may share one."""


@dataclass(frozen=True)
class Roles:
    """A design with its shapes.

    loop: its tool-calling loop, or its single round of function calling. main: the operation that a
    conversation is; None if there is no such shape, or no operation that begins it. names: the design's names
    of the guide's variables, where they differ.
    """

    design: Design
    recognition: Recognition
    loop: Loop | None
    main: str | None
    names: Mapping[str, str]

    @classmethod
    def of(cls, project: PortedDesign) -> "Roles":
        recognition = recognise(project.design)
        single = (each for each in recognition.shapes if isinstance(each, SingleRoundRouting))
        loop = recognition.loop or next(single, None)
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
        return self.loop.max_iterations if isinstance(self.loop, ToolCallingLoop) else None

    @property
    def has_one_round(self) -> bool:
        """Nothing goes back to the model."""
        return isinstance(self.loop, SingleRoundRouting)

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

    @cached_property
    def parts(self) -> Mapping[str, Part]:
        """What stands for an operation of callagain; one that the controller itself does has no part."""
        loop = self.loop
        if loop is None:
            return {}
        controller = getattr(loop, "controller", None)
        candidates: list[tuple[str, Kind, str | None]] = [
            ("parse_response", Kind.SCRIPT, loop.response_parser),
            ("parse_response", Kind.OPERATION, loop.llm_call),
            ("tool_dispatcher", Kind.OPERATION, getattr(loop, "tool_dispatcher", None)),
            ("tool_dispatcher", Kind.SCRIPT, loop.dispatcher),
            ("append_tool_result", Kind.SCRIPT, getattr(loop, "append_tool_result", None)),
        ]
        found: dict[str, Part] = {}
        for operation, kind, name in candidates:
            if name is not None and (kind, name) != (Kind.SCRIPT, controller):
                found.setdefault(operation, (kind, name))
        return found

    @cached_property
    def tool_parts(self) -> frozenset[Part]:
        return frozenset((Kind.OPERATION, each.operation) for each in self.tools if each.operation)


def _main_operation(design: Design, loop: Loop | None) -> str | None:
    """The first operation that has the controller as a step, or in a single round what begins it."""
    match loop:
        case ToolCallingLoop():
            return _operation_with(design, loop.controller)
        case SingleRoundRouting():
            return _operation_with(design, loop.initialise) or loop.llm_call
        case None:
            return None


def _operation_with(design: Design, script: str | None) -> str | None:
    """The first operation that has a script as a step."""
    step = Step(StepKind.SCRIPT, script or "")
    return next((each.name for each in design.operations if step in each.steps), None)

"""What a conversation of a design is: the operation that it begins with, and what runs beside its chain."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from callagain.porting.design.model import (
    Design,
    Language,
    Operation,
    Script,
    SourcePlace,
    Step,
    StepKind,
)
from callagain.porting.recognition import (
    PromptBasedRouting,
    Residue,
    RetryController,
    Shape,
    SingleRoundRouting,
    residue,
)
from callagain.porting.script import ScriptError, parse, script_text, syntax
from callagain.porting.translation import NotTranslatable, translate

# Scripts of which the chain does the work.
OF_THE_CHAIN = ("initialise", "response_parser", "controller", "dispatcher", "append_tool_result")
_BEFORE, _AFTER = "before", "after"


@dataclass(frozen=True, slots=True)
class Conversation:
    """The operation that a conversation is, and what runs before and after its chain.

    name: of the operation. before, after: operations, made of the steps and statements that stand there.
    builds_request: the script that initialises does more than the chain, so it runs before, and the chain
    begins with the request that it has built. lost: statements that run nowhere.
    """

    name: str | None = None
    before: str | None = None
    after: str | None = None
    on_success: str | None = None
    on_fail: str | None = None
    builds_request: bool = False
    lost: tuple[Residue, ...] = ()


def with_conversation(design: Design, shape: Shape | None) -> tuple[Design, Conversation]:
    """The design with the operations that run beside the chain, and the conversation."""
    if shape is None:
        return design, Conversation()
    return _Conversations(design, shape).made()


class _Conversations:
    def __init__(self, design: Design, shape: Shape) -> None:
        self._design = design
        self._shape = shape
        self._residues = residue(design, shape)
        # Without a loop the dispatcher is what comes last.
        role = "dispatcher" if isinstance(shape, SingleRoundRouting | PromptBasedRouting) else "controller"
        self._controller: str | None = getattr(shape, role)
        self._initialise: str | None = getattr(shape, "initialise", None)
        self._builds_request = self._initialise is not None and any(
            each.role == "initialise" for each in self._residues
        )
        self._scripts: list[Script] = []
        self._lost: list[Residue] = []

    def made(self) -> tuple[Design, Conversation]:
        operation = self._operation()
        before, after = self._beside(operation)
        before += self._statements(_BEFORE)
        after = [*self._statements(_AFTER), *after]
        self._lost += [each for each in self._residues if not self._runs(each)]
        name = "conversation" if operation is None else operation.name
        added = [
            Operation(f"{name} - {where} the chain", tuple(steps), self._place)
            for where, steps in ((_BEFORE, before), (_AFTER, after))
            if steps
        ]
        names = {each.name.rsplit(" - ", 1)[1].split()[0]: each.name for each in added}
        conversation = Conversation(
            name=None if operation is None else operation.name,
            before=names.get(_BEFORE),
            after=names.get(_AFTER),
            on_success=None if operation is None else operation.on_success,
            on_fail=None if operation is None else operation.on_fail,
            builds_request=self._builds_request,
            lost=tuple(self._lost),
        )
        return (
            replace(
                self._design,
                operations=(*self._design.operations, *added),
                scripts=(*self._design.scripts, *self._scripts),
            ),
            conversation,
        )

    @property
    def _place(self) -> SourcePlace:
        for operation in self._design.operations:
            return operation.place
        return self._design.scripts[0].place

    def _operation(self) -> Operation | None:
        """The operation with the controller; none where operations of the loop run each other."""
        llm_call = getattr(self._shape, "llm_call", None)
        operations = (each for each in self._design.operations if each.name != llm_call)
        return next((each for each in operations if _has(each, self._controller)), None)

    def _beside(self, operation: Operation | None) -> tuple[list[Step], list[Step]]:
        """Steps before and behind the controller that are no part of the chain."""
        before: list[Step] = []
        if operation is not None:
            names = [step.name for step in operation.steps]
            at = names.index(self._controller or "")
            before += self._others(operation.steps[:at])
            after = self._others(operation.steps[at + 1 :])
            leading = self._leading_to(operation)
            before = [*(self._others(leading.steps) if leading else ()), *before]
        else:
            after = []
        if self._builds_request and not any(step.name == self._initialise for step in before):
            before.append(Step(StepKind.SCRIPT, self._initialise or ""))
        return before, after

    def _leading_to(self, operation: Operation) -> Operation | None:
        """The one before, linked On Success."""
        apart = (operation.name, getattr(self._shape, "llm_call", None))
        operations = (each for each in self._design.operations if each.name not in apart)
        return next((each for each in operations if each.on_success == operation.name), None)

    def _others(self, steps: Sequence[Step]) -> list[Step]:
        of_the_chain = {getattr(self._shape, role, None) for role in OF_THE_CHAIN}
        of_the_chain |= {getattr(self._shape, role, None) for role in ("llm_call", "tool_dispatcher")}
        if self._builds_request:
            of_the_chain.discard(self._initialise)
        return [step for step in steps if step.name not in of_the_chain]

    def _statements(self, where: str) -> list[Step]:
        """The controller's statements before or behind its loop, as a script of their own."""
        found = [each for each in self._residues if each.role == "controller" and each.where == where]
        if not found or isinstance(self._shape, RetryController):
            return []
        texts = [each.text.rstrip().rstrip(";") for each in found]
        if where == _AFTER:
            texts = [*_constants(self._design.script(self._controller or "")), *texts]
        name = f"{self._controller} - {where} the loop"
        script = Script(name, Language.JITTERBIT_SCRIPT, ";\n".join(texts) + ";", self._place)
        if not _stands_alone(script):
            return []
        self._scripts.append(script)
        return [Step(StepKind.SCRIPT, script.name)]

    def _runs(self, found: Residue) -> bool:
        if found.role == "initialise":
            return self._builds_request
        names = {each.name for each in self._scripts}
        return f"{found.script} - {found.where} the loop" in names


def _constants(script: Script | None) -> list[str]:
    """The local variables that a script gives a literal at its beginning, such as maxIterations."""
    if script is None:
        return []
    tree = parse(script.text, script.name)
    constants = [
        each
        for each in tree.body.items
        if isinstance(each, syntax.Assignment)
        and isinstance(each.target, syntax.Local)
        and isinstance(each.value, syntax.Literal)
        and each.operator == "="
    ]
    return [script_text(each) for each in constants]


def _stands_alone(script: Script) -> bool:
    """Whether the statements need nothing that the others have set, such as a local variable."""
    try:
        translate(parse(script.text, script.name))
    except (NotTranslatable, ScriptError):
        return False
    return True


def _has(operation: Operation, script: str | None) -> bool:
    return any(step.kind is StepKind.SCRIPT and step.name == script for step in operation.steps)

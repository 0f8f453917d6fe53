"""The rules as data, and what is said when a tool does not keep one."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal, TypeAlias

Severity: TypeAlias = Literal["problem", "advice"]
"""A `problem` misleads a model for sure; against an `advice` the author may have a good reason."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule about tool schemas.

    severity: a `problem` misleads a model for sure; against an `advice` the author may have a good reason.
    finds: what the rule finds, for a list of rules. says: what to do, for a finding; names in braces are
    filled in.
    """

    code: str
    severity: Severity
    finds: str
    says: str


@dataclass(frozen=True, slots=True)
class Finding:
    """A rule that a tool does not keep.

    tool: its name. path: the property, as `order.lines[].count`; empty for the tool itself. code: the rule.
    message: one line that says what to do.
    """

    tool: str
    path: str
    code: str
    severity: Severity
    message: str

    @property
    def place(self) -> str:
        """The tool's name, and the property behind a dot."""
        return f"{self.tool}.{self.path}" if self.path else self.tool


MOST_PARAMETERS = 3
"""Two or three simple fields are filled in right far more often than ten."""

TOO_MANY_PARAMETERS = 7

_RULES = (
    Rule(
        "name-generic",
        "problem",
        "the name says nothing of the task",
        "the name says nothing of the task; use a verb and a noun, as in look_up_invoice",
    ),
    Rule(
        "description-missing",
        "problem",
        "the tool has no description",
        "there is no description, and the model chooses by it; say what the tool does, what it returns and "
        "when not to use it",
    ),
    Rule(
        "description-alike",
        "problem",
        "two tools have the same description",
        "the description is that of {other}; say in both when to use which",
    ),
    Rule(
        "parameters-many",
        "problem",
        f"the tool has {TOO_MANY_PARAMETERS} parameters or more",
        "{count} parameters are too many to be filled in right; split the tool, or look up by yourself what "
        "an id leads to",
    ),
    Rule(
        "parameters-nested",
        "problem",
        "a parameter is an object",
        "it is an object; make its fields parameters of the tool",
    ),
    Rule(
        "property-type",
        "problem",
        "a property or the items of an array have no type",
        "{what}; say what is wanted, as in {example}",
    ),
    Rule(
        "enum-missing",
        "problem",
        "a description lists the values that are allowed",
        "the description lists {values}; give them as an enum, so that the model makes up no other",
    ),
    Rule(
        "omnibus",
        "problem",
        "one tool for several tasks, chosen by a flag",
        "{what}; make each of them a tool of its own",
    ),
    Rule(
        "read-only-effects",
        "problem",
        "declared read_only, with a name of effects",
        "it is declared read_only, but its name says “{verb}”, which changes something; mend one of the two",
    ),
    Rule(
        "name-verb-noun",
        "advice",
        "the name is a verb alone",
        "the name is a verb alone; add the noun, as in look_up_invoice",
    ),
    Rule(
        "description-repeats-name",
        "advice",
        "the description repeats the name, and no more",
        "the description repeats the name, and no more; say what the tool does, what it returns and when not "
        "to use it",
    ),
    Rule(
        "description-returns",
        "advice",
        "the description does not say what comes back",
        "say what the tool returns, as in “Returns the ticket's id.”",
    ),
    Rule(
        "description-when-not",
        "advice",
        "the description does not say when not to use the tool",
        "say when not to use the tool, as in “Not for returns.”",
    ),
    Rule(
        "parameters-several",
        "advice",
        f"the tool has {MOST_PARAMETERS + 1} to {TOO_MANY_PARAMETERS - 1} parameters",
        f"{{count}} parameters; up to {MOST_PARAMETERS} are filled in right more often",
    ),
    Rule(
        "parameters-list-of-objects",
        "advice",
        "a parameter is a list of objects",
        "it is a list of objects; take one of them a call, its fields as parameters, or a list of ids",
    ),
    Rule(
        "enum-likely",
        "advice",
        "a string whose name sounds like a closed set",
        "if only certain values are allowed, give them as an enum",
    ),
    Rule(
        "property-description",
        "advice",
        "a property has no description",
        "there is no description; say what it is, as in {example}",
    ),
    Rule(
        "property-example",
        "advice",
        "a string without an example or a format",
        "add an example or the format, as in “Ticket id, such as T-101”",
    ),
    Rule(
        "property-unit",
        "advice",
        "a number that measures something, without its unit",
        "add the unit, as in “Amount in euros”",
    ),
)

RULES: Mapping[str, Rule] = MappingProxyType({rule.code: rule for rule in _RULES})
"""By code; the problems first."""


def finding(tool: str, code: str, path: str = "", **values: object) -> Finding:
    """The finding of one rule; `values` fill in its words."""
    rule = RULES[code]
    return Finding(tool, path, code, rule.severity, rule.says.format(**values))

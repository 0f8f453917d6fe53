"""What became of each component of a design, and what its owner has to know; as text, Markdown and JSON."""

from callagain.porting.report.inventory import inventory, unknown_functions, unresolved_tags
from callagain.porting.report.json_form import ReportFileError, read_report_json, report_json
from callagain.porting.report.markdown import report_markdown
from callagain.porting.report.model import (
    Component,
    FoundTrap,
    Report,
    Status,
    UnknownFunction,
    UnresolvedTag,
)
from callagain.porting.report.reading import unreadable_scripts
from callagain.porting.report.text import report_text
from callagain.porting.report.trap import Trap
from callagain.porting.report.traps import TRAPS, find_traps

__all__ = [
    "TRAPS",
    "Component",
    "FoundTrap",
    "Report",
    "ReportFileError",
    "Status",
    "Trap",
    "UnknownFunction",
    "UnresolvedTag",
    "find_traps",
    "inventory",
    "read_report_json",
    "report_json",
    "report_markdown",
    "report_text",
    "unknown_functions",
    "unreadable_scripts",
    "unresolved_tags",
]

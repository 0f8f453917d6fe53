"""One neutral model of a Jitterbit design, and a reader for each form in which designs come.

    from pathlib import Path
    from callagain.porting.design import read_design

    design = read_design(Path("orders-assistant.json"))

`model` says what a design is. `readers` has a module for each form: a folder of scripts, a project export of
Studio, a project of Design Studio, a flowchart. What a form does not say is a guess of the design, with its
place. Secrets are left out, and only their names are kept.
"""

from callagain.porting.design.errors import DesignError
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
    Step,
    StepKind,
    ToolSchema,
    Variable,
    Workflow,
)
from callagain.porting.design.reading import read_design
from callagain.porting.design.writing import write_script_folder

__all__ = [
    "Activity",
    "Connection",
    "Design",
    "DesignError",
    "Flow",
    "Guess",
    "Ignored",
    "Language",
    "Operation",
    "Script",
    "SourcePlace",
    "Step",
    "StepKind",
    "ToolSchema",
    "Variable",
    "Workflow",
    "read_design",
    "write_script_folder",
]

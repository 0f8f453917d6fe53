"""A design run as it stands: its operations, their steps and links, and the variables after each.

from callagain.porting.running import DesignRunner, scripted_activity

runner = DesignRunner(design, activities={"LLM Call": scripted_activity(["It is shipped."])})
run = runner.run("Controller", {"userMessage": "Where is order 42?"})
run.outcome, run.log, run.snapshots[-1].variables["final_response"]
"""

from callagain.porting.running.activities import (
    Activities,
    ActivityFunction,
    ScriptedActivity,
    llm_activity,
    scripted_activity,
)
from callagain.porting.running.errors import MissingPartError
from callagain.porting.running.runner import DesignRunner
from callagain.porting.running.running_design import PythonScript
from callagain.porting.running.runs import DesignRun, Kind, Outcome, Snapshot

__all__ = [
    "Activities",
    "ActivityFunction",
    "DesignRun",
    "DesignRunner",
    "Kind",
    "MissingPartError",
    "Outcome",
    "PythonScript",
    "ScriptedActivity",
    "Snapshot",
    "llm_activity",
    "scripted_activity",
]

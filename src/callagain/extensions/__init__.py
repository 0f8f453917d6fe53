"""Options that change the path of the loop: functions from chain to chain, which every diagram then shows."""

from callagain.extensions.budget import CheckBudget, with_budget
from callagain.extensions.compaction import CompactContext, with_compaction
from callagain.extensions.deadline import with_deadline
from callagain.extensions.final_answer import AskForAnswer, with_final_answer
from callagain.extensions.output_limit import RaiseOutputLimit, with_larger_output_limit
from callagain.extensions.valid_output import RepairOutput, ValidateOutput, with_valid_output
from callagain.extensions.verbatim import TakeResult, with_verbatim_results

__all__ = [
    "AskForAnswer",
    "CheckBudget",
    "CompactContext",
    "RaiseOutputLimit",
    "RepairOutput",
    "TakeResult",
    "ValidateOutput",
    "with_budget",
    "with_compaction",
    "with_deadline",
    "with_final_answer",
    "with_larger_output_limit",
    "with_valid_output",
    "with_verbatim_results",
]

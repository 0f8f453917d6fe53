"""Options that change the path of the loop: functions from chain to chain, which every diagram then shows."""

from callagain.extensions.deadline import with_deadline
from callagain.extensions.final_answer import AskForAnswer, with_final_answer
from callagain.extensions.output_limit import RaiseOutputLimit, with_larger_output_limit

__all__ = [
    "AskForAnswer",
    "RaiseOutputLimit",
    "with_deadline",
    "with_final_answer",
    "with_larger_output_limit",
]

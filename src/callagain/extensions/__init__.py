"""Options that change the path of the loop: functions from chain to chain, which every diagram then shows."""

from callagain.extensions.deadline import with_deadline
from callagain.extensions.final_answer import AskForAnswer, with_final_answer

__all__ = ["AskForAnswer", "with_deadline", "with_final_answer"]

"""Which shapes of the guides a design has: found in the trees of its scripts, not in its names.

recognition = recognise(design)
recognition.loop            # the tool-calling loop, with the parts of the design that play its roles
roles(recognition)          # {"LLM Call": "llm_call", …}
explain(recognition.shapes[0])
residue(design, recognition.loop)   # what its scripts do besides
"""

from callagain.porting.recognition.explaining import explain, roles
from callagain.porting.recognition.model import (
    DispatchedTool,
    PromptBasedRouting,
    Recognition,
    RetryController,
    Shape,
    SingleRoundRouting,
    ToolCallingLoop,
)
from callagain.porting.recognition.recognising import recognise
from callagain.porting.recognition.residue import Residue, residue

__all__ = [
    "DispatchedTool",
    "PromptBasedRouting",
    "Recognition",
    "Residue",
    "RetryController",
    "Shape",
    "SingleRoundRouting",
    "ToolCallingLoop",
    "explain",
    "recognise",
    "residue",
    "roles",
]

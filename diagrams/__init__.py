"""Pictures of a chain, drawn from the chain itself.

Three forms of one table: the guide's flowchart, a state diagram that leaves nothing out, and a Markdown
table. An extension, or a chain of your own, is drawn by the same functions; nothing is drawn by hand.
"""

from callagain.diagrams.flowchart import flowchart
from callagain.diagrams.markdown import transition_table_markdown
from callagain.diagrams.mermaid import flowchart_text, state_diagram_text
from callagain.diagrams.model import Diagram, Edge, Node, Shape
from callagain.diagrams.states import state_diagram
from callagain.engine.chain import Chain

__all__ = [
    "Diagram",
    "Edge",
    "Node",
    "Shape",
    "flowchart",
    "flowchart_mermaid",
    "state_diagram",
    "state_diagram_mermaid",
    "transition_table_markdown",
]


def flowchart_mermaid(chain: Chain) -> str:
    """The guide's flowchart of a chain, as Mermaid text; see `flowchart` for what it shows."""
    return flowchart_text(flowchart(chain))


def state_diagram_mermaid(chain: Chain) -> str:
    """All states and links of a chain, as Mermaid text; see `state_diagram` for what it shows."""
    return state_diagram_text(state_diagram(chain))

"""Pictures of a chain and of a run, drawn from the chain itself and from what is kept of the run.

Three forms of one table: the guide's flowchart, a state diagram that leaves nothing out, and a Markdown
table. Of a walk (`result.walk`) each shows how often the run went where; its sequence diagram shows who said
what to whom. An extension, or a chain of your own, is drawn by the same functions; nothing is drawn by hand.
"""

from callagain.diagrams.drawing import flowchart_svg, state_diagram_svg
from callagain.diagrams.flowchart import flowchart
from callagain.diagrams.markdown import transition_table_markdown
from callagain.diagrams.mermaid import flowchart_mermaid, state_diagram_mermaid
from callagain.diagrams.model import Diagram, Edge, Node, Shape
from callagain.diagrams.sequence_drawing import sequence_svg
from callagain.diagrams.sequence_mermaid import sequence_mermaid
from callagain.diagrams.states import state_diagram
from callagain.diagrams.walk import Walk

__all__ = [
    "Diagram",
    "Edge",
    "Node",
    "Shape",
    "Walk",
    "flowchart",
    "flowchart_mermaid",
    "flowchart_svg",
    "sequence_mermaid",
    "sequence_svg",
    "state_diagram",
    "state_diagram_mermaid",
    "state_diagram_svg",
    "transition_table_markdown",
]

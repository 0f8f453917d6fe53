"""The last box of the guide's flowchart: extract the final response."""

from callagain.engine.errors import Failure
from callagain.engine.operation import Script
from callagain.engine.variables import Variables


class ExtractFinal(Script):
    """Reads the text of the last response. Writes final_response.

    Guide: node Extract final response.
    Departs from the guide in final_response: the guide's parser sets it already. Here it is set only where
    the flowchart says so, and so never holds a text of a run that did not end with an answer.
    """

    part = "Part 2"
    title = "Extract final\nresponse"

    def run(self, variables: Variables) -> None:
        if variables.reply is None:
            raise Failure("operation_failed", "there is no answer to extract; Parse Response must come first")
        variables.final_response = variables.reply.text

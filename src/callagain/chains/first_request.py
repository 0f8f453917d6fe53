"""Part 1 of the guide with something added: operations in the prompt, or a history that was loaded."""

from callagain.engine.run_inputs import Inputs
from callagain.engine.variables import Variables
from callagain.operations import Initialize


def build_first_request(variables: Variables, inputs: Inputs) -> None:
    """What Initialize does, with these inputs. Those that the run began with stay what they are.

    Raises Failure as Initialize does.
    """
    began_with = variables.inputs
    variables.inputs = inputs
    Initialize().run(variables)
    variables.inputs = began_with

"""The functions of Jitterbit Script, a file for each page of the reference; importing this registers them."""

from callagain.porting.script.functions.conversions import CONVERSION
from callagain.porting.script.functions.dates import DATE
from callagain.porting.script.functions.dictionaries import DICTIONARY
from callagain.porting.script.functions.encodings import CRYPTOGRAPHIC
from callagain.porting.script.functions.general import GENERAL
from callagain.porting.script.functions.json_texts import JSON
from callagain.porting.script.functions.logical import LOGICAL
from callagain.porting.script.functions.logs import LOGGING
from callagain.porting.script.functions.maths import MATH
from callagain.porting.script.functions.operations import CACHE
from callagain.porting.script.functions.registry import FUNCTIONS, Function, Group
from callagain.porting.script.functions.strings import STRING

__all__ = ["FUNCTIONS", "GROUPS", "Function", "Group"]

GROUPS: tuple[Group, ...] = (
    LOGICAL,
    GENERAL,
    STRING,
    DICTIONARY,
    JSON,
    CONVERSION,
    LOGGING,
    DATE,
    MATH,
    CRYPTOGRAPHIC,
    CACHE,
)
"""The pages of the reference, in the order in which a porter meets them."""

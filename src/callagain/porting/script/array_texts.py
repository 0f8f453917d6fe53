"""Arrays from text, for ReadArrayString."""

import re
from collections.abc import Callable

from callagain.porting.script.errors import ScriptValueError
from callagain.porting.script.values import Value

_PART = re.compile(r'[{},]|"(?:[^"]|"")*+"|[^,{}"]++')
_WRONG = "ReadArrayString wants arrayString to be such as {1,2,3} or {{a,b},{c}}, with a } for each {"


def read_array(text: str, convert: Callable[[str], Value]) -> list[Value]:
    """The array that a text such as `{{a,"b,c"},{d}}` writes; `convert` is called with each scalar.

    It has a stack of its own, so that no depth of brackets exhausts Python's. Raises ScriptValueError.
    """
    text = text.strip()
    whole: list[Value] = []
    open_arrays = [whole]
    awaits = True
    at = 0
    while at < len(text) and (part := _PART.match(text, at)):
        at = part.end()
        current = open_arrays[-1]
        if len(open_arrays) == 1 and (whole or part.group() != "{"):
            raise ScriptValueError(_WRONG)
        if part.group() == "{":
            inner: list[Value] = []
            current.append(inner)
            open_arrays.append(inner)
            awaits = True
        elif part.group() in ",}":
            closes = part.group() == "}"
            if awaits and (current or not closes):
                current.append(convert(""))
            if closes:
                open_arrays.pop()
            awaits = not closes
        else:
            current.append(convert(_scalar(part.group())))
            awaits = False
    if at < len(text) or len(open_arrays) > 1 or not whole:
        raise ScriptValueError(_WRONG)
    result = whole[0]
    return result if isinstance(result, list) else whole


def _scalar(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text

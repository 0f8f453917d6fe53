"""Any text as one line that turns nothing around, for every drawn form."""

import re

from callagain.engine.json_text import valid_unicode

# Control characters and line ends, and two that XML cannot hold.
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufffe\uffff]")
# These turn around what stands beside them, on a terminal and on a page (Unicode Standard Annex #9).
_MARK_OF_DIRECTION = re.compile(r"[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def one_line(text: str) -> str:
    """The text with its white space joined, and with JSON's escape for each mark of direction.

    What means something to Mermaid, XML or Markdown is still to be escaped.
    """
    line = " ".join(_UNPRINTABLE.sub(" ", valid_unicode(text)).split())
    return _MARK_OF_DIRECTION.sub(lambda mark: f"\\u{ord(mark.group()):04x}", line)

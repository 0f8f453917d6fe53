"""Whether a text is English. The rules about words know no other language, and are silent elsewhere.

Common small words decide: a text is English if it has more of the English ones than of all others. A text
without any, as a few nouns in a row, is judged by its first word, which may be an English verb.
"""

import re
from collections.abc import Sequence

from callagain.tool_check.words import VERBS, base_forms, vocabulary

_WORD = re.compile(r"[^\W\d_]+")

# Words that are common in several languages, such as "a" and "in", stand in neither of the two; nor do
# single letters, which "e.g." has.
_ENGLISH = vocabulary("""
    an and are at be by for from has have how if is it its not of only or such that the their this
    to what when which whose with
""")
_OTHERS = vocabulary("""
    ao aos au aux avec cu como con da das de dei del dell della delle des di dos du el em en est
    et gli il la las le les lo los mais na não nas no nos ou para par pas pe pela pelo pentru
    por pour qual que se sem sua suo sur um uma un una une și
    als auf av bei das dem den der des det die een ein eine einem einen einer eines en er et ett för
    für het ikke im ist med met mit na naar nach nicht niet och og oder om på som til und van
    voor von zu zum zur är
    bir bu dan dari dengan dla için ile je jest ke lub na nebo nie od po pro przez się untuk ve veya
    yang
""")


def is_english(texts: Sequence[str]) -> bool:
    """Whether the texts, taken together, are English; the first one may begin with a verb."""
    words = [word.casefold() for text in texts for word in _WORD.findall(text)]
    english = sum(word in _ENGLISH for word in words)
    first = _WORD.search(texts[0]) if texts else None
    if first is not None and not VERBS.isdisjoint(base_forms(first.group())):
        english += 1
    return english > sum(word in _OTHERS for word in words)

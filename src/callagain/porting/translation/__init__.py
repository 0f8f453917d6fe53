"""Translation: a Jitterbit Script as the source of a Python function.

    from callagain.porting.script import parse
    from callagain.porting.translation import translate

    translation = translate(parse(text, "Parse Response"))
    print(translation.source)

The function is written with `callagain.porting.jitterbit`, and gives what the script gives. A script that is
better kept as it is raises NotTranslatable, with reason and place.
"""

from callagain.porting.translation.model import NotTranslatable, Translation
from callagain.porting.translation.modules import module_source
from callagain.porting.translation.translating import translate

__all__ = ["NotTranslatable", "Translation", "module_source", "translate"]

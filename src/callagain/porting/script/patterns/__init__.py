"""Regular expressions in time that is linear in the text, whatever the pattern.

Patterns of scripts are as little trusted as the scripts are, and Python's `re` goes back and forth for ever
on some. `compiling` makes a small program of a pattern, and `matching` runs it so that no state is tried
twice.

Source: the Perl syntax of Boost, to which the reference of RegExMatch points
(www.boost.org/doc/libs/1_49_0/libs/regex/doc/html/boost_regex/syntax/perl_syntax.html): `.` is any character,
and `^` and `$` are beginnings and ends of lines. Not here are what has no linear form (back references, look
around, possessive repeats) and names of groups.
"""

from callagain.porting.script.patterns.compiling import compile_pattern
from callagain.porting.script.patterns.matching import Match, search

__all__ = ["Match", "compile_pattern", "search"]

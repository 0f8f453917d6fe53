"""JavaScript steps of a design, run in QuickJS (the extra `jitterbit`).

    from callagain.porting.javascript import run_javascript

    variables = {"tools_messages": ""}
    run_javascript("var messages = []; $tools_messages = JSON.stringify(messages);", globals=variables)

docs/jitterbit-scripts-as-operations.md says what such a script has, and where this departs from Jitterbit.
"""

from callagain.porting.javascript.limits import JavaScriptLimits
from callagain.porting.javascript.running import run_javascript
from callagain.porting.javascript.syntax import syntax_problem

__all__ = ["JavaScriptLimits", "run_javascript", "syntax_problem"]

"""For each trap, designs that have it, with the places, and designs that come near and do not have it.

A place is the script, line and column; of a trap that is in no script it is empty.
"""

from tests.porting.report.designs import PLACE, javascript, jitterbit, of, operation

from callagain.porting.design.model import (
    Activity,
    Connection,
    Design,
    Operation,
    Step,
    StepKind,
    ToolSchema,
    Variable,
)

Case = tuple[Design, list[str]]

TOOLS = (
    ToolSchema(
        "find",
        "Finds.",
        {"properties": {"order_id": {}, "express": {}}, "required": ["order_id"]},
        PLACE,
    ),
)


def run(name: str) -> str:
    return f'RunOperation("<TAG>operation:{name}</TAG>")'


def run_script(name: str) -> str:
    return f'RunScript("<TAG>script:{name}</TAG>")'


def chain_of_scripts(length: int) -> Design:
    """Scripts that run each other, S1 the next one, and so on."""
    texts = [run_script(f"S{number + 1}") for number in range(1, length)]
    return of(*(jitterbit(text, f"S{number}") for number, text in enumerate([*texts, "1"], 1)))


MAIN = (operation("Main", "S"),)
STATUS = 'If($status == "a", 1);'
LOOP = "While($call_llm_again == true && $loop_count < {limit}, $loop_count++; {body});"

JSON_PATHS: dict[str, list[Case]] = {
    "missing path": [
        (of('x = GetJSONString($r, "/a/tool_calls"); If(x != "null", 1)'), ["S 1:5"]),
        (of('If(IsNull(GetJSONString($r, "/a")), 1)'), ["S 1:11"]),
        (of('$status = Trim(GetJSONString($r, "/status")); If($status == "", 1)'), ["S 1:16"]),
        (of('GetJSONString($r, "/message/refusal")'), ["S 1:1"]),
        (of('GetJSONString($function_arguments, "/express")', tools=TOOLS), ["S 1:1"]),
        # Caught, with a value for it, sure to be there, or on a way where it is there.
        (of('x = Eval(GetJSONString($r, "/a"), "null"); If(x == "null", 1)'), []),
        (of('If(IsValid(GetJSONString($r, "/a/tool_calls")), 1)'), []),
        (of('GetJSONStringEx($r, "/a/tool_calls", "null") == "null"'), []),
        (of('x = GetJSONString($r, "/status"); If(x == "shipped", 1)'), []),
        (of('If($has, x = GetJSONString($r, "/m/tool_calls/[0]/id"))'), []),
        (of('GetJSONString($function_arguments, "/order_id")', tools=TOOLS), []),
    ],
    "index-style path": [
        (of('GetJSONString($r, "/choices/0/message")'), ["S 1:19"]),
        (of('p = "/choices/0"; GetJSONStringEx($r, p + "/id")'), ["S 1:39"]),
        (of('GetJSONString($r, "/a/" + i + "/x/0")'), ["S 1:19"]),
        (of('GetJSONString($r, "/choices/[0]/message/q1/2nd")'), []),
        (of('Index("/choices/0/message", "0")'), []),
    ],
    "undocumented response variable": [
        (of("x = $jitterbit.response;"), ["S 1:5"]),
        (of(javascript('var r =\n  Jitterbit.GetVar("$jitterbit.response");')), ["J 2:20"]),
        (of("$jitterbit.api.response = $response;"), []),
        (of(javascript('// Jitterbit.GetVar("$jitterbit.response")\nvar s = "$jitterbit.response";')), []),
    ],
}

JSON_TEXTS: dict[str, list[Case]] = {
    "quotes escaped only": [
        (of(r'x = "{\"a\":\"" + Replace($t, "\"", "\\\"") + "\"}"'), ["S 1:19"]),
        (of(r'q = "\""; x = "{\"a\":\"" + Replace($t, q, "\\" + q) + "\"}"'), ["S 1:29"]),
        (of(r'e = Replace(Replace($t, "\\", "\\\\"), "\"", "\\\""); x = "{\"a\":\"" + e'), ["S 1:5"]),
        (
            of(
                r'e = Replace($t, "\\", "\\\\"); e = Replace(e, "\"", "\\\""); e = Replace(e, "\n", "\\n");'
                r'x = "{\"a\":\"" + e + "\"}"'
            ),
            [],
        ),
        (
            of(r'x = "{\"a\":\"" + Replace(Replace(Replace($t,"\\","\\\\"),"\"","\\\""),"\n","\\n") + "\"}"'),
            [],
        ),
        (of(r"""x = '{"a":"' + Replace($t, '"', '\"')"""), ["S 1:16"]),
        (of(javascript(r"""$q = '{"a":"' + $t.replace(/"/g, '\\"') + '"}';""")), ["J 1:19"]),
        (of(javascript(r"""// $t.replace(/"/g, '\\"')""")), []),
        (of(javascript(r"""$q = $t.replace(/"/g, '\\"').replace(/\n/g, '\\n');""")), []),
        (
            of(
                r'a = Replace($t, "\\", "\\\\"); b = Replace(a, "\"", "\\\"");'
                r'c = RegExReplace(b, "[\r\n]+", " "); x = "{\"a\":\"" + c + "\"}"'
            ),
            [],
        ),
        # Quotes are doubled for CSV, and this one is no JSON at all.
        (of(r'x = "{\"a\":1}"; y = Replace($t, "\"", "\"\"")'), []),
        (of(r'x = "say \"" + Replace($t, "\"", "\\\"") + "\""'), []),
    ],
    "unescaped text in JSON": [
        (of(r'x = "{\"role\":\"tool\",\"content\":\"" + $function_resp + "\"}"'), ["S 1:43"]),
        (of(r'm = $userMessage; x = "{\"content\":\"Q: " + m + "\"}"'), ["S 1:46"]),
        (of(r'x = "{\"error\":\"" + GetLastError() + "\"}"'), ["S 1:23"]),
        (of(r'p = JSONParser($d); x = "[\"" + p[0]["name"] + "\"]"'), ["S 1:33"]),
        (of(r't = GetJSONString($r, "/title"); x = "{\"t\":\"" + t + "\"}"'), ["S 1:52"]),
        (of(r'$function_resp = Replace($function_resp,"\"","\\\""); x = "{\"c\":\"" + $function_resp'), []),
        (of(r'x = "{\"id\":\"" + $tool_call_id + "\",\"tools\":" + $toolsJson + "}"'), []),
        (of(r'i = GetJSONString($r, "/order_id"); x = "{\"i\":\"" + i + "\"}"'), []),
        (of(r'x = "Reason: \"" + $function_resp + "\""'), []),
        (of(r't = Trim(t); u = t; t = u; x = "{\"t\":\"" + t + "\"}"'), []),
    ],
    "quotes trimmed from text": [
        (of(r'TrimChars(GetJSONString($r, "/choices/[0]/message/content"), "\"")'), ["S 1:1"]),
        (of(r'c = GetJSONString($r, "/m/content"); c = LTrimChars(c, " \"")'), ["S 1:42"]),
        (of(r'$final_response = RTrimChars($final_response, "\"")'), ["S 1:19"]),
        (of(r'TrimChars(GetJSONString($r, "/m/tool_calls/[0]/id"), "\"")'), []),
        (of(r'TrimChars(GetJSONString($r, "/m/tool_calls/[0]/function/name"), "\"")'), []),
        (of(r'TrimChars(GetJSONString($r, "/m/content"), " \n")'), []),
    ],
    "object as text": [
        (of("$function_resp = JSONParser($x)", javascript("var c = String($function_resp);")), ["J 1:9"]),
        (of(javascript("$total = { a: 1 };\nvar c = String( $total );")), ["J 2:9"]),
        (of(javascript("var c = String($function_resp);")), ["J 1:9"]),
        (of('d = Dict(); d["a"] = 1; $function_resp = "found: " + d'), ["S 1:54"]),
        (of('d = Array(); x = Replace(d, "{", "[")'), ["S 1:26"]),
        (of("$function_resp = JSONStringify(Dict())", javascript("var c = String($function_resp);")), []),
        (of('$function_resp = "text"', javascript("var c = String($function_resp);")), []),
        (of(javascript("$total = { a: 1 };\nvar c = JSON.stringify($total); // String($total)")), []),
        (of('d = Dict(); d["a"] = 1; $function_resp = "found: " + d["a"]'), []),
    ],
}

TOOL_CALLS: dict[str, list[Case]] = {
    "first call only": [
        (
            of('GetJSONString($r, "/m/tool_calls/0/id"); GetJSONString($r, "/m/tool_calls/0/type")'),
            ["S 1:19"],
        ),
        (of('r = JSONParser($r); i = r["tool_calls"][0]["id"]'), ["S 1:25"]),
        (of('c = JSONParser(GetJSONString($r, "/m/tool_calls")); i = c[0]["id"]'), ["S 1:57"]),
        (of('c = GetJSONString($r, "/m/tool_calls"); i = GetJSONString(c, "/0/id")'), ["S 1:45"]),
        (of(javascript("var c = message\n  .tool_calls[0];")), ["J 2:4"]),
        (of(javascript("var calls = m.tool_calls || [];\nvar id = calls[0].id;")), ["J 2:10"]),
        (of('c = JSONParser($r)["tool_calls"]; While(n < Length(c), i = c[n]["id"]; j = c[0])'), []),
        (of('c = GetJSONString($r, "/m/tool_calls"); If(Length(c) > 2, 1)'), []),
        (of(javascript("var calls = m.tool_calls;\nvar n = calls.length, f = list[0];")), []),
        (of('GetJSONString($r, "/m/tool_calls/" + i + "/id"); GetJSONString($r, "/m/tool_calls/0/id")'), []),
        (of('r = JSONParser($r); i = r["tool_calls"][n]["id"]'), []),
        (of(javascript("for (var i = 0; i < m.tool_calls.length; i++) { f(m.tool_calls[0]); }")), []),
        (of(r'$q = "{\"parallel_tool_calls\":false}"; GetJSONString($r, "/m/tool_calls/0/id")'), []),
        (of('GetJSONString($r, "/tool_calls_old/0/id")'), []),
    ],
    "parallel calls not forbidden": [
        (
            of(r'$InAndOut = "{" + "\"tools\":" + $toolsJson + "}"; GetJSONString($r, "/m/tool_calls/0/id")'),
            ["S 1:19"],
        ),
        (of(r'$InAndOut = "{\"tools\":" + $toolsJson + "}"'), []),
        (
            of(
                r'$q = "{\"parallel_tool_calls\": false,\"tools\":" + $toolsJson;'
                r' GetJSONString($r, "/m/tool_calls/0/id")'
            ),
            [],
        ),
    ],
    "tools_resp overwritten before the id is read": [
        (of('$tools_resp = $r;\n$tool_call_id = GetJSONString($r, "/id");'), ["S 1:1"]),
        (of('$tools_resp = $r; If($has, $tool_call_id = GetJSONString($r, "/id"))'), ["S 1:1"]),
        (of('If($has, $tools_resp = $new; $tool_call_id = GetJSONString($old, "/id"))'), ["S 1:10"]),
        (of(javascript('$tools_resp = "";\n$tool_call_id = JSON.parse(body).id;')), []),
        (of(javascript("$tools_resp = body;\n$tool_call_id = JSON.parse(body).id;")), ["J 1:1"]),
        (of('$tool_call_id = GetJSONString($r, "/id"); $tools_resp = $r;'), []),
        (of('If($has, $tools_resp = $r; $tool_call_id = GetJSONString($tools_resp, "/id"))'), []),
        (of('$tools_resp = ""; $tool_call_id = GetJSONString($r, "/id");'), []),
        (of('m = JSONParser($r)["m"]; If($has, $tools_resp = $r; $tool_call_id = m["id"])'), []),
        (of('If($a, $tools_resp = $r, $tool_call_id = GetJSONString($r, "/id"))'), []),
    ],
    "dispatcher without default": [
        (of(f'Case($function_name == "a", {run("A")}, $function_name == "b", {run("B")})'), ["S 1:1"]),
        (of(f'If($function_name == "a", {run("A")});\nIf($function_name == "b", {run("B")});'), ["S 1:1"]),
        (of(f'n = Trim($function_name); If(n == "a", {run("A")}, If(n == "b", {run("B")}))'), ["S 1:27"]),
        (
            of('t = Case($function_name == "a", "<TAG>operation:A</TAG>"); RunOperation(t);'),
            ["S 1:5"],
        ),
        (of(f'Case($function_name == "a", {run("A")}, true, WriteToOperationLog("no"))'), ["S 1:1"]),
        (of(f'Case($function_name == "a", {run("A")}, true, RaiseError("no"))'), []),
        (of('Case(Equal($function_name, "a"), $function_resp = "A")'), ["S 1:1"]),
        (of(f'Case($function_name == "a", {run("A")}, true, $function_resp = "no")'), []),
        (of(f'If($function_name == "a", {run("A")}, $function_resp = "no tool")'), []),
        (of(f'$function_resp = "no tool"; If($function_name == "a", {run("A")})'), []),
        (of(f'If($function_name == "a", {run("A")}); If($function_name != "a", $function_resp = "no")'), []),
        (of('If($function_name == "a", WriteToOperationLog("a"))'), []),
        (of(f'If($status == "a", {run("A")})'), []),
    ],
}

MESSAGES: dict[str, list[Case]] = {
    "base messages changed in the loop": [
        (of('While($a, $non_tool_messages_json = "[" + $b; )'), ["S 1:11"]),
        (of("$non_tool_messages_json = Left($non_tool_messages_json, 3) + $function_resp"), ["S 1:1"]),
        (of("x = $tools_resp;\n$non_tool_messages_json = x"), ["S 2:1"]),
        (of(javascript("var t = $tools_resp;\n$non_tool_messages_json = t;")), ["J 2:1"]),
        (
            of(
                jitterbit(LOOP.format(limit=5, body=run("Round")), "Controller"),
                jitterbit("$non_tool_messages_json = $x", "Again"),
                operations=(operation("Round", "Again"),),
            ),
            ["Again 1:1"],
        ),
        (of('$non_tool_messages_json = "[" + m + "]"; $tools_resp = ""; $function_resp = ""'), []),
        (of(javascript("var b = JSON.parse($non_tool_messages_json), t = $tools_resp;")), []),
    ],
    "messages not replaced": [
        (
            of(r'$tools_messages = "[" + a + ",{\"role\":\"tool\"}" + "]"; $InAndOut = "{}"'),
            ["S 1:1"],
        ),
        (
            of(r'm = $tools_messages + "{\"role\":\"tool\"}"; $tools_messages = m + ""; $InAndOut = m'),
            [],
        ),
        (
            of(
                r'$tools_messages = a + "{\"role\":\"tool\"}"',
                javascript("var m = $tools_messages; $InAndOut = JSON.stringify(m);"),
            ),
            [],
        ),
        (of('$tools_messages = ""; $InAndOut = "{}"'), []),
    ],
}

LOOPS: dict[str, list[Case]] = {
    "stale final_response at the limit": [
        (of(LOOP.format(limit=5, body="1")), ["S 1:1"]),
        (of(LOOP.format(limit=5, body="1") + "\nIf($loop_count >= 5, WriteToOperationLog($x))"), ["S 2:1"]),
        (of(LOOP.format(limit=5, body='$final_response = "x"')), ["S 1:1"]),
        (of(LOOP.format(limit=5, body="1") + 'If($call_llm_again, $final_response = "none")'), []),
        (of(LOOP.format(limit=5, body="1") + 'If($call_llm_again, RaiseError("limit"))'), []),
        (of(LOOP.format(limit=5, body="1"), jitterbit('$final_response = "";', "Init")), []),
        (of("While($i < 5, $i++)"), []),
    ],
    "loop without limit": [
        (of(f"While($call_llm_again == true, {run('A')})"), ["S 1:1"]),
        (of("While(true, i++)"), ["S 1:1"]),
        (of(f"n = 0; While($call_llm_again && n < 5, {run('A')})"), ["S 1:8"]),
        (of(f"While($call_llm_again && $n < 5, $n = $n + 1; {run('A')})"), []),
        (of(f"While($call_llm_again && $n < 5, {run('A')})", jitterbit("$n++", "T")), []),
        (of(f"While(5 >= $n++, {run('A')})"), []),
        (of(f"While($call_llm_again && $n != 5, $n++; {run('A')})"), []),
        (of(f"While($call_llm_again, If($n++ >= 5, $call_llm_again = false); {run('A')})"), []),
        (of(f"While($call_llm_again, If($n++ >= 5, $x = 1); {run('A')})"), ["S 1:1"]),
        (of('While(Index(s, "  ") >= 0, s = Replace(s, "  ", " "))'), []),
    ],
    "limit too high": [
        (of(LOOP.format(limit=100, body="1")), ["S 1:1"]),
        (of("most = 26; " + LOOP.format(limit="most", body="1")), ["S 1:12"]),
        (of("While(i < 60000, i++)"), ["S 1:1"]),
        (of(LOOP.format(limit="$n", body="1"), variables=(Variable("n", PLACE, default="99"),)), ["S 1:1"]),
        (of(LOOP.format(limit=25, body="1")), []),
        (of("While(i < 1000, i++)"), []),
        (of(LOOP.format(limit="$most", body="1")), []),
    ],
}

OPERATIONS: dict[str, list[Case]] = {
    "failed operation unseen": [
        (of(f"{run('A')}; 1"), ["S 1:1"]),
        (of(f"If($x, {run('A')})"), ["S 1:8"]),
        (of(f"{run('A')}; {run('B')}; If(GetLastError() != '', 1)"), ["S 1:1"]),
        (of(f"If(!{run('A')}, RaiseError(GetLastError()))"), []),
        (of(f"ok = {run('A')}"), []),
        (of(f"{run('A')}; If(Length(GetLastError()) > 0, RaiseError('A'))"), []),
        (of(f"{run('A')} || RaiseError('A')"), []),
        (of(jitterbit(run("A"), "T"), f"If(!{run_script('T')}, RaiseError('A'))"), []),
    ],
    "asynchronous operation": [
        (of('RunOperation("<TAG>operation:A</TAG>", false)'), ["S 1:1"]),
        (of('ok = RunOperation("<TAG>operation:A</TAG>", 0)'), ["S 1:6"]),
        (of('ok = RunOperation("<TAG>operation:A</TAG>", true)'), []),
        (of(f"ok = {run('A')}"), []),
    ],
    "nested too deep": [
        (chain_of_scripts(11), ["S10 1:1"]),
        (of(run_script("S")), ["S 1:1"]),
        (
            of(
                jitterbit(f"x = {run('B')}", "A"),
                jitterbit(f"x = {run_script('A')}", "B"),
                operations=(operation("B", "B"),),
            ),
            ["B 1:5"],
        ),
        (chain_of_scripts(10), []),
        (of(f"{run_script('T')}; {run_script('T')}", jitterbit("1", "T")), []),
    ],
    "raised error": [
        (of('If($x, RaiseError("no"))'), ["S 1:8"]),
        (of('Eval(RaiseError("no"), RaiseError("again"))'), ["S 1:24"]),
        (of('Eval(RaiseError("no"), "caught")'), []),
        (of('SetLastError("no")'), []),
    ],
}

VALUES: dict[str, list[Case]] = {
    "null comparison": [
        (of("$x = $y; If($x == Null(), 1)"), ["S 1:13"]),
        (of("n = Null(); If($a != n, $a = 1)"), ["S 1:16"]),
        (of('If($nowhere == "a", 1)', operations=MAIN), ["S 1:4"]),
        (of('If($nowhere == "a", 1)'), []),
        (of("If(IsNull($x), 1)"), []),
        (of(STATUS, operations=MAIN, variables=(Variable("status", PLACE, is_project=False),)), ["S 1:4"]),
        (of(STATUS, operations=MAIN, variables=(Variable("status", PLACE),)), []),
        (of(STATUS + 'RegExMatch($x, "(a)", "status")', operations=MAIN), []),
        (of(STATUS, javascript("$status = 1;"), operations=MAIN), []),
        (of('If($function_name == "a", 1)', operations=MAIN), []),
        (
            of(STATUS, operations=(Operation("Map", (Step(StepKind.TRANSFORMATION, "Map"),), PLACE),)),
            [],
        ),
    ],
    "string compared with number": [
        (of('If(GetJSONString($r, "/n") > 5, 1)'), ["S 1:4"]),
        (of('$n = 1; If($n == "1", 1)'), ["S 1:12"]),
        (of('v = Trim($x); If(v < "10", 1)'), ["S 1:18"]),
        (of('If(Int(GetJSONString($r, "/n")) > 5, 1)'), []),
        (of('v = Trim($x); If(v == "10", 1)'), []),
        (of('If(Length($x) > 2 && $n < 5 && "a" < "b", 1)'), []),
    ],
    "boolean as text": [
        (of('x = "ok: " + true'), ["S 1:14"]),
        (of('$done = false; x = "done: " + $done + "."'), ["S 1:31"]),
        (of('x = "few: " + (n < 3)'), ["S 1:16"]),
        (of("x = String(IsNull($y))"), ["S 1:12"]),
        (of('d = Dict(); d["ok"] = true; JSONStringify(d)'), ["S 1:13"]),
        (of('x = "ok: " + If($y, "true", "false")'), []),
        (of('$done = false; $done = "no"; x = "done: " + $done'), []),
        (of('x = "n: " + 5; y = !$z; If(y, 1)'), []),
        (of('d = Dict(); d["ok"] = "true"; JSONStringify(d)'), []),
    ],
}

VARIABLES: dict[str, list[Case]] = {
    "missing key": [
        (of('d = JSONParser($x); If(IsNull(d["a"]), 1)'), ["S 1:31"]),
        (of('d = JSONParser($x); a = d["a"]; If(IsNull(a), 1)'), ["S 1:25"]),
        (of('d = Dict(); d["a"] = 1; x = d["b"]'), ["S 1:29"]),
        (of('d = JSONParser($function_arguments); x = d["express"]', tools=TOOLS), ["S 1:42"]),
        (of('d = JSONParser($x); If(HasKey(d, "a"), IfNull(d["a"], 1))'), []),
        (of('d = JSONParser($x); Eval(d["a"], "")'), []),
        (of('d = Dict(); AddToDict(d, "a", 1); x = d["a"]'), []),
        (of('d = Dict(); d[$k] = 1; x = d["b"]'), []),
        (of('d = Dict(); d["a"] = 1; x = d[$k]'), []),
        (of('d = JSONParser($function_arguments); x = d["order_id"]', tools=TOOLS), []),
        (of("a = Split($x, ','); IfNull(a[0], 1)"), []),
    ],
    "local variable not set": [
        (of("x = y + y"), ["S 1:5"]),
        (of("n = n + 1; n"), ["S 1:5"]),
        (of("If(x == 1, x = 2)"), ["S 1:4"]),
        (of("n++"), ["S 1:1"]),
        (of("x = 1; y = x; $g + _1"), []),
        (of("ArgumentList(id, name); id + name"), []),
        (of("If($a, x = 1); x"), []),
        (of('Eval(x, "")'), []),
        (of("a[0] = 1; a[1] = a[0]"), []),
        (of("x = (y = 1) + y"), []),
    ],
    "names that clash": [
        (of("$Loop_Count = 1;", jitterbit("$loop_count + 1", "T")), ["T 1:1"]),
        (of("$gpt_model", variables=(Variable("gpt.model", PLACE),)), ["S 1:1"]),
        (of("$Total = 1", javascript("var t = $total;")), ["J 1:9"]),
        (of("$loop_count = $loop_counter; Loop_Count = 1"), []),
        (of("$gpt.model", variables=(Variable("gpt.model", PLACE),)), []),
    ],
    "dotted name in JavaScript": [
        (of("$gpt.model = 1", javascript("var m = $gpt.model;")), ["J 1:9"]),
        (of(javascript("var r = $jitterbit.response;")), ["J 1:9"]),
        (of("$gpt.model = 1", javascript('var m = Jitterbit.GetVar("$gpt.model");')), []),
        (of("$gpt.model = 1", javascript("// $gpt.model\nvar m = $list.length;")), []),
    ],
    "newer JavaScript": [
        (of(javascript("var a = 1;\n  let b = 2, c; let d;")), ["J 2:3"]),
        (of(javascript("const a = 1;")), ["J 1:1"]),
        (of(javascript("f((a) => a);")), ["J 1:7"]),
        (of(javascript("var s = `a ${b} let x`;")), ["J 1:9"]),
        (of(javascript("class A { }")), ["J 1:1"]),
        (of(javascript("for (var a of list) f(a);")), ["J 1:1"]),
        (of(javascript("for (const [a] of list) f(a);")), ["J 1:1", "J 1:6", "J 1:6"]),
        (of(javascript("f(...list);")), ["J 1:3"]),
        (of(javascript("function f(a, b = 1) { }")), ["J 1:1"]),
        (of(javascript("var {a} = b;")), ["J 1:1"]),
        (of(javascript("function* f() { }\nasync function g() { }")), ["J 1:1", "J 2:1"]),
        (of(javascript("var n = a ** 2;")), ["J 1:11"]),
        (of(javascript("var m = new Map(), s = new Set(); Promise.all(m);")), ["J 1:9", "J 1:24", "J 1:35"]),
        # Texts, comments and regular expressions; names that were free; what a script defines itself.
        (of(javascript("var a = 'let b => `c`'; // const a = () => 1\n/* class A { } ** ... */")), []),
        (of(javascript("function f(s) { return /let x=>`/.test(s) || /[=>]{2}`/.test(s); }")), []),
        (of(javascript("var let = 1, of = 2; let = of; for (of = 0; of < let; of++) f(of);")), []),
        (of(javascript("for (var of in a) f(of); for (k in of) f(k); for (var i = of; i; i--) f(i)")), []),
        (of(javascript("var o = {let: 1, class: 2, const: 3}; o.class = o.const >= 1; o.Map = o.Set;")), []),
        (of(javascript("function Set() { } var s = new Set(), m = $map.Map, n = f(a = 1), x = [1, 2];")), []),
        (of(javascript("function f(a /* = 1 */, b) { a = b; var c = {}; }")), []),
    ],
}

SECRETS: dict[str, list[Case]] = {
    "secret to enter": [
        (of(variables=(Variable("key", PLACE, is_secret=True), Variable("a", PLACE, default="1"))), [""]),
        (of(connections=(Connection("C", "http", PLACE, secrets=("token", "password")),)), ["", ""]),
        (of(activities=(Activity("A", "http", "post", "target", PLACE, secrets=("token",)),)), [""]),
        (of(variables=(Variable("password", PLACE, default="[x]"),)), []),
    ],
    "secret in a script": [
        (of('$h = "***"'), ["S 1:6"]),
        (of('$h = "Bearer abcdef0123456789abcdef"'), ["S 1:6"]),
        (of('$dbPassword = "hunter-two"'), ["S 1:15"]),
        (of(javascript('var k = "sk-abcdefghijklmnopqrstuvwx";')), ["J 1:9"]),
        (of('WriteToOperationLog("*** begin ***"); $h = "Bearer " + $token'), []),
        (of('$maxTokens = "100000"; $password = ""; $tool_call_id = "call_1"'), []),
    ],
    "secret in the log": [
        (of('WriteToOperationLog("t: " + $access_token)'), ["S 1:1"]),
        (of("WriteToOperationLog($x)", variables=(Variable("x", PLACE, is_secret=True),)), ["S 1:1"]),
        (of('WriteToOperationLog("Authorization: " + $header)'), ["S 1:1"]),
        (of(javascript('WriteToOperationLog("k " + $apiKey);')), ["J 1:1"]),
        (of('WriteToOperationLog("Messages: " + $tools_messages + $InAndOut)'), []),
        (of('WriteToOperationLog("Tokens: " + $total_tokens + $max_token_count)'), []),
        (of('WriteToOperationLog("no password given")'), []),
    ],
}

CASES = {
    **JSON_PATHS,
    **JSON_TEXTS,
    **TOOL_CALLS,
    **MESSAGES,
    **LOOPS,
    **OPERATIONS,
    **VALUES,
    **VARIABLES,
    **SECRETS,
}

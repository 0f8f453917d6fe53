"""Secrets of a design: nowhere in what is read of it, only their names."""

import json
import re
from pathlib import Path

import pytest
from tests.porting.design.exports import entity, konga, script, studio_export, variable, write_jpk

from callagain.porting.design import Design, read_design, write_script_folder
from callagain.porting.design.script_secrets import mask_secrets, mask_text
from callagain.porting.design.secrets import has_secret_form, is_reference, is_secret_name
from callagain.porting.script.parser import parse

KEY = "sk-proj-abcdefghij0123456789"
ENCRYPTED = "$00VaW+HafFxcqlprTmnYrbj5NRszmdKxxPEe4yVu+SwIA="


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        *((name, True) for name in (
            "password", "email_senderPassword", "openai.apiKey", "APIKEY", "X-Api-Key", "NetSuite_Token_Key",
            "salesforce_security_token", "clientSecret", "Authorization", "pwd", "llm.key", "accessToken",
            "sessionCookie", "cookie", "bearer", "jwt", "passphrase", "pin", "pw", "subscription-key",
        )),
        *((name, False) for name in (
            "max_tokens", "total_tokens", "token_count", "token_url", "primaryKey", "monkey", "keyboard",
            "keys", "tokenizer", "systemPrompt", "toolsJson", "tool_call_id", "passage", "", "cache_key",
            "password_hint_text", "passwordLength", "tokenCount", "tools_messages", "secretary", "pinned",
        )),
    ],
)  # fmt: skip
def test_a_name_says_whether_its_value_is_a_secret(name: str, is_secret: bool) -> None:
    assert is_secret_name(name) is is_secret


@pytest.mark.parametrize(
    ("value", "is_secret"),
    [
        (KEY, True),
        (ENCRYPTED, True),
        ("ghp_abcdefghijklmnopqrstuvwx", True),
        ("AKIAABCDEFGHIJKLMNOP", True),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl", True),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", True),
        ("Bearer abcdefgh12345678", True),
        ("https://user:pass@example.org/v1", True),
        ("https://example.org/v1?api_key=abcdef123&x=1", True),
        ("https://example.org/v1?x=1&subscription-key=hunter2", True),
        ("https://example.org/v1?max_tokens=4096&next=abcdef123", False),
        ("Bearer [openai.token]", False),
        ("https://example.org:8080/a@b", False),
        ("https://example.org/?api_key=[llm.key]", False),
        ("basic instructions", False),
        ("task-management-for-everyone", False),
    ],
)
def test_a_value_shows_by_its_form_that_it_is_a_secret(value: str, is_secret: bool) -> None:
    assert has_secret_form(value) is is_secret


def test_the_name_of_a_variable_is_no_secret() -> None:
    assert [is_reference(value) for value in ("[llm.apiKey]", " [pw{}] ", "[a]b", "[pw{hunter2}]")] == [
        True, True, False, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "masked", "lines"),
    [
        (f'a = 1;\nb = "{KEY}";', 'a = 1;\nb = "***";', [2]),
        ('$llm.apiKey = "abcd1234";\n$b = "abcd1234"', '$llm.apiKey = "***";\n$b = "abcd1234"', [1]),
        ('Set("api_key", "abcd1234")', 'Set("api_key", "***")', [1]),
        ("Jitterbit.SetVar('$a.token', 'abcd1234');", "Jitterbit.SetVar('$a.token', '***');", [1]),
        (
            '$api_key = $other; $token = "none"; $key = ""',
            '$api_key = $other; $token = "none"; $key = ""',
            [],
        ),
    ],
)
def test_a_literal_secret_of_a_script_is_masked(text: str, masked: str, lines: list[int]) -> None:
    assert mask_secrets(text) == (masked, lines)


@pytest.mark.parametrize(
    "script",
    [
        'd["password"]="hunter2";',
        'AddToDict(d,"apiToken","hunter2");',
        'If($password == "hunter2", 1)',
        "If('hunter2' == d['password'], 1)",
        'If(Get("db.password") == "hunter2", 1)',
        'pw = Replace("hunter2","a","b")',
        '$token = Base64Encode("user:hunter2")',
        '$apiKey = If($env == "prod", "hunter2", "hunter2")',
        '$x = AESEncryption($text, "hunter2")',
        '$client_secret = "hunter2abcDEF+/0="; $key = "hunter2Abc=="',
        '$pin = "hunter2"; $passphrase = "hunter2 horse battery"',
        'b = "{\\"client_secret\\":\\"hunter2\\"}"',
        'b = "{\\"client_secret\\":\\"" + "hunter2" + "\\"}"',
        'url = "https://h/x?subscription-key=hunter2&a=1";',
        'x = IfEmpty($password, "hunter2"); y = $password || "hunter2";',
        'd["db"]["password"] = "hunter2"; $a.password += "hunter2";',
        'c = "Server=db;User Id=sa;Password=hunter2;"',
        "x = '<password>hunter2</password>'",
        "/* password: hunter2 */ a = 1;",
        "// token=hunter2",
        '// don\'t forget: $password = "hunter2";',
        'h = {"X-API-Key":"hunter2", password:"hunter2"};',
        'h = [{name: "X-API-Key", value: "hunter2"}];',
        'x = y.replace(/"/g, ""); headers.set("X-API-Key", "hunter2")',
        "const a = 1, password = `hunter2`",
        "Jitterbit.SetVar('$db.pwd', a ? 'hunter2' : 'hunter2')",
    ],
)
def test_what_stands_beside_the_name_of_a_secret_is_masked(script: str) -> None:
    masked, lines = mask_secrets(script)
    assert "hunter2" not in masked
    assert lines == [1]
    # Nothing but the value: quotes and names stay, so that the script still parses.
    assert re.sub(r"\W+", "", re.sub(r"\*\*\*", "", masked)) == re.sub(
        r"\W+", "", re.sub(r"(user:)?hunter2( horse battery|abcDEF..0=|Abc==)?", "", script)
    )
    assert mask_secrets(masked) == (masked, [])


@pytest.mark.parametrize(
    "script",
    [
        '$password_hint_text = "Your first pet 12345678"',
        'tokenCount = 5; max_tokens = 4096; d["tokens"] = "abc12345"',
        'b = "{\\"max_tokens\\":4096,\\"total_tokens\\":123456}"',
        '$tool_call_id = "call_abc12345"; $tools_messages = "[abc12345]"',
        't = GetJSONString(x, "/token")',
        '$accessToken = TrimChars(GetJSONString($r, "/v2/access_token"), "\\"");',
        'If($password == "", 1); If(IsNull($apiKey), RaiseError("no api key: set $apiKey"))',
        '$authorization = "Basic " + Base64Encode($user + ":" + $password)',
        '$cookie = "JSESSIONID=" + $sid + "; Path=/"',
        'key = "domestic"; $apiKey = $vault["openai.key1"]',
        '$secret = RunScript("<TAG>script:Get Secret 2024x</TAG>")',
        'WriteToOperationLog("password: " + "missing"); RaiseError("Password is required for user " + u)',
        "// password: the user's password comes from the vault; token: see step 12345",
        'var h = {"Authorization": "Bearer " + $apiKey, "Content-Type": "application/json"};',
        'url = "https://h/x?token=" + $token + "&api_key=[llm.key]"',
        'Case($type == "token", "abc12345", $type == "password", "def12345")',
        'InList(f, "password", "username")',
        '{"properties":{"password":{"type":"string","description":"12 characters"}},"required":["token"]}',
    ],
)
def test_a_script_that_only_speaks_of_secrets_stays_as_it_is(script: str) -> None:
    assert mask_secrets(script) == (script, [])


def test_a_masked_literal_stays_a_literal() -> None:
    text = '$pin = 4711; d["password"] = "a\\"hunter2"; AddToDict(d, \'token\', \'hunter2\');'
    masked, _ = mask_secrets(text)
    assert masked == '$pin = "***"; d["password"] = "***"; AddToDict(d, \'token\', \'***\');'
    parse(masked)


@pytest.mark.parametrize(
    ("value", "masked"),
    [
        ("Server=db;User Id=sa;Password=hunter;", "Server=db;User Id=sa;Password=***;"),
        (
            '{"client_id": "abc", "a": [{"client_secret" : "hunter", "pin": 1234}]}',
            '{"client_id": "abc", "a": [{"client_secret" : "***", "pin": "***"}]}',
        ),
        ('{"body":"{\\"password\\":\\"hunter\\"}"}', '{"body":"{\\"password\\":\\"***\\"}"}'),
        ("[db]\nuser = sa\npassword = hunter", "[db]\nuser = sa\npassword = ***"),
        ("X-Api-Key: hunter2\nAccept: text/plain", "X-Api-Key: ***\nAccept: text/plain"),
        ('{"max_tokens": 4096, "key": "id_2024"}', '{"max_tokens": 4096, "key": "id_2024"}'),
        ("Never ask for a password: it is a secret.", "Never ask for a password: it is a secret."),
    ],
)
def test_only_the_secrets_of_a_value_are_masked(value: str, masked: str) -> None:
    assert mask_text(value) == masked


def test_what_a_script_gives_to_a_parameter_that_is_a_secret_is_masked(tmp_path: Path) -> None:
    scripts = {
        "Login": "ArgumentList(user,password); $u = user;",
        "Sign In": "$u = _1; password = _2;",
        "Start": 'RunScript("<TAG>script:Login</TAG>", "bob", "hunter2");\n'
        't = "<TAG>script:Sign In</TAG>"; RunScript(t, "bob", "hunter2");',
    }
    for name, text in scripts.items():
        (tmp_path / f"{name}.jb").write_text(text)
    design = read_design(tmp_path)
    start = design.script("Start")
    assert start is not None
    assert start.text == scripts["Start"].replace("hunter2", "***")
    assert design.guesses[-1].text == (
        "script 'Start' has what looks like a secret in line 1, 2; it stands as *** here: "
        "give it a project variable"
    )


@pytest.mark.parametrize("form", ["orders", "orders_studio_export.json", "hr_assistant"])
def test_the_example_designs_hold_no_secret(form: str) -> None:
    design = read_design(Path(__file__).parents[3] / "examples" / "designs" / form)
    assert "***" not in repr(design)


def test_no_secret_of_an_export_is_in_the_design_or_in_what_is_written(tmp_path: Path) -> None:
    properties = [
        {"name": "baseUrl", "value": "https://me:hunter2@example.org"},
        {"name": "user", "value": "me"},
        {"name": "login", "widgetHint": "password", "value": "hunter2"},
        {"name": "blank", "type": "password", "value": ""},
        {"name": "code", "secret": True, "value": "hunter2"},
        {"name": "clientSecret", "value": "[oauth.secret]"},
        {"name": "apiKey", "value": "[oauth.secret{hunter2}]"},
        {
            "name": "headers",
            "value": [{"name": "X-Api-Key", "value": "hunter2"}, {"name": "A", "value": "1"}],
        },
        {"name": "auth", "value": {"token": "hunter2", "kind": "bearer"}},
    ]
    text = studio_export(
        {"type": 600, "id": "c", "name": "OpenAI", "properties": properties},
        {"type": 500, "id": "a", "name": "POST", "properties": properties},
        variable("prompt", "hunter2", hidevalue=True),
        variable("other", ENCRYPTED),
        variable("NetSuite_Token_Key", "hunter2"),
        variable("llm.password", "[vault]"),
        {"type": 1300, "id": "g", "name": "api_key", "value": "hunter2"},
        script("S", f'<trans>$x = "{KEY}"; $password = "hunter22"</trans>'),
    )
    (tmp_path / "a.json").write_text(text)
    design = read_design(tmp_path / "a.json")
    (connection,) = design.connections
    assert connection.secrets == ("baseUrl", "login", "code", "apiKey", "blank")
    assert connection.properties == {
        "user": "me",
        "clientSecret": "[oauth.secret]",
        "headers": '[{"name":"X-Api-Key","value":"***"},{"name":"A","value":"1"}]',
        "auth": '{"token":"***","kind":"bearer"}',
    }
    assert design.activities[0].secrets == ("baseUrl", "login", "code", "apiKey")
    assert [(each.name, each.default, each.is_secret) for each in design.variables] == [
        ("prompt", None, True),
        ("other", None, True),
        ("NetSuite_Token_Key", None, True),
        ("llm.password", "[vault]", False),
        ("api_key", None, True),
    ]
    assert_nowhere(design, tmp_path)


def test_no_secret_of_a_jpk_file_is_in_the_design_or_in_what_is_written(tmp_path: Path) -> None:
    entities = [
        entity("Source", 1, "Orders", password="hunter2", url="https://a:hunter2@b", login=ENCRYPTED),
        entity("ProjectVariable", 2, "prompt", default_value=ENCRYPTED),
        entity("ProjectVariable", 3, "secret.word", default_value="hunter2"),
        entity("Script", 4, "S", konga(f"<trans>$x = '{KEY}'</trans>")),
        entity("HttpEndpoint", 5, "H", apiKey="hunter2"),
    ]
    design = read_design(write_jpk(tmp_path / "a.jpk", entities))
    assert design.activities[0].secrets == ("password", "url", "login")
    assert all(variable.is_secret for variable in design.variables)
    assert_nowhere(design, tmp_path)


def test_no_secret_of_a_manifest_is_in_the_design_or_in_what_is_written(tmp_path: Path) -> None:
    manifest = {
        "scripts": [],
        "activities": [
            {"name": "a", "properties": {"apiKey": "hunter2", "path": "/v1"}, "secrets": ["more"]}
        ],
        "connections": [
            {"name": "c", "properties": {"url": "https://a:hunter2@b", "body": '{"pwd":"hunter2"}'}}
        ],
        "variables": [
            {"name": "password", "default": "hunter2"},
            {"name": "x", "default": "hunter2", "secret": True},
            {"name": "y", "default": KEY, "secret": False},
            {"name": "db", "default": "Server=a;Password=hunter2;"},
        ],
        "tools": [
            {
                "name": "t",
                "description": "Sends token=hunter2",
                "parameters": {"properties": {"password": {"type": "string", "default": "hunter2"}}},
            }
        ],
        "flowchart": [{"id": "n", "text": "HTTP: x?api_key=hunter2"}],
    }
    (tmp_path / "design.json").write_text(json.dumps(manifest))
    design = read_design(tmp_path)
    assert design.activities[0].secrets == ("more", "apiKey")
    assert design.connections[0].secrets == ("url", "body")
    assert design.connections[0].properties == {"body": '{"pwd":"***"}'}
    assert [variable.is_secret for variable in design.variables] == [True, True, True, False]
    assert design.variables[-1].default == "Server=a;Password=***;"
    assert design.tools[0].parameters == {"properties": {"password": {"type": "string", "default": "***"}}}
    assert [guess.text for guess in design.guesses] == [
        "variable 'password' is taken for a secret by its name; its value was left out",
        "variable 'y' is taken for a secret by the form of its value; its value was left out",
        *(
            f"{what} has what looks like a secret; it stands as *** here: give it a project variable"
            for what in ("variable 'db'", "node 'n'", "tool 't'", "tool 't'")
        ),
    ]
    assert_nowhere(design, tmp_path)


def assert_nowhere(design: Design, folder: Path) -> None:
    write_script_folder(design, folder / "kept")
    written = "".join(path.read_text() for path in (folder / "kept").rglob("*.j*"))
    for secret in ("hunter2", KEY, ENCRYPTED, ENCRYPTED[:10]):
        assert secret not in repr(design)
        assert secret not in written

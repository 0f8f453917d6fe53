"""Secrets of a design: nowhere in what is read of it, only their names."""

import json
from pathlib import Path

import pytest
from tests.porting.design.exports import entity, konga, script, studio_export, variable, write_jpk

from callagain.porting.design import Design, read_design, write_script_folder
from callagain.porting.design.script_secrets import mask_secrets
from callagain.porting.design.secrets import has_secret_form, is_reference, is_secret_name

KEY = "sk-proj-abcdefghij0123456789"
ENCRYPTED = "$00VaW+HafFxcqlprTmnYrbj5NRszmdKxxPEe4yVu+SwIA="


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        *((name, True) for name in (
            "password", "email_senderPassword", "openai.apiKey", "APIKEY", "X-Api-Key", "NetSuite_Token_Key",
            "salesforce_security_token", "clientSecret", "Authorization", "pwd", "llm.key", "accessToken",
        )),
        *((name, False) for name in (
            "max_tokens", "total_tokens", "token_count", "token_url", "primaryKey", "monkey", "keyboard",
            "keys", "tokenizer", "systemPrompt", "toolsJson", "tool_call_id", "passage", "", "cache_key",
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
        "connections": [{"name": "c", "properties": {"url": "https://a:hunter2@b"}}],
        "variables": [
            {"name": "password", "default": "hunter2"},
            {"name": "x", "default": "hunter2", "secret": True},
            {"name": "y", "default": KEY, "secret": False},
        ],
    }
    (tmp_path / "design.json").write_text(json.dumps(manifest))
    design = read_design(tmp_path)
    assert design.activities[0].secrets == ("more", "apiKey")
    assert design.connections[0].secrets == ("url",)
    assert all(variable.is_secret for variable in design.variables)
    assert [guess.text for guess in design.guesses] == [
        "variable 'password' is taken for a secret by its name; its value was left out",
        "variable 'y' is taken for a secret by the form of its value; its value was left out",
    ]
    assert_nowhere(design, tmp_path)


def assert_nowhere(design: Design, folder: Path) -> None:
    write_script_folder(design, folder / "kept")
    written = "".join(path.read_text() for path in (folder / "kept").rglob("*.j*"))
    for secret in ("hunter2", KEY, ENCRYPTED, ENCRYPTED[:10]):
        assert secret not in repr(design)
        assert secret not in written

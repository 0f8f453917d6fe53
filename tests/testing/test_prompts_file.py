"""What a `*.prompts.toml` file may say: whatever is wrong in it is told in one line, which names the key."""

from pathlib import Path

import pytest

from callagain.cli.prompts_file import read_prompts_file
from callagain.engine.errors import ConfigurationError

TOOLS = '''
def get_order_status(order_id: str) -> str:
    """Look up the status of an order."""
    return f"{order_id} is shipped"

def refund_order(order_id: str, amount: int = 0) -> str:
    """Pay an order back."""
    return f"{amount} for {order_id}"
'''
ONE = '[[prompt]]\nmessage = "Hi"\n'


@pytest.mark.parametrize(
    ("toml", "line"),
    [
        ("tools = \n", "the file is not TOML: Invalid value (at line 1, column 9)"),
        ("a = 1\na = 2\n", "the file is not TOML: Cannot overwrite a value (at line 2, column 6)"),
        (f"a = {'[' * 100_000}", "the file is not TOML: it is nested too deeply"),
        ("", 'the file has no prompt: give it [[prompt]] and below that message = "…"'),
        ("prompt = []", 'the file has no prompt: give it [[prompt]] and below that message = "…"'),
        ("prompt = 1", "prompt must be a list, not 1"),
        ("prompt = [1]", "prompt[0] must be a table, not 1"),
        (f'tool = "orders.py"\n{ONE}', "the file has the unknown key 'tool'; did you mean 'tools'?"),
        (f"x = 1\n{ONE}", "the file has the unknown key 'x'; known: tools, script, loop, prompt"),
        (f"tools = 1\n{ONE}", "tools must be a text or a list of texts, not 1"),
        (f'tools = ["orders.py", 1]\n{ONE}', "tools must be a text or a list of texts, not ['orders.py', 1]"),
        (f'tools = "orders.txt"\n{ONE}', "tools must be Python files, which end in .py, not 'orders.txt'"),
        (f"script = 1\n{ONE}", "script must be a text, not 1"),
        (f"loop = 1\n{ONE}", "loop must be a table, not 1"),
        (f'[loop]\nmodle = "m"\n{ONE}', "loop has the unknown key 'modle'; did you mean 'model'?"),
        (
            f"[loop]\nx = 1\n{ONE}",
            "loop has the unknown key 'x'; known: the options of ToolLoop, and temperature",
        ),
        (
            f'[loop]\napi_key = "sk-1"\n{ONE}',
            "loop.api_key: a key does not belong into a file; set OPENAI_API_KEY",
        ),
        (
            f"[loop]\nmax_iterations = -1\n{ONE}",
            "loop: max_iterations must be a whole number, 0 or more, not -1",
        ),
        (f'[loop]\nchain = "x"\n{ONE}', "loop: chain must be a Chain, such as TOOL_CALLING_LOOP, not 'x'"),
        (f"[loop]\nbase_url = 1\n{ONE}", "loop: the base URL must be a text, not int"),
        (
            f'[loop]\ntemperature = "low"\n{ONE}',
            "loop.temperature must be a number, or false to send none, not 'low'",
        ),
        (
            f"[loop]\ntemperature = 0\nrequest_options = {{ temperature = 0 }}\n{ONE}",
            "loop.temperature stands in loop.request_options too: leave out one of them",
        ),
        (f"[loop]\nrequest_options = 1\n{ONE}", "loop.request_options must be a table, not 1"),
        (
            f'script = "orders.script.json"\n[loop]\nbase_url = "http://localhost/v1"\n{ONE}',
            "script and loop.base_url exclude each other: leave out one of them",
        ),
        ("[[prompt]]\n", "line 1: prompt[0].message is missing or empty; give a text"),
        (f"{ONE}\n[[prompt]]\nmessage = ' '", "line 4: prompt[1].message is missing or empty; give a text"),
        (
            f"{ONE}[[prompt]]\nmesage = 'Hi'",
            "line 3: prompt[1] has the unknown key 'mesage'; did you mean 'message'?",
        ),
        (
            f"{ONE}message2 = 'Hi'",
            "line 1: prompt[0] has the unknown key 'message2'; did you mean 'message'?",
        ),
        (f"{ONE}repeat = 0", "line 1: prompt[0].repeat must be 1 or more, not 0"),
        (f"{ONE}repeat = true", "line 1: prompt[0].repeat must be a whole number, not True"),
        (f"{ONE}pending = 1", "line 1: prompt[0].pending must be true or false, not 1"),
        (f"{ONE}name = 1", "line 1: prompt[0].name must be a text, not 1"),
        (
            f"{ONE}answer_contains = 1",
            "line 1: prompt[0].answer_contains must be a text or a list of texts, not 1",
        ),
        (
            f"{ONE}order = 'sorted'",
            "line 1: prompt[0].order must be one of exact, in_order, any_order, not 'sorted'",
        ),
        (
            f"{ONE}outcome = 'done'",
            "line 1: prompt[0].outcome must be one of completed, limit, failed, suspended, not 'done'",
        ),
        (f"{ONE}tools = 'x'", "line 1: prompt[0].tools must be a list, not 'x'"),
        (f"{ONE}tools = ['x']", "line 1: prompt[0].tools[0]: there is no tool 'x'; the file names no tools"),
        (
            f"tools = 'orders.py'\n{ONE}tools = ['refund_order', 'refund_oder']",
            "line 2: prompt[0].tools[1]: there is no tool 'refund_oder'; "
            "there are get_order_status, refund_order",
        ),
        (f"{ONE}tools = [1]", "line 1: prompt[0].tools[0] must be a table, not 1"),
        (f"{ONE}tools = [{{}}]", "line 1: prompt[0].tools[0].name is missing or empty; give a text"),
        (
            f"{ONE}tools = [{{ name = 'x', arguments = {{}}, arguments_include = {{}} }}]",
            "line 1: prompt[0].tools[0]: arguments and arguments_include exclude each other",
        ),
        (
            f"{ONE}tools = [{{ name = 'x', arguments = {{ day = 2026-01-01 }} }}]",
            "line 1: prompt[0].tools[0]: the arguments cannot be written as JSON: "
            "Object of type date is not JSON serializable",
        ),
        ("prompt = [{ message = 'Hi' }, {}]", "prompt[1].message is missing or empty; give a text"),
    ],
)
def test_a_wrong_file_is_told_in_one_line_that_names_the_key(tmp_path: Path, toml: str, line: str) -> None:
    (tmp_path / "orders.py").write_text(TOOLS)
    file = tmp_path / "orders.prompts.toml"
    file.write_text(toml)
    with pytest.raises(ConfigurationError) as raised:
        read_prompts_file(file)
    assert str(raised.value) == line


def test_a_file_that_is_not_utf_8_is_told(tmp_path: Path) -> None:
    (tmp_path / "orders.prompts.toml").write_bytes(b'tools = "\xff"')
    with pytest.raises(ConfigurationError, match="^the file is not UTF-8 text$"):
        read_prompts_file(tmp_path / "orders.prompts.toml")


@pytest.mark.parametrize(
    ("top", "told"),
    [
        (
            'tools = "missing.py"',
            "tools: there is no tools file {}/missing.py; give the path of a Python file",
        ),
        ('script = "missing.json"', "cannot read the script {}/missing.json: No such file or directory"),
        ('script = "orders.py"', "the script {}/orders.py is not JSON: Expecting value at position 1"),
    ],
)
def test_a_named_file_that_cannot_be_used_is_told_in_one_line(tmp_path: Path, top: str, told: str) -> None:
    (tmp_path / "orders.py").write_text(TOOLS)
    (tmp_path / "orders.prompts.toml").write_text(f"{top}\n{ONE}")
    with pytest.raises(ConfigurationError) as raised:
        read_prompts_file(tmp_path / "orders.prompts.toml")
    assert str(raised.value) == told.format(tmp_path)

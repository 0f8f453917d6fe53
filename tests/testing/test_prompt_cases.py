"""Files of fixed prompts, `*.prompts.toml`, as cases of pytest: by a script, or asked of an endpoint."""

import importlib
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from callagain.cli import prompts_plugin
from callagain.cli.prompt_endpoint import NO_ENDPOINT, NO_MODEL
from callagain.testing import Answer, StandIn, calls, plugin
from callagain.testing.plugin import StartStandIn

pytest_plugins = ["pytester"]

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "prompts"

TOOLS = '''
def get_order_status(order_id: str) -> str:
    """Look up the status of an order."""
    return f"{order_id} is shipped"

def refund_order(order_id: str, amount: int = 0) -> str:
    """Pay an order back."""
    return f"{amount} for {order_id}"
'''
STATUS = calls(("get_order_status", {"order_id": "1"}))
REFUND = calls(("refund_order", {"order_id": "1", "amount": 5}))
SCRIPT = """
{"answers": [{"calls": [{"name": "get_order_status", "arguments": {"order_id": "1"}}]}, "It is shipped."]}
"""

RunPrompts = Callable[..., pytest.RunResult]


@pytest.fixture(scope="module", autouse=True)
def imported_once() -> None:
    """What a session within the session is the first to import is forgotten after it, and costs again."""
    importlib.import_module("openai")
    importlib.import_module("callagain.cli.prompt_cases")


@pytest.fixture
def run_prompts(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> RunPrompts:
    """`run_prompts(toml, *options)` runs pytest on this file, beside tools and a script, without endpoint."""
    for name in ("BASE_URL", "API_KEY", "MODEL"):
        monkeypatch.delenv(f"OPENAI_{name}", raising=False)
    monkeypatch.delenv("AZURE_OPENAI_ENDPOINT", raising=False)

    def run_prompts(toml: str, *options: str) -> pytest.RunResult:
        (pytester.path / "orders.py").write_text(TOOLS)
        (pytester.path / "orders.script.json").write_text(SCRIPT)
        (pytester.path / "orders.prompts.toml").write_text(toml)
        # Where callagain is installed, its entry points would register the plugins a second time.
        without = [
            word for name in ("callagain", "callagain_prompts", "asyncio") for word in ("-p", f"no:{name}")
        ]
        return pytester.runpytest_inprocess(*without, *options, plugins=[plugin, prompts_plugin])

    return run_prompts


def prompts(*tables: str, loop: str = "", top: str = 'tools = "orders.py"') -> str:
    """A file with these prompts; each is the lines below its heading."""
    headed = [f"[[prompt]]\n{table}" for table in tables]
    return "\n".join([top, "[loop]", loop, *headed, ""])


def scripted(*tables: str, loop: str = "") -> str:
    return prompts(*tables, loop=loop, top='tools = "orders.py"\nscript = "orders.script.json"')


def asking(server: StandIn, **options: str) -> list[str]:
    given = {"base_url": server.base_url, "model": "m", **options}
    return [f"--callagain-{name.replace('_', '-')}={value}" for name, value in given.items()]


def sent(server: StandIn, field: str) -> list[Any]:
    return [request.json.get(field) for request in server.requests]


def outcomes(run: pytest.RunResult) -> dict[str, int]:
    """Without the warning that callagain was imported before the session within the session."""
    return {name: count for name, count in run.parseoutcomes().items() if name != "warnings"}


def failures(run: pytest.RunResult) -> list[str]:
    """The lines below the title of the failures, without the titles of the single ones."""
    lines = run.stdout.lines
    start = next(i for i, line in enumerate(lines) if line.startswith("=") and " FAILURES " in line)
    end = next(i for i, line in enumerate(lines) if i > start and line.startswith("="))
    return [line for line in lines[start + 1 : end] if not line.startswith("__")]


def skipped(run: pytest.RunResult) -> list[str]:
    return [line for line in run.stdout.lines if line.startswith("SKIPPED")]


# A case for each prompt


def test_the_example_passes_offline_with_a_case_for_each_prompt(
    run_prompts: RunPrompts, pytester: pytest.Pytester
) -> None:
    shutil.copytree(EXAMPLE, pytester.path / "deeper" / "prompts")
    run = run_prompts(scripted('message = "Hi"'), "-v", "deeper")
    cases = [line.split(" PASSED")[0] for line in run.stdout.lines if " PASSED" in line]
    assert cases == [
        "deeper/prompts/orders.prompts.toml::Where is order 481516?",
        "deeper/prompts/orders.prompts.toml::a status is looked up before an order is cancelled",
        "deeper/prompts/orders.prompts.toml::Hello",
    ]
    assert run.ret == 0


def test_a_case_is_named_by_its_message_in_one_short_line(run_prompts: RunPrompts) -> None:
    file = scripted(
        'message = "Where is it?"',
        'message = "Where\\nis\\tit?"',
        'message = "Where is it?"',
        'message = "A::B"',
        f'message = "{"long " * 30}"',
        'name = "short"\nmessage = "A message that nobody would want to read"',
    )
    names = [line.partition("::")[2] for line in run_prompts(file, "--collect-only", "-q").stdout.lines]
    assert names[:6] == [
        "Where is it?",
        "Where is it? (2)",
        "Where is it? (3)",
        "A:B",
        f"{'long ' * 11}long…",
        "short",
    ]


def test_a_case_can_be_chosen(run_prompts: RunPrompts) -> None:
    file = scripted('message = "A: where?"', 'message = "B [1]: what?"')
    assert outcomes(run_prompts(file, "orders.prompts.toml::B [1]: what?")) == {"passed": 1}
    assert outcomes(run_prompts(file, "-k", "where")) == {"passed": 1, "deselected": 1}


def test_only_files_of_this_name_are_collected(run_prompts: RunPrompts, pytester: pytest.Pytester) -> None:
    for name in ("prompts.toml", "orders.toml", "orders.prompts.toml.bak", "orders.prompts.json"):
        (pytester.path / name).write_text("neither TOML nor JSON")
    assert outcomes(run_prompts(scripted('message = "Hi"'))) == {"passed": 1}


# What is expected


def test_a_run_that_is_as_expected_passes(run_prompts: RunPrompts) -> None:
    file = scripted(
        'message = "tools"\ntools = ["get_order_status"]',
        'message = "all arguments"\ntools = [{ name = "get_order_status", arguments = { order_id = "1" } }]',
        'message = "some"\ntools = [{ name = "get_order_status", arguments_include = {} }]',
        'message = "answer"\nanswer_contains = ["shipped", "It"]\noutcome = "completed"',
        'message = "one text"\nanswer_contains = "shipped"',
        'message = "anything"',
    )
    assert outcomes(run_prompts(file)) == {"passed": 6}


def test_a_failure_shows_the_difference_and_no_traceback(run_prompts: RunPrompts) -> None:
    file = scripted(
        """
        message = "Pay order 2 back"
        tools = [{ name = "get_order_status", arguments = { order_id = "2" } }, "refund_order"]
        answer_contains = ["shipped", "paid back"]
        """
    )
    run = run_prompts(file)
    assert outcomes(run) == {"failed": 1}
    assert failures(run) == [
        'the run called other tools than expected (order="exact"):',
        "     expected                        called",
        "> 1  get_order_status(order_id='2')  get_order_status(order_id='1')  other arguments",
        "         order_id: expected '2', but called with '1'",
        "     refund_order(…)                                                 not called",
        "the answer does not contain 'paid back': 'It is shipped.'",
        "asked: Pay order 2 back",
    ]
    told = "FAILED orders.prompts.toml::Pay order 2 back - the run called other"
    assert any(line.startswith(told) for line in run.stdout.lines)


@pytest.mark.parametrize(
    ("expected", "passes"),
    [
        ('tools = ["refund_order", "get_order_status"]', False),
        ('tools = ["refund_order", "get_order_status"]\norder = "any_order"', True),
        ('tools = ["refund_order"]\norder = "in_order"', True),
        ("tools = []", False),
        ('tools = [{ name = "refund_order", arguments = { amount = 5 } }]\norder = "in_order"', False),
        ('tools = [{ name = "refund_order", arguments_include = { amount = 5 } }]\norder = "in_order"', True),
    ],
)
def test_order_and_arguments_are_those_of_assert_trajectory(
    run_prompts: RunPrompts, stand_in: StartStandIn, expected: str, passes: bool
) -> None:
    server = stand_in([STATUS, REFUND, "Done."])
    run = run_prompts(prompts(f'message = "Go"\n{expected}'), *asking(server))
    assert outcomes(run) == ({"passed": 1} if passes else {"failed": 1})


def test_another_outcome_than_completed_can_be_expected(
    run_prompts: RunPrompts, stand_in: StartStandIn
) -> None:
    limit = (
        'message = "Go"\ntools = ["get_order_status", "get_order_status"]\noutcome = "limit"\npending = true'
    )
    server = stand_in([STATUS], repeat_last=True)
    assert run_prompts(prompts(limit, loop="max_iterations = 1"), *asking(server)).ret == 0


def test_an_outcome_that_is_not_expected_is_told_with_its_reason(
    run_prompts: RunPrompts, stand_in: StartStandIn
) -> None:
    server = stand_in([Answer(401, {"error": {"message": "no such key"}}), "Hello."])
    told = failures(
        run_prompts(
            prompts('message = "A"', 'message = "B"\noutcome = "limit"'), "--show-capture=no", *asking(server)
        )
    )
    assert told[0] == "the outcome is failed, and not completed"
    assert told[1].startswith("auth: ")
    assert "no such key" in told[1]
    assert told[2:] == ["asked: A", "the outcome is completed, and not limit", "asked: B"]


def test_a_prompt_is_asked_as_often_as_it_says_and_every_run_that_differs_is_told(
    run_prompts: RunPrompts, stand_in: StartStandIn
) -> None:
    server = stand_in(["Red.", "Blue.", "Red."])
    file = prompts('message = "Which colour?"\nrepeat = 3\nanswer_contains = "Red"\ntools = []')
    assert failures(run_prompts(file, *asking(server))) == [
        "run 2 of 3: the answer does not contain 'Red': 'Blue.'",
        "asked: Which colour?",
    ]
    assert len(server.requests) == 3


# Who is asked


def test_every_run_meets_the_script_from_its_beginning(run_prompts: RunPrompts) -> None:
    once = 'message = "Go"\ntools = ["get_order_status"]\n'
    assert outcomes(run_prompts(scripted(f"{once}repeat = 2", once))) == {"passed": 2}


def test_a_script_answers_whatever_the_environment_says(
    run_prompts: RunPrompts, stand_in: StartStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = stand_in(["From elsewhere."], repeat_last=True)
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    monkeypatch.setenv("HTTP_PROXY", server.origin)
    assert run_prompts(scripted('message = "Go"\nanswer_contains = "shipped"')).ret == 0
    assert server.requests == []


def test_the_option_asks_an_endpoint_in_place_of_the_script(
    run_prompts: RunPrompts, stand_in: StartStandIn
) -> None:
    server = stand_in(["From the endpoint."])
    assert run_prompts(scripted('message = "Go"\nanswer_contains = "endpoint"'), *asking(server)).ret == 0


def test_the_option_counts_more_than_the_file_and_the_file_more_than_the_environment(
    run_prompts: RunPrompts, stand_in: StartStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    option, file, environment = (stand_in(["Hello."], repeat_last=True) for _ in range(3))
    monkeypatch.setenv("OPENAI_BASE_URL", environment.base_url)
    monkeypatch.setenv("OPENAI_MODEL", "of the environment")
    named = prompts('message = "Go"', loop=f'base_url = "{file.base_url}"\nmodel = "of the file"')
    run_prompts(prompts('message = "Go"'))
    run_prompts(named)
    run_prompts(named, *asking(option, model="of the option"))
    assert [sent(server, "model") for server in (environment, file, option)] == [
        ["of the environment"],
        ["of the file"],
        ["of the option"],
    ]


def test_without_an_endpoint_the_cases_are_skipped_with_how_to_give_one(run_prompts: RunPrompts) -> None:
    run = run_prompts(prompts('message = "A"', 'message = "B"', loop='model = "m"'), "-rs")
    assert outcomes(run) == {"skipped": 2}
    assert skipped(run) == [f"SKIPPED [2] orders.prompts.toml: {NO_ENDPOINT}"]


def test_without_a_model_the_cases_are_skipped_with_how_to_give_one(
    run_prompts: RunPrompts, stand_in: StartStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = stand_in([])
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    run = run_prompts(prompts('message = "A"'), "-rs")
    assert skipped(run) == [f"SKIPPED [1] orders.prompts.toml: {NO_MODEL}"]
    assert server.requests == []


def test_an_endpoint_that_cannot_be_used_is_one_line(run_prompts: RunPrompts) -> None:
    run = run_prompts(scripted('message = "A"'), "--callagain-base-url=localhost:8080/v1")
    assert collection_error(run) == (
        "orders.prompts.toml: the base URL must begin with http:// or https:// and name a host: "
        "'localhost:8080'"
    )


# The loop


@pytest.mark.parametrize(
    ("loop", "temperature"),
    [
        ("", 0.2),
        ("temperature = 1", 1),
        ("temperature = 0.0", 0.0),
        ("temperature = false", None),
        ("request_options = { temperature = 0.7 }", 0.7),
        ("request_options = { seed = 7 }", 0.2),
    ],
)
def test_the_temperature_is_low_unless_the_file_gives_another(
    run_prompts: RunPrompts, stand_in: StartStandIn, loop: str, temperature: float | None
) -> None:
    server = stand_in(["Hello."])
    assert run_prompts(prompts('message = "Go"', loop=loop), *asking(server)).ret == 0
    assert sent(server, "temperature") == [temperature]


def test_options_of_the_loop_are_taken_from_the_file(run_prompts: RunPrompts, stand_in: StartStandIn) -> None:
    server = stand_in(["Hello."])
    loop = """
    system_prompt = "Be brief."
    parallel_tool_calls = false
    deadline = 60
    request_options = { seed = 7 }
    """
    assert run_prompts(prompts('message = "Go"', loop=loop), *asking(server)).ret == 0
    assert sent(server, "messages")[0][0] == {"role": "system", "content": "Be brief."}
    assert sent(server, "parallel_tool_calls") == [False]
    assert sent(server, "seed") == [7]
    assert [tool["function"]["name"] for tool in sent(server, "tools")[0]] == [
        "get_order_status",
        "refund_order",
    ]


def test_a_file_without_tools_asks_without_tools(run_prompts: RunPrompts, stand_in: StartStandIn) -> None:
    server = stand_in(["Hello."])
    assert run_prompts(prompts('message = "Go"\ntools = []', top=""), *asking(server)).ret == 0
    assert sent(server, "tools") == [None]


# Files that are wrong


def collection_error(run: pytest.RunResult) -> str:
    """The only line that is told of it."""
    assert run.ret == pytest.ExitCode.INTERRUPTED, run.stdout.str()
    lines = run.stdout.lines
    start = next(i for i, line in enumerate(lines) if "ERROR collecting orders.prompts.toml" in line)
    end = next(i for i, line in enumerate(lines) if i > start and line.startswith("="))
    (line,) = lines[start + 1 : end]
    return line


@pytest.mark.parametrize(
    ("toml", "line"),
    [
        ("tools = \n", "the file is not TOML: Invalid value (at line 1, column 9)"),
        (
            "[[prompt]]\nmessage = 'Hi'\norder = 'any'",
            "line 1: prompt[0].order must be one of exact, in_order, any_order, not 'any'",
        ),
    ],
)
def test_a_wrong_file_is_one_line_in_place_of_its_cases(
    run_prompts: RunPrompts, toml: str, line: str
) -> None:
    assert collection_error(run_prompts(toml)) == f"orders.prompts.toml: {line}"


def test_a_byte_order_mark_is_passed_over(run_prompts: RunPrompts) -> None:
    assert run_prompts("\ufeff" + scripted('message = "Hi"')).ret == 0


def test_tools_that_cannot_be_imported_are_one_line_in_place_of_the_cases(
    run_prompts: RunPrompts, pytester: pytest.Pytester
) -> None:
    (pytester.path / "broken.py").write_text("\nimport json\n1 / 0\n")
    line = collection_error(run_prompts(prompts('message = "Hi"', top='tools = "broken.py"')))
    assert line == (
        f"orders.prompts.toml: tools: cannot import the tools file {pytester.path}/broken.py, line 3: "
        "ZeroDivisionError: division by zero; mend it, and run the command again"
    )


# The plugin


def python(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PYTHONPATH": f"{ROOT / 'src'}:{folder}"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def install(folder: Path) -> None:
    """The metadata of an installed callagain, with the entry points of pyproject.toml."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    lines = [f"{name} = {module}" for name, module in project["entry-points"]["pytest11"].items()]
    metadata = folder / "callagain-0.1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: callagain\nVersion: 0.1\n")
    (metadata / "entry_points.txt").write_text("\n".join(["[pytest11]", *lines, ""]))


PYTEST = ("-m", "pytest", "-p", "no:asyncio", "-p", "no:cacheprovider", "-W", "error")


def test_an_installed_callagain_runs_the_files(tmp_path: Path) -> None:
    install(tmp_path)
    shutil.copytree(EXAMPLE, tmp_path / "prompts")
    run = python(tmp_path, *PYTEST, "prompts", "--transition-coverage")
    assert "3 passed" in run.stdout, run.stdout + run.stderr
    assert "tool_calling_loop: 7 of 9 links (77%); never taken:" in run.stdout


def test_without_such_a_file_nothing_that_runs_one_is_imported(tmp_path: Path) -> None:
    install(tmp_path)
    needed = {"callagain.cli.prompt_cases", "callagain.cli.prompts_file", "tomllib", "openai"}
    (tmp_path / "test_it.py").write_text(f"import sys\ndef test_it(): assert not {needed} & set(sys.modules)")
    run = python(tmp_path, *PYTEST)
    assert "1 passed" in run.stdout, run.stdout + run.stderr

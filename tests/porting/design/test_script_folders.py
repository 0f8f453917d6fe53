"""Designs as folders of scripts: read with a manifest and without, written, and read again."""

import json
import os
from pathlib import Path

import pytest

from callagain.porting.design import (
    Activity,
    Connection,
    Design,
    DesignError,
    Flow,
    Language,
    Operation,
    Script,
    SourcePlace,
    Step,
    StepKind,
    ToolSchema,
    Variable,
    Workflow,
    read_design,
    write_script_folder,
)

ANYWHERE = SourcePlace("made by hand")


def write(folder: Path, **files: str) -> None:
    """Files by their paths, with __ for / and _dot_ for a dot."""
    for name, text in files.items():
        path = folder / name.replace("__", "/").replace("_dot_", ".")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")


def guesses(design: Design) -> list[str]:
    return [guess.text for guess in design.guesses]


def test_a_manifest_says_how_scripts_become_operations(tmp_path: Path) -> None:
    manifest = {
        "name": "Orders assistant",
        "workflows": [{"name": "Main", "operations": ["Controller", "LLM Call"]}],
        "operations": [
            {"name": "Controller", "steps": [{"script": "Loop"}]},
            {
                "name": "LLM Call",
                "steps": [{"activity": "Chat"}, {"script": "Parse"}],
                "on_fail": "Controller",
            },
        ],
        "scripts": [
            {"name": "Loop", "file": "scripts/loop.jb"},
            {"name": "Parse", "file": "scripts/parse.js"},
        ],
        "activities": [{"name": "Chat", "connector": "HTTP v2", "function": "POST", "connection": "OpenAI"}],
        "connections": [
            {
                "name": "OpenAI",
                "connector": "HTTP v2",
                "properties": {"baseUrl": "https://x"},
                "secrets": ["t"],
            }
        ],
        "variables": [{"name": "systemPrompt", "default": "Be brief."}, {"name": "llm.code", "secret": True}],
        "tools": [{"name": "find", "description": "Finds.", "parameters": {"type": "object"}}],
    }
    write(
        tmp_path,
        design_dot_json=json.dumps(manifest),
        scripts__loop_dot_jb="<trans>\n$loop_count = 0;\n</trans>\n",
        scripts__parse_dot_js="var a = 1;",
        scripts__old_dot_jb="1",
    )
    design = read_design(tmp_path)
    assert design.name == "Orders assistant"
    assert design.form == "folder of scripts"
    assert design.workflows[0].operations == ("Controller", "LLM Call")
    llm_call = design.operation("LLM Call")
    assert llm_call is not None
    assert llm_call.steps == (Step(StepKind.ACTIVITY, "Chat"), Step(StepKind.SCRIPT, "Parse"))
    assert (llm_call.on_success, llm_call.on_fail) == (None, "Controller")
    assert str(llm_call.place) == "design.json: operations[1]"
    assert design.scripts == (
        Script("Loop", Language.JITTERBIT_SCRIPT, "$loop_count = 0;", SourcePlace("scripts/loop.jb")),
        Script("Parse", Language.JAVASCRIPT, "var a = 1;", SourcePlace("scripts/parse.js")),
    )
    assert design.activities[0].connection == "OpenAI"
    assert design.connections[0].secrets == ("t",)
    assert [(each.name, each.default, each.is_secret) for each in design.variables] == [
        ("systemPrompt", "Be brief.", False),
        ("llm.code", None, True),
    ]
    assert design.tools[0].parameters == {"type": "object"}
    assert [(each.kind, each.name) for each in design.ignored] == [("script file", "old.jb")]
    assert guesses(design) == []


def test_a_folder_that_an_extractor_wrote_has_scripts_alone_and_says_so(tmp_path: Path) -> None:
    write(
        tmp_path,
        Script__Chat__Append_dot_jb="<javascript>\nvar x;\n</javascript>",
        Script__Chat__Init_dot_jb="before <trans>$a = 1</trans>",
        Script__Old__Init_dot_jb="$a = 2",
        Script__node_modules__x_dot_js="x",
    )
    design = read_design(tmp_path)
    assert [(each.name, each.language.value, each.text) for each in design.scripts] == [
        ("Append", "javascript", "var x;"),
        ("Init", "jitterbit script", "$a = 1"),
        ("Init", "jitterbit script", "$a = 2"),
    ]
    assert design.operations == ()
    assert guesses(design) == [
        "script 'Init' has text outside of its marks, which was left out",
        "there is no design.json: which operations run the scripts, and in which order, is not known",
        "2 of kind script have the name 'Init'; what names it means the first",
    ]


def test_what_names_nothing_and_what_runs_in_a_circle_is_told(tmp_path: Path) -> None:
    manifest = {
        "operations": [
            {"name": "A", "steps": [{"script": "S"}, {"activity": "gone"}], "on_success": "nowhere"},
            {"name": "B", "steps": [{"operation": "A"}], "on_sucess": "A"},
        ],
        "workflows": [{"name": "W", "operations": ["lost"]}],
    }
    write(tmp_path, design_dot_json=json.dumps(manifest), S_dot_jb='RunOperation("<TAG>operation:B</TAG>")')
    assert guesses(read_design(tmp_path)) == [
        "'on_sucess' is no key of the form, and was ignored; here are name, steps, on_success, on_fail",
        "operation 'A' has a step activity 'gone', which is not there",
        "operation 'A' leads On Success to 'nowhere', which is not there",
        "workflow 'W' has an operation 'lost', which is not there",
        "there is a circle: operation 'A' -> script 'S' -> operation 'B' -> operation 'A'",
    ]


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        ("[]", 'must be an object: {"name": "...", "operations": [...]}'),
        ('{\n "a"', "line 2, column 5: is no valid JSON: Expecting ':' delimiter"),
        ('{"operations": {}}', "operations: must be an array"),
        ('{"operations": [{"name": 3}]}', "operations[0].name: must be a string"),
        ('{"operations": [{"steps": []}]}', "operations[0].name: must be a string"),
        (
            '{"operations": [{"name": "A", "steps": [{"scripts": "S"}]}]}',
            "operations[0].steps[0]: must have one key, which says what it is: "
            "script, activity, operation, transformation, email, unknown",
        ),
        ('{"scripts": [{"name": "A", "file": "gone.jb"}]}', "scripts[0].file: there is no file 'gone.jb'"),
        (
            '{"scripts": [{"name": "A"}]}',
            "scripts[0].file: no files below the folder are named 'A'; say which",
        ),
        (
            '{"scripts": [{"name": "A", "file": "../x.jb"}]}',
            "scripts[0].file: '../x.jb' is not inside of the",
        ),
        ('{"scripts": [{"name": "A", "file": "/etc/passwd"}]}', "'/etc/passwd' is not inside of the folder"),
        ('{"scripts": [{"name": "A", "file": "a\\u0000.jb"}]}', "scripts[0].file: must be a path with /"),
        (
            '{"scripts": [{"name": "S", "language": "perl"}]}',
            "scripts[0].language: must be 'jitterbit script' or 'javascript'",
        ),
        ('{"variables": [{"name": "v", "secret": "yes"}]}', "variables[0].secret: must be true or false"),
    ],
)
def test_a_mistake_in_a_manifest_is_one_line_with_its_place(
    tmp_path: Path, manifest: str, message: str
) -> None:
    (tmp_path / "x.jb").write_text("outside")
    folder = tmp_path / "design"
    write(folder, design_dot_json=manifest, S_dot_jb="1")
    with pytest.raises(DesignError) as told:
        read_design(folder)
    assert str(told.value).startswith(f"{folder}/design.json: ")
    assert message in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("with_manifest", [True, False])
def test_a_link_that_leads_out_of_the_folder_is_refused(tmp_path: Path, with_manifest: bool) -> None:
    (tmp_path / "secret.jb").write_text("outside")
    folder = tmp_path / "design"
    write(folder, a_dot_jb="1")
    os.symlink(tmp_path / "secret.jb", folder / "s.jb")
    if with_manifest:
        write(folder, design_dot_json='{"scripts": [{"name": "S", "file": "s.jb"}]}')
    with pytest.raises(DesignError, match="is not inside of the folder; put it there, without a link"):
        read_design(folder)


def test_a_link_to_a_folder_is_not_followed(tmp_path: Path) -> None:
    write(tmp_path, a_dot_jb="1")
    os.symlink(tmp_path, tmp_path / "again")
    assert [script.name for script in read_design(tmp_path).scripts] == ["a"]


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    design = Design(
        "Orders assistant",
        "made by hand",
        workflows=(Workflow("Main", ("Controller",), ANYWHERE),),
        operations=(
            Operation(
                "Controller",
                (Step(StepKind.SCRIPT, "Loop"), Step(StepKind.EMAIL, "Mail"), Step(StepKind.OPERATION, "T")),
                ANYWHERE,
                on_success="T",
                on_fail="T",
            ),
            Operation("T", (), ANYWHERE),
        ),
        scripts=(
            Script("Loop", Language.JITTERBIT_SCRIPT, 'a = "</trans>";\r\nb\n', ANYWHERE),
            Script("../loop", Language.JITTERBIT_SCRIPT, "", ANYWHERE),
            Script("cr", Language.JITTERBIT_SCRIPT, "\r", ANYWHERE),
            Script("LOOP", Language.JAVASCRIPT, "// <trans>é", ANYWHERE),
        ),
        activities=(Activity("POST", "HTTP", "post", "target", ANYWHERE, "C", {"url": "x"}, ("pw",)),),
        connections=(Connection("C", "HTTP", ANYWHERE, {"password": "[pw]"}, ("token",)),),
        variables=(
            Variable("toolsJson", ANYWHERE, default='[{"name": "f", "description": "F", "parameters": {}}]'),
            Variable("token", ANYWHERE, default="not secret"),
            Variable("pw", ANYWHERE, is_secret=True),
            Variable("empty", ANYWHERE, default=""),
            Variable("loop_count", ANYWHERE, is_project=False),
        ),
        tools=(ToolSchema("f", "F", {"type": "object", "properties": {"a": {"enum": [1]}}}, ANYWHERE),),
        flowchart=(Flow("A", "Script", "Loop", ANYWHERE, (("Yes", "A"), ("", "A"))),),
    )
    write_script_folder(design, tmp_path / "kept")
    again = read_design(tmp_path / "kept")
    fields = (
        "workflows",
        "operations",
        "scripts",
        "activities",
        "connections",
        "variables",
        "tools",
        "flowchart",
    )
    for field in fields:
        expected = [without_place(item) for item in getattr(design, field)]
        assert [without_place(item) for item in getattr(again, field)] == expected, field
    written = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*.j*"))
    assert written == [
        "kept/design.json",
        *(f"kept/scripts/{name}" for name in ("LOOP_3.js", "Loop.jb", "cr.jb", "loop_2.jb")),
    ]


def without_place(item: object) -> dict[str, object]:
    return {name: getattr(item, name) for name in item.__slots__ if name != "place"}  # type: ignore[attr-defined]


def test_nothing_is_written_outside_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "kept").mkdir()
    os.symlink(tmp_path / "elsewhere", tmp_path / "kept/scripts")
    design = Design("D", "made by hand", scripts=(Script("S", Language.JAVASCRIPT, "1", ANYWHERE),))
    with pytest.raises(DesignError, match="kept/scripts: is a link to another folder; remove it"):
        write_script_folder(design, tmp_path / "kept")
    assert list((tmp_path / "elsewhere").iterdir()) == []

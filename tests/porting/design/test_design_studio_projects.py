"""Projects of Design Studio: archives of XML files, and the references of their scripts."""

import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.porting.design.exports import entity, guid, konga, pipeline, write_jpk

from callagain.porting.design import Design, DesignError, Language, Step, StepKind, read_design
from callagain.porting.design.readers import limits
from callagain.porting.script import read_tag

LOOP = f"""<trans>
RunOperation("op.{guid(2)}");
RunScript("<TAG>sc.{guid(4)}</TAG>");
WriteFile("t.{guid(5)}", $x);
RunOperation("op.{guid(99)}");
RunOperation("op.{guid(7)}");
</trans>"""


def guesses(design: Design) -> list[str]:
    return [guess.text for guess in design.guesses]


def recipe(path: Path) -> Path:
    return write_jpk(
        path,
        [
            entity(
                "Operation",
                1,
                "Controller",
                pipeline(("SCRIPT", 3), ("TARGET", 5), ("TRANSFORMATION", 8), ("SOURCE", 98), ("GADGET", 96)),
                success_operation_id=guid(2),
                failure_operation_id=guid(97),
            ),
            entity("Operation", 2, "LLM Call", pipeline(("WEBSERVICECALL", 9), ("SCRIPT", 4))),
            entity("Operation", 7, 'Say "hi"'),
            entity("Script", 3, "Loop", konga(LOOP), script_condition="true"),
            entity("Script", 4, "Append", konga("<javascript>var a = 1 < 2;</javascript>")),
            entity(
                "Target", 5, "Orders & log", type="HTTP", url="https://example.org", password="$00c2VjcmV0"
            ),
            entity("WebServiceCall", 9, "Chat", endpoint_id=guid(10)),
            entity("WebServiceEndpoint", 10, "OpenAI", url="https://example.org", api_key="abc", user="me"),
            entity("ProjectVariable", 11, "llm.model", default_value="gpt-4o"),
            entity("ProjectVariable", 12, "prompt", default_value="$00cHJvbXB0cHJvbXB0"),
            entity("Gadget", 13, "What", a="b"),
        ],
        ("Transformation", 8, "Mapping"),
        ("Schedule", 14, "Every night"),
        ("Operation", 15, "Lost"),
        ("Source", 16, "Gone"),
    )


def test_a_project_is_read_by_its_guids(tmp_path: Path) -> None:
    design = read_design(recipe(tmp_path / "recipe.jpk"))
    assert (design.name, design.form) == ("Recipe", "Design Studio project")
    controller, llm_call = design.operation("Controller"), design.operation("LLM Call")
    assert controller is not None
    assert llm_call is not None
    assert controller.steps == (
        Step(StepKind.SCRIPT, "Loop"),
        Step(StepKind.ACTIVITY, "Orders & log"),
        Step(StepKind.TRANSFORMATION, "Mapping"),
        Step(StepKind.ACTIVITY, guid(98)),
        Step(StepKind.UNKNOWN, guid(96)),
    )
    assert (controller.on_success, controller.on_fail) == ("LLM Call", None)
    assert str(controller.place) == f"recipe.jpk: Recipe/Data/Operation/{guid(1)}.xml"
    assert llm_call.steps == (Step(StepKind.ACTIVITY, "Chat"), Step(StepKind.SCRIPT, "Append"))
    target, call = design.activities
    assert (target.connector, target.polarity, target.secrets) == ("HTTP", "target", ("password",))
    assert target.properties == {"type": "HTTP", "url": "https://example.org"}
    assert (call.connector, call.polarity, call.connection) == ("WebServiceCall", "neutral", "OpenAI")
    assert design.connections[0].properties == {"url": "https://example.org", "user": "me"}
    assert design.connections[0].secrets == ("api_key",)
    assert [(each.name, each.default, each.is_secret) for each in design.variables] == [
        ("llm.model", "gpt-4o", False),
        ("prompt", None, True),
    ]
    assert {(each.kind, each.name) for each in design.ignored} == {
        ("Transformation", "Mapping"),
        ("Schedule", "Every night"),
        ("Gadget", "What"),
        ("Source", "Gone"),
    }


def test_references_become_tags_that_scripts_can_run(tmp_path: Path) -> None:
    design = read_design(recipe(tmp_path / "recipe.jpk"))
    loop, append = design.scripts
    lines = loop.text.splitlines()
    assert lines[:3] == [
        'RunOperation("<TAG>operation:LLM Call</TAG>");',
        'RunScript("<TAG>script:Append</TAG>");',
        'WriteFile("<TAG>target:Orders & log</TAG>", $x);',
    ]
    assert lines[3:] == [f'RunOperation("op.{guid(99)}");', f'RunOperation("op.{guid(7)}");']
    tag = read_tag("<TAG>operation:LLM Call</TAG>")
    assert tag is not None
    assert tag.name == "LLM Call"
    assert (append.language, append.text) == (Language.JAVASCRIPT, "var a = 1 < 2;")
    told = guesses(design)
    assert (
        f"script 'Loop': references became names: op.{guid(2)} is <TAG>operation:LLM Call</TAG>, "
        f"sc.{guid(4)} is <TAG>script:Append</TAG>, t.{guid(5)} is <TAG>target:Orders & log</TAG>"
    ) in told
    for number in (99, 7):
        assert f"script 'Loop' has a reference op.{guid(number)}, which names nothing here; it stays" in told


def test_what_a_project_does_not_have_is_told(tmp_path: Path) -> None:
    told = guesses(read_design(recipe(tmp_path / "recipe.jpk")))
    assert f"operation 'Controller' has a step activity '{guid(98)}', which is not there" in told
    assert f"operation 'Controller' has a step GADGET '{guid(96)}', which is not in the project" in told
    assert (
        f"operation 'Controller' has a failure_operation_id '{guid(97)}', which is no operation of the "
        "project; it was left out"
    ) in told
    assert "'What' of the type 'Gadget' was ignored: the type is not known" in told
    assert "'Gone' of the type 'Source' was ignored: its file is not there" in told
    assert "operation 'Lost' is listed in project.xml, and its file is not there" in told


@pytest.mark.parametrize(
    ("document", "problem"),
    [
        (
            '<!DOCTYPE Entity [<!ENTITY a "aaa">]><Entity>&a;</Entity>',
            "line 1: has a DOCTYPE, which is not read",
        ),
        (
            '<!DOCTYPE Entity SYSTEM "file:///etc/passwd"><Entity/>',
            "line 1: has a DOCTYPE, which is not read",
        ),
        ("<Entity>\n<Header", "line 2: is no valid XML: unclosed token"),
        ("<Entity>&nbsp;</Entity>", "line 1: is no valid XML: undefined entity"),
        ('<?xml version="1.0" encoding="klingon"?><a/>', "is no XML in an encoding that is known"),
        ("<a>" * 101 + "</a>" * 101, "line 1: has elements more than 100 deep inside each other"),
        ("", "line 1: is no valid XML: no element found"),
    ],
)
def test_xml_that_is_dangerous_or_broken_is_refused_with_its_place(
    tmp_path: Path, document: str, problem: str
) -> None:
    name = f"Recipe/Data/Script/{guid(1)}.xml"
    path = write_jpk(tmp_path / "recipe.jpk", [(name, document)])
    with pytest.raises(DesignError) as told:
        read_design(path)
    assert str(told.value).startswith(f"{path}: {name}")
    assert problem in str(told.value)


def test_xml_in_utf_16_is_read(tmp_path: Path) -> None:
    path = write_jpk(tmp_path / "recipe.jpk", [])
    name, document = entity("Script", 1, "Größe", konga("<trans>$a</trans>"))
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr(name, document.encode("utf-16"))
    assert [(each.name, each.text) for each in read_design(path).scripts] == [("Größe", "$a")]


@pytest.mark.parametrize("name", ["../../x.xml", "/etc/x.xml", "a/../../x.xml", "..\\x.xml", "C:\\x.xml"])
def test_a_member_whose_path_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    path = write_jpk(tmp_path / "recipe.jpk", [(name, "x")])
    with pytest.raises(DesignError, match="has a member .*, whose path leads out of it"):
        read_design(path)


def test_a_member_that_stands_twice_is_refused(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = write_jpk(tmp_path / "recipe.jpk", [entity("Script", 1, "A"), entity("Script", 1, "B")])
    with pytest.raises(DesignError, match="stands twice in the archive; which one counts is not known"):
        read_design(path)


def bomb(path: Path, size: int, said: int | None = None) -> Path:
    """A project with a script of so many spaces; said: the size that the archive states for it."""
    name, document = entity("Script", 1, "Bomb", konga(" " * size))
    write_jpk(path, [(name, document)])
    if said is not None:
        content = path.read_bytes()
        actual = struct.pack("<I", len(document))
        assert content.count(actual) == 2
        path.write_bytes(content.replace(actual, struct.pack("<I", said)))
    return path


def test_a_member_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="unpacks to more than 200 times its size, as no project does"):
        read_design(bomb(tmp_path / "a.jpk", 2 * limits.MEBIBYTE))


def test_the_sizes_that_an_archive_states_are_not_believed(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="cannot be unpacked: Bad CRC-32"):
        read_design(bomb(tmp_path / "a.jpk", 50_000, said=300))


@pytest.mark.parametrize(
    ("limit", "most", "problem"),
    [
        ("MAX_MEMBER_BYTES", 20_000, "is larger than 20,000 bytes, which is the most that is read"),
        ("MAX_UNPACKED_BYTES", 30_000, "unpacks to more than 30,000 bytes, as no project does"),
        ("MAX_MEMBERS", 2, "has 3 members; 2 are the most"),
        ("MAX_DIRECTORY_BYTES", 100, "has a list of members of more than 100 bytes"),
        ("MAX_ARCHIVE_BYTES", 100, "is larger than 100 bytes, which is the most that is read"),
    ],
)
def test_the_limits_of_an_archive_hold(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, most: int, problem: str
) -> None:
    members = [entity("Script", number, "S", konga("ab c" * 5_000)) for number in (1, 2)]
    if limit == "MAX_UNPACKED_BYTES":
        members = [entity("Script", number, "S", konga("ab c" * 4_000)) for number in (1, 2)]
    path = write_jpk(tmp_path / "a.jpk", members)
    monkeypatch.setattr(f"callagain.porting.design.readers.archives.{limit}", most)
    with pytest.raises(DesignError) as told:
        read_design(path)
    assert problem in str(told.value)


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


def emptied(content: bytes) -> bytes:
    return content[:2] + bytes(len(content))


def without_project(content: bytes) -> bytes:
    return content.replace(b"project.xml", b"project.txt")


@pytest.mark.parametrize(
    ("damage", "problem"),
    [
        (cut_off, "is a ZIP archive that is cut off; copy it again"),
        (emptied, "is a ZIP archive that is cut off; copy it again"),
        (without_project, "is a ZIP archive without project.xml, and so no .jpk file; give what is in it"),
    ],
)
def test_an_archive_that_is_damaged_or_no_project_is_told(
    tmp_path: Path, damage: Callable[[bytes], bytes], problem: str
) -> None:
    path = recipe(tmp_path / "recipe.jpk")
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(DesignError) as told:
        read_design(path)
    assert str(told.value).startswith(f"{path}: ")
    assert problem in str(told.value)

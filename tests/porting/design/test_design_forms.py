"""Which form a file has: found by its content, and an error where name and content contradict each other."""

import codecs
import json
import os
from pathlib import Path

import pytest
from tests.porting.design.exports import operation, studio_export, write_jpk

from callagain.porting.design import DesignError, read_design

EXPORT = studio_export(operation("LLM Call"))
DRAWING = "flowchart LR\nA --> B"


def archive(path: Path) -> bytes:
    return write_jpk(path, []).read_bytes()


@pytest.mark.parametrize(
    ("name", "text", "form"),
    [
        ("a.json", EXPORT, "Studio export"),
        ("export", EXPORT, "Studio export"),
        ("a.mmd", DRAWING, "Mermaid flowchart"),
        ("a.txt", DRAWING, "Mermaid flowchart"),
        ("design.json", '{"name": "D"}', "folder of scripts"),
    ],
)
@pytest.mark.parametrize(
    ("mark", "encoding"),
    [
        (b"", "utf-8"),
        (codecs.BOM_UTF8, "utf-8"),
        (codecs.BOM_UTF16_LE, "utf-16-le"),
        (codecs.BOM_UTF16_BE, "utf-16-be"),
    ],
)
def test_the_content_decides_in_every_encoding(
    tmp_path: Path, name: str, text: str, form: str, mark: bytes, encoding: str
) -> None:
    (tmp_path / name).write_bytes(mark + text.encode(encoding))
    assert read_design(tmp_path / name).form == form


@pytest.mark.parametrize("name", ["a.jpk", "a.zip", "a"])
def test_an_archive_is_a_design_studio_project(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(archive(tmp_path / "x"))
    assert read_design(tmp_path / name).form == "Design Studio project"


FORMS = (
    "give a folder of scripts, a project export of Studio (.json), a Design Studio project (.jpk), "
    "or a Mermaid flowchart (.mmd, .md)"
)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        (
            "a.jpk",
            EXPORT,
            "is JSON, and not a ZIP archive as its name says; rename it if that is what you mean",
        ),
        (
            "a.json",
            b"archive",
            "is a ZIP archive, and not JSON as its name says; rename it if that is what you mean",
        ),
        ("a.md", b"archive", "is a ZIP archive, and not a Mermaid flowchart as its name says; rename it"),
        ("a.json", DRAWING, "is a Mermaid flowchart, and not JSON as its name says"),
        ("a.mmd", EXPORT, "is JSON, and not a Mermaid flowchart as its name says"),
        (
            "a.md",
            "[Only](words) here",
            "has no Mermaid flowchart; it begins with `flowchart`, in a .md file in a fence",
        ),
        ("a.json", "", f"is empty; {FORMS}"),
        ("a.json", " \n", f"is empty; {FORMS}"),
        ("a.jpk", b"\x7fELF\x00\x01\x02", f"is neither text nor a ZIP archive; {FORMS}"),
        ("a.json", b'{"a": "\xff"}', "is no UTF-8 text at byte 7; save it as UTF-8"),
        ("a.json", b"\xff\xfe{\x00\xff\xd8", "is no UTF-16-LE text at byte 4; save it as UTF-8"),
        ("a.txt", "<trans>$a = 1</trans>", f"is in no form that can be read; {FORMS}"),
        ("a.json", '{"project": ', "line 1, column 13: is no valid JSON: Expecting value"),
        ("a.json", '{"a": NaN}', "is no valid JSON: NaN is not a JSON number"),
        (
            "a.json",
            "[" * 300 + "]" * 300,
            "line 1, column 257: is no valid JSON: nested deeper than 256 levels",
        ),
        ("a.json", '{"project": {"components": {}}}', "is no Studio export: it has no project.components"),
        ("a.json", "[1, 2]", "is no Studio export: it has no project.components"),
        ("design.json", "[]", "is no Studio export: it has no project.components"),
    ],
)
def test_what_is_not_what_it_says_is_told_in_one_line(
    tmp_path: Path, name: str, content: str | bytes, problem: str
) -> None:
    path = tmp_path / name
    content = archive(tmp_path / "x") if content == b"archive" else content
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(DesignError) as told:
        read_design(path)
    assert str(told.value).startswith(f"{path}: {problem}")
    assert "\n" not in str(told.value)


def test_what_is_not_there_or_is_no_file_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "empty").mkdir()
    (tmp_path / "unpacked/Recipe").mkdir(parents=True)
    (tmp_path / "unpacked/Recipe/project.xml").write_text("<Project/>")
    problems = {
        "gone.json": "there is no such file or folder",
        "pipe": f"is no regular file; {FORMS}",
        "empty": "has no design.json and no .jb or .js file.",
        "unpacked": "has no design.json and no .jb or .js file. "
        "Is it an unpacked project? Then give the .jpk file.",
    }
    for name, problem in problems.items():
        with pytest.raises(DesignError) as told:
            read_design(tmp_path / name)
        assert str(told.value) == f"{tmp_path / name}: {problem}"


def test_a_file_beyond_the_limit_is_refused_and_one_of_megabytes_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    document = json.loads(EXPORT)
    document["assets"] = [{"path": "a.xsd", "compressedContent": "A" * 3_000_000}]
    path = tmp_path / "large.json"
    path.write_text(json.dumps(document))
    assert [each.name for each in read_design(path).operations] == ["LLM Call"]
    monkeypatch.setattr("callagain.porting.design.reading.MAX_JSON_BYTES", 2_000_000)
    with pytest.raises(DesignError, match="is larger than 2,000,000 bytes, which is the most that is read"):
        read_design(path)

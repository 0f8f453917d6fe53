"""What is in the wheel and in the sdist, held against the files of the checkout."""

import re
import tarfile
import tomllib
import unicodedata
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from packaging.metadata import Metadata

if TYPE_CHECKING:
    from tests.packaging.conftest import Distributions

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]

# Where a folder of the checkout is in the wheel.
IN_THE_WHEEL = {
    "diagrams": "callagain/diagrams",
    "engine": "callagain/engine",
    "operations": "callagain/operations",
    "src/callagain": "callagain",
}


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.fixture(scope="session")
def packaged_files(files_of_checkout: list[str]) -> list[str]:
    """The files of the four folders, without the links from src/callagain to the other three."""
    folders = tuple(f"{folder}/" for folder in IN_THE_WHEEL)
    return [path for path in files_of_checkout if path.startswith(folders) and not (ROOT / path).is_symlink()]


TOP = ("LICENSE", "MANIFEST.in", "Makefile")

# https://learn.microsoft.com/windows/win32/fileio/naming-a-file
REFUSED_BY_WINDOWS = re.compile(
    r"""[<>:"|?*\\\x00-\x1f]|[. ](/|$)|(^|/)(con|prn|aux|nul|com\d|lpt\d)(\.|/|$)""", re.IGNORECASE
)
# Of the 260 characters that a path has there, what the folder leaves that a package index is unpacked into.
LONGEST_PATH = 130


def in_the_wheel(path: str) -> str:
    (folder,) = (folder for folder in IN_THE_WHEEL if path.startswith(f"{folder}/"))
    return IN_THE_WHEEL[folder] + path.removeprefix(folder)


def difference(found: list[str], expected: list[str]) -> str:
    """Both ways, one file a line; empty if there is none."""
    missing = [f"missing: {name}" for name in sorted(set(expected) - set(found))]
    return "\n".join(missing + [f"not expected: {name}" for name in sorted(set(found) - set(expected))])


def test_the_wheel_holds_every_file_of_the_packages_and_nothing_else(
    distributions: "Distributions", packaged_files: list[str]
) -> None:
    with zipfile.ZipFile(distributions.wheel) as wheel:
        names = [name for name in wheel.namelist() if ".dist-info/" not in name]
    assert not difference(names, [in_the_wheel(path) for path in packaged_files])


def test_the_sdist_holds_the_packages_with_tests_and_documentation(
    distributions: "Distributions", files_of_checkout: list[str], packaged_files: list[str]
) -> None:
    beside = ("benchmarks/", "docs/", "examples/", "tests/")
    top = [path for path in files_of_checkout if path.endswith((".md", ".toml")) and "/" not in path]
    expected = [path for path in files_of_checkout if path in TOP or path in top or path.startswith(beside)]
    with tarfile.open(distributions.sdist) as sdist:
        names = [member.name.partition("/")[2] for member in sdist.getmembers() if member.isfile()]
    made_by_setuptools = re.compile(r"PKG-INFO|setup\.cfg|callagain\.egg-info/.*")
    found = [name for name in names if not made_by_setuptools.fullmatch(name)]
    assert not difference(found, [*packaged_files, *expected])


def test_the_archives_can_be_unpacked_anywhere(distributions: "Distributions") -> None:
    with zipfile.ZipFile(distributions.wheel) as wheel, tarfile.open(distributions.sdist) as sdist:
        members = sdist.getmembers()
        names = [*wheel.namelist(), *(member.name for member in members)]
    assert [member.name for member in members if not (member.isfile() or member.isdir())] == []
    assert [name for name in names if name.startswith("/") or ".." in name.split("/")] == []


def test_every_file_has_a_name_that_windows_and_macos_take(files_of_checkout: list[str]) -> None:
    assert [path for path in files_of_checkout if REFUSED_BY_WINDOWS.search(path)] == []
    assert [path for path in files_of_checkout if len(path) > LONGEST_PATH] == []
    by_folded = {unicodedata.normalize("NFC", path).casefold(): path for path in files_of_checkout}
    assert sorted(set(files_of_checkout) - set(by_folded.values())) == []


@pytest.mark.parametrize(
    "name", ["a/b:c.py", "a/what?.md", "aux.py", "docs/Con", "a./b", "a /b", "nul.tar.gz", "a\\b"]
)
def test_a_name_that_windows_refuses_is_found(name: str) -> None:
    assert REFUSED_BY_WINDOWS.search(name)


def test_the_wheel_is_typed_licensed_and_for_every_platform(distributions: "Distributions") -> None:
    assert distributions.wheel.name.endswith("-py3-none-any.whl")
    with zipfile.ZipFile(distributions.wheel) as wheel:
        names = [name.partition("/")[2] for name in wheel.namelist()]
    assert {"py.typed", "licenses/LICENSE"} <= set(names)


# What `twine check --strict` asks for, by the library that the package index itself reads metadata with; what
# twine does beyond that is to render reStructuredText, and there is none here.
def test_a_package_index_takes_the_metadata(distributions: "Distributions", project: dict[str, Any]) -> None:
    with zipfile.ZipFile(distributions.wheel) as wheel, tarfile.open(distributions.sdist) as sdist:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        of_sdist = sdist.extractfile(f"{distributions.sdist.name.removesuffix('.tar.gz')}/PKG-INFO")
        assert of_sdist is not None
        texts = [wheel.read(name), of_sdist.read()]
    for metadata in (Metadata.from_email(text, validate=True) for text in texts):
        assert str(metadata.version) == project["project"]["version"]
        assert metadata.description_content_type == "text/markdown"
        assert metadata.description == (ROOT / "DESCRIPTION.md").read_text("utf-8")


def test_the_description_links_to_nothing_that_a_package_index_lacks() -> None:
    links = re.findall(r"\]\(([^)]*)\)|(?:src|href)=", (ROOT / "DESCRIPTION.md").read_text("utf-8"))
    assert [link for link in links if not link.startswith("https://")] == []


def test_pyproject_names_every_folder_of_modules_as_a_package(
    project: dict[str, Any], packaged_files: list[str]
) -> None:
    folders = {in_the_wheel(path).rpartition("/")[0] for path in packaged_files if path.endswith(".py")}
    packages = [folder.replace("/", ".") for folder in folders]
    assert not difference(project["tool"]["setuptools"]["packages"], packages)


def test_every_folder_of_modules_has_an_init_file(packaged_files: list[str]) -> None:
    folders = {path.rpartition("/")[0] for path in packaged_files if path.endswith(".py")}
    assert sorted(folder for folder in folders if f"{folder}/__init__.py" not in packaged_files) == []


def test_the_metadata_names_five_dependencies_and_the_extras(
    distributions: "Distributions", project: dict[str, Any]
) -> None:
    with zipfile.ZipFile(distributions.wheel) as wheel:
        (name,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        lines = wheel.read(name).decode().splitlines()
    required = [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]
    always = [re.split(r"[<>=]", each)[0] for each in required if "extra ==" not in each]
    assert sorted(always) == ["jsonschema", "openai", "pydantic", "structlog", "transitions"]
    extras = [line.removeprefix("Provides-Extra: ") for line in lines if line.startswith("Provides-Extra: ")]
    assert sorted(extras) == [
        "aiohttp", "bench", "dbos", "dev", "docs", "jitterbit", "langchain", "llamaindex",
        "mcp", "otel", "serve",
    ]  # fmt: skip
    assert f"Version: {project['project']['version']}" in lines
    assert "License-Expression: MIT" in lines

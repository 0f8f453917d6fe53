"""The reference of the site shows what is public, and its code and lists as such."""

import re

import griffe
import pytest
from tests.docs.docstring_lists import DocstringLists, with_lists
from tests.docs.public_members import PublicMembers
from tests.packaging.public_api import ROOT, public_modules, public_names

CODE = re.compile(r"(from \w[\w.]* import|import \w|def |\w+ = |\w+\()")
FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def package() -> griffe.Module:
    """As the site reads it."""
    extensions = griffe.load_extensions(DocstringLists, PublicMembers)
    found = griffe.load("callagain", search_paths=[ROOT / "src"], extensions=extensions)
    assert isinstance(found, griffe.Module)
    return found


def module_of(package: griffe.Module, path: str) -> griffe.Object:
    module = package if path == "callagain" else package[path.removeprefix("callagain.")]
    assert isinstance(module, griffe.Module)
    return module


def test_every_public_name_is_shown_with_its_docstring(package: griffe.Module) -> None:
    """What has no docstring is left out of the reference, and so is a module inside of another one."""
    missing = [
        f"{path}.{name}"
        for path in public_modules()
        for name in public_names(path)
        for member in [module_of(package, path).members[name]]
        if member.is_module or member.docstring is None
    ]
    assert missing == []


def test_a_function_stands_before_the_module_of_its_name(package: griffe.Module) -> None:
    for name in ("run_once", "tool", "viewer.page", "diagrams.flowchart", "porting.report.inventory"):
        assert package[name].is_function
    docstring = package["viewer.page"].docstring
    assert docstring is not None
    assert "\n- **difference**: " in docstring.value
    assert "name" in package["Tool"].parameters


def test_a_function_of_jitterbit_script_has_the_docstring_that_it_has_when_it_runs(
    package: griffe.Module,
) -> None:
    left = package["porting.jitterbit.left"].docstring
    assert left is not None
    assert left.value.startswith("The first n characters.")


def test_code_in_the_docstring_of_a_module_is_indented_or_fenced(package: griffe.Module) -> None:
    """Markdown takes it for prose otherwise."""
    prose = [
        f"{path}: {block}"
        for path in public_modules()
        for docstring in [module_of(package, path).docstring]
        for block in (FENCE.sub("", docstring.value).split("\n\n") if docstring else [])
        if CODE.match(block)
    ]
    assert prose == []


def test_what_a_docstring_says_of_each_parameter_is_an_item_of_a_list() -> None:
    docstring = (
        "Cuts: this and that.\n\nlimit: characters,\n    at most. on, off: which; or\n    neither. side:\n"
        "    left.\nname, other: words. None: no limit.\n\nIt: is prose."
    )
    assert with_lists(docstring) == (
        "Cuts: this and that.\n\n- **limit**: characters, at most.\n- **on, off**: which; or neither.\n"
        "- **side**: left.\n- **name, other**: words. None: no limit.\n\nIt: is prose."
    )


def test_the_first_words_of_a_module_are_no_item() -> None:
    assert with_lists("callagain: a loop.\n\nx: y.", of_module=True) == "callagain: a loop.\n\n- **x**: y."

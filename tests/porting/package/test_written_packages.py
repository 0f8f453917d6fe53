"""A package is written whole, into a folder of its own, or not at all."""

import os
from pathlib import Path

import pytest
from tests.porting.package.packages import DESIGNS, texts

from callagain.engine.errors import ConfigurationError
from callagain.porting.design import read_design
from callagain.porting.package import Package, is_package, port, write_package


@pytest.fixture(scope="module")
def package() -> Package:
    return port(read_design(DESIGNS / "orders"))


def test_it_is_written_with_the_design_that_it_came_from(package: Package, tmp_path: Path) -> None:
    write_package(package, tmp_path / "deep" / "orders")
    assert is_package(tmp_path / "deep" / "orders")
    kept = read_design(tmp_path / "deep" / "orders" / "orders_assistant" / "design")
    assert [script.text for script in kept.scripts] == [script.text for script in package.plan.design.scripts]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["orders"]


def test_an_empty_folder_is_taken_and_another_one_is_not(package: Package, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_package(package, tmp_path / "empty")
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to_ada.txt").write_text("Dear Ada")
    for force in (False, True):
        with pytest.raises(
            ConfigurationError, match="letters holds other files; give the path of a new folder by -o"
        ):
            write_package(package, tmp_path / "letters", force=force)
    assert dict(texts(tmp_path / "letters")) == {"to_ada.txt": "Dear Ada"}


def test_a_package_is_replaced_if_that_is_wanted(package: Package, tmp_path: Path) -> None:
    write_package(package, tmp_path / "orders")
    (tmp_path / "orders" / "left.py").write_text("old = True")
    with pytest.raises(
        ConfigurationError, match="holds a ported package already; give another folder, or --force"
    ):
        write_package(package, tmp_path / "orders")
    assert (tmp_path / "orders" / "left.py").exists()
    write_package(package, tmp_path / "orders", force=True)
    assert not (tmp_path / "orders" / "left.py").exists()


def test_a_file_and_a_link_are_no_folder(package: Package, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path)
    for name in ("file", "link"):
        with pytest.raises(ConfigurationError, match=f"{name} is no folder; give the path of a new one"):
            write_package(package, tmp_path / name, force=True)


def test_where_it_cannot_be_written_nothing_is_left_and_what_was_there_stays(
    package: Package, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_package(package, tmp_path / "orders")
    (tmp_path / "orders" / "mine.py").write_text("mine = True")
    renamed = os.replace

    def full(source: str, target: str) -> None:
        if os.fspath(target).endswith("orders") and os.fspath(source).endswith("new"):
            raise OSError(28, "No space left on device")
        renamed(source, target)

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(ConfigurationError, match="orders cannot be written: No space left on device"):
        write_package(package, tmp_path / "orders", force=True)
    assert (tmp_path / "orders" / "mine.py").read_text() == "mine = True"
    assert [path.name for path in tmp_path.iterdir()] == ["orders"]

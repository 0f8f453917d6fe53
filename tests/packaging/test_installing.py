"""callagain in an environment that had none of it: from the wheel, from a checkout, editable."""

import sys
import tomllib
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.packaging.conftest import CopyCheckout, Distributions, Environment, OutputOf

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]


def test_the_wheel_brings_the_command_and_the_demo(
    environment: "Environment", distributions: "Distributions"
) -> None:
    environment.install(distributions.wheel)
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert environment.output_of("python", "-m", "callagain", "--version").startswith(f"callagain {version},")
    assert "Answer  I created ticket T-77 for Ada Lovelace.\n" in environment.output_of("callagain", "demo")
    assert environment.file_of("callagain.engine.table").is_relative_to(environment.folder)


def test_the_wheel_brings_the_pytest_plugin(
    environment: "Environment", distributions: "Distributions"
) -> None:
    environment.install(distributions.wheel)
    shown = environment.output_of("python", "-m", "pytest", "-p", "no:cacheprovider", "--fixtures", "--quiet")
    assert "\nstand_in -- " in shown


def test_pip_installs_a_checkout(
    environment: "Environment", copy_checkout: "CopyCheckout", tmp_path: Path
) -> None:
    environment.install(copy_checkout(tmp_path / "checkout"))
    assert environment.file_of("callagain.engine.table").is_relative_to(environment.folder)


def test_an_editable_installation_runs_the_checkout_s_own_files_without_its_links(
    environment: "Environment", copy_checkout: "CopyCheckout", tmp_path: Path
) -> None:
    checkout = copy_checkout(tmp_path / "checkout")
    for link in (path for path in (checkout / "src/callagain").iterdir() if path.is_symlink()):
        target = str(link.readlink())
        link.unlink()
        # What Git makes of a link where the system has none.
        link.write_text(target, "utf-8")
    environment.install("--editable", checkout)
    assert environment.file_of("callagain") == checkout / "src/callagain/__init__.py"
    assert environment.file_of("callagain.engine.table") == checkout / "engine/table.py"
    (checkout / "operations/added.py").touch()
    assert environment.file_of("callagain.operations.added") == checkout / "operations/added.py"


def test_a_clone_without_symbolic_links_builds_the_same_wheel(
    distributions: "Distributions", copy_checkout: "CopyCheckout", output_of: "OutputOf", tmp_path: Path
) -> None:
    origin, clone = copy_checkout(tmp_path / "origin"), tmp_path / "clone"
    output_of("git", "init", "--quiet", origin)
    output_of("git", "add", "--all", folder=origin)
    author = ("-c", "user.name=Nobody", "-c", "user.email=nobody@example.org", "-c", "commit.gpgsign=false")
    output_of("git", *author, "commit", "--quiet", "--no-verify", "--message", "All", folder=origin)
    output_of("git", "clone", "--quiet", "--config", "core.symlinks=false", origin, clone)
    assert (clone / "src/callagain/engine").read_text() == "../../engine"

    output_of(sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", tmp_path, clone)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as built, zipfile.ZipFile(distributions.wheel) as expected:
        assert sorted(built.namelist()) == sorted(expected.namelist())

"""Modules of translated scripts."""

from collections.abc import Sequence

from callagain.porting.translation.layout import WIDTH
from callagain.porting.translation.model import Translation


def module_source(translations: Sequence[Translation], docstring: str) -> str:
    """The source of a module: a docstring, the imports that all translations need, and the functions.

    docstring: its text, without quotes; it must not have any, nor a backslash. ValueError if it has, or if
    two translations have one name.
    """
    if '"' in docstring or "\\" in docstring:
        raise ValueError("the docstring of a module has no quotes and no backslashes")
    names = [each.function for each in translations]
    if len(set(names)) < len(names):
        raise ValueError(f"two functions of one module have one name: {', '.join(sorted(names))}")
    functions = [each.source for each in translations]
    return "\n\n".join([f'"""{docstring}"""\n\n' + _imports(translations), *functions])


def _imports(translations: Sequence[Translation]) -> str:
    needed: dict[str, set[str]] = {}
    for statement in (each for translation in translations for each in translation.imports):
        module, _, name = statement.removeprefix("from ").partition(" import ")
        needed.setdefault(module, set()).add(name)
    return "".join(_import(module, sorted(names)) for module, names in sorted(needed.items()))


def _import(module: str, names: list[str]) -> str:
    line = f"from {module} import {', '.join(names)}\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"from {module} import (\n" + "".join(f"    {name},\n" for name in names) + ")\n"

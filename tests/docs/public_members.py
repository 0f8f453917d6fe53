"""For the reference of the site: every public name is shown.

Left to itself, it would miss two kinds: a function whose module has its name, as `callagain.viewer.page`, and
an object that gets its docstring when the program runs, as the functions of Jitterbit Script do.
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any, TypeAlias

import griffe

# By their names.
Modules: TypeAlias = dict[str, griffe.Module]
# Those whose objects get their docstrings when they are made.
MADE = ("callagain.porting.jitterbit.functions",)


class PublicMembers(griffe.Extension):
    def on_module(self, *, mod: griffe.Module, **_: Any) -> None:
        """Of the package itself: all other extensions have seen the modules that are hidden from now on."""
        if mod.parent is None:
            _show_public_members(mod)


def _show_public_members(package: griffe.Module) -> None:
    modules = {module.path: module for module in _modules_in(package)}
    for module in modules.values():
        _resolve_imports(module)
    hidden = [
        (module, name, found) for module in modules.values() for name, found in _hidden_in(module, modules)
    ]
    for module, name, found in hidden:
        module.set_member(name, griffe.Alias(name, found, parent=module))
    for module in modules.values():
        for each in module.exports or ():
            _give_docstring(module.members[str(each)])


def _modules_in(module: griffe.Module) -> Iterator[griffe.Module]:
    yield module
    for member in module.members.values():
        if isinstance(member, griffe.Module):
            yield from _modules_in(member)


def _resolve_imports(module: griffe.Module) -> None:
    """While every module still stands under its own name."""
    for member in module.members.values():
        if isinstance(member, griffe.Alias):
            try:
                member.resolve_target()
            except (griffe.AliasResolutionError, griffe.CyclicAliasError):
                continue


def _hidden_in(module: griffe.Module, modules: Modules) -> Iterator[tuple[str, griffe.Object]]:
    """What the module imports and exports, and a module of the same name stands in place of."""
    for each in module.exports or ():
        name = str(each)
        if module.members[name].is_module:
            yield name, _imported(module, name, modules)


def _imported(module: griffe.Module, name: str, modules: Modules) -> griffe.Object:
    path, _, name_there = module.imports[name].rpartition(".")
    found = modules[path].members[name_there]
    if found.is_module:
        return _imported(modules[path], name_there, modules)
    return found.final_target if isinstance(found, griffe.Alias) else found


def _give_docstring(member: griffe.Object | griffe.Alias) -> None:
    target = member.final_target if isinstance(member, griffe.Alias) else member
    if target.docstring is None and isinstance(target, griffe.Attribute) and target.module.path in MADE:
        value = getattr(import_module(target.module.path), target.name)
        target.docstring = griffe.Docstring(value.__doc__, parent=target)

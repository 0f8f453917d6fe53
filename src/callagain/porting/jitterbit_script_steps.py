"""A script of a design, of either language, that is run against a host."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from callagain.porting.design.model import Language
from callagain.porting.design.model import Script as DesignScript
from callagain.porting.javascript import JavaScriptLimits, run_javascript
from callagain.porting.javascript.quickjs import check_installed
from callagain.porting.script import (
    Caller,
    Host,
    Limits,
    LocalHost,
    Mode,
    Script,
    ScriptSyntaxError,
    Value,
    parse,
    run_script,
)

AnyScript: TypeAlias = str | DesignScript
"""The text of a script, or the script of a design that was read."""

LIMITS = Limits()
JAVASCRIPT_LIMITS = JavaScriptLimits()

_JAVASCRIPT = re.compile(r"\s*<javascript>", re.IGNORECASE)
_DECLARES = re.compile(r"^\s*(?:var|let|const|function)\s", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Settings:
    """How scripts run: the mode of Jitterbit Script, and the limits of both languages."""

    mode: Mode
    limits: Limits
    javascript_limits: JavaScriptLimits


@dataclass(frozen=True, slots=True)
class ScriptStep:
    """A script that was looked at: Jitterbit Script has been parsed, so it has no mistakes of syntax."""

    name: str
    language: Language
    text: str
    settings: Settings
    parsed: Script | None

    @classmethod
    def of(
        cls, script: AnyScript, settings: Settings, name: str = "script", language: str | None = None
    ) -> "ScriptStep":
        """A script by its text: JavaScript if `language` or its marks say so.

        Raises ScriptSyntaxError for what is no Jitterbit Script, ValueError for an unknown language, and
        ConfigurationError for JavaScript without quickjs-ng.
        """
        if isinstance(script, DesignScript):
            return cls.of(script.text, settings, script.name, script.language)
        if _language(script, language) is Language.JAVASCRIPT:
            check_installed()
            return cls(name, Language.JAVASCRIPT, script, settings, None)
        try:
            return cls(name, Language.JITTERBIT_SCRIPT, script, settings, parse(script, name))
        except ScriptSyntaxError as error:
            if language is None and _DECLARES.search(script):
                advice = '; if this is JavaScript, say language="javascript"'
                raise ScriptSyntaxError(f"{error.message}{advice}", error.place, error.source) from None
            raise

    def run(self, host: Host, arguments: Sequence[Value] = (), caller: Caller | None = None) -> Value:
        """Raises ScriptError."""
        if self.parsed is None:
            return run_javascript(
                self.text,
                name=self.name,
                host=host,
                arguments=arguments,
                limits=self.settings.javascript_limits,
                caller=caller,
            )
        return run_script(
            self.parsed,
            host=host,
            mode=self.settings.mode,
            arguments=arguments,
            limits=self.settings.limits,
            caller=caller,
        )


@dataclass(frozen=True, slots=True)
class Project:
    """What the scripts of a design call: other scripts by name, operations as scripts in their order."""

    scripts: Mapping[str, ScriptStep]
    operations: Mapping[str, tuple[ScriptStep, ...]]

    @classmethod
    def of(
        cls,
        scripts: Mapping[str, AnyScript] | None,
        operations: Mapping[str, Sequence[AnyScript]] | None,
        settings: Settings,
    ) -> "Project":
        """Raises ScriptSyntaxError, as ScriptStep.of."""
        return cls(
            {name: ScriptStep.of(text, settings, name) for name, text in (scripts or {}).items()},
            {name: steps_of(texts, settings, name) for name, texts in (operations or {}).items()},
        )

    def join(self, host: LocalHost) -> None:
        """Lets a host run them."""

        host.scripts = {name: partial(step.run, host) for name, step in self.scripts.items()}
        host.operations = {name: partial(_run_steps, steps, host) for name, steps in self.operations.items()}


def steps_of(
    scripts: AnyScript | Sequence[AnyScript], settings: Settings, name: str, language: str | None = None
) -> tuple[ScriptStep, ...]:
    """The steps of an operation; they have its name in messages, with a number if there are several."""
    if isinstance(scripts, str | DesignScript):
        scripts = (scripts,)
    if not scripts:
        raise ValueError(f"{name} has no script; an operation has one at least")
    names = [name] if len(scripts) == 1 else [f"{name}, step {count + 1}" for count in range(len(scripts))]
    return tuple(
        ScriptStep.of(script, settings, step, language) for script, step in zip(scripts, names, strict=True)
    )


def _run_steps(steps: tuple[ScriptStep, ...], host: Host, caller: Caller) -> None:
    for step in steps:
        step.run(host, (), caller)


def _language(text: str, language: str | None) -> Language:
    if language is None:
        return Language.JAVASCRIPT if _JAVASCRIPT.match(text) else Language.JITTERBIT_SCRIPT
    try:
        return Language(language)
    except ValueError:
        names = ", ".join(f'"{each}"' for each in Language)
        raise ValueError(f"there is no language {language!r}; the languages are {names}") from None

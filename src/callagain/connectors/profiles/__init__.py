"""The endpoints that are known, as data: one file for each vendor, and a source for every fact.

As of November 2026. The comment above a fact names where it stands. For windows, limits and prices that is
the vendor's page; many of them were read in anomalyco/models.dev and pydantic/genai-prices, which copy these
pages. A fact that was not found is not there.

Prices are those of standard processing. Where they depend on the hour or the day, the higher ones stand here;
where they rise with the length of the prompt, those of a short one.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from types import MappingProxyType
from urllib.parse import urlsplit

from callagain.connectors.profiles.anthropic import ANTHROPIC
from callagain.connectors.profiles.azure import AZURE
from callagain.connectors.profiles.deepseek import DEEPSEEK
from callagain.connectors.profiles.gemini import GEMINI
from callagain.connectors.profiles.groq import GROQ
from callagain.connectors.profiles.local import LLAMA_CPP, OLLAMA, VLLM
from callagain.connectors.profiles.mistral import MISTRAL
from callagain.connectors.profiles.openai import OPENAI
from callagain.engine.errors import ConfigurationError
from callagain.engine.wire.profile import GENERIC, Profile

__all__ = ["PROFILES", "profile_named", "profile_of"]

_ALL = (
    GENERIC, OPENAI, AZURE, ANTHROPIC, DEEPSEEK, GEMINI, GROQ, MISTRAL, VLLM, LLAMA_CPP, OLLAMA,
)  # fmt: skip
_THIS_MACHINE = ("localhost", "127.0.0.1", "::1", "host.docker.internal")

PROFILES: Mapping[str, Profile] = MappingProxyType({profile.name: profile for profile in _ALL})
"""The endpoints that are known, by name."""


def profile_named(name: str) -> Profile:
    """The profile of this name. Raises ConfigurationError, with the names, if there is none."""
    if name in PROFILES:
        return PROFILES[name]
    close = get_close_matches(name.lower(), PROFILES, n=1)
    meant = f"did you mean {close[0]!r}? " if close else ""
    raise ConfigurationError(
        f"there is no profile {name!r}; {meant}There are {', '.join(sorted(PROFILES))}; "
        "for another endpoint pass a Profile of your own"
    )


def profile_of(base_url: str | None) -> Profile:
    """The profile of the endpoint at this URL; GENERIC if it is not known. None is OpenAI's own endpoint."""
    if base_url is None:
        return OPENAI
    try:
        url = urlsplit(base_url)
        host, port = (url.hostname or "").removesuffix("."), url.port
    except ValueError:
        # No URL; the client says so.
        return GENERIC
    return next((profile for profile in _ALL if _is_at(host, port, profile.hosts)), GENERIC)


def _is_at(host: str, port: int | None, hosts: tuple[str, ...]) -> bool:
    for known in hosts:
        if known.startswith(":"):
            found = host in _THIS_MACHINE and known == f":{port}"
        elif known.startswith("."):
            found = host.endswith(known)
        else:
            found = host == known
        if found:
            return True
    return False

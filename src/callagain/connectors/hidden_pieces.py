"""Takes the secrets out of the pieces of a stream, also one that is spread over several pieces."""

from collections.abc import Iterable
from dataclasses import replace

from callagain.connectors.endpoint import Endpoint
from callagain.engine.wire.deltas import ArgumentsDelta, Delta


class HiddenPieces:
    """Holds back the end of a piece for as long as it may be the beginning of a secret."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._held: Delta | None = None

    def take(self, deltas: Iterable[Delta]) -> list[Delta]:
        """The pieces as they may be seen, as far as that is known."""
        told: list[Delta] = []
        for delta in deltas:
            if self._held is not None and _are_one(self._held, delta):
                delta = _with_text(delta, _text(self._held) + _text(delta))
            else:
                told += self.rest()
            text = self._endpoint.hide_secrets(_text(delta))
            held = self._beginning_of_a_secret(text)
            self._held = _with_text(delta, text[len(text) - held :]) if held else None
            if held < len(text) or not text:
                told.append(_with_text(delta, text[: len(text) - held]))
        return told

    def rest(self) -> list[Delta]:
        """What was held back; nothing more of its kind comes."""
        held, self._held = self._held, None
        return [] if held is None else [held]

    def _beginning_of_a_secret(self, text: str) -> int:
        """How many characters at the end of the text may be one."""
        longest = max(map(len, self._endpoint.secrets), default=1) - 1
        for size in range(min(longest, len(text)), 0, -1):
            if any(secret.startswith(text[-size:]) for secret in self._endpoint.secrets):
                return size
        return 0


def _text(delta: Delta) -> str:
    return delta.arguments if isinstance(delta, ArgumentsDelta) else delta.text


def _with_text(delta: Delta, text: str) -> Delta:
    if isinstance(delta, ArgumentsDelta):
        return replace(delta, arguments=text)
    return replace(delta, text=text)


def _are_one(held: Delta, delta: Delta) -> bool:
    if isinstance(held, ArgumentsDelta) and isinstance(delta, ArgumentsDelta):
        return held.index == delta.index
    return type(held) is type(delta)

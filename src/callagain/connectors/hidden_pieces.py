"""Takes the secrets out of the pieces of a stream, also one that is spread over several pieces."""

from collections.abc import Iterable
from dataclasses import replace

from callagain.connectors.endpoint import Endpoint
from callagain.engine.wire.deltas import ArgumentsDelta, Delta


class HiddenPieces:
    """Holds back the end of a text for as long as it may be the beginning of a secret.

    Each text of a response has its own pieces: the answer, the reasoning, the arguments of each call.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint
        self._held: dict[str, Delta] = {}

    def take(self, deltas: Iterable[Delta]) -> list[Delta]:
        """The pieces as they may be seen, as far as that is known."""
        told: list[Delta] = []
        for delta in deltas:
            before = self._held.pop(_belongs_to(delta), None)
            text = self._endpoint.hide_secrets((_text(before) if before else "") + _text(delta))
            held = self._beginning_of_a_secret(text)
            if held:
                self._held[_belongs_to(delta)] = self._with_text(delta, text[len(text) - held :])
            if held < len(text) or not text:
                told.append(self._with_text(delta, text[: len(text) - held]))
        return told

    def rest(self) -> list[Delta]:
        """What was held back; nothing more comes."""
        held, self._held = self._held, {}
        return list(held.values())

    def _with_text(self, delta: Delta, text: str) -> Delta:
        if not isinstance(delta, ArgumentsDelta):
            return replace(delta, text=text)
        hide = self._endpoint.hide_secrets
        return replace(delta, arguments=text, call_id=hide(delta.call_id), name=hide(delta.name))

    def _beginning_of_a_secret(self, text: str) -> int:
        """How many characters at the end of the text may be one."""
        longest = max(map(len, self._endpoint.secrets), default=1) - 1
        for size in range(min(longest, len(text)), 0, -1):
            if any(secret.startswith(text[-size:]) for secret in self._endpoint.secrets):
                return size
        return 0


def _text(delta: Delta) -> str:
    return delta.arguments if isinstance(delta, ArgumentsDelta) else delta.text


def _belongs_to(delta: Delta) -> str:
    return f"call {delta.index}" if isinstance(delta, ArgumentsDelta) else type(delta).__name__

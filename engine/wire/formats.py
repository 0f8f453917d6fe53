"""The APIs that a loop can speak, by their names."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from callagain.engine.wire.chat_completions import CHAT_COMPLETIONS
from callagain.engine.wire.responses import RESPONSES
from callagain.engine.wire.wire_format import WireFormat

Api: TypeAlias = Literal["chat_completions", "responses"]

WIRE_FORMATS: Mapping[str, WireFormat] = {
    "chat_completions": CHAT_COMPLETIONS,
    "responses": RESPONSES,
}

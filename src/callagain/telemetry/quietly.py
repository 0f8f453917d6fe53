"""Whatever goes wrong while a run is being recorded, the run goes on."""

import functools
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")

_LOG = logging.getLogger("callagain.telemetry")


def quietly(record: Callable[Parameters, Value]) -> Callable[Parameters, Value | None]:
    """The function; what it raises goes to the logger "callagain.telemetry", and None is what it gives."""

    @functools.wraps(record)
    def recorded(*arguments: Parameters.args, **options: Parameters.kwargs) -> Value | None:
        try:
            return record(*arguments, **options)
        except Exception:
            _LOG.warning("part of a run could not be recorded", exc_info=True)
            return None

    return recorded

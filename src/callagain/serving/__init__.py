"""A loop over HTTP: `app` makes an ASGI application of it, and `serve` serves that by uvicorn.

The command is `callagain serve`; docs/serving.md has the whole of it. Needs the extra: pip install
'callagain[serve]'.
"""

from importlib.util import find_spec

from callagain.engine.errors import ConfigurationError

if find_spec("starlette") is None or find_spec("uvicorn") is None:
    raise ConfigurationError("serving needs Starlette and uvicorn: pip install 'callagain[serve]'")

from callagain.serving.application import LoopApp, app
from callagain.serving.limits import ServingLimits
from callagain.serving.server import serve

__all__ = ["LoopApp", "ServingLimits", "app", "serve"]

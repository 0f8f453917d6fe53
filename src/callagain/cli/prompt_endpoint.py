"""Who answers the prompts of a `*.prompts.toml` file: an endpoint, or the stand-in with the file's script."""

import os
from collections.abc import Generator
from contextlib import contextmanager

from callagain.cli.options import MODEL_VARIABLE
from callagain.cli.prompts_file import PromptsFile
from callagain.connectors.credentials import NOTHING_FOUND
from callagain.engine.errors import ConfigurationError
from callagain.loop import ToolLoop
from callagain.testing import StandIn
from callagain.testing.script import Answers, Rules

NO_ENDPOINT = (
    "no endpoint: give --callagain-base-url URL, set OPENAI_API_KEY or OPENAI_BASE_URL, or name a script in "
    "the file"
)
NO_MODEL = f"no model: give --callagain-model M, set {MODEL_VARIABLE}, or name one in [loop] of the file"


class PromptEndpoint:
    """base_url, model: stronger than the file's, which are stronger than the environment's.

    A script answers unless a base_url is given. missing: what there has to be for an endpoint to answer, and
    how to name it; None if it is there.
    Raises ConfigurationError.
    """

    def __init__(self, file: PromptsFile, base_url: str | None, model: str | None) -> None:
        self._file = file
        self._model: str = model or file.settings.get("model") or os.environ.get(MODEL_VARIABLE) or ""
        self._script = file.script if base_url is None else None
        self._loop: ToolLoop | None = None
        self.missing: str | None = None
        if self._script is None:
            self._find(base_url)

    @contextmanager
    def loop(self) -> Generator[ToolLoop, None, None]:
        """A loop for one run: an endpoint's is always the same one, a script begins anew."""
        if self._script is not None:
            with self._scripted(self._script) as loop:
                yield loop
        else:
            assert self._loop is not None, self.missing
            yield self._loop

    def _find(self, base_url: str | None) -> None:
        given = {} if base_url is None else {"base_url": base_url}
        try:
            self._loop = self._file.loop(model=self._model or "any", **given)
        except ConfigurationError as error:
            if str(error) != NOTHING_FOUND:
                raise
            self.missing = NO_ENDPOINT
        else:
            self.missing = None if self._model else NO_MODEL

    @contextmanager
    def _scripted(self, script: Answers | Rules) -> Generator[ToolLoop, None, None]:
        import httpx2
        from openai import OpenAI

        # The environment may name a proxy, which could not reach this machine's loopback interface.
        http_client = httpx2.Client(trust_env=False)
        with (
            StandIn(script) as stand_in,
            OpenAI(base_url=stand_in.base_url, api_key="no-key", http_client=http_client) as client,
        ):
            yield self._file.loop(model=self._model or "stand-in", client=client)

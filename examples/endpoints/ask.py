"""The same loop at seven kinds of endpoint: what each is told apart by is one row of a table.

    python examples/endpoints/ask.py ollama --model qwen3:8b

Addresses and keys come from environment variables. docs/endpoints.md tells what each server has to be started
with, and what to look out for.
"""

import argparse
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from openai import AzureOpenAI

from callagain import ConfigurationError, ToolLoop, tool


@dataclass(frozen=True, slots=True)
class Endpoint:
    """base_url: where it usually is; None if there is no usual place.

    url_variable, key_variable: environment variables. A server on one's own machine needs no key.
    parallel_tool_calls: None where several calls at a time need no asking for.
    """

    profile: str
    model: str
    url_variable: str
    base_url: str | None
    key_variable: str
    needs_key: bool = False
    parallel_tool_calls: bool | None = None

    @property
    def url(self) -> str:
        return variable(self.url_variable, self.base_url)

    @property
    def key(self) -> str:
        # Never left out: the key of OPENAI_API_KEY would be sent then, to whomever.
        return variable(self.key_variable, None if self.needs_key else "no-key")

    def settings(self) -> Mapping[str, Any]:
        """What a ToolLoop is told of it."""
        return {"base_url": self.url, "api_key": self.key, "profile": self.profile}


class AzureV1(Endpoint):
    """A resource of Azure OpenAI by its newer URL, which is that of OpenAI behind another host."""

    def settings(self) -> Mapping[str, Any]:
        return {**super().settings(), "base_url": f"{self.url.rstrip('/')}/openai/v1/"}


class AzureDeployment(Endpoint):
    """The same by its older URL, which names the deployment and the version of the API."""

    def settings(self) -> Mapping[str, Any]:
        return {"client": self.client, "profile": self.profile}

    def client(self) -> AzureOpenAI:
        version = variable("OPENAI_API_VERSION")
        return AzureOpenAI(azure_endpoint=self.url, api_key=self.key, api_version=version)


def variable(name: str, default: str | None = None) -> str:
    value = os.environ.get(name) or default
    if value is None:
        raise SystemExit(f"set {name}")
    return value


OPENAI_URL = "https://api.openai.com/v1"
ENDPOINTS: Mapping[str, Endpoint] = {
    "openai": Endpoint("openai", "gpt-4o", "OPENAI_BASE_URL", OPENAI_URL, "OPENAI_API_KEY", needs_key=True),
    "azure-v1": AzureV1(
        "azure", "my-deployment", "AZURE_OPENAI_ENDPOINT", None, "AZURE_OPENAI_API_KEY", needs_key=True
    ),
    "azure-deployment": AzureDeployment(
        "azure", "my-deployment", "AZURE_OPENAI_ENDPOINT", None, "AZURE_OPENAI_API_KEY", needs_key=True
    ),
    "vllm": Endpoint("vllm", "Qwen/Qwen3-8B", "VLLM_BASE_URL", "http://localhost:8000/v1", "VLLM_API_KEY"),
    "ollama": Endpoint(
        "ollama", "qwen3:8b", "OLLAMA_BASE_URL", "http://localhost:11434/v1", "OLLAMA_API_KEY"
    ),
    "llama.cpp": Endpoint(
        "llama.cpp",
        "any",
        "LLAMA_CPP_BASE_URL",
        "http://localhost:8080/v1",
        "LLAMA_API_KEY",
        parallel_tool_calls=True,
    ),
    "litellm": Endpoint(
        "generic", "house-model", "LITELLM_BASE_URL", "http://localhost:4000/v1", "LITELLM_API_KEY"
    ),
}


@tool(read_only=True)
def get_order_status(order_id: str) -> dict[str, str]:
    """Look up the status of an order by its six-digit id. Not for returns.

    Args:
        order_id: six digits, such as 481516
    """
    return {"order_id": order_id, "status": "shipped"}


def loop_at(name: str, model: str | None = None) -> ToolLoop:
    """A loop that asks the endpoint of this name."""
    endpoint = ENDPOINTS[name]
    return ToolLoop(
        model=endpoint.model if model is None else model,
        tools=[get_order_status],
        request_options={"temperature": 0.2, "max_tokens": 500},
        parallel_tool_calls=endpoint.parallel_tool_calls,
        **endpoint.settings(),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description="Asks one of the endpoints where order 481516 is.")
    parser.add_argument("endpoint", choices=list(ENDPOINTS))
    parser.add_argument("--model", help="the name of a model, or on Azure of a deployment")
    chosen = parser.parse_args()
    try:
        loop = loop_at(chosen.endpoint, chosen.model)
    except ConfigurationError as error:
        raise SystemExit(f"{ENDPOINTS[chosen.endpoint].url_variable}: {error}") from None
    result = loop.run("Where is order 481516?")
    if result.error is not None:
        raise SystemExit(f"{result.outcome}: {result.error.message}")
    print(result.final_response)


if __name__ == "__main__":
    main()

"""Servers on one's own machine. What can be known of a model depends on how it was started.

vLLM and llama.cpp listen on ports that many servers use, 8000 and 8080, so they have no hosts here.
"""

from callagain.engine.wire.profile import ModelFacts, Profile, Supports

VLLM = Profile(
    "vllm",
    supports=Supports(
        # https://docs.vllm.ai/en/latest/features/tool_calling/
        forced_tool_choice=True,
        # https://docs.vllm.ai/en/latest/features/tool_calling/
        responses=True,
    ),
)

LLAMA_CPP = Profile(
    "llama.cpp",
    supports=Supports(
        # https://github.com/ggml-org/llama.cpp/blob/master/docs/function-calling.md: off by default
        parallel_tool_calls=True,
        # https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
        responses=True,
    ),
)

OLLAMA = Profile(
    "ollama",
    supports=Supports(
        # https://docs.ollama.com/api/openai-compatibility: not among the fields
        parallel_tool_calls=False,
        # https://docs.ollama.com/api/openai-compatibility
        stream_options=True,
        # ollama/ollama#17921, ollama/ollama#11171: tool_choice is ignored
        forced_tool_choice=False,
        # https://docs.ollama.com/api/openai-compatibility: from 0.13.3 on
        responses=True,
    ),
    # https://docs.ollama.com/api/openai-compatibility: the server, and the cloud
    hosts=(":11434", "ollama.com"),
    models={
        # ollama/ollama#5793
        "llama3": ModelFacts(tools=False),
        # ollama/ollama#5793
        "llama3:*": ModelFacts(tools=False),
        # louisho5/picobot#6
        "gemma3": ModelFacts(tools=False),
        # louisho5/picobot#6
        "gemma3:*": ModelFacts(tools=False),
    },
)

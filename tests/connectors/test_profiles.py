import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from callagain.connectors.profiles import PROFILES, profile_named, profile_of
from callagain.engine.errors import ConfigurationError
from callagain.engine.wire.call_ids import generated_id
from callagain.engine.wire.profile import GENERIC, ModelFacts, Prices, Profile

ROOT = Path(__file__).parents[2]
VENDOR_FILES = sorted((ROOT / "src/callagain/connectors/profiles").glob("[!_]*.py"))
SOURCE = re.compile(r"# .*(https://\S+\.\S+|[\w.-]+/[\w.-]+#\d+)")
MODELS = [
    pytest.param(facts, id=f"{profile.name}: {key}")
    for profile in PROFILES.values()
    for key, facts in profile.models.items()
]


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_an_id_that_is_generated_fits_every_endpoint(profile: Profile) -> None:
    assert profile.fits_id(generated_id("seed", ()))


@pytest.mark.parametrize(
    "call_id", ["call_0fypS1hVX", "abcdefgh", "abcdefghij", "abcdefgh-", "abcdefgh\n", ""]
)
def test_mistral_takes_ids_of_nine_letters_and_digits_only(call_id: str) -> None:
    assert PROFILES["mistral"].fits_id("D681PevKs")
    assert not PROFILES["mistral"].fits_id(call_id)


def test_every_profile_is_found_by_its_own_name() -> None:
    assert {name: profile.name for name, profile in PROFILES.items()} == {name: name for name in PROFILES}
    assert profile_named("mistral") is PROFILES["mistral"]
    assert profile_named("generic") is GENERIC


def test_a_wrong_name_gets_the_closest_and_all_names() -> None:
    with pytest.raises(ConfigurationError) as raised:
        profile_named("Mistrall")
    assert str(raised.value) == (
        "there is no profile 'Mistrall'; did you mean 'mistral'? There are anthropic, azure, deepseek, "
        "gemini, generic, groq, llama.cpp, mistral, ollama, openai, vllm; for another endpoint pass a "
        "Profile of your own"
    )


def test_a_name_that_is_like_none_gets_all_names() -> None:
    with pytest.raises(ConfigurationError, match="^there is no profile 'x'; There are anthropic, "):
        profile_named("x")


def test_no_two_profiles_have_one_host() -> None:
    hosts = [host for profile in PROFILES.values() for host in profile.hosts]
    assert len(hosts) == len(set(hosts))


@pytest.mark.parametrize(
    ("name", "host"), [(profile.name, host) for profile in PROFILES.values() for host in profile.hosts]
)
def test_a_profile_is_found_by_each_of_its_hosts(name: str, host: str) -> None:
    at = {".": f"resource{host}", ":": f"localhost{host}"}.get(host[0], host)
    assert profile_of(f"https://{at}/v1").name == name


@pytest.mark.parametrize(
    ("base_url", "name"),
    [
        (None, "openai"),
        ("https://api.openai.com", "openai"),
        ("https://API.OpenAI.com:443/v1/", "openai"),
        ("https://api.openai.com./v1", "openai"),
        ("https://key:secret@api.openai.com/v1", "openai"),
        ("https://eu.api.openai.com/v1", "openai"),
        ("https://Mine.OpenAI.Azure.com/openai/v1/", "azure"),
        ("https://generativelanguage.googleapis.com/v1beta/openai/", "gemini"),
        ("http://localhost:11434/v1", "ollama"),
        ("http://127.0.0.1:11434/v1", "ollama"),
        ("http://[::1]:11434/v1", "ollama"),
        ("http://host.docker.internal:11434/v1", "ollama"),
    ],
)
def test_a_known_host_is_known_however_it_is_written(base_url: str | None, name: str) -> None:
    assert profile_of(base_url).name == name


@pytest.mark.parametrize(
    "base_url",
    [
        "https://api.openai.com.evil.example/v1",
        "https://evil.example/api.openai.com/v1",
        "https://evil.example?api.openai.com",
        "https://evil.example#@api.openai.com",
        "https://api.openai.com@evil.example/v1",
        "https://api.openai.com:pass@evil.example/v1",
        r"https://api.openai.com\@evil.example/v1",
        "https://notapi.openai.com/v1",
        "https://evilapi.openai.com.example/v1",
        "https://openai.azure.com/openai/v1",
        "https://evilopenai.azure.com/openai/v1",
        "https://mine.openai.azure.com.evil.example/openai/v1",
        "http://192.168.1.5:11434/v1",
        "http://localhost.evil.example:11434/v1",
        "http://localhost:1143/v1",
        "http://localhost/v1",
        "http://localhost:99999/v1",
        "http://[::1",
        "api.openai.com/v1",
        "",
    ],
)
def test_a_host_that_only_looks_known_gets_the_generic_profile(base_url: str) -> None:
    assert profile_of(base_url) is GENERIC


@pytest.mark.parametrize("facts", MODELS)
def test_facts_of_a_model_are_possible(facts: ModelFacts) -> None:
    window, most = facts.context_window, facts.max_output_tokens
    assert facts != ModelFacts()
    assert window is None or window > 0
    assert most is None or (window is not None and 0 < most <= window)
    if facts.prices:
        assert 0 < facts.prices.input <= facts.prices.output
        assert facts.prices.cached_input is None or 0 < facts.prices.cached_input < facts.prices.input


@pytest.mark.parametrize(
    ("model", "window", "tools", "reasoning"),
    [
        ("gpt-4o", 128_000, True, False),
        ("gpt-4o-2024-08-06", 128_000, True, False),
        ("gpt-4o-audio-preview", None, None, False),
        ("gpt-5", 400_000, True, True),
        ("gpt-5.9", None, None, None),
        ("o1-mini-2024-09-12", 128_000, False, True),
        ("o1-preview", 128_000, False, True),
        ("gpt-3.5-turbo-instruct", None, False, False),
        ("gpt-3.5-turbo-0125", 16_385, None, False),
        ("unheard-of", None, None, None),
    ],
)
def test_a_model_of_openai_is_known_by_its_name_and_its_versions(
    model: str, window: int | None, tools: bool | None, reasoning: bool | None
) -> None:
    facts = PROFILES["openai"].facts(model)
    assert (facts.context_window, facts.tools, facts.reasoning) == (window, tools, reasoning)


def test_a_price_is_given_to_no_other_model_whose_name_begins_alike() -> None:
    openai = PROFILES["openai"]
    assert openai.facts("gpt-5-mini").prices == Prices(0.25, 2, 0.025)
    assert openai.facts("gpt-5-2025-08-07").prices == openai.facts("gpt-5").prices
    assert [openai.facts(name).prices for name in ("gpt-5-unheard-of", "gpt-50", "gpt-5.9-pro")] == [None] * 3


@pytest.mark.parametrize(
    ("model", "tools"),
    [
        ("llama3", False),
        ("llama3:8b", False),
        ("llama3.1:8b", None),
        ("gemma3:4b", False),
        ("qwen3:8b", None),
    ],
)
def test_a_tag_of_ollama_belongs_to_its_family(model: str, tools: bool | None) -> None:
    assert PROFILES["ollama"].facts(model).tools is tools


def test_a_profile_of_ones_own_states_facts_of_all_models_and_of_some() -> None:
    small, large, other = ModelFacts(8_000), ModelFacts(32_000), ModelFacts(16_000)
    mine = replace(GENERIC, name="mine", models={"m-*": small, "m-large": large, "m-large*": other})
    names = ("m-tiny", "m-large", "m-large-2025", "m-large-v2", "x")
    assert [mine.facts(name) for name in names] == [small, large, large, other, ModelFacts()]


@pytest.mark.parametrize("path", VENDOR_FILES, ids=lambda path: path.stem)
def test_every_fact_has_its_source_above_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    facts = list(_lines_of_facts(ast.parse(text)))
    assert facts
    assert [line for line in facts if not _has_source(text.splitlines(), line)] == []


def _lines_of_facts(tree: ast.AST) -> Iterator[int]:
    """The lines on which a fact of a profile begins; what only holds facts is none itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Profile":
            yield from (
                field.value.lineno for field in node.keywords if field.arg not in ("supports", "models")
            )
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Supports":
            yield from (field.value.lineno for field in node.keywords)
        if isinstance(node, ast.Dict):
            yield from (key.lineno for key in node.keys if key is not None)


def _has_source(lines: list[str], number: int) -> bool:
    above = number - 2
    while lines[above].strip().startswith("#"):
        if SOURCE.search(lines[above]):
            return True
        above -= 1
    return False


def test_the_table_in_the_page_about_profiles_is_that_of_the_data() -> None:
    assert _table() in (ROOT / "docs" / "profiles.md").read_text()


def _table() -> str:
    rows = [
        "| name | hosts | call ids | not sent back | not sent | limit of the output "
        "| Responses | JSON schema |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for profile in PROFILES.values():
        supports = profile.supports
        fields = {
            "`parallel_tool_calls`": supports.parallel_tool_calls,
            "`stream_options`": supports.stream_options,
            "a forced `tool_choice`": supports.forced_tool_choice,
        }
        cells = (
            _code([profile.name]),
            _code(profile.hosts),
            _code([profile.call_id_pattern] if profile.call_id_pattern else []),
            _code(sorted(profile.not_echoed)),
            ", ".join(name for name, taken in fields.items() if not taken) or "–",
            _code([profile.output_limit_field]),
            "yes" if supports.responses else "–",
            "yes" if supports.json_schema else "–",
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _code(words: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{word}`" for word in words) or "–"

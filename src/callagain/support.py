"""Whether an endpoint and a model take what a loop is to send them, as far as their profile knows."""

from callagain.connectors.endpoint import Endpoint
from callagain.connectors.profiles import profile_named, profile_of
from callagain.engine.errors import ConfigurationError
from callagain.engine.run_inputs import Inputs
from callagain.engine.wire.profile import GENERIC, Profile, Supports


def chosen_profile(given: Profile | str | None, endpoint: Endpoint) -> Profile:
    """The one that was given, or that of the base URL. Raises ConfigurationError for an unknown name."""
    if isinstance(given, Profile):
        return given
    if given is not None:
        return profile_named(given)
    return GENERIC if endpoint.is_given_by_factory else profile_of(endpoint.base_url)


def check_support(inputs: Inputs, supports: Supports) -> None:
    """Raises ConfigurationError for what could only fail when a run has begun."""
    name = inputs.profile.name
    if inputs.tools and not supports.tools:
        raise ConfigurationError(
            f"{inputs.model} of profile {name!r} cannot call tools: take another model, leave tools out, or "
            "pass a profile of your own that says otherwise"
        )
    verbatim = next((tool.name for tool in inputs.tools if tool.verbatim), None)
    if verbatim is not None and inputs.output_schema is not None:
        raise ConfigurationError(
            f"the result of {verbatim} is the answer, to the letter (verbatim), and response_format wants "
            "one that fits a schema: leave out one of the two"
        )
    if inputs.use_previous_response_id and inputs.limits.compact_at is not None:
        raise ConfigurationError(
            "compact_context shortens what is sent, and with use_previous_response_id the endpoint keeps "
            "the conversation: leave out one of the two"
        )
    if inputs.api == "responses" and name != "generic" and not supports.responses:
        raise ConfigurationError(
            f"profile {name!r} has no Responses API: pass api='chat_completions', or a profile of your own "
            "that says otherwise"
        )

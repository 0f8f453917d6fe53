"""All traps, in the order in which the page and the report have them."""

from callagain.porting.design.model import Design
from callagain.porting.recognition.model import Recognition
from callagain.porting.report.model import FoundTrap
from callagain.porting.report.reading import read_design
from callagain.porting.report.trap import Trap
from callagain.porting.report.traps_of_dispatching import dispatcher_without_default
from callagain.porting.report.traps_of_javascript import newer_javascript
from callagain.porting.report.traps_of_json_paths import index_style_path, missing_path, undocumented_response
from callagain.porting.report.traps_of_json_texts import (
    object_as_text,
    quotes_escaped_only,
    quotes_trimmed,
    unescaped_text,
)
from callagain.porting.report.traps_of_messages import base_messages_changed, messages_not_replaced
from callagain.porting.report.traps_of_operations import (
    asynchronous_operation,
    failed_operation_unseen,
    nested_too_deep,
    raised_error,
)
from callagain.porting.report.traps_of_secrets import secret_in_log, secret_in_script, secret_to_enter
from callagain.porting.report.traps_of_the_loop import (
    limit_too_high,
    loop_without_limit,
    stale_final_response,
)
from callagain.porting.report.traps_of_tool_calls import (
    first_call_only,
    parallel_calls_not_forbidden,
    response_before_id,
)
from callagain.porting.report.traps_of_values import (
    boolean_as_text,
    null_comparison,
    string_compared_with_number,
)
from callagain.porting.report.traps_of_variables import (
    dotted_name_in_javascript,
    local_not_set,
    missing_key,
    names_that_clash,
)

TRAPS: tuple[Trap, ...] = (
    missing_path,
    index_style_path,
    undocumented_response,
    quotes_escaped_only,
    unescaped_text,
    quotes_trimmed,
    object_as_text,
    first_call_only,
    parallel_calls_not_forbidden,
    response_before_id,
    dispatcher_without_default,
    base_messages_changed,
    messages_not_replaced,
    stale_final_response,
    loop_without_limit,
    limit_too_high,
    failed_operation_unseen,
    asynchronous_operation,
    nested_too_deep,
    raised_error,
    null_comparison,
    string_compared_with_number,
    boolean_as_text,
    missing_key,
    local_not_set,
    names_that_clash,
    dotted_name_in_javascript,
    newer_javascript,
    secret_to_enter,
    secret_in_script,
    secret_in_log,
)
"""All of them, in the order of the page about traps."""


def find_traps(design: Design, recognition: Recognition) -> tuple[FoundTrap, ...]:
    """Every trap of a design, at all its places: trap by trap, and each in the order of the scripts.

    recognition says which variables play the parts of the guide's, where the design has names of its own, and
    which scripts became operations of a chain; without shapes, the guide's names count. A script that does
    not parse has no traps here; `unreadable_scripts` names it.
    """
    reading = read_design(design, recognition)
    return tuple(found for each in TRAPS for found in each.found_in(reading))

"""The scripts of the guide in Python."""

from callagain.porting.jitterbit import (
    State,
    Value,
    add,
    at_least,
    equals,
    json_parser,
    left,
    length,
    less,
    text,
)


# The script Initialize:
#
# | // Escape and build the base messages as a JSON array string
# | systemMsg = "{\"role\":\"system\",\"content\":\""
# |     + Replace($systemPrompt, "\"", "\\\"") + "\"}";
# | userMsg   = "{\"role\":\"user\",\"content\":\""
# |     + Replace($userMessage, "\"", "\\\"") + "\"}";
# |
# | $non_tool_messages_json = "[" + systemMsg + "," + userMsg + "]";
# |
# | // Build the full initial request body
# | $InAndOut = "{\"model\":\"gpt-4o\","
# |     + "\"messages\":[" + systemMsg + "," + userMsg + "],"
# |     + "\"tools\":" + $toolsJson + ","
# |     + "\"tool_choice\":\"auto\"}";
# |
# | // Initialize loop state
# | $tools_messages = "";
# | $tools_resp     = "";
# | $call_llm_again = false;
# | $loop_count     = 0;
def initialize(state: State) -> Value:
    """The script Initialize of the design.

    Reads systemPrompt, toolsJson, userMessage.
    Writes InAndOut, call_llm_again, loop_count, non_tool_messages_json, tools_messages, tools_resp.
    """
    # Escape and build the base messages as a JSON array string
    system_msg = '{"role":"system","content":"' + text(state["systemPrompt"]).replace('"', '\\"') + '"}'
    user_msg = '{"role":"user","content":"' + text(state["userMessage"]).replace('"', '\\"') + '"}'

    state["non_tool_messages_json"] = "[" + system_msg + "," + user_msg + "]"

    # Build the full initial request body
    state["InAndOut"] = add(
        '{"model":"gpt-4o",',
        '"messages":[',
        system_msg,
        ",",
        user_msg,
        "],",
        '"tools":',
        state["toolsJson"],
        ",",
        '"tool_choice":"auto"}',
    )

    # Initialize loop state
    state["tools_messages"] = ""
    state["tools_resp"] = ""
    state["call_llm_again"] = False
    state["loop_count"] = 0
    return 0


# The script Parse Response:
#
# | // Check whether the model selected a tool
# | toolCallsVal = GetJSONString($jitterbit.response, "/choices/0/message/tool_calls");
# | hasToolCalls  = (toolCallsVal != "null" && Length(toolCallsVal) > 2);
# |
# | If(hasToolCalls,
# |     $tool_call_id       = TrimChars(GetJSONString($jitterbit.response,
# |                               "/choices/0/message/tool_calls/0/id"), "\"");
# |     $function_name      = TrimChars(GetJSONString($jitterbit.response,
# |                               "/choices/0/message/tool_calls/0/function/name"), "\"");
# |     $function_arguments = GetJSONString($jitterbit.response,
# |                               "/choices/0/message/tool_calls/0/function/arguments");
# |     $tools_resp         = $jitterbit.response;
# |     $call_llm_again     = true;
# | ,
# |     $call_llm_again = false;
# |     $final_response = TrimChars(GetJSONString($jitterbit.response,
# |                           "/choices/0/message/content"), "\"");
# | );
def parse_response(state: State) -> Value:
    """The script Parse Response of the design.

    Reads jitterbit.response.
    Writes call_llm_again, final_response, function_arguments, function_name, tool_call_id, tools_resp.
    """
    # Check whether the model selected a tool
    tool_calls_val = state.get_json_string(state["jitterbit.response"], "/choices/0/message/tool_calls")
    has_tool_calls = tool_calls_val != "null" and len(tool_calls_val) > 2

    if has_tool_calls:
        state["tool_call_id"] = state.get_json_string(
            state["jitterbit.response"], "/choices/0/message/tool_calls/0/id"
        ).strip('"')
        state["function_name"] = state.get_json_string(
            state["jitterbit.response"], "/choices/0/message/tool_calls/0/function/name"
        ).strip('"')
        state["function_arguments"] = state.get_json_string(
            state["jitterbit.response"], "/choices/0/message/tool_calls/0/function/arguments"
        )
        state["tools_resp"] = state["jitterbit.response"]
        state["call_llm_again"] = True
        return True

    state["call_llm_again"] = False
    state["final_response"] = state.get_json_string(
        state["jitterbit.response"], "/choices/0/message/content"
    ).strip('"')
    return state["final_response"]


# The script Tool Dispatcher:
#
# | Case(
# |     $function_name == "get_order_status", RunOperation("<TAG>operation:Tool - Order Status</TAG>"),
# |     $function_name == "get_invoice", RunOperation("<TAG>operation:Tool - Invoice</TAG>"),
# |     true, $function_resp = "Unknown function: " + $function_name;
# | );
def tool_dispatcher(state: State) -> Value:
    """The script Tool Dispatcher of the design.

    Reads function_name.
    Writes function_resp.
    Runs Tool - Order Status, Tool - Invoice.
    """
    if equals(state["function_name"], "get_order_status"):
        return state.run_operation("Tool - Order Status")
    if equals(state["function_name"], "get_invoice"):
        return state.run_operation("Tool - Invoice")
    state["function_resp"] = add("Unknown function: ", state["function_name"])
    return state["function_resp"]


# The script Order Status:
#
# | arguments = JSONParser($function_arguments);
# | $function_resp = "Order " + arguments["order_id"] + " is \"shipped\"";
def order_status(state: State) -> Value:
    """The script Order Status of the design.

    Reads function_arguments.
    Writes function_resp.
    """
    arguments = json_parser(state["function_arguments"])
    state["function_resp"] = add("Order ", state.element(arguments, "order_id"), ' is "shipped"')
    return state["function_resp"]


# The script Append Tool Result:
#
# | // Extract the full assistant message object from the previous response
# | assistantMsgJson = GetJSONString($tools_resp, "/choices/0/message");
# |
# | // Build the tool result message
# | escapedResp = Replace($function_resp, "\"", "\\\"");
# | toolResultJson = "{\"role\":\"tool\",\"tool_call_id\":\""
# |     + $tool_call_id + "\",\"content\":\"" + escapedResp + "\"}";
# |
# | // Accumulate: start a new array or append to the existing one
# | If(Length($tools_messages) == 0,
# |     $tools_messages = "[" + assistantMsgJson + "," + toolResultJson + "]"
# | ,
# |     $tools_messages = Left($tools_messages, Length($tools_messages) - 1)
# |         + "," + assistantMsgJson + "," + toolResultJson + "]"
# | );
# |
# | // Rebuild the request by replacing the messages field
# | // (omitted: requires parsing and replacing the messages array in $InAndOut)
def append_tool_result(state: State) -> Value:
    """The script Append Tool Result of the design.

    Reads function_resp, tool_call_id, tools_messages, tools_resp.
    Writes tools_messages.
    """
    # Extract the full assistant message object from the previous response
    assistant_msg_json = state.get_json_string(state["tools_resp"], "/choices/0/message")

    # Build the tool result message
    escaped_resp = text(state["function_resp"]).replace('"', '\\"')
    tool_result_json = add(
        '{"role":"tool","tool_call_id":"', state["tool_call_id"], '","content":"', escaped_resp, '"}'
    )

    # Accumulate: start a new array or append to the existing one
    if length(state["tools_messages"]) == 0:
        state["tools_messages"] = add("[", assistant_msg_json, ",", tool_result_json, "]")
        return state["tools_messages"]

    state["tools_messages"] = add(
        left(state["tools_messages"], length(state["tools_messages"]) - 1),
        ",",
        assistant_msg_json,
        ",",
        tool_result_json,
        "]",
    )
    return state["tools_messages"]

    # Rebuild the request by replacing the messages field
    # (omitted: requires parsing and replacing the messages array in $InAndOut)


# The script Controller:
#
# | maxIterations = 5;
# |
# | // First LLM call (always runs before the loop)
# | RunOperation("<TAG>operation:LLM Call</TAG>");
# |
# | // Loop until the model returns a final response or the limit is reached
# | while($call_llm_again == true && $loop_count < maxIterations,
# |     $loop_count = $loop_count + 1;
# |     RunOperation("<TAG>operation:Tool Dispatcher</TAG>");
# |     RunScript("<TAG>script:Append Tool Result</TAG>");
# |     RunOperation("<TAG>operation:LLM Call</TAG>");
# | );
# |
# | If($loop_count >= maxIterations && $call_llm_again == true,
# |     WriteToOperationLog("Tool-calling loop reached " + maxIterations
# |         + " iterations without a final response. Last function: " + $function_name)
# | );
def controller(state: State) -> Value:
    """The script Controller of the design.

    Reads call_llm_again, function_name, loop_count.
    Writes loop_count.
    Runs LLM Call, Tool Dispatcher, Append Tool Result.
    """
    max_iterations = 5

    # First LLM call (always runs before the loop)
    state.run_operation("LLM Call")

    # Loop until the model returns a final response or the limit is reached
    iterations = state.iterations()
    while equals(state["call_llm_again"], True) and less(state["loop_count"], max_iterations):
        iterations.count()
        state["loop_count"] = add(state["loop_count"], 1)
        state.run_operation("Tool Dispatcher")
        state.run_script("Append Tool Result")
        state.run_operation("LLM Call")

    if at_least(state["loop_count"], max_iterations) and equals(state["call_llm_again"], True):
        return state.write_to_operation_log(
            add(
                "Tool-calling loop reached ",
                max_iterations,
                " iterations without a final response. Last function: ",
                state["function_name"],
            )
        )
    return None


# The script Log Messages:
#
# | WriteToOperationLog("tools_messages: " + $tools_messages);
def log_messages(state: State) -> Value:
    """The script Log Messages of the design.

    Reads tools_messages.
    """
    return state.write_to_operation_log(add("tools_messages: ", state["tools_messages"]))

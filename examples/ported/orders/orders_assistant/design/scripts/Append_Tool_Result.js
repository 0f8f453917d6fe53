<javascript>
// Append Tool Result: the assistant message that selected the tool, then the result of the tool
var tool_resp      = JSON.parse($tools_resp);
var prev_tool_msgs = $tools_messages ? JSON.parse($tools_messages) : [];
var base_msgs      = JSON.parse($non_tool_messages_json);

var assistant_msg = tool_resp.choices[0].message;

var tool_result_msg = {
    "role": "tool",
    "tool_call_id": $tool_call_id,
    "content": String($function_resp)
};

prev_tool_msgs.push(assistant_msg);
prev_tool_msgs.push(tool_result_msg);

// Base messages and all tool exchanges make the next request
var req = JSON.parse($InAndOut);
req["messages"] = base_msgs.concat(prev_tool_msgs);
$tools_messages = JSON.stringify(prev_tool_msgs);
$InAndOut = JSON.stringify(req);

WriteToOperationLog("Messages in the next request: " + req["messages"].length);
</javascript>

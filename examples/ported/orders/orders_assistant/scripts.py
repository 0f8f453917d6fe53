"""The scripts of the design as Python, each below its original."""

from callagain.porting.jitterbit import (
    State,
    Value,
    add,
    add_to_dict,
    divide,
    equals,
    has_key,
    if_empty,
    is_null,
    json_parser,
    json_stringify,
    length,
    trim,
)


# The script Find Order:
#
# | // Find Order: the order with the number _1 as JSON, or an empty string.
# | // The orders come from a project variable until the ERP connection is approved.
# | ArgumentList(orderId);
# |
# | orders = JSONParser($ordersJson);
# | found  = "";
# | i      = 0;
# | While(i < Length(orders),
# |     If(orders[i]["id"] == orderId, found = JSONStringify(orders[i]));
# |     i++;
# | );
# | found;
def find_order(state: State) -> Value:
    """The script Find Order of the design.

    Reads ordersJson.
    """
    # Find Order: the order with the number _1 as JSON, or an empty string.
    # The orders come from a project variable until the ERP connection is approved.
    order_id = state.argument(1)

    orders = json_parser(state["ordersJson"])
    found = ""
    i = 0
    iterations = state.iterations()
    while i < length(orders):
        iterations.count()
        if equals(state.element(orders, i, "id"), order_id):
            found = json_stringify(state.element(orders, i))
        i = i + 1
    return found


# The script Get Order Status:
#
# | // Tool get_order_status(order_id)
# | arguments = JSONParser($function_arguments);
# | orderId   = Trim(arguments["order_id"]);
# | order     = RunScript("<TAG>script:Find Order</TAG>", orderId);
# |
# | If(Length(order) == 0,
# |     $function_resp = "There is no order " + orderId + ".";
# | ,
# |     status  = GetJSONString(order, "/status");
# |     carrier = GetJSONString(order, "/shipment/carrier");
# |     $function_resp = "{\"order_id\":\"" + orderId + "\",\"status\":\"" + status + "\"";
# |     // Only a shipped order has a carrier
# |     If(carrier != "null",
# |         $function_resp = $function_resp + ",\"carrier\":\"" + carrier + "\"";
# |     );
# |     $function_resp = $function_resp + "}";
# | );
# | WriteToOperationLog("get_order_status: " + $function_resp);
def get_order_status(state: State) -> Value:
    """The script Get Order Status of the design.

    Reads function_arguments, function_resp.
    Writes function_resp.
    Runs Find Order.
    """
    # Tool get_order_status(order_id)
    arguments = json_parser(state["function_arguments"])
    order_id = trim(state.element(arguments, "order_id"))
    order = state.run_script("Find Order", order_id)

    if length(order) == 0:
        state["function_resp"] = "There is no order " + order_id + "."
    else:
        status = state.get_json_string(order, "/status")
        carrier = state.get_json_string(order, "/shipment/carrier")
        state["function_resp"] = '{"order_id":"' + order_id + '","status":"' + status + '"'
        # Only a shipped order has a carrier
        if carrier != "null":
            state["function_resp"] = add(state["function_resp"], ',"carrier":"', carrier, '"')
        state["function_resp"] = add(state["function_resp"], "}")
    return state.write_to_operation_log(add("get_order_status: ", state["function_resp"]))


# The script Get Delivery Date:
#
# | // Tool get_delivery_date(order_id, express)
# | arguments = JSONParser($function_arguments);
# | orderId   = Trim(arguments["order_id"]);
# | order     = RunScript("<TAG>script:Find Order</TAG>", orderId);
# |
# | // Days in transit by zone; express halves them
# | days = Dict();
# | AddToDict(days, "domestic", 2);
# | AddToDict(days, "europe", 4);
# | AddToDict(days, "overseas", 10);
# |
# | If(Length(order) == 0,
# |     $function_resp = "There is no order " + orderId + ".";
# | ,
# |     zone    = GetJSONString(order, "/zone");
# |     transit = If(HasKey(days, zone), days[zone], 14);
# |     If(HasKey(arguments, "express") && arguments["express"] == true,
# |         transit = transit / 2;
# |     );
# |     $function_resp = "Order " + orderId + " arrives " + transit + " days after "
# |         + GetJSONString(order, "/ordered") + " (" + zone + ").";
# | );
# | WriteToOperationLog("get_delivery_date: " + $function_resp);
def get_delivery_date(state: State) -> Value:
    """The script Get Delivery Date of the design.

    Reads function_arguments, function_resp.
    Writes function_resp.
    Runs Find Order.
    """
    # Tool get_delivery_date(order_id, express)
    arguments = json_parser(state["function_arguments"])
    order_id = trim(state.element(arguments, "order_id"))
    order = state.run_script("Find Order", order_id)

    # Days in transit by zone; express halves them
    days: dict[str, Value] = {}
    add_to_dict(days, "domestic", 2)
    add_to_dict(days, "europe", 4)
    add_to_dict(days, "overseas", 10)

    if length(order) == 0:
        state["function_resp"] = "There is no order " + order_id + "."
    else:
        zone = state.get_json_string(order, "/zone")
        transit: Value = state.element(days, zone) if zone in days else 14
        if has_key(arguments, "express") and equals(state.element(arguments, "express"), True):
            transit = divide(transit, 2)
        state["function_resp"] = add(
            add("Order ", order_id, " arrives ", transit, " days after "),
            state.get_json_string(order, "/ordered"),
            " (",
            zone,
            ").",
        )
    return state.write_to_operation_log(add("get_delivery_date: ", state["function_resp"]))


# The script Cancel Order:
#
# | // Tool cancel_order(order_id, reason)
# | arguments = JSONParser($function_arguments);
# | orderId   = Trim(arguments["order_id"]);
# | reason    = arguments["reason"];
# |
# | If(IsNull(reason) || Length(Trim(reason)) < 3,
# |     RaiseError("cancel_order: no reason given for order " + orderId);
# | );
# |
# | order  = RunScript("<TAG>script:Find Order</TAG>", orderId);
# | status = If(Length(order) == 0, "unknown", GetJSONString(order, "/status"));
# |
# | // What was cancelled in this run; the nightly job picks it up
# | If(IsNull($cancelledOrders), $cancelledOrders = Dict());
# |
# | $function_resp = Case(
# |     status == "unknown", "There is no order " + orderId + ".",
# |     status == "shipped", "Order " + orderId + " has been shipped and cannot be cancelled.",
# |     HasKey($cancelledOrders, orderId), "Order " + orderId + " was cancelled before.",
# |     true, AddToDict($cancelledOrders, orderId, reason);
# |           "Order " + orderId + " is cancelled. Reason: \"" + reason + "\""
# | );
# | WriteToOperationLog("cancel_order: " + $function_resp);
def cancel_order(state: State) -> Value:
    """The script Cancel Order of the design.

    Reads cancelledOrders, function_arguments, function_resp.
    Writes cancelledOrders, function_resp.
    Runs Find Order.
    """
    # Tool cancel_order(order_id, reason)
    arguments = json_parser(state["function_arguments"])
    order_id = trim(state.element(arguments, "order_id"))
    reason = state.element(arguments, "reason")

    if is_null(reason) or len(trim(reason)) < 3:
        raise state.error("cancel_order: no reason given for order " + order_id)

    order = state.run_script("Find Order", order_id)
    status = "unknown" if length(order) == 0 else state.get_json_string(order, "/status")

    # What was cancelled in this run; the nightly job picks it up
    if is_null(state["cancelledOrders"]):
        state["cancelledOrders"] = {}

    if equals(status, "unknown"):
        state["function_resp"] = "There is no order " + order_id + "."
    elif equals(status, "shipped"):
        state["function_resp"] = "Order " + order_id + " has been shipped and cannot be cancelled."
    elif has_key(state["cancelledOrders"], order_id):
        state["function_resp"] = "Order " + order_id + " was cancelled before."
    else:
        add_to_dict(state.dictionary("cancelledOrders"), order_id, reason)
        state["function_resp"] = add("Order ", order_id, ' is cancelled. Reason: "', reason, '"')
    return state.write_to_operation_log(add("cancel_order: ", state["function_resp"]))


# The script Send Answer:
#
# | // Send Answer: what the chat window shows
# | $chat_reply = If(IsNull($final_response) || Length($final_response) == 0,
# |     "I could not find an answer. A colleague will get back to you.",
# |     $final_response
# | );
# | WriteToOperationLog("Answer after " + $loop_count + " rounds: " + $chat_reply);
def send_answer(state: State) -> Value:
    """The script Send Answer of the design.

    Reads chat_reply, final_response, loop_count.
    Writes chat_reply.
    """
    # Send Answer: what the chat window shows
    state["chat_reply"] = (
        "I could not find an answer. A colleague will get back to you."
        if state["final_response"] is None or length(state["final_response"]) == 0
        else state["final_response"]
    )
    return state.write_to_operation_log(
        add("Answer after ", state["loop_count"], " rounds: ", state["chat_reply"])
    )


# The script Report Failure:
#
# | // Report Failure: runs if the assistant itself fails
# | WriteToOperationLog("Orders Assistant failed: " + $jitterbit.operation.previous.error);
# | $chat_reply = "The assistant is not available at the moment.";
def report_failure(state: State) -> Value:
    """The script Report Failure of the design.

    Reads jitterbit.operation.previous.error.
    Writes chat_reply.
    """
    # Report Failure: runs if the assistant itself fails
    state.write_to_operation_log(
        add("Orders Assistant failed: ", state["jitterbit.operation.previous.error"])
    )
    state["chat_reply"] = "The assistant is not available at the moment."
    return "The assistant is not available at the moment."


# The script Controller - before the loop:
#
# | WriteToOperationLog("Question of " + IfEmpty($customerName, "a guest") + ": " + $userMessage);
def controller_before_the_loop(state: State) -> Value:
    """The script Controller - before the loop of the design.

    Reads customerName, userMessage.
    """
    return state.write_to_operation_log(
        add("Question of ", if_empty(state["customerName"], "a guest"), ": ", state["userMessage"])
    )

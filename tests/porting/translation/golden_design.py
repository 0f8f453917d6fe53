"""Scripts as designs have them in Python."""

from callagain.porting.jitterbit import (
    ScriptError,
    State,
    Value,
    add,
    add_to_dict,
    greater,
    if_empty,
    increased,
    is_integer,
    is_null,
    json_parser,
    json_stringify,
    length,
    less,
    multiply,
    sort_array,
    text,
    to_double,
    to_int,
    trim,
    truth,
)


# The script Retry Controller:
#
# | <trans>
# | /* Retry controller:
# |  * runs the operation until it succeeds, or maxRetries is reached. */
# | $attempt = 0; $success = false;
# |
# | While(!$success && $attempt < $maxRetries,
# |     $attempt++;
# |     $success = RunOperation("<TAG>operation:Post Invoice</TAG>");
# |     If(!$success,
# |         WriteToOperationLog("Attempt " + $attempt + " of " + $maxRetries + " failed: " + GetLastError());
# |         // wait a little longer every time
# |         Sleep($attempt * 2);
# |     );
# | );
# |
# | If(!$success,
# |     RaiseError("Gave up after " + $attempt + " attempts"));
# | </trans>
def retry_controller(state: State) -> None:
    """The script Retry Controller of the design.

    Reads attempt, maxRetries, success.
    Writes attempt, success.
    Runs Post Invoice.
    """
    # Retry controller:
    # runs the operation until it succeeds, or maxRetries is reached.
    state["attempt"] = 0
    state["success"] = False

    iterations = state.iterations()
    while not truth(state["success"]) and less(state["attempt"], state["maxRetries"]):
        iterations.count()
        state["attempt"] = increased(state["attempt"])
        state["success"] = state.run_operation("Post Invoice")
        if not truth(state["success"]):
            state.write_to_operation_log(
                add(
                    "Attempt ",
                    state["attempt"],
                    " of ",
                    state["maxRetries"],
                    " failed: ",
                    state.get_last_error(),
                )
            )
            # wait a little longer every time
            state.sleep(multiply(state["attempt"], 2))

    if not truth(state["success"]):
        raise state.error(add("Gave up after ", state["attempt"], " attempts"))


# The script CollectNames:
#
# | // The names of all orders, sorted, as one line
# | orders = JSONParser($orders_json)["orders"];
# | names = Array();
# | count = Length(orders); i = 0;
# | While(i < count,
# |     order = orders[i];
# |     name = IfEmpty(order["name"], "order " + (i + 1));
# |     names[-1] = If(Length(name) > 20, Left(name, 20) + "…", name);
# |     i++;
# | );
# | SortArray(names);
# |
# | line = ""; i = 0;
# | While(i < Length(names),
# |     If(i > 0, line += ", ");
# |     line += names[i];
# |     i = i + 1;
# | );
# | $names = line;
# | Length(names)
def collect_names(state: State) -> Value:
    """The script CollectNames of the design.

    Reads orders_json.
    Writes names.
    """
    # The names of all orders, sorted, as one line
    orders = state.element(json_parser(state["orders_json"]), "orders")
    names: list[Value] = []
    count = length(orders)
    i = 0
    iterations = state.iterations()
    while i < count:
        iterations.count()
        order = state.element(orders, i)
        name = if_empty(state.element(order, "name"), "order " + str(i + 1))
        names.append(text(name)[:20] + "…" if length(name) > 20 else name)
        i = i + 1
    sort_array(names)

    line: Value = ""
    i = 0
    iterations_2 = state.iterations()
    while i < len(names):
        iterations_2.count()
        if i > 0:
            line = add(line, ", ")
        line = add(line, state.element(names, i))
        i = i + 1
    state["names"] = line
    return len(names)


# The script Utility - Check Arguments:
#
# | ArgumentList(orderId, quantity);
# |
# | id = Trim(orderId);
# | If(id == "" || !IsInteger(id), RaiseError("orderId is missing"));
# |
# | amount = Eval(Double(quantity) * Int($unit_price), 0);
# | details = Dict();
# | details["id"] = id;
# | details["amount"] = amount;
# | AddToDict($checked, id, details);
# | If(IsNull($customer), $customer = "unknown");
# | status = Case(amount > 1000, "large", amount > 0, "normal", true, "empty");
# | $log_line = id + ": " + status + ", " + Length($checked);
# | JSONStringify(details)
def utility_check_arguments(state: State) -> Value:
    """The script Utility - Check Arguments of the design.

    Reads checked, customer, unit_price.
    Writes checked, customer, log_line.
    """
    order_id = state.argument(1)
    quantity = state.argument(2)

    id_ = trim(order_id)
    if id_ == "" or not is_integer(id_):
        raise state.error("orderId is missing")

    try:
        amount: Value = multiply(to_double(quantity), to_int(state["unit_price"]))
    except ScriptError as error:
        state.catch(error)
        amount = 0
    details: dict[str, Value] = {}
    details["id"] = id_
    details["amount"] = amount
    add_to_dict(state.dictionary("checked"), id_, details)
    if is_null(state["customer"]):
        state["customer"] = "unknown"
    status = "large" if greater(amount, 1000) else "normal" if greater(amount, 0) else "empty"
    state["log_line"] = id_ + ": " + status + ", " + str(length(state["checked"]))
    return json_stringify(details)

"""Scripts to be translated, by the names that a design gives them: those of the guide, and others."""

from tests.porting.script import guide_scripts

SCRIPTS = {
    "Initialize": guide_scripts.INITIALIZE,
    "Parse Response": guide_scripts.PARSE_RESPONSE,
    "Tool Dispatcher": guide_scripts.DISPATCHER,
    "Order Status": guide_scripts.ORDER_STATUS,
    "Append Tool Result": guide_scripts.APPEND_BY_STRINGS,
    "Controller": guide_scripts.CONTROLLER,
    "Log Messages": guide_scripts.LOG_MESSAGES,
}

RETRY = r"""<trans>
/* Retry controller:
 * runs the operation until it succeeds, or maxRetries is reached. */
$attempt = 0; $success = false;

While(!$success && $attempt < $maxRetries,
    $attempt++;
    $success = RunOperation("<TAG>operation:Post Invoice</TAG>");
    If(!$success,
        WriteToOperationLog("Attempt " + $attempt + " of " + $maxRetries + " failed: " + GetLastError());
        // wait a little longer every time
        Sleep($attempt * 2);
    );
);

If(!$success,
    RaiseError("Gave up after " + $attempt + " attempts"));
</trans>"""

COLLECT_NAMES = r"""// The names of all orders, sorted, as one line
orders = JSONParser($orders_json)["orders"];
names = Array();
count = Length(orders); i = 0;
While(i < count,
    order = orders[i];
    name = IfEmpty(order["name"], "order " + (i + 1));
    names[-1] = If(Length(name) > 20, Left(name, 20) + "…", name);
    i++;
);
SortArray(names);

line = ""; i = 0;
While(i < Length(names),
    If(i > 0, line += ", ");
    line += names[i];
    i = i + 1;
);
$names = line;
Length(names)
"""

CHECK_ARGUMENTS = r"""ArgumentList(orderId, quantity);

id = Trim(orderId);
If(id == "" || !IsInteger(id), RaiseError("orderId is missing"));

amount = Eval(Double(quantity) * Int($unit_price), 0);
details = Dict();
details["id"] = id;
details["amount"] = amount;
AddToDict($checked, id, details);
If(IsNull($customer), $customer = "unknown");
status = Case(amount > 1000, "large", amount > 0, "normal", true, "empty");
$log_line = id + ": " + status + ", " + Length($checked);
JSONStringify(details)
"""

DESIGN_SCRIPTS = {
    "Retry Controller": RETRY,
    "CollectNames": COLLECT_NAMES,
    "Utility - Check Arguments": CHECK_ARGUMENTS,
}

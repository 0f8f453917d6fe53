"""The scripts of the design as Python, each below its original."""

from callagain.porting.jitterbit import (
    State,
    Value,
    add,
    equals,
    greater,
    has_key,
    if_null,
    index,
    is_null,
    json_parser,
    l_pad_char,
    length,
    subtract,
    to_double,
    to_lower,
    to_string,
    trim,
)


# The script Tool - Find Employee:
#
# | // Tool find_employee(name): part of a name is enough
# | args   = JSONParser($tool.args);
# | wanted = ToLower(Trim(args["name"]));
# |
# | people = JSONParser($hr.directory);
# | hits = 0;
# | list = "";
# | i = 0;
# | While(i < Length(people),
# |     If(Index(ToLower(people[i]["name"]), wanted) >= 0,
# |         hits++;
# |         list += If(hits > 1, ",", "")
# |             + "{\"employee_id\":\"" + people[i]["id"] + "\",\"name\":\"" + people[i]["name"] + "\"}";
# |     );
# |     i++;
# | );
# | $tool.result = If(hits == 0, "Nobody is called " + args["name"] + ".", "[" + list + "]");
def tool_find_employee(state: State) -> Value:
    """The script Tool - Find Employee of the design.

    Reads hr.directory, tool.args.
    Writes tool.result.
    """
    # Tool find_employee(name): part of a name is enough
    args = json_parser(state["tool.args"])
    wanted = to_lower(trim(state.element(args, "name")))

    people = json_parser(state["hr.directory"])
    hits = 0
    list_: Value = ""
    i = 0
    iterations = state.iterations()
    while i < length(people):
        iterations.count()
        if index(to_lower(state.element(people, i, "name")), wanted) >= 0:
            hits = hits + 1
            list_ = add(
                list_,
                add(
                    add(
                        "," if hits > 1 else "",
                        '{"employee_id":"',
                        state.element(people, i, "id"),
                        '","name":"',
                    ),
                    state.element(people, i, "name"),
                    '"}',
                ),
            )
        i = i + 1
    state["tool.result"] = (
        add("Nobody is called ", state.element(args, "name"), ".")
        if equals(hits, 0)
        else add("[", list_, "]")
    )
    return state["tool.result"]


# The script Tool - Time Off Balance:
#
# | // Tool get_time_off_balance(employee_id)
# | args = JSONParser($tool.args);
# | id   = args["employee_id"];
# |
# | // From BambooHR in production, from a dictionary here
# | entitled = Dict();
# | entitled["E-1007"] = 30;
# | entitled["E-1012"] = 28;
# | taken = Dict();
# | taken["E-1007"] = 12.5;
# |
# | If(!HasKey(entitled, id),
# |     $tool.result = "There is no employee " + id + "."
# | ,
# |     days = entitled[id] - IfNull(taken[id], 0);
# |     $time_off.days = days;
# |     $tool.result = "{\"employee_id\":\"" + id + "\",\"days_left\":" + days + "}";
# | );
# | WriteToOperationLog("[HR] balance of " + id + ": " + $tool.result);
def tool_time_off_balance(state: State) -> Value:
    """The script Tool - Time Off Balance of the design.

    Reads tool.args, tool.result.
    Writes time_off.days, tool.result.
    """
    # Tool get_time_off_balance(employee_id)
    args = json_parser(state["tool.args"])
    id_ = state.element(args, "employee_id")

    # From BambooHR in production, from a dictionary here
    entitled: dict[str, Value] = {}
    entitled["E-1007"] = 30
    entitled["E-1012"] = 28
    taken: dict[str, Value] = {}
    taken["E-1007"] = 12.5

    if not has_key(entitled, id_):
        state["tool.result"] = add("There is no employee ", id_, ".")
    else:
        days = subtract(state.element(entitled, id_), if_null(state.element(taken, id_), 0))
        state["time_off.days"] = days
        state["tool.result"] = add('{"employee_id":"', id_, '","days_left":', days, "}")
    return state.write_to_operation_log(add("[HR] balance of ", id_, ": ", state["tool.result"]))


# The script Tool - Request Time Off:
#
# | // Tool request_time_off(employee_id, from, days)
# | args = JSONParser($tool.args);
# | days = Double(args["days"]);
# |
# | If(days <= 0, RaiseError("request_time_off: days must be more than 0"));
# |
# | // $time_off.days is what get_time_off_balance found
# | If(IsNull($time_off.days) || days > $time_off.days,
# |     $tool.result = "Refused: only " + IfNull($time_off.days, 0) + " days are left."
# | ,
# |     $time_off.days -= days;
# |     $hr.requests = IfNull($hr.requests, 0) + 1;
# |     number = "TO-" + LPadChar(String($hr.requests), "0", 4);
# |     $tool.result = "Request \"" + number + "\" for " + days + " days from " + args["from"]
# |         + " is with the manager.";
# | );
# | WriteToOperationLog("[HR] " + $tool.result);
def tool_request_time_off(state: State) -> Value:
    """The script Tool - Request Time Off of the design.

    Reads hr.requests, time_off.days, tool.args, tool.result.
    Writes hr.requests, time_off.days, tool.result.
    """
    # Tool request_time_off(employee_id, from, days)
    args = json_parser(state["tool.args"])
    days = to_double(state.element(args, "days"))

    if days <= 0:
        raise state.error("request_time_off: days must be more than 0")

    # $time_off.days is what get_time_off_balance found
    if is_null(state["time_off.days"]) or greater(days, state["time_off.days"]):
        state["tool.result"] = add("Refused: only ", if_null(state["time_off.days"], 0), " days are left.")
    else:
        state["time_off.days"] = subtract(state["time_off.days"], days)
        state["hr.requests"] = add(if_null(state["hr.requests"], 0), 1)
        number = "TO-" + l_pad_char(to_string(state["hr.requests"]), "0", 4)
        state["tool.result"] = add(
            'Request "',
            number,
            '" for ',
            days,
            " days from ",
            state.element(args, "from"),
            " is with the manager.",
        )
    return state.write_to_operation_log(add("[HR] ", state["tool.result"]))


# The script HR - Sorry:
#
# | // HR - Sorry: On Fail of the logic
# | $hr.answer = "HR is not available at the moment.";
# | WriteToOperationLog("[HR] failed: " + $jitterbit.operation.previous.error);
def hr_sorry(state: State) -> Value:
    """The script HR - Sorry of the design.

    Reads jitterbit.operation.previous.error.
    Writes hr.answer.
    """
    # HR - Sorry: On Fail of the logic
    state["hr.answer"] = "HR is not available at the moment."
    return state.write_to_operation_log(add("[HR] failed: ", state["jitterbit.operation.previous.error"]))

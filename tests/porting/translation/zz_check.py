"""All."""

from callagain.porting.jitterbit import (
    ScriptError,
    State,
    Value,
    add,
    add_to_dict,
    at_least,
    at_most,
    base64_decode,
    binary_to_hex,
    binary_to_uuid,
    ceiling,
    collect_values,
    compare,
    count_sub_string,
    cvt_date,
    d_quote,
    date_add,
    day_of_month,
    day_of_week,
    decreased,
    differs,
    divide,
    equal,
    equals,
    exp,
    floor,
    format_date,
    format_value,
    general_date,
    get_keys,
    greater,
    has_key,
    hex_to_binary,
    hex_to_string,
    if_empty,
    if_null,
    in_list,
    increased,
    index,
    is_empty,
    is_integer,
    is_null,
    is_valid_string,
    json_parser,
    json_stringify,
    l_pad,
    l_pad_char,
    l_trim,
    last_day_of_month,
    left,
    length,
    less,
    log,
    log10,
    long_date,
    long_time,
    map_cache,
    md5,
    medium_date,
    medium_time,
    mid,
    minus,
    mod,
    month_of_year,
    multiply,
    negate,
    parse_url,
    pow_,
    power,
    quote,
    r_pad,
    r_pad_char,
    r_trim,
    read_array_string,
    reduce_dimension,
    reg_ex_replace,
    remove_key,
    replace,
    right,
    round_,
    round_to_int,
    sha256,
    short_date,
    short_time,
    sort_array,
    split,
    split_csv,
    sqrt,
    string_length,
    string_to_hex,
    subtract,
    text,
    to_date,
    to_double,
    to_float,
    to_int,
    to_long,
    to_lower,
    to_proper,
    to_string,
    to_upper,
    trim,
    trim_chars,
    truncate,
    truth,
    url_decode,
    url_encode,
    uuid_to_binary,
)


# The script Sample 0:
#
# | If(1 == 1, 'yes', 'no')
def sample_0(_state: State) -> Value:
    """The script Sample 0 of the design."""
    if equals(1, 1):
        return "yes"
    return "no"


# The script Sample 1:
#
# | If(false, 'yes', 'no')
def sample_1(_state: State) -> Value:
    """The script Sample 1 of the design."""
    return "no"


# The script Sample 2:
#
# | If(false, 'yes')
def sample_2(_state: State) -> None:
    """The script Sample 2 of the design."""
    pass


# The script Sample 3:
#
# | If('0', 1, 2)
def sample_3(_state: State) -> Value:
    """The script Sample 3 of the design."""
    if truth("0"):
        return 1
    return 2


# The script Sample 4:
#
# | If('0.5', 1, 2)
def sample_4(_state: State) -> Value:
    """The script Sample 4 of the design."""
    if truth("0.5"):
        return 1
    return 2


# The script Sample 5:
#
# | If('TRUE', 1, 2)
def sample_5(_state: State) -> Value:
    """The script Sample 5 of the design."""
    if truth("TRUE"):
        return 1
    return 2


# The script Sample 6:
#
# | If('no', 1, 2)
def sample_6(_state: State) -> Value:
    """The script Sample 6 of the design."""
    if truth("no"):
        return 1
    return 2


# The script Sample 7:
#
# | If('', 1, 2)
def sample_7(_state: State) -> Value:
    """The script Sample 7 of the design."""
    if truth(""):
        return 1
    return 2


# The script Sample 8:
#
# | If($never, 1, 2)
def sample_8(state: State) -> Value:
    """The script Sample 8 of the design.

    Reads never.
    """
    if truth(state["never"]):
        return 1
    return 2


# The script Sample 9:
#
# | IF(true, $a = 1; $b = 2; , $c = 3;); $a + $b
def sample_9(state: State) -> Value:
    """The script Sample 9 of the design.

    Reads a, b.
    Writes a, b.
    """
    state["a"] = 1
    state["b"] = 2
    return add(state["a"], state["b"])


# The script Sample 10:
#
# | If(true, , 1)
def sample_10(_state: State) -> None:
    """The script Sample 10 of the design."""
    pass


# The script Sample 11:
#
# | If(true, 1, 1 / 0)
def sample_11(_state: State) -> Value:
    """The script Sample 11 of the design."""
    return 1


# The script Sample 12:
#
# | If({}, 1, 2)
def sample_12(_state: State) -> Value:
    """The script Sample 12 of the design."""
    if truth([]):
        return 1
    return 2


# The script Sample 14:
#
# | Case(1 == 2, 'a', 1 == 1, 'b', true, 'c')
def sample_14(_state: State) -> Value:
    """The script Sample 14 of the design."""
    if equals(1, 2):
        return "a"
    if equals(1, 1):
        return "b"
    return "c"


# The script Sample 15:
#
# | Case(false, 1)
def sample_15(_state: State) -> None:
    """The script Sample 15 of the design."""
    pass


# The script Sample 16:
#
# | Case(false, 1, true, 2)
def sample_16(_state: State) -> Value:
    """The script Sample 16 of the design."""
    return 2


# The script Sample 17:
#
# | Case(true, 1, 1 / 0, 2)
def sample_17(_state: State) -> Value:
    """The script Sample 17 of the design."""
    return 1


# The script Sample 18:
#
# | Case(false, 1 / 0, true, $x = 1; 'done')
def sample_18(state: State) -> Value:
    """The script Sample 18 of the design.

    Writes x.
    """
    state["x"] = 1
    return "done"


# The script Sample 20:
#
# | i = 0; While(i < 3, i++); i
def sample_20(state: State) -> Value:
    """The script Sample 20 of the design."""
    i = 0
    iterations = state.iterations()
    while i < 3:
        iterations.count()
        i = i + 1
    return i


# The script Sample 21:
#
# | i = 0; While(i < 3, i++)
def sample_21(state: State) -> None:
    """The script Sample 21 of the design."""
    i = 0
    iterations = state.iterations()
    while i < 3:
        iterations.count()
        i = i + 1


# The script Sample 22:
#
# | s = ''; i = 0; while(i < 3, s = s + i; i = i + 1;); s
def sample_22(state: State) -> Value:
    """The script Sample 22 of the design."""
    s: Value = ""
    i = 0
    iterations = state.iterations()
    while i < 3:
        iterations.count()
        s = add(s, i)
        i = i + 1
    return s


# The script Sample 23:
#
# | $jitterbit.scripting.while.max_iterations = 10; While(true, $i++)
def sample_23(state: State) -> None:
    """The script Sample 23 of the design.

    Reads i.
    Writes i, jitterbit.scripting.while.max_iterations.
    """
    state["jitterbit.scripting.while.max_iterations"] = 10
    iterations = state.iterations()
    while True:
        iterations.count()
        state["i"] = increased(state["i"])


# The script Sample 24:
#
# | $i = 0; $jitterbit.scripting.while.max_iterations = 10; While(true, $i++)
def sample_24(state: State) -> None:
    """The script Sample 24 of the design.

    Reads i.
    Writes i, jitterbit.scripting.while.max_iterations.
    """
    state["i"] = 0
    state["jitterbit.scripting.while.max_iterations"] = 10
    iterations = state.iterations()
    while True:
        iterations.count()
        state["i"] = increased(state["i"])


# The script Sample 25:
#
# | $i = 0; $jitterbit.scripting.while.max_iterations = 10; While($i < 10, $i++); $i
def sample_25(state: State) -> Value:
    """The script Sample 25 of the design.

    Reads i.
    Writes i, jitterbit.scripting.while.max_iterations.
    """
    state["i"] = 0
    state["jitterbit.scripting.while.max_iterations"] = 10
    iterations = state.iterations()
    while less(state["i"], 10):
        iterations.count()
        state["i"] = increased(state["i"])
    return state["i"]


# The script Sample 26:
#
# | Equal({1, 2}, {1, 2})
def sample_26(_state: State) -> Value:
    """The script Sample 26 of the design."""
    return equal([1, 2], [1, 2])


# The script Sample 27:
#
# | Equal({1, {2, 3}}, {1, {2, '3'}})
def sample_27(_state: State) -> Value:
    """The script Sample 27 of the design."""
    return equal([1, [2, 3]], [1, [2, "3"]])


# The script Sample 28:
#
# | Equal({1, 2}, {1})
def sample_28(_state: State) -> Value:
    """The script Sample 28 of the design."""
    return equal([1, 2], [1])


# The script Sample 29:
#
# | Equal(0, '')
def sample_29(_state: State) -> Value:
    """The script Sample 29 of the design."""
    return equal(0, "")


# The script Sample 30:
#
# | Equal(Null(), Null())
def sample_30(_state: State) -> Value:
    """The script Sample 30 of the design."""
    return equal(None, None)


# The script Sample 31:
#
# | Equal({1}, 1)
def sample_31(_state: State) -> Value:
    """The script Sample 31 of the design."""
    return equal([1], 1)


# The script Sample 32:
#
# | a = Dict(); a['x'] = 1; b = Dict(); b['x'] = '1'; Equal(a, b)
def sample_32(_state: State) -> Value:
    """The script Sample 32 of the design."""
    a: dict[str, Value] = {}
    a["x"] = 1
    b: dict[str, Value] = {}
    b["x"] = "1"
    return equal(a, b)


# The script Sample 33:
#
# | ArgumentList(a, b); IsNull(a) && IsNull(b)
def sample_33(state: State) -> Value:
    """The script Sample 33 of the design."""
    a = state.argument(1)
    b = state.argument(2)
    return is_null(a) and is_null(b)


# The script Sample 34:
#
# | ArgumentList(a)
def sample_34(_state: State) -> None:
    """The script Sample 34 of the design."""
    pass


# The script Sample 36:
#
# | CancelOperationChain('enough')
def sample_36(state: State) -> None:
    """The script Sample 36 of the design."""
    state.cancel_operation_chain("enough")


# The script Sample 37:
#
# | Eval(1 / 0, 'caught')
def sample_37(state: State) -> Value:
    """The script Sample 37 of the design."""
    try:
        return divide(1, 0)
    except ScriptError as error:
        state.catch(error)
        return "caught"


# The script Sample 38:
#
# | Eval(5, 'caught')
def sample_38(state: State) -> Value:
    """The script Sample 38 of the design."""
    try:
        return 5
    except ScriptError as error:
        state.catch(error)
        return "caught"


# The script Sample 39:
#
# | Eval(RaiseError('boom'), 'caught')
def sample_39(state: State) -> Value:
    """The script Sample 39 of the design."""
    try:
        raise state.error("boom")
    except ScriptError as error:
        state.catch(error)
        return "caught"


# The script Sample 40:
#
# | Eval(RaiseError('boom'), ''); GetLastError()
def sample_40(state: State) -> Value:
    """The script Sample 40 of the design."""
    try:
        raise state.error("boom")
    except ScriptError as error:
        state.catch(error)
    return state.get_last_error()


# The script Sample 41:
#
# | Eval(1, $n = 1); IsNull($n)
def sample_41(state: State) -> Value:
    """The script Sample 41 of the design.

    Reads n.
    Writes n.
    """
    return is_null(state["n"])


# The script Sample 43:
#
# | $a = 5; Get('a')
def sample_43(state: State) -> Value:
    """The script Sample 43 of the design.

    Reads a.
    Writes a.
    """
    state["a"] = 5
    return state["a"]


# The script Sample 44:
#
# | $a.b = 5; Get('a.b')
def sample_44(state: State) -> Value:
    """The script Sample 44 of the design.

    Reads a.b.
    Writes a.b.
    """
    state["a.b"] = 5
    return state["a.b"]


# The script Sample 45:
#
# | Get('never')
def sample_45(state: State) -> Value:
    """The script Sample 45 of the design.

    Reads never.
    """
    return state["never"]


# The script Sample 46:
#
# | $a = {1, {2, 3}}; Get('a', 1, 0)
def sample_46(state: State) -> Value:
    """The script Sample 46 of the design.

    Reads a.
    Writes a.
    """
    state["a"] = [1, [2, 3]]
    return state.get("a", 1, 0)


# The script Sample 47:
#
# | $a = {1, 2}; Get($a, 1)
def sample_47(state: State) -> Value:
    """The script Sample 47 of the design.

    Reads a.
    Writes a.
    """
    state["a"] = [1, 2]
    return state.get(state["a"], 1)


# The script Sample 48:
#
# | $a = {1, 2}; Get('a', 2)
def sample_48(state: State) -> Value:
    """The script Sample 48 of the design.

    Reads a.
    Writes a.
    """
    state["a"] = [1, 2]
    return state.get("a", 2)


# The script Sample 49:
#
# | Get(1)
def sample_49(state: State) -> Value:
    """The script Sample 49 of the design."""
    return state.get(1)


# The script Sample 50:
#
# | $order.id = 1; GetName($order.id)
def sample_50(state: State) -> Value:
    """The script Sample 50 of the design.

    Writes order.id.
    """
    state["order.id"] = 1
    return "order.id"


# The script Sample 51:
#
# | GetName(1 + 1)
def sample_51(_state: State) -> Value:
    """The script Sample 51 of the design."""
    return ""


# The script Sample 52:
#
# | Length(GUID())
def sample_52(state: State) -> Value:
    """The script Sample 52 of the design."""
    return len(state.guid())


# The script Sample 53:
#
# | Mid(GUID(), 14, 1)
def sample_53(state: State) -> Value:
    """The script Sample 53 of the design."""
    return mid(state.guid(), 14, 1)


# The script Sample 54:
#
# | IfEmpty('', 'd')
def sample_54(_state: State) -> Value:
    """The script Sample 54 of the design."""
    return if_empty("", "d")


# The script Sample 55:
#
# | IfEmpty(Null(), 'd')
def sample_55(_state: State) -> Value:
    """The script Sample 55 of the design."""
    return if_empty(None, "d")


# The script Sample 56:
#
# | IfEmpty('x', 1 / 0)
def sample_56(_state: State) -> Value:
    """The script Sample 56 of the design."""
    value: Value = "x"
    if is_empty(value):
        value = divide(1, 0)
    return value


# The script Sample 57:
#
# | IfEmpty(0, 'd')
def sample_57(_state: State) -> Value:
    """The script Sample 57 of the design."""
    return if_empty(0, "d")


# The script Sample 58:
#
# | IfEmpty({}, 'd')
def sample_58(_state: State) -> Value:
    """The script Sample 58 of the design."""
    return if_empty([], "d")


# The script Sample 59:
#
# | IfNull($never, 'd')
def sample_59(state: State) -> Value:
    """The script Sample 59 of the design.

    Reads never.
    """
    return if_null(state["never"], "d")


# The script Sample 60:
#
# | IfNull('', 1 / 0)
def sample_60(_state: State) -> Value:
    """The script Sample 60 of the design."""
    value: Value = ""
    if is_null(value):
        value = divide(1, 0)
    return value


# The script Sample 61:
#
# | InList('b', 'a', 'b', 'b')
def sample_61(_state: State) -> Value:
    """The script Sample 61 of the design."""
    return in_list("b", "a", "b", "b")


# The script Sample 62:
#
# | InList('x', 'a')
def sample_62(_state: State) -> Value:
    """The script Sample 62 of the design."""
    return in_list("x", "a")


# The script Sample 63:
#
# | InList('x')
def sample_63(_state: State) -> Value:
    """The script Sample 63 of the design."""
    return in_list("x")


# The script Sample 64:
#
# | InList(1, '2', '1')
def sample_64(_state: State) -> Value:
    """The script Sample 64 of the design."""
    return in_list(1, "2", "1")


# The script Sample 65:
#
# | IsInteger(5)
def sample_65(_state: State) -> Value:
    """The script Sample 65 of the design."""
    return is_integer(5)


# The script Sample 66:
#
# | IsInteger(5.0)
def sample_66(_state: State) -> Value:
    """The script Sample 66 of the design."""
    return is_integer(5)


# The script Sample 67:
#
# | IsInteger(5.5)
def sample_67(_state: State) -> Value:
    """The script Sample 67 of the design."""
    return is_integer(5.5)


# The script Sample 68:
#
# | IsInteger('5')
def sample_68(_state: State) -> Value:
    """The script Sample 68 of the design."""
    return is_integer("5")


# The script Sample 69:
#
# | IsInteger('-5')
def sample_69(_state: State) -> Value:
    """The script Sample 69 of the design."""
    return is_integer("-5")


# The script Sample 70:
#
# | IsInteger('5.5')
def sample_70(_state: State) -> Value:
    """The script Sample 70 of the design."""
    return is_integer("5.5")


# The script Sample 71:
#
# | IsInteger(Null())
def sample_71(_state: State) -> Value:
    """The script Sample 71 of the design."""
    return is_integer(None)


# The script Sample 72:
#
# | IsInteger(true)
def sample_72(_state: State) -> Value:
    """The script Sample 72 of the design."""
    return is_integer(True)


# The script Sample 73:
#
# | IsNull(Null())
def sample_73(_state: State) -> Value:
    """The script Sample 73 of the design."""
    return is_null(None)


# The script Sample 74:
#
# | IsNull($never)
def sample_74(state: State) -> Value:
    """The script Sample 74 of the design.

    Reads never.
    """
    return state["never"] is None


# The script Sample 75:
#
# | IsNull('')
def sample_75(_state: State) -> Value:
    """The script Sample 75 of the design."""
    return is_null("")


# The script Sample 76:
#
# | IsNull(0)
def sample_76(_state: State) -> Value:
    """The script Sample 76 of the design."""
    return is_null(0)


# The script Sample 77:
#
# | IsValid(1 / 0)
def sample_77(state: State) -> Value:
    """The script Sample 77 of the design."""
    try:
        divide(1, 0)
        return True
    except ScriptError as error:
        state.catch(error)
        return False


# The script Sample 78:
#
# | IsValid(1)
def sample_78(state: State) -> Value:
    """The script Sample 78 of the design."""
    try:
        return True
    except ScriptError as error:
        state.catch(error)
        return False


# The script Sample 79:
#
# | IsValid(1 / 0); GetLastError()
def sample_79(state: State) -> Value:
    """The script Sample 79 of the design."""
    try:
        divide(1, 0)
    except ScriptError as error:
        state.catch(error)
    return state.get_last_error()


# The script Sample 80:
#
# | Length('abc')
def sample_80(_state: State) -> Value:
    """The script Sample 80 of the design."""
    return len("abc")


# The script Sample 81:
#
# | Length('añ😀')
def sample_81(_state: State) -> Value:
    """The script Sample 81 of the design."""
    return len("añ😀")


# The script Sample 82:
#
# | Length({1, 2})
def sample_82(_state: State) -> Value:
    """The script Sample 82 of the design."""
    return len([1, 2])


# The script Sample 83:
#
# | Length(Null())
def sample_83(_state: State) -> Value:
    """The script Sample 83 of the design."""
    return length(None)


# The script Sample 84:
#
# | Length(12.50)
def sample_84(_state: State) -> Value:
    """The script Sample 84 of the design."""
    return length(12.5)


# The script Sample 85:
#
# | Length(true)
def sample_85(_state: State) -> Value:
    """The script Sample 85 of the design."""
    return length(True)


# The script Sample 86:
#
# | Length(HexToBinary('00ff'))
def sample_86(_state: State) -> Value:
    """The script Sample 86 of the design."""
    return length(hex_to_binary("00ff"))


# The script Sample 87:
#
# | Null()
def sample_87(_state: State) -> None:
    """The script Sample 87 of the design."""
    pass


# The script Sample 88:
#
# | Null() == Null()
def sample_88(_state: State) -> Value:
    """The script Sample 88 of the design."""
    return equals(None, None)


# The script Sample 89:
#
# | Null() != Null()
def sample_89(_state: State) -> Value:
    """The script Sample 89 of the design."""
    return differs(None, None)


# The script Sample 90:
#
# | 'a' + Null()
def sample_90(_state: State) -> Value:
    """The script Sample 90 of the design."""
    return add("a", None)


# The script Sample 91:
#
# | Random(3, 3)
def sample_91(state: State) -> Value:
    """The script Sample 91 of the design."""
    return state.random(3, 3)


# The script Sample 92:
#
# | r = Random(1, 6); r >= 1 && r <= 6
def sample_92(state: State) -> Value:
    """The script Sample 92 of the design."""
    r = state.random(1, 6)
    return r >= 1 and r <= 6


# The script Sample 93:
#
# | Random(2, 1)
def sample_93(state: State) -> Value:
    """The script Sample 93 of the design."""
    return state.random(2, 1)


# The script Sample 94:
#
# | Length(RandomString(12))
def sample_94(state: State) -> Value:
    """The script Sample 94 of the design."""
    return len(state.random_string(12))


# The script Sample 95:
#
# | RandomString(3, 'a')
def sample_95(state: State) -> Value:
    """The script Sample 95 of the design."""
    return state.random_string(3, "a")


# The script Sample 96:
#
# | RandomString(0)
def sample_96(state: State) -> Value:
    """The script Sample 96 of the design."""
    return state.random_string(0)


# The script Sample 97:
#
# | RandomString(3, '')
def sample_97(state: State) -> Value:
    """The script Sample 97 of the design."""
    return state.random_string(3, "")


# The script Sample 98:
#
# | ReadArrayString('{a,b,1}')
def sample_98(_state: State) -> Value:
    """The script Sample 98 of the design."""
    return read_array_string("{a,b,1}")


# The script Sample 99:
#
# | ReadArrayString('{1,2}', 'int')
def sample_99(_state: State) -> Value:
    """The script Sample 99 of the design."""
    return read_array_string("{1,2}", "int")


# The script Sample 100:
#
# | ReadArrayString('{{a,"b,c"},{"d""e"}}')
def sample_100(_state: State) -> Value:
    """The script Sample 100 of the design."""
    return read_array_string('{{a,"b,c"},{"d""e"}}')


# The script Sample 101:
#
# | ReadArrayString('{}')
def sample_101(_state: State) -> Value:
    """The script Sample 101 of the design."""
    return read_array_string("{}")


# The script Sample 102:
#
# | ReadArrayString('{a,}')
def sample_102(_state: State) -> Value:
    """The script Sample 102 of the design."""
    return read_array_string("{a,}")


# The script Sample 103:
#
# | ReadArrayString('{a')
def sample_103(_state: State) -> Value:
    """The script Sample 103 of the design."""
    return read_array_string("{a")


# The script Sample 104:
#
# | ReadArrayString('{1}', 'date')
def sample_104(_state: State) -> Value:
    """The script Sample 104 of the design."""
    return read_array_string("{1}", "date")


# The script Sample 107:
#
# | RunOperation('<TAG>operation:X</TAG>')
def sample_107(state: State) -> Value:
    """The script Sample 107 of the design.

    Runs X.
    """
    return state.run_operation("X")


# The script Sample 108:
#
# | RunScript('<TAG>script:X</TAG>')
def sample_108(state: State) -> Value:
    """The script Sample 108 of the design.

    Runs X.
    """
    return state.run_script("X")


# The script Sample 109:
#
# | Set('a', 5); $a
def sample_109(state: State) -> Value:
    """The script Sample 109 of the design.

    Reads a.
    Writes a.
    """
    state["a"] = 5
    return state["a"]


# The script Sample 110:
#
# | Set('a-b', 5); Get('a-b')
def sample_110(state: State) -> Value:
    """The script Sample 110 of the design.

    Reads a-b.
    Writes a-b.
    """
    state["a-b"] = 5
    return state["a-b"]


# The script Sample 111:
#
# | Set('a', 5)
def sample_111(state: State) -> Value:
    """The script Sample 111 of the design.

    Writes a.
    """
    state["a"] = 5
    return 5


# The script Sample 112:
#
# | Set('a', 'x', -1); Set('a', 'y', -1); $a
def sample_112(state: State) -> Value:
    """The script Sample 112 of the design.

    Reads a.
    Writes a.
    """
    state.set("a", "x", -1)
    state.set("a", "y", -1)
    return state["a"]


# The script Sample 113:
#
# | $a = {1, 2}; Set($a, 9, 0); $a
def sample_113(state: State) -> Value:
    """The script Sample 113 of the design.

    Reads a.
    Writes a.
    """
    state["a"] = [1, 2]
    state.set(state["a"], 9, 0)
    return state["a"]


# The script Sample 114:
#
# | $a = {{1}, {2}}; Set('a', 9, 1, 0); $a
def sample_114(state: State) -> Value:
    """The script Sample 114 of the design.

    Reads a.
    Writes a.
    """
    state["a"] = [[1], [2]]
    state.set("a", 9, 1, 0)
    return state["a"]


# The script Sample 115:
#
# | Sleep(3)
def sample_115(state: State) -> None:
    """The script Sample 115 of the design."""
    state.sleep(3)


# The script Sample 116:
#
# | WriteToOperationLog('a' + 1)
def sample_116(state: State) -> Value:
    """The script Sample 116 of the design."""
    return state.write_to_operation_log("a" + "1")


# The script Sample 117:
#
# | RaiseError('boom'); 'after'
def sample_117(state: State) -> None:
    """The script Sample 117 of the design."""
    raise state.error("boom")


# The script Sample 118:
#
# | GetLastError()
def sample_118(state: State) -> Value:
    """The script Sample 118 of the design."""
    return state.get_last_error()


# The script Sample 119:
#
# | SetLastError('mine'); GetLastError()
def sample_119(state: State) -> Value:
    """The script Sample 119 of the design."""
    state.set_last_error("mine")
    return state.get_last_error()


# The script Sample 120:
#
# | SetLastError('mine'); $jitterbit.operation.last_error
def sample_120(state: State) -> Value:
    """The script Sample 120 of the design.

    Reads jitterbit.operation.last_error.
    """
    state.set_last_error("mine")
    return state["jitterbit.operation.last_error"]


# The script Sample 121:
#
# | SetLastError('mine')
def sample_121(state: State) -> None:
    """The script Sample 121 of the design."""
    state.set_last_error("mine")


# The script Sample 122:
#
# | SetLastError('mine'); ResetLastError(); GetLastError()
def sample_122(state: State) -> Value:
    """The script Sample 122 of the design."""
    state.set_last_error("mine")
    state.reset_last_error()
    return state.get_last_error()


# The script Sample 123:
#
# | ReadCache('k')
def sample_123(state: State) -> Value:
    """The script Sample 123 of the design."""
    return state.read_cache("k")


# The script Sample 124:
#
# | WriteCache('k', 1); ReadCache('k')
def sample_124(state: State) -> Value:
    """The script Sample 124 of the design."""
    state.write_cache("k", 1)
    return state.read_cache("k")


# The script Sample 125:
#
# | WriteCache('k', {1})
def sample_125(state: State) -> Value:
    """The script Sample 125 of the design."""
    return state.write_cache("k", [1])


# The script Sample 126:
#
# | WriteCache('k', 1, 60, 'project'); ReadCache('k')
def sample_126(state: State) -> Value:
    """The script Sample 126 of the design."""
    state.write_cache("k", 1, 60, "project")
    return state.read_cache("k")


# The script Sample 127:
#
# | CountSubString('Mississippi', 'iss')
def sample_127(_state: State) -> Value:
    """The script Sample 127 of the design."""
    return count_sub_string("Mississippi", "iss")


# The script Sample 128:
#
# | CountSubString('aaaa', 'aa')
def sample_128(_state: State) -> Value:
    """The script Sample 128 of the design."""
    return count_sub_string("aaaa", "aa")


# The script Sample 129:
#
# | CountSubString('abc', '')
def sample_129(_state: State) -> Value:
    """The script Sample 129 of the design."""
    return count_sub_string("abc", "")


# The script Sample 130:
#
# | DQuote('any str')
def sample_130(_state: State) -> Value:
    """The script Sample 130 of the design."""
    return d_quote("any str")


# The script Sample 131:
#
# | DQuote('any "text" str')
def sample_131(_state: State) -> Value:
    """The script Sample 131 of the design."""
    return d_quote('any "text" str')


# The script Sample 132:
#
# | Format('%.2f', 3.14159)
def sample_132(_state: State) -> Value:
    """The script Sample 132 of the design."""
    return format_value("%.2f", 3.14159)


# The script Sample 133:
#
# | Format('%05d', 42)
def sample_133(_state: State) -> Value:
    """The script Sample 133 of the design."""
    return format_value("%05d", 42)


# The script Sample 134:
#
# | Format('%s!', 'hi')
def sample_134(_state: State) -> Value:
    """The script Sample 134 of the design."""
    return format_value("%s!", "hi")


# The script Sample 135:
#
# | Format('%x', 255)
def sample_135(_state: State) -> Value:
    """The script Sample 135 of the design."""
    return format_value("%x", 255)


# The script Sample 136:
#
# | Format('100%%: %d', 1)
def sample_136(_state: State) -> Value:
    """The script Sample 136 of the design."""
    return format_value("100%%: %d", 1)


# The script Sample 137:
#
# | Format('yyyy/mm/dd', Date('2018-12-25'))
def sample_137(_state: State) -> Value:
    """The script Sample 137 of the design."""
    return format_value("yyyy/mm/dd", to_date("2018-12-25"))


# The script Sample 138:
#
# | Format('none', 1)
def sample_138(_state: State) -> Value:
    """The script Sample 138 of the design."""
    return format_value("none", 1)


# The script Sample 139:
#
# | Format('%y', 1)
def sample_139(_state: State) -> Value:
    """The script Sample 139 of the design."""
    return format_value("%y", 1)


# The script Sample 140:
#
# | Index('Mississippi', 'ss')
def sample_140(_state: State) -> Value:
    """The script Sample 140 of the design."""
    return index("Mississippi", "ss")


# The script Sample 141:
#
# | Index('Mississippi', 'ss', 2)
def sample_141(_state: State) -> Value:
    """The script Sample 141 of the design."""
    return index("Mississippi", "ss", 2)


# The script Sample 142:
#
# | Index('Mississippi', 'ss', 3)
def sample_142(_state: State) -> Value:
    """The script Sample 142 of the design."""
    return index("Mississippi", "ss", 3)


# The script Sample 143:
#
# | Index('Mississippi', 'ss', -1)
def sample_143(_state: State) -> Value:
    """The script Sample 143 of the design."""
    return index("Mississippi", "ss", -1)


# The script Sample 144:
#
# | Index('Mississippi', 'ss', -2)
def sample_144(_state: State) -> Value:
    """The script Sample 144 of the design."""
    return index("Mississippi", "ss", -2)


# The script Sample 145:
#
# | Index('Mississippi', 'ss', -3)
def sample_145(_state: State) -> Value:
    """The script Sample 145 of the design."""
    return index("Mississippi", "ss", -3)


# The script Sample 146:
#
# | Index('Mississippi', 'ss', 0)
def sample_146(_state: State) -> Value:
    """The script Sample 146 of the design."""
    return index("Mississippi", "ss", 0)


# The script Sample 147:
#
# | Index('abc', 'x')
def sample_147(_state: State) -> Value:
    """The script Sample 147 of the design."""
    return index("abc", "x")


# The script Sample 148:
#
# | Index('abc', '', 1)
def sample_148(_state: State) -> Value:
    """The script Sample 148 of the design."""
    return index("abc", "", 1)


# The script Sample 149:
#
# | Index('abc', '', -1)
def sample_149(_state: State) -> Value:
    """The script Sample 149 of the design."""
    return index("abc", "", -1)


# The script Sample 150:
#
# | IsValidString('a\tb\n')
def sample_150(_state: State) -> Value:
    """The script Sample 150 of the design."""
    return is_valid_string("a\tb\n")


# The script Sample 151:
#
# | IsValidString('é')
def sample_151(_state: State) -> Value:
    """The script Sample 151 of the design."""
    return is_valid_string("é")


# The script Sample 152:
#
# | Left('abcdef', 2)
def sample_152(_state: State) -> Value:
    """The script Sample 152 of the design."""
    return "abcdef"[:2]


# The script Sample 153:
#
# | Left('ab', 5)
def sample_153(_state: State) -> Value:
    """The script Sample 153 of the design."""
    return "ab"[:5]


# The script Sample 154:
#
# | Left('ab', -1)
def sample_154(_state: State) -> Value:
    """The script Sample 154 of the design."""
    return left("ab", -1)


# The script Sample 155:
#
# | Left(Null(), 2)
def sample_155(_state: State) -> Value:
    """The script Sample 155 of the design."""
    return left(None, 2)


# The script Sample 156:
#
# | Left(12345, 2)
def sample_156(_state: State) -> Value:
    """The script Sample 156 of the design."""
    return left(12345, 2)


# The script Sample 158:
#
# | Left('ab', {1})
def sample_158(_state: State) -> Value:
    """The script Sample 158 of the design."""
    return left("ab", [1])


# The script Sample 159:
#
# | Right('abcdef', 2)
def sample_159(_state: State) -> Value:
    """The script Sample 159 of the design."""
    return right("abcdef", 2)


# The script Sample 160:
#
# | Right('ab', 5)
def sample_160(_state: State) -> Value:
    """The script Sample 160 of the design."""
    return right("ab", 5)


# The script Sample 161:
#
# | Right('ab', 0)
def sample_161(_state: State) -> Value:
    """The script Sample 161 of the design."""
    return right("ab", 0)


# The script Sample 162:
#
# | Right('ab', -1)
def sample_162(_state: State) -> Value:
    """The script Sample 162 of the design."""
    return right("ab", -1)


# The script Sample 163:
#
# | Mid('abcdef', 1, 2)
def sample_163(_state: State) -> Value:
    """The script Sample 163 of the design."""
    return mid("abcdef", 1, 2)


# The script Sample 164:
#
# | Mid('abcdef', 4, 9)
def sample_164(_state: State) -> Value:
    """The script Sample 164 of the design."""
    return mid("abcdef", 4, 9)


# The script Sample 165:
#
# | Mid('abcdef', 9, 1)
def sample_165(_state: State) -> Value:
    """The script Sample 165 of the design."""
    return mid("abcdef", 9, 1)


# The script Sample 166:
#
# | Mid('abcdef', 0, 3)
def sample_166(_state: State) -> Value:
    """The script Sample 166 of the design."""
    return mid("abcdef", 0, 3)


# The script Sample 167:
#
# | LPad('ab', 5)
def sample_167(_state: State) -> Value:
    """The script Sample 167 of the design."""
    return l_pad("ab", 5)


# The script Sample 168:
#
# | LPad('abc', 2)
def sample_168(_state: State) -> Value:
    """The script Sample 168 of the design."""
    return l_pad("abc", 2)


# The script Sample 169:
#
# | LPad('ab', -4)
def sample_169(_state: State) -> Value:
    """The script Sample 169 of the design."""
    return l_pad("ab", -4)


# The script Sample 170:
#
# | LPadChar('7', '0', 3)
def sample_170(_state: State) -> Value:
    """The script Sample 170 of the design."""
    return l_pad_char("7", "0", 3)


# The script Sample 171:
#
# | LPadChar('1234', '0', 3)
def sample_171(_state: State) -> Value:
    """The script Sample 171 of the design."""
    return l_pad_char("1234", "0", 3)


# The script Sample 172:
#
# | LPadChar('7', '', 3)
def sample_172(_state: State) -> Value:
    """The script Sample 172 of the design."""
    return l_pad_char("7", "", 3)


# The script Sample 173:
#
# | RPad('ab', 4)
def sample_173(_state: State) -> Value:
    """The script Sample 173 of the design."""
    return r_pad("ab", 4)


# The script Sample 174:
#
# | RPad('abc', 2)
def sample_174(_state: State) -> Value:
    """The script Sample 174 of the design."""
    return r_pad("abc", 2)


# The script Sample 175:
#
# | RPad('ab', -4)
def sample_175(_state: State) -> Value:
    """The script Sample 175 of the design."""
    return r_pad("ab", -4)


# The script Sample 176:
#
# | RPadChar('7', '.', 3)
def sample_176(_state: State) -> Value:
    """The script Sample 176 of the design."""
    return r_pad_char("7", ".", 3)


# The script Sample 177:
#
# | RPadChar('7', 'xy', 3)
def sample_177(_state: State) -> Value:
    """The script Sample 177 of the design."""
    return r_pad_char("7", "xy", 3)


# The script Sample 178:
#
# | Trim(' \t a b \n')
def sample_178(_state: State) -> Value:
    """The script Sample 178 of the design."""
    return trim(" \t a b \n")


# The script Sample 179:
#
# | Trim(Null())
def sample_179(_state: State) -> Value:
    """The script Sample 179 of the design."""
    return trim(None)


# The script Sample 180:
#
# | LTrim('  a ')
def sample_180(_state: State) -> Value:
    """The script Sample 180 of the design."""
    return l_trim("  a ")


# The script Sample 181:
#
# | RTrim(' a  ')
def sample_181(_state: State) -> Value:
    """The script Sample 181 of the design."""
    return r_trim(" a  ")


# The script Sample 182:
#
# | TrimChars('::a:b:', ':')
def sample_182(_state: State) -> Value:
    """The script Sample 182 of the design."""
    return "::a:b:".strip(":")


# The script Sample 183:
#
# | TrimChars('[(a)]', '()[]')
def sample_183(_state: State) -> Value:
    """The script Sample 183 of the design."""
    return "[(a)]".strip("()[]")


# The script Sample 184:
#
# | TrimChars('""hi" he said"', '"')
def sample_184(_state: State) -> Value:
    """The script Sample 184 of the design."""
    return '""hi" he said"'.strip('"')


# The script Sample 185:
#
# | TrimChars('a', '')
def sample_185(_state: State) -> Value:
    """The script Sample 185 of the design."""
    return trim_chars("a", "")


# The script Sample 186:
#
# | LTrimChars('::a:', ':')
def sample_186(_state: State) -> Value:
    """The script Sample 186 of the design."""
    return "::a:".lstrip(":")


# The script Sample 187:
#
# | RTrimChars(':a::', ':')
def sample_187(_state: State) -> Value:
    """The script Sample 187 of the design."""
    return ":a::".rstrip(":")


# The script Sample 188:
#
# | Truncate('abcdef', 1, 2)
def sample_188(_state: State) -> Value:
    """The script Sample 188 of the design."""
    return truncate("abcdef", 1, 2)


# The script Sample 189:
#
# | Truncate('abc', 2, 2)
def sample_189(_state: State) -> Value:
    """The script Sample 189 of the design."""
    return truncate("abc", 2, 2)


# The script Sample 190:
#
# | Quote('a')
def sample_190(_state: State) -> Value:
    """The script Sample 190 of the design."""
    return quote("a")


# The script Sample 191:
#
# | Quote("a'b")
def sample_191(_state: State) -> Value:
    """The script Sample 191 of the design."""
    return quote("a'b")


# The script Sample 192:
#
# | Replace('a-b-c', '-', '+')
def sample_192(_state: State) -> Value:
    """The script Sample 192 of the design."""
    return "a-b-c".replace("-", "+")


# The script Sample 193:
#
# | Replace('abc', 'x', 'y')
def sample_193(_state: State) -> Value:
    """The script Sample 193 of the design."""
    return "abc".replace("x", "y")


# The script Sample 194:
#
# | Replace('abc', '', 'y')
def sample_194(_state: State) -> Value:
    """The script Sample 194 of the design."""
    return replace("abc", "", "y")


# The script Sample 195:
#
# | Replace('aXbX', 'X', '')
def sample_195(_state: State) -> Value:
    """The script Sample 195 of the design."""
    return "aXbX".replace("X", "")


# The script Sample 196:
#
# | Replace("say \"x\"", "\"", "\\\"")
def sample_196(_state: State) -> Value:
    """The script Sample 196 of the design."""
    return 'say "x"'.replace('"', '\\"')


# The script Sample 197:
#
# | Replace('a.c', '.', 'b')
def sample_197(_state: State) -> Value:
    """The script Sample 197 of the design."""
    return "a.c".replace(".", "b")


# The script Sample 198:
#
# | Replace($never, 'a', 'b')
def sample_198(state: State) -> Value:
    """The script Sample 198 of the design.

    Reads never.
    """
    return text(state["never"]).replace("a", "b")


# The script Sample 199:
#
# | RegExMatch('2026-03-05', '(\\d+)-(\\d+)', 'y', 'm'); $y + '/' + $m
def sample_199(state: State) -> Value:
    """The script Sample 199 of the design.

    Reads m, y.
    Writes m, y.
    """
    state.reg_ex_match("2026-03-05", "(\\d+)-(\\d+)", "y", "m")
    return add(state["y"], "/", state["m"])


# The script Sample 200:
#
# | RegExMatch('2026-03', '(\\d+)-(\\d+)')
def sample_200(state: State) -> Value:
    """The script Sample 200 of the design."""
    return state.reg_ex_match("2026-03", "(\\d+)-(\\d+)")


# The script Sample 201:
#
# | RegExMatch('abc', 'b')
def sample_201(state: State) -> Value:
    """The script Sample 201 of the design."""
    return state.reg_ex_match("abc", "b")


# The script Sample 202:
#
# | RegExMatch('abc', 'x')
def sample_202(state: State) -> Value:
    """The script Sample 202 of the design."""
    return state.reg_ex_match("abc", "x")


# The script Sample 203:
#
# | RegExMatch('ab', '(a)(b)', 'one'); $one
def sample_203(state: State) -> Value:
    """The script Sample 203 of the design.

    Reads one.
    Writes one.
    """
    state.reg_ex_match("ab", "(a)(b)", "one")
    return state["one"]


# The script Sample 204:
#
# | RegExMatch('b', '(a)|(b)', 'a', 'b'); '[' + $a + $b + ']'
def sample_204(state: State) -> Value:
    """The script Sample 204 of the design.

    Reads a, b.
    Writes a, b.
    """
    state.reg_ex_match("b", "(a)|(b)", "a", "b")
    return add("[", state["a"], state["b"], "]")


# The script Sample 205:
#
# | RegExMatch('aa', '(a)\\1')
def sample_205(state: State) -> Value:
    """The script Sample 205 of the design."""
    return state.reg_ex_match("aa", "(a)\\1")


# The script Sample 206:
#
# | RegExMatch('a', '(')
def sample_206(state: State) -> Value:
    """The script Sample 206 of the design."""
    return state.reg_ex_match("a", "(")


# The script Sample 207:
#
# | RegExReplace('a1b22', '[0-9]+', '#')
def sample_207(_state: State) -> Value:
    """The script Sample 207 of the design."""
    return reg_ex_replace("a1b22", "[0-9]+", "#")


# The script Sample 208:
#
# | RegExReplace('John Smith', '(\\w+) (\\w+)', '$2, $1')
def sample_208(_state: State) -> Value:
    """The script Sample 208 of the design."""
    return reg_ex_replace("John Smith", "(\\w+) (\\w+)", "$2, $1")


# The script Sample 209:
#
# | RegExReplace('abc', 'b', '[$&]')
def sample_209(_state: State) -> Value:
    """The script Sample 209 of the design."""
    return reg_ex_replace("abc", "b", "[$&]")


# The script Sample 210:
#
# | RegExReplace('abc', 'x', 'y')
def sample_210(_state: State) -> Value:
    """The script Sample 210 of the design."""
    return reg_ex_replace("abc", "x", "y")


# The script Sample 211:
#
# | RegExReplace('abc', 'b', '')
def sample_211(_state: State) -> Value:
    """The script Sample 211 of the design."""
    return reg_ex_replace("abc", "b", "")


# The script Sample 212:
#
# | RegExReplace('ab', 'x*', '-')
def sample_212(_state: State) -> Value:
    """The script Sample 212 of the design."""
    return reg_ex_replace("ab", "x*", "-")


# The script Sample 213:
#
# | RegExReplace('5', '5', '$$5')
def sample_213(_state: State) -> Value:
    """The script Sample 213 of the design."""
    return reg_ex_replace("5", "5", "$$5")


# The script Sample 214:
#
# | Split('a,b,c', ',')
def sample_214(_state: State) -> Value:
    """The script Sample 214 of the design."""
    return split("a,b,c", ",")


# The script Sample 215:
#
# | Split('a,b,', ',')
def sample_215(_state: State) -> Value:
    """The script Sample 215 of the design."""
    return split("a,b,", ",")


# The script Sample 216:
#
# | Split('a,,b', ',')
def sample_216(_state: State) -> Value:
    """The script Sample 216 of the design."""
    return split("a,,b", ",")


# The script Sample 217:
#
# | Split('abc', ',')
def sample_217(_state: State) -> Value:
    """The script Sample 217 of the design."""
    return split("abc", ",")


# The script Sample 218:
#
# | Split('', ',')
def sample_218(_state: State) -> Value:
    """The script Sample 218 of the design."""
    return split("", ",")


# The script Sample 219:
#
# | Split('abc', '')
def sample_219(_state: State) -> Value:
    """The script Sample 219 of the design."""
    return split("abc", "")


# The script Sample 220:
#
# | SplitCSV('a,"b,c",d')
def sample_220(_state: State) -> Value:
    """The script Sample 220 of the design."""
    return split_csv('a,"b,c",d')


# The script Sample 221:
#
# | SplitCSV('a;b', ';')
def sample_221(_state: State) -> Value:
    """The script Sample 221 of the design."""
    return split_csv("a;b", ";")


# The script Sample 222:
#
# | SplitCSV('"say ""hi""",x')
def sample_222(_state: State) -> Value:
    """The script Sample 222 of the design."""
    return split_csv('"say ""hi""",x')


# The script Sample 223:
#
# | SplitCSV('')
def sample_223(_state: State) -> Value:
    """The script Sample 223 of the design."""
    return split_csv("")


# The script Sample 224:
#
# | SplitCSV('a', 'ab')
def sample_224(_state: State) -> Value:
    """The script Sample 224 of the design."""
    return split_csv("a", "ab")


# The script Sample 225:
#
# | StringLength('abc')
def sample_225(_state: State) -> Value:
    """The script Sample 225 of the design."""
    return string_length("abc")


# The script Sample 226:
#
# | StringLength({'a', 'bcd'})
def sample_226(_state: State) -> Value:
    """The script Sample 226 of the design."""
    return string_length(["a", "bcd"])


# The script Sample 227:
#
# | ToLower('AbC')
def sample_227(_state: State) -> Value:
    """The script Sample 227 of the design."""
    return to_lower("AbC")


# The script Sample 228:
#
# | ToLower('É')
def sample_228(_state: State) -> Value:
    """The script Sample 228 of the design."""
    return to_lower("É")


# The script Sample 229:
#
# | ToUpper('aBc')
def sample_229(_state: State) -> Value:
    """The script Sample 229 of the design."""
    return to_upper("aBc")


# The script Sample 230:
#
# | ToUpper('é')
def sample_230(_state: State) -> Value:
    """The script Sample 230 of the design."""
    return to_upper("é")


# The script Sample 231:
#
# | ToProper('hello WORLD')
def sample_231(_state: State) -> Value:
    """The script Sample 231 of the design."""
    return to_proper("hello WORLD")


# The script Sample 232:
#
# | ToProper("don't")
def sample_232(_state: State) -> Value:
    """The script Sample 232 of the design."""
    return to_proper("don't")


# The script Sample 233:
#
# | URLEncode('a b&c/é')
def sample_233(_state: State) -> Value:
    """The script Sample 233 of the design."""
    return url_encode("a b&c/é")


# The script Sample 234:
#
# | URLEncode('a b&c', 1)
def sample_234(_state: State) -> Value:
    """The script Sample 234 of the design."""
    return url_encode("a b&c", 1)


# The script Sample 235:
#
# | URLEncode('a b&c', 2)
def sample_235(_state: State) -> Value:
    """The script Sample 235 of the design."""
    return url_encode("a b&c", 2)


# The script Sample 236:
#
# | URLEncode('a b&c', 3)
def sample_236(_state: State) -> Value:
    """The script Sample 236 of the design."""
    return url_encode("a b&c", 3)


# The script Sample 237:
#
# | URLEncode('$-_.+!*(),~')
def sample_237(_state: State) -> Value:
    """The script Sample 237 of the design."""
    return url_encode("$-_.+!*(),~")


# The script Sample 238:
#
# | URLEncode('a', 4)
def sample_238(_state: State) -> Value:
    """The script Sample 238 of the design."""
    return url_encode("a", 4)


# The script Sample 239:
#
# | URLDecode('http://x/?a=1&B=x%20y', 'b')
def sample_239(_state: State) -> Value:
    """The script Sample 239 of the design."""
    return url_decode("http://x/?a=1&B=x%20y", "b")


# The script Sample 240:
#
# | URLDecode('http://x/?a=1', 'c')
def sample_240(_state: State) -> Value:
    """The script Sample 240 of the design."""
    return url_decode("http://x/?a=1", "c")


# The script Sample 241:
#
# | ParseURL('http://x/?a=1&b=x%20y')
def sample_241(_state: State) -> Value:
    """The script Sample 241 of the design."""
    return parse_url("http://x/?a=1&b=x%20y")


# The script Sample 242:
#
# | ParseURL('x')
def sample_242(_state: State) -> Value:
    """The script Sample 242 of the design."""
    return parse_url("x")


# The script Sample 243:
#
# | Dict()
def sample_243(_state: State) -> Value:
    """The script Sample 243 of the design."""
    return {}


# The script Sample 244:
#
# | d = Dict(); d['k'] = 1; d[2] = 'b'; d
def sample_244(state: State) -> Value:
    """The script Sample 244 of the design."""
    d: dict[str, Value] = {}
    d["k"] = 1
    state.with_element(d, "b", 2)
    return d


# The script Sample 245:
#
# | Map()
def sample_245(_state: State) -> Value:
    """The script Sample 245 of the design."""
    return {}


# The script Sample 246:
#
# | Array()
def sample_246(_state: State) -> Value:
    """The script Sample 246 of the design."""
    return []


# The script Sample 247:
#
# | a = Array(); a[-1] = 'x'; a[Length(a)] = 'y'; a
def sample_247(state: State) -> Value:
    """The script Sample 247 of the design."""
    a: list[Value] = []
    a.append("x")
    state.with_element(a, "y", len(a))
    return a


# The script Sample 248:
#
# | Collection()
def sample_248(_state: State) -> Value:
    """The script Sample 248 of the design."""
    return []


# The script Sample 249:
#
# | d = Dict(); AddToDict(d, 'k', 1)
def sample_249(_state: State) -> Value:
    """The script Sample 249 of the design."""
    d: dict[str, Value] = {}
    return add_to_dict(d, "k", 1)


# The script Sample 250:
#
# | d = Dict(); AddToDict(d, 'k', 1); AddToDict(d, 'k', 2)
def sample_250(_state: State) -> Value:
    """The script Sample 250 of the design."""
    d: dict[str, Value] = {}
    add_to_dict(d, "k", 1)
    return add_to_dict(d, "k", 2)


# The script Sample 251:
#
# | AddToDict($new, 'k', Null()); $new
def sample_251(state: State) -> Value:
    """The script Sample 251 of the design.

    Reads new.
    Writes new.
    """
    add_to_dict(state.dictionary("new"), "k", None)
    return state["new"]


# The script Sample 252:
#
# | $d = 'text'; AddToDict($d, 1, 'v'); $d
def sample_252(state: State) -> Value:
    """The script Sample 252 of the design.

    Reads d.
    Writes d.
    """
    state["d"] = "text"
    add_to_dict(state.dictionary("d"), 1, "v")
    return state["d"]


# The script Sample 253:
#
# | AddToDict(Dict(), Null(), 1)
def sample_253(_state: State) -> Value:
    """The script Sample 253 of the design."""
    return add_to_dict({}, None, 1)


# The script Sample 255:
#
# | d = Dict(); d['k'] = Null(); HasKey(d, 'k')
def sample_255(_state: State) -> Value:
    """The script Sample 255 of the design."""
    d: dict[str, Value] = {}
    d["k"] = None
    return "k" in d


# The script Sample 256:
#
# | HasKey(Dict(), 'k')
def sample_256(_state: State) -> Value:
    """The script Sample 256 of the design."""
    return has_key({}, "k")


# The script Sample 257:
#
# | HasKey({1}, '0')
def sample_257(_state: State) -> Value:
    """The script Sample 257 of the design."""
    return has_key([1], "0")


# The script Sample 258:
#
# | HasKey($never, 'k')
def sample_258(state: State) -> Value:
    """The script Sample 258 of the design.

    Reads never.
    """
    return has_key(state["never"], "k")


# The script Sample 259:
#
# | d = Dict(); d['a'] = 1; d['b'] = 2; GetKeys(d)
def sample_259(_state: State) -> Value:
    """The script Sample 259 of the design."""
    d: dict[str, Value] = {}
    d["a"] = 1
    d["b"] = 2
    return get_keys(d)


# The script Sample 260:
#
# | GetKeys({1})
def sample_260(_state: State) -> Value:
    """The script Sample 260 of the design."""
    return get_keys([1])


# The script Sample 261:
#
# | GetKeys($never)
def sample_261(state: State) -> Value:
    """The script Sample 261 of the design.

    Reads never.
    """
    return get_keys(state["never"])


# The script Sample 262:
#
# | d = Dict(); d['a'] = 1; RemoveKey(d, 'a')
def sample_262(_state: State) -> Value:
    """The script Sample 262 of the design."""
    d: dict[str, Value] = {}
    d["a"] = 1
    return remove_key(d, "a")


# The script Sample 263:
#
# | RemoveKey(Dict(), 'a')
def sample_263(_state: State) -> Value:
    """The script Sample 263 of the design."""
    return remove_key({}, "a")


# The script Sample 264:
#
# | d = Dict(); d['a'] = 1; d['b'] = 2; CollectValues(d, {'b', 'x', 'a'})
def sample_264(_state: State) -> Value:
    """The script Sample 264 of the design."""
    d: dict[str, Value] = {}
    d["a"] = 1
    d["b"] = 2
    return collect_values(d, ["b", "x", "a"])


# The script Sample 266:
#
# | MapCache($d, 'k', 5); $d
def sample_266(state: State) -> Value:
    """The script Sample 266 of the design.

    Reads d.
    Writes d.
    """
    map_cache(state.dictionary("d"), "k", 5)
    return state["d"]


# The script Sample 267:
#
# | a = {3, 1, 2}; SortArray(a); a
def sample_267(_state: State) -> Value:
    """The script Sample 267 of the design."""
    a: list[Value] = [3, 1, 2]
    sort_array(a)
    return a


# The script Sample 268:
#
# | a = {3, 1, 2}; SortArray(a, false); a
def sample_268(_state: State) -> Value:
    """The script Sample 268 of the design."""
    a: list[Value] = [3, 1, 2]
    sort_array(a, False)
    return a


# The script Sample 269:
#
# | a = {'b', 'B', 'a'}; SortArray(a); a
def sample_269(_state: State) -> Value:
    """The script Sample 269 of the design."""
    a: list[Value] = ["b", "B", "a"]
    sort_array(a)
    return a


# The script Sample 270:
#
# | a = {10, 9, 'b', 'a', Null()}; SortArray(a); a
def sample_270(_state: State) -> Value:
    """The script Sample 270 of the design."""
    a: list[Value] = [10, 9, "b", "a", None]
    sort_array(a)
    return a


# The script Sample 271:
#
# | a = {{1, 'b'}, {2, 'a'}}; SortArray(a, 1); a
def sample_271(_state: State) -> Value:
    """The script Sample 271 of the design."""
    a: list[Value] = [[1, "b"], [2, "a"]]
    sort_array(a, 1)
    return a


# The script Sample 272:
#
# | a = {{1}, {2}}; SortArray(a, 0, false); a
def sample_272(_state: State) -> Value:
    """The script Sample 272 of the design."""
    a: list[Value] = [[1], [2]]
    sort_array(a, 0, False)
    return a


# The script Sample 273:
#
# | SortArray({1})
def sample_273(_state: State) -> None:
    """The script Sample 273 of the design."""
    sort_array([1])


# The script Sample 274:
#
# | SortArray({1}, 1)
def sample_274(_state: State) -> None:
    """The script Sample 274 of the design."""
    sort_array([1], 1)


# The script Sample 275:
#
# | ReduceDimension({{1, 2}, {3}})
def sample_275(_state: State) -> Value:
    """The script Sample 275 of the design."""
    return reduce_dimension([[1, 2], [3]])


# The script Sample 276:
#
# | ReduceDimension({{{1}, {2}}, {{3}}})
def sample_276(_state: State) -> Value:
    """The script Sample 276 of the design."""
    return reduce_dimension([[[1], [2]], [[3]]])


# The script Sample 277:
#
# | ReduceDimension({1})
def sample_277(_state: State) -> Value:
    """The script Sample 277 of the design."""
    return reduce_dimension([1])


# The script Sample 278:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'; GetJSONString(j,
# >  '/company/[0]/p/[1]/t')
def sample_278(state: State) -> Value:
    """The script Sample 278 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string(j, "/company/[0]/p/[1]/t")


# The script Sample 279:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'; GetJSONString(j,
# >  '/company/0/p/1/t')
def sample_279(state: State) -> Value:
    """The script Sample 279 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string(j, "/company/0/p/1/t")


# The script Sample 280:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'; GetJSONString(j,
# >  '/company/[0]/p')
def sample_280(state: State) -> Value:
    """The script Sample 280 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string(j, "/company/[0]/p")


# The script Sample 281:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'; GetJSONString(j,
# >  '/company/0/n')
def sample_281(state: State) -> Value:
    """The script Sample 281 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string(j, "/company/0/n")


# The script Sample 282:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'; GetJSONString(j,
# >  '/company/0/on')
def sample_282(state: State) -> Value:
    """The script Sample 282 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string(j, "/company/0/on")


# The script Sample 283:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'; GetJSONString(j,
# >  '/company/0/no')
def sample_283(state: State) -> Value:
    """The script Sample 283 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string(j, "/company/0/no")


# The script Sample 284:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'; GetJSONString(j,
# >  '/company/0/none')
def sample_284(state: State) -> Value:
    """The script Sample 284 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string(j, "/company/0/none")


# The script Sample 285:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'; GetJSONString(j,
# >  '/company/5')
def sample_285(state: State) -> Value:
    """The script Sample 285 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string(j, "/company/5")


# The script Sample 286:
#
# | GetJSONString('[1]', '/')
def sample_286(state: State) -> Value:
    """The script Sample 286 of the design."""
    return state.get_json_string("[1]", "/")


# The script Sample 287:
#
# | GetJSONString('oops', '/a')
def sample_287(state: State) -> Value:
    """The script Sample 287 of the design."""
    return state.get_json_string("oops", "/a")


# The script Sample 288:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}';
# >  GetJSONStringEx(j, '/company/0/name')
def sample_288(state: State) -> Value:
    """The script Sample 288 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string_ex(j, "/company/0/name")


# The script Sample 289:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}';
# >  GetJSONStringEx(j, '/nope', 'null')
def sample_289(state: State) -> Value:
    """The script Sample 289 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string_ex(j, "/nope", "null")


# The script Sample 290:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}';
# >  GetJSONStringEx(j, '/nope')
def sample_290(state: State) -> Value:
    """The script Sample 290 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.get_json_string_ex(j, "/nope")


# The script Sample 291:
#
# | j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}';
# >  JSONParser(j)['company'][0]['name']
def sample_291(state: State) -> Value:
    """The script Sample 291 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}],"n":1.50,"on":true,"no":null}]}'
    return state.element(json_parser(j), "company", 0, "name")


# The script Sample 292:
#
# | JSONParser('[1, 2.0, true, null, "a"]')
def sample_292(_state: State) -> Value:
    """The script Sample 292 of the design."""
    return json_parser('[1, 2.0, true, null, "a"]')


# The script Sample 293:
#
# | JSONParser('{"a":')
def sample_293(_state: State) -> Value:
    """The script Sample 293 of the design."""
    return json_parser('{"a":')


# The script Sample 294:
#
# | d = Dict(); d['ok'] = true; d['n'] = 3; d['z'] = Null(); JSONStringify(d)
def sample_294(_state: State) -> Value:
    """The script Sample 294 of the design."""
    d: dict[str, Value] = {}
    d["ok"] = True
    d["n"] = 3
    d["z"] = None
    return json_stringify(d)


# The script Sample 295:
#
# | JSONStringify({'say "hi"', 'a\nb', 'c\\d'})
def sample_295(_state: State) -> Value:
    """The script Sample 295 of the design."""
    return json_stringify(['say "hi"', "a\nb", "c\\d"])


# The script Sample 296:
#
# | JSONStringify('é')
def sample_296(_state: State) -> Value:
    """The script Sample 296 of the design."""
    return json_stringify("é")


# The script Sample 297:
#
# | JSONStringify(JSONParser('[2.0, 2.5, false]'))
def sample_297(_state: State) -> Value:
    """The script Sample 297 of the design."""
    return json_stringify(json_parser("[2.0, 2.5, false]"))


# The script Sample 298:
#
# | JSONStringify(Date('2018-12-25'))
def sample_298(_state: State) -> Value:
    """The script Sample 298 of the design."""
    return json_stringify(to_date("2018-12-25"))


# The script Sample 299:
#
# | a = {1}; a[0] = a; JSONStringify(a)
def sample_299(state: State) -> Value:
    """The script Sample 299 of the design."""
    a: list[Value] = [1]
    state.with_element(a, a, 0)
    return json_stringify(a)


# The script Sample 300:
#
# | BinaryToHex(HexToBinary('00FF'))
def sample_300(_state: State) -> Value:
    """The script Sample 300 of the design."""
    return binary_to_hex(hex_to_binary("00FF"))


# The script Sample 301:
#
# | BinaryToHex('a')
def sample_301(_state: State) -> Value:
    """The script Sample 301 of the design."""
    return binary_to_hex("a")


# The script Sample 302:
#
# | BinaryToUUID(UUIDToBinary('2F46DAD9-E697-428E-B248-EDE2A6A1B3D4'))
def sample_302(_state: State) -> Value:
    """The script Sample 302 of the design."""
    return binary_to_uuid(uuid_to_binary("2F46DAD9-E697-428E-B248-EDE2A6A1B3D4"))


# The script Sample 303:
#
# | BinaryToUUID(HexToBinary('00'))
def sample_303(_state: State) -> Value:
    """The script Sample 303 of the design."""
    return binary_to_uuid(hex_to_binary("00"))


# The script Sample 304:
#
# | UUIDToBinary('x')
def sample_304(_state: State) -> Value:
    """The script Sample 304 of the design."""
    return uuid_to_binary("x")


# The script Sample 305:
#
# | Bool(2)
def sample_305(state: State) -> Value:
    """The script Sample 305 of the design."""
    return state.to_bool(2)


# The script Sample 306:
#
# | Bool(0)
def sample_306(state: State) -> Value:
    """The script Sample 306 of the design."""
    return state.to_bool(0)


# The script Sample 307:
#
# | Bool('TRUE')
def sample_307(state: State) -> Value:
    """The script Sample 307 of the design."""
    return state.to_bool("TRUE")


# The script Sample 308:
#
# | Bool('t')
def sample_308(state: State) -> Value:
    """The script Sample 308 of the design."""
    return state.to_bool("t")


# The script Sample 309:
#
# | Bool('yes')
def sample_309(state: State) -> Value:
    """The script Sample 309 of the design."""
    return state.to_bool("yes")


# The script Sample 310:
#
# | Bool('1')
def sample_310(state: State) -> Value:
    """The script Sample 310 of the design."""
    return state.to_bool("1")


# The script Sample 311:
#
# | Bool(Null())
def sample_311(state: State) -> Value:
    """The script Sample 311 of the design."""
    return state.to_bool(None)


# The script Sample 312:
#
# | Date('12/25/2018 12:30')
def sample_312(_state: State) -> Value:
    """The script Sample 312 of the design."""
    return to_date("12/25/2018 12:30")


# The script Sample 313:
#
# | Date('2018-12-25')
def sample_313(_state: State) -> Value:
    """The script Sample 313 of the design."""
    return to_date("2018-12-25")


# The script Sample 314:
#
# | Date('2018-12-25T12:30:00')
def sample_314(_state: State) -> Value:
    """The script Sample 314 of the design."""
    return to_date("2018-12-25T12:30:00")


# The script Sample 315:
#
# | Date('2018-12-25T12:30:00+02:00')
def sample_315(_state: State) -> Value:
    """The script Sample 315 of the design."""
    return to_date("2018-12-25T12:30:00+02:00")


# The script Sample 316:
#
# | Date('December 25, 2018')
def sample_316(_state: State) -> Value:
    """The script Sample 316 of the design."""
    return to_date("December 25, 2018")


# The script Sample 317:
#
# | Date('DEC 25, 2018')
def sample_317(_state: State) -> Value:
    """The script Sample 317 of the design."""
    return to_date("DEC 25, 2018")


# The script Sample 318:
#
# | Date('25-Dec-18')
def sample_318(_state: State) -> Value:
    """The script Sample 318 of the design."""
    return to_date("25-Dec-18")


# The script Sample 319:
#
# | Date(86400)
def sample_319(_state: State) -> Value:
    """The script Sample 319 of the design."""
    return to_date(86400)


# The script Sample 320:
#
# | Date(Long(Now())) == Now()
def sample_320(state: State) -> Value:
    """The script Sample 320 of the design."""
    return equals(to_date(to_long(state.now())), state.now())


# The script Sample 321:
#
# | Date('tomorrow')
def sample_321(_state: State) -> Value:
    """The script Sample 321 of the design."""
    return to_date("tomorrow")


# The script Sample 322:
#
# | Date('2018-13-45')
def sample_322(_state: State) -> Value:
    """The script Sample 322 of the design."""
    return to_date("2018-13-45")


# The script Sample 323:
#
# | Date(true)
def sample_323(_state: State) -> Value:
    """The script Sample 323 of the design."""
    return to_date(True)


# The script Sample 324:
#
# | Double('1.50')
def sample_324(_state: State) -> Value:
    """The script Sample 324 of the design."""
    return to_double("1.50")


# The script Sample 325:
#
# | Double('-.5x')
def sample_325(_state: State) -> Value:
    """The script Sample 325 of the design."""
    return to_double("-.5x")


# The script Sample 326:
#
# | Double('abc')
def sample_326(_state: State) -> Value:
    """The script Sample 326 of the design."""
    return to_double("abc")


# The script Sample 327:
#
# | Double(Null())
def sample_327(_state: State) -> Value:
    """The script Sample 327 of the design."""
    return to_double(None)


# The script Sample 328:
#
# | Float('1.25')
def sample_328(_state: State) -> Value:
    """The script Sample 328 of the design."""
    return to_float("1.25")


# The script Sample 329:
#
# | HexToBinary('61ff')
def sample_329(_state: State) -> Value:
    """The script Sample 329 of the design."""
    return hex_to_binary("61ff")


# The script Sample 330:
#
# | HexToBinary('x')
def sample_330(_state: State) -> Value:
    """The script Sample 330 of the design."""
    return hex_to_binary("x")


# The script Sample 331:
#
# | HexToString('616263')
def sample_331(_state: State) -> Value:
    """The script Sample 331 of the design."""
    return hex_to_string("616263")


# The script Sample 332:
#
# | HexToString('c3a9')
def sample_332(_state: State) -> Value:
    """The script Sample 332 of the design."""
    return hex_to_string("c3a9")


# The script Sample 333:
#
# | Int('12abc')
def sample_333(_state: State) -> Value:
    """The script Sample 333 of the design."""
    return to_int("12abc")


# The script Sample 334:
#
# | Int(-2.7)
def sample_334(_state: State) -> Value:
    """The script Sample 334 of the design."""
    return to_int(-2.7)


# The script Sample 335:
#
# | Int('abc')
def sample_335(_state: State) -> Value:
    """The script Sample 335 of the design."""
    return to_int("abc")


# The script Sample 336:
#
# | Int(true)
def sample_336(_state: State) -> Value:
    """The script Sample 336 of the design."""
    return to_int(True)


# The script Sample 337:
#
# | Int(Date('1970-01-02'))
def sample_337(_state: State) -> Value:
    """The script Sample 337 of the design."""
    return to_int(to_date("1970-01-02"))


# The script Sample 338:
#
# | Int({1})
def sample_338(_state: State) -> Value:
    """The script Sample 338 of the design."""
    return to_int([1])


# The script Sample 339:
#
# | Long('12345678901')
def sample_339(_state: State) -> Value:
    """The script Sample 339 of the design."""
    return to_long("12345678901")


# The script Sample 340:
#
# | String(1.0)
def sample_340(_state: State) -> Value:
    """The script Sample 340 of the design."""
    return text(1)


# The script Sample 341:
#
# | String(0.1 + 0.2)
def sample_341(_state: State) -> Value:
    """The script Sample 341 of the design."""
    return to_string(add(0.1, 0.2))


# The script Sample 342:
#
# | String(1 / 1000000)
def sample_342(_state: State) -> Value:
    """The script Sample 342 of the design."""
    return to_string(divide(1, 1000000))


# The script Sample 343:
#
# | String(1 / 10000000)
def sample_343(_state: State) -> Value:
    """The script Sample 343 of the design."""
    return to_string(divide(1, 10000000))


# The script Sample 344:
#
# | String(100000 ^ 5)
def sample_344(_state: State) -> Value:
    """The script Sample 344 of the design."""
    return to_string(power(100000, 5))


# The script Sample 345:
#
# | String(true) + String(false)
def sample_345(_state: State) -> Value:
    """The script Sample 345 of the design."""
    return text(True) + text(False)


# The script Sample 346:
#
# | String(Null())
def sample_346(_state: State) -> Value:
    """The script Sample 346 of the design."""
    return to_string(None)


# The script Sample 347:
#
# | String({1, 'a', {true}})
def sample_347(_state: State) -> Value:
    """The script Sample 347 of the design."""
    return to_string([1, "a", [True]])


# The script Sample 348:
#
# | d = Dict(); d['a'] = 'x'; d['b'] = 1; String(d)
def sample_348(_state: State) -> Value:
    """The script Sample 348 of the design."""
    d: dict[str, Value] = {}
    d["a"] = "x"
    d["b"] = 1
    return to_string(d)


# The script Sample 349:
#
# | String(Date('2018-12-25T12:30:00'))
def sample_349(_state: State) -> Value:
    """The script Sample 349 of the design."""
    return text(to_date("2018-12-25T12:30:00"))


# The script Sample 350:
#
# | String(HexToBinary('6162'))
def sample_350(_state: State) -> Value:
    """The script Sample 350 of the design."""
    return to_string(hex_to_binary("6162"))


# The script Sample 351:
#
# | String(HexToBinary('6100'))
def sample_351(_state: State) -> Value:
    """The script Sample 351 of the design."""
    return to_string(hex_to_binary("6100"))


# The script Sample 352:
#
# | StringToHex('abc')
def sample_352(_state: State) -> Value:
    """The script Sample 352 of the design."""
    return string_to_hex("abc")


# The script Sample 353:
#
# | StringToHex('é')
def sample_353(_state: State) -> Value:
    """The script Sample 353 of the design."""
    return string_to_hex("é")


# The script Sample 354:
#
# | String(Now())
def sample_354(state: State) -> Value:
    """The script Sample 354 of the design."""
    return text(state.now())


# The script Sample 355:
#
# | String(Now_())
def sample_355(state: State) -> Value:
    """The script Sample 355 of the design."""
    return text(state.now_with_milliseconds())


# The script Sample 356:
#
# | FormatDate(Now(), 'yyyy-mm-ddTHH:MM:SS')
def sample_356(state: State) -> Value:
    """The script Sample 356 of the design."""
    return format_date(state.now(), "yyyy-mm-ddTHH:MM:SS")


# The script Sample 357:
#
# | FormatDate('2018-12-05', 'm/d/yy')
def sample_357(_state: State) -> Value:
    """The script Sample 357 of the design."""
    return format_date("2018-12-05", "m/d/yy")


# The script Sample 358:
#
# | FormatDate('2018-12-25', 'dddd, mmmm d, yyyy')
def sample_358(_state: State) -> Value:
    """The script Sample 358 of the design."""
    return format_date("2018-12-25", "dddd, mmmm d, yyyy")


# The script Sample 359:
#
# | FormatDate('2018-12-25 15:05', 'ddd dd mmm hh:MM AM/PM')
def sample_359(_state: State) -> Value:
    """The script Sample 359 of the design."""
    return format_date("2018-12-25 15:05", "ddd dd mmm hh:MM AM/PM")


# The script Sample 360:
#
# | FormatDate(Double(Left('1478119530707', 10)), 'yyyy-mm-dd')
def sample_360(_state: State) -> Value:
    """The script Sample 360 of the design."""
    return format_date(to_double("1478119530707"[:10]), "yyyy-mm-dd")


# The script Sample 361:
#
# | FormatDate(Now_(), 'SS.fff')
def sample_361(state: State) -> Value:
    """The script Sample 361 of the design."""
    return format_date(state.now_with_milliseconds(), "SS.fff")


# The script Sample 362:
#
# | CVTDate('25.12.2018', 'dd.mm.yyyy', 'yyyy-mm-dd')
def sample_362(_state: State) -> Value:
    """The script Sample 362 of the design."""
    return cvt_date("25.12.2018", "dd.mm.yyyy", "yyyy-mm-dd")


# The script Sample 363:
#
# | CVTDate('20181225153005', 'yyyymmddHHMMSS', 'mm/dd/yyyy hh:MM AM/PM')
def sample_363(_state: State) -> Value:
    """The script Sample 363 of the design."""
    return cvt_date("20181225153005", "yyyymmddHHMMSS", "mm/dd/yyyy hh:MM AM/PM")


# The script Sample 364:
#
# | CVTDate('Dec 5, 18 3:05 PM', 'mmm d, yy h:MM AM/PM', 'yyyy-mm-dd HH:MM')
def sample_364(_state: State) -> Value:
    """The script Sample 364 of the design."""
    return cvt_date("Dec 5, 18 3:05 PM", "mmm d, yy h:MM AM/PM", "yyyy-mm-dd HH:MM")


# The script Sample 365:
#
# | CVTDate(Now(), '', 'yyyy')
def sample_365(state: State) -> Value:
    """The script Sample 365 of the design."""
    return cvt_date(state.now(), "", "yyyy")


# The script Sample 366:
#
# | CVTDate('x', 'dd', 'yyyy')
def sample_366(_state: State) -> Value:
    """The script Sample 366 of the design."""
    return cvt_date("x", "dd", "yyyy")


# The script Sample 367:
#
# | CVTDate('1', 'dd dd', 'yyyy')
def sample_367(_state: State) -> Value:
    """The script Sample 367 of the design."""
    return cvt_date("1", "dd dd", "yyyy")


# The script Sample 368:
#
# | DateAdd('dd', -3, '1/1/2007')
def sample_368(_state: State) -> Value:
    """The script Sample 368 of the design."""
    return date_add("dd", -3, "1/1/2007")


# The script Sample 369:
#
# | DateAdd('mm', 1, '2018-01-31')
def sample_369(_state: State) -> Value:
    """The script Sample 369 of the design."""
    return date_add("mm", 1, "2018-01-31")


# The script Sample 370:
#
# | DateAdd('yyyy', 1, '2020-02-29')
def sample_370(_state: State) -> Value:
    """The script Sample 370 of the design."""
    return date_add("yyyy", 1, "2020-02-29")


# The script Sample 371:
#
# | DateAdd('hh', 1, '2018-01-31 23:30')
def sample_371(_state: State) -> Value:
    """The script Sample 371 of the design."""
    return date_add("hh", 1, "2018-01-31 23:30")


# The script Sample 372:
#
# | DateAdd('week', 1, '2018-01-31')
def sample_372(_state: State) -> Value:
    """The script Sample 372 of the design."""
    return date_add("week", 1, "2018-01-31")


# The script Sample 373:
#
# | DateAdd('yyyy', 9999, '2018-01-31')
def sample_373(_state: State) -> Value:
    """The script Sample 373 of the design."""
    return date_add("yyyy", 9999, "2018-01-31")


# The script Sample 374:
#
# | DayOfMonth('2018-12-25')
def sample_374(_state: State) -> Value:
    """The script Sample 374 of the design."""
    return day_of_month("2018-12-25")


# The script Sample 375:
#
# | DayOfWeek('2018-12-25')
def sample_375(_state: State) -> Value:
    """The script Sample 375 of the design."""
    return day_of_week("2018-12-25")


# The script Sample 376:
#
# | DayOfWeek('2018-12-23')
def sample_376(_state: State) -> Value:
    """The script Sample 376 of the design."""
    return day_of_week("2018-12-23")


# The script Sample 377:
#
# | MonthOfYear('2018-12-25')
def sample_377(_state: State) -> Value:
    """The script Sample 377 of the design."""
    return month_of_year("2018-12-25")


# The script Sample 378:
#
# | LastDayOfMonth('2020-02-05')
def sample_378(_state: State) -> Value:
    """The script Sample 378 of the design."""
    return last_day_of_month("2020-02-05")


# The script Sample 379:
#
# | GeneralDate('2018-12-25T15:30:05')
def sample_379(_state: State) -> Value:
    """The script Sample 379 of the design."""
    return general_date("2018-12-25T15:30:05")


# The script Sample 380:
#
# | LongDate('2018-12-25')
def sample_380(_state: State) -> Value:
    """The script Sample 380 of the design."""
    return long_date("2018-12-25")


# The script Sample 381:
#
# | MediumDate('2018-12-25')
def sample_381(_state: State) -> Value:
    """The script Sample 381 of the design."""
    return medium_date("2018-12-25")


# The script Sample 382:
#
# | ShortDate('2018-12-05')
def sample_382(_state: State) -> Value:
    """The script Sample 382 of the design."""
    return short_date("2018-12-05")


# The script Sample 383:
#
# | LongTime('2018-12-25T00:30:05')
def sample_383(_state: State) -> Value:
    """The script Sample 383 of the design."""
    return long_time("2018-12-25T00:30:05")


# The script Sample 384:
#
# | MediumTime('2018-12-25T15:30:05')
def sample_384(_state: State) -> Value:
    """The script Sample 384 of the design."""
    return medium_time("2018-12-25T15:30:05")


# The script Sample 385:
#
# | ShortTime('2018-12-25T15:30:05')
def sample_385(_state: State) -> Value:
    """The script Sample 385 of the design."""
    return short_time("2018-12-25T15:30:05")


# The script Sample 386:
#
# | Ceiling(1.2)
def sample_386(_state: State) -> Value:
    """The script Sample 386 of the design."""
    return ceiling(1.2)


# The script Sample 387:
#
# | Ceiling(-1.2)
def sample_387(_state: State) -> Value:
    """The script Sample 387 of the design."""
    return ceiling(-1.2)


# The script Sample 388:
#
# | Floor(1.8)
def sample_388(_state: State) -> Value:
    """The script Sample 388 of the design."""
    return floor(1.8)


# The script Sample 389:
#
# | Floor(-1.2)
def sample_389(_state: State) -> Value:
    """The script Sample 389 of the design."""
    return floor(-1.2)


# The script Sample 390:
#
# | Exp(0)
def sample_390(_state: State) -> Value:
    """The script Sample 390 of the design."""
    return exp(0)


# The script Sample 391:
#
# | Exp(1000)
def sample_391(_state: State) -> Value:
    """The script Sample 391 of the design."""
    return exp(1000)


# The script Sample 392:
#
# | Log(1)
def sample_392(_state: State) -> Value:
    """The script Sample 392 of the design."""
    return log(1)


# The script Sample 393:
#
# | Log(0)
def sample_393(_state: State) -> Value:
    """The script Sample 393 of the design."""
    return log(0)


# The script Sample 394:
#
# | Log10(1000)
def sample_394(_state: State) -> Value:
    """The script Sample 394 of the design."""
    return log10(1000)


# The script Sample 395:
#
# | Sqrt(9)
def sample_395(_state: State) -> Value:
    """The script Sample 395 of the design."""
    return sqrt(9)


# The script Sample 396:
#
# | Sqrt(-1)
def sample_396(_state: State) -> Value:
    """The script Sample 396 of the design."""
    return sqrt(-1)


# The script Sample 397:
#
# | Pow(2, 10)
def sample_397(_state: State) -> Value:
    """The script Sample 397 of the design."""
    return pow_(2, 10)


# The script Sample 398:
#
# | Pow(2, 0.5)
def sample_398(_state: State) -> Value:
    """The script Sample 398 of the design."""
    return pow_(2, 0.5)


# The script Sample 399:
#
# | Pow(0, 0)
def sample_399(_state: State) -> Value:
    """The script Sample 399 of the design."""
    return pow_(0, 0)


# The script Sample 400:
#
# | Pow(10, 400)
def sample_400(_state: State) -> Value:
    """The script Sample 400 of the design."""
    return pow_(10, 400)


# The script Sample 401:
#
# | Mod(7, 3)
def sample_401(_state: State) -> Value:
    """The script Sample 401 of the design."""
    return mod(7, 3)


# The script Sample 402:
#
# | Mod(-7, 3)
def sample_402(_state: State) -> Value:
    """The script Sample 402 of the design."""
    return mod(-7, 3)


# The script Sample 403:
#
# | Mod(7, -3)
def sample_403(_state: State) -> Value:
    """The script Sample 403 of the design."""
    return mod(7, -3)


# The script Sample 404:
#
# | Mod(7, 0)
def sample_404(_state: State) -> Value:
    """The script Sample 404 of the design."""
    return mod(7, 0)


# The script Sample 405:
#
# | Mod(7.9, 2)
def sample_405(_state: State) -> Value:
    """The script Sample 405 of the design."""
    return mod(7.9, 2)


# The script Sample 406:
#
# | Round(2.345, 2)
def sample_406(_state: State) -> Value:
    """The script Sample 406 of the design."""
    return round_(2.345, 2)


# The script Sample 407:
#
# | Round(2.5)
def sample_407(_state: State) -> Value:
    """The script Sample 407 of the design."""
    return round_(2.5)


# The script Sample 408:
#
# | Round(-2.5)
def sample_408(_state: State) -> Value:
    """The script Sample 408 of the design."""
    return round_(-2.5)


# The script Sample 409:
#
# | Round(2, 2)
def sample_409(_state: State) -> Value:
    """The script Sample 409 of the design."""
    return round_(2, 2)


# The script Sample 410:
#
# | RoundToInt(2.5)
def sample_410(_state: State) -> Value:
    """The script Sample 410 of the design."""
    return round_to_int(2.5)


# The script Sample 411:
#
# | RoundToInt(2.4)
def sample_411(_state: State) -> Value:
    """The script Sample 411 of the design."""
    return round_to_int(2.4)


# The script Sample 412:
#
# | RoundToInt(-2.5)
def sample_412(_state: State) -> Value:
    """The script Sample 412 of the design."""
    return round_to_int(-2.5)


# The script Sample 413:
#
# | Base64Encode('abc')
def sample_413(state: State) -> Value:
    """The script Sample 413 of the design."""
    return state.base64_encode("abc")


# The script Sample 414:
#
# | Base64Encode(HexToBinary('00ff'))
def sample_414(state: State) -> Value:
    """The script Sample 414 of the design."""
    return state.base64_encode(hex_to_binary("00ff"))


# The script Sample 415:
#
# | Index(Base64Encode(RPad('', 60)), '\n')
def sample_415(state: State) -> Value:
    """The script Sample 415 of the design."""
    return index(state.base64_encode(r_pad("", 60)), "\n")


# The script Sample 416:
#
# | $jitterbit.base64.encoded.string.no.wrap = true; Index(Base64Encode(RPad('', 60)), '\n')
def sample_416(state: State) -> Value:
    """The script Sample 416 of the design.

    Writes jitterbit.base64.encoded.string.no.wrap.
    """
    state["jitterbit.base64.encoded.string.no.wrap"] = True
    return index(state.base64_encode(r_pad("", 60)), "\n")


# The script Sample 417:
#
# | Base64Decode('YWJj')
def sample_417(_state: State) -> Value:
    """The script Sample 417 of the design."""
    return base64_decode("YWJj")


# The script Sample 418:
#
# | Base64Decode('YW\nJj') + ''
def sample_418(_state: State) -> Value:
    """The script Sample 418 of the design."""
    return add(base64_decode("YW\nJj"), "")


# The script Sample 419:
#
# | Base64Decode('?')
def sample_419(_state: State) -> Value:
    """The script Sample 419 of the design."""
    return base64_decode("?")


# The script Sample 420:
#
# | MD5('abc')
def sample_420(_state: State) -> Value:
    """The script Sample 420 of the design."""
    return md5("abc")


# The script Sample 421:
#
# | Left(SHA256('abc'), 16)
def sample_421(_state: State) -> Value:
    """The script Sample 421 of the design."""
    return sha256("abc")[:16]


# The script Sample 422:
#
# | "n=" + 5 + " ok=" + true + " no=" + false
def sample_422(_state: State) -> Value:
    """The script Sample 422 of the design."""
    return "n=" + "5" + " ok=" + text(True) + " no=" + text(False)


# The script Sample 423:
#
# | 1 + 2 + "a" + 1 + 2
def sample_423(_state: State) -> Value:
    """The script Sample 423 of the design."""
    return str(1 + 2) + "a" + "1" + "2"


# The script Sample 424:
#
# | If(Null()==Null(), "eq", If(IsNull($never), "isnull", "?")) + $never + "."
def sample_424(state: State) -> Value:
    """The script Sample 424 of the design.

    Reads never.
    """
    return add(
        "eq" if equals(None, None) else "isnull" if state["never"] is None else "?", state["never"], "."
    )


# The script Sample 425:
#
# | String("abc"==0) + String("1234x"==1234) + String("10"<"9") + String("10"<9)
def sample_425(_state: State) -> Value:
    """The script Sample 425 of the design."""
    return text(equals("abc", 0)) + text(equals("1234x", 1234)) + text("9" > "10") + text(less("10", 9))


# The script Sample 426:
#
# | true || false && false
def sample_426(_state: State) -> Value:
    """The script Sample 426 of the design."""
    return True


# The script Sample 427:
#
# | $n=0; false && ($n=1); true || ($n=2); $n
def sample_427(state: State) -> Value:
    """The script Sample 427 of the design.

    Reads n.
    Writes n.
    """
    state["n"] = 0
    return state["n"]


# The script Sample 428:
#
# | $a="";$b=""; If(1==1, $a="t"; $b="u"; , $a="f";); $a+$b
def sample_428(state: State) -> Value:
    """The script Sample 428 of the design.

    Reads a, b.
    Writes a, b.
    """
    state["a"] = ""
    state["b"] = ""
    if equals(1, 1):
        state["a"] = "t"
        state["b"] = "u"
    else:
        state["a"] = "f"
    return add(state["a"], state["b"])


# The script Sample 429:
#
# | $function_name="b"; CASE($function_name=="a", "A", $function_name=="b", $s="hit"; "B", true, "unknown") +
# >  $s
def sample_429(state: State) -> Value:
    """The script Sample 429 of the design.

    Reads function_name, s.
    Writes function_name, s.
    """
    state["function_name"] = "b"
    if equals(state["function_name"], "a"):
        value = "A"
    elif equals(state["function_name"], "b"):
        state["s"] = "hit"
        value = "B"
    else:
        value = "unknown"
    return add(value, state["s"])


# The script Sample 430:
#
# | $i=0; $go=true; max=5; while($go==true && $i<max, $i=$i+1; If($i==3, $go=false);); $i
def sample_430(state: State) -> Value:
    """The script Sample 430 of the design.

    Reads go, i.
    Writes go, i.
    """
    state["i"] = 0
    state["go"] = True
    max_ = 5
    iterations = state.iterations()
    while equals(state["go"], True) and less(state["i"], max_):
        iterations.count()
        state["i"] = add(state["i"], 1)
        if equals(state["i"], 3):
            state["go"] = False
    return state["i"]


# The script Sample 431:
#
# | j='{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}]}]}'; GetJSONString(j,"/company/[0]/p/[1]/t") +
# >  GetJSONString(j,"/company/0/p/1/t")
def sample_431(state: State) -> Value:
    """The script Sample 431 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}]}]}'
    return state.get_json_string(j, "/company/[0]/p/[1]/t") + state.get_json_string(j, "/company/0/p/1/t")


# The script Sample 432:
#
# | j='{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}]}]}'; GetJSONString(j,"/company/[0]/employees")
def sample_432(state: State) -> Value:
    """The script Sample 432 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}]}]}'
    return state.get_json_string(j, "/company/[0]/employees")


# The script Sample 433:
#
# | j='{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}]}]}'; GetJSONString(j,"/company/[1]")
def sample_433(state: State) -> Value:
    """The script Sample 433 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}]}]}'
    return state.get_json_string(j, "/company/[1]")


# The script Sample 434:
#
# | j='{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}]}]}'; GetJSONStringEx(j,"/nope","null")
def sample_434(state: State) -> Value:
    """The script Sample 434 of the design."""
    j = '{"company":[{"name":"J","p":[{"t":"x"},{"t":"y"}]}]}'
    return state.get_json_string_ex(j, "/nope", "null")


# The script Sample 435:
#
# | d=Dict(); d["ok"]=true; d["n"]=3; d["z"]=Null(); JSONStringify(d)
def sample_435(_state: State) -> Value:
    """The script Sample 435 of the design."""
    d: dict[str, Value] = {}
    d["ok"] = True
    d["n"] = 3
    d["z"] = None
    return json_stringify(d)


# The script Sample 436:
#
# | RaiseError("boom"); "after"
def sample_436(state: State) -> None:
    """The script Sample 436 of the design."""
    raise state.error("boom")


# The script Sample 437:
#
# | Eval(RaiseError("boom"),"caught") + GetLastError()
def sample_437(state: State) -> Value:
    """The script Sample 437 of the design."""
    try:
        raise state.error("boom")
    except ScriptError as error:
        state.catch(error)
        value = "caught"
    return value + state.get_last_error()


# The script Sample 438:
#
# | $jitterbit.scripting.while.max_iterations=10; $i=0; While(true,$i++)
def sample_438(state: State) -> None:
    """The script Sample 438 of the design.

    Reads i.
    Writes i, jitterbit.scripting.while.max_iterations.
    """
    state["jitterbit.scripting.while.max_iterations"] = 10
    state["i"] = 0
    iterations = state.iterations()
    while True:
        iterations.count()
        state["i"] = increased(state["i"])


# The script Sample 439:
#
# | TrimChars("\"\"hi\" he said\"", "\"")
def sample_439(_state: State) -> Value:
    """The script Sample 439 of the design."""
    return '""hi" he said"'.strip('"')


# The script Sample 440:
#
# | "{\"c\":\"" + Replace("say \"x\"\nnext", "\"", "\\\"") + "\"}"
def sample_440(_state: State) -> Value:
    """The script Sample 440 of the design."""
    return '{"c":"' + 'say "x"\nnext'.replace('"', '\\"') + '"}'


# The script Sample 441:
#
# | <trans> 1 + 1 </trans>
def sample_441(_state: State) -> Value:
    """The script Sample 441 of the design."""
    return 1 + 1


# The script Sample 442:
#
# | // before
# | <TRANS>
# | 5
# | </Trans>  // after
def sample_442(_state: State) -> Value:
    """The script Sample 442 of the design."""
    # before
    return 5
    # after


# The script Sample 443:
#
# | // before
# | <trans>
# | 5
# | </trans>  // after
def sample_443(_state: State) -> Value:
    """The script Sample 443 of the design."""
    # before
    return 5
    # after


# The script Sample 444:
#
# | 1; // a comment
# |  2 /* and
# |  one of two lines */ ; 3 // the last
def sample_444(_state: State) -> Value:
    """The script Sample 444 of the design."""
    # a comment
    # and
    # one of two lines
    # the last
    return 3


# The script Sample 445:
#
# | 'http://x' /* // */ + '/*'
def sample_445(_state: State) -> Value:
    """The script Sample 445 of the design."""
    # //
    return "http://x" + "/*"


# The script Sample 446:
#
# |  "a\tb\n\"c\" \\ \' \q"
def sample_446(_state: State) -> Value:
    """The script Sample 446 of the design."""
    return 'a\tb\n"c" \\ \' \\q'


# The script Sample 447:
#
# |  'it\'s "so"'
def sample_447(_state: State) -> Value:
    """The script Sample 447 of the design."""
    return 'it\'s "so"'


# The script Sample 448:
#
# | "two
# | lines"
def sample_448(_state: State) -> Value:
    """The script Sample 448 of the design."""
    return "two\nlines"


# The script Sample 449:
#
# | 'one
# | line'
def sample_449(_state: State) -> Value:
    """The script Sample 449 of the design."""
    return "oneline"


# The script Sample 450:
#
# | 12
def sample_450(_state: State) -> Value:
    """The script Sample 450 of the design."""
    return 12


# The script Sample 451:
#
# | 12.
def sample_451(_state: State) -> Value:
    """The script Sample 451 of the design."""
    return 12


# The script Sample 452:
#
# | .5
def sample_452(_state: State) -> Value:
    """The script Sample 452 of the design."""
    return 0.5


# The script Sample 453:
#
# | TRUE && !False
def sample_453(_state: State) -> Value:
    """The script Sample 453 of the design."""
    return True


# The script Sample 454:
#
# | $gpt.registeredTools = 'x'; $gpt.registeredTools
def sample_454(state: State) -> Value:
    """The script Sample 454 of the design.

    Reads gpt.registeredTools.
    Writes gpt.registeredTools.
    """
    state["gpt.registeredTools"] = "x"
    return state["gpt.registeredTools"]


# The script Sample 455:
#
# | größe = 1; größe
def sample_455(_state: State) -> Value:
    """The script Sample 455 of the design."""
    return 1


# The script Sample 456:
#
# | RunOperation(<TAG>operation:X</TAG>)
def sample_456(state: State) -> Value:
    """The script Sample 456 of the design.

    Runs X.
    """
    return state.run_operation("X")


def sample_458(_state: State) -> None:
    """The script Sample 458 of the design."""
    pass


# The script Sample 459:
#
# | ;;
def sample_459(_state: State) -> None:
    """The script Sample 459 of the design."""
    pass


# The script Sample 460:
#
# | 1;
def sample_460(_state: State) -> Value:
    """The script Sample 460 of the design."""
    return 1


# The script Sample 461:
#
# | 1 + 2 * 3
def sample_461(_state: State) -> Value:
    """The script Sample 461 of the design."""
    return add(1, 2 * 3)


# The script Sample 462:
#
# | (1 + 2) * 3
def sample_462(_state: State) -> Value:
    """The script Sample 462 of the design."""
    return multiply(1 + 2, 3)


# The script Sample 463:
#
# | 2 ^ 3 ^ 2
def sample_463(_state: State) -> Value:
    """The script Sample 463 of the design."""
    return power(power(2, 3), 2)


# The script Sample 464:
#
# | -2 ^ 2
def sample_464(_state: State) -> Value:
    """The script Sample 464 of the design."""
    return power(-2, 2)


# The script Sample 465:
#
# | !false == true
def sample_465(_state: State) -> Value:
    """The script Sample 465 of the design."""
    return True


# The script Sample 466:
#
# | !1 + 1
def sample_466(_state: State) -> Value:
    """The script Sample 466 of the design."""
    return add(not truth(1), 1)


# The script Sample 467:
#
# | 1 < 2 == true
def sample_467(_state: State) -> Value:
    """The script Sample 467 of the design."""
    return 2 > 1


# The script Sample 468:
#
# | 2 * 3 ^ 2
def sample_468(_state: State) -> Value:
    """The script Sample 468 of the design."""
    return multiply(2, power(3, 2))


# The script Sample 469:
#
# | 7 / 2
def sample_469(_state: State) -> Value:
    """The script Sample 469 of the design."""
    return divide(7, 2)


# The script Sample 470:
#
# | 6 / 2
def sample_470(_state: State) -> Value:
    """The script Sample 470 of the design."""
    return divide(6, 2)


# The script Sample 471:
#
# | 0.1 + 0.2
def sample_471(_state: State) -> Value:
    """The script Sample 471 of the design."""
    return add(0.1, 0.2)


# The script Sample 472:
#
# | 10 - 2 - 3
def sample_472(_state: State) -> Value:
    """The script Sample 472 of the design."""
    return 10 - 2 - 3


# The script Sample 473:
#
# | 2 ^ 62
def sample_473(_state: State) -> Value:
    """The script Sample 473 of the design."""
    return power(2, 62)


# The script Sample 474:
#
# | 2 ^ 64
def sample_474(_state: State) -> Value:
    """The script Sample 474 of the design."""
    return power(2, 64)


# The script Sample 475:
#
# | 2 ^ 0.5
def sample_475(_state: State) -> Value:
    """The script Sample 475 of the design."""
    return power(2, 0.5)


# The script Sample 476:
#
# | 1 / 0
def sample_476(_state: State) -> Value:
    """The script Sample 476 of the design."""
    return divide(1, 0)


# The script Sample 477:
#
# | 10 ^ 400
def sample_477(_state: State) -> Value:
    """The script Sample 477 of the design."""
    return power(10, 400)


# The script Sample 478:
#
# | '5' + 1
def sample_478(_state: State) -> Value:
    """The script Sample 478 of the design."""
    return "5" + "1"


# The script Sample 479:
#
# | '5' * 2
def sample_479(_state: State) -> Value:
    """The script Sample 479 of the design."""
    return multiply("5", 2)


# The script Sample 480:
#
# | true + 1
def sample_480(_state: State) -> Value:
    """The script Sample 480 of the design."""
    return add(True, 1)


# The script Sample 481:
#
# | Null() + 5
def sample_481(_state: State) -> Value:
    """The script Sample 481 of the design."""
    return add(None, 5)


# The script Sample 482:
#
# | Null() + 'x'
def sample_482(_state: State) -> Value:
    """The script Sample 482 of the design."""
    return add(None, "x")


# The script Sample 483:
#
# | Null() - 5
def sample_483(_state: State) -> Value:
    """The script Sample 483 of the design."""
    return subtract(None, 5)


# The script Sample 484:
#
# | 5 * Null()
def sample_484(_state: State) -> Value:
    """The script Sample 484 of the design."""
    return multiply(5, None)


# The script Sample 485:
#
# | 5 / Null()
def sample_485(_state: State) -> Value:
    """The script Sample 485 of the design."""
    return divide(5, None)


# The script Sample 486:
#
# | -'5x'
def sample_486(_state: State) -> Value:
    """The script Sample 486 of the design."""
    return minus("5x")


# The script Sample 487:
#
# | -Null()
def sample_487(_state: State) -> Value:
    """The script Sample 487 of the design."""
    return minus(None)


# The script Sample 488:
#
# | a = b = 3; a + b
def sample_488(_state: State) -> Value:
    """The script Sample 488 of the design."""
    b = 3
    a = b
    return a + b


# The script Sample 489:
#
# | a = 1; a += 2; a -= '1'
def sample_489(_state: State) -> Value:
    """The script Sample 489 of the design."""
    a = 1
    a = a + 2
    return subtract(a, "1")


# The script Sample 490:
#
# | a = 'x'; a += 1; a
def sample_490(_state: State) -> Value:
    """The script Sample 490 of the design."""
    a = "x"
    return a + "1"


# The script Sample 491:
#
# | $n += 5; $n
def sample_491(state: State) -> Value:
    """The script Sample 491 of the design.

    Reads n.
    Writes n.
    """
    state["n"] = add(state["n"], 5)
    return state["n"]


# The script Sample 492:
#
# | a = 1; b = a++; b + ':' + a
def sample_492(_state: State) -> Value:
    """The script Sample 492 of the design."""
    a = 1
    value = a
    a = a + 1
    b = value
    return str(b) + ":" + str(a)


# The script Sample 493:
#
# | a = 1; b = ++a; b + ':' + a
def sample_493(_state: State) -> Value:
    """The script Sample 493 of the design."""
    a = 1
    b = (a := a + 1)
    return str(b) + ":" + str(a)


# The script Sample 494:
#
# | a = 1; b = a; b++; a
def sample_494(_state: State) -> Value:
    """The script Sample 494 of the design."""
    a = 1
    b = a
    b = b + 1
    return a


# The script Sample 495:
#
# | s = '5'; s--; s
def sample_495(_state: State) -> Value:
    """The script Sample 495 of the design."""
    s: Value = "5"
    return decreased(s)


# The script Sample 496:
#
# | a = {1}; a[0]++; a
def sample_496(state: State) -> Value:
    """The script Sample 496 of the design."""
    a: list[Value] = [1]
    state.with_element(a, increased(state.element(a, 0)), 0)
    return a


# The script Sample 497:
#
# | $never++
def sample_497(state: State) -> Value:
    """The script Sample 497 of the design.

    Reads never.
    Writes never.
    """
    value = state["never"]
    state["never"] = increased(state["never"])
    return value


# The script Sample 498:
#
# | 1 & 0 | 1
def sample_498(_state: State) -> Value:
    """The script Sample 498 of the design."""
    return (truth(1) and truth(0)) or truth(1)


# The script Sample 499:
#
# | '' == false
def sample_499(_state: State) -> Value:
    """The script Sample 499 of the design."""
    return equals("", False)


# The script Sample 500:
#
# | '1' == true
def sample_500(_state: State) -> Value:
    """The script Sample 500 of the design."""
    return equals("1", True)


# The script Sample 501:
#
# | 'abc' == true
def sample_501(_state: State) -> Value:
    """The script Sample 501 of the design."""
    return equals("abc", True)


# The script Sample 502:
#
# | true == 2
def sample_502(_state: State) -> Value:
    """The script Sample 502 of the design."""
    return equals(True, 2)


# The script Sample 503:
#
# | true < 2
def sample_503(_state: State) -> Value:
    """The script Sample 503 of the design."""
    return less(True, 2)


# The script Sample 504:
#
# | true < false
def sample_504(_state: State) -> Value:
    """The script Sample 504 of the design."""
    return less(True, False)


# The script Sample 505:
#
# | Null() != 1
def sample_505(_state: State) -> Value:
    """The script Sample 505 of the design."""
    return differs(None, 1)


# The script Sample 506:
#
# | Null() < 1
def sample_506(_state: State) -> Value:
    """The script Sample 506 of the design."""
    return less(None, 1)


# The script Sample 507:
#
# | 'b' > 'a'
def sample_507(_state: State) -> Value:
    """The script Sample 507 of the design."""
    return "a" < "b"


# The script Sample 508:
#
# | '1.50' == 1.5
def sample_508(_state: State) -> Value:
    """The script Sample 508 of the design."""
    return equals("1.50", 1.5)


# The script Sample 509:
#
# | '2' == '2.0'
def sample_509(_state: State) -> Value:
    """The script Sample 509 of the design."""
    return equals("2", "2.0")


# The script Sample 510:
#
# | Dict() == 1
def sample_510(_state: State) -> Value:
    """The script Sample 510 of the design."""
    return compare({}, "==", 1)


# The script Sample 511:
#
# | Dict() < 1
def sample_511(_state: State) -> Value:
    """The script Sample 511 of the design."""
    return compare({}, "<", 1)


# The script Sample 512:
#
# | Date('2018-12-25') - Date('2018-12-24')
def sample_512(_state: State) -> Value:
    """The script Sample 512 of the design."""
    return subtract(to_date("2018-12-25"), to_date("2018-12-24"))


# The script Sample 513:
#
# | String(Date('2018-12-25') + 60)
def sample_513(_state: State) -> Value:
    """The script Sample 513 of the design."""
    return to_string(add(to_date("2018-12-25"), 60))


# The script Sample 514:
#
# | Date('2018-12-25') > Date('2018-12-24')
def sample_514(_state: State) -> Value:
    """The script Sample 514 of the design."""
    return greater(to_date("2018-12-25"), to_date("2018-12-24"))


# The script Sample 515:
#
# | {1, 2} + 1
def sample_515(_state: State) -> Value:
    """The script Sample 515 of the design."""
    return add([1, 2], 1)


# The script Sample 516:
#
# | {1, 2} + {3, 4}
def sample_516(_state: State) -> Value:
    """The script Sample 516 of the design."""
    return add([1, 2], [3, 4])


# The script Sample 517:
#
# | {1, 2} == {1, 3}
def sample_517(_state: State) -> Value:
    """The script Sample 517 of the design."""
    return compare([1, 2], "==", [1, 3])


# The script Sample 518:
#
# | '#' + {1, 'a'}
def sample_518(_state: State) -> Value:
    """The script Sample 518 of the design."""
    return add("#", [1, "a"])


# The script Sample 519:
#
# | {1, 2} + {1}
def sample_519(_state: State) -> Value:
    """The script Sample 519 of the design."""
    return add([1, 2], [1])


# The script Sample 520:
#
# | !{1, 0}
def sample_520(_state: State) -> Value:
    """The script Sample 520 of the design."""
    return negate([1, 0])


# The script Sample 521:
#
# | a = {1}; b = a; b[0] = 2; a
def sample_521(state: State) -> Value:
    """The script Sample 521 of the design."""
    a: list[Value] = [1]
    b: list[Value] = a
    state.with_element(b, 2, 0)
    return a


# The script Sample 522:
#
# | {1, {2, 'x'}}[1][1]
def sample_522(state: State) -> Value:
    """The script Sample 522 of the design."""
    return state.element([1, [2, "x"]], 1, 1)


# The script Sample 523:
#
# | a = Array(); a[2] = 'x'; a
def sample_523(state: State) -> Value:
    """The script Sample 523 of the design."""
    a: list[Value] = []
    state.with_element(a, "x", 2)
    return a


# The script Sample 524:
#
# | $a[-1] = 1; $a[-1] = 2; $a
def sample_524(state: State) -> Value:
    """The script Sample 524 of the design.

    Reads a.
    Writes a.
    """
    state.set_element("a", 1, -1)
    state.set_element("a", 2, -1)
    return state["a"]


# The script Sample 525:
#
# | $a[1][0] = 'x'; $a
def sample_525(state: State) -> Value:
    """The script Sample 525 of the design.

    Reads a.
    Writes a.
    """
    state.set_element("a", "x", 1, 0)
    return state["a"]


# The script Sample 526:
#
# | {1, 2}[5]
def sample_526(state: State) -> Value:
    """The script Sample 526 of the design."""
    return state.element([1, 2], 5)


# The script Sample 527:
#
# | {1, 2}[-1]
def sample_527(state: State) -> Value:
    """The script Sample 527 of the design."""
    return state.element([1, 2], -1)


# The script Sample 528:
#
# | {1}['0']
def sample_528(state: State) -> Value:
    """The script Sample 528 of the design."""
    return state.element([1], "0")


# The script Sample 529:
#
# | a = {}; a['k'] = 1; a
def sample_529(state: State) -> Value:
    """The script Sample 529 of the design."""
    a: list[Value] = []
    state.with_element(a, 1, "k")
    return a


# The script Sample 530:
#
# | $d['k'] = 1
def sample_530(state: State) -> Value:
    """The script Sample 530 of the design.

    Reads d.
    Writes d.
    """
    state.set_element("d", 1, "k")
    return 1


# The script Sample 531:
#
# | Dict()['k']
def sample_531(state: State) -> Value:
    """The script Sample 531 of the design."""
    return state.element({}, "k")


# The script Sample 532:
#
# | $never[0]
def sample_532(state: State) -> Value:
    """The script Sample 532 of the design.

    Reads never.
    """
    return state.element(state["never"], 0)


# The script Sample 533:
#
# | 'abc'[0]
def sample_533(state: State) -> Value:
    """The script Sample 533 of the design."""
    return state.element("abc", 0)


# The script Sample 535:
#
# | _1
def sample_535(state: State) -> Value:
    """The script Sample 535 of the design."""
    return state.argument(1)


# The script Sample 537:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $list = {Double(Dict()), $y}; $list[0]++;
# | i = 0; While(i < 2, i = i + 1; a = a + i; $x = $x + 1);
# | "true";
# | $list[-(Get('x'))] = ("" >= Eval("a", $y));
# | a = (a = (a + b))
def sample_537(state: State) -> Value:
    """The script Sample 537 of the design.

    Reads list, x, y.
    Writes list, x.
    """
    a: Value = "text"
    b = 1
    i = 0
    state["list"] = [to_double({}), state["y"]]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    i = 0
    iterations = state.iterations()
    while i < 2:
        iterations.count()
        i = i + 1
        a = add(a, i)
        state["x"] = add(state["x"], 1)
    try:
        value: Value = "a"
    except ScriptError as error:
        state.catch(error)
        value = state["y"]
    state.set_element("list", compare("", ">=", value), minus(state["x"]))
    return add(a, b)


# The script Sample 538:
#
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $d = Dict(); $d['k'] = $y;
# | $list = {Length((--$x) + 1.5), If(false, a = a; Eval($x = 7; a, "a"), "")}; $list[0]++;
# | $list = {($x = Length("10" + maxCount)), "a"}; $list[0]++
def sample_538(state: State) -> Value:
    """The script Sample 538 of the design.

    Reads d, list, x, y.
    Writes d, list, x.
    """
    max_count = True
    state["d"] = {}
    state.set_element("d", state["y"], "k")
    value = length(add(state.assign("x", decreased(state["x"])), 1.5))
    state["list"] = [value, ""]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    state["list"] = [state.assign("x", len("10" + text(max_count))), "a"]
    value_2 = state.element(state["list"], 0)
    value_3 = increased(value_2)
    state.set_element("list", value_3, 0)
    return value_2


# The script Sample 540:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | maxCount = Dict(); maxCount['k'] = {1, 2}[0]; maxCount['k']++;
# | b = b++;
# | RaiseError(GetName($x))
def sample_540(state: State) -> None:
    """The script Sample 540 of the design."""
    b = 1
    max_count: Value = True
    max_count = {}
    max_count = state.with_element(max_count, state.element([1, 2], 0), "k")
    max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    value = b
    b = b + 1
    b = value
    raise state.error("x")


# The script Sample 541:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | WriteToOperationLog(WriteToOperationLog(0));
# | $y = Eval("a", a = a + a; TrimChars(TrimChars("a", 'a'), 'a'));
# | ArgumentList(a, maxCount)
def sample_541(state: State) -> None:
    """The script Sample 541 of the design.

    Writes y.
    """
    a: Value = "text"
    state.write_to_operation_log(state.write_to_operation_log(0))
    try:
        state["y"] = "a"
    except ScriptError as error:
        state.catch(error)
        a = add(a, a)
        state["y"] = "a".strip("a").strip("a")
    a = state.argument(1)


# The script Sample 542:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | (maxCount = IsValid(1.5 / 2));
# | $order.id = (true || GetJSONString('{"p":[{"q":"w"},2]}', '/' + a));
# | a += _1;
# | Case(true, If(true, $x = 1.5), true, $list[Length(b)] = false);
# | a += b;
# | WriteToOperationLog((a = "true"))
def sample_542(state: State) -> Value:
    """The script Sample 542 of the design.

    Writes order.id, x.
    """
    a: Value
    a = "text"
    b = 1
    try:
        divide(1.5, 2)
    except ScriptError as error:
        state.catch(error)
    state["order.id"] = True
    a = add(a, state.argument(1))
    state["x"] = 1.5
    a = add(a, b)
    return state.write_to_operation_log(a := "true")


# The script Sample 543:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Set('list', TrimChars((--$x), 'a'), -1);
# | $list = {Length(GetLastError() + $y), "a"}; $list[0]++;
# | maxCount = Array(); maxCount[-1] = (Mod(7, b) > $never); Set('y', "10");
# | $list = {IfNull(Replace("true", "10", $y), 1), Trim(Mid(a, 1.5, 1))}; $list[0]++;
# | b++;
# | $order.id = true
def sample_543(state: State) -> Value:
    """The script Sample 543 of the design.

    Reads list, never, x, y.
    Writes list, order.id, x, y.
    """
    a = "text"
    b = 1
    max_count: Value = True
    state.set("list", text(state.assign("x", decreased(state["x"]))).strip("a"), -1)
    state["list"] = [length(add(state.get_last_error(), state["y"])), "a"]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    max_count = []
    max_count = state.with_element(max_count, compare(mod(7, b), ">", state["never"]), -1)
    state["y"] = "10"
    state["list"] = [if_null(replace("true", "10", state["y"]), 1), trim(mid(a, 1.5, 1))]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    b = b + 1
    state["order.id"] = True
    return True


# The script Sample 544:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b = b + $x;
# | $y = $y;
# | --$x;
# | b = Index(Set('y', ""), (a + 0))
def sample_544(state: State) -> Value:
    """The script Sample 544 of the design.

    Reads x, y.
    Writes x, y.
    """
    a = "text"
    b: Value = 1
    b = add(b, state["x"])
    state["y"] = state["y"]
    state["x"] = decreased(state["x"])
    return index(state.assign("y", ""), a + "0")


# The script Sample 545:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(maxCount, If($x, --$x));
# | $y = Eval(JSONStringify(Dict()), Eval(a = $y = a, b = 1); WriteToOperationLog(IfNull(maxCount, 1)));
# | Set('list', Set('y', String(1)), -1)
def sample_545(state: State) -> Value:
    """The script Sample 545 of the design.

    Reads list, x, y.
    Writes list, x, y.
    """
    a: Value = "text"
    max_count = True
    if max_count and truth(state["x"]):
        state["x"] = decreased(state["x"])
    try:
        state["y"] = json_stringify({})
    except ScriptError as error:
        state.catch(error)
        try:
            state["y"] = a
            a = state["y"]
        except ScriptError as error:
            state.catch(error)
        state["y"] = state.write_to_operation_log(if_null(max_count, 1))
    return state.set("list", state.assign("y", text(1)), -1)


# The script Sample 546:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | AddToDict($d, 'k', $d);
# | If(maxCount, If(Split((a = $order.id), ' '), $x = b++));
# | Case((GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q') != $y), $y = Eval(Replace(Null(), 'a', "a"), b = 0;
# >  Left(_2, 2)), !Length("10" + true), $order.id = Length("10"));
# | $x = $x + 1;
# | $list[InList(Left(_1, 2), 1, GetJSONString('{"p":[{"q":"w"},2]}', '/' + ""))] = $y
def sample_546(state: State) -> Value:
    """The script Sample 546 of the design.

    Reads d, list, order.id, x, y.
    Writes d, list, order.id, x, y.
    """
    b = 1
    max_count = True
    add_to_dict(state.dictionary("d"), "k", state["d"])
    if max_count and truth(split(state["order.id"], " ")):
        value = b
        b = b + 1
        state["x"] = value
    if differs(state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q"), state["y"]):
        try:
            state["y"] = replace(None, "a", "a")
        except ScriptError as error:
            state.catch(error)
            b = 0
            state["y"] = text(state.argument(2))[:2]
    elif len("10" + text(True)) == 0:
        state["order.id"] = len("10")
    state["x"] = add(state["x"], 1)
    state.set_element(
        "list",
        state["y"],
        in_list(text(state.argument(1))[:2], 1, state.get_json_string('{"p":[{"q":"w"},2]}', "/" + "")),
    )
    return state["y"]


# The script Sample 547:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b = Length(TrimChars("x y", 'a'));
# | b = 1.5;
# | b = If(true, b + 1, b);
# | AddToDict($d, Set('y', If(maxCount, a, "")), Null());
# | a = $y = Trim((maxCount || {1, 2}));
# | b = b++
def sample_547(state: State) -> Value:
    """The script Sample 547 of the design.

    Reads d, y.
    Writes d, y.
    """
    a: Value = "text"
    b: Value = 1
    max_count = True
    b = len("x y".strip("a"))
    b = 1.5
    b = add(b, 1)
    add_to_dict(state.dictionary("d"), state.assign("y", a if max_count else ""), None)
    state["y"] = trim(max_count or truth([1, 2]))
    a = state["y"]
    value = b
    b = increased(b)
    return value


# The script Sample 548:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(true, $list[1][0] = ($list)[-1]);
# | b++;
# | b -= 1;
# | Set('y', If("", $order.id = $y; Left("a", 2), JSONStringify(i)));
# | If((true == !maxCount), a = a + a; $x = 1.5, i = 0; While(i < 2, i = i + 1; a = a + i; b = b + a))
def sample_548(state: State) -> Value:
    """The script Sample 548 of the design.

    Reads list, y.
    Writes list, order.id, x, y.
    """
    a: Value = "text"
    b: Value = 1
    max_count = True
    i = 0
    state.set_element("list", state.element(state["list"], -1), 1, 0)
    b = increased(b)
    b = subtract(b, 1)
    if truth(""):
        state["order.id"] = state["y"]
        value = "a"[:2]
    else:
        value = json_stringify(i)
    state["y"] = value
    if not max_count:
        a = add(a, a)
        state["x"] = 1.5
        return 1.5

    i = 0
    iterations = state.iterations()
    while i < 2:
        iterations.count()
        i = i + 1
        a = add(a, i)
        b = add(b, a)
    return None


# The script Sample 551:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | AddToDict($d, 'k', $d);
# | maxCount = Array(); maxCount[-1] = -1; Trim(_2)
def sample_551(state: State) -> Value:
    """The script Sample 551 of the design.

    Reads d.
    Writes d.
    """
    max_count: Value = True
    add_to_dict(state.dictionary("d"), "k", state["d"])
    max_count = []
    max_count = state.with_element(max_count, -1, -1)
    return trim(state.argument(2))


# The script Sample 552:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = "";
# | a = If(false, b, 1.5);
# | Set('y', $y)
def sample_552(state: State) -> Value:
    """The script Sample 552 of the design.

    Reads y.
    Writes y.
    """
    state["y"] = state["y"]
    return state["y"]


# The script Sample 554:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Eval(Set('y', Left($y, Length("10") - 1)), a = GetJSONString('{"p":[{"q":"w"},2]}', '/' + $y));
# | Set('y', IfEmpty("", $y));
# | b = b + Get('x');
# | --$x;
# | If(RunScript('<TAG>script:Echo</TAG>', "10"), i = 0; While(i < 2, i = i + 1; a = a + i; a = $y = _1););
# | b = b + (b++)
def sample_554(state: State) -> Value:
    """The script Sample 554 of the design.

    Reads x, y.
    Writes x, y.
    Runs Echo.
    """
    a: Value = "text"
    b: Value = 1
    i = 0
    try:
        state["y"] = left(state["y"], len("10") - 1)
    except ScriptError as error:
        state.catch(error)
        a = state.get_json_string('{"p":[{"q":"w"},2]}', add("/", state["y"]))
    state["y"] = if_empty("", state["y"])
    b = add(b, state["x"])
    state["x"] = decreased(state["x"])
    if truth(state.run_script("Echo", "10")):
        i = 0
        iterations = state.iterations()
        while i < 2:
            iterations.count()
            i = i + 1
            a = add(a, i)
            state["y"] = state.argument(1)
            a = state["y"]
    value = b
    value_2 = b
    b = increased(b)
    return add(value, value_2)


# The script Sample 555:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $order.id = $order.id;
# | i = 0; i++; ++i;
# | RaiseError(JSONStringify(maxCount))
def sample_555(state: State) -> None:
    """The script Sample 555 of the design.

    Reads order.id.
    Writes order.id.
    """
    max_count = True
    i = 0
    state["order.id"] = state["order.id"]
    i = 0
    i = i + 1
    i = i + 1
    raise state.error(json_stringify(max_count))


# The script Sample 556:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | c = {"a"}; c = ""; $x = c;
# | ("true" + (false && maxCount) + Double(_1))
def sample_556(state: State) -> Value:
    """The script Sample 556 of the design.

    Writes x.
    """
    c: Value = ["a"]
    c = ""
    state["x"] = c
    return "true" + text(False) + text(to_double(state.argument(1)))


# The script Sample 557:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Mid(a, b, 1);
# | b = b++;
# | maxCount = Dict(); maxCount['k'] = Dict(); maxCount['k']++
def sample_557(state: State) -> Value:
    """The script Sample 557 of the design."""
    a = "text"
    b = 1
    max_count: Value = True
    mid(a, b, 1)
    value = b
    b = b + 1
    b = value
    max_count = {}
    max_count = state.with_element(max_count, {}, "k")
    value_2 = state.element(max_count, "k")
    value_3 = increased(value_2)
    max_count = state.with_element(max_count, value_3, "k")
    return value_2


# The script Sample 558:
#
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Eval(maxCount = Array(); maxCount[-1] = If(maxCount, $x = 7; $x, $x); 0, a = (0 + "" + _2));
# | ArgumentList(a);
# | c = IfEmpty(_2, (a + true + "10")); If(If(RunOperation('<TAG>operation:LLM Call</TAG>'), true, false), c =
# >  Length(Set('y', ""))); $y = c
def sample_558(state: State) -> Value:
    """The script Sample 558 of the design.

    Reads x.
    Writes x, y.
    Runs LLM Call.
    """
    max_count: Value = True
    try:
        max_count = []
        if truth(max_count):
            state["x"] = 7
            value: Value = state["x"]
        else:
            value = state["x"]
        max_count = state.with_element(max_count, value, -1)
    except ScriptError as error:
        state.catch(error)
        a: Value = add(0, "", state.argument(2))
    a = state.argument(1)
    value_2: Value = state.argument(2)
    if is_empty(value_2):
        value_2 = add(a, True, "10")
    c: Value = value_2
    if state.run_operation("LLM Call"):
        c = len(state.assign("y", ""))
    state["y"] = c
    return c


# The script Sample 559:
#
# | a = "text";
# | b = 1;
# | i = 0;
# | a = $y = Null();
# | b = If(true, b + 1, b);
# | $x++
def sample_559(state: State) -> Value:
    """The script Sample 559 of the design.

    Reads x, y.
    Writes x, y.
    """
    b = 1
    state["y"] = None
    b = b + 1
    value = state["x"]
    state["x"] = increased(state["x"])
    return value


# The script Sample 560:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | x = y = -1; $x = x + y;
# | Case((maxCount = (true || "10")), AddToDict($d, 'k', $d), $list[(0 - 2)], --$x; b = If(Bool("true"), b +
# >  1, b), true, IsValid(a += $y));
# | b -= 1;
# | $x = b++
def sample_560(state: State) -> Value:
    """The script Sample 560 of the design.

    Reads d.
    Writes d, x.
    """
    b = 1
    y = -1
    x = y
    state["x"] = x + y
    add_to_dict(state.dictionary("d"), "k", state["d"])
    b = b - 1
    value = b
    b = b + 1
    state["x"] = value
    return value


# The script Sample 561:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = a + a;
# | maxCount = Dict(); maxCount['k'] = 2; maxCount['k']++;
# | b++;
# | a += Left("a", 2);
# | Case(HasKey($d, IfEmpty(false, $y)), a = a + a, false, AddToDict($d, 'k', $d))
def sample_561(state: State) -> Value:
    """The script Sample 561 of the design.

    Reads d, y.
    """
    a = "text"
    b = 1
    max_count: Value = True
    a = a + a
    max_count = {}
    max_count = state.with_element(max_count, 2, "k")
    max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    b = b + 1
    a = a + "a"[:2]
    if has_key(state["d"], if_empty(False, state["y"])):
        return a + a
    return None


# The script Sample 562:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | ArgumentList(a);
# | a = a + a;
# | a = a + a;
# | a = RunScript('<TAG>script:Echo</TAG>', maxCount);
# | a
def sample_562(state: State) -> Value:
    """The script Sample 562 of the design.

    Runs Echo.
    """
    a: Value = "text"
    max_count = True
    a = state.argument(1)
    a = add(a, a)
    a = add(a, a)
    return state.run_script("Echo", max_count)


# The script Sample 563:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | IsValid(--$x);
# | Case(false, IsValid($order.id = 2), -(IfEmpty(0, a)), --$x; AddToDict($d,
# >  GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q'), maxCount), true, a =
# >  RunOperation('<TAG>operation:Tool</TAG>'));
# | $order.id = JSONStringify(If(maxCount, true, false))
def sample_563(state: State) -> Value:
    """The script Sample 563 of the design.

    Reads d, x.
    Writes d, order.id, x.
    Runs Tool.
    """
    a: Value = "text"
    max_count = True
    try:
        state["x"] = decreased(state["x"])
    except ScriptError as error:
        state.catch(error)
    if truth(minus(if_empty(0, a))):
        state["x"] = decreased(state["x"])
        add_to_dict(state.dictionary("d"), state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q"), max_count)
    else:
        a = state.run_operation("Tool")
    state["order.id"] = json_stringify(max_count)
    return state["order.id"]


# The script Sample 564:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = Array(); maxCount[-1] = (maxCount && Equal(1.5, $x)); Set('list',
# >  RunScript('<TAG>script:Echo</TAG>', _1), -1);
# | a = a + a;
# | Case(If(maxCount, true, false), If((b++), maxCount = a;), {"a"}, $list = {"x y", GetName($x)}; $list[0]++;
# >  "a", true, Case(maxCount, $x++, false, b -= 1));
# | a = Left(("x y" + $y), Length("a") - 1);
# | $y = Eval("true", If(maxCount, If(false, --$x)); ($x + Round(0, 1) + "a"))
def sample_564(state: State) -> Value:
    """The script Sample 564 of the design.

    Reads list, x, y.
    Writes list, x, y.
    Runs Echo.
    """
    a = "text"
    b = 1
    max_count: Value = True
    max_count = []
    max_count = state.with_element(max_count, truth(max_count) and equal(1.5, state["x"]), -1)
    state.set("list", state.run_script("Echo", state.argument(1)), -1)
    a = a + a
    if truth(max_count):
        value = b
        b = b + 1
        if truth(value):
            max_count = a
    elif truth(["a"]):
        state["list"] = ["x y", "x"]
        state.set_element("list", increased(state.element(state["list"], 0)), 0)
    elif truth(max_count):
        state["x"] = increased(state["x"])
    a = left(add("x y", state["y"]), len("a") - 1)
    try:
        state["y"] = "true"
    except ScriptError as error:
        state.catch(error)
        truth(max_count)
        state["y"] = add(state["x"], round_(0, 1), "a")
    return state["y"]


# The script Sample 565:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b = If((b != Case(true, "", a, "x y", true, "x y")), b + 1, b);
# | x = y = -((b++)); $x = x + y
def sample_565(state: State) -> Value:
    """The script Sample 565 of the design.

    Writes x.
    """
    b = 1
    b = b + 1 if differs(b, "") else b
    value = b
    b = b + 1
    y = -value
    x = y
    state["x"] = add(x, y)
    return state["x"]


# The script Sample 566:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = (If(maxCount, 0, 1) > $never);
# | $x++;
# | Set('y', String(Dict()));
# | Case(false, $x = b++, (!maxCount == ("true" == i)), ArgumentList(a, maxCount));
# | b = b++;
# | $y = Eval(Eval(false; ToUpper("true"), "10"), IsValid($x = $x + 1); Trim(1.5))
def sample_566(state: State) -> Value:
    """The script Sample 566 of the design.

    Reads never, x.
    Writes x, y.
    """
    b = 1
    max_count: Value = True
    i = 0
    max_count = compare(0 if truth(max_count) else 1, ">", state["never"])
    state["x"] = increased(state["x"])
    state["y"] = to_string({})
    if equals(negate(max_count), equals("true", i)):
        max_count = state.argument(2)
    value = b
    b = b + 1
    b = value
    try:
        try:
            state["y"] = to_upper("true")
        except ScriptError as error:
            state.catch(error)
            state["y"] = "10"
    except ScriptError as error:
        state.catch(error)
        try:
            state["x"] = add(state["x"], 1)
        except ScriptError as error:
            state.catch(error)
        state["y"] = trim(1.5)
    return state["y"]


# The script Sample 567:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Set('y', "");
# | RunScript('<TAG>script:Echo</TAG>', (++b));
# | a = Replace({1, 2}[0], Set('y', $y), Replace("true", _1, "true"));
# | RaiseError(-("true"));
# | c = Left("a", 2); If(If(($y < -1), true, false), c = Double(Length(_2))); $y = c;
# | b = b++
def sample_567(state: State) -> None:
    """The script Sample 567 of the design.

    Reads y.
    Writes y.
    Runs Echo.
    """
    b = 1
    state["y"] = ""
    state.run_script("Echo", b := b + 1)
    replace(
        state.element([1, 2], 0), state.assign("y", state["y"]), replace("true", state.argument(1), "true")
    )
    raise state.error(minus("true"))


# The script Sample 568:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b = b++;
# | $order.id = Null()
def sample_568(state: State) -> None:
    """The script Sample 568 of the design.

    Writes order.id.
    """
    b = 1
    value = b
    b = b + 1
    b = value
    state["order.id"] = None


# The script Sample 569:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | --$x;
# | b = b + (--$x)
def sample_569(state: State) -> Value:
    """The script Sample 569 of the design.

    Reads x.
    Writes x.
    """
    b = 1
    state["x"] = decreased(state["x"])
    return add(b, state.assign("x", decreased(state["x"])))


# The script Sample 570:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a += Int(GetLastError());
# | $n = 3; While($n > 0, $n--; b -= 1);
# | ArgumentList(a, maxCount);
# | x = y = Get('x'); $x = x + y;
# | $n = 3; While($n > 0, $n--; b = b++);
# | Case(($x < Length("true" + maxCount)), If(true, b = 1; a += $x, $x = $x + 1), true, If(Equal(1, a), true;
# >  maxCount = "10", a += "a"))
def sample_570(state: State) -> Value:
    """The script Sample 570 of the design.

    Reads n, x.
    Writes n, x.
    """
    a: Value = "text"
    b = 1
    max_count: Value = True
    a = add(a, to_int(state.get_last_error()))
    state["n"] = 3
    iterations = state.iterations()
    while greater(state["n"], 0):
        iterations.count()
        state["n"] = decreased(state["n"])
        b = b - 1
    a = state.argument(1)
    max_count = state.argument(2)
    y = state["x"]
    x = y
    state["x"] = add(x, y)
    state["n"] = 3
    iterations_2 = state.iterations()
    while greater(state["n"], 0):
        iterations_2.count()
        state["n"] = decreased(state["n"])
        value = b
        b = b + 1
        b = value
    if less(state["x"], length(add("true", max_count))):
        b = 1
        return add(a, state["x"])

    if equal(1, a):
        return "10"
    return add(a, "a")


# The script Sample 571:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(((-1 * i) == -1), , If((true == maxCount), , true; b++;); a += false;);
# | --$x;
# | --$x;
# | Case(RunOperation('<TAG>operation:LLM Call</TAG>'), "x y", (RunOperation('<TAG>operation:LLM Call</TAG>')
# >  || TrimChars(_1, 'a')), $y = Eval(JSONStringify($y), maxCount = $never;
# >  GetJSONString('{"p":[{"q":"w"},2]}', '/' + a)));
# | $x = $x + 1;
# | $x++
def sample_571(state: State) -> Value:
    """The script Sample 571 of the design.

    Reads never, x, y.
    Writes x, y.
    Runs LLM Call.
    """
    a = "text"
    b = 1
    max_count: Value = True
    i = 0
    if not equals(-1 * i, -1):
        if not equals(True, max_count):
            b = b + 1
        a = a + text(False)
    state["x"] = decreased(state["x"])
    state["x"] = decreased(state["x"])
    if not state.run_operation("LLM Call") and (
        state.run_operation("LLM Call") or truth(text(state.argument(1)).strip("a"))
    ):
        try:
            state["y"] = json_stringify(state["y"])
        except ScriptError as error:
            state.catch(error)
            max_count = state["never"]
            state["y"] = state.get_json_string('{"p":[{"q":"w"},2]}', "/" + a)
    state["x"] = add(state["x"], 1)
    value = state["x"]
    state["x"] = increased(state["x"])
    return value


# The script Sample 572:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(-(InList(maxCount, 1, $y)), If(($y >= $never), If(false, a = true)););
# | a += true;
# | b = b++;
# | While(false, If(true, If(maxCount, $x++)));
# | Set('list', {"a"}, -1);
# | a = If((Eval($x / -1, b) != Eval($x / 2, maxCount)), AddToDict($d, If(maxCount, $y, _1), If(Null(), b));
# >  Eval(Get('x') / (1.5 * 0), (maxCount = maxCount)), "10")
def sample_572(state: State) -> Value:
    """The script Sample 572 of the design.

    Reads d, list, never, x, y.
    Writes d, list, x.
    """
    a = "text"
    b = 1
    max_count = True
    if -in_list(max_count, 1, state["y"]) != 0:
        at_least(state["y"], state["never"])
    a = a + text(True)
    value = b
    b = b + 1
    b = value
    iterations = state.iterations()
    while False:
        iterations.count()
        if max_count:
            state["x"] = increased(state["x"])
    state.set("list", ["a"], -1)
    try:
        value_2: Value = divide(state["x"], -1)
    except ScriptError as error:
        state.catch(error)
        value_2 = b
    value_3 = value_2
    try:
        value_4: Value = divide(state["x"], 2)
    except ScriptError as error:
        state.catch(error)
        value_4 = max_count
    if differs(value_3, value_4):
        add_to_dict(state.dictionary("d"), state["y"] if max_count else state.argument(1), None)
        try:
            return divide(state["x"], multiply(1.5, 0))
        except ScriptError as error:
            state.catch(error)
            return max_count

    return "10"


# The script Sample 573:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | b = Double("x y");
# | a = $y = ToUpper(Mid($y, b, 1));
# | $list = {IfNull(Length(_2), 1), GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q')}; $list[0]++;
# | maxCount = Dict(); maxCount['k'] = RunOperation('<TAG>operation:Tool</TAG>'); maxCount['k']++
def sample_573(state: State) -> Value:
    """The script Sample 573 of the design.

    Reads list, y.
    Writes list, y.
    Runs Tool.
    """
    b: float = 1
    max_count: Value = True
    b = to_double("x y")
    state["y"] = to_upper(mid(state["y"], b, 1))
    state["list"] = [
        if_null(length(state.argument(2)), 1),
        state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q"),
    ]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    max_count = {}
    max_count = state.with_element(max_count, state.run_operation("Tool"), "k")
    value = state.element(max_count, "k")
    value_2 = increased(value)
    max_count = state.with_element(max_count, value_2, "k")
    return value


# The script Sample 574:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $x = Length(RunScript('<TAG>script:Echo</TAG>', false) + JSONStringify(false));
# | b = If(true, b + 1, b);
# | $x = If((1.5 == -1), InList($y, 1, _1), (true * 1.5));
# | maxCount = Array(); maxCount[-1] = Double(""); b = b++;
# | b = b + (0 - $x);
# | ArgumentList(a, maxCount)
def sample_574(state: State) -> None:
    """The script Sample 574 of the design.

    Reads x, y.
    Writes x.
    Runs Echo.
    """
    b: Value = 1
    max_count: Value = True
    state["x"] = length(add(state.run_script("Echo", False), json_stringify(False)))
    b = add(b, 1)
    state["x"] = in_list(state["y"], 1, state.argument(1)) if equals(1.5, -1) else multiply(True, 1.5)
    max_count = []
    max_count = state.with_element(max_count, to_double(""), -1)
    value = b
    b = increased(b)
    b = value
    b = add(b, subtract(0, state["x"]))
    max_count = state.argument(2)


# The script Sample 575:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Case(false, IsValid($x = b), ($list)[-1], !maxCount; maxCount = Dict(); maxCount['k'] = {"a"};
# >  maxCount['k']++, true, $x = $x);
# | a = $y = If((Null() == maxCount), true, false);
# | $x = $x + 1;
# | x = y = b; $x = x + y;
# | GetName($x)
def sample_575(state: State) -> Value:
    """The script Sample 575 of the design.

    Reads list, x, y.
    Writes x, y.
    """
    b = 1
    max_count: Value = True
    if truth(state.element(state["list"], -1)):
        negate(max_count)
        max_count = {}
        max_count = state.with_element(max_count, ["a"], "k")
        max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    else:
        state["x"] = state["x"]
    state["y"] = equals(None, max_count)
    state["x"] = add(state["x"], 1)
    y = b
    x = y
    state["x"] = x + y
    return "x"


# The script Sample 576:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $order.id;
# | $y = Eval("true", If(Equal(false, $y), , --$x; $x = $x + 1;); IfEmpty(false, "10"));
# | $d = Dict(); $d['k'] = (maxCount = true)
def sample_576(state: State) -> Value:
    """The script Sample 576 of the design.

    Reads d, order.id, x, y.
    Writes d, x, y.
    """
    try:
        state["y"] = "true"
    except ScriptError as error:
        state.catch(error)
        if not equal(False, state["y"]):
            state["x"] = decreased(state["x"])
            state["x"] = add(state["x"], 1)
        state["y"] = if_empty(False, "10")
    state["d"] = {}
    state.set_element("d", True, "k")
    return True


# The script Sample 577:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = Dict(); maxCount['k'] = ""; maxCount['k']++;
# | $x = $x + 1;
# | $list = {((b / 2) - (b++)), JSONStringify(($y = ""))}; $list[0]++;
# | c = (a + "x y"); If(maxCount, c = Double(($never + $x))); $y = c;
# | --$x
def sample_577(state: State) -> Value:
    """The script Sample 577 of the design.

    Reads list, never, x.
    Writes list, x, y.
    """
    a = "text"
    b = 1
    max_count: Value = True
    max_count = {}
    max_count = state.with_element(max_count, "", "k")
    max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    state["x"] = add(state["x"], 1)
    value = divide(b, 2)
    value_2 = b
    b = b + 1
    state["list"] = [subtract(value, value_2), json_stringify(state.assign("y", ""))]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    c: Value = a + "x y"
    if truth(max_count):
        c = to_double(add(state["never"], state["x"]))
    state["y"] = c
    state["x"] = decreased(state["x"])
    return state["x"]


# The script Sample 578:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If((($x += 1) ^ 2), RunOperation('<TAG>operation:LLM Call</TAG>'););
# | a = Set('y', Length("true" + "10"));
# | c = _2; c = Trim(b); $x = c;
# | a = (a = "true");
# | If(maxCount, b -= 1; Case(!$order.id, b++, GetJSONString('{"p":[{"q":"w"},2]}', '/' + maxCount), $order.id
# >  = "10"; maxCount = $y, true, b++), Case(true, b = 1, String(2), maxCount = _2; b = b, true, b = 1.5))
def sample_578(state: State) -> Value:
    """The script Sample 578 of the design.

    Reads order.id, x, y.
    Writes order.id, x, y.
    Runs LLM Call.
    """
    a: Value = "text"
    b = 1
    max_count = True
    if truth(power(state.assign("x", add(state["x"], 1)), 2)):
        state.run_operation("LLM Call")
    a = state.assign("y", len("true" + "10"))
    c: Value = state.argument(2)
    c = trim(b)
    state["x"] = c
    a = "true"
    a = a
    if max_count:
        b = b - 1
        if not truth(state["order.id"]):
            value = b
            b = b + 1
            return value

        if truth(state.get_json_string('{"p":[{"q":"w"},2]}', "/" + text(max_count))):
            state["order.id"] = "10"
            return state["y"]

        value_2 = b
        b = b + 1
        return value_2

    return 1


# The script Sample 579:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = "x y";
# | b = If(RunOperation('<TAG>operation:Tool</TAG>'), b + 1, b)
def sample_579(state: State) -> Value:
    """The script Sample 579 of the design.

    Runs Tool.
    """
    b = 1
    if state.run_operation("Tool"):
        return b + 1
    return b


# The script Sample 580:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $y;
# | If(IsValid((b++) / ($x += 1)), If(Equal(1, ($y + maxCount + b)), ("x y" == "x y")))
def sample_580(state: State) -> Value:
    """The script Sample 580 of the design.

    Reads x, y.
    Writes x.
    """
    b = 1
    max_count = True
    try:
        value = b
        b = b + 1
        divide(value, state.assign("x", add(state["x"], 1)))
        valid = True
    except ScriptError as error:
        state.catch(error)
        valid = False
    if valid:
        if equal(1, add(state["y"], max_count, b)):
            return equals("x y", "x y")
        return None

    return None


# The script Sample 581:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $n = 3; While($n > 0, $n--; $list[b] = 1.5);
# | $order.id = $y;
# | maxCount = Array(); maxCount[-1] = Equal(GetKeys($d), IsNull(maxCount)); a += Mid(a, -1, 1);
# | b = $x;
# | b++
def sample_581(state: State) -> Value:
    """The script Sample 581 of the design.

    Reads d, list, n, x, y.
    Writes list, n, order.id.
    """
    a = "text"
    b: Value = 1
    max_count: Value = True
    state["n"] = 3
    iterations = state.iterations()
    while greater(state["n"], 0):
        iterations.count()
        state["n"] = decreased(state["n"])
        state.set_element("list", 1.5, b)
    state["order.id"] = state["y"]
    max_count = []
    max_count = state.with_element(max_count, equal(get_keys(state["d"]), is_null(max_count)), -1)
    a = a + mid(a, -1, 1)
    b = state["x"]
    value = b
    b = increased(b)
    return value


# The script Sample 582:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Eval(i = 0; i++; ++i, "a");
# | maxCount = $never;
# | Set('y', "a");
# | x = y = 2; $x = x + y
def sample_582(state: State) -> Value:
    """The script Sample 582 of the design.

    Reads never.
    Writes x, y.
    """
    i = 0
    try:
        i = 0
        i = i + 1
        i = i + 1
    except ScriptError as error:
        state.catch(error)
    state["y"] = "a"
    y = 2
    x = y
    state["x"] = x + y
    return state["x"]


# The script Sample 583:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $y = Eval(-((maxCount - 0)), i = 0; While(i < 3 && (1 <= b == maxCount), i++; $x = $x + 1; maxCount = _1);
# >  Round(($x * $x), 1));
# | If(IsValid(-1 / (i / 2)), , $x = b++; $x = b++;)
def sample_583(state: State) -> Value:
    """The script Sample 583 of the design.

    Reads x.
    Writes x, y.
    """
    b = 1
    max_count: Value = True
    i = 0
    try:
        state["y"] = minus(subtract(max_count, 0))
    except ScriptError as error:
        state.catch(error)
        i = 0
        iterations = state.iterations()
        while i < 3 and truth(compare(b >= 1, "==", max_count)):
            iterations.count()
            i = i + 1
            state["x"] = add(state["x"], 1)
            max_count = state.argument(1)
        state["y"] = round_(multiply(state["x"], state["x"]), 1)
    try:
        divide(-1, divide(i, 2))
        valid = True
    except ScriptError as error:
        state.catch(error)
        valid = False
    if valid:
        return None
    value = b
    b = b + 1
    state["x"] = value
    value_2 = b
    b = b + 1
    state["x"] = value_2
    return value_2


# The script Sample 584:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = ($list)[-1];
# | If(Equal(If(true, "a", $y), (maxCount || false)), a = $y = Bool($y););
# | $d = Dict(); $d['k'] = 0;
# | $x = $x + 1
def sample_584(state: State) -> Value:
    """The script Sample 584 of the design.

    Reads d, list, x, y.
    Writes d, x, y.
    """
    max_count: Value = True
    max_count = state.element(state["list"], -1)
    if equal("a", truth(max_count)):
        state["y"] = state.to_bool(state["y"])
    state["d"] = {}
    state.set_element("d", 0, "k")
    state["x"] = add(state["x"], 1)
    return state["x"]


# The script Sample 585:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(!(b = 1), i = 0; i++; ++i; ArgumentList(a, maxCount), $x++);
# | --$x;
# | $list = {Length($x), Left(a, 2)}; $list[0]++;
# | ("a" + false + Double(b));
# | c = Split(WriteToOperationLog(false), ' '); c = TrimChars("true", 'a'); $x = c;
# | $order.id = GetJSONString('{"p":[{"q":"w"},2]}', '/' + _1)
def sample_585(state: State) -> Value:
    """The script Sample 585 of the design.

    Reads list, x.
    Writes list, order.id, x.
    """
    a: Value = "text"
    b = 1
    i = 0
    if not truth(b := 1):
        i = 0
        i = i + 1
        i = i + 1
        a = state.argument(1)
    else:
        state["x"] = increased(state["x"])
    state["x"] = decreased(state["x"])
    state["list"] = [length(state["x"]), text(a)[:2]]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    "a" + text(False) + text(to_double(b))
    c: Value = split(state.write_to_operation_log(False), " ")
    c = "true".strip("a")
    state["x"] = c
    state["order.id"] = state.get_json_string('{"p":[{"q":"w"},2]}', add("/", state.argument(1)))
    return state["order.id"]


# The script Sample 586:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(maxCount, , i = 0; While(i < 2, i = i + 1; a = a + i; a = "true"); b = b + $x;);
# | i = 0; While(i < 2, i = i + 1; a = a + i; $x++)
def sample_586(state: State) -> None:
    """The script Sample 586 of the design.

    Reads x.
    Writes x.
    """
    a: Value = "text"
    b: Value = 1
    max_count = True
    i = 0
    if not max_count:
        i = 0
        iterations = state.iterations()
        while i < 2:
            iterations.count()
            i = i + 1
            a = add(a, i)
            a = "true"
        b = add(b, state["x"])
    i = 0
    iterations_2 = state.iterations()
    while i < 2:
        iterations_2.count()
        i = i + 1
        a = add(a, i)
        state["x"] = increased(state["x"])


# The script Sample 587:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | While(false, (b <= b == maxCount));
# | $x = 1;
# | If(false, , AddToDict($d, (b + "10" + Null()), b); maxCount = Array(); maxCount[-1] = $y; $x = $x + 1;);
# | x = y = Int((_1 + maxCount + 1)); $x = x + y;
# | c = GetKeys($d); c = Eval(a = a; If(false, _1, "true"), a); $x = c
def sample_587(state: State) -> Value:
    """The script Sample 587 of the design.

    Reads d, x, y.
    Writes d, x.
    """
    a = "text"
    b = 1
    max_count: Value = True
    iterations = state.iterations()
    while False:
        iterations.count()
        compare(b <= b, "==", max_count)
    state["x"] = 1
    add_to_dict(state.dictionary("d"), add(b, "10", None), b)
    max_count = []
    max_count = state.with_element(max_count, state["y"], -1)
    state["x"] = add(state["x"], 1)
    y = to_int(add(state.argument(1), max_count, 1))
    x = y
    state["x"] = add(x, y)
    c: Value = get_keys(state["d"])
    try:
        a = a
        c = "true"
    except ScriptError as error:
        state.catch(error)
        c = a
    state["x"] = c
    return c


# The script Sample 588:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = a + a;
# | i = 0; While(i < 2, i = i + 1; a = a + i; $list[1][0] = 1.5);
# | a = a + a
def sample_588(state: State) -> Value:
    """The script Sample 588 of the design.

    Reads list.
    Writes list.
    """
    a: Value = "text"
    i = 0
    a = add(a, a)
    i = 0
    iterations = state.iterations()
    while i < 2:
        iterations.count()
        i = i + 1
        a = add(a, i)
        state.set_element("list", 1.5, 1, 0)
    return add(a, a)


# The script Sample 589:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b = If(Dict(), Length(maxCount), 0);
# | maxCount = 1.5;
# | RaiseError(GetJSONString('{"p":[{"q":"w"},2]}', '/' + _1));
# | x = y = b; $x = x + y
def sample_589(state: State) -> None:
    """The script Sample 589 of the design."""
    max_count: Value = True
    length(max_count) if truth({}) else 0
    max_count = 1.5
    raise state.error(state.get_json_string('{"p":[{"q":"w"},2]}', add("/", state.argument(1))))


# The script Sample 590:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | While(false, c = WriteToOperationLog(maxCount); If(Bool("true"), c = 0); $y = c);
# | c = a; If(HasKey($d, GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q')), c = 2); $y = c;
# | b = $x;
# | Eval(a = If(("a" == "a"), a = $y = $y; "x y", Set('y', a)), If(false, maxCount = 1.5; false, $y = $y));
# | b = b++;
# | If(false, , $y = GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q'); a =
# >  If(RunOperation('<TAG>operation:Tool</TAG>'), a += 2; a, Replace("", _1, a));)
def sample_590(state: State) -> Value:
    """The script Sample 590 of the design.

    Reads d, x, y.
    Writes y.
    Runs Tool.
    """
    a: Value = "text"
    b: Value = 1
    max_count = True
    iterations = state.iterations()
    while False:
        iterations.count()
        c: Value = state.write_to_operation_log(max_count)
        if state.to_bool("true"):
            c = 0
        state["y"] = c
    c = a
    if has_key(state["d"], state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q")):
        c = 2
    state["y"] = c
    b = state["x"]
    try:
        if equals("a", "a"):
            state["y"] = state["y"]
            a = state["y"]
            a = "x y"
        else:
            state["y"] = a
            a = a
    except ScriptError as error:
        state.catch(error)
        state["y"] = state["y"]
    value = b
    b = increased(b)
    b = value
    state["y"] = state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q")
    if state.run_operation("Tool"):
        return add(a, 2)

    return replace("", state.argument(1), a)


# The script Sample 591:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Case((Mid("", 0, 1) == (++b)), maxCount = Dict(); maxCount['k'] = ("a" + 0); maxCount['k']++,
# >  (RunOperation('<TAG>operation:Tool</TAG>') == !false), a += ($x + 2));
# | Case((Mod(7, b) == If(false, $x, $x)), ArgumentList(a, maxCount), true, i = 0; While(i < 2, i = i + 1; a =
# >  a + i; $x++));
# | $x++
def sample_591(state: State) -> Value:
    """The script Sample 591 of the design.

    Reads x.
    Writes x.
    Runs Tool.
    """
    a: Value = "text"
    b = 1
    max_count: Value = True
    i = 0
    if equals(mid("", 0, 1), b := b + 1):
        max_count = {}
        max_count = state.with_element(max_count, "a" + "0", "k")
        max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    elif state.run_operation("Tool"):
        a = add(a, add(state["x"], 2))
    if equals(mod(7, b), state["x"]):
        a = state.argument(1)
        max_count = state.argument(2)
    else:
        i = 0
        iterations = state.iterations()
        while i < 2:
            iterations.count()
            i = i + 1
            a = add(a, i)
            state["x"] = increased(state["x"])
    value = state["x"]
    state["x"] = increased(state["x"])
    return value


# The script Sample 592:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b++;
# | b = b + 1
def sample_592(_state: State) -> Value:
    """The script Sample 592 of the design."""
    b = 1
    b = b + 1
    return b + 1


# The script Sample 593:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = Case(RunOperation('<TAG>operation:Tool</TAG>'), (a = a), (b + 2), "true", true, _1);
# | $y = JSONStringify(-(1));
# | ArgumentList(a);
# | --$x;
# | $n = 3; While($n > 0, $n--; While(IsValid(2) && Length($w) < 2, $w = $w + 1));
# | $list[1][0] = Now()
def sample_593(state: State) -> Value:
    """The script Sample 593 of the design.

    Reads list, n, w, x.
    Writes list, n, w, x, y.
    Runs Tool.
    """
    a: Value
    a = "text"
    b = 1
    a = (a := a) if state.run_operation("Tool") else "true" if truth(b + 2) else state.argument(1)
    state["y"] = json_stringify(-1)
    a = state.argument(1)
    state["x"] = decreased(state["x"])
    state["n"] = 3
    iterations = state.iterations()
    while greater(state["n"], 0):
        iterations.count()
        state["n"] = decreased(state["n"])
        iterations_2 = state.iterations()
        while True:
            try:
                valid = True
            except ScriptError as error:
                state.catch(error)
                valid = False
            if not (valid and length(state["w"]) < 2):
                break
            iterations_2.count()
            state["w"] = add(state["w"], 1)
    value = state.now()
    state.set_element("list", value, 1, 0)
    return value


# The script Sample 594:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(maxCount, If(IsValid(_2), a += (_1 >= $y)));
# | -(InList(i, 1, $y))
def sample_594(state: State) -> Value:
    """The script Sample 594 of the design.

    Reads y.
    """
    a: Value = "text"
    max_count = True
    i = 0
    if max_count:
        try:
            valid = True
        except ScriptError as error:
            state.catch(error)
            valid = False
        if valid:
            a = add(a, compare(state.argument(1), ">=", state["y"]))
    return -in_list(i, 1, state["y"])


# The script Sample 595:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b++;
# | --$x;
# | b = If((IfEmpty(maxCount, "true") == _1), b + 1, b);
# | $y = (Get('x') * 2);
# | WriteToOperationLog("true");
# | WriteToOperationLog(Length((2 + $y + 0) + If(false, true, false)))
def sample_595(state: State) -> Value:
    """The script Sample 595 of the design.

    Reads x, y.
    Writes x, y.
    """
    b = 1
    max_count = True
    b = b + 1
    state["x"] = decreased(state["x"])
    b = b + 1 if equals(if_empty(max_count, "true"), state.argument(1)) else b
    state["y"] = multiply(state["x"], 2)
    state.write_to_operation_log("true")
    return state.write_to_operation_log(length(add(add(2, state["y"], 0), False)))


# The script Sample 596:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $x = (0 + $x);
# | a = If(("a" == _1), $x = i; Trim(Mod(7, 2)), GetName($x));
# | c = (If(false, "10", $y) + (_1 == $y) + (i ^ 2)); If(maxCount, c = Length("x y" + Dict())); $y = c
def sample_596(state: State) -> Value:
    """The script Sample 596 of the design.

    Reads x, y.
    Writes x, y.
    """
    max_count = True
    i = 0
    state["x"] = add(0, state["x"])
    if equals("a", state.argument(1)):
        state["x"] = i
        trim(mod(7, 2))
    c: Value = add(add(state["y"], compare(state.argument(1), "==", state["y"])), power(i, 2))
    if max_count:
        c = length(add("x y", {}))
    state["y"] = c
    return c


# The script Sample 598:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b -= 1;
# | $list[1][0] = Mod(7, (b + $x));
# | If(0, x = y = 2; $x = x + y;);
# | If(Left(Eval($x = 7; a, a), 2), AddToDict($d, 'k', $d););
# | If((b != GetJSONString('{"p":[{"q":"w"},2]}', '/' + "x y")), If(((b = $x) < 1.5), $order.id = ("true" ==
# >  a)))
def sample_598(state: State) -> Value:
    """The script Sample 598 of the design.

    Reads d, list, x.
    Writes d, list, order.id, x.
    """
    b: Value
    a = "text"
    b = 1
    b = subtract(b, 1)
    state.set_element("list", mod(7, add(b, state["x"])), 1, 0)
    if truth(0):
        y = 2
        x = y
        state["x"] = x + y
    try:
        state["x"] = 7
        value = a
    except ScriptError as error:
        state.catch(error)
        value = a
    if truth(value[:2]):
        add_to_dict(state.dictionary("d"), "k", state["d"])
    if differs(b, state.get_json_string('{"p":[{"q":"w"},2]}', "/" + "x y")):
        if less(b := state["x"], 1.5):
            state["order.id"] = equals("true", a)
            return state["order.id"]

        return None

    return None


# The script Sample 599:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b -= 1;
# | maxCount = Double(true);
# | a += RunScript('<TAG>script:Echo</TAG>', ($x + maxCount));
# | ArgumentList(a, maxCount);
# | a += Mod(7, {1, 2}[0]);
# | $y = Eval(a, a = '#' + If(IsValid(-1 / b), false; b, 1.5); (a + Int(_1)))
def sample_599(state: State) -> Value:
    """The script Sample 599 of the design.

    Reads x.
    Writes y.
    Runs Echo.
    """
    a: Value = "text"
    b = 1
    max_count: Value = True
    b = b - 1
    max_count = to_double(True)
    a = add(a, state.run_script("Echo", add(state["x"], max_count)))
    a = state.argument(1)
    max_count = state.argument(2)
    a = add(a, mod(7, state.element([1, 2], 0)))
    try:
        state["y"] = a
    except ScriptError as error:
        state.catch(error)
        try:
            divide(-1, b)
            valid_2 = True
        except ScriptError as error:
            state.catch(error)
            valid_2 = False
        if valid_2:
            value: float = b
        else:
            value = 1.5
        a = "#" + text(value)
        state["y"] = add(a, to_int(state.argument(1)))
    return state["y"]


# The script Sample 600:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Case(((-1 + "" + "") == -(-1)), x = y = Index($y, a); $x = x + y, true, i = 0; i++; ++i);
# | maxCount = Array(); maxCount[-1] = 0; b = (i / 2);
# | a = JSONStringify(ToUpper(Null()));
# | "";
# | $d = Dict(); $d['k'] = If(false, maxCount = -1; GetJSONString('{"p":[{"q":"w"},2]}', '/' + a), (1.5 - b))
def sample_600(state: State) -> Value:
    """The script Sample 600 of the design.

    Reads d, y.
    Writes d, x.
    """
    a = "text"
    b: Value = 1
    max_count: Value = True
    i = 0
    if equals(str(-1) + "" + "", 1):
        y = index(state["y"], a)
        x = y
        state["x"] = x + y
    else:
        i = 0
        i = i + 1
        i = i + 1
    max_count = []
    max_count = state.with_element(max_count, 0, -1)
    b = divide(i, 2)
    a = json_stringify(to_upper(None))
    state["d"] = {}
    value = subtract(1.5, b)
    state.set_element("d", value, "k")
    return value


# The script Sample 601:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $order.id = GetKeys($d);
# | a = "";
# | maxCount = Array(); maxCount[-1] = b; Case(false, $x = 0, true, $y);
# | b++;
# | $x = (2 ^ 2)
def sample_601(state: State) -> Value:
    """The script Sample 601 of the design.

    Reads d, y.
    Writes order.id, x.
    """
    b = 1
    max_count: Value = True
    state["order.id"] = get_keys(state["d"])
    max_count = []
    max_count = state.with_element(max_count, b, -1)
    b = b + 1
    state["x"] = power(2, 2)
    return state["x"]


# The script Sample 602:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | JSONStringify($list[b]);
# | x = y = (++b); $x = x + y;
# | {1, 2}[0];
# | maxCount = Array(); maxCount[-1] = "x y"; $n = 3; While($n > 0, $n--; maxCount = "x y");
# | maxCount = Array(); maxCount[-1] = HasKey($d, ""); $y = Eval("x y", $x = $x + 1; String(false))
def sample_602(state: State) -> Value:
    """The script Sample 602 of the design.

    Reads d, list, n, x.
    Writes n, x, y.
    """
    b = 1
    max_count: Value = True
    json_stringify(state.element(state["list"], b))
    y = (b := b + 1)
    x = y
    state["x"] = add(x, y)
    state.element([1, 2], 0)
    max_count = []
    max_count = state.with_element(max_count, "x y", -1)
    state["n"] = 3
    iterations = state.iterations()
    while greater(state["n"], 0):
        iterations.count()
        state["n"] = decreased(state["n"])
        max_count = "x y"
    max_count = []
    max_count = state.with_element(max_count, has_key(state["d"], ""), -1)
    try:
        state["y"] = "x y"
    except ScriptError as error:
        state.catch(error)
        state["x"] = add(state["x"], 1)
        state["y"] = text(False)
    return state["y"]


# The script Sample 603:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | WriteToOperationLog(If(($y == 1), $y; IsValid(_2), ($x += 1)));
# | $order.id = Now()
def sample_603(state: State) -> Value:
    """The script Sample 603 of the design.

    Reads x, y.
    Writes order.id, x.
    """
    if equals(state["y"], 1):
        try:
            value: Value = True
        except ScriptError as error:
            state.catch(error)
            value = False
    else:
        state["x"] = add(state["x"], 1)
        value = state["x"]
    state.write_to_operation_log(value)
    state["order.id"] = state.now()
    return state["order.id"]


# The script Sample 604:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $order.id = If(("" == 2), false);
# | b -= 1
def sample_604(state: State) -> Value:
    """The script Sample 604 of the design.

    Writes order.id.
    """
    b = 1
    state["order.id"] = False if equals("", 2) else None
    return b - 1


# The script Sample 605:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = Array(); maxCount[-1] = Replace(a, Left("10", Length(Null()) - 1), _1); b -= 1;
# | b++;
# | ArgumentList(a);
# | b++;
# | a = GetLastError()
def sample_605(state: State) -> Value:
    """The script Sample 605 of the design."""
    a: Value = "text"
    b = 1
    max_count: Value = True
    max_count = []
    max_count = state.with_element(max_count, replace(a, left("10", length(None) - 1), state.argument(1)), -1)
    b = b - 1
    b = b + 1
    a = state.argument(1)
    b = b + 1
    return state.get_last_error()


# The script Sample 606:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | $y = a;
# | If(RunOperation('<TAG>operation:Tool</TAG>'), Eval($x++, --$x); $d = Dict(); $d['k'] = Now(), $list[1][0]
# >  = {1, 2})
def sample_606(state: State) -> Value:
    """The script Sample 606 of the design.

    Reads d, list, x.
    Writes d, list, x, y.
    Runs Tool.
    """
    a = "text"
    state["y"] = a
    if state.run_operation("Tool"):
        try:
            state["x"] = increased(state["x"])
        except ScriptError as error:
            state.catch(error)
            state["x"] = decreased(state["x"])
        state["d"] = {}
        value = state.now()
        state.set_element("d", value, "k")
        return value

    state.set_element("list", [1, 2], 1, 0)
    return [1, 2]


# The script Sample 607:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | String(_1);
# | --$x
def sample_607(state: State) -> Value:
    """The script Sample 607 of the design.

    Reads x.
    Writes x.
    """
    to_string(state.argument(1))
    state["x"] = decreased(state["x"])
    return state["x"]


# The script Sample 609:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | c = ($x = (-1 + b)); c = ToUpper(Trim(b)); $x = c;
# | a = '#' + If(false, maxCount = Array(); maxCount[-1] = b; $y; $x, Array())
def sample_609(state: State) -> Value:
    """The script Sample 609 of the design.

    Reads x.
    Writes x.
    """
    b = 1
    state["x"] = -1 + b
    c: Value = state["x"]
    c = to_upper(trim(b))
    state["x"] = c
    return add("#", [])


# The script Sample 610:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $order.id = If(true, --$x; "a", b);
# | If(IsValid(Int("")), , c = 1.5; c = JSONStringify(false); $x = c; If(true, $x = $x + 1););
# | (IsValid("10") || Replace({1, 2}, 'a', "x y"));
# | ArgumentList(a)
def sample_610(state: State) -> None:
    """The script Sample 610 of the design.

    Reads x.
    Writes order.id, x.
    """
    state["x"] = decreased(state["x"])
    state["order.id"] = "a"
    try:
        to_int("")
        valid = True
    except ScriptError as error:
        state.catch(error)
        valid = False
    if not valid:
        c: Value = 1.5
        c = json_stringify(False)
        state["x"] = c
        state["x"] = add(state["x"], 1)
    try:
        valid_2 = True
    except ScriptError as error:
        state.catch(error)
        valid_2 = False
    valid_2 or truth(replace([1, 2], "a", "x y"))


# The script Sample 611:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | i = 0; While(i < 2, i = i + 1; a = a + i; If(true, b = -1));
# | b -= 1;
# | c = "10"; If((JSONStringify(i) == a), c = Int($y)); $y = c;
# | a = "x y";
# | $d = Dict(); $d['k'] = (a = "a");
# | maxCount = Array(); maxCount[-1] = Mid((a = "x y"), (++b), 1); a = If(!maxCount, b = b + b; "a",
# >  WriteToOperationLog(1.5))
def sample_611(state: State) -> Value:
    """The script Sample 611 of the design.

    Reads d, y.
    Writes d, y.
    """
    a: Value
    b: Value
    a = "text"
    b = 1
    max_count: Value = True
    i = 0
    i = 0
    iterations = state.iterations()
    while i < 2:
        iterations.count()
        i = i + 1
        a = add(a, i)
        b = -1
    b = subtract(b, 1)
    c: Value = "10"
    if equals(json_stringify(i), a):
        c = to_int(state["y"])
    state["y"] = c
    a = "x y"
    state["d"] = {}
    value = (a := "a")
    state.set_element("d", value, "k")
    max_count = []
    value_2 = mid(a := "x y", b := increased(b), 1)
    max_count = state.with_element(max_count, value_2, -1)
    if not truth(max_count):
        b = add(b, b)
        return "a"

    return state.write_to_operation_log(1.5)


# The script Sample 612:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = Dict(); maxCount['k'] = $list[(--$x)]; maxCount['k']++;
# | While(IsValid(maxCount) && Length($w) < 2, $w = $w + 1);
# | If(!Bool($y), RunOperation('<TAG>operation:Tool</TAG>'); $d = Dict(); $d['k'] = Dict(), $x = $x + 1);
# | b++;
# | c = -(Trim("10")); If(false, c = true); $y = c
def sample_612(state: State) -> Value:
    """The script Sample 612 of the design.

    Reads d, list, w, x, y.
    Writes d, w, x, y.
    Runs Tool.
    """
    b = 1
    max_count: Value = True
    max_count = {}
    max_count = state.with_element(
        max_count, state.element(state["list"], state.assign("x", decreased(state["x"]))), "k"
    )
    max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    iterations = state.iterations()
    while True:
        try:
            valid = True
        except ScriptError as error:
            state.catch(error)
            valid = False
        if not (valid and length(state["w"]) < 2):
            break
        iterations.count()
        state["w"] = add(state["w"], 1)
    if not state.to_bool(state["y"]):
        state.run_operation("Tool")
        state["d"] = {}
        state.set_element("d", {}, "k")
    else:
        state["x"] = add(state["x"], 1)
    b = b + 1
    c = minus(trim("10"))
    state["y"] = c
    return c


# The script Sample 613:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | i = 0; While(i < 3 && false, i++; b = -1; $list = {{1, 2}[0], ($x + "true" + "a")}; $list[0]++);
# | c = $order.id; c = String(_2); $x = c;
# | RaiseError(($y = ($y + false + 0)));
# | i = 0; i++; ++i
def sample_613(state: State) -> None:
    """The script Sample 613 of the design.

    Reads list, order.id, x, y.
    Writes list, x, y.
    """
    i = 0
    i = 0
    iterations = state.iterations()
    while False:
        iterations.count()
        i = i + 1
        state["list"] = [state.element([1, 2], 0), add(state["x"], "true", "a")]
        state.set_element("list", increased(state.element(state["list"], 0)), 0)
    c: Value = state["order.id"]
    c = to_string(state.argument(2))
    state["x"] = c
    raise state.error(state.assign("y", add(state["y"], False, 0)))


# The script Sample 614:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(true, -($y); RaiseError("true"), a = If(false, $x = 7; $y, a));
# | $order.id = TrimChars("", 'a');
# | maxCount = (a = (a = "10"));
# | a = a + a
def sample_614(state: State) -> None:
    """The script Sample 614 of the design.

    Reads y.
    """
    minus(state["y"])
    raise state.error("true")


# The script Sample 615:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $y = Eval((a + ""), GetLastError());
# | a = "x y";
# | If(IsValid(b), , If($y, If((true == maxCount), b++)); a = '#' + If((maxCount && maxCount), maxCount;
# >  maxCount, (a + b));)
def sample_615(state: State) -> Value:
    """The script Sample 615 of the design.

    Reads y.
    Writes y.
    """
    a = "text"
    b = 1
    max_count = True
    try:
        state["y"] = a + ""
    except ScriptError as error:
        state.catch(error)
        state["y"] = state.get_last_error()
    a = "x y"
    try:
        valid = True
    except ScriptError as error:
        state.catch(error)
        valid = False
    if valid:
        return None
    if truth(state["y"]) and max_count:
        b = b + 1
    if max_count and max_count:
        value: Value = max_count
    else:
        value = a + str(b)
    return add("#", value)


# The script Sample 617:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $y = Eval(IfEmpty(false, GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q')), $x = $x + 1; ($y + _1));
# | a += InList(Left("true", 2), 1, Replace(true, 'a', "10"));
# | If(false, If(false, $list[(++b)] = $x));
# | ArgumentList(a)
def sample_617(state: State) -> None:
    """The script Sample 617 of the design.

    Reads x, y.
    Writes x, y.
    """
    a: Value = "text"
    try:
        value: Value = False
        if is_empty(value):
            value = state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q")
        state["y"] = value
    except ScriptError as error:
        state.catch(error)
        state["x"] = add(state["x"], 1)
        state["y"] = add(state["y"], state.argument(1))
    a = add(a, in_list("true"[:2], 1, replace(True, "a", "10")))
    a = state.argument(1)


# The script Sample 618:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = a + a;
# | i = 0; While(i < 3 && ($y == (-1 + 1.5)), i++; WriteToOperationLog(Length("true")); c = Eval(a, "");
# >  If((maxCount = false), c = IfNull(Null(), 1)); $y = c);
# | If(!(a >= "true"), , If(true, $x = 1.5); i = 0; While(i < 3 && true, i++; b = b + 0; a = "x y"););
# | $x = $x + 1;
# | $order.id = Eval((b + b) / IfNull(a, 1), $x);
# | b = If((Trim($y) == (b++)), b + 1, b)
def sample_618(state: State) -> Value:
    """The script Sample 618 of the design.

    Reads x, y.
    Writes order.id, x, y.
    """
    a = "text"
    b = 1
    i = 0
    a = a + a
    i = 0
    iterations = state.iterations()
    while i < 3 and equals(state["y"], add(-1, 1.5)):
        iterations.count()
        i = i + 1
        state.write_to_operation_log(len("true"))
        try:
            c: Value = a
        except ScriptError as error:
            state.catch(error)
            c = ""
        state["y"] = c
    if a >= "true":
        state["x"] = 1.5
        i = 0
        iterations_2 = state.iterations()
        while i < 3:
            iterations_2.count()
            i = i + 1
            b = b + 0
            a = "x y"
    state["x"] = add(state["x"], 1)
    try:
        state["order.id"] = divide(add(b, b), if_null(a, 1))
    except ScriptError as error:
        state.catch(error)
        state["order.id"] = state["x"]
    value = trim(state["y"])
    value_2 = b
    b = b + 1
    if equals(value, value_2):
        return b + 1
    return b


# The script Sample 619:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | ArgumentList(a);
# | i = 0; i++; ++i;
# | i = 0; While(i < 2, i = i + 1; a = a + i; If(maxCount, $x = 7; "true", "a"))
def sample_619(state: State) -> None:
    """The script Sample 619 of the design.

    Writes x.
    """
    a: Value = "text"
    max_count = True
    i = 0
    a = state.argument(1)
    i = 0
    i = i + 1
    i = i + 1
    i = 0
    iterations = state.iterations()
    while i < 2:
        iterations.count()
        i = i + 1
        a = add(a, i)
        if max_count:
            state["x"] = 7


# The script Sample 620:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | While(false, While(false, $x++));
# | $x = 1.5;
# | b++;
# | b -= 1;
# | WriteToOperationLog((GetLastError() + RunScript('<TAG>script:Echo</TAG>', $x)))
def sample_620(state: State) -> Value:
    """The script Sample 620 of the design.

    Reads x.
    Writes x.
    Runs Echo.
    """
    b = 1
    iterations = state.iterations()
    while False:
        iterations.count()
        iterations_2 = state.iterations()
        while False:
            iterations_2.count()
            state["x"] = increased(state["x"])
    state["x"] = 1.5
    b = b + 1
    b = b - 1
    return state.write_to_operation_log(add(state.get_last_error(), state.run_script("Echo", state["x"])))


# The script Sample 621:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | ArgumentList(a);
# | b = Get('x');
# | If(RunOperation('<TAG>operation:Tool</TAG>'), $list = {(b++), GetLastError()}; $list[0]++; i = 0; While(i
# >  < 3 && IsNull(2), i++; a = $y = "x y"; a = "true"), $list[b] = 1);
# | RunOperation('<TAG>operation:Tool</TAG>')
def sample_621(state: State) -> Value:
    """The script Sample 621 of the design.

    Reads list, x, y.
    Writes list, y.
    Runs Tool.
    """
    b: Value = 1
    i = 0
    b = state["x"]
    if state.run_operation("Tool"):
        value = b
        b = increased(b)
        state["list"] = [value, state.get_last_error()]
        state.set_element("list", increased(state.element(state["list"], 0)), 0)
        i = 0
        iterations = state.iterations()
        while i < 3 and is_null(2):
            iterations.count()
            i = i + 1
            state["y"] = "x y"
    else:
        state.set_element("list", 1, b)
    return state.run_operation("Tool")


# The script Sample 622:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = Array(); maxCount[-1] = ""; $x++;
# | i = 0; While(i < 3 && Bool(GetLastError()), i++; While(false, maxCount); maxCount = Dict(); maxCount['k']
# >  = Split(a, ' '); maxCount['k']++);
# | b = b++
def sample_622(state: State) -> Value:
    """The script Sample 622 of the design.

    Reads x.
    Writes x.
    """
    a = "text"
    b = 1
    max_count: Value = True
    i = 0
    max_count = []
    max_count = state.with_element(max_count, "", -1)
    state["x"] = increased(state["x"])
    i = 0
    iterations = state.iterations()
    while i < 3 and state.to_bool(state.get_last_error()):
        iterations.count()
        i = i + 1
        iterations_2 = state.iterations()
        while False:
            iterations_2.count()
        max_count = {}
        max_count = state.with_element(max_count, split(a, " "), "k")
        max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    value = b
    b = b + 1
    return value


# The script Sample 623:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $list[1][0] = (Double(Null()) < (b = i));
# | ArgumentList(a)
def sample_623(state: State) -> None:
    """The script Sample 623 of the design.

    Reads list.
    Writes list.
    """
    i = 0
    state.set_element("list", to_double(None) < i, 1, 0)


# The script Sample 624:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b = If(RunOperation('<TAG>operation:Tool</TAG>'), b + 1, b);
# | $y = $y;
# | $x = b++
def sample_624(state: State) -> Value:
    """The script Sample 624 of the design.

    Reads y.
    Writes x, y.
    Runs Tool.
    """
    b = 1
    b = b + 1 if state.run_operation("Tool") else b
    state["y"] = state["y"]
    value = b
    b = b + 1
    state["x"] = value
    return value


# The script Sample 625:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b++;
# | If((b++), ArgumentList(a););
# | maxCount = Array(); maxCount[-1] = If(true, "10", JSONStringify($never)); $order.id = Now();
# | b = (++b);
# | c = "a"; If($list[(--$x)], c = ($x = (b++))); $y = c
def sample_625(state: State) -> Value:
    """The script Sample 625 of the design.

    Reads list, x.
    Writes order.id, x, y.
    """
    b = 1
    max_count: Value = True
    b = b + 1
    value = b
    b = b + 1
    truth(value)
    max_count = []
    max_count = state.with_element(max_count, "10", -1)
    state["order.id"] = state.now()
    b = (b := b + 1)
    c: Value = "a"
    if truth(state.element(state["list"], state.assign("x", decreased(state["x"])))):
        value_2 = b
        b = b + 1
        state["x"] = value_2
        c = state["x"]
    state["y"] = c
    return c


# The script Sample 626:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | ArgumentList(a);
# | AddToDict($d, a, a)
def sample_626(state: State) -> Value:
    """The script Sample 626 of the design.

    Reads d.
    Writes d.
    """
    a: Value = "text"
    a = state.argument(1)
    return add_to_dict(state.dictionary("d"), a, a)


# The script Sample 627:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $x = b++;
# | $x = Double(RunOperation('<TAG>operation:LLM Call</TAG>'));
# | c = $y; If(Split(Left("a", Length("true") - 1), ' '), c = 2); $y = c
def sample_627(state: State) -> Value:
    """The script Sample 627 of the design.

    Reads y.
    Writes x, y.
    Runs LLM Call.
    """
    b = 1
    value = b
    b = b + 1
    state["x"] = value
    state["x"] = to_double(state.run_operation("LLM Call"))
    c: Value = state["y"]
    if truth(split(left("a", len("true") - 1), " ")):
        c = 2
    state["y"] = c
    return c


# The script Sample 628:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = Dict(); maxCount['k'] = Get('x'); maxCount['k']++;
# | a += If(true, b++; If(false, $y, a), Index(a, ""))
def sample_628(state: State) -> Value:
    """The script Sample 628 of the design.

    Reads x.
    """
    a = "text"
    b = 1
    max_count: Value = True
    max_count = {}
    max_count = state.with_element(max_count, state["x"], "k")
    max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    value = a
    b = b + 1
    value_2 = a
    return value + value_2


# The script Sample 629:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $n = 3; While($n > 0, $n--; $d = Dict(); $d['k'] = If(true, true, false));
# | $d = Dict(); $d['k'] = maxCount;
# | maxCount = true;
# | ArgumentList(a, maxCount);
# | c = _1; If(maxCount, c = Length(Case(false, "10", "true", "x y", true, "10") + Index("", "x y"))); $y = c
def sample_629(state: State) -> Value:
    """The script Sample 629 of the design.

    Reads d, n.
    Writes d, n, y.
    """
    max_count: Value = True
    state["n"] = 3
    iterations = state.iterations()
    while greater(state["n"], 0):
        iterations.count()
        state["n"] = decreased(state["n"])
        state["d"] = {}
        state.set_element("d", True, "k")
    state["d"] = {}
    state.set_element("d", max_count, "k")
    max_count = True
    max_count = state.argument(2)
    c: Value = state.argument(1)
    if truth(max_count):
        c = len(("x y" if truth("true") else "10") + str(index("", "x y")))
    state["y"] = c
    return c


# The script Sample 630:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $d = Dict(); $d['k'] = (1 < {1, 2}[0]);
# | $list[1][0] = Set('y', RunScript('<TAG>script:Echo</TAG>', ""));
# | $list = {$x, WriteToOperationLog({1, 2}[0])}; $list[0]++;
# | maxCount = _1;
# | $list = {1.5, "true"}; $list[0]++
def sample_630(state: State) -> Value:
    """The script Sample 630 of the design.

    Reads d, list, x.
    Writes d, list, y.
    Runs Echo.
    """
    state["d"] = {}
    state.set_element("d", compare(1, "<", state.element([1, 2], 0)), "k")
    state.set_element("list", state.assign("y", state.run_script("Echo", "")), 1, 0)
    state["list"] = [state["x"], state.write_to_operation_log(state.element([1, 2], 0))]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    state["list"] = [1.5, "true"]
    value = state.element(state["list"], 0)
    value_2 = increased(value)
    state.set_element("list", value_2, 0)
    return value


# The script Sample 631:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b -= 1;
# | $order.id = true;
# | While(IsValid(Array()) && Length($w) < 2, $w = $w + 1);
# | Case(maxCount, IsValid(a = "x y"), ($y = JSONStringify(true)), -1; b = b++, true, maxCount = Array();
# >  maxCount[-1] = Bool(a); a = "a");
# | false;
# | If(0, x = y = Length("" + Null()); $x = x + y;)
def sample_631(state: State) -> Value:
    """The script Sample 631 of the design.

    Reads w.
    Writes order.id, w, x, y.
    """
    a = "text"
    b = 1
    max_count: Value = True
    b = b - 1
    state["order.id"] = True
    iterations = state.iterations()
    while True:
        try:
            valid = True
        except ScriptError as error:
            state.catch(error)
            valid = False
        if not (valid and length(state["w"]) < 2):
            break
        iterations.count()
        state["w"] = add(state["w"], 1)
    if truth(max_count):
        try:
            a = "x y"
        except ScriptError as error:
            state.catch(error)
    elif truth(state.assign("y", json_stringify(True))):
        value = b
        b = b + 1
        b = value
    else:
        max_count = []
        max_count = state.with_element(max_count, state.to_bool(a), -1)
        a = "a"
    if truth(0):
        y = length(add("", None))
        x = y
        state["x"] = x + y
        return state["x"]

    return None


# The script Sample 632:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | i = 0; While(i < 2, i = i + 1; a = a + i; b = If((Null() == 0), b + 1, b));
# | AddToDict($d, "", Round((b / 2), 1));
# | If(false, If(((b / 2) > $never), If(true, a = $y = "a")));
# | If(Bool(GetJSONString('{"p":[{"q":"w"},2]}', '/' + a)), If(true, $d = Dict(); $d['k'] = ""));
# | ArgumentList(a, maxCount);
# | a = If(false, Replace("x y", 'a', ""); ($y = a), JSONStringify(($x / 2)))
def sample_632(state: State) -> Value:
    """The script Sample 632 of the design.

    Reads d, x.
    Writes d.
    """
    a: Value = "text"
    b = 1
    i = 0
    i = 0
    iterations = state.iterations()
    while i < 2:
        iterations.count()
        i = i + 1
        a = add(a, i)
        b = b + 1 if equals(None, 0) else b
    add_to_dict(state.dictionary("d"), "", round_(divide(b, 2), 1))
    if state.to_bool(state.get_json_string('{"p":[{"q":"w"},2]}', add("/", a))):
        state["d"] = {}
        state.set_element("d", "", "k")
    a = state.argument(1)
    return json_stringify(divide(state["x"], 2))


# The script Sample 633:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If((true && false), ArgumentList(a, maxCount); If(Bool($y), a = $y; false, $order.id = maxCount), c =
# >  String("x y"); If(maxCount, c = Length("x y")); $y = c);
# | While(false, ArgumentList(a));
# | WriteToOperationLog(true);
# | ArgumentList(a)
def sample_633(state: State) -> None:
    """The script Sample 633 of the design.

    Writes y.
    """
    max_count = True
    c: Value = "x y"
    if max_count:
        c = len("x y")
    state["y"] = c
    iterations = state.iterations()
    while False:
        iterations.count()
    state.write_to_operation_log(True)


# The script Sample 634:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Case(((false + {1, 2}) == Replace("x y", a, "x y")), $x = $x + 1, $y, maxCount = 1; $list[{1, 2}[0]] =
# >  JSONStringify(""), true, b -= 1);
# | a = "";
# | If((Left(_1, 2) || _2), If(Split((_1 + _1), ' '), a = $y = Case(true, "10", 1.5, a, true, "true")))
def sample_634(state: State) -> Value:
    """The script Sample 634 of the design.

    Reads list, x, y.
    Writes list, x, y.
    """
    a = "text"
    b = 1
    if equals(add(False, [1, 2]), replace("x y", a, "x y")):
        state["x"] = add(state["x"], 1)
    elif truth(state["y"]):
        state.set_element("list", json_stringify(""), state.element([1, 2], 0))
    else:
        b = b - 1
    a = ""
    if truth(text(state.argument(1))[:2]) or truth(state.argument(2)):
        if truth(split(add(state.argument(1), state.argument(1)), " ")):
            state["y"] = "10"
            return "10"

        return None

    return None


# The script Sample 635:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $d = Dict(); $d['k'] = ($y + Replace("a", 'a', a));
# | $list = {(--$x), "a"}; $list[0]++;
# | b++;
# | a = a + a
def sample_635(state: State) -> Value:
    """The script Sample 635 of the design.

    Reads d, list, x, y.
    Writes d, list, x.
    """
    a = "text"
    b = 1
    state["d"] = {}
    state.set_element("d", add(state["y"], "a".replace("a", a)), "k")
    state["list"] = [state.assign("x", decreased(state["x"])), "a"]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    b = b + 1
    return a + a


# The script Sample 636:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = If(((b = i) < If(false, 1.5, 2)), $x = (b * a); "", a);
# | --$x;
# | If(IsValid($x / Length("x y")), If((RunScript('<TAG>script:Echo</TAG>', "x y") != ("x y" + a)),
# >  WriteToOperationLog(Left("", 2))));
# | x = y = 1.5; $x = x + y;
# | Case((("x y" == i) == (b = 1)), Eval(maxCount = $x, a += maxCount), true, $x++)
def sample_636(state: State) -> Value:
    """The script Sample 636 of the design.

    Reads x.
    Writes x.
    Runs Echo.
    """
    a = "text"
    b = 1
    max_count = True
    i = 0
    if less(b := i, 2):
        state["x"] = multiply(b, a)
        a = ""
    else:
        a = a
    state["x"] = decreased(state["x"])
    try:
        divide(state["x"], len("x y"))
        valid = True
    except ScriptError as error:
        state.catch(error)
        valid = False
    if valid and differs(state.run_script("Echo", "x y"), "x y" + a):
        state.write_to_operation_log(""[:2])
    y = 1.5
    x = y
    state["x"] = add(x, y)
    if equals(equals("x y", i), b := 1):
        try:
            return state["x"]
        except ScriptError as error:
            state.catch(error)
            return a + text(max_count)
    value = state["x"]
    state["x"] = increased(state["x"])
    return value


# The script Sample 637:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | i = 0; While(i < 3 && ($x <= (-1 * b) == (true && false)), i++; If((false && false), If((_1 >= _1), $x =
# >  0)); IsValid($order.id = maxCount));
# | RaiseError(-(-(_1)));
# | ArgumentList(a)
def sample_637(state: State) -> None:
    """The script Sample 637 of the design.

    Reads x.
    Writes order.id.
    """
    b = 1
    max_count = True
    i = 0
    i = 0
    iterations = state.iterations()
    while i < 3 and truth(compare(compare(state["x"], "<=", -1 * b), "==", False)):
        iterations.count()
        i = i + 1
        try:
            state["order.id"] = max_count
        except ScriptError as error:
            state.catch(error)
    raise state.error(minus(minus(state.argument(1))))


# The script Sample 638:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | While(false, b++);
# | $list[Get('x')] = Double(Dict());
# | If($order.id, a += GetLastError(););
# | If(((false && true) || !false), If(maxCount, IsValid(--$x)));
# | a = "10";
# | If(Bool((b = 1)), , $list = {(b++), ($y = _1)}; $list[0]++; WriteToOperationLog(Get('x'));)
def sample_638(state: State) -> Value:
    """The script Sample 638 of the design.

    Reads list, order.id, x.
    Writes list, x, y.
    """
    a = "text"
    b = 1
    max_count = True
    iterations = state.iterations()
    while False:
        iterations.count()
        b = b + 1
    state.set_element("list", to_double({}), state["x"])
    if truth(state["order.id"]):
        a = a + state.get_last_error()
    if max_count:
        try:
            state["x"] = decreased(state["x"])
        except ScriptError as error:
            state.catch(error)
    a = "10"
    if state.to_bool(b := 1):
        return None
    value = b
    b = b + 1
    state["list"] = [value, state.assign("y", state.argument(1))]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    return state.write_to_operation_log(state["x"])


# The script Sample 639:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | While(IsValid(maxCount) && Length($w) < 2, $w = $w + 1);
# | IsValid(AddToDict($d, a, GetLastError()));
# | AddToDict($d, 'k', $d)
def sample_639(state: State) -> Value:
    """The script Sample 639 of the design.

    Reads d, w.
    Writes d, w.
    """
    a = "text"
    iterations = state.iterations()
    while True:
        try:
            valid = True
        except ScriptError as error:
            state.catch(error)
            valid = False
        if not (valid and length(state["w"]) < 2):
            break
        iterations.count()
        state["w"] = add(state["w"], 1)
    try:
        add_to_dict(state.dictionary("d"), a, state.get_last_error())
    except ScriptError as error:
        state.catch(error)
    return add_to_dict(state.dictionary("d"), "k", state["d"])


# The script Sample 640:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = '#' + If((-("x y") == InList(i, 1, a)), maxCount = Dict(); maxCount['k'] = {1, 2}[0]; maxCount['k']++;
# >  1.5, (a = ($y + true + 1)));
# | i = 0; While(i < 2, i = i + 1; a = a + i; b = b++);
# | Set('list', (IsValid($x / $x) && maxCount), -1);
# | ToUpper((a = "true"));
# | i = 0; i++; ++i
def sample_640(state: State) -> Value:
    """The script Sample 640 of the design.

    Reads list, x, y.
    Writes list.
    """
    a: Value
    a = "text"
    b = 1
    max_count: Value = True
    i = 0
    if equals(minus("x y"), in_list(i, 1, a)):
        max_count = {}
        max_count = state.with_element(max_count, state.element([1, 2], 0), "k")
        max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
        value: Value = 1.5
    else:
        a = add(state["y"], True, 1)
        value = a
    a = add("#", value)
    i = 0
    iterations = state.iterations()
    while i < 2:
        iterations.count()
        i = i + 1
        a = add(a, i)
        value_2 = b
        b = b + 1
        b = value_2
    try:
        divide(state["x"], state["x"])
        valid = True
    except ScriptError as error:
        state.catch(error)
        valid = False
    state.set("list", valid and truth(max_count), -1)
    to_upper(a := "true")
    i = 0
    i = i + 1
    return i + 1


# The script Sample 641:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(true, b++);
# | a = '#' + If(false, a += IsValid(1.5 / 2); ($list)[-1], (("10" + 1) + String(maxCount)))
def sample_641(_state: State) -> Value:
    """The script Sample 641 of the design."""
    b = 1
    max_count = True
    b = b + 1
    return "#" + ("10" + "1" + text(max_count))


# The script Sample 642:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(true, , WriteToOperationLog(false); a += b;);
# | If((Get('x') > $never), , $x++; $x = b++;);
# | b -= 1;
# | AddToDict($d, 'k', $d);
# | WriteToOperationLog(false);
# | Set('list', ($y = Set('y', a)), -1)
def sample_642(state: State) -> Value:
    """The script Sample 642 of the design.

    Reads d, list, never, x.
    Writes d, list, x, y.
    """
    a = "text"
    b = 1
    if not greater(state["x"], state["never"]):
        state["x"] = increased(state["x"])
        value = b
        b = b + 1
        state["x"] = value
    b = b - 1
    add_to_dict(state.dictionary("d"), "k", state["d"])
    state.write_to_operation_log(False)
    return state.set("list", state.assign("y", state.assign("y", a)), -1)


# The script Sample 643:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = WriteToOperationLog(TrimChars("", 'a'));
# | Set('y', JSONStringify((maxCount = maxCount)));
# | b = b++;
# | ArgumentList(a, maxCount);
# | $x = $x + 1
def sample_643(state: State) -> Value:
    """The script Sample 643 of the design.

    Reads x.
    Writes x, y.
    """
    max_count: Value
    b = 1
    max_count = True
    state.write_to_operation_log("".strip("a"))
    state["y"] = json_stringify(max_count := max_count)
    value = b
    b = b + 1
    b = value
    max_count = state.argument(2)
    state["x"] = add(state["x"], 1)
    return state["x"]


# The script Sample 644:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | AddToDict($d, 'k', $d);
# | maxCount = Dict(); maxCount['k'] = Array(); maxCount['k']++;
# | $x = $x + 1
def sample_644(state: State) -> Value:
    """The script Sample 644 of the design.

    Reads d, x.
    Writes d, x.
    """
    max_count: Value = True
    add_to_dict(state.dictionary("d"), "k", state["d"])
    max_count = {}
    max_count = state.with_element(max_count, [], "k")
    max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    state["x"] = add(state["x"], 1)
    return state["x"]


# The script Sample 645:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $x = b++;
# | Set('list', GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q'), -1);
# | a = '#' + If(maxCount, $x = (b / 2); true, "10")
def sample_645(state: State) -> Value:
    """The script Sample 645 of the design.

    Reads list.
    Writes list, x.
    """
    b = 1
    max_count = True
    value = b
    b = b + 1
    state["x"] = value
    state.set("list", state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q"), -1)
    if max_count:
        state["x"] = divide(b, 2)
        value_2: Value = True
    else:
        value_2 = "10"
    return add("#", value_2)


# The script Sample 646:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $x++;
# | i = 0; While(i < 3 && true, i++; i = 0; While(i < 2, i = i + 1; a = a + i; a = $y = _1); $n = 3; While($n
# >  > 0, $n--; b = $x));
# | i = 0; While(i < 2, i = i + 1; a = a + i; !true);
# | $n = 3; While($n > 0, $n--; b -= 1)
def sample_646(state: State) -> None:
    """The script Sample 646 of the design.

    Reads n, x, y.
    Writes n, x, y.
    """
    a: Value = "text"
    b: Value = 1
    i = 0
    state["x"] = increased(state["x"])
    i = 0
    iterations = state.iterations()
    while i < 3:
        iterations.count()
        i = i + 1
        i = 0
        iterations_2 = state.iterations()
        while i < 2:
            iterations_2.count()
            i = i + 1
            a = add(a, i)
            state["y"] = state.argument(1)
            a = state["y"]
        state["n"] = 3
        iterations_3 = state.iterations()
        while greater(state["n"], 0):
            iterations_3.count()
            state["n"] = decreased(state["n"])
            b = state["x"]
    i = 0
    iterations_4 = state.iterations()
    while i < 2:
        iterations_4.count()
        i = i + 1
        a = add(a, i)
    state["n"] = 3
    iterations_5 = state.iterations()
    while greater(state["n"], 0):
        iterations_5.count()
        state["n"] = decreased(state["n"])
        b = subtract(b, 1)


# The script Sample 647:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | c = (Mod(7, 1) <= -(0) == RunOperation('<TAG>operation:LLM Call</TAG>')); c = $y; $x = c;
# | c = IsValid(_2); c = a; $x = c;
# | c = $y; If(false, c = (2 * -1)); $y = c;
# | b = If((IsNull(true) && (false == true)), b + 1, b);
# | $x = 2
def sample_647(state: State) -> Value:
    """The script Sample 647 of the design.

    Reads y.
    Writes x, y.
    Runs LLM Call.
    """
    a = "text"
    b = 1
    c: Value = equals(mod(7, 1) <= -0, state.run_operation("LLM Call"))
    c = state["y"]
    state["x"] = c
    try:
        c = True
    except ScriptError as error:
        state.catch(error)
        c = False
    c = a
    state["x"] = c
    c = state["y"]
    state["y"] = c
    b = b + 1 if is_null(True) and False else b
    state["x"] = 2
    return 2


# The script Sample 648:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If((IfNull({"a"}, 1) > $never), $x++; b -= 1, IsValid($x++));
# | Eval(Set('list', If(maxCount, false), -1), Set('y', (++b)));
# | Eval(maxCount = Split(a, ' '), i = 0; While(i < 3 && maxCount, i++; a = a; maxCount))
def sample_648(state: State) -> Value:
    """The script Sample 648 of the design.

    Reads list, never, x.
    Writes list, x, y.
    """
    a = "text"
    b = 1
    max_count = True
    i = 0
    if greater(if_null(["a"], 1), state["never"]):
        state["x"] = increased(state["x"])
        b = b - 1
    else:
        try:
            state["x"] = increased(state["x"])
        except ScriptError as error:
            state.catch(error)
    try:
        state.set("list", False if max_count else None, -1)
    except ScriptError as error:
        state.catch(error)
        state["y"] = (b := b + 1)
    try:
        return split(a, " ")
    except ScriptError as error:
        state.catch(error)
        i = 0
        iterations = state.iterations()
        while i < 3 and max_count:
            iterations.count()
            i = i + 1
            a = a
        return None


# The script Sample 649:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = a + a;
# | IsValid(maxCount = Dict(); maxCount['k'] = IsValid(b); maxCount['k']++);
# | $x++;
# | $n = 3; While($n > 0, $n--; i = 0; While(i < 3 && (++b), i++; $x = $x + 1; b -= 1));
# | b++
def sample_649(state: State) -> Value:
    """The script Sample 649 of the design.

    Reads n, x.
    Writes n, x.
    """
    a = "text"
    b = 1
    max_count: Value = True
    i = 0
    a = a + a
    try:
        max_count = {}
        try:
            valid = True
        except ScriptError as error:
            state.catch(error)
            valid = False
        max_count = state.with_element(max_count, valid, "k")
        max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    except ScriptError as error:
        state.catch(error)
    state["x"] = increased(state["x"])
    state["n"] = 3
    iterations = state.iterations()
    while greater(state["n"], 0):
        iterations.count()
        state["n"] = decreased(state["n"])
        i = 0
        iterations_2 = state.iterations()
        while i < 3 and (b := b + 1) != 0:
            iterations_2.count()
            i = i + 1
            state["x"] = add(state["x"], 1)
            b = b - 1
    value = b
    b = b + 1
    return value


# The script Sample 650:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | ArgumentList(a, maxCount);
# | If(true, Set('y', $y))
def sample_650(state: State) -> Value:
    """The script Sample 650 of the design.

    Reads y.
    Writes y.
    """
    state["y"] = state["y"]
    return state["y"]


# The script Sample 651:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $d = Dict(); $d['k'] = "";
# | RaiseError($y);
# | While(IsValid(RunOperation('<TAG>operation:Tool</TAG>')) && Length($w) < 2, $w = $w + 1)
def sample_651(state: State) -> None:
    """The script Sample 651 of the design.

    Reads d, y.
    Writes d.
    """
    state["d"] = {}
    state.set_element("d", "", "k")
    raise state.error(state["y"])


# The script Sample 652:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b++;
# | ArgumentList(a);
# | $order.id = $y;
# | If(RunOperation('<TAG>operation:LLM Call</TAG>'), $y, "x y")
def sample_652(state: State) -> Value:
    """The script Sample 652 of the design.

    Reads y.
    Writes order.id.
    Runs LLM Call.
    """
    b = 1
    b = b + 1
    state["order.id"] = state["y"]
    if state.run_operation("LLM Call"):
        return state["y"]
    return "x y"


# The script Sample 654:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b -= 1;
# | a += Length($list[b]);
# | If(((Null() != a) == ($x = 2)), , b = b++; a = '#' + If(true, b++; HasKey($d, "true"), Eval($x = 7; a,
# >  "10"));)
def sample_654(state: State) -> Value:
    """The script Sample 654 of the design.

    Reads d, list.
    Writes x.
    """
    a = "text"
    b = 1
    b = b - 1
    a = a + str(length(state.element(state["list"], b)))
    if equals(differs(None, a), state.assign("x", 2)):
        return None
    value = b
    b = b + 1
    b = value
    b = b + 1
    value_2 = has_key(state["d"], "true")
    return "#" + text(value_2)


# The script Sample 656:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b -= 1;
# | b = If(RunOperation('<TAG>operation:Tool</TAG>'), b + 1, b);
# | $list = {2, a}; $list[0]++;
# | maxCount
def sample_656(state: State) -> Value:
    """The script Sample 656 of the design.

    Reads list.
    Writes list.
    Runs Tool.
    """
    a = "text"
    b = 1
    max_count = True
    b = b - 1
    b = b + 1 if state.run_operation("Tool") else b
    state["list"] = [2, a]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    return max_count


# The script Sample 657:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = $y = RunScript('<TAG>script:Echo</TAG>', maxCount);
# | --$x;
# | $x++;
# | While(false, (true != a));
# | $y;
# | i = 0; While(i < 2, i = i + 1; a = a + i; b = If(true, b + 1, b))
def sample_657(state: State) -> None:
    """The script Sample 657 of the design.

    Reads x, y.
    Writes x, y.
    Runs Echo.
    """
    a: Value = "text"
    b = 1
    max_count = True
    i = 0
    state["y"] = state.run_script("Echo", max_count)
    a = state["y"]
    state["x"] = decreased(state["x"])
    state["x"] = increased(state["x"])
    iterations = state.iterations()
    while False:
        iterations.count()
        compare(True, "!=", a)
    i = 0
    iterations_2 = state.iterations()
    while i < 2:
        iterations_2.count()
        i = i + 1
        a = add(a, i)
        b = b + 1


# The script Sample 658:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | --$x;
# | maxCount = Dict(); maxCount['k'] = ($never + Double(b)); maxCount['k']++
def sample_658(state: State) -> Value:
    """The script Sample 658 of the design.

    Reads never, x.
    Writes x.
    """
    b = 1
    max_count: Value = True
    state["x"] = decreased(state["x"])
    max_count = {}
    max_count = state.with_element(max_count, add(state["never"], to_double(b)), "k")
    value = state.element(max_count, "k")
    value_2 = increased(value)
    max_count = state.with_element(max_count, value_2, "k")
    return value


# The script Sample 659:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | --$x;
# | AddToDict($d, (Index(a, "x y") + JSONStringify(1) + false), ((b + $y + $y) + Equal($y, _1) + b));
# | a = Array();
# | If(maxCount, If(("10" >= "10"), ArgumentList(a)));
# | If((i < (i ^ 2)), If(true, $x = b++));
# | a = If(maxCount, $x = $x; Left(("10" + a), Length("a") - 1), "x y")
def sample_659(state: State) -> Value:
    """The script Sample 659 of the design.

    Reads d, x, y.
    Writes d, x.
    """
    a: Value = "text"
    b = 1
    max_count = True
    i = 0
    state["x"] = decreased(state["x"])
    add_to_dict(
        state.dictionary("d"),
        str(index(a, "x y")) + json_stringify(1) + text(False),
        add(add(b, state["y"], state["y"]), equal(state["y"], state.argument(1)), b),
    )
    a = []
    if max_count and "10" <= "10":
        a = state.argument(1)
    if less(i, power(i, 2)):
        value = b
        b = b + 1
        state["x"] = value
    if max_count:
        state["x"] = state["x"]
        return left(add("10", a), len("a") - 1)

    return "x y"


# The script Sample 660:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | (GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q') >= "a");
# | a += b
def sample_660(state: State) -> Value:
    """The script Sample 660 of the design."""
    a = "text"
    b = 1
    state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q")
    return a + str(b)


# The script Sample 661:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $list[1][0] = "a";
# | Eval(true, $y = Eval((_1 + Null()), $y = ""; a));
# | ArgumentList(a);
# | If(true, ArgumentList(a, maxCount))
def sample_661(state: State) -> None:
    """The script Sample 661 of the design.

    Reads list.
    Writes list, y.
    """
    state.set_element("list", "a", 1, 0)


# The script Sample 662:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $x++;
# | a = a + a;
# | Set('y', Left(-("10"), Length($y) - 1))
def sample_662(state: State) -> Value:
    """The script Sample 662 of the design.

    Reads x, y.
    Writes x, y.
    """
    a = "text"
    state["x"] = increased(state["x"])
    a = a + a
    state["y"] = left(minus("10"), length(state["y"]) - 1)
    return state["y"]


# The script Sample 663:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b = ($x = Index("x y", $y));
# | $x = 2;
# | If((WriteToOperationLog({"a"}) == (1.5 + "x y" + {1, 2})), , a = $y = a; --$x;);
# | b = If((-(0) <= IfNull("x y", 1) == IsNull({1, 2})), b + 1, b);
# | Eval(a = '#' + If(maxCount, b = b + $x; (1 + b), (a = $y)), maxCount = Split(a, ' '));
# | Case(If(Equal(maxCount, b), true, false), If(RunOperation('<TAG>operation:Tool</TAG>'), a;), maxCount,
# >  If(true, _1); Set('list', $x, -1), true, a = If(true, a = "x y"; String(maxCount), _1))
def sample_663(state: State) -> Value:
    """The script Sample 663 of the design.

    Reads list, x, y.
    Writes list, x, y.
    Runs Tool.
    """
    a: Value = "text"
    b: Value = 1
    max_count: Value = True
    state["x"] = index("x y", state["y"])
    b = state["x"]
    state["x"] = 2
    if not equals(state.write_to_operation_log(["a"]), add(1.5, "x y", [1, 2])):
        state["y"] = a
        a = state["y"]
        state["x"] = decreased(state["x"])
    b = add(b, 1) if truth(compare(compare(-0, "<=", if_null("x y", 1)), "==", is_null([1, 2]))) else b
    try:
        if truth(max_count):
            b = add(b, state["x"])
            value: Value = add(1, b)
        else:
            a = state["y"]
            value = state["y"]
        a = add("#", value)
    except ScriptError as error:
        state.catch(error)
        max_count = split(a, " ")
    if equal(max_count, b):
        if state.run_operation("Tool"):
            return a
        return None

    if truth(max_count):
        return state.set("list", state["x"], -1)
    a = "x y"
    return to_string(max_count)


# The script Sample 664:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | AddToDict($d, 'k', $d);
# | maxCount = Dict(); maxCount['k'] = "true"; maxCount['k']++
def sample_664(state: State) -> Value:
    """The script Sample 664 of the design.

    Reads d.
    Writes d.
    """
    max_count: Value = True
    add_to_dict(state.dictionary("d"), "k", state["d"])
    max_count = {}
    max_count = state.with_element(max_count, "true", "k")
    value = state.element(max_count, "k")
    value_2 = increased(value)
    max_count = state.with_element(max_count, value_2, "k")
    return value


# The script Sample 665:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $y = Eval("a", true; $y);
# | a = GetName($x);
# | a = a + a
def sample_665(state: State) -> Value:
    """The script Sample 665 of the design.

    Reads y.
    Writes y.
    """
    a = "text"
    try:
        state["y"] = "a"
    except ScriptError as error:
        state.catch(error)
        state["y"] = state["y"]
    a = "x"
    return a + a


# The script Sample 666:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(true, c = 1.5; c = a; $x = c);
# | $order.id = -1;
# | $d = Dict(); $d['k'] = -((++b));
# | $x = $x + 1;
# | $y = ($y = a);
# | b = 1
def sample_666(state: State) -> Value:
    """The script Sample 666 of the design.

    Reads d, x, y.
    Writes d, order.id, x, y.
    """
    a = "text"
    b = 1
    c: Value = 1.5
    c = a
    state["x"] = c
    state["order.id"] = -1
    state["d"] = {}
    value = -(b := b + 1)
    state.set_element("d", value, "k")
    state["x"] = add(state["x"], 1)
    state["y"] = a
    state["y"] = state["y"]
    return 1


# The script Sample 667:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Case(IsValid(1.5 / b), If(true, --$x), IfEmpty(IfEmpty($y, "x y"), a), If(If(true, $x), maxCount = true;);
# >  b = b + (++b), true, $y = Eval(Eval($x = 7; "10", $y), $x = $x + 1; "10"));
# | Case(($x != GetJSONString('{"p":[{"q":"w"},2]}', '/' + "")), i = 0; While(i < 2, i = i + 1; a = a + i; a =
# >  $never), IsValid((b++) / Double(a)), b = b++; i = 0; While(i < 3 && ("a" >= "true"), i++; $x = 2; "x y"),
# >  true, a = a + a);
# | b -= 1;
# | If(false, , maxCount = $order.id; Eval($x = 7; $y, ""););
# | a = a + a;
# | a = '#' + If(($y + Dict()), --$x; GetKeys($d), JSONStringify(!maxCount))
def sample_667(state: State) -> Value:
    """The script Sample 667 of the design.

    Reads d, never, order.id, x, y.
    Writes x, y.
    """
    b: Value
    a: Value = "text"
    b = 1
    max_count: Value = True
    i = 0
    try:
        divide(1.5, b)
        valid = True
    except ScriptError as error:
        state.catch(error)
        valid = False
    if valid:
        state["x"] = decreased(state["x"])
    elif truth(if_empty(if_empty(state["y"], "x y"), a)):
        if truth(state["x"]):
            max_count = True
        b = add(b, b := increased(b))
    else:
        try:
            try:
                state["x"] = 7
                state["y"] = "10"
            except ScriptError as error:
                state.catch(error)
                state["y"] = state["y"]
        except ScriptError as error:
            state.catch(error)
            state["x"] = add(state["x"], 1)
            state["y"] = "10"
    if differs(state["x"], state.get_json_string('{"p":[{"q":"w"},2]}', "/" + "")):
        i = 0
        iterations = state.iterations()
        while i < 2:
            iterations.count()
            i = i + 1
            a = add(a, i)
            a = state["never"]
    else:
        try:
            value = b
            b = increased(b)
            divide(value, to_double(a))
            valid_2 = True
        except ScriptError as error:
            state.catch(error)
            valid_2 = False
        if valid_2:
            value_2 = b
            b = increased(b)
            b = value_2
            i = 0
            iterations_2 = state.iterations()
            while i < 3 and "true" <= "a":
                iterations_2.count()
                i = i + 1
                state["x"] = 2
        else:
            a = add(a, a)
    b = subtract(b, 1)
    max_count = state["order.id"]
    try:
        state["x"] = 7
    except ScriptError as error:
        state.catch(error)
    a = add(a, a)
    if truth(add(state["y"], {})):
        state["x"] = decreased(state["x"])
        value_3: Value = get_keys(state["d"])
    else:
        value_3 = json_stringify(negate(max_count))
    return add("#", value_3)


# The script Sample 668:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | If(false, If(_1, $y = $y));
# | While(IsValid(Dict()) && Length($w) < 2, $w = $w + 1);
# | $x++;
# | $list[Length(RunScript('<TAG>script:Echo</TAG>', maxCount) + $y)] = (Length(_1) < {1, 2}[0])
def sample_668(state: State) -> Value:
    """The script Sample 668 of the design.

    Reads list, w, x, y.
    Writes list, w, x.
    Runs Echo.
    """
    max_count = True
    iterations = state.iterations()
    while True:
        try:
            valid = True
        except ScriptError as error:
            state.catch(error)
            valid = False
        if not (valid and length(state["w"]) < 2):
            break
        iterations.count()
        state["w"] = add(state["w"], 1)
    state["x"] = increased(state["x"])
    value = compare(length(state.argument(1)), "<", state.element([1, 2], 0))
    state.set_element("list", value, length(add(state.run_script("Echo", max_count), state["y"])))
    return value


# The script Sample 669:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b = b + (($x += 1) - maxCount);
# | Case(Equal((--$x), RunOperation('<TAG>operation:LLM Call</TAG>')), $list[1][0] = If(true, $x = 7; $y, _1),
# >  true, If(true, b = b + 2));
# | RaiseError(Dict());
# | ArgumentList(a);
# | $y = Mid(Eval(a, a), Int("x y"), 1)
def sample_669(state: State) -> None:
    """The script Sample 669 of the design.

    Reads list, x, y.
    Writes list, x.
    Runs LLM Call.
    """
    b: Value = 1
    max_count = True
    b = add(b, subtract(state.assign("x", add(state["x"], 1)), max_count))
    if equal(state.assign("x", decreased(state["x"])), state.run_operation("LLM Call")):
        state["x"] = 7
        value = state["y"]
        state.set_element("list", value, 1, 0)
    else:
        b = add(b, 2)
    raise state.error({})


# The script Sample 670:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | If(IsNull(Eval("true", "")), , a = (b + "x y" + maxCount); $d = Dict(); $d['k'] = i;);
# | $x = $x + 1;
# | AddToDict($d, 'k', $d);
# | $order.id = false;
# | Split(Eval($x = 7; "true", $y), ' ')
def sample_670(state: State) -> Value:
    """The script Sample 670 of the design.

    Reads d, x, y.
    Writes d, order.id, x.
    """
    i = 0
    try:
        value = "true"
    except ScriptError as error:
        state.catch(error)
        value = ""
    if not is_null(value):
        state["d"] = {}
        state.set_element("d", i, "k")
    state["x"] = add(state["x"], 1)
    add_to_dict(state.dictionary("d"), "k", state["d"])
    state["order.id"] = False
    try:
        state["x"] = 7
        value_2: Value = "true"
    except ScriptError as error:
        state.catch(error)
        value_2 = state["y"]
    return split(value_2, " ")


# The script Sample 671:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $n = 3; While($n > 0, $n--; b++);
# | a = '#' + If((JSONStringify("10") == Length("true" + _1)), x = y = {1, 2}[0]; $x = x + y; If((-1 <= 2 ==
# >  maxCount), true, false), ($y = $y));
# | Mid("", 1, 1);
# | Set('y', Replace("", If(maxCount, "a", "x y"), $y));
# | ArgumentList(a)
def sample_671(state: State) -> None:
    """The script Sample 671 of the design.

    Reads n, y.
    Writes n, x, y.
    """
    b = 1
    max_count = True
    state["n"] = 3
    iterations = state.iterations()
    while greater(state["n"], 0):
        iterations.count()
        state["n"] = decreased(state["n"])
        b = b + 1
    if equals(json_stringify("10"), length(add("true", state.argument(1)))):
        y = state.element([1, 2], 0)
        x = y
        state["x"] = add(x, y)
        if at_most(-1, 2) == max_count:
            value: Value = True
        else:
            value = False
    else:
        state["y"] = state["y"]
        value = state["y"]
    add("#", value)
    mid("", 1, 1)
    state["y"] = replace("", "a" if max_count else "x y", state["y"])


# The script Sample 672:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | RaiseError("true");
# | Set('list', ("true" + false), -1);
# | !true;
# | a
def sample_672(state: State) -> None:
    """The script Sample 672 of the design."""
    raise state.error("true")


# The script Sample 673:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | Case((maxCount && true), c = (0 == b); c = WriteToOperationLog("10"); $x = c, _1, i = 0; While(i < 2, i =
# >  i + 1; a = a + i; b = b + -1); Case((maxCount = false), maxCount, {"a"}, $order.id = $x; a += $x, true, a
# >  = $y), true, i = 0; While(i < 3 && false, i++; $order.id = $order.id; --$x));
# | i = 0; While(i < 3 && false, i++; WriteToOperationLog(b); $y = Eval("", maxCount;
# >  WriteToOperationLog(false)));
# | Set('y', (Replace("10", 'a', "true") + ($list)[-1]));
# | maxCount = Dict(); maxCount['k'] = _2; maxCount['k']++;
# | Eval($d = Dict(); $d['k'] = GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q'), If(true, true));
# | Case(Bool(Replace(Null(), 'a', $y)), While(false, --$x), ((i + $y + $x) + ("true" == i) + 0), While(false,
# >  $y = a); ArgumentList(a), true, If((_1 == $x), --$x; $order.id = true, b++))
def sample_673(state: State) -> Value:
    """The script Sample 673 of the design.

    Reads d, list, order.id, x, y.
    Writes d, order.id, x, y.
    """
    max_count: Value
    a: Value = "text"
    b = 1
    max_count = True
    i = 0
    if truth(max_count):
        c: Value = equals(0, b)
        c = state.write_to_operation_log("10")
        state["x"] = c
    elif truth(state.argument(1)):
        i = 0
        iterations = state.iterations()
        while i < 2:
            iterations.count()
            i = i + 1
            a = add(a, i)
            b = b + -1
        if not (max_count := False):
            if truth(["a"]):
                state["order.id"] = state["x"]
                a = add(a, state["x"])
            else:
                a = state["y"]
    else:
        i = 0
        iterations_2 = state.iterations()
        while False:
            iterations_2.count()
            i = i + 1
            state["order.id"] = state["order.id"]
            state["x"] = decreased(state["x"])
    i = 0
    iterations_3 = state.iterations()
    while False:
        iterations_3.count()
        i = i + 1
        state.write_to_operation_log(b)
        try:
            state["y"] = ""
        except ScriptError as error:
            state.catch(error)
            state["y"] = state.write_to_operation_log(False)
    state["y"] = add("10".replace("a", "true"), state.element(state["list"], -1))
    max_count = {}
    max_count = state.with_element(max_count, state.argument(2), "k")
    max_count = state.with_element(max_count, increased(state.element(max_count, "k")), "k")
    try:
        state["d"] = {}
        state.set_element("d", state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q"), "k")
    except ScriptError as error:
        state.catch(error)
    if state.to_bool(replace(None, "a", state["y"])):
        iterations_4 = state.iterations()
        while False:
            iterations_4.count()
            state["x"] = decreased(state["x"])
        return None

    if truth(add(add(i, state["y"], state["x"]), equals("true", i), 0)):
        iterations_5 = state.iterations()
        while False:
            iterations_5.count()
            state["y"] = a
        a = state.argument(1)
        return None

    if equals(state.argument(1), state["x"]):
        state["x"] = decreased(state["x"])
        state["order.id"] = True
        return True

    value = b
    b = b + 1
    return value


# The script Sample 674:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b -= 1;
# | Eval(If(false, a = $y; a += maxCount, $order.id), Case(maxCount, $x = 1.5, (a = a), a = $y = a; a += a,
# >  true, a += a))
def sample_674(state: State) -> Value:
    """The script Sample 674 of the design.

    Reads order.id, y.
    Writes x, y.
    """
    a: Value
    a = "text"
    b = 1
    max_count = True
    b = b - 1
    try:
        return state["order.id"]
    except ScriptError as error:
        state.catch(error)
        if max_count:
            state["x"] = 1.5
            return 1.5

        if truth(a := a):
            state["y"] = a
            a = state["y"]
            return add(a, a)

        return add(a, a)


# The script Sample 676:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = Array(); maxCount[-1] = RunOperation('<TAG>operation:Tool</TAG>'); a = Case(maxCount, _1,
# >  maxCount, "x y", true, "true");
# | i = 0; i++; ++i
def sample_676(state: State) -> Value:
    """The script Sample 676 of the design.

    Runs Tool.
    """
    max_count: Value = True
    i = 0
    max_count = []
    max_count = state.with_element(max_count, state.run_operation("Tool"), -1)
    state.argument(1) if truth(max_count) else "x y" if truth(max_count) else "true"
    i = 0
    i = i + 1
    return i + 1


# The script Sample 677:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | a = ($y + Set('y', "true"));
# | b = 1.5
def sample_677(state: State) -> Value:
    """The script Sample 677 of the design.

    Reads y.
    Writes y.
    """
    add(state["y"], state.assign("y", "true"))
    return 1.5


# The script Sample 678:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | ArgumentList(a);
# | a = Mid("true", b, 1);
# | Eval(a = $y = $y, Set('list', b, -1));
# | If(RunOperation('<TAG>operation:Tool</TAG>'), If(!(false == maxCount), AddToDict($d,
# >  RunScript('<TAG>script:Echo</TAG>', Null()), "a")));
# | If((If(true, $x, $x) > $never), a = a + a; b = b++, b = -1);
# | While(IsValid(a) && Length($w) < 2, $w = $w + 1)
def sample_678(state: State) -> None:
    """The script Sample 678 of the design.

    Reads d, list, never, w, x, y.
    Writes d, list, w, y.
    Runs Tool, Echo.
    """
    a: Value = "text"
    b = 1
    max_count = True
    a = state.argument(1)
    a = mid("true", b, 1)
    try:
        state["y"] = state["y"]
        a = state["y"]
    except ScriptError as error:
        state.catch(error)
        state.set("list", b, -1)
    if state.run_operation("Tool") and max_count:
        add_to_dict(state.dictionary("d"), state.run_script("Echo", None), "a")
    if greater(state["x"], state["never"]):
        a = add(a, a)
        value = b
        b = b + 1
        b = value
    else:
        b = -1
    iterations = state.iterations()
    while True:
        try:
            valid = True
        except ScriptError as error:
            state.catch(error)
            valid = False
        if not (valid and length(state["w"]) < 2):
            break
        iterations.count()
        state["w"] = add(state["w"], 1)


# The script Sample 679:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = Array(); maxCount[-1] = $never; If(("x y" == ""), , false; $order.id = a;);
# | $n = 3; While($n > 0, $n--; If(WriteToOperationLog("true"), maxCount = $y;));
# | a = If(true, b -= 1; a, Trim((1.5 == b)));
# | WriteToOperationLog(true);
# | AddToDict($d, Replace(Double(2), 'a', ""), GetName($x));
# | --$x
def sample_679(state: State) -> Value:
    """The script Sample 679 of the design.

    Reads d, n, never, x, y.
    Writes d, n, order.id, x.
    """
    a = "text"
    b = 1
    max_count: Value = True
    max_count = []
    max_count = state.with_element(max_count, state["never"], -1)
    if not equals("x y", ""):
        state["order.id"] = a
    state["n"] = 3
    iterations = state.iterations()
    while greater(state["n"], 0):
        iterations.count()
        state["n"] = decreased(state["n"])
        if truth(state.write_to_operation_log("true")):
            max_count = state["y"]
    b = b - 1
    a = a
    state.write_to_operation_log(True)
    add_to_dict(state.dictionary("d"), replace(to_double(2), "a", ""), "x")
    state["x"] = decreased(state["x"])
    return state["x"]


# The script Sample 680:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | While(false, b = b);
# | i = 0; i++; ++i;
# | $x = $x + 1
def sample_680(state: State) -> Value:
    """The script Sample 680 of the design.

    Reads x.
    Writes x.
    """
    b = 1
    i = 0
    iterations = state.iterations()
    while False:
        iterations.count()
        b = b
    i = 0
    i = i + 1
    i = i + 1
    state["x"] = add(state["x"], 1)
    return state["x"]


# The script Sample 681:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | b = Length(If(true, _1, "x y") + $order.id);
# | x = y = -1; $x = x + y;
# | b = b;
# | --$x;
# | AddToDict($d, 'k', $d)
def sample_681(state: State) -> Value:
    """The script Sample 681 of the design.

    Reads d, order.id, x.
    Writes d, x.
    """
    b = 1
    b = length(add(state.argument(1), state["order.id"]))
    y = -1
    x = y
    state["x"] = x + y
    b = b
    state["x"] = decreased(state["x"])
    return add_to_dict(state.dictionary("d"), "k", state["d"])


# The script Sample 682:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $n = 3; While($n > 0, $n--; a = ($y = $y));
# | $d = Dict(); $d['k'] = true;
# | b = (b - (0 + 2));
# | b = $x;
# | $x = b++
def sample_682(state: State) -> Value:
    """The script Sample 682 of the design.

    Reads d, n, x, y.
    Writes d, n, x, y.
    """
    b: Value = 1
    state["n"] = 3
    iterations = state.iterations()
    while greater(state["n"], 0):
        iterations.count()
        state["n"] = decreased(state["n"])
        state["y"] = state["y"]
    state["d"] = {}
    state.set_element("d", True, "k")
    b = subtract(b, 0 + 2)
    b = state["x"]
    value = b
    b = increased(b)
    state["x"] = value
    return value


# The script Sample 683:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $x = $x + 1;
# | AddToDict($d, 'k', $d);
# | If("true", x = y = Length(a); $x = x + y;)
def sample_683(state: State) -> Value:
    """The script Sample 683 of the design.

    Reads d, x.
    Writes d, x.
    """
    a = "text"
    state["x"] = add(state["x"], 1)
    add_to_dict(state.dictionary("d"), "k", state["d"])
    if truth("true"):
        y = len(a)
        x = y
        state["x"] = x + y
        return state["x"]

    return None


# The script Sample 684:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | ArgumentList(a, maxCount);
# | b = b + {1, 2}[0];
# | Case(!Split("10", ' '), $x = $x + 1, Bool(Replace($y, 'a', "")), i = 0; While(i < 2, i = i + 1; a = a + i;
# >  b = 1.5));
# | b++;
# | $list = {i, Equal($list[i], Split("true", ' '))}; $list[0]++;
# | a = If((($x == $x) == !true), Eval($x, ""); ToUpper(""), ToUpper(a))
def sample_684(state: State) -> Value:
    """The script Sample 684 of the design.

    Reads list, x, y.
    Writes list, x.
    """
    a: Value = "text"
    b: Value = 1
    i = 0
    a = state.argument(1)
    b = add(b, state.element([1, 2], 0))
    if not truth(split("10", " ")):
        state["x"] = add(state["x"], 1)
    elif state.to_bool(text(state["y"]).replace("a", "")):
        i = 0
        iterations = state.iterations()
        while i < 2:
            iterations.count()
            i = i + 1
            a = add(a, i)
            b = 1.5
    b = increased(b)
    state["list"] = [i, equal(state.element(state["list"], i), split("true", " "))]
    state.set_element("list", increased(state.element(state["list"], 0)), 0)
    if equals(compare(state["x"], "==", state["x"]), False):
        return to_upper("")
    return to_upper(a)


# The script Sample 685:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | maxCount = Array(); maxCount[-1] = GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q'); If(false, , b = $x;
# >  a;);
# | If(false, Set('y', "a"); If(Int(a), --$x;), RaiseError(Left(a, 2)));
# | $list[b] = _2;
# | IsValid(While(IsValid((--$x)) && Length($w) < 2, $w = $w + 1));
# | (false || {"a"})
def sample_685(state: State) -> None:
    """The script Sample 685 of the design.

    Reads x.
    """
    a = "text"
    max_count: Value = True
    max_count = []
    max_count = state.with_element(max_count, state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q"), -1)
    raise state.error(a[:2])


# The script Sample 686:
#
# | a = "text";
# | b = 1;
# | maxCount = true;
# | i = 0;
# | $y = "a";
# | a = GetJSONString('{"p":[{"q":"w"},2]}', '/p/0/q')
def sample_686(state: State) -> Value:
    """The script Sample 686 of the design.

    Writes y.
    """
    state["y"] = "a"
    return state.get_json_string('{"p":[{"q":"w"},2]}', "/p/0/q")

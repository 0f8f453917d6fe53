"""The functions of Jitterbit Script that depend on their arguments alone, under the names of Python.

Each converts its arguments as in a script, so that it takes any value: `left(12345, 2)` is "12". What it does
is said in the docstring, which is that of the interpreter's own function. Functions that need the run, such
as GetJSONString, are methods of State.
"""

from datetime import datetime
from typing import Generic, TypeVar

from callagain.porting.jitterbit.calling import alone, called, called_with, given
from callagain.porting.script.functions import FUNCTIONS
from callagain.porting.script.values import Value

Result = TypeVar("Result", covariant=True)


class JitterbitFunction(Generic[Result]):
    """A function of Jitterbit Script, which is called with any values and gives one of a known type."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.__doc__ = FUNCTIONS[name.lower()].body.__doc__
        self._takes_run = FUNCTIONS[name.lower()].takes_run

    def __call__(self, *values: Value) -> Result:
        result: Result = called(self.name, alone() if self._takes_run else _ANY_RUN, *values)
        return result


_ANY_RUN = alone()

Text = JitterbitFunction[str]
Whole = JitterbitFunction[int]
Number = JitterbitFunction[float]
Truth = JitterbitFunction[bool]
Array = JitterbitFunction[list[Value]]
Moment = JitterbitFunction[datetime]
Binary = JitterbitFunction[bytes]
Anything = JitterbitFunction[Value]

# General
length = Whole("Length")
in_list = Whole("InList")
is_integer = Truth("IsInteger")
is_null = Truth("IsNull")
read_array_string = Array("ReadArrayString")

# Logical
equal = Truth("Equal")

# String
count_sub_string = Whole("CountSubString")
d_quote = Text("DQuote")
format_value = Text("Format")
index = Whole("Index")
is_valid_string = Truth("IsValidString")
left = Text("Left")
l_pad = Text("LPad")
l_pad_char = Text("LPadChar")
l_trim = Text("LTrim")
l_trim_chars = Text("LTrimChars")
mid = Text("Mid")
parse_url = Array("ParseURL")
quote = Text("Quote")
reg_ex_replace = Text("RegExReplace")
replace = Text("Replace")
right = Text("Right")
r_pad = Text("RPad")
r_pad_char = Text("RPadChar")
r_trim = Text("RTrim")
r_trim_chars = Text("RTrimChars")
split = Array("Split")
split_csv = Array("SplitCSV")
string_length = Anything("StringLength")
to_lower = Text("ToLower")
to_proper = Text("ToProper")
to_upper = Text("ToUpper")
trim = Text("Trim")
trim_chars = Text("TrimChars")
truncate = Text("Truncate")
url_decode = Text("URLDecode")
url_encode = Text("URLEncode")

# Dictionary and array
collect_values = Array("CollectValues")
get_keys = Array("GetKeys")
has_key = Truth("HasKey")
reduce_dimension = Array("ReduceDimension")
remove_key = Truth("RemoveKey")


def sort_array(array: Value, *options: Value) -> None:
    """`SortArray`: sorts an array in place."""
    called("SortArray", alone(), array, *options)


def add_to_dict(dictionary: dict[str, Value], key: Value, value: Value) -> bool:
    """`AddToDict`: sets a key of a dictionary; true if it is new."""
    is_new: bool = called_with("AddToDict", alone(), map(given, (dictionary, key, value)))
    return is_new


def map_cache(dictionary: dict[str, Value], key: Value, value: Value) -> Value:
    """`MapCache`: the value of a key; if there is none, this one is kept and given."""
    kept: Value = called_with("MapCache", alone(), map(given, (dictionary, key, value)))
    return kept


def if_null(value: Value, default: Value) -> Value:
    """`IfNull`: the value, or the default if it is null."""
    return default if value is None else value


def if_empty(value: Value, default: Value) -> Value:
    """`IfEmpty`: the value, or the default if it is null or an empty string."""
    chosen: Value = called_with("IfEmpty", alone(), map(given, (value, default)))
    return chosen


def is_empty(value: Value) -> bool:
    """Whether `IfEmpty` takes its default: the value is null or an empty string."""
    return if_empty(value, None) is None


# JSON
json_parser = Anything("JSONParser")
json_stringify = Text("JSONStringify")

# Conversion
binary_to_hex = Text("BinaryToHex")
binary_to_uuid = Text("BinaryToUUID")
hex_to_binary = Binary("HexToBinary")
hex_to_string = Text("HexToString")
string_to_hex = Text("StringToHex")
to_date = Moment("Date")
to_double = Number("Double")
to_float = Number("Float")
to_int = Whole("Int")
to_long = Whole("Long")
to_string = Anything("String")
uuid_to_binary = Binary("UUIDToBinary")

# Date and time
cvt_date = Text("CVTDate")
date_add = Text("DateAdd")
day_of_month = Whole("DayOfMonth")
day_of_week = Whole("DayOfWeek")
format_date = Text("FormatDate")
general_date = Text("GeneralDate")
last_day_of_month = Moment("LastDayOfMonth")
long_date = Text("LongDate")
long_time = Text("LongTime")
medium_date = Text("MediumDate")
medium_time = Text("MediumTime")
month_of_year = Whole("MonthOfYear")
short_date = Text("ShortDate")
short_time = Text("ShortTime")

# Math
ceiling = Whole("Ceiling")
exp = Number("Exp")
floor = Whole("Floor")
log = Number("Log")
log10 = Number("Log10")
mod = Whole("Mod")
pow_ = Number("Pow")
round_ = Text("Round")
round_to_int = Whole("RoundToInt")
sqrt = Number("Sqrt")

# Cryptographic
base64_decode = Binary("Base64Decode")
md5 = Text("MD5")
sha256 = Text("SHA256")

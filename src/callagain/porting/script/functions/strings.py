"""String functions. Positions count from 0, and lengths that are too large are cut to what is there."""

import csv
import re
from datetime import datetime
from urllib.parse import parse_qsl, quote, urlsplit

from callagain.porting.script.date_texts import format_date
from callagain.porting.script.errors import ScriptArgumentError, ScriptValueError
from callagain.porting.script.functions.registry import Group
from callagain.porting.script.functions.run import Run
from callagain.porting.script.limits import MAX_VALUE_SIZE
from callagain.porting.script.numbers import printf
from callagain.porting.script.patterns import Match, compile_pattern, search
from callagain.porting.script.values import Value, to_text

STRING = Group("String", "docs.jitterbit.com/studio/functions/string")

_SIZE_OF_A_PART = 16
_WHITESPACE = " \t\n\r\f\v"
_SAFE = "$-_.+!*'(),"
_UNSAFE = ' <>;#%{}|\\^~[]`"'
_RESERVED = ";/?:@&="
_UPPER = str.maketrans("abcdefghijklmnopqrstuvwxyz", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
_LOWER = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")
_INSERTS = re.compile(r"\$(?:(\d{1,2})|\{(\d{1,2})\}|([&$]))|\\(\d)|\\(.)", re.DOTALL | re.ASCII)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "f": "\f"}


@STRING.of_run("int CountSubString(string str, string subStr)")
def count_sub_string(run: Run, text: str, part: str) -> Value:
    """How often a part appears in a string; what overlaps counts, and an empty part does not."""
    if not part:
        return 0
    count, position = 0, text.find(part)
    while position >= 0:
        run.meter.step(1 + (len(part) >> 10))
        count, position = count + 1, text.find(part, position + 1)
    return count


@STRING.of_values("string DQuote(string str)")
def d_quote(text: str) -> Value:
    """The string between double quotes; quotes inside are not escaped."""
    return f'"{text}"'


@STRING.of_values("string Quote(string str)")
def quote_(text: str) -> Value:
    """The string between single quotes; quotes inside are not escaped."""
    return f"'{text}'"


@STRING.of_values("string Format(string formatStr, type de)")
def format_(form: str, value: Value) -> Value:
    """The value in the format of C's printf (`%.2f`, `%05d`, `%s`), or a date in that of FormatDate."""
    return format_date(value, form) if isinstance(value, datetime) else printf(form, value)


@STRING.of_run("int Index(string str, string subStr[, int n])")
def index(run: Run, text: str, part: str, n: int = 1) -> Value:
    """Where the n-th appearance of a part begins, or -1; a negative n counts from the end, 0 is as 1.

    An empty part is at 0, and from the end at the length of the string.
    """
    if not part:
        return 0 if n >= 0 else len(text)
    position = -1 if n >= 0 else len(text)
    for _ in range(min(max(1, abs(n)), len(text) + 1)):
        run.meter.step(1 + (len(part) >> 10))
        if n >= 0:
            position = text.find(part, position + 1)
        else:
            position = text.rfind(part, 0, max(0, position + len(part) - 1)) if position >= 0 else -1
        if position < 0:
            return -1
    return position


@STRING.of_run("bool IsValidString(string str)")
def is_valid_string(run: Run, text: str) -> Value:
    """True if all characters are ASCII from 32 to 126, line feeds, carriage returns or tabs."""
    run.meter.step(len(text) >> 2)
    return all(" " <= character <= "~" or character in "\n\r\t" for character in text)


@STRING.of_values("string Left(string str, int n)")
def left(text: str, n: int) -> Value:
    """The first n characters."""
    return text[: max(0, n)]


@STRING.of_values("string Right(string str, int n)")
def right(text: str, n: int) -> Value:
    """The last n characters."""
    return text[-n:] if n > 0 else ""


@STRING.of_values("string Mid(string str, int m, int n)")
def mid(text: str, m: int, n: int) -> Value:
    """n characters from the position m on."""
    start = max(0, m)
    return text[start : start + max(0, n)]


@STRING.of_values("string LPad(string str, int n)")
def l_pad(text: str, n: int) -> Value:
    """Spaces on the left until there are n characters; a longer string is cut to its first n.

    A negative n pads on the right.
    """
    return _padded(text, " ", n)


@STRING.of_values("string LPadChar(string str, string padChar, int n)")
def l_pad_char(text: str, character: str, n: int) -> Value:
    """As LPad, with the first character of padChar."""
    return _padded(text, character, n)


@STRING.of_values("string RPad(string str, int n)")
def r_pad(text: str, n: int) -> Value:
    """Spaces on the right until there are n characters; a longer string is cut to its first n.

    A negative n pads on the left.
    """
    return _padded(text, " ", -n)


@STRING.of_values("string RPadChar(string str, string padChar, int n)")
def r_pad_char(text: str, character: str, n: int) -> Value:
    """As RPad, with the first character of padChar."""
    return _padded(text, character, -n)


@STRING.of_values("string Trim(string str)")
def trim(text: str) -> Value:
    """Without white space at both ends."""
    return text.strip(_WHITESPACE)


@STRING.of_values("string LTrim(string str)")
def l_trim(text: str) -> Value:
    """Without white space at the beginning."""
    return text.lstrip(_WHITESPACE)


@STRING.of_values("string RTrim(string str)")
def r_trim(text: str) -> Value:
    """Without white space at the end."""
    return text.rstrip(_WHITESPACE)


@STRING.of_values("string TrimChars(string str, string trimChars)")
def trim_chars(text: str, characters: str) -> Value:
    """Without any of these characters at both ends, however many there are.

    Also those go that belong to the text: of `"\\"hi\\" he said"` the first quote.
    """
    return text.strip(characters) if characters else text


@STRING.of_values("string LTrimChars(string str, string trimChars)")
def l_trim_chars(text: str, characters: str) -> Value:
    """Without any of these characters at the beginning."""
    return text.lstrip(characters) if characters else text


@STRING.of_values("string RTrimChars(string str, string trimChars)")
def r_trim_chars(text: str, characters: str) -> Value:
    """Without any of these characters at the end."""
    return text.rstrip(characters) if characters else text


@STRING.of_values("string Truncate(string str, int firstChars, int lastChars)")
def truncate(text: str, first: int, last: int) -> Value:
    """Without so many characters at the beginning and so many at the end."""
    return text[max(0, first) : max(0, len(text) - max(0, last))]


@STRING.of_run("string Replace(string str, string old, string new)")
def replace(run: Run, text: str, old: str, new: str) -> Value:
    """The string with every `old` replaced by `new`, literally; an empty `old` changes nothing."""
    if not old:
        return text
    run.meter.check_size(len(text) + text.count(old) * (len(new) - len(old)))
    return text.replace(old, new)


@STRING.of_run("array Split(string str, string delimiter)")
def split(run: Run, text: str, delimiter: str) -> Value:
    """The parts between the delimiters; an empty one at the end is dropped.

    An empty string has no parts; an empty delimiter gives the characters.
    """
    if not text:
        return []
    count = text.count(delimiter)
    run.meter.check_size(_SIZE_OF_A_PART * count)
    run.meter.step(count >> 3)
    parts = text.split(delimiter) if delimiter else list(text)
    return list[Value](parts[:-1] if parts[-1] == "" else parts)


@STRING.of_values("array SplitCSV(string str[, string delimiter, string qualifier])")
def split_csv(text: str, delimiter: str = ",", qualifier: str = '"') -> Value:
    """The columns of a line of CSV."""
    if len(delimiter) != 1 or len(qualifier) != 1:
        raise ScriptArgumentError("SplitCSV wants delimiter and qualifier to be one character each")
    try:
        reader = csv.reader([text], delimiter=delimiter, quotechar=qualifier)
        return [column for line in reader for column in line]
    except (csv.Error, TypeError, ValueError) as error:
        raise ScriptValueError(f"SplitCSV cannot read this: {error}") from None


@STRING.of_values("int StringLength(type str)")
def string_length(value: Value) -> Value:
    """Characters of a string; of an array, an array with the length of each element's string."""
    return [len(to_text(each)) for each in value] if isinstance(value, list) else len(to_text(value))


@STRING.of_values("string ToUpper(string str)")
def to_upper(text: str) -> Value:
    """The letters a to z as capitals; others stay."""
    return text.translate(_UPPER)


@STRING.of_values("string ToLower(string str)")
def to_lower(text: str) -> Value:
    """The letters A to Z as small ones; others stay."""
    return text.translate(_LOWER)


@STRING.of_run("string ToProper(string str)")
def to_proper(run: Run, text: str) -> Value:
    """The first letter of every word as a capital, the others as small ones."""
    run.meter.step(len(text) >> 2)
    run.meter.check_size(_SIZE_OF_A_PART * len(text))
    return "".join(
        each.lower() if position and _in_word(text[position - 1]) else each.upper()
        for position, each in enumerate(text)
    )


@STRING.of_run("string URLEncode(string str[, int option])")
def url_encode(run: Run, text: str, option: int = 0) -> Value:
    """The string encoded for a URL, by RFC 1738; the characters `$-_.+!*'(),` never are.

    The option 1 leaves unsafe characters as they are, 2 reserved ones (`;/?:@&=`), 3 both.
    """
    kept = {0: "", 1: _UNSAFE, 2: _RESERVED, 3: _UNSAFE + _RESERVED}
    if option not in kept:
        raise ScriptArgumentError(f"URLEncode wants option to be 0, 1, 2 or 3; it is {option}")
    run.meter.step(len(text) >> 2)
    run.meter.check_size(_SIZE_OF_A_PART * len(text))
    safe = _SAFE + kept[option]
    encoded = [each if each in safe else quote(each, safe="", errors="replace") for each in text]
    return "".join("%7E" if each == "~" and "~" not in safe else each for each in encoded)


@STRING.of_values("string URLDecode(string url, string name)")
def url_decode(url: str, name: str) -> Value:
    """The decoded value of a parameter of a URL, its name in any case; an empty string for an unknown one."""
    return next((value for key, value in _parameters(url) if key.lower() == name.lower()), "")


@STRING.of_values("array ParseURL(string url)")
def parse_url(url: str) -> Value:
    """The decoded values of the parameters of a URL."""
    return [value for _, value in _parameters(url)]


@STRING.of_run("int RegExMatch(string str, string exp[, string var, ...])")
def reg_ex_match(run: Run, text: str, pattern: str, *names: str) -> Value:
    """How many groups the pattern has, or -1 if it is nowhere in the string.

    The groups of the first match are put into the global variables of these names, the first one into the
    first.
    """
    program = compile_pattern(pattern)
    match = search(program, text, 0, run.meter)
    if match is None:
        return -1
    for number, name in enumerate(names[: program.groups], 1):
        run.variables[name.removeprefix("$")] = match.group(number)
    return program.groups


@STRING.of_run("string RegExReplace(string str, string exp, string format)")
def reg_ex_replace(run: Run, text: str, pattern: str, form: str) -> Value:
    """The string with every match replaced: `$1` or `\\1` is a group, `$&` the match, `$$` a dollar sign."""
    program = compile_pattern(pattern)
    pieces: list[str] = []
    size, written, start = 0, 0, 0
    while start <= len(text) and (match := search(program, text, start, run.meter)):
        pieces += (text[written : match.start], _inserted(form, match))
        size += len(pieces[-1]) + len(pieces[-2])
        run.meter.check_size(size)
        run.meter.step()
        written = match.end
        # Behind an empty match the search goes on one character later, or it would not end.
        start = match.end + (match.end == match.start)
    return "".join([*pieces, text[written:]])


def _in_word(character: str) -> bool:
    return character.isalnum() or character == "'"


def _parameters(url: str) -> list[tuple[str, str]]:
    try:
        return parse_qsl(urlsplit(url).query, keep_blank_values=True)
    except ValueError as error:
        raise ScriptValueError(f"this is no URL: {error}") from None


def _padded(text: str, character: str, n: int) -> str:
    """Padded on the left, or on the right for a negative n."""
    size = abs(n)
    if size > MAX_VALUE_SIZE:
        raise ScriptArgumentError(f"a string can be padded to {MAX_VALUE_SIZE:,} characters; n is {n}")
    if len(text) >= size or not character:
        return text[:size]
    return text.rjust(size, character[0]) if n > 0 else text.ljust(size, character[0])


def _inserted(form: str, match: Match) -> str:
    def insert(part: re.Match[str]) -> str:
        number = part[1] or part[2] or part[4]
        if number is not None:
            return match.group(int(number))
        if part[3] is not None:
            return "$" if part[3] == "$" else match.group(0)
        return _ESCAPES.get(part[5], part[5])

    return _INSERTS.sub(insert, form)

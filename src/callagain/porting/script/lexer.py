"""From text to tokens, in one pass over the text.

Source: "Jitterbit Script", sections Syntax, Comments and Escape sequences
(docs.jitterbit.com/studio/scripts/jitterbit-script). Where the page is silent (further escapes, both kinds of
quotes, line breaks in single quotes, no exponents) this does as the interpreter `jitterbit-script` of M.
Kapala does, which was made by watching an agent 11.23.
"""

import re
from collections.abc import Iterator

from callagain.porting.script.errors import ScriptSyntaxError, Source
from callagain.porting.script.tokens import Comment, Lexed, Place, Token, TokenKind
from callagain.porting.script.values import number

_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", "'": "'", '"': '"'}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)

# Every alternative is possessive or ends at its first mismatch, so that any text is gone through once.
_TOKEN = re.compile(
    r"""
      (?P<space>\s++)
    | (?P<name>[^\W\d]\w*+)
    | (?P<global>\$\w++(?:\.\w++)*+)
    | (?P<string>"[^"\\]*+(?:\\.[^"\\]*+)*+"|'[^'\\]*+(?:\\.[^'\\]*+)*+')
    | (?P<number>(?:\d++(?:\.\d*+)?|\.\d++)(?P<after_number>\w*+))
    | (?P<line_comment>//[^\n]*+)
    | (?P<block_comment>/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/)
    | (?P<tag><TAG>[^<]*+</TAG>)
    | (?P<wrapper></?(?i:trans|javascript)>)
    | (?P<symbol>\+\+|--|\+=|-=|==|!=|<=|>=|&&|\|\||/(?!\*)|[-+*^!<>=&|(){}\[\],;])
    """,
    re.VERBOSE | re.DOTALL,
)

_HINTS = {
    '"': 'this string does not end; close it with " and write a quote inside it as \\"',
    "'": "this string does not end; close it with ' and write a quote inside it as \\'",
    "/*": "this comment does not end; close it with */",
    "$": "a global variable has a name after its $: letters, digits, _ and dots, such as $gpt.model",
    "%": "there is no operator %; write Mod(a, b)",
    "?": "there is no operator ? :; write If(condition, a, b)",
    **dict.fromkeys("“”‘’", "a typographic quote opens no string; write \" or '"),
    "@": "'@' has no meaning here; is a quote missing?",
}


def lex(source: Source) -> Lexed:
    """The tokens and comments of a script; the wrapper `<trans>` is taken off.

    Raises ScriptSyntaxError with the place of what is no token.
    """
    tokens: list[Token] = []
    comments: list[Comment] = []
    wrapper = _Wrapper(source)
    for match, place in _matches(source):
        group = str(match.lastgroup)
        text = match.group()
        if group in ("line_comment", "block_comment"):
            block = group == "block_comment"
            comments.append(Comment((text[2:-2] if block else text[2:]).strip(), place, block))
        elif group == "wrapper":
            wrapper.meets(text.lower(), place, code_before=bool(tokens))
        else:
            if wrapper.closed:
                raise wrapper.error_of_code(text, place)
            tokens.append(_token(group, text, match, place, source))
    end = _place_of_end(source.text)
    wrapper.meets_end(end)
    tokens.append(Token(TokenKind.END, "", "", end))
    return Lexed(tuple(tokens), tuple(comments))


class _Wrapper:
    """Keeps watch that a script stands whole between `<trans>` and `</trans>`, or without them."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._opened: Place | None = None
        self.closed = False

    def meets(self, text: str, place: Place, *, code_before: bool) -> None:
        if "javascript" in text:
            raise self._error(
                "this is a JavaScript script, and not Jitterbit Script; run it as JavaScript", place
            )
        if text == "<trans>":
            if code_before:
                raise self._error("text before <trans> is not part of the script; remove it", place)
            if self._opened:
                raise self._error("<trans> stands here a second time; a script has one", place)
            self._opened = place
        else:
            if not self._opened or self.closed:
                raise self._error(
                    "</trans> closes nothing; remove it, or open the script with <trans>", place
                )
            self.closed = True

    def error_of_code(self, text: str, place: Place) -> ScriptSyntaxError:
        message = f"'{text[:30]}' stands after </trans> and is not part of the script; remove it"
        return self._error(message, place)

    def meets_end(self, place: Place) -> None:
        if self._opened and not self.closed:
            raise self._error("the script opens with <trans>; close it with </trans>", place)

    def _error(self, message: str, place: Place) -> ScriptSyntaxError:
        return ScriptSyntaxError(message, place, self._source)


def _matches(source: Source) -> Iterator[tuple[re.Match[str], Place]]:
    """All matches but white space, each with its place."""
    text = source.text
    position, line, line_start = 0, 1, 0
    for match in _TOKEN.finditer(text):
        start = match.start()
        if start != position:
            break
        position = match.end()
        if match.lastgroup != "space":
            yield match, Place(line, start - line_start + 1)
        if breaks := text.count("\n", start, position):
            line += breaks
            line_start = text.rfind("\n", start, position) + 1
    if position < len(text):
        raise ScriptSyntaxError(_hint(text, position), Place(line, position - line_start + 1), source)


def _hint(text: str, position: int) -> str:
    character = text[position]
    start = "/*" if text.startswith("/*", position) else character
    return _HINTS.get(
        start, f"'{character}' has no meaning in Jitterbit Script; remove it, or put it in quotes"
    )


def _token(group: str, text: str, match: re.Match[str], place: Place, source: Source) -> Token:
    if group == "symbol":
        return Token(TokenKind.SYMBOL, text, text, place)
    if group == "name":
        return Token(TokenKind.NAME, text, text, place)
    if group == "global":
        return Token(TokenKind.GLOBAL, text, text[1:], place)
    if group == "string":
        return Token(TokenKind.STRING, text, _characters(text), place)
    if group == "tag":
        return Token(TokenKind.STRING, text, text, place)
    if match["after_number"]:
        message = f"'{text[:30]}' is no number; a number has digits and one point, and no exponent"
        raise ScriptSyntaxError(message, place, source)
    return Token(TokenKind.NUMBER, text, _number(text, place, source), place)


def _number(text: str, place: Place, source: Source) -> int | float:
    if len(text.lstrip("0.")) > 300 or not text.isascii():
        raise ScriptSyntaxError(
            "this number has too many digits, or digits that are not 0 to 9", place, source
        )
    return int(text) if text.isdigit() else number(float(text))


def _characters(text: str) -> str:
    """The characters of a quoted text, escapes resolved; between single quotes line breaks do not count."""
    inside = text[1:-1]
    if text[0] == "'" and "\n" in inside:
        inside = inside.replace("\r", " ").replace("\n", "")
    return _ESCAPE.sub(_character, inside) if "\\" in inside else inside


def _character(escape: re.Match[str]) -> str:
    return _ESCAPES.get(escape[1], escape[0])


def _place_of_end(text: str) -> Place:
    end = len(text.rstrip())
    return Place(text.count("\n", 0, end) + 1, end - (text.rfind("\n", 0, end) + 1) + 1)

"""From tokens to the tree: one function per form of the grammar.

    script      = statements END
    statements  = { ";" } [ expression { ";" { ";" } [ expression ] } ]
    expression  = chain [ ( "=" | "+=" | "-=" ) expression ]
    chain       = operand { operator operand }
    operand     = ( "!" | "-" | "++" | "--" ) operand | primary { "[" expression "]" } [ "++" | "--" ]
    primary     = literal | variable | NAME "(" arguments ")" | "{" arguments "}" | "(" expression ")"
    arguments   = [ statements { "," statements } ]

Precedence, from the strongest: `++ -- -` (unary), `^`, `!`, `* /`, `+ -`, `< > == != <= >=`, `& &&`, `| ||`,
`= += -=`. All but assignments are taken from left to right.

Source: "Jitterbit Script", section Operators (docs.jitterbit.com/studio/scripts/jitterbit-script). Lists of
statements as arguments, a `;` before `,` or `)` and empty arguments are no part of that page; the guide's own
scripts and exported projects have them.
"""

from callagain.porting.script.errors import ScriptError, ScriptLimitError, ScriptSyntaxError, Source
from callagain.porting.script.lexer import lex
from callagain.porting.script.limits import (
    MAX_ARGUMENTS,
    MAX_DEPTH,
    MAX_PARSED_NESTING,
    MAX_TEXT,
    levels_that_fit_the_stack,
)
from callagain.porting.script.syntax import (
    ArrayLiteral,
    Assignment,
    Call,
    Expression,
    Global,
    Index,
    Literal,
    Local,
    Operation,
    Operations,
    Script,
    Statements,
    Step,
    Target,
    Unary,
    walk,
)
from callagain.porting.script.tokens import Place, Token, TokenKind

POWERS = {
    **dict.fromkeys(("||", "|"), 1),
    **dict.fromkeys(("&&", "&"), 2),
    **dict.fromkeys(("<", ">", "==", "!=", "<=", ">="), 3),
    **dict.fromkeys(("+", "-"), 4),
    **dict.fromkeys(("*", "/"), 5),
    "^": 7,
}
"""How strongly an operator binds; `!` is 6 and the other unary ones are 8."""

POWER_OF_NOT = 6
POWER_OF_UNARY = 8
_SPELLINGS = {"&": "&&", "|": "||"}
_ASSIGNMENTS = ("=", "+=", "-=")
_FRAMES_OF_A_LEVEL = 8
_KEYWORDS = {"true": True, "false": False}


def parse(text: str, name: str = "script") -> Script:
    """The tree of a script, with or without its `<trans>` wrapper.

    name: how messages call the script. Raises ScriptSyntaxError with line and column, or ScriptLimitError for
    a text that is too long or too deep.
    """
    source = Source(name, text)
    if len(text) > MAX_TEXT:
        message = f"the script has {len(text):,} characters; at most {MAX_TEXT:,} are read"
        raise ScriptLimitError(message, Place(1, 1), source)
    lexed = lex(source)
    parser = _Parser(source, lexed.tokens)
    body = parser.whole_script()
    for node, depth in walk(body):
        if depth > MAX_DEPTH:
            raise parser.too_deep(node.place)
    return Script(source, body, lexed.comments)


class _Parser:
    def __init__(self, source: Source, tokens: tuple[Token, ...]) -> None:
        self._source = source
        self._tokens = iter(tokens)
        self._nesting = 0
        self._most = min(MAX_PARSED_NESTING, levels_that_fit_the_stack(_FRAMES_OF_A_LEVEL))
        self._advance()

    # Reading tokens

    def _advance(self) -> None:
        """The next token, and its text if it is a symbol."""
        self._next = next(self._tokens)
        self._symbol = self._next.text if self._next.kind is TokenKind.SYMBOL else ""

    def _take(self) -> Token:
        token = self._next
        if token.kind is not TokenKind.END:
            self._advance()
        return token

    def _at(self, *symbols: str) -> bool:
        return self._symbol in symbols

    def _take_if(self, *symbols: str) -> Token | None:
        return self._take() if self._symbol in symbols else None

    # Errors

    def _error(self, message: str, place: Place) -> ScriptError:
        return ScriptSyntaxError(message, place, self._source)

    def too_deep(self, place: Place) -> ScriptError:
        levels = f"about {self._most} levels are read"
        message = f"this is nested too deeply ({levels}); move a part to a script of its own"
        return ScriptLimitError(message, place, self._source)

    def _unexpected(self, expected: str, advice: str) -> ScriptError:
        return self._error(f"expected {expected}, found {self._next.described}; {advice}", self._next.place)

    # The grammar

    def whole_script(self) -> Statements:
        body = self._statements()
        if self._next.kind is not TokenKind.END:
            if self._at(")", "]", "}"):
                message = f"{self._next.described} closes nothing; remove it, or open it before"
                raise self._error(message, self._next.place)
            advice = "end the statement before it with ';'"
            if self._at(","):
                advice = "a comma stands only between arguments, so look for a ')' too many before it"
            raise self._unexpected("an operator or ';'", advice)
        return body

    def _statements(self) -> Statements:
        place = self._next.place
        items: list[Expression] = []
        while True:
            while self._take_if(";"):
                pass
            if self._next.kind is TokenKind.END or self._at(",", ")", "}", "]"):
                break
            items.append(self._expression())
            if not self._at(";"):
                break
        return Statements(tuple(items), place)

    def _expression(self) -> Expression:
        left = self._chain(1)
        if not self._at(*_ASSIGNMENTS):
            return left
        operator = self._take()
        target = self._target(left, operator)
        self._deeper()
        value = self._expression()
        self._nesting -= 1
        return Assignment(target, operator.text, value, left.place)

    def _deeper(self) -> None:
        self._nesting += 1
        if self._nesting > self._most:
            raise self.too_deep(self._next.place)

    def _target(self, node: Expression, operator: Token) -> Target:
        if isinstance(node, Local | Global | Index):
            return node
        advice = "to compare, write '=='" if operator.text == "=" else "set a variable first"
        message = f"'{operator.text}' can only change a variable or an element of one; {advice}"
        raise self._error(message, operator.place)

    def _chain(self, weakest: int) -> Expression:
        """Operands and operators that bind as strongly as `weakest` or more."""
        self._deeper()
        left = self._operand()
        while (power := POWERS.get(self._symbol, 0)) >= weakest:
            rest: list[Operation] = []
            while POWERS.get(self._symbol) == power:
                operator = self._take()
                spelling = _SPELLINGS.get(operator.text, operator.text)
                rest.append(Operation(spelling, self._chain(power + 1), operator.place))
            left = Operations(left, tuple(rest), left.place)
        self._nesting -= 1
        return left

    def _operand(self) -> Expression:
        if operator := self._take_if("!", "-"):
            power = POWER_OF_NOT + 1 if operator.text == "!" else POWER_OF_UNARY
            return Unary(operator.text, self._chain(power), operator.place)
        if operator := self._take_if("++", "--"):
            target = self._target(self._chain(POWER_OF_UNARY), operator)
            return Step(operator.text, target, True, operator.place)
        node = self._primary()
        if keys := self._keys():
            node = Index(node, keys, node.place)
        if operator := self._take_if("++", "--"):
            return Step(operator.text, self._target(node, operator), False, node.place)
        return node

    def _keys(self) -> tuple[Expression, ...]:
        keys: list[Expression] = []
        while self._take_if("["):
            keys.append(self._expression())
            if not self._take_if("]"):
                raise self._unexpected("']'", "close the index")
        return tuple(keys)

    def _primary(self) -> Expression:
        token = self._next
        if token.kind in (TokenKind.NUMBER, TokenKind.STRING):
            self._take()
            return Literal(token.value, token.place)
        if token.kind is TokenKind.GLOBAL:
            self._take()
            return Global(str(token.value), token.place)
        if token.kind is TokenKind.NAME:
            return self._name()
        if opening := self._take_if("{"):
            return ArrayLiteral(self._arguments("}", "the array", opening), opening.place)
        if self._take_if("("):
            node = self._expression()
            if not self._take_if(")"):
                raise self._unexpected("')'", f"it closes the '(' at {_where(token)}")
            return node
        raise self._unexpected("a value, a variable or a function", self._advice_for_operand())

    def _name(self) -> Expression:
        token = self._take()
        if opening := self._take_if("("):
            arguments = self._arguments(")", f"the call of {token.text}", opening)
            if len(arguments) > MAX_ARGUMENTS:
                message = f"{token.text} has {len(arguments)} arguments here; {MAX_ARGUMENTS} are the most"
                raise self._error(message, token.place)
            return Call(token.text, arguments, token.place)
        if token.text.lower() in _KEYWORDS:
            return Literal(_KEYWORDS[token.text.lower()], token.place)
        return Local(token.text, token.place)

    def _arguments(self, closing: str, of_what: str, opening: Token) -> tuple[Statements, ...]:
        if self._take_if(closing):
            return ()
        arguments = [self._statements()]
        while self._take_if(","):
            arguments.append(self._statements())
        if not self._take_if(closing):
            advice = f"'{closing}' closes {of_what} at {_where(opening)}"
            raise self._unexpected(f"';', ',' or '{closing}'", advice)
        return tuple(arguments)

    def _advice_for_operand(self) -> str:
        if self._next.kind is TokenKind.END:
            return "the script breaks off here"
        if self._at("="):
            return "to compare, write '=='"
        if self._at("+", "*", "/", "^", "&&", "||", "&", "|"):
            return "an operator stands between two values"
        return "write what is missing here"


def _where(token: Token) -> str:
    return f"line {token.place.line}, column {token.place.column}"

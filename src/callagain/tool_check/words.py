"""The English words that the rules know, and how a name is taken apart."""

import re

_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_]+")


def vocabulary(words: str) -> frozenset[str]:
    """The words of a text, in which they are set apart by spaces."""
    return frozenset(words.split())


READING = vocabulary("""
    analyse analyze calculate check compare compute convert count describe detect diagnose estimate
    evaluate explain extract fetch find forecast get inspect list look lookup measure parse predict
    preview query read report resolve retrieve return say scan search show summarise summarize tell
    translate validate verify view
""")
"""Whoever does this gets something back: what stands behind the verb."""

CHANGING = vocabulary("""
    approve assign buy cancel create delete deploy disable enable grant insert install invite modify
    notify overwrite pay publish reboot refund reject remove rename restart revoke send submit
    subscribe terminate transfer unlock unsubscribe update upload upsert withdraw write
""")
"""Whoever does this changes something. Verbs that may also mean less, such as add and open, are left out."""

_DOING = vocabulary("""
    add append apply archive ask block book call charge classify click close commit compose copy do
    draft draw edit execute export forward generate handle import load lock make manage merge move
    open order perform plan play post print process purchase push put recommend register release
    remember reply replace reserve reset restore rewrite route run save schedule sell set share
    solve sort start stop suggest suspend take think trigger use
""")

VERBS = READING | CHANGING | _DOING
"""Every verb that is known here."""

EMPTY = vocabulary("""
    a action all an and anything api bar baz by call common data default demo do everything exec
    execute fn foo for func function general generic get handle handler helper helpers info it magic
    main make me method misc my new of operate operation or perform process run set something stuff
    that the thing things this to tool tools universal use util utilities utility utils with wrapper
""")
"""Words that say nothing of a task. A name that has no others is no name."""

CLOSED_SETS = vocabulary("""
    category direction frequency granularity kind level mode order priority role scope severity sort
    state status tier type unit units visibility
""")
"""Where a short list stands beside one of these, it is a list of all that is allowed."""

LIKELY_ENUMS = vocabulary("action kind mode operation priority severity status type unit units")
"""A string of this name has few values, most often."""

MEDIA = vocabulary("content contents media mime")
"""A type of these is a MIME type, of which there are many."""

FREE_TEXT = vocabulary("""
    answer body caption comment comments content contents context description explanation feedback
    goal instruction instructions keyword keywords message motive name note notes prompt query
    question reason remark search sentence subject summary term terms text thought title topic
""")
"""Strings that need no example: anything may stand in them."""

MEASURED = vocabulary("""
    altitude amount area bandwidth budget capacity cost delay distance duration fee height interval
    latency length pressure price radius salary size speed temperature timeout ttl velocity volume
    wage weight width
""")
"""Numbers of these need a unit."""

UNITS = vocabulary("""
    acre bit byte cal calorie celsius cent centimeter centimetre cm currency day decibel degree
    dollar euro fahrenheit feet foot ft gb gram hectare hour hr hz inch kb kelvin kg kilo kilobyte
    kilogram kilometer kilometre kilowatt km kmh kph kw kwh lb liter litre mb meter metre mi
    micrometer microsecond mile milligram milliliter millilitre millimeter millimetre millisecond
    min minute mm mon month mph ms nanosecond ounce pascal penny percent percentage pixel pound psi
    px ratio sec second sqft token ton tonne unit usd eur gbp watt week yard year yen character line
    word page
""")

COUNTED = vocabulary("batch count group how many number page party quantity")
"""What is counted needs no unit."""


def name_words(name: str) -> list[str]:
    """`getOrder_2` is get, order; digits do not count."""
    return [part.casefold() for part in _PART.findall(name)]


def base_forms(word: str) -> set[str]:
    """The word itself, and what it may be a form of: looks is look, searches is search."""
    word = word.casefold()
    return {word, word.removesuffix("s"), word.removesuffix("es")}


def last_word(name: str) -> str:
    """The word that says what a name is the name of: `ticket_status` is a status. Empty if there is none."""
    return next(reversed(name_words(name)), "")

"""Runs the program of a pattern.

It goes back to the last choice when it fails, as Perl does, and so finds what Perl finds. But a choice that
was made at a position is never made there again: whatever comes after it does not depend on the way to it, so
it would fail again. That keeps the time linear in the text.
"""

from dataclasses import dataclass

from callagain.porting.script.errors import ScriptLimitError
from callagain.porting.script.limits import Meter
from callagain.porting.script.patterns.compiling import Around, Does, Program

MOST_CHOICES = 1_000_000
_STEPS_AT_ONCE = 4096


@dataclass(frozen=True, slots=True)
class Match:
    """A place where a pattern matches: for each group, 0 for the whole, where it begins and ends, or -1."""

    text: str
    positions: tuple[int, ...]

    def group(self, number: int) -> str:
        """The text of a group; empty for one that took no part, or that there is not."""
        if not 0 <= number < len(self.positions) // 2:
            return ""
        start, end = self.positions[2 * number : 2 * number + 2]
        return self.text[start:end] if start >= 0 <= end else ""

    @property
    def start(self) -> int:
        return self.positions[0]

    @property
    def end(self) -> int:
        return self.positions[1]


def search(program: Program, text: str, start: int, meter: Meter) -> Match | None:
    """The first match from a position on. Raises ScriptLimitError if it takes too many steps."""
    return _Search(program, text, meter).first(start)


class _Search:
    def __init__(self, program: Program, text: str, meter: Meter) -> None:
        self._program = program
        self._text = text
        self._meter = meter
        self._choices: set[int] = set()
        self._steps = 0

    def first(self, start: int) -> Match | None:
        for begin in range(start, len(self._text) + 1):
            if match := self._match_at(begin):
                return match
        return None

    def _match_at(self, begin: int) -> Match | None:
        instructions, text, choices = self._program.instructions, self._text, self._choices
        size, width = len(text), len(text) + 1
        saved = [-1] * (2 * self._program.groups + 2)
        # What is to be tried later: a place and a position; or, below 0, a slot and what it held before.
        later = [(0, begin)]
        steps = self._steps
        while later:
            place, position = later.pop()
            if place < 0:
                saved[~place] = position
                continue
            while True:
                steps += 1
                if steps >= _STEPS_AT_ONCE:
                    self._meter.step(steps)
                    steps = 0
                instruction = instructions[place]
                does = instruction.does
                if does is Does.TAKE:
                    if position == size or not instruction.characters.takes(text[position]):  # type: ignore[union-attr]
                        break
                    place, position = place + 1, position + 1
                elif does is Does.SPLIT:
                    choice = place * width + position
                    if choice in choices:
                        break
                    self._remember(choice)
                    later.append((instruction.other, position))
                    place = instruction.to
                elif does is Does.JUMP:
                    place = instruction.to
                elif does is Does.SAVE:
                    later.append((~instruction.to, saved[instruction.to]))
                    saved[instruction.to] = position
                    place += 1
                elif does is Does.FOUND:
                    return Match(text, tuple(saved))
                elif _holds(instruction.around, text, position):
                    place += 1
                else:
                    break
        self._steps = steps
        return None

    def _remember(self, choice: int) -> None:
        if len(self._choices) >= MOST_CHOICES:
            raise ScriptLimitError(
                f"the regular expression needs more than {MOST_CHOICES:,} choices on this text; give it a "
                "shorter text, or a pattern with fewer repeats"
            )
        self._choices.add(choice)


def _holds(around: Around | None, text: str, position: int) -> bool:
    match around:
        case Around.LINE_START:
            return position == 0 or text[position - 1] == "\n"
        case Around.LINE_END:
            return position == len(text) or text[position] in "\r\n"
        case Around.TEXT_START:
            return position == 0
        case Around.TEXT_END:
            return position == len(text)
        case _:
            before = position > 0 and _is_word(text[position - 1])
            after = position < len(text) and _is_word(text[position])
            return (before is not after) is (around is Around.WORD_EDGE)


def _is_word(character: str) -> bool:
    return character.isalnum() or character == "_"

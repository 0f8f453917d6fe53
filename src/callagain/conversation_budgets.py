"""Budgets of a whole conversation: each turn may use what the turns before it have left."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from callagain.engine.errors import ConfigurationError
from callagain.engine.journal.store import StoredTurn
from callagain.engine.json_text import Json
from callagain.engine.limits import Limits
from callagain.engine.problem import Problem
from callagain.engine.spending import Spent

# The budgets, and what is compared with each: attributes of Spent.
BUDGETS: Mapping[str, str] = {
    "budget_tokens": "tokens",
    "budget_money": "money",
    "budget_requests": "requests",
    "budget_tool_calls": "tool_calls",
}


@dataclass(frozen=True, slots=True)
class ConversationBudgets:
    """amounts: the budgets that are set, by their names. limits: those of the loop, for each single turn."""

    conversation_id: str
    amounts: Mapping[str, int | float]
    limits: Limits

    def for_next(self, turns: Sequence[StoredTurn]) -> Limits:
        """The limits of a turn that comes after these: the loop's own, or what is left, if that is less."""
        lefts = {name: self._left(name, turns) for name in self.amounts}
        changes: dict[str, int | float] = {
            name: _least(left, getattr(self.limits, name)) for name, left in lefts.items()
        }
        return replace(self.limits, **changes)  # type: ignore[arg-type]

    def checked(self, changes: Mapping[str, Json], others: Sequence[StoredTurn]) -> Mapping[str, Json]:
        """The changes with which a turn is resumed. others: the turns before it.

        Raises ConfigurationError for a budget that is more than these have left.
        """
        for name in self.amounts:
            if name in changes:
                wanted = changes[name]
                if not isinstance(wanted, int | float) or wanted > self._left(name, others):
                    raise self._no_more(name, others)
        return changes

    def with_left(
        self, name: str, reached: Limits, changes: Mapping[str, Json], others: Sequence[StoredTurn]
    ) -> Mapping[str, Json]:
        """The same for a turn at the limit of this budget: it may use what the others have left.

        reached: the limits of the turn so far. Raises ConfigurationError if they have left no more than that.
        """
        left, before = self._left(name, others), getattr(reached, name)
        if left <= before:
            raise self._no_more(name, others)
        most = _least(left, getattr(self.limits, name))
        return changes if name in changes or most <= before else {**changes, name: most}

    def problem(self, problem: Problem, reached: Limits, turns: Sequence[StoredTurn]) -> Problem:
        """Why a turn came to the limit of a budget, in words about the conversation if it is one of that.

        reached: the limits of the turn. turns: all of them, this one too.
        """
        name = problem.kind
        if _is_within(getattr(self.limits, name), getattr(reached, name)):
            return problem
        used = _shown(name, self._used(name, turns))
        message = (
            f"the conversation has used {used} of {name}={self.amounts[name]}, and goes no further; open it "
            f"with a larger {name} and resume() the turn, or begin another conversation"
        )
        return replace(problem, message=message)

    def _left(self, name: str, turns: Sequence[StoredTurn]) -> int | float:
        return max(0, self.amounts[name] - self._used(name, turns))

    def _used(self, name: str, turns: Sequence[StoredTurn]) -> int | float:
        used: int | float = 0
        for turn in turns:
            if turn.spent is not None:
                used += self._amount(name, turn, turn.spent)
        return used

    def _amount(self, name: str, turn: StoredTurn, spent: Spent) -> int | float:
        if name == "budget_money" and spent.money is None and spent.tokens:
            raise ConfigurationError(
                f"turn {turn.number} of the conversation {self.conversation_id!r} was run without prices, so "
                "nobody knows what is left of budget_money; leave it out, or begin another conversation"
            )
        amount: int | float = getattr(spent, BUDGETS[name]) or 0
        return amount

    def _no_more(self, name: str, others: Sequence[StoredTurn]) -> ConfigurationError:
        left = _shown(name, self._left(name, others))
        return ConfigurationError(
            f"the conversation leaves {left} of {name}={self.amounts[name]} to this "
            f"turn; open it with a larger one, and resume there: "
            f"loop.conversation({self.conversation_id!r}, {name}=…).resume()"
        )


def _is_within(own: int | float | None, reached: int | float | None) -> bool:
    """Whether the loop's own limit is the one that was reached."""
    return own is not None and reached is not None and own <= reached


def _shown(name: str, amount: int | float) -> str:
    return f"${amount:.6f}" if name == "budget_money" else str(amount)


def _least(left: int | float, own: int | float | None) -> int | float:
    return left if own is None else min(left, own)

"""A SendRequest on its way: its attempts, and the waits before them."""

from dataclasses import replace

from callagain.connectors.endpoint import Endpoint
from callagain.connectors.exchange import Exchange
from callagain.connectors.retry import Failed, RetryPolicy, Wait, chance_of
from callagain.connectors.throttle import Throttle
from callagain.engine.drivers import Again, Clock, Tell
from callagain.engine.error_kinds import without_advice
from callagain.engine.json_text import Json, JsonError, decode
from callagain.engine.wire.error_answers import problem_of
from callagain.engine.wire.http_answer import HttpAnswer


class LLMRequest:
    """One request, sent until an answer comes that is worth keeping, as often as the policy says.

    A retry repeats the HTTP request and nothing else; the attempts are counted in the receipt.
    tokens: what it will cost at the most, for the throttle. name: what the jitter derives from.

    Guide: HTTP v2.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        body: bytes,
        *,
        is_async: bool,
        policy: RetryPolicy,
        throttle: Throttle | None,
        clock: Clock,
        tokens: int,
        name: str,
    ) -> None:
        self._endpoint = endpoint
        self._body = body
        self._is_async = is_async
        self._policy = policy
        self._throttle = throttle
        self._clock = clock
        self._tokens = tokens
        self._name = name
        self._attempts = 0
        self._not_before = clock.now()
        # A place in the throttle's queue; and whether the request has yet to go out.
        self._has_place = False
        self._is_waiting = True
        self._exchange = self._new_exchange()

    @property
    def is_async(self) -> bool:
        return self._is_async

    @property
    def in_caller_thread(self) -> bool:
        return False

    @property
    def timeout(self) -> float | None:
        return self._endpoint.timeout

    def perform(self, tell: Tell) -> Json:
        return self._exchange.send(tell).as_json()

    async def perform_async(self, tell: Tell) -> Json:
        return (await self._exchange.send_async(tell)).as_json()

    def abandon(self) -> None:
        self._exchange.close()
        if self._throttle is not None and self._has_place and self._is_waiting:
            self._throttle.give_back(self._tokens)
            self._has_place = False

    def wait(self, clock: Clock) -> float:
        now = clock.now()
        if self._throttle is not None and not self._has_place and self._not_before <= now:
            self._not_before = now + self._throttle.reserve(self._tokens, now)
            self._has_place = True
        seconds = max(0.0, self._not_before - now)
        self._is_waiting = seconds > 0
        return seconds

    def late(self) -> Json | None:
        answer = self._exchange.answer_so_far()
        return None if answer is None else answer.as_json()

    def settle(self, receipt: Json, clock: Clock) -> Json | Again:
        self._attempts += 1
        answer = HttpAnswer.from_json(receipt)
        counted = replace(answer, attempts=self._attempts).as_json()
        problem = problem_of(answer, self._endpoint.wire.error_in)
        if self._throttle is not None and self._has_place:
            used = _used_tokens(answer) if problem is None else 0
            self._throttle.settle(self._tokens, self._tokens if used is None else used)
            self._has_place = False
        if problem is None:
            return counted
        chance = chance_of(self._name, self._attempts)
        failed = Failed(problem.kind, problem.status, answer.retry_after, chance)
        step = self._policy.next(self._attempts, failed)
        if not isinstance(step, Wait):
            return counted
        self._not_before = clock.now() + step.seconds
        self._exchange = self._new_exchange()
        why = without_advice(problem.kind, problem.message)
        return Again(self._attempts, problem.kind, why, step.seconds)

    def _new_exchange(self) -> Exchange:
        return Exchange(self._endpoint, self._body, self._clock.date)


def _used_tokens(answer: HttpAnswer) -> int | None:
    """As the endpoint counted them; None if it does not say."""
    try:
        body = decode(answer.body)
    except JsonError:
        return None
    usage = body.get("usage") if isinstance(body, dict) else None
    total = usage.get("total_tokens") if isinstance(usage, dict) else None
    return total if isinstance(total, int) else None

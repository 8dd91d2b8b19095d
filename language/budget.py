"""What a run may spend, and what it has spent: the worst case is reserved before a question is sent.

    limits = parse_budget("5usd"), ("2M-tokens"), ("3000-calls"), or several joined by commas
    budget = Budget(limits, spent)
    held = await budget.reserve(tokens, usd)        raises BudgetReached
    held.settle(tokens, usd)                        what it came to; the rest is free again
    held.release()                                  nothing was asked of anybody
    held.lost()                                     sent, and no usage came back: the worst case counts as spent

A question whose worst case doesn't fit waits for those under way, which may turn out cheaper; only when none is under way
is the limit reached. So the limit is never passed, whatever is in flight, and everything that was asked is answered and
stored before the run stops. A call is one question sent; every further try counts.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import asdict, dataclass
from typing import Any

from kernel import BudgetReached, Json, UsageError

_UNITS = {"": 1, "k": 1_000, "m": 1_000_000}
_PART = re.compile(r"(\d+(?:\.\d+)?)\s*([kKmM]?)[\s_-]*(usd|dollars?|\$|tokens?|calls?)")
_HINT = "write 5usd, 2M-tokens or 3000-calls"


@dataclass(frozen=True, slots=True)
class Limits:
    """The most a run may spend, None for no limit: US dollars, tokens in and out together, questions sent."""

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None

    def __bool__(self) -> bool:
        return (self.usd, self.tokens, self.calls) != (None, None, None)


@dataclass(slots=True)
class Spend:
    """What was spent. `unpriced` counts calls whose cost nobody knows (they are not in `usd`)."""

    usd: float = 0.0
    tokens: int = 0
    calls: int = 0
    unpriced: int = 0

    def as_json(self) -> Json:
        """For the run file's `spent`."""
        return {**asdict(self), "usd": round(self.usd, 9)}

    @staticmethod
    def from_json(value: Any) -> Spend:
        """Inverse of `as_json`; nothing spent for what isn't one."""
        kept = value if isinstance(value, dict) else {}
        return Spend(
            float(kept.get("usd", 0.0)), int(kept.get("tokens", 0)), int(kept.get("calls", 0)), int(kept.get("unpriced", 0))
        )


def parse_budget(text: str | None) -> Limits:
    """Limits from the command line. Raises UsageError."""
    found: dict[str, Any] = {}
    for part in (text or "").split(",") if text else ():
        told = _PART.fullmatch(part.strip().removeprefix("$").strip() + ("usd" if part.strip().startswith("$") else ""))
        if told is None:
            raise UsageError(f"'{part.strip()}' is no budget", hint=_HINT)
        amount = float(told[1]) * _UNITS[told[2].lower()]
        unit = "usd" if told[3][0] in "ud$" else "tokens" if told[3].startswith("token") else "calls"
        if unit in found:
            raise UsageError(f"'{text}' limits {unit} twice", hint=_HINT)
        found[unit] = amount if unit == "usd" else int(amount)
    return Limits(**found)


class Reservation:
    """A question's worst case, held until it is known what it came to. Ended exactly once; further ends do nothing."""

    __slots__ = ("_budget", "open", "tokens", "usd")

    def __init__(self, budget: Budget, tokens: int, usd: float | None) -> None:
        self._budget, self.tokens, self.usd, self.open = budget, tokens, usd, True

    def settle(self, tokens: int, usd: float | None) -> None:
        """It was answered, and this is what it used."""
        self._end(Spend(usd or 0.0, tokens, 1, int(usd is None)))

    def lost(self) -> None:
        """It was sent, and nothing says what it used."""
        self._end(Spend(self.usd or 0.0, self.tokens, 1, int(self.usd is None)))

    def refused(self) -> None:
        """It was sent and turned away: a call, but no tokens."""
        self._end(Spend(calls=1))

    def release(self) -> None:
        """It never left."""
        self._end(Spend())

    def _end(self, spent: Spend) -> None:
        if self.open:
            self.open = False
            self._budget._ended(self, spent)


class Budget:
    """One run's limits and spending, shared by all its providers; for one event loop at a time."""

    def __init__(self, limits: Limits | None = None, spent: Spend | None = None) -> None:
        self.limits = limits or Limits()
        self.spent = spent or Spend()
        self._held = Spend()
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def in_flight(self) -> int:
        """Questions whose cost isn't known yet."""
        return self._held.calls

    async def reserve(self, tokens: int, usd: float | None) -> Reservation:
        """Holds the worst case of one question. Raises BudgetReached when it doesn't fit and nothing is under way."""
        while not self._fits(tokens, usd):
            if not self._held.calls:
                raise self._reached()
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            finally:
                if turn in self._waiting:
                    self._waiting.remove(turn)
        return self._hold(tokens, usd)

    def reserve_now(self, tokens: int, usd: float | None) -> Reservation:
        """`reserve` for code that can't wait. Raises BudgetReached."""
        if not self._fits(tokens, usd):
            raise self._reached()
        return self._hold(tokens, usd)

    def _fits(self, tokens: int, usd: float | None) -> bool:
        limits, spent, held = self.limits, self.spent, self._held
        return (
            (limits.calls is None or spent.calls + held.calls + 1 <= limits.calls)
            and (limits.tokens is None or spent.tokens + held.tokens + tokens <= limits.tokens)
            and (limits.usd is None or spent.usd + held.usd + (usd or 0.0) <= limits.usd + 1e-12)
        )

    def _hold(self, tokens: int, usd: float | None) -> Reservation:
        held = self._held
        held.calls, held.tokens, held.usd = held.calls + 1, held.tokens + tokens, held.usd + (usd or 0.0)
        return Reservation(self, tokens, usd)

    def _ended(self, reservation: Reservation, spent: Spend) -> None:
        held, total = self._held, self.spent
        held.calls, held.tokens = held.calls - 1, held.tokens - reservation.tokens
        held.usd = max(0.0, held.usd - (reservation.usd or 0.0)) if held.calls else 0.0
        total.calls, total.tokens = total.calls + spent.calls, total.tokens + spent.tokens
        total.usd, total.unpriced = total.usd + spent.usd, total.unpriced + spent.unpriced
        waiting, self._waiting = self._waiting, []
        for turn in waiting:
            if not turn.done():
                turn.set_result(None)

    def _reached(self) -> BudgetReached:
        limits, spent = self.limits, self.spent
        told = []
        if limits.usd is not None:
            told.append(f"{spent.usd:.4f} of {limits.usd:g} USD")
        if limits.tokens is not None:
            told.append(f"{spent.tokens} of {limits.tokens} tokens")
        if limits.calls is not None:
            told.append(f"{spent.calls} of {limits.calls} calls")
        return BudgetReached(
            f"the budget is used up: {', '.join(told)} spent, and the next question may cost more than is left",
            hint="go on with `town resume RUN --budget` and a higher limit",
        )

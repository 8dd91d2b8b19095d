"""Short histories: a value with the steps at which it changed, readable as of any recent step.

    History      values by the step from which they hold; `at(k)` is what V_k says

Neither engine looks back: in lock-step everybody is at one step, and out of order everybody near enough to be read is
(`town.ahead`). A change that comes out of turn is refused, which is how a rule that is too weak would be found out.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Generic, TypeVar

T = TypeVar("T")

KEPT = 64
"""How many changes are kept back at least (a walker changes once per step, so 64 steps; anyone else far longer)."""


class History(Generic[T]):
    """A value over time. Changes are appended in step order; a second change at one step replaces the first."""

    __slots__ = ("_steps", "_values")

    def __init__(self, step: int, value: T) -> None:
        self._steps = [step]
        self._values = [value]

    @property
    def last(self) -> T:
        """The newest value."""
        return self._values[-1]

    @property
    def changed(self) -> int:
        """The step from which the newest value holds."""
        return self._steps[-1]

    def set(self, step: int, value: T) -> None:
        """From `step` on it is `value`. Raises ValueError when a later change is known already."""
        steps = self._steps
        if step > steps[-1]:
            steps.append(step)
            self._values.append(value)
            if len(steps) > 2 * KEPT:
                del steps[:-KEPT], self._values[:-KEPT]
        elif step == steps[-1]:
            self._values[-1] = value
        else:
            raise ValueError(f"a change at step {step} comes after one at step {steps[-1]}")

    def at(self, step: int) -> T:
        """The value in V_step. Raises LookupError when that is further back than is kept."""
        if step >= self._steps[-1]:
            return self._values[-1]
        place = bisect_right(self._steps, step) - 1
        if place < 0:
            raise LookupError(f"nothing is kept from as far back as step {step}")
        return self._values[place]

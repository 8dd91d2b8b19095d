"""Counter-based randomness: every draw is a pure function of its key.

There is no generator to share or to save: a `Dice` is made where it is needed from (seed, resident, step, purpose)
and counts its own draws, so that residents can be asked in any order, killed and resumed, with equal results.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")


class Dice:
    """Draws keyed by (seed, resident, step, purpose, n); n counts from 0 within this object."""

    __slots__ = ("_key", "_n")

    def __init__(self, seed: int, resident: str, step: int, purpose: str) -> None:
        self._key = f"{seed}\x1f{resident}\x1f{step}\x1f{purpose}\x1f".encode()
        self._n = 0

    def random(self) -> float:
        """Uniform in [0, 1), 53 bits."""
        digest = blake2b(self._key + str(self._n).encode(), digest_size=8).digest()
        self._n += 1
        return (int.from_bytes(digest, "big") >> 11) / 9007199254740992.0

    def below(self, limit: int) -> int:
        """Uniform integer in [0, limit)."""
        return int(self.random() * limit)

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.random() < probability

    def choice(self, options: Sequence[T]) -> T:
        """One of `options`. Raises IndexError when there are none."""
        return options[self.below(len(options))]

    def weighted(self, options: Sequence[T], weights: Sequence[float]) -> T:
        """One of `options`, with probability in proportion to its weight (all weights >= 0, sum > 0)."""
        mark = self.random() * sum(weights)
        for option, weight in zip(options, weights, strict=True):
            mark -= weight
            if mark < 0:
                return option
        return options[-1]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """A new list in random order."""
        out = list(options)
        for i in range(len(out) - 1, 0, -1):
            j = self.below(i + 1)
            out[i], out[j] = out[j], out[i]
        return out

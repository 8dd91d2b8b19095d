"""Random numbers for resampling: a counter-based stream named by what it is for, the same on every machine.

`kernel.Dice` draws one number at a time; a bootstrap needs a million. Philox is counter-based, too, and numpy guarantees
the raw stream of a bit generator for good (unlike its distributions), so only raw bits are taken from it.
"""

from __future__ import annotations

from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray


class Draws:
    """Uniform numbers keyed by (seed, purpose)."""

    def __init__(self, seed: int, purpose: str) -> None:
        key = blake2b(f"{seed}\x1f{purpose}".encode(), digest_size=16).digest()
        self._bits = np.random.Philox(key=int.from_bytes(key, "big"))

    def uniform(self, *shape: int) -> NDArray[np.float64]:
        """In [0, 1), 53 bits, of a shape."""
        raw = self._bits.random_raw(int(np.prod(shape)))
        return ((np.asarray(raw, dtype=np.uint64) >> np.uint64(11)) / 9007199254740992.0).reshape(shape)

    def below(self, limit: int, *shape: int) -> NDArray[np.int64]:
        """Whole numbers in [0, limit), of a shape."""
        return np.asarray(self.uniform(*shape) * limit, dtype=np.int64)

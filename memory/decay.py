"""Powers of the recency decay, the same on every processor.

`pow` differs in its last bit between C libraries and between a processor's vector units, so it isn't used: the powers
are tabled with decimal arithmetic, which is defined to the last digit, and a power is one product of two table values.
"""

from __future__ import annotations

from decimal import Decimal, localcontext
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

_LOW = 1024
_HIGH = 4096


@lru_cache(maxsize=32)
def _tables(decay: str, parts: Decimal) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    with localcontext() as context:
        context.prec = 40
        base = (Decimal(decay).ln() / parts).exp()
        low = [Decimal(1)]
        for _ in range(_LOW):
            low.append(low[-1] * base)
        stride = low.pop()
        high = [Decimal(1)]
        for _ in range(_HIGH - 1):
            high.append(high[-1] * stride)
    return np.array([float(x) for x in low]), np.array([float(x) for x in high])


def powers(decay: float, counts: NDArray[np.int64], per_unit: Decimal | int = 1) -> NDArray[np.float64]:
    """decay ** (counts / per_unit), elementwise, for counts >= 0 (negative ones count as 0) and 0 < decay <= 1.

    Counts beyond 4,194,303 (485 days of 10 s steps) are as good as that. Raises ValueError for another decay.
    """
    if not 0.0 < decay <= 1.0:
        raise ValueError(f"a recency decay must be above 0 and at most 1, not {decay}")
    low, high = _tables(repr(float(decay)), Decimal(per_unit))
    whole = np.minimum(np.maximum(counts, 0), _LOW * _HIGH - 1)
    out: NDArray[np.float64] = low[whole & (_LOW - 1)] * high[whole >> 10]
    return out


def steps_per_hour(step_seconds: int) -> Decimal:
    """Steps in a game hour."""
    with localcontext() as context:
        context.prec = 40
        return Decimal(3600) / Decimal(step_seconds)

"""Chance that depends on the place alone: the same town looks the same everywhere and shows no repeat.

scatter    (x, y, salt) -> whole number below 2^32, for one place or for arrays of them
clouds     (width, height, cell, salt) -> smooth field 0..1
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt


def scatter(x: npt.ArrayLike, y: npt.ArrayLike, salt: int) -> npt.NDArray[np.uint32]:
    """A well-mixed number for each place."""
    with np.errstate(over="ignore"):
        value = np.asarray(x, dtype=np.uint32) * np.uint32(0x9E3779B1) ^ np.asarray(y, dtype=np.uint32) * np.uint32(0x85EBCA77)
        value = value ^ np.uint32(salt * 0x27D4EB2F & 0xFFFFFFFF)
        for shift, factor in ((15, 0x2C1B3C6D), (12, 0x297A2D39)):
            value = (value ^ (value >> np.uint32(shift))) * np.uint32(factor)
        return np.asarray(value ^ (value >> np.uint32(15)), dtype=np.uint32)


def pick(x: int, y: int, salt: int, below: int) -> int:
    """A whole number 0 .. below - 1 for one place: `scatter` for a single place, in plain numbers."""
    value = (x * 0x9E3779B1 & 0xFFFFFFFF) ^ (y * 0x85EBCA77 & 0xFFFFFFFF) ^ (salt * 0x27D4EB2F & 0xFFFFFFFF)
    for shift, factor in ((15, 0x2C1B3C6D), (12, 0x297A2D39)):
        value = (value ^ (value >> shift)) * factor & 0xFFFFFFFF
    return (value ^ (value >> 15)) % below


@lru_cache(maxsize=16)
def clouds(width: int, height: int, cell: int, salt: int) -> npt.NDArray[np.float32]:
    """A field [height, width] that changes smoothly over about `cell` pixels."""
    columns, rows = width // cell + 2, height // cell + 2
    coarse = (scatter(np.arange(columns)[None, :], np.arange(rows)[:, None], salt) / np.float32(2**32)).astype(np.float32)
    x, y = np.arange(width) / cell, np.arange(height) / cell
    i, j = x.astype(int), y.astype(int)
    u, v = (x - i).astype(np.float32), (y - j).astype(np.float32)
    u, v = u * u * (3 - 2 * u), v * v * (3 - 2 * v)
    across = coarse[:, i] * (1 - u) + coarse[:, i + 1] * u
    return np.asarray(across[j] * (1 - v)[:, None] + across[j + 1] * v[:, None], dtype=np.float32)

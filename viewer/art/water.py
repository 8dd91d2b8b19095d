"""The shimmer of water: short gleams that wander between two pictures.

shimmer    TownMap, frame -> pieces to lay over the ground
"""

from __future__ import annotations

import numpy as np
from scipy.ndimage import label

from town.tree import TownMap
from viewer.art.canvas import Canvas
from viewer.art.noise import pick
from viewer.art.pieces import TILE, Piece
from viewer.art.terrain import letters_of


def shimmer(town: TownMap, frame: int) -> tuple[Piece, ...]:
    """One piece for each connected water."""
    water = letters_of("water")
    wet = np.array([[letter in water for letter in row] for row in town.ground])
    parts, count = label(wet)
    found = []
    for part in range(1, count + 1):
        rows, columns = np.nonzero(parts == part)
        y0, x0 = int(rows.min()), int(columns.min())
        c = Canvas((int(columns.max()) - x0 + 1) * TILE, (int(rows.max()) - y0 + 1) * TILE)
        for y, x in zip(rows, columns, strict=True):
            near = wet[max(0, y - 1) : y + 2, max(0, x - 1) : x + 2]
            if not near.all():  # gleams never lie on the bank
                continue
            n = pick(int(x), int(y), 131, 100)
            if n < 45:
                left, top = (int(x) - x0) * TILE + n % 8, (int(y) - y0) * TILE + 3 + n * 5 % 10
                length = 4 + n % 4
                shift = 2 * frame if n % 2 else 1 - frame
                c.rect(left + shift, top, length, 1, "blue4" if (n + frame) % 3 else "cream3")
                c.rect(left + shift + 2, top + 1, length - 1, 1, "blue3" if n % 3 else "blue1")
        found.append(Piece(c.surface(), x0 * TILE, y0 * TILE, 0))
    return tuple(found)

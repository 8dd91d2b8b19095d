"""The palette: every colour of the town's pictures has a name and a number; pictures are drawn in numbers.

    PALETTE          Palette: rgba table, names, the shade and the outline of each colour
    number(name)     "wood2" -> its number (0 is transparent)

The colours are in `data/palette.yaml`. "+wood2"-style arithmetic isn't needed: a shade is a step down the ramp.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel, ConfigDict

from kernel import read_model

DATA = Path(__file__).parent / "data"


class _Veil(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    of: str
    alpha: int


class _File(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    ramps: dict[str, tuple[str, ...]]
    edges: dict[str, str]
    veils: dict[str, _Veil]


@dataclass(frozen=True)
class Palette:
    """Colours by number; number 0 is transparent.

    rgba     uint8 [n, 4]
    numbers  name -> number
    darker   uint8 [n]: one tone down the ramp (the darkest: itself)
    edge     uint8 [n]: what outlines this colour
    """

    rgba: npt.NDArray[np.uint8]
    numbers: dict[str, int]
    darker: npt.NDArray[np.uint8]
    edge: npt.NDArray[np.uint8]


@cache
def palette() -> Palette:
    """The palette, read once."""
    file = read_model(DATA / "palette.yaml", _File)[0]
    numbers, rows = {"clear": 0}, [(0, 0, 0, 0)]
    for ramp, tones in file.ramps.items():
        for i, tone in enumerate(tones):
            numbers[f"{ramp}{i}"] = len(rows)
            rows.append((int(tone[:2], 16), int(tone[2:4], 16), int(tone[4:6], 16), 255))
    for name, veil in file.veils.items():
        numbers[name] = len(rows)
        rows.append((*rows[numbers[veil.of]][:3], veil.alpha))
    darker, edge = np.arange(len(rows), dtype=np.uint8), np.zeros(len(rows), dtype=np.uint8)
    for ramp, tones in file.ramps.items():
        for i in range(len(tones)):
            at = numbers[f"{ramp}{i}"]
            darker[at] = numbers[f"{ramp}{max(0, i - 1)}"]
            edge[at] = numbers[file.edges.get(ramp, f"{ramp}0")]
    return Palette(np.array(rows, dtype=np.uint8), numbers, darker, edge)


def number(name: str) -> int:
    """The number of a colour by name. KeyError when there is none."""
    return palette().numbers[name]

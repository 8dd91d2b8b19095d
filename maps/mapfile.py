"""A map file as it is written (see `docs/maps.md`): the pydantic models of its keys.

MapFile > SectorEntry > legend: LegendEntry; MapFile > ground: Shape
"""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from kernel import minutes_of
from maps.kinds import Frozen

Pair = tuple[int, int]


def _hours(text: object) -> object:
    """ "8:00-20:00" -> (480, 1200). Raises ValueError with the way out."""
    if not isinstance(text, str):
        return text
    found = re.fullmatch(r"\s*(\d+:\d\d)\s*-\s*(\d+:\d\d)\s*", text)
    if not found:
        raise ValueError(f"hours '{text}' can't be read, write them as 8:00-20:00")
    opens, closes = minutes_of(found[1]), minutes_of(found[2])
    if not 0 <= opens < closes <= opens + 1440 or opens >= 1440:
        raise ValueError(f"hours '{text}' must close after they open, within a day (after midnight: 17:00-26:00)")
    return (opens, closes)


def _name(text: str) -> str:
    if not text.strip() or text != text.strip() or " : " in text:
        raise ValueError(f"'{text}' can't be a name: it is empty, has blanks around it, or holds ' : '")
    return text


Name = Annotated[str, AfterValidator(_name)]
Hours = Annotated[tuple[int, int], BeforeValidator(_hours)]


class LegendEntry(Frozen):
    """What a letter of a plan stands for: an object (`name`), the room around it (`arena`), or just `ground`.

    object  all tiles with this letter in one arena are one object; `kind` is its name unless said; `ground` lies
            under it (else the arena's floor)
    arena   `floor` and `owners` narrow the sector's; `affords` is what can be done there without any object
    """

    name: Name | None = None
    kind: str | None = None
    arena: Name | None = None
    floor: str | None = None
    outdoors: bool = False
    affords: tuple[str, ...] = ()
    capacity: int | None = Field(default=None, ge=1)
    owners: tuple[Name, ...] = ()
    ground: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: object) -> object:
        """A bare text is the name of an object."""
        return {"name": value} if isinstance(value, str) else value

    @model_validator(mode="after")
    def _one_thing(self) -> LegendEntry:
        if (self.name is None) == (self.arena is None) and not (self.ground and not self.name):
            raise ValueError("a legend entry says one of 'name' (an object), 'arena' (a room) or 'ground'")
        return self


class SectorEntry(Frozen):
    """A sector: its plan's upper left corner is at tile `at`."""

    kind: str
    at: Pair
    hours: Hours | None = None
    owners: tuple[Name, ...] = ()
    floor: str = "wood"
    plan: str
    legend: dict[Annotated[str, BeforeValidator(str)], LegendEntry]


class Shape(Frozen):
    """One stroke of ground: exactly one of `rect` [x, y, w, h], `ellipse` [cx, cy, rx, ry], `line` (corner points,
    `width` tiles wide), `tiles` (points).

    `every` [dx, dy] keeps only each dx-th column of each dy-th row, shifted by half in every other row; `share` keeps
    that share of the tiles, always the same ones; `on` paints only over these kinds of ground.
    """

    of: str
    rect: tuple[int, int, int, int] | None = None
    ellipse: tuple[int, int, int, int] | None = None
    line: tuple[Pair, ...] | None = None
    tiles: tuple[Pair, ...] | None = None
    width: int = Field(default=1, ge=1)
    every: tuple[Annotated[int, Field(ge=1)], Annotated[int, Field(ge=1)]] | None = None
    share: float | None = Field(default=None, gt=0, le=1)
    on: tuple[str, ...] = ()


class Outside(Frozen):
    """What everything outside the sectors is called."""

    sector: Name = "streets"
    arena: Name = "outdoors"
    kind: str = "street"
    affords: tuple[str, ...] = ("stroll", "exercise")


class MapFile(Frozen):
    """A whole map file."""

    world: Name
    size: tuple[Annotated[int, Field(ge=4, le=1000)], Annotated[int, Field(ge=4, le=1000)]]
    fill: str = "grass"
    ground: tuple[Shape, ...] = ()
    outside: Outside = Outside()
    sectors: dict[Name, SectorEntry] = Field(min_length=1)

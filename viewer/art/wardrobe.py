"""From the words of a persona's look to colours and shapes.

Outfit       everything the drawing needs, in names of the palette
outfit       Look -> Outfit
made_up      a name -> a look for somebody who has none
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from typing import get_args

from pydantic import BaseModel, ConfigDict

from kernel import read_model
from personas.spec import Look
from viewer.art.palette import DATA

Tones = tuple[str, str, str]


class _Made(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    tops: tuple[str, ...]
    bottoms: tuple[str, ...]
    extras: tuple[tuple[str, ...], ...]


class _Wardrobe(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    skin: dict[str, Tones]
    hair: dict[str, Tones]
    cloth: dict[str, Tones]
    shapes: dict[str, tuple[str, ...]]
    made_up: _Made


@dataclass(frozen=True)
class Outfit:
    """Colours are (dark, middle, light); shapes are keys of `data/wardrobe.yaml` or "". `accent` colours scarf, cap, hat."""

    skin: Tones
    hair: Tones
    cut: str
    top: Tones
    top_shape: str
    pattern: str
    bottom: Tones
    bottom_shape: str
    accent: Tones
    extras: tuple[str, ...]


@cache
def _wardrobe() -> _Wardrobe:
    return read_model(DATA / "wardrobe.yaml", _Wardrobe)[0]


def _chosen(text: str, below: int) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=4).digest(), "big") % below


def _tones(words: str, salt: str) -> Tones:
    """The colours of a garment; of one whose colour nobody listed, some by its words."""
    cloth = _wardrobe().cloth
    for word in re.findall(r"[a-z]+", words.lower()):
        if word in cloth:
            return cloth[word]
    return cloth[sorted(cloth)[_chosen(words + salt, len(cloth))]]


def _shape(words: str) -> str:
    found = re.findall(r"[a-z]+", words.lower())
    return next((shape for shape, names in _wardrobe().shapes.items() if any(name in found for name in names)), "")


@cache
def outfit(look: Look) -> Outfit:
    """What a look means."""
    wardrobe = _wardrobe()
    top, bottom = _tones(look.top, "top"), _tones(look.bottom, "bottom")
    pattern = next((word for word in ("striped", "checked") if word in look.top), "")
    accents = [tones for name, tones in sorted(wardrobe.cloth.items()) if tones not in (top, bottom) and name in
               ("red", "yellow", "teal", "plum", "sky", "green", "orange", "rose", "navy")]  # fmt: skip
    accent = accents[_chosen(look.model_dump_json(), len(accents))]
    return Outfit(
        skin=wardrobe.skin[look.skin],
        hair=wardrobe.hair[look.hair_colour],
        cut=look.hair,
        top=top,
        top_shape=_shape(look.top),
        pattern=pattern,
        bottom=bottom,
        bottom_shape=_shape(look.bottom),
        accent=accent,
        extras=look.extras,
    )


@cache
def made_up(name: str) -> Look:
    """A look that depends on the name alone."""
    made, fields = _wardrobe().made_up, Look.model_fields

    def one(what: str, values: tuple[str, ...]) -> str:
        return values[_chosen(f"{name}/{what}", len(values))]

    chosen = {what: one(what, get_args(fields[what].annotation)) for what in ("skin", "hair", "hair_colour")}
    if chosen["hair"].startswith("grey"):
        chosen["hair_colour"] = one("white", ("grey", "white"))
    extras = made.extras[_chosen(f"{name}/extras", len(made.extras))]
    return Look.model_validate({**chosen, "top": one("top", made.tops), "bottom": one("bottom", made.bottoms), "extras": extras})

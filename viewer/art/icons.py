"""Icons of what people do: small pixel maps (`data/icons.yaml`), one for each name of `maps/icons.yaml`.

known    the name, or "dot"
draw     name -> Canvas 11 x 11
"""

from __future__ import annotations

from functools import cache

from pydantic import BaseModel, ConfigDict

from kernel import read_model
from viewer.art.canvas import Canvas
from viewer.art.palette import DATA

SIZE = 11


class _Icons(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")
    colours: dict[str, str]
    icons: dict[str, str]


@cache
def _file() -> _Icons:
    return read_model(DATA / "icons.yaml", _Icons)[0]


def known(name: str) -> str:
    """The name, or `dot` for one that nobody has drawn."""
    return name if name in _file().icons else "dot"


def draw(name: str) -> Canvas:
    """The icon with its outline, so that it is seen on any ground."""
    file = _file()
    return Canvas(SIZE, SIZE).rows(1, 1, file.icons[known(name)].split(), file.colours).outline()

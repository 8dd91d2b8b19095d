"""The window's settings: a YAML file in the user's folder of settings; what it doesn't say is as usual.

Settings                     what can be set; validated
settings_path()              where the file is looked for: XDG_CONFIG_HOME, APPDATA, or ~/.config
read_settings(path)          -> (Settings, what is wrong in a sentence): a broken file never keeps a window from opening
write_settings(settings)     F2: the window as it is now is how it opens from now on
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field, model_validator

from kernel import DataFileError, load_yaml, read_model
from viewer.wording import say

Panel = Literal["none", "residents", "news", "status"]
SMALLEST, LARGEST = (640, 400), (7680, 4320)


class Settings(BaseModel):
    """How a window opens.

    size          "WIDTHxHEIGHT" in pixels
    zoom          screen pixels per town pixel, 0.25 to 4; left out: the whole town
    font_scale    of all words, beside what the window's size gives them
    pace          game seconds a second, or "flat out" for a town that is being lived
    director      whether the camera looks for what is worth seeing
    panel         the panel that is open; minimap: whether the small map is
    visitor       the name under which one walks into the town oneself
    price         [in, out]: what a million tokens cost, in any currency, for the page about the run
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    size: Annotated[str, Field(pattern=r"^\d{3,4}x\d{3,4}$")] = "1280x720"
    zoom: Annotated[float, Field(ge=0.25, le=4)] | None = None
    font_scale: Annotated[float, Field(ge=0.7, le=2.5)] = 1.0
    pace: Annotated[float, Field(gt=0, le=86400)] | Literal["flat out"] = 60.0
    director: bool = False
    panel: Panel = "none"
    minimap: bool = True
    visitor: Annotated[str, Field(max_length=40)] = ""
    price: Annotated[tuple[float, ...], Field(min_length=2, max_length=2)] | None = None

    @model_validator(mode="after")
    def _fits(self) -> Settings:
        width, height = self.pixels
        if not (SMALLEST[0] <= width <= LARGEST[0] and SMALLEST[1] <= height <= LARGEST[1]):
            raise ValueError(f"size must be between {SMALLEST[0]}x{SMALLEST[1]} and {LARGEST[0]}x{LARGEST[1]}")
        return self

    @property
    def pixels(self) -> tuple[int, int]:
        """(width, height)."""
        width, height = self.size.split("x")
        return int(width), int(height)

    @property
    def rate(self) -> float:
        """The pace as a number; infinity: flat out."""
        return float("inf") if self.pace == "flat out" else float(self.pace)


def settings_path() -> Path:
    """The file, whether it is there or not."""
    if os.environ.get("XDG_CONFIG_HOME"):
        folder = Path(os.environ["XDG_CONFIG_HOME"])
    elif sys.platform == "win32" and os.environ.get("APPDATA"):
        folder = Path(os.environ["APPDATA"])
    else:
        folder = Path.home() / ".config"
    return folder / "townfolk" / "window.yaml"


def read_settings(path: Path | None = None) -> tuple[Settings, str]:
    """What the file says; with defaults, and why, when it can't be understood."""
    path = path or settings_path()
    if not path.is_file():
        return Settings(), ""
    try:
        if load_yaml(path).data is None:  # empty, or nothing but remarks
            return Settings(), ""
        return read_model(path, Settings)[0], ""
    except DataFileError as error:
        return Settings(), say("settings", "broken", what=error.sentence())


def write_settings(settings: Settings, path: Path | None = None) -> str:
    """Writes the file; what to tell the user."""
    path = path or settings_path()
    chosen = settings.model_dump(mode="json", exclude_none=True)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(say("settings", "head") + yaml.safe_dump(chosen, sort_keys=False), encoding="utf-8")
    except OSError as error:
        return say("settings", "not_kept", path=path, what=error.strerror)
    return say("settings", "kept", path=path)

"""What every map may use: kinds of objects and of ground, affordances, icons.

    ObjectKind, catalogue()     objects.yaml
    GroundKind, grounds()       ground.yaml
    affordances(), icons()      affordances.yaml, icons.yaml: key -> meaning in words

Each is read once, when first asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from kernel import nearest, read_model

FOLDER = Path(__file__).parent


class Frozen(BaseModel):
    """Base: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class ObjectKind(Frozen):
    """A kind of object; the fields are explained at the head of `objects.yaml`."""

    affords: tuple[str, ...]
    use: Literal["on", "beside"]
    solid: bool = True
    reserved: bool = False
    idle: str
    capacity: int | None = Field(default=None, ge=1)
    owned: bool = False


class GroundKind(Frozen):
    """A kind of ground; the fields are explained at the head of `ground.yaml`."""

    letter: str = Field(min_length=1, max_length=1)
    solid: bool = False
    barrier: bool = False
    colour: str = Field(pattern=r"^[0-9a-f]{6}$")
    mark: str | None = Field(default=None, min_length=1, max_length=1)


class _Catalogue(RootModel[dict[str, ObjectKind]]):
    pass


class _Grounds(RootModel[dict[str, GroundKind]]):
    pass


class _Words(RootModel[dict[str, str]]):
    pass


@cache
def affordances() -> Mapping[str, str]:
    """What can be done with an object or in an arena: key -> words that describe such activities."""
    return read_model(FOLDER / "affordances.yaml", _Words)[0].root


@cache
def icons() -> Mapping[str, str]:
    """Icons for acts: name -> meaning."""
    return read_model(FOLDER / "icons.yaml", _Words)[0].root


@cache
def catalogue() -> Mapping[str, ObjectKind]:
    """Kinds of objects by name. Raises DataFileError when a kind affords something unknown."""
    model, located = read_model(FOLDER / "objects.yaml", _Catalogue)
    for name, kind in model.root.items():
        for key in kind.affords:
            if key not in affordances():
                hint = did_you_mean(key, affordances())
                raise located.problem(f"{name}: unknown affordance '{key}'", name, "affords", hint=hint)
    return model.root


@cache
def grounds() -> Mapping[str, GroundKind]:
    """Kinds of ground by name."""
    return read_model(FOLDER / "ground.yaml", _Grounds)[0].root


def did_you_mean(word: str, known: Mapping[str, object]) -> str:
    """A hint that names the nearest known word, or all of them."""
    close = nearest(word, known)
    return f"did you mean '{close}'?" if close else f"known: {', '.join(sorted(known))}"

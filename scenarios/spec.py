"""What a scenario file says: who lives where, what they know at the start, what is tracked and what happens."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from personas.spec import Spec
from scenarios.timetable import InterventionSpec


class GatheringSpec(Spec):
    """Something people can come to. `place` is an address without the town."""

    name: str
    place: str
    start: datetime
    end: datetime
    host: str


class FactSpec(Spec):
    """A fact that is tracked: who comes to know it, from whom.

    text       one full sentence, third person, full names; passed on undistorted
    about      the person it is about, if any; `private`: told only to close ones
    holders    who knows it at the start (or from `at` on); `importance` as it is to them (1-10)
    gathering  set when it announces something people can come to; retracts: name of a fact that it takes back
    """

    text: str
    about: str | None = None
    private: bool = False
    holders: tuple[str, ...] = ()
    importance: Annotated[int, Field(ge=1, le=10)] = 8
    gathering: GatheringSpec | None = None
    retracts: str | None = None
    at: datetime | None = None
    tracked: bool = True


class MemorySpec(Spec):
    """One more memory somebody has at the start."""

    resident: str
    text: str
    importance: Annotated[int, Field(ge=1, le=10)] = 5
    about: str | None = None


class HappeningSpec(Spec):
    """Something that happens to the town at a time.

    kind    event: `text` is seen at `place` for `minutes`; object: the object at `place` is in state `text` from then;
            voice: the inner voice of `resident` says `text`
    """

    at: datetime
    kind: Literal["event", "object", "voice"]
    text: str
    place: str | None = None
    resident: str | None = None
    minutes: Annotated[int, Field(ge=1)] = 10


class NeedSpec(Spec):
    """One condition on the world. `place` is an address without the town.

    kind    present: `resident` is in the place, or at least `at_least` different people are;
            state: the object at the place is in a state that holds one of `words`;
            done: an act there whose text holds one of `words`, begun after `since` and lived there for `minutes` in all,
            by `resident` if one is named;
            known: at least `at_least` people know the fact `fact`
    """

    kind: Literal["present", "state", "done", "known"]
    place: str | None = None
    resident: str | None = None
    at_least: Annotated[int, Field(ge=1)] = 1
    words: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    since: datetime | None = None
    minutes: Annotated[float, Field(ge=0)] = 0
    fact: str | None = None


class ObligationSpec(Spec):
    """What must be the case at a time: scored only then, from what is on file, and told to nobody in the town.

    text   one full sentence;  by: the deadline (the world as it is when that time begins)
    needs  all of them must hold
    """

    text: str
    by: datetime
    needs: tuple[NeedSpec, ...]


class Scenario(Spec):
    """A scenario. `residents` are names of persona files in `personas/FOLDER` (`people`), in resident order."""

    name: str
    title: str
    map: str
    people: str
    residents: tuple[str, ...] = ()
    start: datetime
    days: Annotated[float, Field(gt=0)] = 2
    step_seconds: Annotated[int, Field(ge=1, le=600)] = 10
    seed: int = 0
    mind: str = "generative"
    minds: dict[str, str] = Field(default_factory=dict)
    facts: dict[str, FactSpec] = Field(default_factory=dict)
    memories: tuple[MemorySpec, ...] = ()
    happenings: tuple[HappeningSpec, ...] = ()
    interventions: tuple[InterventionSpec, ...] = ()
    obligations: dict[str, ObligationSpec] = Field(default_factory=dict)
    rename_places: dict[str, str] = Field(default_factory=dict)
    settings: dict[str, float | int | str | bool] = Field(default_factory=dict)

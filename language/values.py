"""What operations are made of: people, recollections, news, scenes as a language model gets to see them.

Value types of this room only: nothing here knows of the town's or of memory's own types. `id` fields are the text form
of ids in the run file; a reply cites by them. Times are calendar times; a model never sees step numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a persona, citable by its id ("Name/-1/n", a seeded record)."""

    id: str
    text: str
    topic: str  # "about", "rhythm", "speech", "aim": the persona's section it comes from


@dataclass(frozen=True, slots=True)
class Person:
    """The one who thinks, from the persona; constant over a run, so that prompts share it as a prefix.

    Hours are minutes since midnight; `sleeps` may pass 1440. `traits` are adjectives; `home`, `workplace` are
    addresses as the town writes them. `pronoun` is he, she or they. `formality` 0 (slangy) .. 1 (stiff) and `talkative`
    0 .. 1 as the persona file has them.
    """

    name: str
    age: int
    pronoun: str
    occupation: str
    traits: tuple[str, ...]
    statements: tuple[Statement, ...]
    home: str
    workplace: str | None
    work_hours: tuple[int, int] | None
    wakes: int
    sleeps: int
    formality: float = 0.4
    talkative: float = 0.5


@dataclass(frozen=True, slots=True)
class Event:
    """Something people can come to. `place` is an address; `name` a noun phrase ("Valentine's Day party")."""

    name: str
    place: str
    start: datetime
    end: datetime
    host: str


@dataclass(frozen=True, slots=True)
class News:
    """A fact that can be passed on. `text` is one full sentence, third person, full names."""

    id: str
    text: str
    about: str | None
    private: bool = False
    event: Event | None = None
    retracts: str | None = None


@dataclass(frozen=True, slots=True)
class Recollection:
    """A memory record as shown to a model.

    `kind` is observation, conversation, reflection or plan, `tag` a finer word (see `memory.record.Record`: "talk",
    "memo", "absence", "promise", "intention" ...); `hours_ago` in game hours; `about` a person it concerns; `news` the
    fact it carries, if any; `heard_from` who told it (None: first hand); `told_to` names of those whom this resident
    remembers having told it, or heard it from.
    """

    id: str
    text: str
    kind: str
    hours_ago: float
    importance: int
    about: str | None = None
    news: News | None = None
    heard_from: str | None = None
    told_to: tuple[str, ...] = ()
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Relation:
    """What one resident has with another, derived from memory.

    `known` False: a stranger (perhaps seen, never spoken with). `how` is a word ("friend", "husband", "neighbour",
    "stranger"); `closeness` -1 (at odds) .. 1 (dearest); `text` one sentence from memory or ""; `talks` conversations
    so far; `hours_since` the last one (None: never).
    """

    name: str
    known: bool
    how: str
    closeness: float
    text: str = ""
    talks: int = 0
    hours_since: float | None = None


@dataclass(frozen=True, slots=True)
class Commitment:
    """Something in one's diary. `role`: host, guest or helper; `id` the record it rests on; `firm` False: only heard
    of it, may go. `called_off` True: one has learned it won't take place."""

    id: str
    event: Event
    role: str
    firm: bool = True
    called_off: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """Where and when: `place` an address, `people` names in view, `notable` (object address, state) that stand out."""

    now: datetime
    place: str
    activity: str
    people: tuple[str, ...] = ()
    notable: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One utterance of the dialogue so far, as heard. `news` are the facts it passed on, `event` what it was about."""

    speaker: str
    text: str
    act: str
    news: tuple[News, ...] = ()
    event: Event | None = None


@dataclass(frozen=True, slots=True)
class PlaceOption:
    """A place one knows of and may choose. `address` of an object or arena; `affords` what can be done there;
    `mine` it is one's own home or work; `open` at the time meant; `minutes_away` on foot; `state` as last seen;
    `taken` known to be full."""

    address: str
    affords: tuple[str, ...]
    mine: bool
    open: bool
    minutes_away: int
    state: str = ""
    taken: bool = False

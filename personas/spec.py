"""What a persona file says: a plain, validated specification of one resident."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

TimeOfDay = Annotated[str, Field(pattern=r"^\d{1,2}:\d{2}$")]


class Spec(BaseModel):
    """Base: frozen, unknown keys refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Acquaintance(Spec):
    """Somebody this resident knows at the start (one direction).

    `how` is a word or two ("wife", "friend", "rival", "secret crush", "colleague"); `text` one or two sentences of
    what they know about the other and how they feel; `closeness` -1 (at odds) .. 1 (dearest).
    """

    how: str
    text: str
    closeness: Annotated[float, Field(ge=-1, le=1)] = 0.3


class Work(Spec):
    """`place` is an address without the town ("Hobbs Cafe : cafe : behind the cafe counter"); hours of one day."""

    place: str
    hours: tuple[TimeOfDay, TimeOfDay]
    days: tuple[Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"], ...] = (
        "mon", "tue", "wed", "thu", "fri", "sat", "sun",
    )  # fmt: skip


class Look(Spec):
    """How the resident is drawn (`docs/art`): words of the sprite generator."""

    skin: Literal["porcelain", "fair", "tan", "brown", "dark"]
    hair: Literal["short", "long", "bun", "curly", "bob", "ponytail", "bald", "braids", "undercut", "grey-short", "grey-long"]
    hair_colour: Literal["black", "brown", "chestnut", "blond", "red", "grey", "white", "teal", "purple"]
    top: str
    bottom: str
    extras: tuple[Literal["glasses", "apron", "cap", "scarf", "beard", "moustache", "headphones", "hat", "bag", "tie"], ...] = ()


class Persona(Spec):
    """One resident, as `personas/FOLDER/NAME.yaml` describes them.

    about   a paragraph: character, work, home, history, what they are busy with (third person, full sentences)
    rhythm  sentences about the ordinary day, each with its own time of day in words ("Before breakfast she ...",
            "At noon ...", "In the evening ..."): what they do, where, with whom. The planner reads these.
    aims    sentences: what they want at the moment ("Klaus Mueller wants to finish ...")
    speech  manner of speech in a sentence or two; `formality` 0 (slangy) .. 1 (stiff); `talkative` 0 .. 1
    home    address without the town, of the room they sleep in; `bed` the object they sleep in
    wakes, sleeps  usual hours; `sleeps` may pass "24:00"
    knows   who they know at the start (name -> how)
    places  sectors known besides home, work and what everybody in town knows; `newcomer` True: knows only home, work
            and these
    """

    name: str
    age: Annotated[int, Field(ge=1, le=120)]
    pronoun: Literal["she", "he", "they"]
    occupation: str
    traits: Annotated[tuple[str, ...], Field(min_length=1)]
    about: str
    rhythm: Annotated[tuple[str, ...], Field(min_length=1)]
    aims: tuple[str, ...] = ()
    speech: str
    formality: Annotated[float, Field(ge=0, le=1)] = 0.4
    talkative: Annotated[float, Field(ge=0, le=1)] = 0.5
    home: str
    bed: str
    wakes: TimeOfDay
    sleeps: TimeOfDay
    work: Work | None = None
    knows: dict[str, Acquaintance] = Field(default_factory=dict)
    places: tuple[str, ...] = ()
    newcomer: bool = False
    look: Look | None = None

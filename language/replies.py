"""What operations are answered with: one pydantic model per reply. Their JSON schemas go to models that can use them."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

ShortText = Annotated[str, Field(min_length=1, max_length=400)]
TIME_OF_DAY = r"^\d{1,2}:\d{2}$"
TimeOfDay = Annotated[str, Field(pattern=TIME_OF_DAY)]
Cites = Annotated[list[str], Field(max_length=30)]


class ReplyModel(BaseModel):
    """Base of all replies: frozen, unknown keys ignored (models like to add some)."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Ratings(ReplyModel):
    """Importance 1 (brushing teeth) .. 10 (a break-up), one for each text asked about, in order."""

    importance: list[Annotated[int, Field(ge=1, le=10)]]


class SelfSummary(ReplyModel):
    """Who I am, what I do, how I feel about how things go: a few sentences, third person."""

    text: Annotated[str, Field(min_length=1, max_length=1200)]


class Part(ReplyModel):
    """A broad part of a day. `place` is a hint in words ("Hobbs Cafe"), or None; end after start, may pass 24:00."""

    activity: ShortText
    start: TimeOfDay
    end: TimeOfDay
    place: str | None = None
    rests_on: Cites = Field(default_factory=list)


class DayOutline(ReplyModel):
    """5-8 broad parts, in order, from waking to sleep. `thought` is one sentence: what matters today and why."""

    parts: list[Part]
    thought: str = ""


class HourBlock(ReplyModel):
    """A block of about an hour; `part` is the index of the day's part it belongs to."""

    activity: ShortText
    start: TimeOfDay
    minutes: Annotated[int, Field(ge=5, le=360)]
    part: int = 0
    place: str | None = None
    rests_on: Cites = Field(default_factory=list)


class HourPlan(ReplyModel):
    """Hour-long blocks that cover the parts asked about."""

    blocks: list[HourBlock]


class Task(ReplyModel):
    """5-15 minutes of something. `activity` is a phrase in the -ing form: "frothing milk for the regulars".

    `stays` True: done at the same thing as the task before it, so that nobody needs to ask where.
    """

    activity: ShortText
    minutes: Annotated[int, Field(ge=1, le=60)]
    stays: bool = False


class TaskList(ReplyModel):
    """Tasks that fill a block."""

    tasks: list[Task]


class Settling(ReplyModel):
    """Where a task is done and how it looks. `address` is one of the options; `state` what the object then is in
    ("brewing", "in use"); `private` not to be talked to (bathing)."""

    address: str
    icon: str = "dot"
    state: str | None = None
    private: bool = False


class Reaction(ReplyModel):
    """Continue, talk to the one seen, wait a moment, or do something else instead.

    `activity` (-ing form), `minutes`, `address` (None: where one is) and `leaves` (the state in which the object is
    left: "off") belong to `act`, and `icon`. `thought` is one sentence that is remembered, "" for none.
    """

    decision: Literal["continue", "talk", "act", "wait"]
    activity: str | None = None
    minutes: Annotated[int, Field(ge=1, le=240)] = 5
    address: str | None = None
    state: str | None = None
    leaves: str | None = None
    icon: str = "tool"
    thought: str = ""
    rests_on: Cites = Field(default_factory=list)


class Meeting(ReplyModel):
    """A meeting one proposes on the spot: a new gathering. `start` as "YYYY-MM-DD HH:MM"; `place` an address."""

    name: ShortText
    place: str
    start: str
    minutes: Annotated[int, Field(ge=5, le=600)] = 60


class Turn(ReplyModel):
    """What one says.

    act        the dialogue act (see `town.speech.SpeechAct`)
    passes_on  ids of news told with these words
    rests_on   ids of recollections the words come from
    event      id of the news whose event an invite / ask_help / accept / decline / ask_why is about, or None
    meeting    a meeting newly proposed with these words (act invite or ask_help), or None
    ends       these are one's last words in this conversation
    """

    text: Annotated[str, Field(min_length=1, max_length=1000)]
    act: Literal[
        "greet", "introduce", "ask", "answer", "remark", "tell", "gossip", "invite", "ask_help", "accept", "decline",
        "ask_why", "explain", "apologise", "retract", "puzzled", "part",
    ] = "remark"  # fmt: skip
    passes_on: Cites = Field(default_factory=list)
    rests_on: Cites = Field(default_factory=list)
    event: str | None = None
    meeting: Meeting | None = None
    ends: bool = False


class Recall(ReplyModel):
    """What a conversation leaves behind.

    summary   one sentence: what we talked about        partner   a memo about the other, or ""
    plans     what it means for one's own plans, or ""  warmth    how it went, -1 .. 1
    """

    summary: ShortText
    partner: str = ""
    plans: str = ""
    warmth: Annotated[float, Field(ge=-1, le=1)] = 0.1


class Questions(ReplyModel):
    """The most salient high-level questions that one's recent memories can answer."""

    questions: list[ShortText]


class Insight(ReplyModel):
    """One insight with the records it rests on; `intention` True when it says what one means to do from now on."""

    text: ShortText
    rests_on: Cites = Field(default_factory=list)
    about: str | None = None
    intention: bool = False


class Insights(ReplyModel):
    """Insights for all questions together."""

    insights: list[Insight]


class SpokenAnswer(ReplyModel):
    """An interview answer. `knows` False: said not to know."""

    text: Annotated[str, Field(min_length=1, max_length=2000)]
    rests_on: Cites = Field(default_factory=list)
    knows: bool = True

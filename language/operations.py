"""The typed questions to a language model, one class each: fields in, a reply type out.

An operation is pure data. How it is put to a text model: `language/prompts/NAME.txt`. How the offline model answers
it: the responder registered for its type. What happens when no model gives a usable answer: `language/fallbacks.py`,
one function per operation, from the operation's own fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Generic, TypeVar

from language.replies import (
    DayOutline,
    HourPlan,
    Insights,
    Questions,
    Ratings,
    Reaction,
    Recall,
    ReplyModel,
    SelfSummary,
    Settling,
    SpokenAnswer,
    TaskList,
    Turn,
)
from language.values import (
    Commitment,
    Line,
    News,
    Person,
    PlaceOption,
    Recollection,
    Relation,
    Scene,
)

R = TypeVar("R", bound=ReplyModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation(Generic[R]):
    """Base of all operations. `name` is the stable key used in `calls`, reports and `--model-for`."""

    name: ClassVar[str]
    reply_type: ClassVar[type[ReplyModel]]

    person: Person


@dataclass(frozen=True, slots=True, kw_only=True)
class RateImportance(Operation[Ratings]):
    """How much do these matter to the person, 1-10? (Park et al. section 4.1)"""

    name: ClassVar[str] = "rate"
    reply_type: ClassVar[type[ReplyModel]] = Ratings
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SummariseSelf(Operation[SelfSummary]):
    """Core characteristics, occupation, feeling about recent progress: three retrievals, one summary (appendix A)."""

    name: ClassVar[str] = "self"
    reply_type: ClassVar[type[ReplyModel]] = SelfSummary
    core: tuple[Recollection, ...]
    occupation: tuple[Recollection, ...]
    progress: tuple[Recollection, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanDay(Operation[DayOutline]):
    """A day in 5-8 broad parts (section 4.3). `recent` are retrieved memories and insights, `yesterday` yesterday's
    parts as plan records; `commitments` what is in the diary for this day; `scene.now` is waking time.

    `replanning` is the reason when the rest of a running day is planned again, else ""; `current` then are the parts of
    the present plan that aren't over, as (start, end, activity, place hint) in minutes since midnight: what need not
    change is to be repeated as it stands.
    """

    name: ClassVar[str] = "plan_day"
    reply_type: ClassVar[type[ReplyModel]] = DayOutline
    summary: str
    scene: Scene
    recent: tuple[Recollection, ...] = ()
    yesterday: tuple[Recollection, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    known_places: tuple[str, ...] = ()
    replanning: str = ""
    current: tuple[tuple[int, int, str, str | None], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanHours(Operation[HourPlan]):
    """Hour-long blocks for the parts of a day. `parts` as planned, times of day in minutes since midnight."""

    name: ClassVar[str] = "plan_hours"
    reply_type: ClassVar[type[ReplyModel]] = HourPlan
    scene: Scene
    parts: tuple[tuple[int, int, str, str | None], ...]  # (start, end, activity, place hint)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decompose(Operation[TaskList]):
    """A block into tasks of 5-15 minutes, just in time. `start` in minutes since midnight."""

    name: ClassVar[str] = "decompose"
    reply_type: ClassVar[type[ReplyModel]] = TaskList
    scene: Scene
    activity: str
    start: int
    minutes: int
    place: str | None
    recent: tuple[str, ...] = ()  # the latest tasks done, so as not to repeat them


@dataclass(frozen=True, slots=True, kw_only=True)
class Settle(Operation[Settling]):
    """Where to do a task, down the tree one knows, with icon and object state in the same answer.

    `purpose` is what the task is part of, "" when it stands for itself.
    """

    name: ClassVar[str] = "settle"
    reply_type: ClassVar[type[ReplyModel]] = Settling
    scene: Scene
    activity: str
    minutes: int
    hint: str | None
    options: tuple[PlaceOption, ...]
    purpose: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class React(Operation[Reaction]):
    """Something was noticed: go on, talk, act or wait? (section 4.3.1)

    `seen` is the observation in words; `subject` the person or object address it is of; `relation` for a person;
    `may_talk` False when the other can't be talked to now; `place_state` for objects: (address, state);
    `rest_of_day` the activities still planned; `affords` what the place offers for a reaction;
    `hours_since_seen_talk` see `relation`. `context` is retrieved.
    """

    name: ClassVar[str] = "react"
    reply_type: ClassVar[type[ReplyModel]] = Reaction
    scene: Scene
    seen: str
    kind: str  # person | object | event
    subject: str
    relation: Relation | None = None
    may_talk: bool = False
    their_activity: str = ""
    state: str = ""
    context: tuple[Recollection, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    rest_of_day: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Speak(Operation[Turn]):
    """The next words in a conversation (section 4.3.2).

    `listeners` in order, the one addressed first; `topics` are retrieved recollections (about the listener, about what
    is on one's mind) and may carry news; `lines` the dialogue so far, [] when opening; `why_open` the reason one opens
    ("" when answering); `shared` what I remember of earlier talks with them; `commitments` my diary of the next days;
    `free` are (start, end) calendar spans without plans; `meeting_places` addresses fit for meeting;
    `rounds_left` at most so many more turns for me.
    """

    name: ClassVar[str] = "say"
    reply_type: ClassVar[type[ReplyModel]] = Turn
    summary: str
    scene: Scene
    listeners: tuple[Relation, ...]
    topics: tuple[Recollection, ...]
    lines: tuple[Line, ...]
    why_open: str = ""
    shared: tuple[Recollection, ...] = ()
    commitments: tuple[Commitment, ...] = ()
    free: tuple[tuple[str, str], ...] = ()
    meeting_places: tuple[str, ...] = ()
    rounds_left: int = 8
    stranger_names_known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallTalk(Operation[Recall]):
    """What a conversation that just ended leaves in the mind of `person`."""

    name: ClassVar[str] = "recall"
    reply_type: ClassVar[type[ReplyModel]] = Recall
    scene: Scene
    partners: tuple[Relation, ...]
    lines: tuple[Line, ...]
    news_learned: tuple[News, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskQuestions(Operation[Questions]):
    """Reflection, first step: the 3 most salient questions about the 100 latest records (section 4.2)."""

    name: ClassVar[str] = "questions"
    reply_type: ClassVar[type[ReplyModel]] = Questions
    recent: tuple[Recollection, ...]
    count: int = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawInsights(Operation[Insights]):
    """Reflection, second step: 5 insights for all questions together, each citing records (section 4.2)."""

    name: ClassVar[str] = "insights"
    reply_type: ClassVar[type[ReplyModel]] = Insights
    questions: tuple[str, ...]
    evidence: tuple[Recollection, ...]
    count: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerQuestion(Operation[SpokenAnswer]):
    """An interview question, answered in character from what a condition lets the resident read."""

    name: ClassVar[str] = "answer"
    reply_type: ClassVar[type[ReplyModel]] = SpokenAnswer
    summary: str
    scene: Scene
    question: str
    evidence: tuple[Recollection, ...]
    people: tuple[Relation, ...] = ()
    plan: tuple[tuple[str, str, str], ...] = ()  # ("HH:MM", "HH:MM", activity) of the present day
    dialogue: tuple[Line, ...] = ()


OPERATIONS: tuple[type[Operation[ReplyModel]], ...] = (  # type: ignore[assignment]
    RateImportance,
    SummariseSelf,
    PlanDay,
    PlanHours,
    Decompose,
    Settle,
    React,
    Speak,
    RecallTalk,
    AskQuestions,
    DrawInsights,
    AnswerQuestion,
)
"""Every operation, in the order of the pages that explain them."""

"""One operation of every kind, with a person to think it: made up, and of no scenario."""

from __future__ import annotations

from datetime import datetime

from language import (
    AnswerQuestion,
    AskQuestions,
    Commitment,
    Decompose,
    DrawInsights,
    Event,
    Line,
    News,
    Operation,
    Person,
    PlaceOption,
    PlanDay,
    PlanHours,
    RateImportance,
    React,
    RecallTalk,
    Recollection,
    Relation,
    ReplyModel,
    Scene,
    Settle,
    Speak,
    Statement,
    SummariseSelf,
)

HOME = "Mill : Tor's hut : room"
OVEN = "Mill : Bakery : shop : oven"
POND = "Mill : Pond : shore"

PERSON = Person(
    name="Ada Tor",
    age=41,
    pronoun="she",
    occupation="baker",
    traits=("patient", "blunt"),
    statements=(
        Statement("Ada Tor/-1/0", "Ada Tor has baked the village's bread for twenty years.", "about"),
        Statement("Ada Tor/-1/1", "At five she lights the oven in the Bakery.", "rhythm"),
        Statement("Ada Tor/-1/2", "At half past twelve she eats soup at home.", "rhythm"),
        Statement("Ada Tor/-1/3", "In the afternoon she sits by the Pond.", "rhythm"),
        Statement("Ada Tor/-1/4", "At seven in the evening she cooks dinner at home.", "rhythm"),
        Statement("Ada Tor/-1/5", "Ada Tor wants to learn the harp.", "aim"),
    ),
    home=HOME,
    workplace="Mill : Bakery : shop",
    work_hours=(300, 720),
    wakes=270,
    sleeps=1260,
)
FEAST = Event("harvest feast", POND, datetime(2023, 5, 1, 16), datetime(2023, 5, 1, 18), "Ole Berg")
NEWS = News("feast", "Ole Berg is holding a harvest feast at the Pond on May 1st at four.", "Ole Berg", event=FEAST)
SCENE = Scene(datetime(2023, 5, 1, 4, 30), HOME, "sleeping", ("Ole Berg",), ((OVEN, "smoking"),))
TOLD = Recollection("Ada Tor/7/0", NEWS.text, "conversation", 3.5, 7, "Ole Berg", NEWS, "Ole Berg", ("Ole Berg",))
SEEN = Recollection("Ada Tor/9/1", "The oven was smoking.", "observation", 0.5, 4)
OLE = Relation("Ole Berg", True, "neighbour", 0.4, "Ole Berg lends her his cart.", 3, 20.0)
DIARY = Commitment("Ada Tor/8/0", FEAST, "guest")
LINES = (Line("Ole Berg", "Will you come to the feast at the Pond?", "invite", (NEWS,), FEAST),)
OPTIONS = (
    PlaceOption(OVEN, ("cook",), True, True, 6),
    PlaceOption(f"{HOME} : bed", ("sleep",), True, True, 0),
    PlaceOption("Mill : Inn : bar : stove", ("cook",), False, False, 1),
    PlaceOption(POND, ("sit", "stroll"), False, True, 9),
)
PARTS = ((300, 720, "baking bread", "Bakery"), (720, 780, "eating soup", None))

OPERATION_OF_EACH_KIND: tuple[Operation[ReplyModel], ...] = (  # type: ignore[assignment]
    RateImportance(person=PERSON, texts=("The oven was smoking.", "Ole Berg is leaving for good.")),
    SummariseSelf(person=PERSON, core=(SEEN,), occupation=(SEEN,), progress=(TOLD,)),
    PlanDay(
        person=PERSON, summary="Ada Tor is a baker.", scene=SCENE, recent=(TOLD, SEEN), commitments=(DIARY,),
        known_places=("Mill : Bakery", "Mill : Pond"),
    ),
    PlanHours(person=PERSON, scene=SCENE, parts=PARTS),
    Decompose(person=PERSON, scene=SCENE, activity="baking bread", start=300, minutes=50, place=OVEN),
    Settle(person=PERSON, scene=SCENE, activity="baking bread", minutes=15, hint="Bakery", options=OPTIONS),
    React(
        person=PERSON, scene=SCENE, seen="Ole Berg is mending the cart.", kind="person", subject="Ole Berg", relation=OLE,
        may_talk=True, context=(SEEN,), rest_of_day=("baking bread",),
    ),
    Speak(
        person=PERSON, summary="Ada Tor is a baker.", scene=SCENE, listeners=(OLE,), topics=(TOLD,), lines=LINES,
        meeting_places=(POND,), free=(("2023-05-01 14:00", "2023-05-01 16:00"),),
    ),
    RecallTalk(person=PERSON, scene=SCENE, partners=(OLE,), lines=LINES, news_learned=(NEWS,)),
    AskQuestions(person=PERSON, recent=(TOLD, SEEN)),
    DrawInsights(person=PERSON, questions=("What matters to Ada Tor?",), evidence=(TOLD, SEEN)),
    AnswerQuestion(person=PERSON, summary="Ada Tor is a baker.", scene=SCENE, question="Who is Ole Berg?", evidence=(TOLD,)),
)  # fmt: skip


def operation(kind: type[Operation[ReplyModel]] | type) -> Operation[ReplyModel]:
    """The one of this kind."""
    return next(op for op in OPERATION_OF_EACH_KIND if type(op) is kind)

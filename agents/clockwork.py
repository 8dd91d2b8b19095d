"""The clockwork mind: a fixed routine and nothing else. The smallest mind; it proves the contract and speeds tests.

It asks no model, talks to nobody, and remembers one thing: when its day began. Its routine is the persona's own: wake,
work (or home) until evening, bed.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from agents.mind import Deliberation, InterviewAnswer, MindInit, Writes
from kernel import Json
from language import Ask, Line, phrase
from memory import MindView
from town.acts import Because
from town.protocols import Intention, Moment, Outcome, ProposeAct, ProposeLeave


class ClockworkMind:
    """Lives by the hours of its persona."""

    def __init__(self, init: MindInit) -> None:
        self._init = init
        self._state: dict[str, Json] = {}

    @property
    def name(self) -> str:
        """The resident's full name."""
        return self._init.person.name

    def prepare(self, moment: Moment) -> Intention | Deliberation:
        """The next stretch of the routine, when the last is over; leaves any conversation it is drawn into."""
        if moment.conversation is not None:
            return Intention(proposals=(ProposeLeave(moment.conversation.id),))
        kinds = {signal.kind for signal in moment.signals}
        if not kinds & {"started", "act_ended", "blocked", "closing", "due"}:
            return Intention()
        act = self._routine(moment, barred=bool(kinds & {"blocked", "closing"}))
        return Intention(proposals=(act,), writes=Writes(state={"last": act.text}))

    def _routine(self, moment: Moment, *, barred: bool) -> ProposeAct:
        person, clock = self._init.person, self._init.clock
        day = clock.day(moment.step)
        minute = clock.minute_of_day(moment.step)
        if minute < person.sleeps - 1440:
            day, minute = day - timedelta(days=1), minute + 1440
        if not person.wakes <= minute < person.sleeps:
            wake = clock.step_on(day if minute < person.wakes else day + timedelta(days=1), person.wakes)
            return ProposeAct(
                text=phrase("sleep.asleep"), icon="sleep", target=self._init.bed, until=wake, asleep=True,
                because=Because(note=phrase("reason.asleep")),
            )  # fmt: skip
        hours = person.work_hours
        working = hours is not None and person.workplace is not None and not barred and hours[0] <= minute < hours[1]
        ends = [m for m in (*(hours or ()), person.sleeps) if m > minute]
        target = person.workplace if working and person.workplace is not None else person.home
        return ProposeAct(
            text=phrase("clockwork.working" if working else "clockwork.home"), icon="work" if working else "sit",
            target=target, until=clock.step_on(day, min(ends)), because=Because(note=phrase("reason.plan")),
        )  # fmt: skip

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> Writes:
        """Applies the state written."""
        writes = intention.writes if isinstance(intention.writes, Writes) else Writes()
        changed = {key: value for key, value in writes.state.items() if self._state.get(key) != value}
        self._state.update(changed)
        return Writes(state=changed)

    def state(self) -> Mapping[str, Json]:
        """What it did last."""
        return dict(self._state)

    def restore(self, state: Mapping[str, Json]) -> None:
        """Takes up a saved state."""
        self._state = dict(state)

    async def answer(self, question: str, view: MindView, ask: Ask, dialogue: tuple[Line, ...] = ()) -> InterviewAnswer:
        """It has nothing to say."""
        return InterviewAnswer(phrase("clockwork.answer"), (), knows=False)


def make(init: MindInit) -> ClockworkMind:
    """The factory under the entry point `clockwork`."""
    return ClockworkMind(init)

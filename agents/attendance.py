"""Keeping appointments in mind: who was there, and afterwards who was not (a promise broken is remembered).

While an appointment is on and one is at its place, everybody in view is counted as present. Once it is over, each
promised guest whom the host didn't see, an event that found no host, one's own being there or staying away becomes a memory.
"""

from __future__ import annotations

from agents.perception import place_name
from agents.thought import New, Thought
from language import phrase
from planning.diary import Appointment, appointments
from town.tree import parts

BROKEN_PROMISE = 5
"""Importance of somebody's staying away after having promised."""
ENOUGH_COMPANY = 2
"""With so many others there, an event took place even if one never came near its host."""
ATTENDED = 5
"""Importance of having been at something one had promised or given."""
DISAPPOINTED = -0.3
"""Tone of that memory: how far it moves the relationship."""


def note_present(thought: Thought) -> None:
    """Counts who is in view at the place of an appointment that is on now; oneself first."""
    moment = thought.moment
    for appointment in _between(thought, thought.step, thought.step + 1):
        if not moment.there or parts(appointment.gathering.place)[:2] != parts(moment.place)[:2]:
            continue
        key = f"present/{appointment.fact.id}"
        seen = thought.get(key)
        names = [str(n) for n in seen] if isinstance(seen, list) else []
        here = [thought.person.name, *(p.subject for p in moment.percepts if p.kind in ("person", "words"))]
        merged = list(dict.fromkeys((*names, *here)))
        if merged != names:
            thought.put(key, [*merged])


async def note_absences(thought: Thought) -> None:
    """Looks back, once, at appointments that have ended since one last looked."""
    since = thought.get("looked_back")
    last = since if isinstance(since, int) else 0
    ended = [a for a in _between(thought, last, thought.step) if last < a.gathering.end <= thought.step and a.firm]
    if not ended:
        return
    thought.put("looked_back", thought.step)
    news: list[New] = []
    for appointment in ended:
        if not appointment.called_off:
            news.extend(_absences(thought, appointment))
    if news:
        await thought.remember(news)


def _absences(thought: Thought, appointment: Appointment) -> list[New]:
    me, gathering = thought.person.name, appointment.gathering
    seen = thought.get(f"present/{appointment.fact.id}")
    present = {str(n) for n in seen} if isinstance(seen, list) else set()
    place = place_name(gathering.place)
    fields = {"address": gathering.place, "fact": appointment.fact, "tag": "absence"}
    if me not in present:
        text = phrase("absence.own", perceiver=me, event=gathering.name)
        return [New("observation", text, BROKEN_PROMISE, {**fields, "about": me, "people": (me, gathering.host)})]
    others = tuple(name for name in sorted(present) if name != me)
    text = phrase("attended.with" if others else "attended.alone", perceiver=me, event=gathering.name, place=place)
    attended = New("observation", text, ATTENDED, {**fields, "tag": "attended", "about": me, "people": (me, *others)})
    found = [attended] + [
        New(
            "observation",
            phrase("absence.guest", guest=guest, event=gathering.name, place=place),
            BROKEN_PROMISE,
            {**fields, "about": guest, "people": (guest,), "tone": DISAPPOINTED},
        )
        for guest in appointment.coming
        if gathering.host == me and guest not in present
    ]
    if gathering.host != me and gathering.host not in present and len(others) < ENOUGH_COMPANY:
        text = phrase("absence.event", event=gathering.name, place=place, perceiver=me)
        found.append(
            New(
                "observation", text, BROKEN_PROMISE,
                {**fields, "about": gathering.host, "people": (gathering.host,), "tone": DISAPPOINTED},
            )
        )  # fmt: skip
    return found


def _between(thought: Thought, since: int, until: int) -> tuple[Appointment, ...]:
    return appointments(thought.draft, thought.person.name, since - 1, until)

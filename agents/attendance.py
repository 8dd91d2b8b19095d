"""Keeping appointments in mind: who was there, and afterwards who was not (a promise broken is remembered).

note_present     while an appointment is on and one is at its place, everybody in view is counted as present
look_round       a guest who hasn't seen the host for a while, or a host alone, goes where one would wait for somebody
note_absences    once it is over: each promised guest whom the host didn't see, an event that found no host, one's own
                 being there or staying away becomes a memory
"""

from __future__ import annotations

from agents.perception import place_name
from agents.thought import New, Thought
from language import phrase
from planning.diary import Appointment, appointments
from planning.places import Places
from town.acts import Because
from town.percepts import Tile
from town.protocols import ProposeAct
from town.tree import Arena, parts

BROKEN_PROMISE = 5
"""Importance of somebody's staying away after having promised."""
ENOUGH_COMPANY = 2
"""With so many others there, an event took place even if one never came near its host, unless one has looked for them."""
LOOK_AFTER = 10
"""Minutes after which a guest who hasn't seen the host (a host who hasn't seen anybody) goes and looks for them."""
LOOK_MINUTES = (10, 3)
"""How long one stays: first at the landmark of the place, where the other would look, too; then at its far end."""
ATTENDED = 5
"""Importance of having been at something one had promised or given."""
DISAPPOINTED = -0.3
"""Tone of that memory: how far it moves the relationship."""


def note_present(thought: Thought) -> None:
    """Counts who is in view at the place of an appointment that is on now; oneself first."""
    moment = thought.moment
    for appointment in _between(thought, thought.step, thought.step + 1):
        key = f"present/{appointment.fact.id}"
        seen = thought.get(key)
        if not (moment.there or seen) or parts(appointment.gathering.place)[:2] != parts(moment.place)[:2]:
            continue  # somebody passing through isn't present; somebody walking about in it is
        names = [str(n) for n in seen] if isinstance(seen, list) else []
        here = [thought.person.name, *(p.subject for p in moment.percepts if p.kind in ("person", "words"))]
        merged = list(dict.fromkeys((*names, *here)))
        if merged != names:
            thought.put(key, [*merged])


def look_round(thought: Thought, places: Places) -> ProposeAct | None:
    """A short walk within the place of an appointment, when one has been there and hasn't met whom one came for."""
    moment, me = thought.moment, thought.person.name
    since = thought.step - thought.clock.steps(minutes=LOOK_AFTER)
    for appointment in _between(thought, thought.step, thought.step + 1):
        gathering, fact = appointment.gathering, appointment.fact
        arena = places.town.by_address.get(gathering.place)
        present, looked = thought.get(f"present/{fact.id}"), thought.get(f"looked/{fact.id}")
        been = [str(address) for address in looked] if isinstance(looked, list) else []
        missed = gathering.host if gathering.host != me else next(iter(appointment.coming), None)
        if (
            missed is None or not appointment.firm or appointment.called_off or gathering.start > since
            or not isinstance(arena, Arena) or moment.place != arena.address or len(been) >= len(LOOK_MINUTES)
            or not isinstance(present, list) or missed in present or (gathering.host == me and len(present) > 1)
        ):  # fmt: skip
            continue
        goal = _where_to_look(moment.tile, arena, been)
        if goal is None:
            continue
        thought.put(f"looked/{fact.id}", [*been, goal])
        return ProposeAct(
            text=phrase("act.looking_for", other=missed), icon="think", target=goal,
            until=thought.step + thought.clock.steps(minutes=LOOK_MINUTES[len(been)]),
            because=Because(records=(appointment.record,), note=phrase("reason.looking")),
        )  # fmt: skip
    return None


def _where_to_look(tile: Tile, arena: Arena, been: list[str]) -> str | None:
    """The landmark of a place (of what there is fewest), then what is farthest from where one is."""
    things = [thing for thing in arena.objects if thing.spots and thing.address not in been]
    if not things:
        return None
    if not been:
        return min(things, key=lambda thing: len(thing.spots)).address
    return max(things, key=lambda thing: min(_apart(spot, tile) for spot in thing.spots)).address


def _apart(a: Tile, b: Tile) -> int:
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def note_absences(thought: Thought) -> None:
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
        thought.note(news)


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
    looked = thought.get(f"looked/{appointment.fact.id}") is not None
    if gathering.host != me and gathering.host not in present and (looked or len(others) < ENOUGH_COMPANY):
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

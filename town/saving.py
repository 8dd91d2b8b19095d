"""Saving and restoring values of the town as JSON: acts, signals, conversations and what they carry.

encode                    any frozen value of this room as Json (field by field; ids and tuples as lists)
act_from, talk_from ...   the way back, one function per type
world_state, restore_world   all that changes in a world
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from kernel import Json, RecordId
from town.acts import Act, Because
from town.bodies import Body
from town.happenings import Event, Happening
from town.history import History
from town.objects import ObjectState
from town.percepts import Signal, Tile
from town.speech import Conversation, Fact, Gathering, Utterance
from town.talks import Talk
from town.world import Spoken, World


def encode(value: object) -> Json:
    """A frozen value as Json. TypeError for what isn't made of dataclasses, tuples, lists, dicts and plain values."""
    if value is None or isinstance(value, str | int | float | bool):
        return value
    if isinstance(value, tuple | list):
        return [encode(part) for part in value]
    if isinstance(value, dict):
        return {str(key): encode(part) for key, part in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: encode(getattr(value, f.name)) for f in fields(value)}
    raise TypeError(f"{type(value).__name__} can't be saved")


# Decoding takes Any: what comes in was written by `encode`, and is checked by the equality tests of resume.


def _id(raw: Any) -> RecordId | None:
    return RecordId(*raw) if raw is not None else None


def _ids(raw: Any) -> tuple[RecordId, ...]:
    return tuple(RecordId(*one) for one in raw)


def _tile(raw: Any) -> Tile | None:
    return (raw[0], raw[1]) if raw is not None else None


def gathering_from(raw: Any) -> Gathering | None:
    """Inverse of `encode` for a gathering or None."""
    return Gathering(**raw) if raw is not None else None


def fact_from(raw: Any) -> Fact:
    """Inverse of `encode` for a fact."""
    return Fact(**{**raw, "gathering": gathering_from(raw["gathering"])})


def because_from(raw: Any) -> Because:
    """Inverse of `encode` for reasons."""
    return Because(
        plan=_id(raw["plan"]),
        records=_ids(raw["records"]),
        retrievals=_ids(raw["retrievals"]),
        percepts=tuple(raw["percepts"]),
        calls=tuple(raw["calls"]),
        note=raw["note"],
    )


def act_from(raw: Any) -> Act:
    """Inverse of `encode` for an act."""
    return Act(**{**raw, "id": RecordId(*raw["id"]), "because": because_from(raw["because"])})


def utterance_from(raw: Any) -> Utterance:
    """Inverse of `encode` for an utterance."""
    return Utterance(
        **{
            **raw,
            "id": RecordId(*raw["id"]),
            "to": tuple(raw["to"]),
            "passes_on": tuple(fact_from(f) for f in raw["passes_on"]),
            "rests_on": _ids(raw["rests_on"]),
            "gathering": gathering_from(raw["gathering"]),
        }
    )


def conversation_from(raw: Any) -> Conversation:
    """Inverse of `encode` for a conversation."""
    return Conversation(
        **{
            **raw,
            "participants": tuple(raw["participants"]),
            "everybody": tuple(raw["everybody"]),
            "utterances": tuple(utterance_from(u) for u in raw["utterances"]),
        }
    )


def signal_from(raw: Any) -> Signal:
    """Inverse of `encode` for a signal."""
    talk = raw["conversation"]
    return Signal(raw["kind"], raw["detail"], conversation_from(talk) if talk is not None else None)


def happening_from(raw: Any) -> Happening:
    """Inverse of `encode` for a happening."""
    return Happening(**{**raw, "tile": _tile(raw.get("tile"))})


def event_from(raw: Any) -> Event:
    """Inverse of `encode` for an event."""
    return Event(**{**raw, "arenas": tuple(raw["arenas"]), "tile": _tile(raw["tile"])})


def _talk_state(talk: Talk) -> Json:
    kept = ("id", "started", "place", "participants", "everybody", "utterances", "turn", "turn_at", "asked", "silent", "owed")
    return {name: encode(getattr(talk, name)) for name in kept}


def _talk_from(raw: Any) -> Talk:
    talk = Talk(raw["id"], raw["started"], raw["place"], list(raw["participants"]))
    talk.everybody = list(raw["everybody"])
    talk.utterances = [utterance_from(u) for u in raw["utterances"]]
    talk.turn, talk.turn_at, talk.asked = raw["turn"], raw["turn_at"], raw["asked"]
    talk.silent = list(raw["silent"])
    # Canonical JSON sorts keys; the order of leaving is kept by listing who left in order of participants.
    talk.owed = {name: list(raw["owed"][name]) for name in talk.participants if name in raw["owed"]}
    return talk


_ADDED = {"gone": False, "look": "", "visitor": False}
"""What bodies saved before there were visitors lack."""
_PLAIN = ("arena", "over", "version", "there", "moving", "turned", "wake", "end_owed")


def _body_state(body: Body) -> Json:
    state: dict[str, Json] = {name: encode(getattr(body, name)) for name in (*_PLAIN, *_ADDED)}
    state["index"] = body.index
    state["tile"] = list(body.tile)
    state["act"] = encode(body.act)
    state["goal"] = encode(body.goal)
    state["path"] = [list(tile) for tile in body.path[body.along :]]
    state["signals"] = encode(body.signals)
    state["view"] = list[Json](sorted(body.view))
    return state


def world_state(world: World) -> dict[str, Json]:
    """Everything in V_step and what is on its way into it. Equal states have equal futures.

    In an order that doesn't hang on who was resolved first: out of order that isn't the order of residents.
    """
    objects = world.objects
    return {
        "step": world.step,
        "bodies": {body.name: _body_state(body) for body in world.bodies},
        "objects": {
            address: [history.changed, history.last.state, encode(history.last.by)]
            for address, history in objects.states.items()
            if history.changed or history.last.by is not None or history.last.state != objects.things[address].idle
        },
        "claims": {address: [[list(user), state] for user, state in users.items()] for address, users in objects.claims.items()},
        "before": dict(objects.before),
        "pending": [[address, new.state, encode(new.by)] for address, new in sorted(objects.pending.items())],
        "events": [encode(event) for event in world.events.values()],
        "talks": [_talk_state(talk) for talk in sorted(world.talks.values(), key=lambda talk: (talk.started, talk.id))],
        "uttered": encode([spoken for _, spoken in sorted(world.uttered.items())]),
        "touched": [[world.bodies[index].name, arena] for index, arena in sorted(world.touched.items())],
        "arriving": [world.bodies[index].name for index in sorted(world.arriving)],
    }


def restore_world(world: World, raw: Any) -> None:
    """Inverse of `world_state`, into a freshly made world of the same town and residents. KeyError if they differ.

    Bodies that came later are made, in the order in which they came.
    """
    later = [(kept["index"], name, _tile(kept["tile"])) for name, kept in raw["bodies"].items() if name not in world.by_name]
    for _, name, tile in sorted(later):
        assert tile is not None
        world.add(name, tile)
    world.step = step = raw["step"]
    objects = world.objects
    for address, (changed, state, by) in raw["objects"].items():
        objects.states[address] = History(changed, ObjectState(state, _id(by)))
        objects.sort_in(address, changed)
    objects.stilled.clear()
    objects.claims = {address: {RecordId(*user): state for user, state in users} for address, users in raw["claims"].items()}
    objects.before = dict(raw["before"])
    objects.pending = {address: ObjectState(state, _id(by)) for address, state, by in raw["pending"]}
    world.events = {event.id: event for event in map(event_from, raw["events"])}
    world.talks = {talk.id: talk for talk in map(_talk_from, raw["talks"])}
    spoken = [
        Spoken(utterance_from(s["utterance"]), (s["tile"][0], s["tile"][1]), s["arena"], tuple(s["participants"]))
        for s in raw["uttered"]
    ]
    world.present = {}
    for body in world.bodies:
        kept = raw["bodies"][body.name]
        for name in _PLAIN:
            setattr(body, name, kept[name])
        for name, missing in _ADDED.items():
            setattr(body, name, kept.get(name, missing))
        body.tile = (kept["tile"][0], kept["tile"][1])
        body.act = act_from(kept["act"]) if kept["act"] is not None else None
        body.goal = _tile(kept["goal"])
        body.path = tuple((x, y) for x, y in kept["path"])
        body.along = 0
        body.signals = [signal_from(s) for s in kept["signals"]]
        body.view = frozenset(kept["view"])
        body.talk = None
        if not body.gone:
            world.present.setdefault(body.arena, {})[body.index] = body
    for talk in world.talks.values():
        for name in talk.participants:
            world.by_name[name].talk = talk
    for body in world.bodies:
        body.pose = body.outside()
        world.poses[body.index] = History(step, body.pose)
    world.signalled = {body.index: None for body in world.bodies if body.signals}
    world.touched = {world.by_name[name].index: arena for name, arena in raw["touched"]}
    world.arriving = {world.by_name[name].index: None for name in raw["arriving"]}
    world.uttered = {world.by_name[one.utterance.speaker].index: one for one in spoken}

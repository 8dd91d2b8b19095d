"""A visitor: a body in the town that a user moves. No mind: what it does is what the user puts in, row by row.

    VisitorMind    behind the mind contract, so that a visitor lives, is saved and is resumed like anybody
    Bid            one thing the user wants done: go somewhere, say something
    standing       an arena to be in for a body on any tile

What is said waits until it can be said (somebody is in earshot, it is one's turn), for `PATIENCE` at most; asked to speak, a
visitor keeps the turn for as long as the town lets anybody (`town.talks.TURN_STEPS`), then the talk goes on without. All that
the visitor perceives becomes a record of its stream: that is what the user is told.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from agents.mind import Deliberation, InterviewAnswer, Writes
from agents.perception import wording
from kernel import Clock, Json, RecordId, dumps
from language import Ask, Line, phrase
from language.typed import read_line
from memory import MindView, Record, Stream
from town import Arena, GameObject, TownMap
from town.acts import Because
from town.percepts import Percept, Tile
from town.protocols import Intention, Moment, Outcome, Proposal, ProposeAct, ProposeLeave, ProposeWords
from town.speech import Conversation, Fact
from town.tree import Sector

PATIENCE = 18
"""Steps that words wait to be said."""
WAYS: Mapping[str, Tile] = {"north": (0, -1), "east": (1, 0), "south": (0, 1), "west": (-1, 0)}


@dataclass(frozen=True, slots=True)
class Bid:
    """What the user wants. `do`: go (to `place`, `tile`, or one tile the `way`) or words (`text`, to `to` or whoever hears).

    `near`: a tile to go to before speaking.
    """

    do: str
    text: str = ""
    to: str | None = None
    place: str | None = None
    tile: Tile | None = None
    way: str = ""
    near: Tile | None = None
    by: int = 0

    def put(self) -> str:
        """As it travels in a signal."""
        return dumps({
            "do": self.do, "text": self.text, "to": self.to, "place": self.place, "tile": _pair(self.tile), "way": self.way,
            "near": _pair(self.near), "by": self.by,
        })  # fmt: skip

    @classmethod
    def read(cls, text: str) -> Bid:
        """Inverse of `put`."""
        raw: dict[str, Any] = json.loads(text)
        return cls(**{**raw, "tile": _tile(raw["tile"]), "near": _tile(raw["near"])})


def standing(town: TownMap, tile: Tile) -> str:
    """Address of the arena a tile lies in, of the nearest one for a tile between arenas (a doorway)."""
    arena = town.arena_of_tile.get(tile)
    if arena is None:
        x, y = tile
        nearest = min(town.arena_of_tile, key=lambda t: (abs(t[0] - x) + abs(t[1] - y), t))
        arena = town.arena_of_tile[nearest]
    return arena.address


class VisitorMind:
    """Moves one visitor's body. `people`: the residents' full names, to know whom words are about."""

    def __init__(self, name: str, town: TownMap, clock: Clock, stream: Stream, people: Sequence[str]) -> None:
        self.name = name
        self._town, self._clock, self._stream, self._people = town, clock, stream, tuple(people)
        self._state: dict[str, Json] = {}

    # -- the contract ------------------------------------------------------------------------------------------------

    def prepare(self, moment: Moment) -> Intention | Deliberation:
        """What was put in, as proposals; what is perceived, as records."""
        signals = [signal.kind for signal in moment.signals]
        waiting = self._waiting(moment)
        proposals: list[Proposal] = []
        for signal in moment.signals:
            if signal.kind == "bid":
                bid = Bid.read(signal.detail)
                if bid.do == "words":
                    waiting.append((bid, moment.step))
                else:
                    proposals = [self._go(moment, bid, proposals)]
        moving = bool(proposals)
        unsaid: list[Bid] = []
        spoken: Bid | None = None
        while waiting and not moving:
            bid, since = waiting[0]
            if bid.near is not None and moment.act is not None:
                proposals, waiting[0] = [self._to(moment, standing(self._town, bid.near), bid.near)], (_here(bid), moment.step)
                break
            if moment.conversation is None and moment.step - since >= PATIENCE and not self._under_way(moment):
                unsaid.append(bid)
                waiting.pop(0)
                continue
            words = self._words(moment, bid)
            if words is not None:
                proposals.append(words)
                spoken = bid if isinstance(words, ProposeWords) else None
            break
        if not proposals and moment.conversation is None and self._restless(moment, signals):
            proposals = [self._stand(moment)]
        elif moment.act is None and isinstance(proposals[0], ProposeWords):
            proposals.insert(0, self._stand(moment))  # words at the very moment of coming
        holds = "your_turn" in signals and spoken is None
        return Intention(
            tuple(proposals),
            wake=moment.step + 1 if waiting else None,
            writes=_Notes(tuple(waiting), spoken, tuple(unsaid), tuple(self._noticed(moment))),
            holds=holds,
        )

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> Writes:
        """Notes what was perceived, what was said and what couldn't be."""
        notes = intention.writes
        if not isinstance(notes, _Notes):
            return Writes()
        waiting = list(notes.waiting)
        records: list[Record] = []

        def note(text: str, tag: str, **more: Any) -> None:
            id = RecordId(self.name, moment.step, len(records))
            records.append(Record(id, "observation", text, moment.step, 1, tag=tag, **more))

        if outcome.utterance is not None and notes.spoken is not None:
            waiting = waiting[1:]
            for fact in outcome.utterance.passes_on:
                note(fact.text, "said", about=fact.about, fact=fact)
        for percept in notes.noticed:
            about = percept.subject if percept.kind in ("person", "words") else None
            tag = {"person": "seen", "object": "state", "event": "event", "words": "heard"}[percept.kind]
            note(wording(percept), tag, people=(about,) if about else (), about=about, address=percept.place)
        for bid in notes.unsaid:
            note(phrase("visitor.unsaid", perceiver=self.name, text=bid.text), "unsaid")
        state: dict[str, Json] = {"say": [[bid.put(), since] for bid, since in waiting] or None}
        if outcome.utterance is not None and outcome.utterance.act == "introduce":
            state["introduced"] = True
        changed = {key: value for key, value in state.items() if self._state.get(key) != value}
        for key, value in changed.items():
            if value is None:
                self._state.pop(key, None)
            else:
                self._state[key] = value
        self._stream.apply(records, ())
        return Writes(records=tuple(records), state=changed)

    def state(self) -> Mapping[str, Json]:
        """Words that wait to be said, and whether the name has been told."""
        return dict(self._state)

    def restore(self, state: Mapping[str, Json]) -> None:
        """Takes up a saved state."""
        self._state = dict(state)

    async def answer(self, question: str, view: MindView, ask: Ask, dialogue: tuple[Line, ...] = ()) -> InterviewAnswer:
        """Nobody lives in it who could be asked."""
        return InterviewAnswer(phrase("visitor.answer"), (), knows=False)

    # -- moving ------------------------------------------------------------------------------------------------------

    def _restless(self, moment: Moment, signals: Sequence[str]) -> bool:
        """Whether there is nothing it does: it has just come, its way was barred, or it has arrived."""
        if moment.act is None or any(kind in signals for kind in ("started", "act_ended", "blocked")):
            return True
        return "arrived" in signals and moment.act.text != phrase("visitor.standing")

    def _stand(self, moment: Moment) -> ProposeAct:
        act = moment.act
        thing = self._town.by_address.get(act.target) if act is not None else None
        if moment.there and act is not None and isinstance(thing, GameObject):
            return self._act(moment, phrase("visitor.standing"), act.target, None)
        return self._act(moment, phrase("visitor.standing"), standing(self._town, moment.tile), moment.tile)

    def _go(self, moment: Moment, bid: Bid, before: Sequence[Proposal]) -> ProposeAct:
        if bid.way:
            start = next((p.tile for p in before if isinstance(p, ProposeAct) and p.tile is not None), moment.tile)
            dx, dy = WAYS[bid.way]
            return self._to(moment, "", (start[0] + dx, start[1] + dy))
        if bid.tile is not None:
            return self._to(moment, "", bid.tile)
        node = self._town.by_address.get(bid.place or "")
        if isinstance(node, Sector):
            return self._to(moment, node.arenas[0].address, None)
        target = node.address if isinstance(node, Arena | GameObject) else standing(self._town, moment.tile)
        return self._to(moment, target, None)

    def _to(self, moment: Moment, target: str, tile: Tile | None) -> ProposeAct:
        if tile is not None and not target:
            target = standing(self._town, tile)
        return self._act(moment, phrase("visitor.walking"), target, tile)

    def _act(self, moment: Moment, text: str, target: str, tile: Tile | None) -> ProposeAct:
        return ProposeAct(
            text=text, icon="dot", target=target, until=moment.step + self._clock.steps(days=1), tile=tile,
            because=Because(note=phrase("reason.visitor")),
        )  # fmt: skip

    def _under_way(self, moment: Moment) -> bool:
        return moment.act is not None and not moment.there and moment.conversation is None

    # -- speaking ----------------------------------------------------------------------------------------------------

    def _waiting(self, moment: Moment) -> list[tuple[Bid, int]]:
        kept = self._state.get("say")
        pairs: list[Any] = kept if isinstance(kept, list) else []
        return [(Bid.read(put), since) for put, since in pairs]

    def _words(self, moment: Moment, bid: Bid) -> ProposeWords | ProposeLeave | None:
        """The words as a proposal: one's turn in a talk, a talk opened or joined; None: not now."""
        talk = moment.conversation
        if talk is not None:
            others = tuple(name for name in talk.participants if name != self.name)
            if bid.to is not None and bid.to not in others:
                return ProposeLeave(talk.id)
            if talk.turn != self.name:
                return None
            last = talk.utterances[-1].speaker if talk.utterances else ""
            to = bid.to or (last if last in others else next(iter(others), ""))
            return self._said(moment, bid, (to, *(name for name in others if name != to)), talk.id, talk)
        people = [p for p in moment.percepts if p.kind == "person" and (bid.to is None or p.subject == bid.to)]
        free = next((p for p in people if not p.busy and not p.idle), None) or next((p for p in people if not p.busy), None)
        if free is not None:
            return self._said(moment, bid, (free.subject,), None, None)
        for percept in moment.percepts:
            heard = percept.utterance
            if heard is not None and (bid.to is None or bid.to in (heard.speaker, *heard.to)):
                to = bid.to or heard.speaker
                others = tuple(name for name in (heard.speaker, *heard.to) if name not in (self.name, to))
                return self._said(moment, bid, (to, *others), heard.conversation, None)
        return None

    def _said(
        self, moment: Moment, bid: Bid, to: tuple[str, ...], conversation: str | None, talk: Conversation | None
    ) -> ProposeWords:
        last = talk.utterances[-1] if talk is not None and talk.utterances else None
        answers = last if last is not None and last.speaker != self.name and self.name in last.to else None
        called = self.name if self._state.get("introduced") else phrase("visitor.somebody")
        typed = read_line(bid.text, self.name, self._people, asked=answers.act if answers else "", called=called)
        if typed.named:
            typed = read_line(bid.text, self.name, self._people, asked=answers.act if answers else "", called=self.name)
        facts = tuple(
            Fact(str(RecordId(self.name, moment.step, n)), stated.text, stated.about) for n, stated in enumerate(typed.statements)
        )
        return ProposeWords(
            to=to, text=bid.text, act=typed.act, conversation=conversation, passes_on=facts,
            gathering=answers.gathering if answers is not None and typed.act in ("accept", "decline") else None,
            ends=typed.ends, because=Because(note=phrase("reason.visitor")),
        )  # fmt: skip

    # -- perceiving --------------------------------------------------------------------------------------------------

    def _noticed(self, moment: Moment) -> list[Percept]:
        """What is new in view or was heard; people who sleep and things at rest are part of the scenery."""
        return [
            p for p in moment.percepts
            if p.version in moment.fresh and p.subject != self.name and not (p.idle and p.kind == "object")
        ]  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Notes:
    """Writes of a visitor's intention: words still waiting (the one spoken first), those given up, what was noticed."""

    waiting: tuple[tuple[Bid, int], ...]
    spoken: Bid | None
    unsaid: tuple[Bid, ...]
    noticed: tuple[Percept, ...]


def _here(bid: Bid) -> Bid:
    return Bid("words", text=bid.text, to=bid.to, by=bid.by)


def _pair(tile: Tile | None) -> list[Json] | None:
    return None if tile is None else [*tile]


def _tile(raw: Any) -> Tile | None:
    return None if raw is None else (raw[0], raw[1])

"""Resolving: what becomes of the proposals of a step, in resident order.

    Resolver     acts, words and leaving; ends of acts and of conversations, whoever causes them

A refusal is an answer, not an error: words by `Outcome.refused` and a signal, acts that can't be done by a signal
`blocked`. Only proposals no body could ever carry out (an address that isn't there, an act that ends before it begins)
raise `ImpossibleAct`.
"""

from __future__ import annotations

from dataclasses import dataclass

from kernel import Dice, ImpossibleAct, RecordId
from town.acts import Act
from town.bodies import Body
from town.perceive import distance
from town.percepts import Signal, Tile
from town.protocols import Journal, Outcome, Proposal, ProposeAct, ProposeLeave, ProposeWords
from town.speech import Utterance
from town.talks import Talk, pause
from town.tree import Arena, GameObject
from town.world import Spoken, World


@dataclass(frozen=True, slots=True)
class Rules:
    """The numbers of the town. `radius` in tiles, half the width of the square of view; `max_rounds` of a conversation."""

    radius: int = 4
    max_rounds: int = 8
    words_per_second: float = 2.5
    seed: int = 0


class Resolver:
    """Turns proposals of the present step into changes of the world, each told to the journal."""

    def __init__(self, world: World, journal: Journal, rules: Rules) -> None:
        self.world = world
        self.journal = journal
        self.rules = rules

    def resolve(self, body: Body, proposals: tuple[Proposal, ...]) -> Outcome:
        """Take up a resident's proposals in the order given. Raises ImpossibleAct (those before it stand)."""
        act: Act | None = None
        utterance: Utterance | None = None
        refused: str | None = None
        seen: set[type] = set()
        for proposal in proposals:
            if type(proposal) in seen:
                raise ImpossibleAct("two proposals of one kind at once", place=body.name)
            seen.add(type(proposal))
            if isinstance(proposal, ProposeAct):
                act = self.act(body, proposal)
            elif isinstance(proposal, ProposeWords):
                answer = self.words(body, proposal)
                if isinstance(answer, Utterance):
                    utterance = answer
                else:
                    refused = answer
                    self.world.post(body, Signal("refused", answer))
            elif isinstance(proposal, ProposeLeave):
                self.leave(body, proposal)
            else:
                raise ImpossibleAct(f"'{type(proposal).__name__}' is no proposal", place=body.name)
        return Outcome(act=act, utterance=utterance, refused=refused)

    # Acts

    def act(self, body: Body, proposal: ProposeAct) -> Act:
        """Begin an act: the present one and any conversation end, and the body sets out."""
        world, step = self.world, self.world.step
        place = world.town.by_address.get(proposal.target)
        if not isinstance(place, Arena | GameObject):
            raise ImpossibleAct("no arena or object has this address", place=f"{body.name} to {proposal.target!r}")
        if proposal.until <= step:
            raise ImpossibleAct(f"an act can't be over at step {proposal.until}, it is {step}", place=body.name)
        if body.talk is not None:
            self.drop_out(body, body.talk)
            body.end_owed = False
        stays = body.there and body.act is not None and body.act.target == proposal.target
        self.end_act(body, "replaced")
        body.stop()
        body.there = False
        act = Act(
            id=RecordId(body.name, step, 0),
            text=proposal.text,
            icon=proposal.icon,
            target=proposal.target,
            start=step,
            until=proposal.until,
            state=proposal.state,
            leaves=proposal.leaves,
            asleep=proposal.asleep,
            private=proposal.private,
            because=proposal.because,
        )
        body.act, body.over, body.version = act, False, str(act.id)
        self.journal.acted(act)
        sector = world.places.sector_of.get(world.places.arena_at(body.tile))
        if sector is world.town.sector(act.target) and not world.places.admits(sector, body.name, step):
            self.block(body, "closed")
        elif proposal.tile is not None:
            grid = world.places.grid
            self._set_out(body, proposal.tile if grid.distance(proposal.tile, body.tile) is not None else None)
        elif isinstance(place, Arena):
            self._set_out(body, body.tile if stays else self.standing_place(body, place))
        else:
            self._set_out(body, self.spot(body, place))
        world.touch(body)
        return act

    def _set_out(self, body: Body, goal: Tile | None) -> None:
        if goal is None:
            self.block(body, "unreachable")
        elif goal != body.tile:
            self.head_for(body, goal)
        elif self.world.taken(goal, body):
            self.block(body, "full")
        else:
            body.goal = goal
            self.world.arriving[body.index] = None

    def head_for(self, body: Body, goal: Tile) -> None:
        """Walk to another tile, one tile per step from now on, along a whole shortest path."""
        body.path = self.world.places.grid.path(body.tile, goal)
        body.along = 0
        body.goal = goal
        body.turned = True

    def spot(self, body: Body, thing: GameObject) -> Tile | None:
        """Where to go to use an object: the nearest spot that isn't seen to be taken, ties by tile order; None: no way.

        Whether what was out of view is free shows on arrival.
        """
        ways = self._by_distance(body, thing.spots)
        free = (tile for tile in ways if not (self.sees(body.tile, tile) and self.world.taken(tile, body)))
        return next(free, ways[0] if ways else None)

    def free_spot(self, body: Body, thing: GameObject, near: Tile) -> Tile | None:
        """The nearest spot of an object in view of `near` on which nobody rests; None if there is none or the object is full."""
        if self.users(body, thing, near) >= thing.capacity:
            return None
        ways = (tile for tile in self._by_distance(body, thing.spots) if self.sees(near, tile))
        return next((tile for tile in ways if not self.world.taken(tile, body)), None)

    def users(self, body: Body, thing: GameObject, near: Tile) -> int:
        """How many others in view of `near` are using an object."""
        using = self.world.users(thing.address, body)
        return sum(self.sees(near, other.tile) for other in using)

    def sees(self, tile: Tile, other: Tile) -> bool:
        """Whether `other` is in view from `tile`."""
        return self.world.places.grid.sees(tile, other, self.rules.radius)

    def _by_distance(self, body: Body, tiles: tuple[Tile, ...]) -> list[Tile]:
        # Ways are as long there as back, and asked this way round one distance field serves all tiles.
        grid = self.world.places.grid
        far = [(grid.distance(tile, body.tile), tile) for tile in tiles]
        return [tile for _, tile in sorted((d, tile) for d, tile in far if d is not None)]

    def standing_place(self, body: Body, arena: Arena) -> Tile | None:
        """Where to go to be in an arena: one of few tiles spread over it, not beside anybody who is in view; None: no way."""
        grid = self.world.places.grid
        few, every = self.world.places.standing(arena)
        known = [other.tile for other in self._resting(body, arena) if self.sees(body.tile, other.tile)]
        drawn = Dice(self.rules.seed, body.name, self.world.step, "standing place").shuffled(few)
        ways = [tile for tile in drawn if grid.distance(tile, body.tile) is not None]
        ways = ways or [tile for tile in every if grid.distance(tile, body.tile) is not None]
        apart = (tile for tile in ways if all(distance(tile, other) > 1 for other in known))
        return next(apart, ways[0] if ways else None)

    def place_beside(self, body: Body, arena: Arena, near: Tile) -> Tile | None:
        """A free tile of an arena in view of `near`, not beside anybody if that can be had; None: all are taken."""
        free = self.world.places.free(arena)
        resting = [other.tile for other in self._resting(body, arena)]
        seen = self.world.places.grid.visible(near, self.rules.radius)
        tiles = sorted((distance(tile, near), tile) for tile in seen if tile in free)
        for room in (1, 0):
            for _, tile in tiles:
                if all(distance(tile, other) > room for other in resting):
                    return tile
        return None

    def _resting(self, body: Body, arena: Arena) -> list[Body]:
        there = self.world.present.get(arena.address, {}).values()
        return [other for other in there if other is not body and other.rests]

    def end_act(self, body: Body, why: str) -> None:
        """The present act is over, if it wasn't; its object goes back to what it was, or is left as the act leaves it."""
        if body.act is None or body.over:
            return
        body.over = True
        self.journal.act_over(body.name, body.act.id, self.world.step, why)
        self.world.objects.release(body.act)
        self.world.touch(body)

    def block(self, body: Body, detail: str) -> None:
        """The way into the act's place is barred: the body stops where it is and the act is over."""
        body.stop()
        self.end_act(body, f"blocked: {detail}")
        self.world.post(body, Signal("blocked", detail))

    # Conversations

    def words(self, body: Body, proposal: ProposeWords) -> Utterance | str:
        """Say something. Returns the utterance, or why it isn't said: "asleep", "busy", "gone", "turn"."""
        world, step = self.world, self.world.step
        if body.asleep:
            return "asleep"
        talk = body.talk
        joins = False
        if proposal.conversation is None:
            if talk is not None:
                return "busy"
            hearers, reason = self._fit(body, proposal.to)
            if not hearers:
                return reason
            talk = Talk(str(RecordId(body.name, step, 0)), step, body.arena, [body.name, *hearers])
            world.talks[talk.id] = talk
            for name in talk.participants:
                self._engage(world.by_name[name], talk)
            joins = True
        elif talk is not None and talk.id == proposal.conversation:
            if talk.turn != body.name or talk.turn_at > step:
                return "turn"
        else:
            found = world.talks.get(proposal.conversation)
            if talk is not None:
                return "busy"
            if found is None or not self._near(body, found):
                return "gone"
            if found.utterances[-1].id.step == step:
                return "turn"  # somebody else has just come in with the first word
            talk = found
            talk.join(body.name)
            self._engage(body, talk)
            joins = True
        to = tuple(dict.fromkeys(name for name in proposal.to if name in talk.participants and name != body.name))
        utterance = Utterance(
            id=RecordId(body.name, step, 0),
            conversation=talk.id,
            speaker=body.name,
            to=to or tuple(name for name in talk.participants if name != body.name),
            text=proposal.text,
            act=proposal.act,
            passes_on=proposal.passes_on,
            rests_on=proposal.rests_on,
            gathering=proposal.gathering,
            ends=proposal.ends,
            citation=proposal.citation,
            call=proposal.call,
        )
        world.uttered[body.index] = Spoken(utterance, body.tile, body.arena, tuple(talk.participants))
        steps = pause(proposal.text, self.rules.words_per_second, world.places.clock.step_seconds)
        released = talk.said(utterance, step, steps, self.rules.max_rounds)
        if joins:
            self.journal.conversation(talk.snapshot(), step)
        self.journal.uttered(utterance, proposal.because)
        self._release(talk, released)
        return utterance

    def _fit(self, body: Body, names: tuple[str, ...]) -> tuple[list[str], str]:
        """Those of `names` who can be spoken to now, and why the first of the others can't."""
        fit: list[str] = []
        reason = ""
        for name in dict.fromkeys(names):
            other = self.world.by_name.get(name)
            if other is body:
                continue
            if other is None or other.arena != body.arena or distance(other.tile, body.tile) > self.rules.radius:
                reason = reason or "gone"
            elif other.asleep:
                reason = reason or "asleep"
            elif other.private or other.talk is not None:
                reason = reason or "busy"
            else:
                fit.append(name)
        return fit, reason or "gone"

    def _near(self, body: Body, talk: Talk) -> bool:
        """Whether a body is in earshot of somebody in a conversation."""
        return any(
            other.arena == body.arena and distance(other.tile, body.tile) <= self.rules.radius
            for other in (self.world.by_name[name] for name in talk.participants)
        )

    def _engage(self, body: Body, talk: Talk) -> None:
        body.talk = talk
        self.world.touch(body)

    def leave(self, body: Body, proposal: ProposeLeave) -> None:
        """Leave a conversation, or let one's turn pass. Nothing happens to one who isn't in it."""
        talk = body.talk
        if talk is None or talk.id != proposal.conversation:
            return
        if not proposal.stay:
            self.drop_out(body, talk)
        elif talk.turn == body.name:
            self.pass_turn(body.name, talk)

    def pass_turn(self, name: str, talk: Talk) -> None:
        """The turn of `name` goes to the next."""
        self._release(talk, talk.passed(name, self.world.step))

    def drop_out(self, body: Body, talk: Talk) -> None:
        """`body` is out of a conversation at once."""
        self._release(talk, [body.name, *talk.left(body.name, self.world.step)])

    def _release(self, talk: Talk, names: list[str]) -> None:
        """Let go those for whom the conversation is over; tell them and the journal."""
        if not names:
            return
        snapshot = talk.snapshot()
        self.journal.conversation(snapshot, self.world.step)
        for name in names:
            body = self.world.by_name[name]
            body.talk = None
            self.world.touch(body)
            self.world.post(body, Signal("conversation_ended", conversation=snapshot))
            if body.end_owed:
                body.end_owed = False
                self.world.post(body, Signal("act_ended"))
        if talk.ended is not None:
            del self.world.talks[talk.id]

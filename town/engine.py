"""The engine: read, think, propose, resolve, commit, step after step, in lock-step.

    Engine       runs a town's residents against a world; the only writer of the world

At step k: what is due happens and V_k is complete; residents with a reason think about V_k; their proposals are resolved in
resident order; walkers go one tile; the step is committed and the next step is the first at which anything can happen.
`docs/engine.md` has the rules as a table.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence

from kernel import BudgetReached, Clock, EndpointUnreachable, ImpossibleAct, Json, ReplyMissing, UsageError
from town.bodies import Body
from town.front import Front, bodies
from town.grid import Grid
from town.happenings import Happening
from town.perceive import concerned, distance, hears, in_view, percepts
from town.percepts import Signal, Tile
from town.places import Places
from town.protocols import Intention, Journal, Moment, Outcome, Resident
from town.resolve import Resolver, Rules
from town.saving import encode, happening_from, restore_world, world_state
from town.timing import Timing
from town.tree import TownMap
from town.walking import walk
from town.world import World

STOPS = (BudgetReached, EndpointUnreachable, ReplyMissing)
"""Errors of a mind that stop the run instead of being counted: going on would ruin it."""

IDLE_MINUTES = 10
"""How long a resident idles that proposes nothing, or whose mind has failed."""

IMPORTANCE = (
    "started", "told", "voice", "bid", "conversation_ended", "your_turn", "refused", "blocked", "closing", "act_ended", "arrived",
    "due",
)  # fmt: skip
_RANK = {kind: rank for rank, kind in enumerate(IMPORTANCE)}


class Engine:
    """Runs residents in a town. One per run; after an exception out of `run` it is spent: restore a fresh one.

    placed      the tile each resident's body starts on
    staff       sector address -> residents who work there (opening hours don't concern them)
    happenings  what will happen; `restore` replaces them by what was still to come
    welcome     called with (name, step) when a body has come into town, before it is asked anything
    checked     test mode: every `prepare` that answers at once is called twice and must agree, and nobody who isn't
                asked may have anything new in view
    """

    lead: int | None = None  # of those who may run ahead, see `ahead`; nobody does here

    def __init__(
        self,
        town: TownMap,
        grid: Grid,
        clock: Clock,
        residents: Sequence[Resident],
        journal: Journal,
        *,
        placed: Mapping[str, Tile],
        staff: Mapping[str, frozenset[str]],
        vision_radius: int = 4,
        max_rounds: int = 8,
        words_per_second: float = 2.5,
        happenings: Sequence[Happening] = (),
        seed: int = 0,
        checked: bool = False,
        welcome: Callable[[str, int], None] | None = None,
    ) -> None:
        self.town = town
        self.grid = grid
        self.clock = clock
        self._minds = {resident.name: resident for resident in residents}
        self.journal = journal
        self.rules = Rules(vision_radius, max_rounds, words_per_second, seed)
        places = Places(town, grid, clock, staff)
        self.world = World(town, places, {resident.name: placed[resident.name] for resident in residents})
        self.resolver = Resolver(self.world, journal, self.rules)
        self.timing = Timing(self.world, self.resolver, journal, welcome)
        for happening in happenings:
            self.inject(happening)
        self.checked = checked
        self._rest: dict[int, Intention | Exception] = {}  # by identity of the intention: what its `later` gave
        self._idle = clock.steps(minutes=IDLE_MINUTES)
        self._fresh = True
        self._alarm: int | None = None  # the next timed thing; None: to be looked up
        self._committed = -1
        self.steps_processed = 0

    @property
    def step(self) -> int:
        """V_step is current: all steps before it are committed."""
        return self.world.step

    # What comes from outside

    def inject(self, happening: Happening) -> None:
        """Let something happen at step `happening.at`. Raises UsageError when that is past or the place isn't there."""
        if happening.at < self.step:
            raise UsageError(f"step {happening.at} is over, the town is at {self.step}", hint="choose a later step")
        self.timing.add(happening)
        self._alarm = None

    def set_object(self, address: str, state: str, *, at: int) -> None:
        """From step `at` on the object is in this state. Raises UsageError as `inject` does."""
        self.inject(Happening(at, "object", state, place=address))

    def voice(self, resident: str, text: str, *, at: int) -> None:
        """At step `at` the inner voice of a resident says `text`. Raises UsageError as `inject` does."""
        self.inject(Happening(at, "voice", text, resident=resident))

    def present(self, name: str) -> bool:
        """Whether somebody's body is in town."""
        body = self.world.by_name.get(name)
        return body is not None and not body.gone

    def within_earshot(self, one: str, other: str) -> bool:
        """Whether two could talk where they stand. KeyError."""
        a, b = self.world.by_name[one], self.world.by_name[other]
        return a.arena == b.arena and distance(a.tile, b.tile) <= self.rules.radius

    def beside(self, name: str) -> Tile | None:
        """A free tile near somebody, in the same room; None: there is none, or they aren't in town."""
        body = self.world.by_name.get(name)
        if body is None or body.gone:
            return None
        x, y = body.tile
        near = [(x + dx, y + dy) for dx in range(-2, 3) for dy in range(-2, 3) if (dx, dy) != (0, 0)]
        free = [
            tile for tile in near
            if self.grid.walkable(tile) and self.world.places.arena_at(tile) == body.arena and not self.world.taken(tile, body)
        ]  # fmt: skip
        return min(free, key=lambda tile: (distance(tile, body.tile), tile), default=None)

    def expect(self, resident: Resident) -> None:
        """Makes known who lives in a body that is going to come (or that a restored state holds)."""
        self._minds[resident.name] = resident

    # Running

    def begin(self) -> None:
        """What is told once, before the first step."""
        if self._fresh:
            self._fresh = False
            for body in self.world.bodies:
                self.journal.moved(body.name, self.world.step, (body.tile,))
                self.world.touch(body)
                self.world.post(body, Signal("started"))

    async def run(
        self,
        until: int,
        *,
        stop: Callable[[], bool] | None = None,
        on_step: Callable[[int], Awaitable[None] | None] | None = None,
    ) -> None:
        """Advance until V_until is current, or until `stop()` is true between two steps.

        `on_step(k)` is called after each step that was processed (quiet ones aren't) and awaited if it answers with an
        awaitable. Errors of a mind are reported to the journal, except those in `STOPS`, which are raised.
        """
        world = self.world
        self.begin()
        while world.step < until:
            if stop is not None and stop():
                return
            step = self._next()
            if step >= until:
                world.step = until
                if self._committed < until - 1:
                    self._committed = until - 1
                    self.journal.committed(until - 1)
                return
            world.step = step
            await self._process(step)
            if on_step is not None:
                waiting = on_step(step)
                if waiting is not None:
                    await waiting

    def _next(self) -> int:
        """The first step from now on at which anything can happen."""
        world = self.world
        if (
            world.touched or world.signalled or world.uttered or world.arriving or world.objects.pending
            or any(body.under_way for body in world.bodies)
        ):  # fmt: skip
            return world.step
        if self._alarm is None:
            self._alarm = self.timing.next(world.step)
        return max(world.step, self._alarm)

    async def _process(self, step: int) -> None:
        self.steps_processed += 1
        world = self.world
        if self._alarm is None:
            self._alarm = self.timing.next(step)
        if step >= self._alarm:
            self.timing.due(step)
            self._alarm = None
        asked, moments = self.read(step)
        if asked:
            self._commit(asked, moments, await self.think(asked, moments))
            self._alarm = None
        self.go(step)
        world.step = step + 1  # before the journal is told: it may ask for the state
        self.tell(step)

    def rouse(self) -> None:
        """When the next timed thing is has to be looked up again."""
        self._alarm = None

    def tell(self, step: int) -> None:
        """All of a step is done."""
        self._committed = step
        self.journal.committed(step)

    # The phases of a step, for a front

    def next_for(self, front: Front, step: int) -> int:
        """The first step from `step` on at which a front has something to do; others may come near before."""
        world, members = self.world, list(bodies(self.world, front))
        kept = (world.touched, world.signalled, world.uttered, world.arriving)
        if any(body.under_way or any(body.index in one for one in kept) for body in members):
            return step
        if world.objects.pending:
            names = {body.name for body in members}
            if any(new.by is None or new.by.resident in names for new in world.objects.pending.values()):
                return step
        return self.timing.next(step, front)

    def read(self, step: int, front: Front = None) -> tuple[list[Body], list[Moment]]:
        """Makes V_step complete; those who have a reason to think, and what each may know."""
        self.timing.settle(step, front)
        asked = self._asked(front)
        return asked, [self._moment(body) for body in asked]

    def resolve(
        self, step: int, asked: list[Body], moments: list[Moment], intentions: list[Intention | Exception], front: Front
    ) -> list[Outcome]:
        """Takes up what was thought and lets bodies go on; what became of each proposal."""
        self.world.step = step
        outcomes = self._commit(asked, moments, intentions) if asked else []
        self.go(step, front)
        return outcomes

    def go(self, step: int, front: Front = None) -> None:
        """Everybody under way goes one tile; what is seen of them is part of the next V."""
        walk(self.world, self.resolver, self.journal, front)
        if self.world.unpublished:
            self.world.publish(step + 1, front)

    def _asked(self, front: Front) -> list[Body]:
        """Who has a reason to think: signals, or something new in view. Keeps everybody's view up to date otherwise."""
        world, radius = self.world, self.rules.radius
        asked = dict.fromkeys(index for index in world.signalled if front is None or index in front)
        for index, body in concerned(world, radius, front).items():
            view, news = in_view(world, body, radius)
            if index in asked or news <= body.view:
                if index not in asked:
                    body.view = view
            else:
                asked[index] = None
        for spoken in world.air:
            for index, body in world.present.get(spoken.arena, {}).items():
                if hears(body, spoken, radius):
                    asked[index] = None
            for name in spoken.participants:  # wherever they are
                body = world.by_name[name]
                if hears(body, spoken, radius):
                    asked[body.index] = None
        if self.checked:
            self._check_views(asked, front)
        return [world.bodies[index] for index in sorted(asked)]

    def _check_views(self, asked: Mapping[int, None], front: Front) -> None:
        for body in bodies(self.world, front):
            if body.gone:
                continue
            view, _ = in_view(self.world, body, self.rules.radius)
            if body.index not in asked and view != body.view:
                raise AssertionError(f"{body.name} wasn't asked at step {self.step} but sees {sorted(view ^ body.view)}")

    def _moment(self, body: Body) -> Moment:
        """What this resident may know of V_k. The signals are used up by that."""
        world = self.world
        seen = percepts(world, body, self.rules.radius)
        versions = frozenset(p.version for p in seen)
        fresh = versions - body.view
        # As `in_view` would find it: words and objects that have just come to rest are gone at the next step.
        body.view = frozenset(p.version for p in seen if p.kind != "words" and not (p.idle and p.kind == "object"))
        signals = tuple(sorted(body.signals, key=lambda signal: _RANK[signal.kind]))
        body.signals = []
        world.signalled.pop(body.index, None)
        talk = body.talk
        return Moment(
            step=world.step,
            clock=self.clock,
            tile=body.tile,
            place=body.arena,
            act=body.act,
            there=body.there,
            percepts=seen,
            fresh=fresh,
            signals=signals,
            conversation=talk.snapshot() if talk is not None else None,
        )

    async def think(self, asked: list[Body], moments: list[Moment]) -> list[Intention | Exception]:
        """Everybody's intention, thought out concurrently where thinking waits; an exception where a mind failed."""
        thoughts = self.prepare(asked, moments)
        if any(isinstance(thought, Awaitable) for thought in thoughts):
            return await self.await_all(thoughts)
        return self.checked_thoughts(thoughts)

    def prepare(self, asked: list[Body], moments: list[Moment]) -> list[object]:
        """What each mind answers at once: an intention, an awaitable of one, or the exception it raised."""
        thoughts: list[object] = []
        stops = (*STOPS, AssertionError) if self.checked else STOPS
        for body, moment in zip(asked, moments, strict=True):
            mind = self._minds[body.name]
            thought: object
            try:
                thought = mind.prepare(moment)
                if self.checked and not isinstance(thought, Awaitable) and mind.prepare(moment) != thought:
                    raise AssertionError(f"{body.name} prepares step {moment.step} differently when asked twice")
            except stops:
                raise
            except Exception as error:  # noqa: BLE001  (a mind may raise anything; the town goes on)
                thought = error
            thoughts.append(thought)
        return thoughts

    async def await_all(self, thoughts: list[object]) -> list[Intention | Exception]:
        """Waits for those thoughts that take time, side by side."""
        waiting = {place: thought for place, thought in enumerate(thoughts) if isinstance(thought, Awaitable)}
        if len(waiting) == 1:  # no task needed, and most thoughts don't wait at all
            for place, awaitable in waiting.items():
                thoughts[place] = await self.thought_of(awaitable)
        elif waiting:
            tasks = [asyncio.ensure_future(self.thought_of(awaitable)) for awaitable in waiting.values()]
            try:
                outcomes = await asyncio.gather(*tasks)
            except BaseException:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)  # none is left behind that nobody knows of
                raise
            for place, outcome in zip(waiting, outcomes, strict=True):
                thoughts[place] = outcome
        return self.checked_thoughts(thoughts)

    async def thought_of(self, thought: Awaitable[Intention]) -> Intention | Exception:
        """What a thought comes to, with what is left to think of it; an exception becomes its result."""
        intention = await attempt(thought)
        if isinstance(intention, Intention) and intention.later is not None:
            self._rest[id(intention)] = await attempt(rest_of(intention))
        return intention

    @staticmethod
    def checked_thoughts(thoughts: list[object]) -> list[Intention | Exception]:
        """Thoughts as intentions; what is none is the mind's failure."""
        return [
            t if isinstance(t, Intention | Exception) else TypeError(f"a mind answered with {type(t).__name__}, not an Intention")
            for t in thoughts
        ]

    def _commit(self, asked: list[Body], moments: list[Moment], intentions: list[Intention | Exception]) -> list[Outcome]:
        """Resolve all proposals in resident order, then let all minds apply their own writes in resident order."""
        step = self.step
        outcomes: list[Outcome] = []
        for body, moment, intention in zip(asked, moments, intentions, strict=True):
            outcome = Outcome()
            if isinstance(intention, Exception):
                self.journal.failed(body.name, step, intention)
                body.wake = step + self._idle
            else:
                try:
                    outcome = self.resolver.resolve(body, intention.proposals)
                except ImpossibleAct as error:
                    self.journal.failed(body.name, step, error)
                    outcome = Outcome(refused="impossible")
                self._set_wake(body, intention, step)
            outcomes.append(outcome)
            for signal in moment.signals:
                talk = body.talk
                holds = isinstance(intention, Intention) and intention.holds
                if (
                    signal.kind == "your_turn"
                    and talk is not None
                    and talk.turn == body.name
                    and talk.turn_at <= step
                    and not holds
                ):
                    self.resolver.pass_turn(body.name, talk)
        for body, moment, intention, outcome in zip(asked, moments, intentions, outcomes, strict=True):
            if not isinstance(intention, Exception):
                self._apply(body, moment, intention, outcome)
                rest = self._rest.pop(id(intention), None)
                if rest is not None:
                    self.finish(body, moment, rest, outcome)
        return outcomes

    def finish(self, body: Body, moment: Moment, rest: Intention | Exception, outcome: Outcome) -> None:
        """What was left to think of a moment has been thought; it can change nothing but the mind."""
        if isinstance(rest, Exception):
            self.journal.failed(body.name, moment.step, rest)
            rest = Intention()
        self._apply(body, moment, rest, outcome)

    def _apply(self, body: Body, moment: Moment, intention: Intention, outcome: Outcome) -> None:
        try:
            self._minds[body.name].commit(moment, intention, outcome)
        except STOPS:
            raise
        except Exception as error:  # noqa: BLE001  (as in `prepare`)
            self.journal.failed(body.name, moment.step, error)

    def _set_wake(self, body: Body, intention: Intention, step: int) -> None:
        if intention.wake is not None:
            body.wake = max(intention.wake, step + 1)
        else:
            body.wake = step + self._idle if body.over and body.talk is None else None

    # Saving

    def state(self) -> dict[str, Json]:
        """All that the engine knows in V_step, as JSON; between steps only."""
        state = world_state(self.world)
        state["happenings"] = [encode(happening) for happening in self.timing.to_come]
        state["events_made"] = self.timing.events_made
        state["fresh"] = self._fresh
        state["under_way"] = any(body.under_way for body in self.world.bodies)
        return state

    def restore(self, state: Mapping[str, Json]) -> None:
        """Inverse of `state`, into a freshly made engine of the same town and residents."""
        restore_world(self.world, state)
        happenings = state["happenings"]
        assert isinstance(happenings, list)
        self.timing.to_come = [happening_from(raw) for raw in happenings]
        self.timing.events_made = int(str(state["events_made"]))
        self._fresh = bool(state["fresh"])
        self._committed = self.world.step - 1
        self._alarm = None


async def rest_of(intention: Intention) -> Intention:
    """What is left to think; in an awaitable, so that a mind that fails at beginning it fails as one that fails later."""
    assert intention.later is not None
    return await intention.later()


async def attempt(thought: Awaitable[Intention]) -> Intention | Exception:
    """Awaits a thought; an exception becomes its result."""
    try:
        return await thought
    except STOPS:
        raise
    except Exception as error:  # noqa: BLE001  (as in `prepare`)
        return error

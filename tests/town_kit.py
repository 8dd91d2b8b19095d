"""A tiny town, a journal that keeps everything, and residents driven by functions: for the tests of the engine.

The town, one letter per tile (h home, c cafe, b bath, D door, . street, # wall):

        0         1
        012345678901234567
     0  ##################
     1  #hhhh#cccccc#bb###
     2  #hhhh#cccccc#bb###
     3  #hhhh#cccccc#bb###
     4  ##D####D#####D####
     5  ..................
     6  ..................
     7  ..................
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from kernel import Clock, Dice, RecordId
from town import (
    Act,
    Arena,
    Because,
    Conversation,
    Engine,
    GameObject,
    Grid,
    Happening,
    Intention,
    Moment,
    Outcome,
    ProposeAct,
    ProposeLeave,
    ProposeWords,
    Sector,
    Tile,
    TownMap,
    Utterance,
)

HOME, CAFE, BATH, STREET = "Town : home : room", "Town : cafe : hall", "Town : bath : bath", "Town : streets : outdoors"
BED, STOVE, TABLE, SOFA = f"{HOME} : bed", f"{CAFE} : stove", f"{CAFE} : table", f"{HOME} : sofa"
DAY = datetime(2023, 2, 13)


def _rect(x0: int, y0: int, x1: int, y1: int) -> frozenset[Tile]:
    return frozenset((x, y) for x in range(x0, x1 + 1) for y in range(y0, y1 + 1))


def tiny_town() -> TownMap:
    bed = GameObject(BED, "bed", ((1, 1),), ((1, 1),), 1, ("sleep",), "made")
    sofa = GameObject(SOFA, "sofa", ((4, 1), (4, 2)), ((4, 1), (4, 2)), 2, ("sit",), "free")
    stove = GameObject(STOVE, "stove", ((6, 1),), ((6, 2), (7, 1)), 2, ("cook",), "off")
    table = GameObject(TABLE, "table", ((10, 2),), ((10, 1), (10, 3)), 2, ("eat",), "clear")
    home = Arena(HOME, _rect(1, 1, 4, 3), (bed, sofa))
    cafe = Arena(CAFE, _rect(6, 1, 11, 3), (stove, table))
    bath = Arena(BATH, _rect(13, 1, 14, 3), (), capacity=1)
    doors = frozenset({(2, 4), (7, 4), (13, 4)})
    street = Arena(STREET, _rect(0, 5, 17, 7) | doors, (), outdoors=True)
    sectors = (
        Sector("Town : home", "home", (home,), owners=("Ann", "Bob"), door=(2, 4)),
        Sector("Town : cafe", "cafe", (cafe,), hours=(8 * 60, 20 * 60), door=(7, 4)),
        Sector("Town : bath", "bath", (bath,), door=(13, 4)),
        Sector("Town : streets", "street", (street,)),
    )
    return town_of(18, 8, sectors, solid=frozenset({(6, 1), (10, 2)}), doors=doors)


def town_of(width: int, height: int, sectors: tuple[Sector, ...], *, solid: frozenset[Tile], doors: frozenset[Tile]) -> TownMap:
    """A town of these sectors; whatever lies in none of their rooms is wall."""
    nodes: dict[str, Sector | Arena | GameObject] = {}
    tiles: dict[Tile, Arena] = {}
    for sector in sectors:
        nodes[sector.address] = sector
        for arena in sector.arenas:
            nodes[arena.address] = arena
            tiles.update(dict.fromkeys(sorted(arena.tiles), arena))
            nodes.update({thing.address: thing for thing in arena.objects})
    walls = frozenset((x, y) for x in range(width) for y in range(height)) - frozenset(tiles)
    return TownMap("Town", width, height, sectors, walls, solid=solid, doors=doors, by_address=nodes, arena_of_tile=tiles)


class Notebook:
    """A journal that keeps all rows in order, and those of one kind."""

    def __init__(self) -> None:
        self.rows: list[tuple[Any, ...]] = []

    def of(self, kind: str) -> list[tuple[Any, ...]]:
        return [row[1:] for row in self.rows if row[0] == kind]

    def moved(self, resident: str, start: int, tiles: tuple[Tile, ...]) -> None:
        self.rows.append(("moved", resident, start, tiles))

    def acted(self, act: Act) -> None:
        self.rows.append(("acted", act))

    def act_over(self, resident: str, act: RecordId, step: int, why: str) -> None:
        self.rows.append(("act_over", resident, act, step, why))

    def object_changed(self, address: str, step: int, state: str, by: RecordId | None) -> None:
        self.rows.append(("object_changed", address, step, state, by))

    def happened(self, event: str, step: int, until: int, place: str, text: str) -> None:
        self.rows.append(("happened", event, step, until, place, text))

    def conversation(self, conversation: Conversation, step: int) -> None:
        self.rows.append(("conversation", conversation, step))

    def uttered(self, utterance: Utterance, because: Because) -> None:
        self.rows.append(("uttered", utterance, because))

    def came(self, name: str, step: int, tile: Tile, look: str, visitor: bool) -> None:
        self.rows.append(("came", name, step, tile, look, visitor))

    def went(self, name: str, step: int, tile: Tile, look: str, visitor: bool) -> None:
        self.rows.append(("went", name, step, tile, look, visitor))

    def failed(self, resident: str, step: int, error: BaseException) -> None:
        self.rows.append(("failed", resident, step, str(error)))

    def committed(self, step: int) -> None:
        self.rows.append(("committed", step))

    def where(self, resident: str, step: int) -> Tile:
        """Where the path segments say somebody is."""
        found = [(start, tiles) for name, start, tiles in self.of("moved") if name == resident and start <= step]
        start, tiles = found[-1]
        return tiles[min(step - start, len(tiles) - 1)]


Thought = Callable[[Moment], "Intention | Awaitable[Intention]"]


class Puppet:
    """A resident whose mind is a function of the moment; remembers what it was asked and told."""

    def __init__(self, name: str, think: Thought) -> None:
        self.name = name
        self.think = think
        self.moments: list[Moment] = []
        self.outcomes: list[Outcome] = []

    def prepare(self, moment: Moment) -> Intention | Awaitable[Intention]:
        return self.think(moment)

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> None:
        self.moments.append(moment)
        self.outcomes.append(outcome)

    def signals(self) -> list[tuple[int, str, str]]:
        return [(m.step, s.kind, s.detail) for m in self.moments for s in m.signals]

    def heard(self) -> list[tuple[int, str]]:
        return [(m.step, p.text) for m in self.moments for p in m.percepts if p.kind == "words"]


def idle(moment: Moment) -> Intention:
    return Intention(wake=moment.step + 100_000)


def act(target: str, until: int, text: str = "busy", **more: Any) -> ProposeAct:
    return ProposeAct(text, "dot", target, until, **more)


def say(to: str | tuple[str, ...], text: str, talk: str | None = None, *, ends: bool = False) -> ProposeWords:
    return ProposeWords((to,) if isinstance(to, str) else to, text, "remark", talk, ends=ends)


def at_start(*proposals: Any, wake: int | None = None) -> Thought:
    """Propose something at the first step, then nothing more (speaks no word when it is its turn)."""

    def think(moment: Moment) -> Intention:
        if moment.step == 0:
            return Intention(tuple(proposals), wake=wake)
        return Intention(wake=moment.step + 100_000)

    return think


def script(by_step: Mapping[int, Sequence[Any]]) -> Thought:
    """Propose at the given steps, and ask to be woken for each of them."""

    def think(moment: Moment) -> Intention:
        later = [step for step in by_step if step > moment.step]
        return Intention(tuple(by_step.get(moment.step, ())), wake=min(later, default=moment.step + 100_000))

    return think


def chatter(to: str | None = None, text: str = "and another thing") -> Thought:
    """Speak whenever it is one's turn, never ending; open a conversation with `to` at step 0."""

    def think(moment: Moment) -> Intention:
        if moment.step == 0 and to is not None:
            return Intention((say(to, text),), wake=100_000)
        for signal in moment.signals:
            if signal.kind == "your_turn" and signal.conversation is not None:
                others = tuple(p for p in signal.conversation.participants if p != moment_name(signal.conversation))
                return Intention((say(others, text, signal.conversation.id),), wake=100_000)
        return Intention(wake=moment.step + 100_000)

    return think


def moment_name(conversation: Conversation) -> str:
    """Whose turn it is."""
    assert conversation.turn is not None
    return conversation.turn


PLACES = (HOME, CAFE, BATH, STREET, BED, STOVE, TABLE, SOFA, "Town : nowhere : at all")


def fickle(name: str, names: Sequence[str], places: Sequence[str] = PLACES, seed: int = 7) -> Thought:
    """Does anything at any time, as a pure function of the moment: for comparing whole runs."""

    def think(moment: Moment) -> Intention:
        dice = Dice(seed, name, moment.step, "fickle")
        if dice.chance(0.04):
            raise RuntimeError("lost my mind")
        proposals: list[Any] = []
        talk = moment.conversation
        turn = any(s.kind == "your_turn" for s in moment.signals)
        words = " ".join(["word"] * (1 + dice.below(60)))
        overheard = [p for p in moment.percepts if p.kind == "words" and p.utterance is not None]
        if talk is not None:
            if turn and dice.chance(0.8):
                proposals.append(say(dice.choice(names), words, talk.id, ends=dice.chance(0.2)))
            elif dice.chance(0.05):
                proposals.append(ProposeLeave(talk.id, stay=dice.chance(0.5)))
            elif dice.chance(0.03):
                proposals.append(act(dice.choice(places), moment.step + 5))
        elif overheard and dice.chance(0.5):
            proposals.append(say(dice.choice(names), words, overheard[0].utterance.conversation))  # type: ignore[union-attr]
        elif dice.chance(0.4):
            proposals.append(say((dice.choice(names), dice.choice(names)), words))
        elif dice.chance(0.7):
            state = dice.choice((None, "in use", "messy"))
            proposals.append(
                act(
                    dice.choice(places), moment.step + 1 + dice.below(80), f"busy {moment.step}", state=state,
                    leaves=dice.choice((None, None, "dirty")), asleep=dice.chance(0.15), private=dice.chance(0.1),
                )
            )  # fmt: skip
        return Intention(tuple(proposals), wake=dice.choice((None, moment.step + 1 + dice.below(40))))

    return think


def waits(think: Thought, turns: int = 3) -> Thought:
    """The same mind, but each thought takes some turns of the event loop."""

    def prepare(moment: Moment) -> Awaitable[Intention]:
        async def thought() -> Intention:
            for _ in range(turns):
                await asyncio.sleep(0)
            intention = think(moment)
            assert isinstance(intention, Intention)
            return intention

        return thought()

    return prepare


def make_engine(
    minds: Mapping[str, tuple[Tile, Thought]],
    *,
    start: str = "12:00",
    step_seconds: int = 10,
    staff: Mapping[str, frozenset[str]] | None = None,
    happenings: Sequence[Happening] = (),
    checked: bool = True,
    engine: type[Engine] = Engine,
    **more: Any,
) -> tuple[Engine, Notebook, dict[str, Puppet]]:
    """An engine over the tiny town: name -> (tile it starts on, its mind)."""
    town = tiny_town()
    hour, minute = map(int, start.split(":"))
    clock = Clock(DAY.replace(hour=hour, minute=minute), step_seconds)
    puppets = {name: Puppet(name, think) for name, (_, think) in minds.items()}
    book = Notebook()
    made = engine(
        town, Grid(town), clock, tuple(puppets.values()), book,
        placed={name: tile for name, (tile, _) in minds.items()}, staff=staff or {}, happenings=happenings, checked=checked,
        **more,
    )  # fmt: skip
    return made, book, puppets


def run(engine: Engine, until: int) -> None:
    asyncio.run(engine.run(until))


def world_rows(book: Notebook) -> list[tuple[Any, ...]]:
    """All rows but the step marks."""
    return [row for row in book.rows if row[0] != "committed"]


def without_reasons(conversation: Conversation) -> Conversation:
    """A conversation without its utterances, for short expectations."""
    return replace(conversation, utterances=())

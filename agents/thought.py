"""One deliberation in the making: what is read, asked and noted down before anything is committed.

Thought     a draft of memories, an overlay of state, plan entries, the calls made: all dropped if unused
Pending     what it leaves: writes that hold in any case, and writes that hold only if the words were taken up
"""

from __future__ import annotations

from collections.abc import Awaitable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from agents import recollecting
from agents.mind import MindInit, Writes
from kernel import Json, RecordId
from language import Answer, Ask, RateImportance, Ratings, Recollection, Relation, Scene, abandon, begin, phrase
from memory import Draft, KnownMap, Record, Retrieval, Weights, relationship
from planning.schedule import PlanEntry, Schedule
from town.protocols import Moment
from town.speech import Fact

LEAST, MOST = 1, 10
"""What an importance can be."""
SEEN = ("seen", "state", "event")
"""Tags of what was merely seen: no candidates of retrieval before they are committed, so that no question shows them."""


@dataclass(frozen=True, slots=True)
class New:
    """A memory about to be stored; `importance` None: to be rated by the model. Other fields as in `Record`."""

    kind: str
    text: str
    importance: int | None = None
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Pending:
    """Writes of an intention. `if_said` are applied only when the proposed words were accepted."""

    always: Writes
    if_said: Writes = field(default_factory=Writes)


class ParsedSchedule:
    """The last schedule read from state: a mind keeps one, since state values are replaced and never changed."""

    def __init__(self) -> None:
        self._data: Json = None
        self._schedule: Schedule | None = None

    def of(self, data: Json) -> Schedule:
        """The schedule of a state value, parsed only when it is another value than last time."""
        if self._schedule is None or self._data is not data:
            self._data, self._schedule = data, Schedule.from_json(data)
        return self._schedule


class Thought:
    """The workbench of one deliberation. Nothing here reaches the mind's committed state."""

    def __init__(
        self, init: MindInit, state: Mapping[str, Json], known: KnownMap, parsed: ParsedSchedule, moment: Moment, ask: Ask
    ) -> None:
        self.person = init.person
        self.clock = init.clock
        self.seed = init.seed
        self.settings = settings = init.settings
        self.moment = moment
        self.step = moment.step
        self.ask = ask
        self.known = known
        self.draft = Draft(init.stream, init.person.name, moment.step)
        self.entries: list[PlanEntry] = []
        self.said: list[Record] = []
        self.said_state: dict[str, Json] = {}
        self._committed = state
        self._changed: dict[str, Json] = {}
        self._parsed = parsed
        self._unrated: dict[str, list[Record]] = {}
        self._ratings: list[tuple[tuple[str, ...], Awaitable[Answer[Ratings]]]] = []
        self._weights = Weights(
            recency=settings.weight_recency, importance=settings.weight_importance,
            relevance=settings.weight_relevance, decay=settings.recency_decay, selector=settings.exposure,
        )  # fmt: skip

    # -- state -------------------------------------------------------------------------------------------------------

    def get(self, key: str) -> Json:
        """A key of the mind's state, with this thought's own changes."""
        return self._changed[key] if key in self._changed else self._committed.get(key)

    def put(self, key: str, value: Json) -> None:
        """Changes a key (None deletes it) when the thought is committed."""
        self._changed[key] = value

    def schedule(self) -> Schedule | None:
        """Today's schedule, None before the first; parsed once for each value of the state."""
        data = self.get("schedule")
        if data is None:
            return None
        return self._parsed.of(data)

    def told(self, fact_id: str) -> tuple[str, ...]:
        """With whom a fact has been shared, in either direction."""
        names = self.get(f"told/{fact_id}")
        return tuple(str(n) for n in names) if isinstance(names, list) else ()

    def shared_with(self, fact_id: str, names: Sequence[str]) -> list[Json]:
        """The new value of `told/<fact>` after sharing it with `names`."""
        return list(dict.fromkeys((*self.told(fact_id), *names)))

    def without_names(self, text: str) -> str:
        """A text about visitors who haven't said their names, with what one calls them instead."""
        for name, look in self.strangers().items():
            if look:
                text = text.replace(name, self.called(name))
        return text

    # -- memory ------------------------------------------------------------------------------------------------------

    def note(self, news: Sequence[New]) -> None:
        """Stores memories. Those without an importance count least until `rated`: one question for all, equal texts once."""
        fresh: dict[str, None] = {}
        for new in news:
            importance = new.importance
            if importance is None and new.text not in self._unrated:
                importance = self.draft.importance_of(new.text)
            record = self.draft.add(
                new.kind,  # type: ignore[arg-type]
                new.text,
                importance=LEAST if importance is None else importance,
                **new.fields,  # type: ignore[arg-type]
            )
            if importance is None:
                if new.text not in self._unrated:
                    fresh[new.text] = None
                self._unrated.setdefault(new.text, []).append(record)
        if fresh:
            texts = tuple(fresh)
            self._ratings.append((texts, begin(self.ask, RateImportance(person=self.person, texts=texts))))

    async def rated(self) -> None:
        """Every memory of this thought has its importance."""
        while self._ratings:
            texts, begun = self._ratings[0]
            answer = await begun
            del self._ratings[0]
            for text, importance in zip(texts, answer.reply.importance, strict=True):
                for record in self._unrated.pop(text):
                    self.draft.rate(record.id, importance)

    @property
    def unrated(self) -> tuple[Record, ...]:
        """Memories of this thought whose importance isn't known yet."""
        return tuple(record for records in self._unrated.values() for record in records)

    async def presentable(self) -> None:
        """Every memory of this thought that a model may be shown has its importance: all but what was merely seen."""
        if any(record.fact is not None or record.tag not in SEEN for record in self.unrated):
            await self.rated()

    def drop(self) -> None:
        """Nothing will come of it."""
        for _, begun in self._ratings:
            abandon(begun)
        self._ratings.clear()

    def retrieve(self, query: str, purpose: str, *, k: int | None = None, **options: object) -> Retrieval:
        """The records for a query, noted for the journal (which moves their last-accessed step)."""
        return self.draft.retrieve(
            query,
            purpose=purpose,
            k=k or self.settings.retrieve,
            weights=self._weights,
            **options,  # type: ignore[arg-type]
        )

    def facts(self) -> dict[str, Fact]:
        """Every fact known, by its id, in order of learning."""
        return {fact.id: fact for fact, _ in self.draft.facts()}

    def records(self, ids: Iterable[RecordId]) -> list[Record]:
        """The records of some ids; unknown ones are left out."""
        return [self.draft.get(id) for id in ids if self.draft.has(id)]

    def recollect(self, retrieval: Retrieval) -> tuple[Recollection, ...]:
        """A retrieval's chosen records as a model sees them, best first."""
        return self.recollections(self.records(retrieval.ids))

    def recollections(self, records: Sequence[Record]) -> tuple[Recollection, ...]:
        """Records as a model sees them."""
        return recollecting.recollections(records, self.clock, self.step, self.told)

    def relation(self, other: str) -> Relation:
        """What one has with another, derived from memory; a visitor who hasn't said their name stays a stranger."""
        found = recollecting.relation(relationship(self.draft, other), self.clock, self.step)
        return replace(found, known=False) if self.strangers().get(other) else found

    def strangers(self) -> dict[str, str]:
        """Visitors one has seen -> how they look; "" for those who have said their name."""
        kept = self.get("strangers")
        return {name: str(look) for name, look in kept.items()} if isinstance(kept, dict) else {}

    def met(self) -> frozenset[str]:
        """Visitors who have said their name."""
        return frozenset(name for name, look in self.strangers().items() if not look)

    def called(self, other: str) -> str:
        """What one calls somebody: by name, a visitor who hasn't said theirs by their looks."""
        look = self.strangers().get(other)
        return phrase("visitor.stranger", look=look) if look else other

    # -- scene -------------------------------------------------------------------------------------------------------

    def scene(self, activity: str | None = None) -> Scene:
        """Where and when, with who is in view and what stands out."""
        moment = self.moment
        return Scene(
            now=self.clock.at(self.step),
            place=moment.place,
            activity=activity if activity is not None else (moment.act.text if moment.act else ""),
            people=tuple(p.subject for p in moment.percepts if p.kind == "person"),
            notable=tuple((p.subject, p.text) for p in moment.percepts if p.kind == "object" and not p.idle),
        )

    # -- the end -----------------------------------------------------------------------------------------------------

    def pending(self) -> Pending:
        """What this thought leaves behind, when everything in it is `rated`."""
        said = frozenset(record.id for record in self.said)
        always = tuple(record for record in self.draft.records if record.id not in said)
        return Pending(
            Writes(always, tuple(self.draft.retrievals), tuple(self.entries), dict(self._changed)),
            Writes(records=tuple(self.said), state=dict(self.said_state)),
        )


def ids(recollected: Sequence[Recollection]) -> frozenset[str]:
    """Ids a reply may cite."""
    return frozenset(r.id for r in recollected)


def cited(claims: Sequence[str], allowed: frozenset[str]) -> tuple[RecordId, ...]:
    """A reply's citations that exist among what it was shown, without repeats."""
    return tuple(RecordId.parse(claim) for claim in dict.fromkeys(claims) if claim in allowed)

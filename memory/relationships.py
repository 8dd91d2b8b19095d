"""What a resident has with others, derived from memory alone, so that it can be derived from a filtered view as well.

Parts: `Relationship`, `relationship` (one person), `Relationships` (all, kept up to date), `graph`, `density`.

    known      seeded ("acquaintance"), spoken with ("talk", "memo"), or told of by name ("told-of", or any record heard
               from somebody else whose fact or self is about them). Having seen somebody isn't knowing them.
    closeness  start + BOUND * x / (1 + |x|), kept within -1..1, where start is the seeded closeness (else 0) and
               x the sum of rate * tone over the records that tell how it went: talks, memos and told-ofs weigh 0.25,
               a broken promise ("absence") 0.5. Many warm talks approach `start + BOUND`, never pass it.

Rationale: the paper has no such number; residents ask their memories for a summary of the relationship each time. A
number beside it lets plans and the offline model tell close from distant without a call, and lets a study draw it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memory.index import persons
from memory.protocols import Readable
from memory.record import Record

if TYPE_CHECKING:
    import networkx

BOUND = 0.6
RATES = {"talk": 0.25, "memo": 0.25, "told-of": 0.25, "absence": 0.5}

STRANGER = "stranger"
ACQUAINTANCE = "acquaintance"
HEARD_OF = "heard-of"


@dataclass(frozen=True, slots=True)
class Relationship:
    """What one has with `name`.

    how             as seeded ("wife", "rival"); else "acquaintance" (spoken with), "heard-of" or "stranger"
    closeness       -1 (at odds) .. 1 (dearest), 6 decimals
    text            what one knows of them: the seeded sentences, else the latest memo, else what one was told; "" if none
    talks           conversations remembered; `last_talk_step` the latest, None: never
    feeling_text    the latest memo or insight about them, "" if none
    """

    name: str
    known: bool
    how: str
    closeness: float
    text: str = ""
    talks: int = 0
    last_talk_step: int | None = None
    feeling_text: str = ""


class _Tally:
    """What the records say about one person so far."""

    __slots__ = ("drift", "feeling", "how", "known", "last_talk", "memo", "seeded", "spoken", "start", "talks", "told")

    def __init__(self) -> None:
        self.known = self.spoken = False
        self.how = self.seeded = self.memo = self.told = self.feeling = ""
        self.start = self.drift = 0.0
        self.talks = 0
        self.last_talk: int | None = None

    def take(self, record: Record, name: str) -> None:
        """Counts one record that concerns `name` (casefolded)."""
        tag = record.tag
        if tag == "acquaintance":
            if not _about(record, name):
                return
            self.known = True
            self.how, self.seeded, self.start = record.how, record.text, record.tone
        elif tag == "talk":
            self.known = self.spoken = True
            self.talks += 1
            self.last_talk = record.created if self.last_talk is None else max(self.last_talk, record.created)
            self.told = self.told or record.text
        elif not _about(record, name):
            return
        elif tag == "memo":
            self.known = self.spoken = True
            self.memo = self.feeling = record.text
        elif tag == "told-of" or (record.heard_from is not None and record.heard_from.casefold() != name):
            self.known = True
            self.told = self.told or record.text
        elif record.kind == "reflection":
            self.feeling = record.text
        self.drift += RATES.get(tag, 0.0) * record.tone

    def sum(self, name: str) -> Relationship:
        """The relationship as the records so far make it."""
        drift = BOUND * self.drift / (1.0 + abs(self.drift))
        how = STRANGER
        if self.known:
            how = self.how or (ACQUAINTANCE if self.spoken or self.seeded else HEARD_OF)
        return Relationship(
            name=name,
            known=self.known,
            how=how,
            closeness=round(max(-1.0, min(1.0, self.start + drift)), 6),
            text=self.seeded or self.memo or self.told,
            talks=self.talks,
            last_talk_step=self.last_talk,
            feeling_text=self.feeling,
        )


def _about(record: Record, name: str) -> bool:
    """Is a record mainly about this person (casefolded), or the fact it carries?"""
    if record.about is not None:
        if record.about.casefold() == name:
            return True
    elif len(record.people) == 1 and record.people[0].casefold() == name:
        return True
    return record.fact is not None and record.fact.about is not None and record.fact.about.casefold() == name


def relationship(view: Readable, name: str) -> Relationship:
    """What the owner of a view has with the person of this full name (any case), from what the view shows."""
    key = name.casefold()
    tally = _Tally()
    for record in view.concerning(name):
        tally.take(record, key)
    return tally.sum(name)


class Relationships:
    """All relationships of one memory. Reads each record once: what is new is taken in when asked.

    Belongs to one memory under one condition; the memory may grow, never change.
    """

    def __init__(self, view: Readable) -> None:
        self._view = view
        self._read = 0
        self._tallies: dict[str, _Tally] = {}
        self._names: dict[str, str] = {}

    def of(self, name: str) -> Relationship:
        """As `relationship`."""
        self._catch_up()
        return self._tallies.get(name.casefold(), _Tally()).sum(name)

    def known(self) -> tuple[str, ...]:
        """Names of all persons known, in order of their first mention."""
        self._catch_up()
        return tuple(self._names[key] for key, tally in self._tallies.items() if tally.known)

    def _catch_up(self) -> None:
        me = self._view.owner.casefold()
        for record in self._view.since(self._read):
            self._read += 1
            for key in persons(record):
                if key == me:
                    continue
                tally = self._tallies.get(key)
                if tally is None:
                    tally = self._tallies[key] = _Tally()
                    self._names[key] = _spelled(record, key)
                tally.take(record, key)


def _spelled(record: Record, key: str) -> str:
    """A casefolded name as the record writes it."""
    names: Iterable[str | None] = (*record.people, record.about, record.fact.about if record.fact else None)
    return next(name for name in names if name is not None and name.casefold() == key)


def graph(views: Mapping[str, Readable]) -> networkx.DiGraph[str]:
    """Who knows whom among the owners of these memories: an edge a -> b when a knows b.

    Edges carry `how`, `closeness`, `talks` and `last_talk_step`. Nobody has an edge to themselves.
    """
    import networkx

    whole: networkx.DiGraph[str] = networkx.DiGraph()
    whole.add_nodes_from(views)
    for name, view in views.items():
        for other in views:
            if other == name:
                continue
            found = relationship(view, other)
            if found.known:
                whole.add_edge(
                    name, other, how=found.how, closeness=found.closeness, talks=found.talks,
                    last_talk_step=found.last_talk_step,
                )  # fmt: skip
    return whole


def density(network: networkx.DiGraph[str]) -> float:
    """2E / (V (V - 1)) with E the pairs who both know of each other (section 7.1.2); 0 for fewer than two."""
    count = network.number_of_nodes()
    if count < 2:
        return 0.0
    mutual = sum(1 for a, b in network.edges if a < b and network.has_edge(b, a))
    return 2 * mutual / (count * (count - 1))

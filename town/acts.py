"""Acts: what a resident is doing, from when to when, where, and why."""

from __future__ import annotations

from dataclasses import dataclass, field

from kernel import RecordId


@dataclass(frozen=True, slots=True)
class Because:
    """The reasons of an act or an utterance, by ids that exist in the run file (design rule 3).

    `percepts` are percept versions (see `Percept.version`); `calls` are keys of model calls; `note` is one sentence
    for people ("the plan of the day", "saw the stove burning").
    """

    plan: RecordId | None = None
    records: tuple[RecordId, ...] = ()
    retrievals: tuple[RecordId, ...] = ()
    percepts: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Act:
    """One committed act of a resident.

    text          a phrase that reads after "Isabella is ": "brewing coffee", "sleeping"
    icon          name of an icon (see `maps/icons.yaml`)
    target        address of the object or arena where it is done (text form)
    start, until  steps: proposed at, and over at (exclusive), whatever the walk takes
    state         what state the object is in while the act is done there ("brewing"), None: unchanged
    leaves        what state it is left in afterwards, None: as it was before the act
    asleep        the resident perceives nothing and can't be talked to
    private       can't be talked to (bathing, hurrying), but perceives
    """

    id: RecordId
    text: str
    icon: str
    target: str
    start: int
    until: int
    state: str | None = None
    leaves: str | None = None
    asleep: bool = False
    private: bool = False
    because: Because = field(default_factory=Because)

    @property
    def doer(self) -> str:
        """The resident whose act this is."""
        return self.id.resident

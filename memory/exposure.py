"""What a resident is shown of its past when it decides: a selector under a cap of records and of bytes.

    Exposure              selector and caps; unbounded by default
    failed_act(record)    one's own act whose expected effect wasn't seen
    Recalled              a record on its way to a decision, and its place in the mind's own order
    expose(...)           which of them are shown
    Exposed               what was shown at one decision and what wasn't, for the run file

Selectors: `weighted` keeps the order in which the mind's own scores rank (Park et al. section 4.1), `recency` ranks by
age alone, `priority` takes one's own failed acts first, then the rest by age. A cap of bytes counts the canonical UTF-8
JSON of the whole array that is shown. What is left out stays in the stream.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, TypeAlias, get_args

from kernel import Json, RecordId, dumps, fill

Selector: TypeAlias = Literal["weighted", "recency", "priority"]
SELECTORS: tuple[Selector, ...] = get_args(Selector)


class Noted(Protocol):
    """What tells a failed act: a `Record` and a `language.Recollection` both have it."""

    @property
    def tag(self) -> str:
        """As in `Record`."""

    @property
    def about(self) -> str | None:
        """As in `Record`."""

    @property
    def heard_from(self) -> str | None:
        """As in `Record`."""


def failed_act(record: Noted) -> bool:
    """Whether a record tells of one's own act whose expected effect wasn't seen: a predicate on what was noticed, not a
    cause and not a judgement.

    The way one took was barred (a "state" about nothing but oneself: about is None); whom one had asked said no
    ("refusal" heard from them); whom one expected, or oneself, didn't come ("absence").
    """
    if record.tag == "state":
        return record.about is None
    return record.tag == "absence" or (record.tag == "refusal" and record.heard_from is not None)


@dataclass(frozen=True, slots=True)
class Exposure:
    """Bounds on what is shown at one decision. None: no cap."""

    selector: Selector = "weighted"
    max_records: int | None = None
    max_bytes: int | None = None

    @property
    def bounded(self) -> bool:
        """Whether there is a cap at all."""
        return self.max_records is not None or self.max_bytes is not None


@dataclass(frozen=True, slots=True)
class Recalled:
    """`place` is the record's place in the mind's own order, 0 first; `text` its words; `content` the JSON that counts."""

    id: RecordId
    place: int
    failed: bool
    text: str
    content: Json


@dataclass(frozen=True, slots=True)
class Exposed:
    """One decision's exposure. `call` is the question it was made for; `shown` in chronological order; `omitted` best
    ranked first, each with why ("full" or "oversized"); `tokens` an estimate."""

    call: str
    selector: Selector
    considered: int
    shown: tuple[RecordId, ...]
    omitted: tuple[tuple[RecordId, str], ...]
    bytes: int
    tokens: int


_RANKS: Mapping[Selector, Callable[[Recalled], tuple[object, ...]]] = {
    "weighted": lambda one: (one.place, one.id),
    "recency": lambda one: (-one.id.step, -one.id.n),
    "priority": lambda one: (not one.failed, -one.id.step, -one.id.n),
}


def expose(exposure: Exposure, recalled: Sequence[Recalled], tokens_of: Callable[[str], int], call: str = "") -> Exposed:
    """The selection from all that was recalled for one decision, each record once."""
    ranked = sorted(recalled, key=_RANKS[exposure.selector])
    found = fill([one.content for one in ranked], max_records=exposure.max_records, max_bytes=exposure.max_bytes)
    shown = sorted((ranked[place] for place in found.chosen), key=lambda one: (one.id.step, one.id.n))
    return Exposed(
        call=call,
        selector=exposure.selector,
        considered=len(ranked),
        shown=tuple(one.id for one in shown),
        omitted=tuple((ranked[place].id, why) for place, why in found.omitted),
        bytes=len(dumps([one.content for one in shown]).encode()),
        tokens=sum(tokens_of(one.text) for one in shown),
    )

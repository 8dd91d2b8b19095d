"""What a user may ask of a town, checked, and put into the run file as rows (design rule 5).

    Wish                                    what is asked for, one row of `interventions`
    wish_event, wish_object, wish_voice     something happens, an object changes, somebody's inner voice
    wish_visit, wish_go, wish_words, wish_leave       a visitor comes, walks, speaks, goes
    wish_arrive, wish_depart                a resident is added or taken away
    ask_for(path, wish), ask_for_all        inserts them: the one thing anybody but the engine writes
    tidy(text)                              a text on one line, without what isn't meant to be read

Each `wish_*` reads the run and raises UsageError for what can never be granted.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from agents.registry import mind_kinds
from agents.visitor import WAYS
from kernel import UsageError, dumps, nearest
from personas import Persona
from simulation.reading.addresses import find_address
from simulation.storing.library import choose, names
from simulation.storing.runfile import RunFile
from simulation.wording import phrase

LONGEST_TEXT = 300
"""Characters of an event or of what somebody says; what is longer is cut."""
LONGEST_STATE = 80
LONGEST_LOOK = 80
LONGEST_NAME = 40
MINUTES = 10
"""How long an event is to be seen when nobody says."""
LONGEST_MINUTES = 7 * 24 * 60

_JOINERS = "\u200c\u200d"  # hold letters of some scripts, and emoji, together
_NAME = re.compile(r"[^\W\d_][\w.'’-]*(?: [^\W\d_][\w.'’-]*)*", re.UNICODE)


@dataclass(frozen=True, slots=True)
class Wish:
    """What is asked for. `kind` and the other fields as in the table `interventions`; addresses and names are whole.

    `due` is the step at which it is to take effect, None: as soon as can be.
    """

    kind: str
    text: str
    place: str | None = None
    who: str | None = None
    minutes: int | None = None
    addressed: str | None = None
    tile: tuple[int, int] | None = None
    persona: str | None = None
    due: int | None = None

    def as_dict(self) -> dict[str, Any]:
        """{kind, text, who, place, minutes}, and of the others those that are set (a persona by its name)."""
        more = {"addressed": self.addressed, "tile": self.tile, "due": self.due}
        first = {"kind": self.kind, "text": self.text, "who": self.who, "place": self.place, "minutes": self.minutes}
        return first | {key: value for key, value in more.items() if value is not None}

    def in_words(self) -> str:
        """What it is about, and the words."""
        target = self.place or self.who or ""
        if self.kind in ("visit", "go", "words", "leave", "arrive", "depart"):
            more = self.addressed or self.place or (f"{self.tile[0]},{self.tile[1]}" if self.tile else "")
            return phrase("wish", self.kind, who=self.who, where=more, text=self.text).rstrip(" :")
        return f"{target}: {self.text}"


def tidy(text: str, longest: int = LONGEST_TEXT) -> str:
    """A text on one line: no control, format or unassigned characters, no run of spaces, at most `longest` characters."""
    kept = "".join(c if c in _JOINERS or unicodedata.category(c)[0] not in "CZ" else _space(c) for c in text[: 40 * longest])
    line = " ".join(kept.split()).strip(_JOINERS)
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def _space(character: str) -> str:
    return " " if character.isspace() or unicodedata.category(character)[0] == "Z" else ""


# ---- things


def wish_event(run: RunFile, text: str, at: str, minutes: int | None = None) -> Wish:
    """An event at a place. Raises UsageError."""
    if minutes is not None and not 1 <= minutes <= LONGEST_MINUTES:
        raise UsageError(f"an event can't last {minutes} minutes", hint=f"1 to {LONGEST_MINUTES}")
    return Wish("event", _said(text, LONGEST_TEXT), place=find_address(run, at), minutes=minutes or MINUTES)


def wish_object(run: RunFile, address: str, state: str) -> Wish:
    """An object in another state. Raises UsageError."""
    return Wish("object", _said(state, LONGEST_STATE), place=find_address(run, address, ("object",)))


def wish_voice(run: RunFile, name: str, text: str) -> Wish:
    """The inner voice of a resident. Raises UsageError."""
    return Wish("voice", _said(text, LONGEST_TEXT), who=choose(tidy(name, 60), names(run)))


# ---- visitors


def wish_visit(
    run: RunFile, name: str, look: str = "", at: str | None = None, *, tile: tuple[int, int] | None = None,
    beside: str | None = None,
) -> Wish:  # fmt: skip
    """A visitor comes: at a place (the town's first door when nothing is said), on a tile, or beside a resident.

    `look`: how strangers see them, in words. Raises UsageError: no fit name, a resident's, nowhere to stand.
    """
    who = visitor_name(run, name)
    looks = tidy(look, LONGEST_LOOK) or phrase("visit", "look")
    if beside is not None:
        return Wish("visit", looks, who=who, addressed=choose(tidy(beside, 60), names(run)))
    place = find_address(run, at) if at is not None else None
    if tile is None and place is None:
        place = run.get("town")
    return Wish("visit", looks, place=place, who=who, tile=tile)


def wish_go(
    run: RunFile, name: str, to: str | None = None, *, tile: tuple[int, int] | None = None, way: str | None = None,
    coming: Sequence[str] = (),
) -> Wish:  # fmt: skip
    """A visitor goes to a place, to a tile, or one tile north, east, south or west. Raises UsageError."""
    who = known_visitor(run, name, coming)
    if way is not None:
        if way not in WAYS:
            raise UsageError(f"{tidy(way, 40)!r} is no way to go", hint=f"{', '.join(WAYS)}, or a place")
        return Wish("go", way, who=who)
    if tile is not None:
        return Wish("go", "", who=who, tile=tile)
    if to is None:
        raise UsageError("where to?", hint="name a place, a tile, or a way: " + ", ".join(WAYS))
    return Wish("go", "", who=who, place=find_address(run, to))


def wish_words(run: RunFile, name: str, text: str, to: str | None = None, *, coming: Sequence[str] = ()) -> Wish:
    """A visitor says something to a resident, or to whoever is in earshot. Raises UsageError."""
    addressed = choose(tidy(to, 60), names(run)) if to is not None else None
    return Wish("words", _said(text, LONGEST_TEXT), who=known_visitor(run, name, coming), addressed=addressed)


def wish_said_by(run: RunFile, name: str, text: str, to: str, look: str = "") -> list[Wish]:
    """Words of a visitor to a resident; who isn't in town comes first, and stays, beside them. Raises UsageError."""
    here = [one for one in visitors_in(run) if one.casefold() == tidy(name, 60).casefold()]
    if here:
        return [wish_words(run, here[0], text, to)]
    visit = wish_visit(run, name, look, beside=to)
    return [visit, wish_words(run, visit.who or "", text, to, coming=[visit.who or ""])]


def wish_leave(run: RunFile, name: str, *, coming: Sequence[str] = ()) -> Wish:
    """A visitor goes away. Raises UsageError."""
    return Wish("leave", "", who=known_visitor(run, name, coming))


def visitors_in(run: RunFile) -> list[str]:
    """Visitors who are in town, or have been asked in, in the order of their coming."""
    there: dict[str, bool] = {}
    for name, change in run.rows(
        "SELECT name, change FROM comings WHERE visitor = 1 AND step < ? ORDER BY step", (run.committed,)
    ):
        there[name] = change == "came"
    sql = "SELECT who, kind FROM interventions WHERE kind IN ('visit', 'leave') AND (step IS NULL OR step >= ?)"
    for name, kind in run.rows(f"{sql} AND (outcome IS NULL OR outcome = '') ORDER BY id", (run.committed,)):
        there[name] = kind == "visit"
    return [name for name, here in there.items() if here]


def known_visitor(run: RunFile, name: str, coming: Sequence[str] = ()) -> str:
    """The visitor meant by any part of a name; `coming` are some that will be there. Raises UsageError when none is in town."""
    known = list(dict.fromkeys((*visitors_in(run), *coming)))
    if not known:
        raise UsageError("there is no visitor in town", hint="let one come first: `town visit`, or `town say NAME TEXT --as WHO`")
    return choose(tidy(name, 60), known, "visitor")


def visitor_name(run: RunFile, name: str) -> str:
    """A name fit for a visitor. Raises UsageError: not letters and spaces, too long, or a resident's."""
    who = tidy(name, LONGEST_NAME + 1)
    if not _NAME.fullmatch(who) or len(who) > LONGEST_NAME:
        raise UsageError(f"{who or name[:10]!r} is no name for a visitor", hint=f"letters and spaces, at most {LONGEST_NAME}")
    taken = next((one for one in names(run) if one.casefold() == who.casefold()), None)
    if taken is not None:
        raise UsageError(f"{taken} lives in this town", hint="a visitor needs a name of their own")
    same = [one for (one,) in run.rows("SELECT DISTINCT name FROM comings WHERE visitor = 1") if one.casefold() == who.casefold()]
    return same[0] if same else who


# ---- residents


def wish_arrive(run: RunFile, persona: Persona, at: str | None = None, mind: str | None = None) -> Wish:
    """A resident is added: a whole mind with a persona. `at`: where they come in (their home when nothing is said).

    Raises UsageError: a name that is taken, a home or bed the town hasn't, an unknown mind.
    """
    if persona.name.casefold() in {one.casefold() for one in (*names(run), *visitors_in(run))}:
        raise UsageError(f"{persona.name} lives in this town already", hint="give the persona another name")
    town = run.get("town")
    known = dict(run.rows("SELECT address, level FROM places"))
    for what, given, levels in (
        ("home", persona.home, ("sector", "arena")), ("bed", persona.bed, ("object",)),
        ("work", persona.work.place if persona.work else None, ("sector", "arena", "object")),
    ):  # fmt: skip
        if given is not None and known.get(f"{town} : {given}") not in levels:
            near = nearest(given, [address.removeprefix(f"{town} : ") for address in known])
            hint = f"did you mean '{near}'?" if near else "name places as the map does"
            raise UsageError(f"{persona.name}'s {what} '{given}' isn't in this town", hint=hint)
    kind = mind or str(json.loads(run.get("minds")).get(persona.name) or run.get("mind").split(",")[0])
    if kind not in mind_kinds():
        near = nearest(kind, mind_kinds())
        raise UsageError(f"there is no mind '{kind}'", hint=f"did you mean '{near}'?" if near else ", ".join(mind_kinds()))
    place = find_address(run, at) if at is not None else f"{town} : {persona.home}"
    whole = dumps({**persona.model_dump(mode="json"), "mind": kind})
    return Wish("arrive", "", place=place, who=persona.name, persona=whole)


def wish_depart(run: RunFile, name: str) -> Wish:
    """A resident is taken away. Raises UsageError."""
    return Wish("depart", "", who=choose(tidy(name, 60), names(run)))


def _said(text: str, longest: int) -> str:
    line = tidy(text, longest)
    if not line:
        raise UsageError("there are no words in it", hint="write what is to be seen or heard")
    return line


# ---- asking

_INSERT = (
    "INSERT INTO interventions (kind, who, place, text, minutes, asked, author, due, addressed, tile, persona)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def ask_for(path: Path, wish: Wish, author: str = "") -> int:
    """Inserts the wish; its id. Safe beside a running engine and other askers. Raises RunFileError."""
    return ask_for_all(path, [wish], author)[0]


def ask_for_all(path: Path, wishes: Sequence[Wish], author: str = "") -> list[int]:
    """Inserts several, to take effect at the same step (unless they are due at others); their ids. Raises RunFileError."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    by = tidy(author, LONGEST_NAME)
    with RunFile.open(path, readonly=False, guest=True) as run, run.transaction():
        return [run.insert(_INSERT, _row(wish, now, by)) for wish in wishes]


def insert(run: RunFile, wishes: Sequence[Wish], author: str) -> None:
    """The same within a transaction of one's own."""
    for wish in wishes:
        run.insert(_INSERT, _row(wish, "", author))


def _row(wish: Wish, asked: str, author: str) -> tuple[object, ...]:
    tile = dumps([*wish.tile]) if wish.tile is not None else None
    return (
        wish.kind, wish.who, wish.place, wish.text, wish.minutes, asked, author, wish.due, wish.addressed, tile, wish.persona,
    )  # fmt: skip


def due_at(wish: Wish, step: int) -> Wish:
    """The same wish, to take effect at a step."""
    return replace(wish, due=step)

"""Operations as prompts for text models: one template per operation (`language/prompts/NAME.txt`), filled from its fields.

    render(operation, complaint) -> Prompt(system, user, version, reply)
    register_prompt(operation_name, text)      for operations of plug-in minds

The system message is the rules, the same for everybody, and the persona, the same for every question to one resident, so
that servers can reuse both as a prefix; the user message is the task and then the data, fenced. Fences inside data are
defused: what a resident hears is data, never an instruction. A template is `string.Template` with one `$field` per field
of the operation.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from importlib.resources import files
from string import Template
from typing import Any

from kernel import DataFileError, clock_face
from language.checks_plan import time_of_day
from language.operations import Operation
from language.tokens import estimate_tokens
from language.values import Commitment, Event, Line, News, Person, PlaceOption, Recollection, Relation, Scene, Statement
from language.wording import Wording

_WORDS = Wording(str(files("language") / "prompts"))
_REGISTERED: dict[str, str] = {}
_SYSTEMS: dict[str, str] = {}
_BRIEF = ("about", "aim")
_BRIEFLY = 2
REPLY_TOKENS = 800
"""Tokens allowed for an answer where a template doesn't say."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What a text model is asked. `version` is that of the operation's template; `reply` the most tokens an answer needs;
    `cut` how many items were left out to fit (see `language.fitting`)."""

    system: str
    user: str
    version: int
    reply: int
    cut: int = 0

    @property
    def text(self) -> str:
        """Both messages, as the run file keeps them."""
        return f"{self.system}\n\n{self.user}"

    @property
    def tokens(self) -> int:
        """An estimate."""
        return estimate_tokens(self.text)


def register_prompt(operation: str, text: str, system: str | None = None) -> None:
    """Gives an operation of a plug-in mind its template: a line "version: N", perhaps "reply: N" and
    "person: brief", then the text. `system` replaces the rules and the persona, for who asks in nobody's role."""
    _REGISTERED[operation] = text
    if system is not None:
        _SYSTEMS[operation] = system.strip()


def render(operation: Operation[Any], complaint: str = "") -> Prompt:
    """The prompt for an operation; `complaint` is what was wrong with the answer before.

    Raises DataFileError when the operation has no template or the template names a field that doesn't exist.
    """
    version, reply, brief, template = _template(operation.name, _REGISTERED.get(operation.name))
    name = operation.person.name
    names = [field.name for field in dataclasses.fields(operation) if field.name != "person"]
    fields = {field: _value(field, getattr(operation, field), name) for field in names}
    user = _filled(template, operation.name, {"name": name, **fields})
    if complaint:
        user += "\n\n" + _filled(_template("_complaint", None)[3], "_complaint", {"complaint": _defused(complaint)})
    system = _SYSTEMS.get(operation.name) or _system(operation.person, brief)
    return Prompt(system=system, user=user, version=version, reply=reply)


@cache
def _template(name: str, registered: str | None) -> tuple[int, int, bool, Template]:
    """Version, most tokens of an answer, whether a brief persona will do, text."""
    text = registered
    if text is None:
        try:
            text = (files("language") / "prompts" / f"{name}.txt").read_text(encoding="utf-8")
        except FileNotFoundError:
            hint = "add the file, or register one with language.register_prompt"
            raise DataFileError(f"the operation '{name}' has no prompt", file=f"language/prompts/{name}.txt", hint=hint) from None
    head, _, body = text.partition("\n")
    key, _, number = head.partition(":")
    if key.strip() != "version" or not number.strip().isdigit():
        raise DataFileError("the first line isn't 'version: N'", file=f"language/prompts/{name}.txt", line=1)
    reply, brief = REPLY_TOKENS, False
    while body.startswith(("reply:", "person:")):
        told, _, body = body.partition("\n")
        key, _, value = told.partition(":")
        reply, brief = (int(value), brief) if key == "reply" else (reply, value.strip() == "brief")
    return int(number), reply, brief, Template(body.strip())


def _filled(template: Template, name: str, fields: dict[str, str]) -> str:
    try:
        return template.substitute(fields)
    except KeyError as missing:
        raise DataFileError(f"there is no field {missing}", file=f"language/prompts/{name}.txt") from None


@cache
def _system(person: Person, brief: bool = False) -> str:
    """Rules and persona. Brief: of what is true of the person only who they are and what they are after."""
    statements = person.statements
    if brief:
        statements = tuple(s for topic in _BRIEF for s in [s for s in statements if s.topic == topic][:_BRIEFLY])
    fields = {
        "name": person.name,
        "age": str(person.age),
        "pronoun": person.pronoun,
        "occupation": person.occupation,
        "traits": ", ".join(person.traits),
        "home": person.home,
        "work": _none(person.workplace),
        "wakes": clock_face(person.wakes),
        "sleeps": clock_face(person.sleeps),
        "statements": _value("statements", statements, person.name),
    }
    if person.work_hours:
        fields["work"] += f", {time_of_day(person.work_hours[0])}-{time_of_day(person.work_hours[1])}"
    return _filled(_template("_system", None)[3], "_system", {key: _defused(text) for key, text in fields.items()})


def _defused(text: str) -> str:
    """Data can't close its own fence, and stays on its line."""
    return " ".join(text.replace("<<<", "<").replace(">>>", ">").split()) if "\n" not in text else _defused_lines(text)


def _defused_lines(text: str) -> str:
    return "\n".join(_defused(line) for line in text.split("\n"))


def _none(text: str | None) -> str:
    return text or _WORDS.phrase("none")


def _value(field: str, value: object, name: str) -> str:
    """One field as text: a line, or a line per item."""
    if value is None or value in ("", ()):
        return _none(None)
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int):
        return time_of_day(value) if field == "start" else str(value)
    if isinstance(value, str):
        return _defused(value.replace("\n", " "))
    if isinstance(value, Scene):
        return _scene(value, name)
    if isinstance(value, tuple):
        return "\n".join(_item(item) for item in value)
    return _item(value)


def _item(item: object) -> str:
    writer = _ITEMS.get(type(item))
    return _defused((writer(item) if writer else str(item)).replace("\n", " "))


def _when(moment: datetime) -> str:
    return moment.strftime("%A %Y-%m-%d %H:%M")


def _ago(hours: float) -> str:
    if hours >= 24 * 365:
        return _WORDS.phrase("ago.start")
    return (
        _WORDS.phrase("ago.hours", hours=f"{hours:.0f}")
        if hours >= 2
        else _WORDS.phrase("ago.minutes", minutes=round(hours * 60))
    )


def _event(event: Event | None) -> str:
    if event is None:
        return ""
    return _WORDS.phrase(
        "event", name=event.name, place=event.place, start=_when(event.start), end=_when(event.end), host=event.host
    )


def _scene(scene: Scene, name: str) -> str:
    notable = "".join(_WORDS.phrase("notable", address=address, state=state) for address, state in scene.notable)
    people = _none(", ".join(scene.people))
    text = _WORDS.phrase(
        "scene",
        now=_when(scene.now),
        name=name,
        place=scene.place,
        activity=_none(scene.activity),
        people=people,
        notable=notable,
    )
    return _defused(text.replace("\n", " "))


def _recollection(r: Recollection) -> str:
    fields: dict[str, object] = {"id": r.id, "ago": _ago(r.hours_ago), "kind": r.kind, "importance": r.importance, "text": r.text}
    if r.news is None:
        return _WORDS.phrase("recollection", **fields)
    return _WORDS.phrase(
        "recollection_news",
        **fields,
        news=r.news.id,
        event=_event(r.news.event),
        private=_WORDS.phrase("private") if r.news.private else "",
        heard=_WORDS.phrase("heard", who=r.heard_from) if r.heard_from else "",
        told=_WORDS.phrase("told", who=", ".join(r.told_to)) if r.told_to else "",
    )


def _relation(r: Relation) -> str:
    if not r.known:
        return _WORDS.phrase("stranger", name=r.name, text=r.text)
    since = _WORDS.phrase("since", ago=_ago(r.hours_since)) if r.hours_since is not None else ""
    return _WORDS.phrase(
        "relation", name=r.name, how=r.how, closeness=f"{r.closeness:.1f}", talks=r.talks, since=since, text=r.text
    )


def _commitment(c: Commitment) -> str:
    event = c.event
    return _WORDS.phrase(
        "commitment", id=c.id, role=c.role, loose="" if c.firm else _WORDS.phrase("loose"), name=event.name, place=event.place,
        start=_when(event.start), end=_when(event.end), host=event.host, off=_WORDS.phrase("off") if c.called_off else "",
    )  # fmt: skip


def _line(line: Line) -> str:
    news = "".join(_WORDS.phrase("line_news", id=item.id) for item in line.news)
    return _WORDS.phrase("line", speaker=line.speaker, act=line.act, text=line.text, news=news)


def _option(o: PlaceOption) -> str:
    return _WORDS.phrase(
        "option", address=o.address, affords=_none(", ".join(o.affords)), minutes=o.minutes_away,
        mine=_WORDS.phrase("mine") if o.mine else "", shut="" if o.open else _WORDS.phrase("shut"),
        taken=_WORDS.phrase("taken") if o.taken else "", state=_WORDS.phrase("state", state=o.state) if o.state else "",
    )  # fmt: skip


def _row(row: tuple[object, ...]) -> str:
    """A row of a table; a number in one is a time of day in minutes."""
    return " | ".join(time_of_day(cell) if isinstance(cell, int) else str(cell or "-") for cell in row)


_ITEMS: dict[type, Callable[[Any], str]] = {
    Statement: lambda s: _WORDS.phrase("statement", id=s.id, text=s.text),
    News: lambda n: _WORDS.phrase("news", id=n.id, text=n.text),
    Recollection: _recollection,
    Relation: _relation,
    Commitment: _commitment,
    Line: _line,
    PlaceOption: _option,
    tuple: _row,
}

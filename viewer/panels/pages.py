"""The pages of the inspector and the other panels, as sheets.

now_page, memory_page    one resident as of a step (see also `plan`, `thoughts`, `bonds`, `known`, `interview`)
talk_page                a conversation, line by line
news_page                each tracked fact, who knows it, and the way it went
"""

from __future__ import annotations

import pygame

from town.tree import leaf
from viewer.director import place_name
from viewer.dossier import memories_of, plan_of
from viewer.look import ACCENTS, AMBER, CREAM, DIM, EDGE, FAINT, SLATE
from viewer.news import Learnt
from viewer.panels.kit import Desk, head
from viewer.sheet import Page, Sheet
from viewer.snapshot import Snapshot, Talk
from viewer.wording import say

KINDS = ("observation", "conversation", "reflection", "plan")


def now_page(desk: Desk, name: str, snapshot: Snapshot) -> Page:
    """What somebody is doing, thinking and saying now."""
    sheet, step = head(desk, name), int(snapshot.step)
    body = snapshot.bodies.get(name)
    sheet.heading(say("panel", "now"))
    if body is None or body.deed is None:
        sheet.text(say("panel", "nothing"), 12, DIM)
    else:
        icon = pygame.transform.scale_by(desk.atlas.icon(body.deed.icon), max(2, round(2 * desk.fonts.scale)))
        top = sheet.y
        sheet.blit(icon, 0, top + 2)
        indent = icon.get_width() + sheet.px(10)
        sheet.text(body.deed.text, 14, CREAM, bold=True, indent=indent)
        where = say("panel", "at", thing=leaf(body.deed.target), place=place_name(body.deed.target))
        sheet.text(where, 12, DIM, indent=indent)
        span = say("panel", "span", start=desk.time(body.deed.step), end=desk.time(body.deed.until))
        sheet.text(span, 12, DIM, indent=indent)
        sheet.text(say("panel", "why_link"), 11, AMBER, indent=indent, link=f"why:act:{body.deed.id}")
        sheet.y = max(sheet.y, top + icon.get_height() + 4)
    if body is not None and body.talk is not None:
        sheet.heading(say("panel", "talking"))
        _lines(desk, sheet, body.talk, snapshot.step, 4)
        sheet.text(say("panel", "read_on"), 11, AMBER, link=f"talk:{body.talk.id}")
    entries = [entry for entry in plan_of(desk.source, name, step) if entry.until > step and entry.status != "dropped"]
    if entries:
        sheet.heading(say("panel", "next"))
        for entry in entries[:3]:
            start = f"{desk.source.clock.at(max(0, entry.start)):%H:%M}"
            sheet.entry(start, entry.text, now=entry.start <= step, link=f"why:plan:{entry.id}")
    latest = memories_of(desk.source, name, step, None, 4)
    if latest:
        sheet.heading(say("panel", "on_mind"))
        for memory in latest:
            sheet.record(
                ACCENTS[memory.kind], say("panel", "stamp", time=desk.time(memory.created), kind=memory.kind), memory.text,
                f"why:memory:{memory.id}",
            )  # fmt: skip
    thoughts = memories_of(desk.source, name, step, "reflection", 3)
    if thoughts:
        sheet.heading(say("panel", "thoughts"))
        for memory in thoughts:
            sheet.record(ACCENTS["reflection"], desk.time(memory.created), memory.text, f"why:memory:{memory.id}")
    persona = desk.source.people.get(name)
    if persona is not None:
        sheet.heading(say("panel", "character"))
        sheet.text(", ".join(persona.traits), 12, CREAM)
        sheet.space(4)
        sheet.text(persona.about, 12, DIM)
    return sheet.finish(SLATE)


def memory_page(desk: Desk, name: str, snapshot: Snapshot, kind: str | None) -> Page:
    """The latest memories, newest first."""
    sheet, step = head(desk, name), int(snapshot.step)
    sheet.space(10)
    chips = [
        ("kind:", say("panel", "notable"), AMBER),
        ("kind:all", say("panel", "all"), CREAM),
        *((f"kind:{k}", say("kinds", k), ACCENTS[k]) for k in KINDS),
    ]
    sheet.chips(chips, f"kind:{kind or ''}")
    for memory in memories_of(desk.source, name, step, kind):
        stamp = say(
            "panel", "weighed", time=desk.time(memory.created), kind=memory.tag or memory.kind, importance=memory.importance
        )
        sheet.record(ACCENTS[memory.kind], stamp, memory.text, link=f"why:memory:{memory.id}")
    return sheet.finish(SLATE)


def talk_page(desk: Desk, talk: Talk, step: float) -> Page:
    """A conversation up to a step."""
    sheet = desk.sheet()
    sheet.text(say("panel", "talk_of", people=", ".join(talk.everybody)), 15, CREAM, bold=True)
    sheet.text(say("panel", "at_time", place=place_name(talk.place), time=desk.time(talk.started)), 12, DIM)
    sheet.space(10)
    _lines(desk, sheet, talk, step, 200)
    return sheet.finish(SLATE)


def _lines(desk: Desk, sheet: Sheet, talk: Talk, step: float, most: int) -> None:
    said = talk.said(step)[-most:]
    for line in said:
        side, top = sheet.px(24), sheet.y
        sheet.blit(pygame.transform.scale(desk.face(line.speaker), (side, side)), 0, top + 2)
        left = side + sheet.px(8)
        sheet.text(
            say("panel", "speaker", who=line.speaker, time=desk.time(line.step)),
            10,
            ACCENTS["conversation"],
            bold=True,
            indent=left,
        )
        sheet.text(line.text, 12, CREAM, indent=left)
        for fact in line.facts:
            if fact in desk.source.news.facts:
                sheet.text(
                    say("panel", "passes", text=desk.source.news.facts[fact].text),
                    11,
                    ACCENTS["news"],
                    indent=left,
                    link=f"fact:{fact}",
                )
        sheet.y = max(sheet.y, top + side + 2)
        sheet.link(pygame.Rect(0, top, desk.width, sheet.y - top), f"why:words:{line.id}")
        sheet.space(6)


def news_page(desk: Desk, step: float, chosen: str | None) -> Page:
    """Each tracked fact; the chosen one with everybody who knows it, under the one they have it from."""
    sheet, news = desk.sheet(), desk.source.news
    if not news.facts:
        sheet.text(say("panel", "no_news"), 12, DIM)
    for fact in news.facts.values():
        chain = news.chain(fact.id, step)
        top = sheet.y
        count = say("panel", "known_by", known=len(chain), all=len(desk.source.names))
        sheet.text(count, 11, ACCENTS["news"], bold=True, link=f"fact:{fact.id}")
        part, wide, y = len(chain) / max(1, len(desk.source.names)), desk.width, sheet.y + sheet.px(2)
        for length, colour in ((wide, EDGE), (round(wide * part), ACCENTS["news"])):
            sheet.paint(lambda s, w=length, c=colour, at=y: pygame.draw.rect(s, c, (0, at, w, 4), border_radius=2))  # type: ignore[misc]
        sheet.space(9)
        sheet.text(fact.text, 13, CREAM, bold=True)
        sheet.link(pygame.Rect(0, top, desk.width, sheet.y - top), f"fact:{fact.id}")
        sheet.space(6)
        if chosen in (None, fact.id):
            children: dict[str | None, list[str]] = {}
            known = {learnt.who: learnt for learnt in chain}
            for learnt in chain:
                children.setdefault(learnt.source if learnt.source in known else None, []).append(learnt.who)
            done: set[str] = set()
            for who in children.get(None, ()):
                _branch(desk, sheet, who, 0, children, known, done)
        sheet.space(14)
    return sheet.finish(SLATE)


def _branch(
    desk: Desk,
    sheet: Sheet,
    who: str,
    depth: int,
    children: dict[str | None, list[str]],
    known: dict[str, Learnt],
    done: set[str],
) -> int:
    done.add(who)
    learnt = known[who]
    if learnt.source is None:
        words = say("panel", "knew" if learnt.step < 0 else "knew_since", time=desk.time(learnt.step))
    else:
        words = say("panel", "heard", time=desk.time(learnt.step), place=place_name(learnt.place) if learnt.place else "")
    middle = desk.person(sheet, who, words, link=f"step:{max(0, learnt.step)}", depth=depth)
    x = sheet.px(18 * depth + 12)
    start = sheet.y - sheet.px(4)
    for child in children.get(who, ()):
        if child in done:
            continue
        below = _branch(desk, sheet, child, depth + 1, children, known, done)
        elbow = sheet.px(18 * (depth + 1)) - 2
        sheet.paint(lambda s, a=x, b=start, c=below, d=elbow: pygame.draw.lines(s, FAINT, False, ((a, b), (a, c), (d, c)), 2))  # type: ignore[misc]
    return middle

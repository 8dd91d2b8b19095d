"""Which page a panel shows: for what is open, a key that changes when the page has to be made again, and how to make it.

side_page(panels, desk, snapshot)    -> (key, make); a new kind of page is a function and a line in MODES or TABS
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from viewer.look import DIM, SLATE
from viewer.panels import pages
from viewer.panels.bonds import bonds_page
from viewer.panels.interview import interview_page
from viewer.panels.kit import Desk
from viewer.panels.known import known_page
from viewer.panels.plan import plan_page
from viewer.panels.status import status_page
from viewer.panels.thoughts import thoughts_page
from viewer.panels.why import place_page, recall_page, why_page
from viewer.sheet import Page
from viewer.snapshot import Snapshot
from viewer.wording import say

if TYPE_CHECKING:
    from viewer.panels.shelf import Panels

Choice = tuple[object, Callable[[], Page]]
Chooser = Callable[["Panels", Desk, Snapshot, int], Choice]


def side_page(panels: Panels, desk: Desk, snapshot: Snapshot) -> Choice:
    """The page of the side panel."""
    chooser = TABS[panels.tab] if panels.mode == "who" else MODES[panels.mode]
    key, make = chooser(panels, desk, snapshot, int(snapshot.step))
    return (panels.mode, panels.tab, desk.width, key), make


def _now(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    name = panels.who or ""
    return (name, _doing(name, snapshot, step), step // 30), lambda: pages.now_page(desk, name, snapshot)


def _plan(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    name = panels.who or ""
    key = (name, _doing(name, snapshot, step)[0], step // 30, tuple(panels.opened))
    return key, lambda: plan_page(desk, name, step, panels.opened)


def _memory(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    name, query = panels.who or "", panels.query
    if query:
        asked = panels.asked = step if panels.asked is None else panels.asked
        return (name, query, asked), lambda: recall_page(desk, name, query, asked)
    return (name, panels.kind, step // 15), lambda: pages.memory_page(desk, name, snapshot, panels.kind)


def _thoughts(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    name = panels.who or ""
    return (name, step // 60, tuple(panels.opened)), lambda: thoughts_page(desk, name, step, panels.opened)


def _bonds(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    name = panels.who or ""
    return (name, step // 60), lambda: bonds_page(desk, name, step)


def _known(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    name = panels.who or ""
    return (name, step // 60, tuple(panels.opened)), lambda: known_page(desk, name, step, panels.opened)


def _ask(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    name, interviewing = panels.who or "", panels.interviewing
    return (name, step // 6, interviewing.version(name)), lambda: interview_page(desk, name, step, interviewing)


def _doing(name: str, snapshot: Snapshot, step: int) -> tuple[str, int]:
    """The deed, and how much has been said in the conversation they are in."""
    body = snapshot.bodies.get(name)
    return body.deed.id if body and body.deed else "", len(body.talk.said(step)) if body and body.talk else -1


def _talk(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    talk = desk.source.talks.get(panels.talk or "")
    if talk is None:
        return None, lambda: words_page(desk, say("panel", "no_talk"))
    return (talk.id, len(talk.said(step))), lambda: pages.talk_page(desk, talk, step)


def _status(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    figures = panels.figures()
    return (desk.source.committed // 30, figures), lambda: status_page(desk, figures)


def _why(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    return panels.why, lambda: why_page(desk, panels.why)


def _place(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    place = panels.place or desk.source.town.name
    there = tuple((name, body.tile, body.deed.id if body.deed else "") for name, body in snapshot.bodies.items())
    return (place, there, snapshot.states.get(place)), lambda: place_page(desk, place, snapshot)


def _news(panels: Panels, desk: Desk, snapshot: Snapshot, step: int) -> Choice:
    known = tuple(len(desk.source.news.chain(fact, step)) for fact in desk.source.news.facts)
    return (panels.fact, known), lambda: pages.news_page(desk, step, panels.fact)


def words_page(desk: Desk, words: str) -> Page:
    """A page of nothing but words."""
    sheet = desk.sheet()
    sheet.text(words, 12, DIM)
    return sheet.finish(SLATE)


TABS: dict[str, Chooser] = {
    "now": _now,
    "plan": _plan,
    "memory": _memory,
    "thoughts": _thoughts,
    "bonds": _bonds,
    "known": _known,
    "ask": _ask,
}
"""The tabs of the inspector, in their order."""

MODES: dict[str, Chooser] = {"talk": _talk, "news": _news, "why": _why, "place": _place, "status": _status}
"""The other pages."""

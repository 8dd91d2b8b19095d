"""The panels of the window: who is shown where, which page, and what clicking it means.

    Panels(source, atlas)    .layout  .open_resident/.open_talk/.open_news/.toggle_roster  .close  .refresh  .event  .draw

A click gives back what it stands for ("who:NAME", "talk:ID", "step:N"), a deed its kind and words ("voice:WORDS"); tabs,
kinds of memory and chosen facts are dealt with here.
"""

from __future__ import annotations

from collections.abc import Callable

import pygame
import pygame_gui

from town.tree import GameObject
from viewer.art import Atlas
from viewer.fonts import Fonts
from viewer.look import DIM, SLATE
from viewer.panels import pages
from viewer.panels.holder import Holder, themed
from viewer.panels.pages import Desk
from viewer.panels.status import status_page
from viewer.panels.why import place_page, recall_page, why_page
from viewer.sheet import Page, Sheet
from viewer.snapshot import Snapshot
from viewer.source import Source
from viewer.wording import say

WIDTH, ROSTER_WIDTH = 372, 236
MARGIN = 10
TABS = ("now", "plan", "memory", "bonds")


class Panels:
    """All panels of a window."""

    def __init__(self, source: Source, atlas: Atlas, size: tuple[int, int], fonts: Fonts) -> None:
        self.source, self.atlas, self.fonts = source, atlas, fonts
        self.manager = themed(size, fonts)
        self.size = size
        self.side: Holder | None = None
        self.roster: Holder | None = None
        self.mode = ""  # "", who, talk, news, why, place, status
        self.who: str | None = None
        self.talk: str | None = None
        self.tab = "now"
        self._kind: str | None = None
        self._fact: str | None = None
        self._why = ""
        self._query = ""
        self._asked: int | None = None
        self._before = ""
        self.place: str | None = None
        self.edge = False
        self._keys: dict[str, object] = {}
        self._bottom = 0

    # ------------------------------------------------------------------ opening and closing

    def layout(self, size: tuple[int, int], fonts: Fonts, bottom: int) -> None:
        """A window of another size; `bottom` is kept free."""
        had_roster = self.roster is not None
        self._drop_side()
        self._drop_roster()
        if fonts.scale != self.fonts.scale:
            self.manager = themed(size, fonts)
        self.manager.set_window_resolution(size)
        self.size, self.fonts, self._bottom = size, fonts, bottom
        if had_roster:
            self.toggle_roster()
        if self.mode:
            self._build_side()

    def open_resident(self, name: str, tab: str | None = None) -> None:
        """The inspector."""
        self.who, self.tab, self._query = name, tab or self.tab, ""
        self._open("who")

    def open_talk(self, talk: str | None) -> None:
        """The reader of conversations."""
        self.talk = talk
        self._open("talk")

    def open_news(self, fact: str | None = None) -> None:
        """Who knows what."""
        self._fact = fact
        self._open("news")

    def open_why(self, id: str) -> None:
        """The reasons of something; closing it goes back to what was open before."""
        if self.mode != "why":
            self._before = self.mode
        self._why = id
        self._open("why")

    def open_place(self, address: str) -> None:
        """A thing or a room."""
        self.place = address
        self._open("place")

    def open_status(self) -> None:
        """The run itself."""
        self._open("status")

    def _open(self, mode: str) -> None:
        self._keys.pop("side", None)
        if self.side is None or mode != self.mode:
            self.mode = mode
            self._build_side()
        elif (self.tab == "memory") != (self.side.search is not None) or mode == "place":
            self._build_side()
        else:
            self.side.choose(self.tab if mode == "who" else None)

    def close(self) -> bool:
        """Closes the side panel, else the list of residents; False when there was nothing to close."""
        if self.side is not None and self.mode == "why" and self._before:
            self._open(self._before)
            return True
        if self.side is not None:
            self._drop_side()
            self.mode = ""
            return True
        if self.roster is not None:
            self._drop_roster()
            return True
        return False

    def toggle_roster(self) -> None:
        """Opens or closes the list of residents."""
        if self.roster is not None:
            self._drop_roster()
            return
        margin = self.fonts.size(MARGIN)
        rect = pygame.Rect(margin, margin, self.fonts.size(ROSTER_WIDTH), self.size[1] - self._bottom - 2 * margin)
        self.roster = Holder(self.manager, rect, self.fonts, search=True, hint=say("roster", "search"))
        self._keys.pop("roster", None)

    def _build_side(self) -> None:
        self._drop_side()
        margin, width = self.fonts.size(MARGIN), self.fonts.size(WIDTH)
        rect = pygame.Rect(self.size[0] - width - margin, margin, width, self.size[1] - self._bottom - 2 * margin)
        tabs = [(tab, say("tabs", tab)) for tab in TABS] if self.mode == "who" else []
        searching = self.mode == "who" and self.tab == "memory"
        deeds = self._deeds()
        self.side = Holder(
            self.manager, rect, self.fonts, tabs, search=searching, hint=say("panel", "recall"),
            deeds=[(word, say("meddling", word)) for word in deeds],
            deed_hint=say("meddling", f"hint_{deeds[0]}") if deeds else "",
        )  # fmt: skip
        if tabs:
            self.side.choose(self.tab)

    def _deeds(self) -> list[str]:
        """What a user can do to what is shown: at the edge of what has been lived only."""
        if not self.edge:
            return []
        if self.mode == "who":
            return ["voice"]
        if self.mode == "place" and self.place is not None:
            return ["object", "event"] if isinstance(self.source.town.by_address[self.place], GameObject) else ["event"]
        return []

    def at_edge(self, edge: bool) -> None:
        """Whether the present of the town is shown, so that one can meddle with it."""
        if edge != self.edge:
            self.edge = edge
            if self.side is not None and self.mode in ("who", "place"):
                self._build_side()

    def _drop_side(self) -> None:
        if self.side is not None:
            self.side.kill()
            self.side = None
        self._keys.pop("side", None)

    def _drop_roster(self) -> None:
        if self.roster is not None:
            self.roster.kill()
            self.roster = None
        self._keys.pop("roster", None)

    def rects(self) -> list[pygame.Rect]:
        """What of the screen they cover."""
        return [holder.rect for holder in (self.side, self.roster) if holder is not None]

    def covers(self, point: tuple[int, int]) -> bool:
        """Whether a point of the screen is a panel's."""
        return any(rect.collidepoint(point) for rect in self.rects())

    @property
    def typing(self) -> bool:
        """Whether keys go into a line of text."""
        holders = [holder for holder in (self.roster, self.side) if holder is not None]
        return any(line is not None and line.is_focused for holder in holders for line in (holder.search, holder.line))

    # ------------------------------------------------------------------ events and pages

    def event(self, event: pygame.event.Event) -> str | None:
        """Takes an event; what a click stands for, if the window has to deal with it."""
        self.manager.process_events(event)
        if event.type == pygame_gui.UI_BUTTON_PRESSED and self.side is not None:
            tab = self.side.pressed(event)
            if tab is not None:
                self.tab, self._query = tab, ""
                self._build_side()
        deed = self.side.done(event) if self.side is not None else None
        if deed is not None:
            return f"{deed[0]}:{deed[1]}"
        if event.type == pygame_gui.UI_TEXT_ENTRY_FINISHED and self.side is not None and event.ui_element is self.side.search:
            self._query, self._asked = event.text.strip(), None
            self._keys.pop("side", None)
        if event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            for holder in (self.side, self.roster):
                link = holder.link_at(event.pos) if holder is not None else None
                if link is not None:
                    return self._follow(link)
        return None

    def _follow(self, link: str) -> str | None:
        word, _, rest = link.partition(":")
        if word == "kind":
            self._kind = rest or None
        elif word == "why":
            self.open_why(rest)
        elif word == "fact":
            self.open_news(None if self._fact == rest and self.mode == "news" else rest)
        else:
            return link
        self._keys.pop("side", None)
        return None

    def refresh(self, snapshot: Snapshot) -> None:
        """Brings the pages up to date; cheap while nothing has changed."""
        if self.side is not None:
            key, make = self._side_page(snapshot, self.side)
            if self._keys.get("side") != key:
                self._keys["side"] = key
                self.side.show(make())
        if self.roster is not None:
            wanted = self.roster.search.get_text().casefold() if self.roster.search is not None else ""
            doing = tuple((name, body.deed.id if body.deed else "", body.pose) for name, body in snapshot.bodies.items())
            roster_key = (wanted, doing, self.who)
            if self._keys.get("roster") != roster_key:
                self._keys["roster"] = roster_key
                self.roster.show(self._roster_page(snapshot, wanted))

    def _side_page(self, snapshot: Snapshot, side: Holder) -> tuple[object, Callable[[], Page]]:
        desk = Desk(self.source, self.atlas, self.fonts, side.page_width)
        step = int(snapshot.step)
        if self.mode == "who" and self.who is not None:
            name, tab = self.who, self.tab
            body = snapshot.bodies.get(name)
            doing = (body.deed.id if body and body.deed else "", len(body.talk.said(step)) if body and body.talk else -1)
            if tab == "plan":
                return (name, tab, doing, step // 90), lambda: pages.plan_page(desk, name, snapshot)
            if tab == "memory" and self._query:
                query = self._query
                asked = self._asked = step if self._asked is None else self._asked
                return (name, tab, query, asked), lambda: recall_page(desk, name, query, asked)
            if tab == "memory":
                return (name, tab, self._kind, step // 15), lambda: pages.memory_page(desk, name, snapshot, self._kind)
            if tab == "bonds":
                return (name, tab, step // 60), lambda: pages.bonds_page(desk, name, snapshot)
            return (name, tab, doing, step // 30), lambda: pages.now_page(desk, name, snapshot)
        if self.mode == "talk":
            talk = self.source.talks.get(self.talk or "")
            if talk is None:
                return ("talk", None), lambda: _words(desk.sheet(), say("panel", "no_talk"))
            return ("talk", talk.id, len(talk.said(step))), lambda: pages.talk_page(desk, talk, step)
        if self.mode == "status":
            return ("status", self.source.committed // 360), lambda: status_page(desk)
        if self.mode == "why":
            return ("why", self._why), lambda: why_page(desk, self._why)
        if self.mode == "place" and self.place is not None:
            place = self.place
            there = tuple((name, body.tile, body.deed.id if body.deed else "") for name, body in snapshot.bodies.items())
            return ("place", place, there, snapshot.states.get(place)), lambda: place_page(desk, place, snapshot)
        known = tuple(len(self.source.news.chain(fact, step)) for fact in self.source.news.facts)
        return ("news", self._fact, known), lambda: pages.news_page(desk, step, self._fact)

    def _roster_page(self, snapshot: Snapshot, wanted: str) -> Page:
        assert self.roster is not None
        desk = Desk(self.source, self.atlas, self.fonts, self.roster.page_width)
        sheet = desk.sheet()
        for name, body in snapshot.bodies.items():
            persona = self.source.people.get(name)
            words = body.deed.text if body.deed else ""
            if wanted and wanted not in f"{name} {words} {persona.occupation if persona else ''}".casefold():
                continue
            desk.person(sheet, name, words, link=f"who:{name}", dim=bool(body.deed and body.deed.asleep))
        return sheet.finish(SLATE)

    def draw(self, surface: pygame.Surface, seconds: float) -> None:
        """Draws all panels."""
        if self.side is not None or self.roster is not None:
            self.manager.update(seconds)
            self.manager.draw_ui(surface)


def _words(sheet: Sheet, words: str) -> Page:
    sheet.text(words, 12, DIM)
    return sheet.finish(SLATE)

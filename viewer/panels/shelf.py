"""The panels of the window: what is open where, and what clicking it means; which page it shows is in `book`.

    Panels(source, atlas, ...)    .layout  .open_resident/.open_talk/.open_news/.toggle_roster  .close  .refresh  .event  .draw

A click gives back what it stands for ("who:NAME", "talk:ID", "step:N"), a deed its kind and words ("voice:WORDS"); tabs,
kinds of memory, chosen facts and opened branches are dealt with here.
"""

from __future__ import annotations

from collections.abc import Callable

import pygame
import pygame_gui

from kernel import TownfolkError
from town.tree import GameObject
from viewer.art import Atlas
from viewer.fonts import Fonts
from viewer.interviewing import Interviewing
from viewer.look import SLATE
from viewer.panels.book import TABS, side_page, words_page
from viewer.panels.holder import Holder, themed
from viewer.panels.kit import Desk
from viewer.panels.line import Line
from viewer.panels.status import Figures
from viewer.sheet import Page
from viewer.snapshot import Snapshot
from viewer.source import Source
from viewer.wording import say

WIDTH, WIDE, ROSTER_WIDTH = 372, 800, 236
MARGIN = 10
MOST = 0.55
"""Part of the window's width that a panel takes at most, however large its words."""
LEAST_TOWN = 220
"""Pixels of the town that a wide panel leaves."""
SEARCHED, ASKED = "memory", "ask"
"""Tabs with a line to type in of their own."""


class Panels:
    """All panels of a window. `figures`: what the window knows of the run beside its file."""

    def __init__(
        self, source: Source, atlas: Atlas, size: tuple[int, int], fonts: Fonts, *,
        ground: Callable[[int], pygame.Surface], interviewing: Interviewing, figures: Callable[[], Figures] = Figures,
    ) -> None:  # fmt: skip
        self.source, self.atlas, self.fonts = source, atlas, fonts
        self.interviewing, self.figures = interviewing, figures
        self._ground = ground
        self.manager = themed(size, fonts)
        self.size = size
        self.side: Holder | None = None
        self.roster: Holder | None = None
        self.line: Line | None = None
        self.mode = ""  # "" or a key of book.MODES, or "who"
        self.tab = "now"
        self.who: str | None = None
        self.talk: str | None = None
        self.place: str | None = None
        self.kind: str | None = None
        self.fact: str | None = None
        self.why = ""
        self.query = ""
        self.asked: int | None = None
        self.opened: dict[str, None] = {}
        self.edge = False
        self._before = ""
        self._keys: dict[str, object] = {}
        self._bottom = 0

    # ------------------------------------------------------------------ opening and closing

    def layout(self, size: tuple[int, int], fonts: Fonts, bottom: int) -> None:
        """A window of another size; `bottom` is kept free."""
        had_roster, line = self.roster is not None, self.line
        self._drop_side()
        self._drop_roster()
        self.close_line()
        if fonts.scale != self.fonts.scale:
            self.manager = themed(size, fonts)
        self.manager.set_window_resolution(size)
        self.size, self.fonts, self._bottom = size, fonts, bottom
        if had_roster:
            self.toggle_roster()
        if self.mode:
            self._build_side()
        if line is not None:
            self.open_line(line.hint, line.words)

    def open_resident(self, name: str, tab: str | None = None) -> None:
        """The inspector."""
        self.who, self.tab, self.query = name, tab or self.tab, ""
        self._open("who")

    def open_talk(self, talk: str | None) -> None:
        """The reader of conversations."""
        self.talk = talk
        self._open("talk")

    def open_news(self, fact: str | None = None) -> None:
        """Who knows what."""
        self.fact = fact
        self._open("news")

    def open_why(self, id: str) -> None:
        """The reasons of something; closing it goes back to what was open before."""
        if self.mode != "why":
            self._before = self.mode
        self.why = id
        self._open("why")

    def open_place(self, address: str) -> None:
        """A thing or a room."""
        self.place = address
        self._open("place")

    def open_status(self) -> None:
        """The run itself."""
        self._open("status")

    def _open(self, mode: str) -> None:
        self.mode = mode
        self._build_side()

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

    def close_all(self) -> None:
        """Nothing but the town."""
        self._before = ""
        while self.close_line() or self.close():
            pass

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
        margin, width = self.fonts.size(MARGIN), min(self.fonts.size(WIDTH), round(self.size[0] * MOST))
        if self.mode == "who" and self.tab == ASKED and self.interviewing.comparing:
            width = max(width, min(self.fonts.size(WIDE), self.size[0] - self.fonts.size(LEAST_TOWN)))
        rect = pygame.Rect(self.size[0] - width - margin, margin, width, self.size[1] - self._bottom - 2 * margin)
        inspecting = self.mode == "who"
        deeds = self._deeds()
        first = deeds[0] if deeds else ""
        hint = say("meddling", f"hint_{first}" if self.edge or first == ASKED else "hint_past") if deeds else ""
        self.side = Holder(
            self.manager, rect, self.fonts, [(tab, say("tabs", tab)) for tab in TABS] if inspecting else [],
            search=inspecting and self.tab == SEARCHED, hint=say("panel", "recall"),
            deeds=[(word, say("meddling", word)) for word in deeds], deed_hint=hint,
        )  # fmt: skip
        if inspecting:
            self.side.choose(self.tab)

    def _deeds(self) -> list[str]:
        """What a user can do to what is shown; in the past, it is done in another future."""
        if self.mode == "who":
            return [ASKED] if self.tab == ASKED else ["voice"]
        if self.mode == "place" and self.place is not None:
            return ["object", "event"] if isinstance(self.source.town.by_address[self.place], GameObject) else ["event"]
        return []

    def at_edge(self, edge: bool) -> None:
        """Whether the present of the town is shown, so that what is typed is done there."""
        if edge != self.edge:
            self.edge = edge
            if self.side is not None and self._deeds() and not (self.side.line is not None and self.side.line.is_focused):
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

    def open_line(self, hint: str, words: str = "") -> None:
        """A line to type in at the lower rim; what was typed comes as "say:WORDS"."""
        self.close_line()
        self.line = Line(self.manager, self.size, self._bottom, self.fonts, hint, words)

    def close_line(self) -> bool:
        """Takes the line away; False when there was none."""
        if self.line is None:
            return False
        self.line.kill()
        self.line = None
        return True

    def rects(self) -> list[pygame.Rect]:
        """What of the screen they cover."""
        return [part.rect for part in (self.side, self.roster, self.line) if part is not None]

    def covers(self, point: tuple[int, int]) -> bool:
        """Whether a point of the screen is a panel's."""
        return any(rect.collidepoint(point) for rect in self.rects())

    @property
    def typing(self) -> bool:
        """Whether keys go into a line of text."""
        holders = [holder for holder in (self.roster, self.side) if holder is not None]
        lines = [line for holder in holders for line in (holder.search, holder.line)]
        return any(line is not None and line.is_focused for line in lines) or self.line is not None

    # ------------------------------------------------------------------ events and pages

    def event(self, event: pygame.event.Event) -> str | None:
        """Takes an event; what a click stands for, if the window has to deal with it."""
        self.manager.process_events(event)
        if self.line is not None and (said := self.line.done(event)) is not None:
            return f"say:{said}"
        side = self.side
        if side is not None and event.type == pygame_gui.UI_BUTTON_PRESSED and (tab := side.pressed(event)) is not None:
            self.tab, self.query = tab, ""
            self._build_side()
            return None
        if side is not None and (deed := side.done(event)) is not None:
            return f"{deed[0]}:{deed[1]}"
        if side is not None and event.type == pygame_gui.UI_TEXT_ENTRY_FINISHED and event.ui_element is side.search:
            self.query, self.asked = event.text.strip(), None
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
            self.kind = rest or None
        elif word == "open":
            if self.opened.pop(rest, self) is self:
                self.opened[rest] = None
        elif word == "compare":
            self.interviewing.compare(self.who or "", rest == "on")
            self._build_side()
        elif word == "why":
            self.open_why(rest)
        elif word == "fact":
            self.open_news(None if self.fact == rest and self.mode == "news" else rest)
        else:
            return link
        self._keys.pop("side", None)
        return None

    def refresh(self, snapshot: Snapshot) -> None:
        """Brings the pages up to date; cheap while nothing has changed."""
        if self.side is not None:
            key, make = side_page(self, self._desk(self.side), snapshot)
            if self._keys.get("side") != key:
                self._keys["side"] = key
                try:
                    page = make()
                except TownfolkError as error:  # a file that has been damaged meanwhile
                    page = words_page(self._desk(self.side), error.sentence())
                self.side.show(page)
        if self.roster is not None:
            wanted = self.roster.search.get_text().casefold() if self.roster.search is not None else ""
            doing = tuple((name, body.deed.id if body.deed else "", body.pose) for name, body in snapshot.bodies.items())
            roster_key = (wanted, doing, self.who)
            if self._keys.get("roster") != roster_key:
                self._keys["roster"] = roster_key
                self.roster.show(self._roster_page(snapshot, wanted))

    def _desk(self, holder: Holder) -> Desk:
        return Desk(self.source, self.atlas, self.fonts, holder.page_width, self._ground)

    def _roster_page(self, snapshot: Snapshot, wanted: str) -> Page:
        assert self.roster is not None
        desk = self._desk(self.roster)
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
        if self.side is not None or self.roster is not None or self.line is not None:
            self.manager.update(seconds)
            self.manager.draw_ui(surface)
        if self.line is not None:
            self.line.draw(surface)

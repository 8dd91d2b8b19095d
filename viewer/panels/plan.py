"""The plan of a day as a timetable: a rail of hours with what was really done, and what was changed and why.

plan_page(desk, name, step, opened)    the hour that is now, and those opened, show their deeds one by one
"""

from __future__ import annotations

from collections.abc import Collection

import pygame

from viewer.dossier import Done, Planned, done_of, plan_of
from viewer.look import ACCENTS, AMBER, CREAM, DIM, EDGE, FAINT, SLATE, SLATE_DARK, SLATE_LIGHT
from viewer.panels.kit import Desk, head
from viewer.sheet import Page, Sheet
from viewer.wording import say

AS_PLANNED, OTHERWISE, ASLEEP = ACCENTS["plan"], ACCENTS["news"], (74, 80, 112)
TALLEST = 34
"""Pixels that a long entry takes at least; a short one takes its words' height."""
LEFT = 66


def plan_page(desk: Desk, name: str, step: int, opened: Collection[str]) -> Page:
    """The plan of the day of a step, as it stands by then."""
    sheet, clock = head(desk, name), desk.source.clock
    sheet.heading(say("panel", "plan_of", weekday=f"{clock.at(step):%A}"))
    entries = plan_of(desk.source, name, step)
    if not entries:
        sheet.text(say("panel", "no_plan"), 12, DIM)
        return sheet.finish(SLATE)
    _legend(sheet)
    changed = [entry for entry in entries if entry.status != "made"]
    sheet.text(say("panel", "plan_made", time=desk.time(min(entry.written for entry in entries)), changes=len(changed)), 11, DIM)
    sheet.space(6)
    morning = clock.step_on(clock.day(step), 0)
    done = done_of(desk.source, name, morning, step)
    ordinary = entries[0].reason
    for entry in entries:
        _entry(
            desk,
            sheet,
            entry,
            step,
            [deed for deed in done if deed.step < entry.until and entry.start < deed.until],
            ordinary,
            opened,
        )
    return sheet.finish(SLATE)


def _legend(sheet: Sheet) -> None:
    x = 0
    for key, colour in (("as_planned", AS_PLANNED), ("otherwise", OTHERWISE), ("asleep", ASLEEP)):
        words = sheet.fonts.text(say("panel", key), 10, DIM)
        dot, y = pygame.Rect(x, sheet.y + sheet.px(4), sheet.px(8), sheet.px(8)), sheet.y
        sheet.paint(lambda s, r=dot, c=colour: pygame.draw.rect(s, c, r, border_radius=2))  # type: ignore[misc]
        sheet.blit(words, x + sheet.px(12), y)
        x += sheet.px(24) + words.get_width()
    sheet.space(18)


def _entry(desk: Desk, sheet: Sheet, entry: Planned, step: int, done: list[Done], ordinary: str, opened: Collection[str]) -> None:
    clock, dropped = desk.source.clock, entry.status == "dropped"
    now = entry.start <= step < entry.until and not dropped
    top, left = sheet.y, sheet.px(LEFT)
    mark = sheet.mark()
    colour = FAINT if dropped else DIM if entry.until <= step else CREAM
    sheet.text(entry.text, 12, colour, bold=now, indent=left, strike=dropped)
    hours = clock.hours(entry.until - entry.start)
    if entry.place and not dropped:
        sheet.text(say("panel", "plan_place", place=entry.place), 10, FAINT if entry.until <= step else DIM, indent=left, most=1)
    if entry.status != "made":
        words = say("panel", f"status_{entry.status}", reason=entry.reason)
        sheet.text(say("panel", "when", time=desk.time(entry.written), words=words), 11, OTHERWISE, indent=left)
    elif entry.reason and entry.reason != ordinary:
        sheet.text(say("panel", "status_made", reason=entry.reason), 11, AS_PLANNED, indent=left)
    for deed in done:
        if now or f"plan {entry.id}" in opened or deed.odd:
            _deed(desk, sheet, deed, left)
    sheet.y = max(sheet.y, top + min(sheet.px(TALLEST), sheet.px(16 * hours)))
    bottom = sheet.y
    box = pygame.Rect(left - sheet.px(6), top - 3, sheet.width - left + sheet.px(6), bottom - top + 6)
    if now:
        sheet.paint_below(mark, lambda s: pygame.draw.rect(s, SLATE_LIGHT, box, border_radius=5))
    stamp = desk.fonts.text(f"{clock.at(max(0, entry.start)):%H:%M}", 12, AMBER if now else DIM, now)
    sheet.blit(stamp, 0, top)
    if not dropped:
        _rail(sheet, entry, step, done, top, bottom)
    sheet.link(pygame.Rect(0, top, left, bottom - top), f"step:{max(0, entry.start)}")
    toggle = f"open:plan {entry.id}" if entry.start <= step and not now else f"why:plan:{entry.id}"
    sheet.link_below(box, toggle)
    sheet.space(7)


def _deed(desk: Desk, sheet: Sheet, deed: Done, left: int) -> None:
    """One thing that was done, with the reason when it wasn't the plan's, or when it was broken off."""
    top = sheet.y
    words = say("panel", "did", time=f"{desk.source.clock.at(deed.step):%H:%M}", text=deed.text)
    sheet.text(words, 11, OTHERWISE if deed.odd else DIM, indent=left + sheet.px(8))
    if deed.odd:
        sheet.text(say("panel", "because", reason=deed.reason), 10, DIM, indent=left + sheet.px(16))
    sheet.link(pygame.Rect(left, top, sheet.width - left, sheet.y - top), f"why:act:{deed.id}")


def _rail(sheet: Sheet, entry: Planned, step: int, done: list[Done], top: int, bottom: int) -> None:
    """What the time of an entry was filled with, from its start at the top to its end."""
    x, wide, high = sheet.px(46), sheet.px(7), bottom - top
    span = max(1, entry.until - entry.start)
    sheet.paint(lambda s: pygame.draw.rect(s, SLATE_DARK, (x, top, wide, high)))
    for deed in done:
        start, end = max(deed.step, entry.start), min(deed.until, entry.until, step)
        if end > start:
            y = top + round((start - entry.start) / span * high)
            tall = max(1, round((end - start) / span * high))
            colour = ASLEEP if deed.asleep else OTHERWISE if deed.odd else AS_PLANNED
            sheet.paint(lambda s, c=colour, y=y, h=tall: pygame.draw.rect(s, c, (x, y, wide, h)))  # type: ignore[misc]
    if entry.start <= step < entry.until:
        y = top + round((step - entry.start) / span * high)
        sheet.paint(lambda s: pygame.draw.rect(s, AMBER, (x - 3, y - 1, wide + 6, 3)))
    sheet.paint(lambda s: pygame.draw.rect(s, EDGE, (x, top, wide, high), 1))

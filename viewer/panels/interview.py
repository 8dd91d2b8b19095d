"""An interview: what was asked of a resident, what they answered, and which of their memories that rests on.

interview_page(desk, name, step, interviewing)    one answer each, or side by side under all conditions
"""

from __future__ import annotations

from collections.abc import Mapping

import pygame

from memory.record import Kind
from simulation.interview import KINDS, Interview, Side
from viewer.interviewing import Interviewing
from viewer.look import ACCENTS, AMBER, CREAM, DIM, EDGE, FAINT, SLATE, SLATE_DARK
from viewer.panels.kit import Desk, head
from viewer.sheet import Page, Sheet
from viewer.wording import say

GAP = 14
"""Between two columns."""


def interview_page(desk: Desk, name: str, step: int, interviewing: Interviewing) -> Page:
    """What was asked, newest first."""
    sheet = head(desk, name)
    sheet.space(8)
    sheet.chips(
        [("compare:off", say("interview", "one"), AMBER), ("compare:on", say("interview", "side_by_side"), AMBER)],
        "compare:on" if interviewing.comparing else "compare:off",
    )
    sheet.text(say("interview", "how", time=desk.time(step)), 11, DIM)
    for asked in interviewing.of(name):
        sheet.space(14)
        sheet.text(say("interview", "question", text=asked.text), 14, CREAM, bold=True)
        sheet.text(say("interview", "asked_at", time=desk.time(asked.step)), 10, FAINT, bold=True)
        sheet.space(4)
        if asked.trouble():
            sheet.text(asked.trouble(), 12, ACCENTS["event"])
        elif interviewing.comparing and asked.side_by_side is not None and asked.side_by_side.done():
            side_by_side(desk, sheet, asked.side_by_side.result().sides)
        elif interviewing.comparing or not asked.answer.done():
            sheet.text(say("interview", "thinking"), 12, AMBER)
        else:
            _answer(desk, sheet, asked.answer.result())
    return sheet.finish(SLATE)


def _answer(desk: Desk, sheet: Sheet, interview: Interview, *, labelled: bool = True) -> None:
    top = sheet.y
    sheet.space(5)
    mark = sheet.mark()
    sheet.text(interview.answer, 13 if labelled else 12, CREAM, indent=sheet.px(10), room=sheet.px(8))
    sheet.space(5)
    box = pygame.Rect(0, top, sheet.width, sheet.y - top)
    sheet.paint_below(mark, lambda s: pygame.draw.rect(s, SLATE_DARK, box, border_radius=6))
    sheet.space(5)
    if interview.fallback is not None:
        sheet.text(say("interview", "fallback", reason=interview.fallback), 10, ACCENTS["event"])
    if labelled:
        _evidence(sheet, interview)
    words = "rests" if interview.records else "rests_nothing" if interview.knows else "doesnt_know"
    sheet.text(say("interview", words), 10, AMBER, bold=True)
    sheet.space(3)
    for record in interview.records:
        stamp = say("panel", "stamp", time=desk.time(record.created), kind=say("kind_of", record.kind))
        sheet.record(ACCENTS[record.kind], stamp, record.text, link=f"why:memory:{record.id}")


def _evidence(sheet: Sheet, interview: Interview) -> None:
    sheet.text(say("interview", f"evidence_{interview.evidence}", model=interview.model), 10, FAINT)


def side_by_side(desk: Desk, sheet: Sheet, sides: tuple[Side, ...]) -> None:
    """One answer under each condition, in columns, with what each may read."""
    gap = sheet.px(GAP)
    _evidence(sheet, sides[0].interview)
    sheet.space(6)
    width = (sheet.width - gap * (len(sides) - 1)) // len(sides)
    pages = []
    for side in sides:
        column = Sheet(width, desk.fonts)
        column.text(say("conditions", side.name), 12, AMBER, bold=True)
        _readable(column, side.readable, side.hidden)
        _answer(desk, column, side.interview, labelled=False)
        pages.append(column.finish(SLATE))
    sheet.columns(pages, gap)


def _readable(sheet: Sheet, readable: Mapping[Kind, int], hidden: tuple[Kind, ...]) -> None:
    """What a condition lets one read: a row for each kind, with the number of records; hidden kinds are struck out."""
    sheet.space(2)
    for kind in KINDS:
        top, closed = sheet.y, kind in hidden
        sheet.text(say("kind_of", kind), 11, FAINT if closed else ACCENTS[kind], indent=sheet.px(12), strike=closed, most=1)
        dot = (sheet.px(4), top + sheet.px(8))
        colour = EDGE if closed else ACCENTS[kind]
        sheet.paint(lambda s, c=colour, at=dot: pygame.draw.circle(s, c, at, sheet.px(3)))  # type: ignore[misc]
        figure = sheet.fonts.text(say("interview", "hidden") if closed else f"{readable[kind]:,}", 11, FAINT if closed else CREAM)
        sheet.blit(figure, sheet.width - figure.get_width(), top)
    sheet.space(6)

"""What a resident has with others: drawn as a circle of faces, the dearest nearest, and listed with words.

bonds_page(desk, name, step)
"""

from __future__ import annotations

import math

import pygame

from memory import Relationship
from viewer.dossier import bonds_of, talks_together
from viewer.look import ACCENTS, CREAM, EDGE, SLATE, SLATE_DARK
from viewer.panels.kit import Desk, head
from viewer.sheet import Page, Sheet
from viewer.wording import say

DRAWN = 10
"""People in the drawing: those with whom there is most, for good or ill."""
WARM, COLD = ACCENTS["plan"], ACCENTS["event"]


def bonds_page(desk: Desk, name: str, step: int) -> Page:
    """Everybody they know as of a step."""
    sheet = head(desk, name)
    bonds = bonds_of(desk.source, name, step)
    sheet.heading(say("panel", "bonds", count=len(bonds)))
    if len(bonds) > 1:
        _circle(desk, sheet, name, bonds, step)
    for bond in bonds:
        top = sheet.y
        last = say("panel", "last_talk", time=desk.time(bond.last_talk_step)) if bond.last_talk_step is not None else ""
        words = say("panel", "bond", how=bond.how, talks=bond.talks, last=last) if bond.talks else bond.how
        wide = sheet.px(56)
        desk.person(sheet, bond.name, words, link=f"who:{bond.name}", room=wide + sheet.px(42))
        figure = desk.fonts.text(f"{bond.closeness:+.2f}", 11, WARM if bond.closeness >= 0 else COLD, True)
        sheet.blit(figure, desk.width - wide - sheet.px(6) - figure.get_width(), top + sheet.px(2))
        sheet.bar(bond.closeness, WARM if bond.closeness >= 0 else COLD, desk.width - wide, top + sheet.px(7), wide, sheet.px(6))
        sheet.space(3)
    return sheet.finish(SLATE)


def _circle(desk: Desk, sheet: Sheet, name: str, bonds: list[Relationship], step: int) -> None:
    """Lines are the broader the more often two have talked; green for closeness, red for its opposite."""
    shown = sorted(bonds, key=lambda bond: (-abs(bond.closeness) - 0.01 * bond.talks, bond.name))[:DRAWN]
    height = sheet.px(268)
    top, middle = sheet.y, (desk.width // 2, sheet.y + height // 2)
    ground = pygame.Rect(0, top, desk.width, height)
    sheet.paint(lambda s: pygame.draw.rect(s, SLATE_DARK, ground, border_radius=8))
    far = (desk.width / 2 - sheet.px(34), height / 2 - sheet.px(30))
    spots: dict[str, tuple[int, int]] = {}
    for number, bond in enumerate(shown):
        angle = math.tau * number / len(shown) - math.pi / 2
        near = 0.98 - 0.3 * max(0.0, bond.closeness) - (0.12 if number % 2 else 0.0)
        x, y = middle[0] + math.cos(angle) * far[0] * near, middle[1] + math.sin(angle) * far[1] * near
        spots[bond.name] = (round(x), round(y))
    talks = talks_together(desk.source, step)
    for one in spots:
        for other in spots:
            if one < other and talks.get((one, other)):
                ends = (spots[one], spots[other])
                sheet.paint(lambda s, ends=ends: pygame.draw.aaline(s, EDGE, *ends))  # type: ignore[misc]
    most = max([1, *(bond.talks for bond in shown)])
    for bond in shown:
        colour = WARM if bond.closeness >= 0 else COLD
        wide = 1 + round(sheet.px(5) * bond.talks / most)
        sheet.paint(lambda s, at=spots[bond.name], c=colour, w=wide: pygame.draw.line(s, c, middle, at, w))  # type: ignore[misc]
    for bond in shown:
        _face(desk, sheet, bond.name, spots[bond.name], 26, f"who:{bond.name}")
    _face(desk, sheet, name, middle, 36, f"who:{name}")
    sheet.y = top + height + sheet.px(10)


def _face(desk: Desk, sheet: Sheet, name: str, at: tuple[int, int], size: int, link: str) -> None:
    side = sheet.px(size)
    rect = pygame.Rect(0, 0, side + 4, side + 4)
    rect.center = at
    sheet.paint(lambda s: pygame.draw.rect(s, SLATE, rect, border_radius=6))
    sheet.blit(pygame.transform.scale(desk.face(name), (side, side)), rect.x + 2, rect.y + 2)
    words = desk.fonts.outlined(name.split()[0], 10, CREAM, SLATE_DARK, False)
    sheet.blit(words, *words.get_rect(midtop=(at[0], rect.bottom - 2)).topleft)
    sheet.link(rect.inflate(6, 6), link)

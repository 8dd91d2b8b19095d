"""Colours and measures of panels: dark slate, cream words, one accent per kind of record.

Accents differ in lightness as well as in hue, so that colour-blind eyes tell them apart: any two are at least 19 units of
CIELAB apart for deuteranopes and protanopes, too (tests/test_viewer_palette.py). Wherever they are used there is a word, too.
"""

from __future__ import annotations

import pygame

from viewer.fonts import Colour

SLATE, SLATE_LIGHT, SLATE_DARK, EDGE = (40, 44, 58), (56, 61, 79), (30, 33, 44), (84, 90, 112)
CREAM, DIM, FAINT = (250, 243, 224), (176, 174, 172), (118, 122, 138)
AMBER = (242, 190, 104)

ACCENTS: dict[str, Colour] = {
    "observation": (130, 189, 216),
    "conversation": (255, 214, 112),
    "reflection": (190, 126, 226),
    "plan": (110, 196, 149),
    "news": (243, 135, 87),
    "event": (232, 84, 98),
    "gathering": (255, 241, 192),
}
"""Per kind of record, and for news, events and gatherings."""


def plate(size: tuple[int, int], colour: Colour = SLATE, alpha: int = 236, radius: int = 8) -> pygame.Surface:
    """A rounded panel."""
    surface = pygame.Surface(size, pygame.SRCALPHA)
    pygame.draw.rect(surface, (*EDGE, alpha), surface.get_rect(), border_radius=radius)
    pygame.draw.rect(surface, (*colour, alpha), surface.get_rect().inflate(-2, -2), border_radius=radius - 1)
    return surface

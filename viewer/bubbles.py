"""Speech bubbles: cream rounded boxes with a tail that points at the speaker, placed so that they don't cover each other.

draw_bubbles(surface, fonts, placed)      `placed`: (bubble, x, y of the mouth on the screen), the latest last
draw_murmur(surface, x, y, beat)          far away: only that somebody talks
"""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from viewer.fonts import Fonts
from viewer.speech import SIZE, Bubble

CREAM, CREAM_BACK, INK, INK_BACK, RIM = (255, 248, 228), (240, 231, 208), (62, 44, 48), (112, 94, 92), (96, 70, 66)
TOLD = (196, 116, 58)
"""The rim of words that pass something on."""

PLACES = ((0, 0), (0, -1), (0, 1), (1, 0), (1, -1), (1, 1), (2, 0), (2, -1), (2, 1), (0, -2), (0, 2), (1, -2), (1, 2), (3, 0))
"""Where a bubble may go, as (rises, asides) from over the speaker's head; the first free one is taken."""

Point = tuple[int, int]

_boxes: dict[tuple[object, ...], pygame.Surface] = {}


def draw_bubbles(
    surface: pygame.Surface,
    fonts: Fonts,
    placed: Sequence[tuple[Bubble, int, int]],
    taken: Sequence[pygame.Rect] = (),
    heads: Sequence[pygame.Rect] = (),
) -> list[pygame.Rect]:
    """Draws the bubbles, the latest in front; older ones give way upwards or sideways. The places they took."""
    occupied: list[pygame.Rect] = list(taken)
    faces, jobs = list(heads), []
    for bubble, x, y in reversed(placed):
        box = _box(fonts, bubble)
        rect = _place(box, x, y, occupied, faces, surface.get_rect())
        occupied.append(rect)
        jobs.append((bubble, box, rect, x, y))
    for bubble, box, rect, x, y in reversed(jobs):
        _blit(surface, fonts, bubble, box, rect, x, y)
    return occupied


def _place(
    box: pygame.Surface, x: int, y: int, occupied: list[pygame.Rect], heads: list[pygame.Rect], screen: pygame.Rect
) -> pygame.Rect:
    width, height = box.get_size()
    best, least = None, None
    for rise, aside in PLACES:
        left = x - width // 2 + (aside * (width // 2 - 18) if abs(aside) < 2 else (aside // 2) * (width // 2 + 30))
        rect = pygame.Rect(left, y - height - 9 - rise * (height // 2 + 12), width, height)
        rect.clamp_ip(screen.inflate(-8, -8))
        covered = sum(_area(rect.clip(occupied[at])) for at in rect.collidelistall(occupied))
        faces = sum(_area(rect.clip(heads[at])) for at in rect.collidelistall(heads))
        cost = (covered > 0) * 2000 + covered * 4 + faces * 3 + (rise * 900 + abs(aside) * 300)
        if least is None or cost < least:
            best, least = rect, cost
        if covered + faces == 0:
            break
    assert best is not None
    return best


def _area(rect: pygame.Rect) -> int:
    return rect.width * rect.height


def _box(fonts: Fonts, bubble: Bubble) -> pygame.Surface:
    key = (bubble.lines, bubble.front, bool(bubble.line.facts), fonts.scale)
    box = _boxes.get(key)
    if box is None:
        if len(_boxes) > 120:
            _boxes.clear()
        ink, fill = (INK, CREAM) if bubble.front else (INK_BACK, CREAM_BACK)
        lines = [fonts.text(line, SIZE, ink) for line in bubble.lines]
        pad, step = fonts.size(8), fonts.size(17)
        width = max(line.get_width() for line in lines) + 2 * pad
        height = step * len(lines) + 2 * (pad - 3)
        box = pygame.Surface((width, height), pygame.SRCALPHA)
        radius = fonts.size(8)
        pygame.draw.rect(box, (*(TOLD if bubble.line.facts else RIM), 255), box.get_rect(), border_radius=radius)
        pygame.draw.rect(box, (*fill, 255), box.get_rect().inflate(-2, -2), border_radius=radius - 1)
        for number, line in enumerate(lines):
            box.blit(line, (pad, pad - 3 + number * step + (step - line.get_height()) // 2))
        _boxes[key] = box
    return box


def _blit(
    surface: pygame.Surface, fonts: Fonts, bubble: Bubble, box: pygame.Surface, rect: pygame.Rect, x: int, y: int
) -> None:  # fmt: skip
    fill = CREAM if bubble.front else CREAM_BACK
    rim = TOLD if bubble.line.facts else RIM
    tail = _tail(fonts, rect, x, y)
    if bubble.alpha >= 0.99:
        surface.blit(box, rect)
        _draw_tail(surface, tail, fill, rim)
        return
    left, top = min(point[0] for point in tail) - 2, min(point[1] for point in tail) - 2
    right, bottom = max(point[0] for point in tail) + 3, max(point[1] for point in tail) + 3
    bounds = rect.union(pygame.Rect(left, top, right - left, bottom - top))
    layer = pygame.Surface(bounds.size, pygame.SRCALPHA)
    layer.blit(box, (rect.x - bounds.x, rect.y - bounds.y))
    _draw_tail(layer, [(px - bounds.x, py - bounds.y) for px, py in tail], fill, rim)
    layer.set_alpha(max(0, round(255 * bubble.alpha)))
    surface.blit(layer, bounds)


def _tail(fonts: Fonts, rect: pygame.Rect, x: int, y: int) -> list[Point]:
    """Root, root, tip: downwards to the speaker's head, or sideways when the box stands beside it."""
    half, reach = fonts.size(6), fonts.size(28)
    beside = x < rect.left or x > rect.right
    if beside and y < rect.bottom + half:
        edge, way = (rect.left, -1) if x < rect.left else (rect.right - 1, 1)
        root = min(max(y + half, rect.top + half + 6), rect.bottom - half - 6)
        far = min(max(abs(x - edge) - half, 5), reach)
        return [(edge, root - half), (edge, root + half), (edge + way * far, min(max(y + half, root - half), root + half))]
    root = min(max(x, rect.left + half + 8), rect.right - half - 8)
    bottom = rect.bottom - 1
    down = min(max(y - 2, bottom + 4), bottom + reach)
    aside = min(max(x, root - reach), root + reach)
    return [(root - half, bottom), (root + half, bottom), (aside if down >= y - 3 else root + (aside - root) // 2, down)]


def _draw_tail(surface: pygame.Surface, tail: list[Point], fill: tuple[int, int, int], rim: tuple[int, int, int]) -> None:
    one, other, tip = tail
    pygame.draw.polygon(surface, fill, tail)
    if one[1] == other[1]:
        pygame.draw.line(surface, fill, (one[0] + 1, one[1] - 1), (other[0] - 1, one[1] - 1), 2)
    else:
        pygame.draw.line(surface, fill, (one[0], one[1] + 1), (one[0], other[1] - 1), 2)
    pygame.draw.aaline(surface, rim, one, tip)
    pygame.draw.aaline(surface, rim, other, tip)


def draw_murmur(surface: pygame.Surface, x: int, y: int, beat: float) -> None:
    """Three small dots in a drop: somebody talks here. `beat` in seconds moves the dots."""
    box = pygame.Rect(x - 9, y - 13, 18, 11)
    pygame.draw.polygon(surface, CREAM, ((x - 3, y - 3), (x + 3, y - 3), (x, y + 2)))
    pygame.draw.rect(surface, RIM, box.inflate(2, 2), border_radius=6)
    pygame.draw.rect(surface, CREAM, box, border_radius=5)
    lit = int(beat * 3) % 3
    for number in range(3):
        pygame.draw.circle(surface, INK if number == lit else (176, 158, 146), (x - 5 + number * 5, y - 8), 1.5)

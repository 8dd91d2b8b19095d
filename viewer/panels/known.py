"""What a resident knows of the town: their own partial copy of its tree, drawn on the town, and as a tree to open.

known_page(desk, name, step, opened)
"""

from __future__ import annotations

from collections.abc import Collection

import pygame

from memory.known_map import KnownMap
from town.tree import Arena, Sector, leaf
from viewer.camera import TILE
from viewer.dossier import known_of
from viewer.look import ACCENTS, CREAM, DIM, EDGE, FAINT, SLATE
from viewer.panels.kit import Desk, branch, head
from viewer.sheet import Page, Sheet
from viewer.wording import say

UNKNOWN, BETWEEN = (22, 24, 33, 205), (22, 24, 33, 110)
"""What lies over places one doesn't know, and over ground that is no place."""
KNOWN = ACCENTS["plan"]


def known_page(desk: Desk, name: str, step: int, opened: Collection[str]) -> Page:
    """What is known as of a step."""
    sheet, town = head(desk, name), desk.source.town
    known = known_of(desk.source, name, step)
    sheet.heading(say("panel", "known_map"))
    _picture(desk, sheet, known)
    things = [thing.address for thing in town.objects()]
    rooms = [arena.address for arena in town.arenas()]
    figures = {"buildings": [sector.address for sector in town.sectors], "rooms": rooms, "things": things}
    for key, addresses in figures.items():
        part = sum(known.knows(address) for address in addresses)
        top = sheet.y
        sheet.text(say("panel", f"known_{key}"), 12, DIM)
        words = sheet.fonts.text(say("panel", "of", part=part, all=len(addresses)), 12, CREAM, True)
        sheet.blit(words, sheet.px(150) - words.get_width(), top)
        left = sheet.px(162)
        sheet.gauge(part / max(1, len(addresses)), KNOWN, left, top + sheet.px(6), sheet.width - left, sheet.px(6))
    sheet.heading(say("panel", "known_tree"))
    for sector in sorted(town.sectors, key=lambda sector: (not known.knows(sector.address), leaf(sector.address))):
        _sector(sheet, sector, known, opened)
    return sheet.finish(SLATE)


def _picture(desk: Desk, sheet: Sheet, known: KnownMap) -> None:
    """The town, dark where it isn't known."""
    town, ground = desk.source.town, desk.ground(desk.width)
    width, height = ground.get_size()
    cover = pygame.Surface((town.width, town.height), pygame.SRCALPHA)
    cover.fill(BETWEEN)
    for tile, arena in town.arena_of_tile.items():
        cover.set_at(tile, (0, 0, 0, 0) if known.knows(arena.address) else UNKNOWN)
    for tile in town.walls:
        near = [arena for arena in map(town.arena_of_tile.get, _around(tile)) if arena is not None]
        if near:
            cover.set_at(tile, (0, 0, 0, 0) if any(known.knows(arena.address) for arena in near) else UNKNOWN)
    picture = ground.copy()
    picture.blit(pygame.transform.scale(cover, (width, height)), (0, 0))
    top, scale = sheet.y, width / (town.width * TILE)
    sheet.blit(picture, 0, top)
    frame = pygame.Rect(0, top, width, height)
    sheet.paint(lambda s: pygame.draw.rect(s, EDGE, frame, 1))
    for sector in town.sectors:
        tiles = [tile for arena in sector.arenas for tile in arena.tiles]
        if sector.kind != "street" and tiles:
            left, up = min(x for x, _ in tiles), min(y for _, y in tiles)
            right, down = max(x for x, _ in tiles) + 1, max(y for _, y in tiles) + 1
            at = (left, up, right - left, down - up)
            x, y, wide, high = (round(value * TILE * scale) for value in at)
            sheet.link(pygame.Rect(x, top + y, wide, high), f"look:{sector.address}")
    sheet.y = top + height + sheet.px(8)


def _around(tile: tuple[int, int]) -> list[tuple[int, int]]:
    return [(tile[0] + x, tile[1] + y) for x in (-1, 0, 1) for y in (-1, 0, 1)]


def _sector(sheet: Sheet, sector: Sector, known: KnownMap, opened: Collection[str]) -> None:
    knows = known.knows(sector.address)
    things = [thing.address for arena in sector.arenas for thing in arena.objects]
    part = sum(known.knows(address) for address in things)
    words = (
        leaf(sector.address) if not knows else say("panel", "place_part", place=leaf(sector.address), part=part, all=len(things))
    )
    is_open = sector.address in opened
    branch(
        sheet, 0, is_open if knows and sector.arenas else None, "", words, KNOWN if knows else FAINT,
        toggle=f"open:{sector.address}", link=f"look:{sector.address}", ink=CREAM if knows else FAINT, most=1,
    )  # fmt: skip
    if is_open and knows:
        for arena in sector.arenas:
            _arena(sheet, arena, known, opened)


def _arena(sheet: Sheet, arena: Arena, known: KnownMap, opened: Collection[str]) -> None:
    knows, is_open = known.knows(arena.address), arena.address in opened
    branch(
        sheet, 1, is_open if knows and arena.objects else None, "", leaf(arena.address), KNOWN if knows else FAINT,
        toggle=f"open:{arena.address}", link=f"look:{arena.address}", ink=CREAM if knows else FAINT, most=1,
    )  # fmt: skip
    if is_open and knows:
        for thing in arena.objects:
            knows_it, seen = known.knows(thing.address), known.state(thing.address)
            words = say("panel", "last_seen", thing=leaf(thing.address), state=seen) if seen else leaf(thing.address)
            branch(
                sheet, 2, None, "", words, KNOWN if knows_it else FAINT, toggle="", link=f"look:{thing.address}",
                ink=DIM if knows_it else FAINT, most=1,
            )  # fmt: skip

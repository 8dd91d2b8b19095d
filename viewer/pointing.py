"""The mouse: what is pressed, dragged and clicked in the window, and what lies under a point of the screen.

Pointer(window)     .event(event)    .at, where the mouse is
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pygame

from viewer import commands
from viewer.snapshot import Happening

if TYPE_CHECKING:
    from viewer.window import Window

DRAG = 4
"""Pixels that make a press a drag."""
PLACES_BELOW = 1.0
"""Below this zoom a click means a building, not a thing in it."""


class Pointer:
    """The mouse of a window."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self.at: tuple[int, int] = (0, 0)
        self._pressed: tuple[int, int] | None = None
        self._dragging = False

    def event(self, event: pygame.event.Event) -> None:
        """Takes an event of the mouse that isn't the panels' alone."""
        self.at = event.pos
        window = self._window
        if event.type == pygame.MOUSEMOTION:
            self._moved(event)
        elif window.panels.covers(event.pos):
            self._pressed = None
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == 1:
            self._press(event.pos)
        elif event.type == pygame.MOUSEBUTTONUP and event.button == 1:
            window.scrubber.release()
            if self._pressed is not None and not self._dragging:
                self._click(event.pos)
            self._pressed, self._dragging = None, False
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button in (4, 5):
            commands.zoom(window, 1 if event.button == 4 else -1, event.pos)

    def _moved(self, event: pygame.event.Event) -> None:
        window = self._window
        if window.scrubber.dragging:
            window.playback.seek(window.scrubber.step_at(event.pos[0]))
        elif self._pressed is not None:
            dx, dy = event.pos[0] - self._pressed[0], event.pos[1] - self._pressed[1]
            if self._dragging or abs(dx) + abs(dy) > DRAG:
                self._dragging = True
                window.let_go()
                window.camera.pan(-event.rel[0], -event.rel[1])

    def _press(self, point: tuple[int, int]) -> None:
        window = self._window
        if window.helping:
            window.helping = False
            return
        command = window.scrubber.press(point)
        if command == "seek":
            window.playback.seek(window.scrubber.step_at(point[0]))
        elif command is not None:
            commands.run(window, command)
        elif window.overlays.mapping and window.overlays.minimap.rect.collidepoint(point):
            window.let_go()
            window.camera.look(*window.overlays.minimap.tile_at(point))
        elif not window.scrubber.rect.collidepoint(point):
            self._pressed = point

    def _click(self, point: tuple[int, int]) -> None:
        window, panels = self._window, self._window.panels
        for rect, bubble in zip(window.drawn.bubbles, reversed(window.drawn.spoken), strict=False):
            if rect.collidepoint(point):
                panels.open_talk(bubble.line.talk)
                return
        for rect, happening in window.overlays.lines:
            if rect.collidepoint(point):
                self._go_to(happening)
                return
        name = window.drawn.at(point)
        if name is not None:
            window.select(name)
        elif (place := window.drawn.crowd_at(point) or self.place_at(point)) is not None:
            panels.open_place(place)
        elif panels.mode in ("who", "place"):
            window.selected, window.following = None, False
            panels.close()

    def place_at(self, point: tuple[int, int]) -> str | None:
        """The thing at a point of the screen; from afar the building."""
        view, town = self._window.camera.view(), self._window.source.town
        tile = view.tile(*point)
        arena = town.arena_of_tile.get(tile)
        if view.zoom < PLACES_BELOW:
            sector = town.sector(arena.address) if arena is not None else None
            return sector.address if sector is not None and sector.kind != "street" else None
        below = (tile[0], tile[1] + 1)  # tall things reach into the tile to the north
        for wanted in (tile, below):
            for thing in arena.objects if arena is not None else ():
                if wanted in thing.tiles:
                    return thing.address
        return None

    def _go_to(self, happening: Happening) -> None:
        """What a line of the ticker stands for."""
        window = self._window
        who = next((name for name in window.source.names if happening.id.startswith(f"{name}/")), None)
        if who is not None:
            window.select(who)
            window.following = True
        line = next((line for line in window.source.said if line.id == happening.id), None)
        if line is not None:
            window.panels.open_talk(line.talk)

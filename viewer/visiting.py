"""Walking into the town oneself: a visitor moved with the arrow keys, who is seen, spoken to and remembered.

    Visiting(window)    .enter(tile) / .leave()  .press(way) / .release(way)  .say(words)  .advance(seconds)  .here

All of it are wishes (`simulation.interventions`), as `town visit` makes them; the engine answers them at its next step, so the
town has to be lived meanwhile, at a pace at which one can walk. A short press is one tile; held down, the visitor is sent a
few tiles ahead again and again, and stopped where the key is let go.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from kernel import RunFileError, UsageError
from simulation.interventions import Wish, wish_go, wish_leave, wish_visit, wish_words
from town import Grid
from town.percepts import Tile
from viewer import futures
from viewer.playback import WALKING
from viewer.wording import say

if TYPE_CHECKING:
    from viewer.window import Window

WAYS: dict[Tile, str] = {(0, -1): "north", (1, 0): "east", (0, 1): "south", (-1, 0): "west"}
HELD = 0.3
"""Seconds after which a key counts as held down."""
AHEAD = 5
"""Tiles ahead that a visitor is sent while a key is held."""
AGAIN = 0.4
"""Seconds until they are sent on."""
PATIENCE = 3.0
"""Seconds within which somebody who lives the run says so."""
LISTEN = 0.5
"""Seconds between two looks at what couldn't be said."""
COMING = 12.0
"""Seconds within which a visitor who was asked in must have come."""


class Visiting:
    """The visitor of one window. `asked`: whether one is in town, on the way in, or asked for."""

    def __init__(self, window: Window) -> None:
        self._window = window
        self.name = window.settings.visitor or say("visit", "name")
        self.asked = False
        self._tile: Tile | None = None
        self._since = 0.0
        self._written = False
        self._way: Tile | None = None
        self._held = self._sent = 0.0
        self._grid: Grid | None = None
        self._heard = 0.0
        self._unsaid = (-1, -1)

    @property
    def here(self) -> bool:
        """Whether the visitor stands in the town."""
        source = self._window.source
        return self.asked and self.name in source.visitors and source.there(self.name, source.committed)

    # ------------------------------------------------------------------ coming and going

    def toggle(self) -> None:
        """V: walk in, or leave."""
        if self.asked:
            self.leave()
        else:
            self.enter(self._way_in())

    def enter(self, tile: Tile | None) -> None:
        """Asks to come in on a tile (None: at the town's first door); said in a sentence when nobody lives the run."""
        window = self._window
        if window.source.over:
            window.tell(say("visit", "over"))
            return
        window.playback.go_live()
        window.playback.choose(min(window.playback.pace, WALKING))
        futures.pace(window)
        self.asked, self._written, self._tile, self._since = True, False, tile, window.seconds
        window.panels.close_all()
        if self.here:  # left standing by an earlier window
            self._written = True
        else:
            window.tell(say("visit", "coming", name=self.name))

    def leave(self) -> None:
        """Goes away."""
        if self.here:
            self._wish(lambda: wish_leave(self._window.source.run, self.name))
        self.asked, self._way = False, None
        if self._window.selected == self.name:
            self._window.selected, self._window.following = None, False
        self._window.panels.close_line()
        self._window.tell(say("visit", "left", name=self.name))

    def _way_in(self) -> Tile | None:
        """The tile nearest to the mouse that one can stand on, to the middle of the picture when the mouse is elsewhere."""
        window = self._window
        left, right = window.sides()
        point = window.pointer.at
        if not left < point[0] < right or not 0 < point[1] < window.scrubber.rect.top or window.panels.covers(point):
            point = ((left + right) // 2, window.scrubber.rect.top // 2)
        x, y = window.camera.view().tile(*point)
        grid = self._paths()
        near = [(x + dx, y + dy) for dx in range(-6, 7) for dy in range(-6, 7)]
        free = [tile for tile in near if grid.walkable(tile)]
        return min(free, key=lambda tile: (abs(tile[0] - x) + abs(tile[1] - y), tile)) if free else None

    def _paths(self) -> Grid:
        if self._grid is None:
            self._grid = Grid(self._window.source.town)
        return self._grid

    # ------------------------------------------------------------------ walking and speaking

    def press(self, way: Tile) -> None:
        """An arrow key goes down: one tile that way."""
        if self.here and way != self._way:
            self._way, self._held = way, 0.0
            self._wish(lambda: wish_go(self._window.source.run, self.name, way=WAYS[way]))

    def release(self, way: Tile) -> None:
        """An arrow key is let go: who was sent ahead stops."""
        if way != self._way:
            return
        self._way = None
        tile = self._tile_now()
        if self._held >= HELD and tile is not None:
            there = self._ahead(tile, way, 1)
            self._wish(lambda: wish_go(self._window.source.run, self.name, tile=there))

    def say(self, words: str) -> None:
        """Says something to whoever is near."""
        if words:
            self._wish(lambda: wish_words(self._window.source.run, self.name, words))

    def talk(self) -> None:
        """Enter: a line to type what is said."""
        if self.here:
            self._way = None
            self._window.panels.open_line(say("visit", "hint"))

    def _tile_now(self) -> Tile | None:
        return self._window.source.tile(self.name, self._window.source.committed)

    def _ahead(self, tile: Tile, way: Tile, most: int) -> Tile:
        """As far as one can walk straight on."""
        for _ in range(most):
            further = (tile[0] + way[0], tile[1] + way[1])
            if not self._paths().walkable(further):
                break
            tile = further
        return tile

    def _wish(self, make: Callable[[], Wish]) -> None:
        try:
            wish = make()
        except (UsageError, RunFileError) as error:
            self._window.tell(error.sentence())
        else:
            self._window.meddling.write(wish, quiet=True)

    # ------------------------------------------------------------------ time

    def advance(self, seconds: float) -> None:
        """Real time passes."""
        window = self._window
        if not self.asked:
            return
        if not self._written:
            self._come_in()
        elif self.here:
            window.selected, window.following, window.director = self.name, True, None
            self._walk_on(seconds)
            self._listen(seconds)
        elif window.seconds - self._since > COMING:
            self._fail(say("visit", "not_come", name=self.name))
        elif self.name in window.source.visitors and window.selected == self.name:
            self.asked = False  # somebody else has seen them out

    def _listen(self, seconds: float) -> None:
        """Tells what couldn't be said, since nobody was near or listened."""
        self._heard += seconds
        if self._heard < LISTEN:
            return
        self._heard = 0.0
        with suppress(RunFileError):
            sql = "SELECT step, n FROM memories WHERE resident = ? AND tag = 'unsaid' AND (step, n) > (?, ?) ORDER BY step, n"
            for step, n in self._window.source.run.rows(sql, (self.name, *self._unsaid)):
                self._unsaid = (step, n)
                self._window.tell(say("visit", "unsaid"))

    def _come_in(self) -> None:
        """Once the engine has answered, asks it to let the visitor in."""
        window = self._window
        if window.pacing.told is not None:
            self._written, self._since = True, window.seconds
            self._unsaid = (window.source.committed, -1)
            try:
                wish = wish_visit(window.source.run, self.name, say("visit", "look"), tile=self._tile)
            except (UsageError, RunFileError) as error:
                self._fail(error.sentence())
            else:
                window.meddling.write(wish, quiet=True)
        elif window.seconds - self._since > PATIENCE:
            self._fail(say("visit", "nobody"))

    def _fail(self, words: str) -> None:
        self.asked = False
        self._window.tell(words)

    def _walk_on(self, seconds: float) -> None:
        if self._way is None:
            return
        before, self._held = self._held, self._held + seconds
        self._sent = 0.0 if before < HELD else self._sent - seconds
        tile = self._tile_now()
        if self._held >= HELD and self._sent <= 0.0 and tile is not None:
            self._sent = AGAIN
            there = self._ahead(tile, self._way, AHEAD)
            if there != tile:
                self._wish(lambda: wish_go(self._window.source.run, self.name, tile=there))

    def words(self) -> str:
        """What one can do, for the headline; empty when no visitor is in town."""
        if not self.asked:
            return ""
        if not self.here:
            return say("visit", "coming", name=self.name)
        return say("visit", "help", name=self.name)

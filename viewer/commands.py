"""What a user can have the window do: each a function of the window, reached by a key, a button or a link.

KEYS                   key -> command; a new command is a function and a line in this table (and one in the help's wording)
run(window, words)     a command by its word, as buttons give it: "toggle", "pace:60"
go(window, link)       follows a link of a panel: "who:NAME", "talk:ID", "step:N"; or does what was typed: "event:WORDS"
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import pygame

from viewer.director import Director
from viewer.film import bounds
from viewer.futures import fork_here, live_on, meddle, pace
from viewer.meddling import DEEDS, Deed
from viewer.playback import PACES
from viewer.settings import Settings, write_settings

if TYPE_CHECKING:
    from viewer.window import Window

Command = Callable[["Window"], None]


# ---------------------------------------------------------------------- time


def toggle(window: Window) -> None:
    """Pauses or goes on; at the live edge, the town does."""
    window.playback.playing = not window.playback.playing
    pace(window)


def go_at(window: Window, rate: float) -> None:
    """Another pace, in game seconds per second; at the live edge, the town's."""
    window.playback.choose(rate)
    pace(window)


def flat_out(window: Window) -> None:
    """The town lives as fast as it can."""
    go_at(window, math.inf)


def step_on(window: Window) -> None:
    """One step on; at the live edge, the town lives one step."""
    edge = window.source.committed
    if window.source.over or window.playback.step + 1 <= edge:
        window.playback.nudge(1)
    else:
        window.playback.live, window.playback.playing = True, False
        pace(window, until=edge + 1)


def step_back(window: Window) -> None:
    """One step back."""
    window.playback.nudge(-1)


def live(window: Window) -> None:
    """To the live edge."""
    window.playback.go_live()
    if window.pacing.wanted is not None:
        pace(window)


# ---------------------------------------------------------------------- the camera


def follow(window: Window) -> None:
    """Follows the selected resident, or stops following."""
    window.following = window.selected is not None and not window.following
    window.director = None


def direct(window: Window) -> None:
    """Director mode on or off."""
    window.director = None if window.director is not None else Director(window.source)
    window.following = False


def whole_town(window: Window) -> None:
    """Shows all of the town."""
    window.let_go()
    window.camera.fit()


def zoom(window: Window, notches: int, point: tuple[int, int]) -> None:
    """Nearer or farther, towards a point of the screen."""
    window.director = None
    window.camera.zoom_at(point, notches)


def zoom_in(window: Window) -> None:
    """Nearer, towards the mouse."""
    zoom(window, 1, window.pointer.at)


def zoom_out(window: Window) -> None:
    """Farther."""
    zoom(window, -1, window.pointer.at)


def look_at(window: Window, address: str) -> None:
    """The camera goes to a place."""
    left, top, right, bottom = bounds(window.source, address)
    window.let_go()
    window.camera.look((left + right - 1) / 2, (top + bottom - 2) / 2, max(window.camera.suited(1.0), window.camera.goal_zoom))


# ---------------------------------------------------------------------- panels


def residents(window: Window) -> None:
    """The list of residents."""
    window.panels.toggle_roster()


def news(window: Window) -> None:
    """The news panel."""
    _switch(window, "news", lambda: window.panels.open_news())


def talk(window: Window) -> None:
    """The conversation going on, the selected resident's or the latest."""
    step = int(window.playback.step)
    talks = window.source.talks_between(step - 60, step)
    mine = [talk for talk in talks if window.selected in talk.everybody]
    chosen = (mine or talks)[-1].id if talks else None
    _switch(window, "talk", lambda: window.panels.open_talk(chosen))


def status(window: Window) -> None:
    """How far the run is, and what it took."""
    _switch(window, "status", window.panels.open_status)


def _switch(window: Window, mode: str, opening: Callable[[], None]) -> None:
    if window.panels.mode == mode:
        window.panels.close()
    else:
        opening()


def small_map(window: Window) -> None:
    """The small map on or off."""
    window.mapping = not window.mapping


def helping(window: Window) -> None:
    """The keys."""
    window.helping = not window.helping


def escape(window: Window) -> None:
    """Closes what was opened last."""
    if window.helping:
        window.helping = False
    elif not (window.panels.close_line() or window.panels.close()):
        window.selected, window.following, window.director = None, False, None


def keep_settings(window: Window) -> None:
    """The window as it is now is how it opens from now on."""
    chosen, roster = window.playback.chosen, window.panels.roster is not None
    panel = "residents" if roster else window.panels.mode if window.panels.mode in ("news", "status") else "none"
    changed = {
        "size": f"{window.size[0]}x{window.size[1]}", "zoom": window.camera.goal_zoom,
        "pace": "flat out" if math.isinf(chosen) else chosen, "director": window.director is not None, "panel": panel,
        "minimap": window.mapping,
    }  # fmt: skip
    window.tell(write_settings(Settings.model_validate(window.settings.model_dump() | changed)))


def visit(window: Window) -> None:
    """Walks into the town as a visitor, or leaves it."""
    window.visiting.toggle()


def talk_as_visitor(window: Window) -> None:
    """A line to say something as a visitor."""
    window.visiting.talk()


def clip(window: Window) -> None:
    """Saves the last seconds as a film, while the window goes on."""
    window.tell(window.clips.save(window.camera, window.selected if window.following else None, window.playback.pace))


def whole_screen(window: Window) -> None:
    """The whole screen, or back."""
    if pygame.display.get_surface() is not None:
        pygame.display.toggle_fullscreen()


# ---------------------------------------------------------------------- words for commands


KEYS: dict[int, Command] = {
    pygame.K_SPACE: toggle,
    pygame.K_PERIOD: step_on,
    pygame.K_COMMA: step_back,
    pygame.K_1: lambda window: go_at(window, PACES[0]),
    pygame.K_2: lambda window: go_at(window, PACES[1]),
    pygame.K_3: lambda window: go_at(window, PACES[2]),
    pygame.K_4: lambda window: go_at(window, PACES[3]),
    pygame.K_5: flat_out,
    pygame.K_l: live,
    pygame.K_g: live_on,
    pygame.K_k: fork_here,
    pygame.K_v: visit,
    pygame.K_RETURN: talk_as_visitor,
    pygame.K_KP_ENTER: talk_as_visitor,
    pygame.K_f: follow,
    pygame.K_t: direct,
    pygame.K_HOME: whole_town,
    pygame.K_PLUS: zoom_in,
    pygame.K_EQUALS: zoom_in,
    pygame.K_KP_PLUS: zoom_in,
    pygame.K_MINUS: zoom_out,
    pygame.K_KP_MINUS: zoom_out,
    pygame.K_r: residents,
    pygame.K_n: news,
    pygame.K_c: talk,
    pygame.K_i: status,
    pygame.K_m: small_map,
    pygame.K_F1: helping,
    pygame.K_F2: keep_settings,
    pygame.K_F9: clip,
    pygame.K_F11: whole_screen,
    pygame.K_ESCAPE: escape,
}

BUTTONS: dict[str, Command] = {"toggle": toggle, "back": step_back, "on": step_on, "live": live}


def run(window: Window, words: str) -> None:
    """A command as a button gives it."""
    word, _, rest = words.partition(":")
    if word == "pace":
        go_at(window, float(rest))
    else:
        BUTTONS[word](window)


def go(window: Window, link: str) -> None:
    """Follows a link of a panel, or does what was typed there."""
    word, _, rest = link.partition(":")
    if word == "who":
        window.select(rest)
        window.following = True
    elif word == "talk":
        window.panels.open_talk(rest)
    elif word == "step":
        window.playback.seek(float(rest))
    elif word == "say":
        window.panels.close_line()
        window.visiting.say(rest)
    elif word == "look":
        look_at(window, rest)
    elif word == "ask":
        trouble = window.interviewing.ask(window.panels.who or "", rest, int(window.playback.step))
        if trouble:
            window.tell(trouble)
    elif word in DEEDS:
        target = window.panels.who if word == "voice" else window.panels.place
        meddle(window, Deed(word, target or "", rest))

"""When words are to be seen: each utterance's bubble is shown long enough to be read, however fast the town lives.

    Speech(source, fonts).at(step, pace) -> bubbles to show, the latest last

`pace` is game seconds per real second (0: a still picture). A line begins when it is spoken, or when the line before it
has been up for a while; it stays READ seconds a page. A line that would come far too late is left out (the reader has
it), unless it passes on a fact.
"""

from __future__ import annotations

from dataclasses import dataclass

from viewer.fonts import Fonts
from viewer.snapshot import Line, Talk
from viewer.source import Source

READ = 3.2
"""Seconds of real time that a page of up to three lines stays."""
ANSWER = 0.62
"""The answer appears when this part of the time of the line before has passed."""
LATE = 45
"""A line that would come more steps late than this is left out."""
FASTEST = 60.0
"""Beyond this pace bubbles no longer wait to be read."""
FADE = 0.25
"""Seconds of fading in and out."""
SIZE, WIDTH = 13, 210
"""Font size and width of a bubble's text, at scale 1."""


@dataclass(frozen=True, slots=True)
class Bubble:
    """What to show over a speaker: `lines` of the present page, `alpha` 0..1, `front`: is the latest of its talk."""

    line: Line
    lines: tuple[str, ...]
    alpha: float
    front: bool


class Speech:
    """The bubbles of a run."""

    def __init__(self, source: Source, fonts: Fonts) -> None:
        self._source, self.fonts = source, fonts
        self._plans: dict[str, tuple[int, float, list[tuple[float, float, Line]]]] = {}

    def pages(self, line: Line) -> list[list[str]]:
        """The words as pages of a bubble."""
        return self.fonts.pages(line.text, SIZE, round(WIDTH * self.fonts.scale))

    def at(self, step: float, pace: float) -> list[Bubble]:
        """The bubbles at a step; of several by one speaker only the latest."""
        if pace <= 0:
            return self._still(step)
        steps = min(pace, FASTEST) / self._source.clock.step_seconds
        reach = LATE + 4 * READ * steps
        found: dict[str, tuple[float, Bubble]] = {}
        for talk in self._source.talks_between(int(step - reach), int(step)):
            latest = None
            for start, end, line in self._plan(talk, steps):
                if start <= step < end:
                    pages = self.pages(line)
                    part = (step - start) / (end - start)
                    page = pages[min(int(part * len(pages)), len(pages) - 1)]
                    alpha = min(1.0, (step - start) / steps / FADE, (end - step) / steps / FADE)
                    found[line.speaker] = (start, Bubble(line, tuple(page), alpha, False))
                    latest = line.speaker
            if latest is not None:
                start, bubble = found[latest]
                found[latest] = (start, Bubble(bubble.line, bubble.lines, bubble.alpha, True))
        return [bubble for _, bubble in sorted(found.values(), key=lambda item: item[0])]

    def _still(self, step: float) -> list[Bubble]:
        """For a still picture: the last words of each conversation going on."""
        bubbles = []
        for talk in self._source.talks_between(int(step) - 1, int(step)):
            said = talk.said(step)[-1:]
            bubbles += [Bubble(line, tuple(self.pages(line)[0]), 1.0, True) for line in said]
        return bubbles

    def _plan(self, talk: Talk, steps: float) -> list[tuple[float, float, Line]]:
        """(start, end, line) of a talk's bubbles, in steps, at `steps` a second."""
        kept = self._plans.get(talk.id)
        if kept is not None and kept[0] == len(talk.lines) and kept[1] == steps:
            return kept[2]
        plan: list[tuple[float, float, Line]] = []
        own_end: dict[str, float] = {}
        free = 0.0
        for line in talk.lines:
            start = max(float(line.step), free, own_end.get(line.speaker, 0.0))
            if start - line.step > LATE and not line.facts:
                continue
            lasts = max(READ * len(self.pages(line)) * steps, 1.0)
            plan.append((start, start + lasts, line))
            own_end[line.speaker] = start + lasts
            free = start + lasts * ANSWER
        if len(self._plans) > 200:
            self._plans.clear()
        self._plans[talk.id] = (len(talk.lines), steps, plan)
        return plan

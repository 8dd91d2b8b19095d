"""The page about the run itself: how far it is, on what it runs, what that took, and what it waits for.

Figures                       what the window knows beside the run file
status_page(desk, figures)
"""

from __future__ import annotations

from dataclasses import dataclass

from viewer.look import ACCENTS, AMBER, CREAM, DIM, FAINT, SLATE
from viewer.panels.kit import Desk
from viewer.sheet import Page, Sheet
from viewer.wording import say

COLUMNS = (150, 212, 274, 336)
"""Right edges of the columns of figures."""
MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Figures:
    """`pace` and `engine`: how fast the town lives, what the engine does; `waiting`: the call it waits for; in words.
    `price`: of a million tokens in and out, None: not known."""

    pace: str = ""
    engine: str = ""
    waiting: str = ""
    price: tuple[float, float] | None = None


def status_page(desk: Desk, figures: Figures) -> Page:
    """Figures as of what is committed."""
    sheet, source = desk.sheet(), desk.source
    meta = source.run.meta()
    sheet.text(source.title, 17, CREAM, bold=True)
    sheet.text(source.path.name, 12, DIM)
    sheet.space(8)
    sheet.gauge(source.committed / max(1, source.planned), ACCENTS["conversation"], 0, sheet.y, desk.width, sheet.px(6))
    sheet.space(10)
    rows = [
        ("lived", f"{source.clock.at(source.committed):%a %Y-%m-%d %H:%M}"),
        ("steps", f"{source.committed:,} / {source.planned:,}"),
        ("pace", figures.pace),
        ("engine", figures.engine),
        ("waiting", figures.waiting or say("status", "nothing")),
        ("scenario", say("status", "seeded", scenario=meta.get("scenario", ""), seed=meta.get("seed", ""))),
        ("parent", meta.get("parent", "")),
        ("mind", meta.get("mind", "")),
        ("model", meta.get("model", "")),
        ("residents", f"{len(source.names)}"),
        ("talks", f"{len(source.talks):,}"),
        ("utterances", f"{len(source.said):,}"),
    ]
    for key, value in rows:
        if value:
            _row(sheet, say("status", key), value, AMBER if key == "waiting" and figures.waiting else CREAM)
    _calls(desk, sheet, meta.get("model", ""), figures)
    return sheet.finish(SLATE)


def _calls(desk: Desk, sheet: Sheet, model: str, figures: Figures) -> None:
    """The calls of the model, with what they cost where that is known."""
    source = desk.source
    rows = source.run.rows(
        "SELECT operation, COUNT(*), SUM(tokens_in), SUM(tokens_out), SUM(fallback IS NOT NULL), SUM(cost) FROM calls"
        " WHERE step < ? GROUP BY operation ORDER BY COUNT(*) DESC",
        (source.committed,),
    )
    sheet.heading(say("status", "calls"))
    _cells(sheet, [say("status", key) for key in ("operation", "count", "tokens_in", "tokens_out", "fallbacks")], 10, FAINT)
    for operation, *counted, _ in rows:
        _cells(sheet, [operation, *(f"{value:,}" for value in counted)], 11, ACCENTS["event"] if counted[3] else CREAM)
    total = [sum(row[column] for row in rows) for column in range(1, 5)]
    sheet.space(3)
    _cells(sheet, [say("status", "all"), *(f"{value:,}" for value in total)], 11, AMBER)
    sheet.space(6)
    known = [row[5] for row in rows if row[5] is not None]
    if known:
        cost = f"{sum(known):,.4f}"  # as the models' side reckoned it
    elif model == "offline" or figures.price is not None:
        price = figures.price or (0.0, 0.0)
        cost = f"{(total[1] * price[0] + total[2] * price[1]) / MILLION:,.4f}"
    else:
        cost = say("status", "unknown")
    _row(sheet, say("status", "cost"), cost, CREAM)
    if cost == say("status", "unknown"):
        sheet.text(say("status", "how_cost"), 10, FAINT)


def _cells(sheet: Sheet, cells: list[str], size: int, colour: tuple[int, int, int]) -> None:
    """A line of a table: a word at the left, figures that end at the same edge."""
    top = sheet.y
    sheet.text(cells[0], size, colour, most=1, room=sheet.width - sheet.px(COLUMNS[0] - 40))
    for words, right in zip(cells[1:], COLUMNS, strict=True):
        picture = sheet.fonts.text(words, size, colour)
        sheet.blit(picture, min(sheet.width, sheet.px(right)) - picture.get_width(), top)


def _row(sheet: Sheet, key: str, value: str, colour: tuple[int, int, int]) -> None:
    top, left = sheet.y, sheet.px(108)
    sheet.text(key, 12, DIM)
    lines = sheet.fonts.wrap(value, 12, sheet.width - left, True)
    for number, line in enumerate(lines):
        picture = sheet.fonts.text(line, 12, colour, True)
        sheet.blit(picture, sheet.width - picture.get_width(), top + number * sheet.px(16))
    sheet.y = max(sheet.y, top + len(lines) * sheet.px(16)) + sheet.px(2)

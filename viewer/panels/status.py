"""The page about the run itself: how far it is, on what it runs, and what that took."""

from __future__ import annotations

from viewer.look import ACCENTS, CREAM, DIM, SLATE
from viewer.panels.pages import Desk
from viewer.sheet import Page, Sheet
from viewer.wording import say


def status_page(desk: Desk) -> Page:
    """Figures as of what is committed."""
    sheet, source = desk.sheet(), desk.source
    meta = source.run.meta()
    sheet.text(source.title, 17, CREAM, bold=True)
    sheet.text(source.path.name, 12, DIM)
    part = source.committed / max(1, source.planned)
    sheet.space(8)
    sheet.gauge(part, ACCENTS["conversation"], 0, sheet.y, desk.width, sheet.px(6))
    sheet.space(10)
    lived = f"{source.clock.at(source.committed):%a %Y-%m-%d %H:%M}"
    rows = [
        ("lived", lived),
        ("steps", f"{source.committed:,} / {source.planned:,}"),
        ("scenario", say("status", "seeded", scenario=meta.get("scenario", ""), seed=meta.get("seed", ""))),
        ("mind", meta.get("mind", "")),
        ("model", meta.get("model", "")),
        ("residents", f"{len(source.names)}"),
        ("talks", f"{len(source.talks):,}"),
        ("utterances", f"{len(source.said):,}"),
    ]
    for key, value in rows:
        _row(sheet, say("status", key), value)
    sheet.heading(say("status", "calls"))
    for operation, count, tokens_in, tokens_out, fallbacks in source.run.rows(
        "SELECT operation, COUNT(*), SUM(tokens_in), SUM(tokens_out), SUM(fallback IS NOT NULL) FROM calls WHERE step < ?"
        " GROUP BY operation ORDER BY COUNT(*) DESC",
        (source.committed,),
    ):
        words = say("status", "call", count=count, tokens=tokens_in + tokens_out)
        _row(sheet, operation, words + (say("status", "fallbacks", count=fallbacks) if fallbacks else ""))
    return sheet.finish(SLATE)


def _row(sheet: Sheet, key: str, value: str) -> None:
    top = sheet.y
    sheet.text(key, 12, DIM)
    picture = sheet.fonts.text(value, 12, CREAM, True)
    sheet.blit(picture, max(0, sheet.width - picture.get_width()), top)
    sheet.space(2)

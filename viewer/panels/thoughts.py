"""A resident's thoughts as trees: each reflection, what it rests on, and so on down to what was seen, heard or known.

thoughts_page(desk, name, step, opened)    `opened`: the rows that show what is below them
"""

from __future__ import annotations

from collections.abc import Collection

from viewer.dossier import Remembered, memories_of, records_of
from viewer.look import ACCENTS, CREAM, DIM, SLATE
from viewer.panels.kit import Desk, branch, head
from viewer.sheet import Page, Sheet
from viewer.wording import say

MOST = 40
"""Thoughts shown, newest first."""
DEEPEST = 7


def thoughts_page(desk: Desk, name: str, step: int, opened: Collection[str]) -> Page:
    """The thoughts as of a step, newest first."""
    sheet = head(desk, name)
    thoughts = memories_of(desk.source, name, step, "reflection", MOST)
    sheet.heading(say("panel", "thoughts_of", count=len(thoughts)))
    sheet.text(say("panel", "thoughts_how" if thoughts else "no_thoughts"), 11, DIM)
    sheet.space(8)
    for thought in thoughts:
        _row(desk, sheet, thought, thought.id, 0, opened)
    return sheet.finish(SLATE)


def _row(desk: Desk, sheet: Sheet, record: Remembered, path: str, depth: int, opened: Collection[str]) -> None:
    below = record.evidence if depth < DEEPEST else ()
    stamp = say("panel", "stamp", time=desk.time(record.created), kind=say("kind_of", record.kind))
    if below:
        stamp = say("panel", "rests_on", stamp=stamp, count=len(below))
    is_open = path in opened
    branch(
        sheet, depth, is_open if below else None, stamp, record.text, ACCENTS[record.kind],
        toggle=f"open:{path}", link=f"why:memory:{record.id}", ink=CREAM if depth < 2 else DIM, most=5 if is_open else 3,
    )  # fmt: skip
    if is_open:
        for child in records_of(desk.source, below):
            if child.id not in path.split(" "):
                _row(desk, sheet, child, f"{path} {child.id}", depth + 1, opened)

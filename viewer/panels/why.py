"""Pages that answer questions: why something was done or said, and what there is at a place. Only what is on file.

why_page(desk, id)                       the reasons of an act, an utterance, a memory or a plan
recall_page(desk, name, query, step)     what would come to mind for some words, with the three scores
place_page(desk, address, snapshot)      a thing or a room: its state, who is there, what can be done
"""

from __future__ import annotations

from kernel import UsageError, clock_face
from simulation.reading.why import explain, in_words
from town.tree import Arena, GameObject, Sector, leaf, parts
from viewer.look import ACCENTS, AMBER, CREAM, DIM, FAINT, SLATE
from viewer.panels.kit import Desk
from viewer.sheet import Page
from viewer.snapshot import Snapshot
from viewer.wording import say

TERMS = ("recency", "importance", "relevance")
TERM_COLOURS = (ACCENTS["observation"], ACCENTS["conversation"], ACCENTS["plan"])
LONGEST = 90
"""Lines shown of one explanation: a model's whole question can be long."""


def why_page(desk: Desk, id: str) -> Page:
    """The reasons of one thing, as `town why` gives them; what is indented there is indented here."""
    sheet = desk.sheet()
    sheet.text(say("panel", "why"), 10, AMBER, bold=True)
    sheet.space(4)
    try:
        lines = list(in_words(explain(desk.source.run, id)))
    except UsageError as error:
        sheet.text(error.what, 12, DIM)
        return sheet.finish(SLATE)
    for number, line in enumerate(lines[:LONGEST]):
        depth = (len(line) - len(line.lstrip())) // 2
        words = line.strip()
        if not words:
            continue
        if number == 0:
            sheet.text(words, 14, CREAM, bold=True)
        elif depth == 0:
            sheet.space(8)
            sheet.text(words, 11, ACCENTS["reflection"], bold=True)
        else:
            head, bracket, name = words.rpartition(" [")
            link = f"why:{name.rstrip(']')}" if bracket and name.endswith("]") and name.count("/") == 2 else None
            sheet.text(
                head if link else words,
                12 if depth < 3 else 11,
                CREAM if depth < 3 else DIM,
                indent=sheet.px(10 * depth),
                link=link,
            )
            sheet.space(3)
    if len(lines) > LONGEST:
        sheet.text(say("panel", "why_more", id=id), 11, FAINT)
    return sheet.finish(SLATE)


def recall_page(desk: Desk, name: str, query: str, step: int) -> Page:
    """What would come to mind, best first, each with recency, importance and relevance, and the best of what would not."""
    from simulation.reading.recollect import Retrieved, recollect

    sheet, source = desk.sheet(), desk.source
    found = recollect(source.run, name, query=query, at=f"{source.clock.at(step):%Y-%m-%d %H:%M:%S}", count=12)
    sheet.text(say("panel", "recalls", who=name, query=query), 14, CREAM, bold=True)
    sheet.space(4)
    for number, key in enumerate(TERMS):
        sheet.text(say("panel", key), 10, TERM_COLOURS[number], bold=True)
    sheet.space(6)
    assert isinstance(found, Retrieved)
    for heading, pairs in (("came", found.chosen), ("left_out", found.left_out[:6])):
        if pairs:
            sheet.heading(say("panel", heading))
        for scored, record in pairs:
            stamp = say("panel", "scored", time=desk.time(record.created), kind=record.kind, total=scored.total)
            top = sheet.y
            sheet.record(ACCENTS[record.kind], stamp, record.text, link=f"why:memory:{record.id}")
            width, height = sheet.px(28), sheet.px(5)
            for number, part in enumerate((scored.recency, scored.importance, scored.relevance)):
                left = desk.width - (3 - number) * (width + 4)
                sheet.gauge(part, TERM_COLOURS[number], left, top + sheet.px(5), width, height)
    return sheet.finish(SLATE)


def place_page(desk: Desk, address: str, snapshot: Snapshot) -> Page:
    """A thing, a room or a building at a moment."""
    sheet, node = desk.sheet(), desk.source.town.by_address[address]
    sheet.text(leaf(address), 17, CREAM, bold=True)
    sheet.text(", ".join(reversed(parts(address)[1:-1])), 12, DIM)
    if isinstance(node, GameObject):
        sheet.heading(say("panel", "state"))
        sheet.text(snapshot.states.get(address, node.idle), 14, CREAM, bold=True)
        users = [body.name for body in snapshot.bodies.values() if body.deed is not None and body.deed.target == address]
        changes = desk.source.changes(address, int(snapshot.step))
    else:
        users, changes = [], []
        sector = desk.source.town.sector(address)
        if sector.hours is not None:
            opens, closes = (clock_face(minute) for minute in sector.hours)
            sheet.text(say("panel", "hours", opens=opens, closes=closes), 12, DIM)
    inside = _inside(desk, node, snapshot)
    for key, people in (("users", users), ("inside", [name for name in inside if name not in users])):
        if people:
            sheet.heading(say("panel", key))
        for name in people:
            body = snapshot.bodies[name]
            desk.person(sheet, name, body.deed.text if body.deed else "", link=f"who:{name}")
    if changes:
        sheet.heading(say("panel", "lately"))
        times = [desk.time(step) for step, _ in changes]
        for time, (step, state) in zip(times, changes, strict=True):
            sheet.entry(time, state, link=f"step:{step}", wide=any(len(other) > 5 for other in times))
    if isinstance(node, Arena | GameObject) and node.owners:
        sheet.heading(say("panel", "owners"))
        for name in node.owners:
            sheet.text(name, 12, CREAM, link=f"who:{name}" if name in desk.source.names else None)
    return sheet.finish(SLATE)


def _inside(desk: Desk, node: Sector | Arena | GameObject, snapshot: Snapshot) -> list[str]:
    address = node.address if not isinstance(node, GameObject) else desk.source.town.arena(node.address).address
    arena_of = desk.source.town.arena_of_tile
    found = []
    for body in snapshot.bodies.values():
        arena = arena_of.get(body.tile)
        if arena is not None and (arena.address == address or arena.address.startswith(f"{address} : ")):
            found.append(body.name)
    return found

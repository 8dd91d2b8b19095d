"""Checks of plans: the day in parts, the hours in blocks, a block in tasks.

Times of day are minutes since midnight of the day planned and may pass 24:00. A plan that is merely untidy (out of
order, overlapping, running over) is put straight; one that leaves most of the time empty is refused.
"""

from __future__ import annotations

from itertools import pairwise

from kernel import ReplyInvalid, minutes_of
from language.operations import Decompose, PlanDay, PlanHours
from language.replies import DayOutline, HourBlock, HourPlan, Part, Task, TaskList

FEWEST_PARTS = 3
"""of a whole day; the rest of a running day may have one."""
MOST_PARTS = 16
DAY = 24 * 60


def time_of_day(minute: int) -> str:
    """Minutes since midnight -> "HH:MM", past 24:00 for the small hours of the next day."""
    return f"{minute // 60:02d}:{minute % 60:02d}"


def _minutes(text: str, where: str) -> int:
    try:
        return minutes_of(text)
    except ValueError:
        raise ReplyInvalid(f"{where}: not a time of day; write HH:MM") from None


def check_day(op: PlanDay, reply: DayOutline) -> DayOutline:
    """Parts in order, without overlap, each at least five minutes long."""
    spans = []
    for i, part in enumerate(reply.parts):
        start, end = _minutes(part.start, f"parts.{i}.start"), _minutes(part.end, f"parts.{i}.end")
        spans.append((start, end + DAY if end <= start and end + DAY - start <= DAY // 2 else end, i))
    tidy = all(a[1] <= b[0] for a, b in pairwise(spans)) and all(s < e for s, e, _ in spans)
    needed = 1 if op.replanning or _nearly_over(op) else FEWEST_PARTS
    if tidy and needed <= len(spans) <= MOST_PARTS and all(minutes_of(reply.parts[i].end) == e for _, e, i in spans):
        return reply
    parts: list[Part] = []
    free_from = 0
    for start, end, i in sorted(spans):
        start = max(start, free_from)
        if end - start >= 5:
            times = {"start": time_of_day(start), "end": time_of_day(end)}
            parts.append(reply.parts[i].model_copy(update=times))
            free_from = end
    if len(parts) < needed:
        raise ReplyInvalid(f"parts: at least {needed} needed, each ending after it starts and none overlapping")
    return reply.model_copy(update={"parts": parts[:MOST_PARTS]})


def _nearly_over(op: PlanDay) -> bool:
    """Whether little is left of the day that is planned (somebody is up late, or was never asleep)."""
    minute = op.scene.now.hour * 60 + op.scene.now.minute
    return any(0 <= op.person.sleeps - at < 4 * 60 for at in (minute, minute + DAY))


def check_hours(op: PlanHours, reply: HourPlan) -> HourPlan:
    """Blocks in order, within the parts asked about, `part` the index of the part they fall in."""
    if not op.parts:
        return reply if not reply.blocks else HourPlan(blocks=[])
    blocks: list[HourBlock] = []
    covered = 0
    free_from = min(part[0] for part in op.parts)
    timed = [(_minutes(block.start, f"blocks.{i}.start"), i) for i, block in enumerate(reply.blocks)]
    for start, i in sorted(timed):
        block = reply.blocks[i]
        at = max(start, free_from)
        part = _part_at(op, at, block.part)
        if part is None:
            continue
        minutes = min(start + block.minutes, op.parts[part][1]) - at
        if minutes < 5:
            continue
        if (at, minutes, part) == (start, block.minutes, block.part):
            blocks.append(block)
        else:
            blocks.append(block.model_copy(update={"start": time_of_day(at), "minutes": minutes, "part": part}))
        covered += minutes
        free_from = at + minutes
    asked = sum(end - start for start, end, _, _ in op.parts)
    if covered * 2 < asked:
        raise ReplyInvalid("blocks: less than half of the time of the parts is filled")
    return reply if blocks == reply.blocks else HourPlan(blocks=blocks)


def _part_at(op: PlanHours, minute: int, hint: int) -> int | None:
    if 0 <= hint < len(op.parts) and op.parts[hint][0] <= minute < op.parts[hint][1]:
        return hint
    for i, (start, end, _, _) in enumerate(op.parts):
        if start <= minute < end:
            return i
    return None


def check_tasks(op: Decompose, reply: TaskList) -> TaskList:
    """Tasks that fill the block: what runs over is cut, a gap of less than half is left to the last task."""
    total = sum(task.minutes for task in reply.tasks)
    if total == op.minutes:
        return reply
    if total * 2 < op.minutes:
        raise ReplyInvalid(f"tasks: {op.minutes} minutes are to be filled, {total} are")
    tasks: list[Task] = []
    left = op.minutes
    for task in reply.tasks:
        if left <= 0:
            break
        minutes = min(task.minutes, left)
        tasks.append(task if minutes == task.minutes else task.model_copy(update={"minutes": minutes}))
        left -= minutes
    if left > 0:
        tasks[-1] = tasks[-1].model_copy(update={"minutes": min(60, tasks[-1].minutes + left)})
    return TaskList(tasks=tasks)

"""Game time: steps, and the calendar they stand for."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from kernel.errors import UsageError

DAY_SECONDS = 24 * 3600


@dataclass(frozen=True, slots=True)
class Clock:
    """Maps step numbers to the calendar. Step k begins at `start + k * step_seconds`."""

    start: datetime
    step_seconds: int = 10

    def at(self, step: int) -> datetime:
        """The calendar time at which `step` begins."""
        return self.start + timedelta(seconds=step * self.step_seconds)

    def step_at(self, moment: datetime) -> int:
        """The first step that begins at or after `moment` (may be negative before the start)."""
        return -int((self.start - moment).total_seconds() // self.step_seconds)

    def steps(self, *, minutes: float = 0, hours: float = 0, days: float = 0) -> int:
        """A duration in whole steps, rounded, at least 1 for a positive duration."""
        seconds = minutes * 60 + hours * 3600 + days * DAY_SECONDS
        return max(1, round(seconds / self.step_seconds)) if seconds > 0 else 0

    def hours(self, steps: int) -> float:
        """A number of steps in game hours."""
        return steps * self.step_seconds / 3600

    def day(self, step: int) -> date:
        """The calendar day of a step."""
        return self.at(step).date()

    def minute_of_day(self, step: int) -> int:
        """Minutes since midnight of a step (0..1439)."""
        moment = self.at(step)
        return moment.hour * 60 + moment.minute

    def step_on(self, day: date, minute: int) -> int:
        """The first step at or after `minute` minutes past midnight of `day` (minute may exceed 1440)."""
        return self.step_at(datetime.combine(day, time()) + timedelta(minutes=minute))

    def parse(self, text: str) -> datetime:
        """Reads "2023-02-14 20:00", or "20:00" for the run's first day. Raises UsageError."""
        text = text.strip()
        for form in ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"):
            try:
                return datetime.strptime(text, form)
            except ValueError:
                continue
        try:
            return datetime.combine(self.start.date(), datetime.strptime(text, "%H:%M").time())
        except ValueError:
            raise UsageError(f"'{text}' is not a time", hint='write "2023-02-14 20:00" or "20:00"') from None


def minutes_of(text: str) -> int:
    """ "HH:MM" -> minutes since midnight; hours may pass 24 ("26:00" is two at night). Raises ValueError."""
    hours, _, minutes = text.strip().partition(":")
    h, m = int(hours), int(minutes or 0)
    if not (0 <= h < 48 and 0 <= m < 60):
        raise ValueError(f"'{text}' is not a time of day")
    return h * 60 + m


def clock_face(minute: int) -> str:
    """Minutes since midnight -> "HH:MM" (wrapped to one day)."""
    minute %= 24 * 60
    return f"{minute // 60:02d}:{minute % 60:02d}"

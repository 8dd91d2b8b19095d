"""The people of a generated town: households, work, acquaintances, and what their files say.

Someone       one of them, as far as is known
households    a number of residents -> who lives with whom
persona       everything that is said of one
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from kernel import Dice
from scenarios.generating.building import Building, Job

LUNCH = 12 * 60
DINNER = 19 * 60


@dataclass(slots=True)
class Someone:
    """`home` is the building, `room` and `bed` addresses in it without the town; `known`: name -> (how, fields of the text)."""

    name: str
    pronoun: str
    home: str = ""
    room: str = ""
    bed: str = ""
    job: Job | None = None


def households(residents: int, data: Mapping[str, Any], sizes: Mapping[int, Mapping[str, Any]], seed: int) -> list[list[Someone]]:
    """People by household; no two of one name. Sizes by their shares."""
    dice = Dice(seed, "everybody", 0, "names")
    taken: set[str] = set()
    found: list[list[Someone]] = []
    left = residents
    while left:
        fitting = [size for size in sizes if size <= left]
        size = dice.weighted(fitting, [sizes[n]["share"] for n in fitting])
        found.append([_named(dice, data, taken) for _ in range(size)])
        left -= size
    return found


def _named(dice: Dice, data: Mapping[str, Any], taken: set[str]) -> Someone:
    while True:  # there are several times as many names as people at most
        pronoun = dice.weighted(list(data["pronouns"]), list(data["pronouns"].values()))
        name = f"{dice.choice(data['first'][pronoun])} {dice.choice(data['last'])}"
        if name not in taken:
            taken.add(name)
            return Someone(name, pronoun)


def employ(people: Sequence[Someone], jobs: Sequence[Job], seed: int) -> None:
    """Gives work to people by dice, as far as there is any."""
    dice = Dice(seed, "everybody", 0, "work")
    for someone, job in zip(dice.shuffled(people), dice.shuffled(jobs), strict=False):
        someone.job = job


def minutes(text: str) -> int:
    """Since midnight."""
    hours, _, rest = text.partition(":")
    return int(hours) * 60 + int(rest)


def said(minute: int, data: Mapping[str, Any]) -> str:
    """A time in words, to the half hour."""
    half_hours = round(minute / 30)
    if half_hours == 24:
        return str(data["noon"])
    hour = str(data["hours"][str(half_hours // 2)]) if half_hours % 2 == 0 or half_hours // 2 != 12 else str(data["noon"])
    words = str(data["half"]).format(hour=hour) if half_hours % 2 else hour
    part = "morning" if minute < 12 * 60 else "afternoon" if minute < 18 * 60 else "evening"
    return str(data["daytime"][part]).format(hour=words)


def _clock(minute: int) -> str:
    return f"{minute // 60}:{minute % 60:02d}"


def persona(
    someone: Someone, known: Mapping[str, tuple[str, str]], shared: Sequence[Building], data: Mapping[str, Any], seed: int
) -> dict[str, Any]:
    """What a persona file says. `known`: name -> (how, place of work)."""
    dice = Dice(seed, someone.name, 0, "life")
    first = someone.name.split(maxsplit=1)[0]
    job = someone.job
    idle = dice.choice(data["without_work"])
    ages = job.ages if job is not None else tuple(idle["ages"])
    hobby = dice.choice(data["hobbies"])
    trait, other_trait, third = dice.shuffled(data["traits"])[:3]
    manner = dice.choice(data["speech"])
    fields = {
        "name": someone.name, "first": first, "home": someone.home, "hobby": hobby["does"], "wants": hobby["wants"],
        "trait": trait, "other_trait": other_trait, "occupation": job.occupation if job is not None else idle["occupation"],
        **data["pronoun"][someone.pronoun],
    }  # fmt: skip
    for use in ("meal", "stroll", "evening"):
        fields[use] = dice.choice([getattr(place, use) for place in shared if getattr(place, use) is not None])
    fields["does"] = job.does if job is not None else str(idle["does"]).format(**fields)
    starts, ends = (minutes(job.hours[0]), minutes(job.hours[1])) if job is not None else (9 * 60, 16 * 60)
    wakes = min(starts - 90, 8 * 60) - 10 * dice.below(5)
    sleeps = max(21 * 60 + 30, min(ends + 60, 23 * 60)) + 10 * dice.below(9)
    after = max(ends + 30, 16 * 60)
    lives = data["rhythm"]
    order: list[tuple[int, str]] = [(wakes, lives["wakes"]), (sleeps, lives["last"])]
    order.append((starts, lives["works" if job is not None else "home"]))
    order.append((LUNCH, lives["lunch_out" if dice.chance(0.5) else "lunch_home"]))
    if job is None:
        order.append((LUNCH + 60, lives["afternoon_home"]))
    elif starts < LUNCH - 60:
        order.append((LUNCH + 60, lives["afternoon"]))
    if after < DINNER - 30:
        order.append((after, lives["stroll" if dice.chance(0.6) else "evening"]))
    if ends <= DINNER:
        order.append((DINNER + 1, lives["cooks"]))
    fields |= {"wakes": said(wakes, data), "starts": said(starts, data), "after": said(after, data), "dinner": said(DINNER, data)}
    written: dict[str, Any] = {
        "name": someone.name,
        "age": ages[0] + dice.below(ages[1] - ages[0] + 1),
        "pronoun": someone.pronoun,
        "occupation": fields["occupation"],
        "traits": [trait, other_trait, third],
        "about": " ".join(text.format(**fields) for text in data["about" if job is not None else "about_home"]),
        "rhythm": [text.format(**fields) for _, text in sorted(order, key=lambda entry: entry[0])],
        "aims": [text.format(**fields) for text in data["aims"]],
        "speech": str(manner["text"]).format(**fields),
        "formality": manner["formality"],
        "talkative": manner["talkative"],
        "home": someone.room,
        "bed": someone.bed,
        "wakes": _clock(wakes),
        "sleeps": _clock(sleeps),
    }
    if job is not None:
        written["work"] = {"place": job.at, "hours": list(job.hours)}
    written["knows"] = {
        other: {
            "how": data["knows"][how]["how"],
            "closeness": data["knows"][how]["closeness"],
            "text": str(data["knows"][how]["text"]).format(me=someone.name, other=other, place=place),
        }
        for other, (how, place) in known.items()
    }
    return written

"""A blind rating session: one resident's life, and answers to one question of each category, coded and shuffled.

    Session, Key          what a rater sees; which answer is whose, kept apart
    build(...)            both, from answers by condition
    parse_order(text)     "B > A = C" -> ranks
    Store(folder)         sessions, keys and ratings of a study in `judging/`

Within subjects, as in Park et al. 2023, section 6: the rater ranks the answers of all conditions to the same question. Codes
are letters, drawn anew for each question; nothing else tells conditions apart.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kernel import Dice, RunFileError, UsageError, digest
from studies.ranking import Ranking
from studies.wording import say

M = TypeVar("M", bound=BaseModel)
LETTERS = "ABCDEFGHIJ"
Code = Annotated[str, Field(pattern=r"^[A-J]$")]


class Answer(BaseModel):
    """One answer as it is shown."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    code: Code
    text: str


class Asked(BaseModel):
    """One question with its answers, in the order of their codes."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    question: str
    answers: tuple[Answer, ...]


class Session(BaseModel):
    """What a rater sees, and nothing else. `id` says nothing about what is in it."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    resident: str
    time: str
    life: tuple[str, ...]
    memory: tuple[str, ...]
    questions: tuple[Asked, ...]

    @property
    def first(self) -> str:
        """The resident's first name."""
        return self.resident.split(" ")[0]


class KeyQuestion(BaseModel):
    """Which condition each code stands for."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    item: str
    category: str
    codes: dict[Code, str]


class Key(BaseModel):
    """What the session hides."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: str
    run: str
    resident: str
    questions: tuple[KeyQuestion, ...]


class Rated(BaseModel):
    """What a rater has done so far: ranks by code, one mapping per question, None: not yet."""

    model_config = ConfigDict(extra="forbid")
    session: str
    rater: str
    ranks: list[dict[Code, int] | None]

    @property
    def done(self) -> int:
        """Rated questions."""
        return sum(one is not None for one in self.ranks)


@dataclass(frozen=True, slots=True)
class Material:
    """Answers to one question by condition, before they are coded."""

    item: str
    category: str
    question: str
    answers: Mapping[str, str]


def build(
    run: str, resident: str, time: str, life: Sequence[str], memory: Sequence[str], material: Sequence[Material], number: int
) -> tuple[Session, Key]:
    """The `number`-th session about a resident: a question drawn from each category, codes drawn for each question."""
    id = digest([run, resident, time, number])[:12]
    dice = Dice(number, id, 0, "session")
    by_category: dict[str, list[Material]] = {}
    for one in material:
        if len(one.answers) > 1:
            by_category.setdefault(one.category, []).append(one)
    if not by_category:
        raise UsageError(f"there is nothing to rate of {resident}", hint="answers of at least two conditions are needed")
    drawn = [dice.choice(options) for options in by_category.values()]
    asked, keys = [], []
    for one in drawn:
        order = dice.shuffled(list(one.answers))
        codes = dict(zip(LETTERS, order, strict=False))
        asked.append(
            Asked(
                question=one.question,
                answers=tuple(Answer(code=code, text=one.answers[name].strip() or "…") for code, name in codes.items()),
            )
        )
        keys.append(KeyQuestion(item=one.item, category=one.category, codes=codes))
    session = Session(id=id, resident=resident, time=time, life=tuple(life), memory=tuple(memory), questions=tuple(asked))
    return session, Key(id=id, run=run, resident=resident, questions=tuple(keys))


def parse_order(text: str, codes: Sequence[str]) -> dict[str, int]:
    """Ranks from "B > A = C > D" (commas and blanks may stand for ">"). Raises UsageError for what isn't an order of all."""
    found: dict[str, int] = {}
    groups = [group for group in re.split(r"[>,;\s]+", re.sub(r"\s*=\s*", "=", text.strip().upper())) if group]
    if not groups:
        raise UsageError(say("judging", "errors.nothing"))
    for group in groups:
        rank = len(found) + 1
        for code in filter(None, group.split("=")):
            if code not in codes:
                raise UsageError(say("judging", "errors.unknown", code=code, codes=", ".join(codes)))
            if code in found:
                raise UsageError(say("judging", "errors.twice", code=code))
            found[code] = rank
    left = [code for code in codes if code not in found]
    if left:
        raise UsageError(say("judging", "errors.left", codes=", ".join(left)))
    return found


class Store:
    """The folder `judging` of a study or beside a run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, session: Session, key: Key) -> None:
        """Keeps both, each in its own place; what is there already is the same."""
        _write(self.folder / "sessions" / f"{session.id}.json", session)
        _write(self.folder / "keys" / f"{session.id}.json", key)

    def key(self, id: str) -> Key:
        """Raises RunFileError for a session that isn't this study's."""
        return _read(self.folder / "keys" / f"{_safe(id)}.json", Key)

    def session(self, id: str) -> Session:
        """Raises RunFileError."""
        return _read(self.folder / "sessions" / f"{_safe(id)}.json", Session)

    def rated(self, session: Session, rater: str) -> Rated:
        """What a rater has done of a session, or nothing yet."""
        path = self._path(session.id, rater)
        if not path.exists():
            return Rated(session=session.id, rater=rater, ranks=[None] * len(session.questions))
        return _read(path, Rated)

    def save(self, rated: Rated) -> None:
        """Whole or not at all."""
        _write(self._path(rated.session, rated.rater), rated)

    def all_rated(self) -> list[Rated]:
        """In order of their files' names."""
        return [_read(path, Rated) for path in sorted((self.folder / "ratings").glob("*.json"))]

    def rankings(self) -> list[Ranking]:
        """Everything rated so far, decoded."""
        found = []
        for one in self.all_rated():
            key = self.key(one.session)
            for asked, ranks in zip(key.questions, one.ranks, strict=False):
                if ranks:
                    named = {asked.codes[code]: rank for code, rank in ranks.items() if code in asked.codes}
                    found.append(Ranking(key.run, key.resident, asked.category, asked.item, one.rater, named))
        return found

    def _path(self, id: str, rater: str) -> Path:
        return self.folder / "ratings" / f"{_safe(id)}-{digest(rater)[:8]}.json"


def _safe(id: str) -> str:
    return id if re.fullmatch(r"[0-9a-f]{12}", id) else "unknown"


def _write(path: Path, value: BaseModel) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(json.dumps(value.model_dump(mode="json"), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    part.replace(path)


def _read(path: Path, kind: type[M]) -> M:
    try:
        return kind.model_validate_json(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RunFileError(
            "there is no such rating session", place=str(path.parent.parent), hint="`town judge` makes one"
        ) from None
    except (ValidationError, UnicodeDecodeError):
        raise RunFileError("the file is damaged", place=str(path), hint="delete it and rate again") from None

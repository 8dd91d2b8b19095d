"""What raters send back: files of a page, checked as strangers' files are.

    collect(store, paths)   -> Collected     taken, partial and refused files, each with why

A file is data from outside: its size, shape, session, codes and ranks are checked before anything is kept. A partial session
is taken as far as it is complete. Collected twice, the fuller of both counts, once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kernel import RunFileError
from studies.judging.session import Code, Key, Rated, Store
from studies.wording import say

MOST = 1_000_000
"""Bytes of a file; a session of 25 answers has about one thousand."""


class _Sent(BaseModel):
    """What a page saves."""

    model_config = ConfigDict(extra="ignore", frozen=True, strict=True)
    kind: Literal["town ratings"]
    session: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
    rater: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,60}$")]
    consent: bool
    check: bool
    ranks: Annotated[list[dict[Code, Annotated[int, Field(ge=1, le=10)]] | None], Field(max_length=100)]


@dataclass
class Collected:
    """`taken` (file, rated questions, questions); `refused` (file, why); `again` files of sessions collected before."""

    taken: list[tuple[str, int, int]] = field(default_factory=list)
    refused: list[tuple[str, str]] = field(default_factory=list)
    again: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """For the terminal."""
        for file, n, of in self.taken:
            yield say("judging", "collect.taken" if n == of else "collect.partial", file=file, n=n, of=of)
        for file in self.again:
            yield say("judging", "collect.again", file=file)
        for file, why in self.refused:
            yield say("judging", "collect.refused", file=file, why=why)
        rankings = sum(n for _, n, _ in self.taken)
        yield say("judging", "collect.sum", sessions=len(self.taken), rankings=rankings, refused=len(self.refused))

    def as_dict(self) -> dict[str, object]:
        """{taken: [{file, rated, of}], refused: [{file, why}], again}."""
        return {
            "taken": [{"file": file, "rated": n, "of": of} for file, n, of in self.taken],
            "refused": [{"file": file, "why": why} for file, why in self.refused],
            "again": self.again,
        }


def collect(store: Store, paths: Iterable[Path]) -> Collected:
    """Takes files, or all .json files of folders. Nothing raises for a bad file: it is refused, with why."""
    found = Collected()
    for path in _files(paths):
        try:
            rated, again = _take(store, path)
        except _Refused as error:
            found.refused.append((str(path), str(error)))
            continue
        if again:
            found.again.append(str(path))
        found.taken.append((str(path), rated.done, len(rated.ranks)))
    return found


class _Refused(Exception):
    pass


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.glob("*.json")) if path.is_dir() else (path,)


def _take(store: Store, path: Path) -> tuple[Rated, bool]:
    sent = _read(path)
    if not sent.consent:
        raise _Refused(say("judging", "none_yes"))
    if not sent.check:
        raise _Refused(say("judging", "check_failed"))
    try:
        key = store.key(sent.session)
    except RunFileError as error:
        raise _Refused(error.what) from None
    if len(sent.ranks) != len(key.questions):
        raise _Refused(f"it has {len(sent.ranks)} questions, the session {len(key.questions)}")
    ranks: list[dict[str, int] | None] = [_whole(key, n, one) for n, one in enumerate(sent.ranks)]
    rated = Rated(session=sent.session, rater=sent.rater, ranks=ranks)
    before = store.rated(store.session(sent.session), sent.rater)
    again = before.done > 0
    if not again or rated.done >= before.done:
        store.save(rated)
        return rated, again
    return before, again


def _whole(key: Key, n: int, ranks: dict[str, int] | None) -> dict[str, int] | None:
    """The ranks of one question, None when they aren't complete."""
    codes = key.questions[n].codes
    if ranks is None or not set(ranks) >= set(codes):
        return None
    if set(ranks) - set(codes):
        raise _Refused(f"question {n + 1} has no answer {sorted(set(ranks) - set(codes))[0]}")
    return ranks


def _read(path: Path) -> _Sent:
    try:
        if path.stat().st_size > MOST:
            raise _Refused(f"it is larger than {MOST // 1_000_000} MB")
        return _Sent.model_validate_json(path.read_bytes())
    except OSError as error:
        raise _Refused(error.strerror or "it can't be read") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _Refused(f"{where}: {first['msg']}" if where else "it isn't what the page saves") from None
    except RecursionError:
        raise _Refused("it isn't what the page saves") from None

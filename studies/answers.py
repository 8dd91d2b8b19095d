"""Batch interviews as files: one answer per line or row, or a page to read.

    writer_for(path)            how a file is written, by its ending: .jsonl, .csv or .md
    AnswerFile.add(interviewed) one answer, on disk at once
    summary(outcome)            lines for the terminal: how often each condition could answer, by category

Every row carries its evidence label (design rule 10).
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from types import TracebackType

from kernel import UsageError, dumps
from simulation.interviewed import KINDS
from simulation.storing.interviews import hidden
from studies.interviewing import Interviewed, Outcome
from studies.wording import count, entries, say

ENDINGS = (".jsonl", ".csv", ".md")
COLUMNS = (
    "evidence", "model", "resident", "step", "time", "category", "item", "condition", "without", "question", "answer",
    "knows", "knowable", "rests_on", *(f"rests_on_{kind}s" for kind in KINDS), "fallback",
)  # fmt: skip
"""Columns of a CSV file; `rests_on` are ids, `rests_on_KINDs` how many of each kind."""
_CELL_STARTERS = ("=", "+", "-", "@", "\t")


class AnswerFile:
    """A file of answers being written; what is added is on disk when the call returns. Use it in a `with`."""

    def __init__(self, path: Path, *, replace: bool = False) -> None:
        """Raises UsageError for another ending, or a file that is there already (unless `replace`)."""
        form = _FORMS.get(path.suffix.casefold())
        if form is None:
            raise UsageError(f"'{path}' doesn't say what kind of file it is", hint=f"end it in {', '.join(ENDINGS)}")
        if path.exists() and not replace:
            raise UsageError(f"'{path}' exists already", hint="choose another --out, or take it up with --resume")
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: TextIOWrapper = path.open("w", encoding="utf-8", newline="")
        self._form = form(self._file)

    def add(self, one: Interviewed) -> None:
        """Writes one answer."""
        self._form(one)
        self._file.flush()

    def __enter__(self) -> AnswerFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._file.close()


def _lines(file: TextIOWrapper) -> Callable[[Interviewed], None]:
    def add(one: Interviewed) -> None:
        file.write(dumps(one.as_dict()) + "\n")

    return add


def _rows(file: TextIOWrapper) -> Callable[[Interviewed], None]:
    writer = csv.writer(file)
    writer.writerow(COLUMNS)

    def add(one: Interviewed) -> None:
        told = one.interview
        by_kind = [sum(record.kind == kind for record in told.records) for kind in KINDS]
        cells = (
            told.evidence, told.model, told.resident, told.step, told.time, one.question.category, one.question.item,
            one.condition, ",".join(hidden(told.without)), told.question, told.answer, int(told.knows),
            int(one.question.knowable), dumps([str(record.id) for record in told.records]), *by_kind,
            told.fallback or "",
        )  # fmt: skip
        writer.writerow([_harmless(cell) for cell in cells])

    return add


def _harmless(cell: object) -> object:
    """Text that a spreadsheet doesn't take for a formula."""
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_CELL_STARTERS) else cell


def _page(file: TextIOWrapper) -> Callable[[Interviewed], None]:
    """By resident and moment; under each question the answers of all conditions, equal ones together."""
    at: list[object] = [None, None, None]

    def add(one: Interviewed) -> None:
        told = one.interview
        lines: list[str] = []
        if at[0] is None:
            lines += [say("interview", f"page.{told.evidence}"), ""]
        for place, (key, text) in enumerate(
            (
                ((told.resident, told.step), say("interview", "page.resident", name=told.resident, time=told.time)),
                (one.question.category, say("interview", "page.category", name=_category(one.question.category))),
                ((one.question.item, told.question), say("interview", "page.question", text=_plain(told.question))),
            )
        ):
            if at[place] != key:
                at[place:] = [key, *[None] * (2 - place)]
                lines += [text, ""]
        lines.append(
            say("interview", "page.answer", condition=condition_words(one.condition), text=_plain(told.answer), rests=_rests(one))
        )
        file.write("\n".join([*lines, ""]) + "\n")

    return add


def _rests(one: Interviewed) -> str:
    kinds = [record.kind for record in one.interview.records]
    found = [count("interview", f"kinds.{kind}", kinds.count(kind)) for kind in KINDS if kind in kinds]
    rests = say("interview", "page.rests", kinds=", ".join(found)) if found else ""
    return rests + (say("interview", "page.fallback") if one.interview.fallback is not None else "")


def _plain(text: str) -> str:
    """Text that Markdown shows as it is."""
    return "".join(f"\\{c}" if c in "\\`*_[]<>#|~" else c for c in text)


def _category(name: str) -> str:
    titles: dict[str, str] = entries("interview", "categories")
    return titles.get(name, name)


def condition_words(name: str) -> str:
    """A condition as readers see it."""
    known: dict[str, str] = entries("interview", "conditions")
    return known.get(name, name)


_FORMS: dict[str, Callable[[TextIOWrapper], Callable[[Interviewed], None]]] = {".jsonl": _lines, ".csv": _rows, ".md": _page}


def summary(outcome: Outcome) -> Iterator[str]:
    """What a batch came to, for the terminal."""
    yield say("interview", f"summary.{outcome.evidence}")
    yield ""
    categories = outcome.plan.bank.categories
    heads = [_category(name) for name in categories]
    names = {condition: condition_words(condition) for condition in outcome.admitted}
    first = max([len(name) for name in names.values()] + [len(say("interview", "summary.corner"))])
    widths = [max(len(head), 7) for head in heads]
    row = [
        say("interview", "summary.corner").ljust(first),
        *(head.rjust(width) for head, width in zip(heads, widths, strict=True)),
    ]
    yield "  ".join(row)
    for condition, found in outcome.admitted.items():
        cells = []
        for category, width in zip(categories, widths, strict=True):
            unknown, answers = found.get(category, (0, 0))
            cells.append((f"{answers - unknown}/{answers}" if answers else "").rjust(width))
        yield "  ".join([names[condition].ljust(first), *cells])
    yield ""
    yield count("interview", "summary.asked", outcome.asked)
    if outcome.again:
        yield count("interview", "summary.again", outcome.again)
    if outcome.fallbacks:
        yield count("interview", "summary.fallbacks", outcome.fallbacks)
    if outcome.unknowable[1]:
        claimed, asked = outcome.unknowable
        yield count("interview", "summary.claimed", claimed, asked=asked)
    if outcome.left:
        one = outcome.left[0]
        yield count(
            "interview", "summary.left", len(outcome.left), resident=one.resident, item=one.unasked.question.item,
            blank=one.unasked.blank,
        )  # fmt: skip
    if outcome.not_kept:
        yield say("interview", "summary.not_kept", why=outcome.not_kept)

"""Pages whose commands are run and whose output is real: the tour, the lesson, the questions in SQL.

    python docs/executed.py [--write] [PAGE ...]      compares what is printed with what the pages show; writes it anew

A page is run from top to bottom in an empty folder. Of a fenced block `console`, every line that begins with "$ town" is run,
and what follows it is what it prints; of a fenced block `sql`, the query is asked of the newest run in `runs/`, and the fenced
block `text` after it is what comes out. Comments before a block say more:

    <!-- id: SELECT ... -->      (when writing) the last word of the command is what this query gives, of the newest run
    <!-- lines 12 -->            only so many lines are shown, then "..."
    <!-- only WORDS -->          only lines with these words (a regular expression) are shown, "..." between them
    <!-- run RUN -->             a query is asked of this run

Lines of more than 150 characters are cut. Tolerance: wall time (seconds), peak memory, file sizes and digests may differ
from what a page shows, nothing else.
"""

from __future__ import annotations

import difflib
import io
import os
import re
import shlex
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field
from pathlib import Path

DOCS = Path(__file__).resolve().parent
PAGES = ("tour.md", "lesson.md", "run-file.md")
WIDTH = "110"
MORE = "..."
LONGEST = 150

_FENCE = re.compile(r"^```(\w*)\n(.*?)^```\n", re.M | re.S)
_ORDER = re.compile(r"^<!-- (id:|lines|only|run) ?(.*?) -->$")
_TOLERATED = (
    (re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{12}\b"), "DIGEST"),
    (re.compile(r"\b\d+(\.\d+)? (s|MB)\b"), r"N \2"),
)
_LIVED: dict[tuple[str, ...], tuple[Path, str]] = {}
"""Runs that pages begin with, lived once: the same words in an empty folder always make the same run."""


@dataclass
class Block:
    """A fenced block of a page: its kind, where its text is, and what the comments before it ask for."""

    kind: str
    start: int
    end: int
    text: str
    orders: dict[str, str] = field(default_factory=dict)


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for found in _FENCE.finditer(page):
        block = Block(found[1], found.start(2), found.end(2), found[2])
        for line in reversed(page[: found.start()].rstrip("\n").split("\n")):
            order = _ORDER.match(line)
            if order is None:
                break
            block.orders[order[1].rstrip(":")] = order[2]
        yield block


def renewed(page: str) -> str:
    """The page with everything it runs run in the present folder, which should be empty."""
    done, at, query = [], 0, ""
    for block in blocks(page):
        text = block.text
        if block.kind == "console":
            text = _console(block)
        elif block.kind == "sql":
            query, asked = text, block.orders.get("run")
        elif block.kind == "text" and query:
            text, query = _cut(_table(query, _newest(asked)), block.orders), ""
        done += [page[at : block.start], text]
        at = block.end
    return "".join([*done, page[at:]])


def _console(block: Block) -> str:
    out = []
    for line in block.text.splitlines():
        if not line.startswith("$ town"):
            continue
        words = shlex.split(line[2:])[1:]
        if "id" in block.orders:
            with sqlite3.connect(_newest(None)) as run:
                row = run.execute(block.orders["id"]).fetchone()
            run.close()
            line = line[: len(line) - len(shlex.join(words[-1:]))] + shlex.join([str(row[0])])
            words[-1] = str(row[0])
        out.append(f"{line}\n{_cut(town(words), block.orders)}")
    return "".join(out)


def town(words: list[str]) -> str:
    """What a command prints, run in this process and the present folder. Raises AssertionError when it fails."""
    key = tuple(words)
    if key in _LIVED and not Path("runs").exists():
        shutil.copytree(_LIVED[key][0], "runs")
        return _LIVED[key][1]
    from cli.main import run

    fresh, out = not Path("runs").exists(), io.StringIO()
    with redirect_stdout(out):
        code = run(words)
    assert code == 0, f"town {shlex.join(words)} ended with {code}: {out.getvalue()[-300:]}"
    text = "\n".join(line.rstrip() for line in out.getvalue().splitlines()).strip("\n")
    text = f"{text}\n" if text else ""
    if fresh and words[0] == "run":
        _LIVED[key] = (Path(shutil.copytree("runs", Path(tempfile.mkdtemp(prefix="town-pages-")) / "runs")), text)
    return text


def _newest(name: str | None) -> Path:
    return Path(name) if name else max(Path("runs").glob("*.town"), key=lambda path: path.stat().st_mtime_ns)


def _cut(text: str, orders: dict[str, str]) -> str:
    lines = text.splitlines()
    if "only" in orders:
        kept: list[str] = []
        for line in lines:
            if re.search(orders["only"], line):
                kept.append(line)
            elif not kept or kept[-1] != MORE:
                kept.append(MORE)
        lines = kept
    if "lines" in orders and len(lines) > int(orders["lines"]):
        lines = [*lines[: int(orders["lines"])], MORE]
    return "".join(f"{line if len(line) <= LONGEST else line[: LONGEST - 4].rstrip() + ' ' + MORE}\n" for line in lines)


def _table(query: str, run: Path) -> str:
    """What a query gives, as text in columns."""
    connection = sqlite3.connect(f"file:{run}?mode=ro", uri=True)
    try:
        cursor = connection.execute(query)
        head = [column[0] for column in cursor.description]
        rows = [["" if cell is None else str(cell) for cell in row] for row in cursor]
    finally:
        connection.close()
    assert rows, f"no row: {query}"
    widths = [max(len(row[x]) for row in [head, *rows]) for x in range(len(head))]
    lines = [head, ["-" * width for width in widths], *rows]
    return "".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() + "\n" for line in lines
    )


@contextmanager
def empty_folder() -> Iterator[Path]:
    """A temporary folder one is in meanwhile, with a terminal of a fixed width."""
    before, environment = Path.cwd(), dict(os.environ)
    with tempfile.TemporaryDirectory(prefix="town-page-") as folder:
        os.chdir(folder)
        os.environ.update(COLUMNS=WIDTH, NO_COLOR="1", SDL_VIDEODRIVER="dummy")
        try:
            yield Path(folder)
        finally:
            os.chdir(before)
            os.environ.clear()
            os.environ.update(environment)


def tolerant(text: str) -> list[str]:
    """The lines of a page without what may differ."""
    for pattern, instead in _TOLERATED:
        text = pattern.sub(instead, text)
    return text.splitlines()


def differences(name: str) -> str:
    """Where a page doesn't show what its commands print, as a diff; "" where it does."""
    page = (DOCS / name).read_text(encoding="utf-8")
    with empty_folder():
        new = renewed(page)
    return "\n".join(difflib.unified_diff(tolerant(page), tolerant(new), f"docs/{name}", "what is printed", lineterm="", n=1))


def main() -> None:
    """Compares or writes."""
    names = [word for word in sys.argv[1:] if not word.startswith("-")] or list(PAGES)
    wrong = 0
    for name in names:
        if "--write" in sys.argv:
            page = (DOCS / name).read_text(encoding="utf-8")
            with empty_folder():
                new = renewed(page)
            (DOCS / name).write_text(new, encoding="utf-8")
        else:
            found = differences(name)
            wrong += bool(found)
            sys.stdout.write(f"{found}\n" if found else "")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()

"""How fast memories are embedded and retrieved: `python benchmarks/retrieval.py [--json]`.

Figures are medians on one core, beside the targets of issue 2: top 30 of 5,000 x 256 in under 0.5 ms.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable
from datetime import datetime

from kernel import Clock, RecordId
from language.embedding import WordllamaEmbedder
from memory import NO_REFLECTION, MindView, Record, Stream, TownSearch

OWNER = "A Resident"
CLOCK = Clock(datetime(2023, 2, 13))
VERBS = ("is reading about", "talks of", "is planning", "dislikes", "asks for", "has forgotten", "dreams of")
THINGS = ("the weather", "a dinner", "the library", "an old song", "a broken lamp", "the garden", "breakfast", "a long walk")


def texts(count: int, start: int = 0) -> list[str]:
    """Distinct sentences of about a dozen tokens."""
    return [f"{OWNER} {VERBS[i % 7]} {THINGS[i // 7 % 8]} in room {i % 23} at the hour {i}" for i in range(start, start + count)]


def median_ms(action: Callable[[], object], times: int = 200) -> float:
    """Median duration of an action in milliseconds."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        action()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken) * 1000


def measure() -> dict[str, float]:
    """All figures, by name."""
    embedder = WordllamaEmbedder()
    embedder.load()
    figures = {"load_seconds": embedder.load_seconds or 0.0}
    many = texts(20_000)
    began = time.perf_counter()
    embedder.embed(many)
    figures["embed_texts_per_second"] = len(many) / (time.perf_counter() - began)
    single = iter(texts(400, start=100_000))
    figures["embed_one_text_ms"] = median_ms(lambda: embedder.embed([next(single)]), 400)
    for count in (500, 5_000):
        stream = Stream(OWNER, embedder, CLOCK)
        stream.extend(Record(RecordId(OWNER, i, 0), "observation", text, i, 1 + i % 10) for i, text in enumerate(texts(count)))
        now = RecordId(OWNER, count + 1, 0)

        def ask(of: Stream | MindView, now: RecordId = now) -> object:
            return of.retrieve("what about the garden?", id=now, step=now.step, purpose="benchmark")

        figures[f"retrieve_30_of_{count}_ms"] = median_ms(lambda stream=stream, ask=ask: ask(stream))  # type: ignore[misc]
    view = MindView(stream, count, NO_REFLECTION)
    figures["open_filtered_view_of_5000_ms"] = median_ms(lambda: MindView(stream, count, NO_REFLECTION), 30)
    figures["retrieve_30_of_5000_filtered_ms"] = median_ms(lambda: ask(view))
    search = TownSearch({f"{OWNER} {n}": stream for n in range(5)})
    figures["search_10_of_25000_ms"] = median_ms(lambda: search.search("what about the garden?"), 30)
    return figures


def main() -> None:
    """Prints the figures, as JSON with --json."""
    figures = {name: round(value, 3) for name, value in measure().items()}
    if "--json" in sys.argv[1:]:
        print(json.dumps(figures, sort_keys=True))
    else:
        for name, value in figures.items():
            print(f"{name:36} {value:>12,.3f}")


if __name__ == "__main__":
    main()

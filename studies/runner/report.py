"""The report of a study: Markdown with tables and plots, and the same as one HTML page.

markdown(data)            from `results.json`
html(text, title)         the page (`page.html` is its frame)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Any

from studies.runner.tables import condition_words, number, probability, tables_of
from studies.wording import say

Data = Mapping[str, Any]
PAGE = Path(__file__).with_name("page.html")


def _s(key: str, /, **fields: object) -> str:
    return say("study", key, **fields)


def markdown(data: Data) -> str:
    """The whole report."""
    return "\n".join(_lines(data)) + "\n"


def html(text: str, title: str) -> str:
    """The report as a page; raw HTML in answers is shown, not used."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(text)
    return Template(PAGE.read_text(encoding="utf-8")).substitute(title=title, body=body)


def _lines(data: Data) -> Iterator[str]:
    tables = tables_of(data)

    def table(name: str) -> Iterator[str]:
        if name in tables:
            yield from tables[name].markdown()

    judge = data["judge"] if data["judge"] in ("grounding", "human") else "model"
    yield from (_s(f"evidence.{data['evidence']}"), "", _s("title", title=data["title"]), "")
    yield from (_s(f"standing.{data['standing']['why']}", hash=data["standing"]["registered"]), "")
    yield from (_s(f"measures.{judge}", judge=data["judge"]), "")
    about = {**data, "answers": data["answers"]["answers"], "runs": data["runs"]["usable"], "residents": len(data["residents"])}
    yield from (_s("about", **about), "")
    yield from _order(data)
    yield from (_s("ratings.head"), "", _s("ratings.text", **{"pass": data["pass"]}), "", _image("ratings"), "")
    yield from table("ratings")
    yield from _published(data)
    yield from (_s("pairs.head"), "", _s("pairs.text", unit=data["tests"]["unit"], omnibus=_omnibus(data["tests"])), "")
    yield from table("pairs")
    yield from (_s("categories.head"), "", _image("categories"), "")
    yield from table("categories")
    yield from (_s("residents.head"), "", _s("residents.text"), "", _image("residents"), "")
    yield from table("residents")
    if data["judging"]:
        yield from (_s("model_judge.head"), "", _s("model_judge.text"), "", *table("judges"))
        agreement = data["tests"]["agreement"]
        if agreement["kendalls_w"] is not None:
            yield from (_s("agreement", w=agreement["kendalls_w"], n=agreement["questions"]), "")
    yield from (_s("verdicts.head"), "", *table("verdicts"))
    if data["no_memory_probe"] is not None:
        yield from (_s("probe_line", **data["no_memory_probe"]), "")
    if data["lives"] is not None:
        yield from (_s("lives.head"), "", _s("lives.text", units=data["lives"]["units"]), "")
        yield from (*table("lives"), *table("lives-pairs"))
    yield from _ends(data, table)
    yield from _runs(data, table)
    yield from (_s("files.head"), "", _s("files.text"))


def _order(data: Data) -> Iterator[str]:
    yield from (_s("order.head"), "")
    for n, name in enumerate(data["order"], 1):
        one = data["conditions"][name]
        yield _s("order.line" if one["n"] else "order.never", name=condition_words(name), **{**one, "n": n})
    pairs = data["tests"]["pairs"]
    alike = [key for key, pair in pairs.items() if pair["holm_p"] is None or pair["holm_p"] >= 0.05]
    names = [_s("order.pair", a=condition_words(a), b=condition_words(b)) for a, b in (key.split(" > ") for key in alike)]
    yield from ("", _s("order.apart", pairs="; ".join(names)) if names else _s("order.all_apart"), "")


def _omnibus(tests: Data) -> str:
    one = tests["kruskal_wallis"]
    if one is None:
        return _s("pairs.untested")
    p = probability(one["p"])
    return _s("pairs.omnibus", **{**one, "p": p if p.startswith("<") else f"= {p}"})


def _published(data: Data) -> Iterator[str]:
    """Only where `results` allowed it (design rule 10)."""
    if data["published"] is None:
        return
    yield from (_s("published.text"), "")
    from studies.runner.tables import Table
    from studies.wording import entries

    rows = [
        [condition_words(name), number(data["conditions"][name]["mu"]), number(mu), number(sigma)]
        for name, (mu, sigma) in data["published"].items()
    ]
    yield from Table("published", entries("study", "published.columns"), rows, data["evidence"]).markdown()


def _ends(data: Data, table: Any) -> Iterator[str]:
    if not data["ends"]:
        return
    yield from (_s("ends.head"), "", _s("ends.text"), "")
    for name in ("diffusion", "figures", "coordination"):
        yield from table(name)
    why = [
        _s("ends.why", run=run, resident=one["resident"], answer=one["answer"].replace("\n", " "))
        for run, each in data["ends"].items()
        for met in each["coordination"].values()
        for one in met["absent_asked"]
    ]
    if why:
        yield from (_s("ends.why_head"), "", *why, "")


def _runs(data: Data, table: Any) -> Iterator[str]:
    runs, answers = data["runs"], data["answers"]
    yield from (_s("runs.head"), "", _s("runs.text", **runs), "")
    yield from table("runs")
    counts = {key: _counts(answers[key]) for key in ("empty", "fallbacks")}
    yield from (_s("runs.answers", **{**answers, **counts}), "")
    if runs["lost_jobs"]:
        yield from (_s("runs.lost_head"), "", *(_s("runs.lost", **one) for one in runs["lost_jobs"]), "")


def _counts(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{condition_words(name)}: {n}" for name, n in counts.items()) or _s("runs.nothing")


def _image(name: str) -> str:
    return _s("image", alt=_s(f"{name}.alt"), file=f"{name}.png")

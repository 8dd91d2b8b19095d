"""Human judging: blind, saved as it goes, taken up; pages for raters elsewhere, and whatever comes back from them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from cli.main import run as town
from kernel import RunFileError, UsageError
from simulation.compose import read_blueprint
from simulation.run import start
from studies.judging.collecting import collect
from studies.judging.page import page
from studies.judging.ranking import human_results
from studies.judging.session import Key, Material, Session, Store, build, parse_order
from studies.judging.shown import lines_of
from studies.judging.sources import Source
from studies.judging.terminal import rate
from studies.ranking import PUBLISHED, write_csv

CONDITIONS = tuple(PUBLISHED)
CATEGORIES = ("self-knowledge", "memory", "plans", "reactions", "reflections")


def made(store: Store, number: int = 1, resident: str = "Ann Moss") -> tuple[Session, Key]:
    """A session of 25 answers: five questions, five conditions."""
    material = [
        Material(
            f"{category}.{n}",
            category,
            f"Question {n} about {category}?",
            {name: f"Text {i}{n}." for i, name in enumerate(CONDITIONS)},
        )
        for category in CATEGORIES
        for n in range(5)
    ]
    session, key = build("probe-seed0", resident, "Tuesday 20:00", ["She wakes."], ["Ann Moss bakes."], material, number)
    store.put(session, key)
    return session, key


def typing(lines: list[str]) -> Callable[[str], str]:
    waiting: Iterator[str] = iter(lines)

    def ask(_: str) -> str:
        try:
            return next(waiting)
        except StopIteration:
            raise EOFError from None

    return ask


def test_a_rater_finishes_25_answers_in_the_terminal(tmp_path: Path) -> None:
    store, told = Store(tmp_path), []
    session, key = made(store)
    rated = rate(session, store, "me", typing(["A > B = C > D > E"] * 5), told.append)
    assert rated.done == 5
    assert "Thank you" in told[-1]
    rankings = store.rankings()
    assert [one.category for one in rankings] == list(CATEGORIES)
    assert rankings[0].ranks == dict(zip(key.questions[0].codes.values(), (1, 2, 2, 4, 5), strict=True))
    assert set(rankings[0].ranks) == set(CONDITIONS)


def test_stopped_half_way_it_is_taken_up_where_it_was(tmp_path: Path) -> None:
    store, told = Store(tmp_path), []
    session, _ = made(store)
    rate(session, store, "me", typing(["life", "memory", "A B C D E", "nonsense", "A B", "B A C D E"]), told.append)
    assert "Ann Moss bakes." in "\n".join(told)
    assert any("there is no answer 'NONSENSE'" in line for line in told)
    assert any("C, D, E have no place yet" in line for line in told)
    assert store.rated(session, "me").done == 2
    told.clear()
    rate(session, store, "me", typing(["back", "E D C B A", "A B C D E", "stop"]), told.append)
    assert "3. Question" not in told[0]
    rated = store.rated(session, "me")
    assert rated.done == 3
    assert rated.ranks[1] == {"E": 1, "D": 2, "C": 3, "B": 4, "A": 5}
    assert store.rated(session, "somebody else").done == 0
    data = human_results(store.rankings(), resamples=10)  # what there is can be ranked
    assert data["rankings"] == 3


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("b > a = c", {"B": 1, "A": 2, "C": 2}),
        ("A=B=C", {"A": 1, "B": 1, "C": 1}),
        (" c,b ; a ", {"C": 1, "B": 2, "A": 3}),
    ],
)
def test_orders(text: str, ranks: dict[str, int]) -> None:
    assert parse_order(text, ["A", "B", "C"]) == ranks


@pytest.mark.parametrize("text", ["", ">", "A B", "A B C D", "A A B C", "AB C"])
def test_what_is_no_order_is_explained(text: str) -> None:
    with pytest.raises(UsageError):
        parse_order(text, ["A", "B", "C"])


def test_nothing_shown_gives_the_condition_away(tmp_path: Path) -> None:
    store, told = Store(tmp_path), []
    session, _ = made(store)
    rate(session, store, "me", typing([]), told.append)
    html = page(session)
    source = "\n".join([*told, html, (tmp_path / "sessions" / f"{session.id}.json").read_text(encoding="utf-8")]).casefold()
    for word in (*CONDITIONS[1:], "condition", "without", "grounding", "rests_on", "offline", "ablation"):
        assert word not in source.replace("human-interface", ""), word
    places = {
        name: [list(key.codes.values()).index(name) for n in range(40) for key in made(store, n)[1].questions]
        for name in CONDITIONS
    }
    for name, found in places.items():  # 200 places each: no condition has one of its own
        assert all(15 < found.count(place) < 70 for place in range(5)), name


def test_a_page_stands_alone(tmp_path: Path) -> None:
    session, _ = made(Store(tmp_path))
    html = page(session)
    assert "http" not in re.sub(r'http-equiv="', "", html)
    assert "$" not in html
    assert "<script src" not in html
    hostile = session.model_copy(update={"life": ("</script><script>alert(1)</script>",)})
    assert "</script><script>" not in page(hostile)
    assert page(hostile).count("</script>") == 1


def sent(session: Session, **changes: object) -> dict[str, object]:
    ranks = [{answer.code: i + 1 for i, answer in enumerate(asked.answers)} for asked in session.questions]
    return {
        "kind": "town ratings", "session": session.id, "rater": "rater-0af3", "consent": True, "check": True, "ranks": ranks,
        **changes,
    }  # fmt: skip


def test_what_comes_back_is_taken_partial_or_refused_with_why(tmp_path: Path) -> None:
    store = Store(tmp_path / "judging")
    session, _ = made(store)
    whole = sent(session)
    ranks = list(whole["ranks"])  # type: ignore[call-overload]
    files: dict[str, object] = {
        "whole": whole,
        "half": {**whole, "rater": "rater-2", "ranks": [*ranks[:2], {"A": 1}, None, None]},
        "no_consent": {**whole, "consent": False},
        "unchecked": {**whole, "check": False},
        "unknown": {**whole, "session": "0" * 12},
        "climbing": {**whole, "session": "../../etc/pw"},
        "short": {**whole, "ranks": ranks[:1]},
        "letters": {**whole, "ranks": [{**ranks[0], "F": 1}, *ranks[1:]]},
        "huge_rank": {**whole, "ranks": [{**ranks[0], "A": 10**9}, *ranks[1:]]},
        "script": {**whole, "rater": "<script>"},
        "list": [1, 2],
    }
    folder = tmp_path / "back"
    folder.mkdir()
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value), encoding="utf-8")
    (folder / "binary.json").write_bytes(b"\xff\x00\xfe")
    (folder / "deep.json").write_text("[" * 50_000, encoding="utf-8")
    (folder / "large.json").write_text('"' + "x" * 2_000_000 + '"', encoding="utf-8")
    found = collect(store, [folder, tmp_path / "missing.json"])
    assert {Path(file).stem: n for file, n, _ in found.taken} == {"half": 2, "whole": 5}
    assert len(found.refused) == len(files) - 2 + 3 + 1
    assert all(why for _, why in found.refused)
    assert len(store.rankings()) == 7
    assert "7 rankings" in "\n".join(found.lines())
    again = collect(store, [folder / "whole.json"])
    assert again.again
    assert len(store.rankings()) == 7
    fewer = {**whole, "ranks": [ranks[0], None, None, None, None]}
    (folder / "whole.json").write_text(json.dumps(fewer), encoding="utf-8")
    collect(store, [folder / "whole.json"])
    assert len(store.rankings()) == 7  # the fuller of both


def test_human_rankings_of_the_five_conditions_stand_beside_the_papers(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for number in range(1, 4):
        session, _ = made(store, number, f"Ann {number}")
        rate(session, store, f"r{number}", typing(["A > B > C > D > E"] * 5), lambda _: None)
    data = human_results(store.rankings(), resamples=20)
    assert data["published"]["full"] == {"mu": 29.89, "sigma": 0.72}
    text = "\n".join(lines_of(data))
    assert text.startswith("Evidence: human.")
    assert "29.89" in text
    path = tmp_path / "rankings.csv"
    write_csv(path, store.rankings())
    assert town(["rank", str(path), "--evidence", "people"]) == 2
    other = human_results(store.rankings(), "model", resamples=20)
    assert other["published"] is None
    assert "29.89" not in "\n".join(lines_of(other))


def test_the_commands_on_a_single_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = tmp_path / "noon.town"
    start(read_blueprint("hamlet", until="12:00", embedder="hash-64"), run)
    assert town(["rank", str(run)]) == 2
    assert "nothing has been ranked yet" in capsys.readouterr().err
    monkeypatch.setattr("builtins.input", typing(["A > B > C > D"] * 5))
    assert town(["judge", "rate", str(run)]) == 0
    assert "All 5 questions are rated" in capsys.readouterr().out
    assert town(["judge", "pack", str(run), "--count", "2", "--json"]) == 0
    pages = json.loads(capsys.readouterr().out)["pages"]
    assert len({Path(path).name for path in pages}) == 2
    assert town(["judge", "pack", str(run), "--count", "2"]) == 2  # never over another
    assert town(["judge", "collect", str(run), str(tmp_path / "nothing.json")]) == 0
    assert "not taken" in capsys.readouterr().out
    assert town(["rank", str(run), "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["evidence"], data["rankings"], data["published"]) == ("human", 5, None)
    with pytest.raises(RunFileError, match="no study's folder"):
        Source.of(tmp_path)

"""The report and the story: stable keys, evidence first, everything said is on file; and the command that makes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from measures_kit import ANN, AT_HOME, BO, CAFE, CY, DAY, DI, HOUR, IN_CAFE, Wick

from cli.main import run as town
from kernel import dumps
from simulation.measures import KINDS, report_data
from simulation.storing.digest import run_digest
from studies import gather, report_folder, short_rows, story, write_report
from studies.timeline import spans
from studies.wording import count, listed, say
from town import Gathering

FAIR = Gathering("fair", CAFE, DAY + 10 * HOUR, DAY + 12 * HOUR, ANN)


@pytest.fixture
def wick(tmp_path: Path) -> Wick:
    """Two days in Wick: a fair is told of, promised, kept and missed."""
    wick = Wick(tmp_path)
    wick.fact("fair", "Ann Moss holds a fair at the cafe.", gathering=FAIR, about=ANN)
    seed = wick.memory(ANN, -1, "Ann Moss holds a fair at the cafe.", fact="fair", tag="learned")
    for who in wick.people:
        wick.at(who, 0, AT_HOME)
        wick.act(who, 0, 360, "sleeping", asleep=True)
        wick.act(who, 360 + wick.people.index(who), 600, "washing")
    wick.at(ANN, 500, IN_CAFE)
    wick.knows(ANN, BO, "rival", -0.5)
    wick.knows(BO, ANN, "rival", -0.5)
    talk = wick.say(ANN, 600, BO, "Come to my fair!", "invite", passes_on=("fair",), rests_on=(seed,), gathering=FAIR, place=CAFE)
    wick.memory(BO, 601, fact="fair", heard_from=ANN, tag="learned", source=talk, address=CAFE)
    yes = wick.say(BO, 601, ANN, "I will.", "accept", talk=talk, gathering=FAIR)
    wick.memory(BO, 601, fact="fair", tag="promise", about=BO)
    talk = wick.say(BO, 700, CY, "Ann holds a fair.", "gossip", passes_on=("fair",))
    wick.memory(CY, 701, fact="fair", heard_from=BO, tag="learned", source=talk, address=CAFE)
    wick.memory(CY, 701, "Bo Reed told Cy Dale.", kind="conversation", tag="talk", people=(BO,))
    wick.memory(BO, 701, "Bo Reed told Cy Dale.", kind="conversation", tag="talk", people=(CY,))
    wick.at(CY, FAIR.start, IN_CAFE)
    wick.act(BO, FAIR.start, FAIR.end, "mending a roof")
    seen = wick.memory(CY, 800, "Ann Moss hangs up lamps.")
    wick.memory(CY, 900, "Cy Dale means to see the fair", kind="reflection", evidence=(seen,))
    wick.call("say", 600)
    wick.call("say", 601, fallback="nonsense")
    assert yes
    return wick


def test_the_stable_keys(wick: Wick) -> None:
    data = report_data(wick.run)
    assert data["evidence"] == "offline"
    assert data["digest"] == run_digest(wick.run)
    fair = data["facts"]["fair"]
    assert (fair["known_by"], fair["of"], fair["first_hand"], fair["second_hand"]) == (3, 4, 1, 1)
    assert [(one["resident"], one["from"], one["time"]) for one in fair["chain"]] == [
        (ANN, None, None), (BO, ANN, "2023-02-13 10:01"), (CY, BO, "2023-02-13 11:41"),
    ]  # fmt: skip
    assert data["density"] == {"start": 0.1667, "end": 0.3333}
    gathering = data["gatherings"]["fair"]
    assert (gathering["invited"], gathering["promised"], gathering["came"]) == (1, 1, 1)
    assert (gathering["came_names"], gathering["prepared"], gathering["host_came"]) == ([CY], False, True)
    assert {key: data["invitations"][key] for key in ("made", "accepted", "declined")} == {
        "made": 1,
        "accepted": 1,
        "declined": 0,
    }
    assert data["claims"] == {"made": 2, "unsupported": 0}
    assert (data["utterances"]["total"], data["utterances"]["distinct"]) == (3, 3)
    assert data["reflections"]["per_resident_day"] == 0.0
    assert set(data["oddities"]) == set(KINDS) == set(data["oddity_instances"])
    assert data["oddities"]["missed_appointment"] == 1
    assert data["calls"]["say"] == {
        "count": 2, "tokens_in": 20, "tokens_out": 6, "seconds": 0.5, "fallbacks": 1, "repaired": 0,
        "sent": 2, "retried": 0, "troubles": {}, "cost": None,
    }  # fmt: skip
    assert json.loads(dumps(data)) == data


def test_a_report_has_its_evidence_first_and_its_plots_beside_it(wick: Wick, tmp_path: Path) -> None:
    markdown, data, *pictures = write_report(wick.run, tmp_path / "out")
    text = markdown.read_text(encoding="utf-8")
    assert text.startswith("Evidence: offline. Template speech over real memories")
    assert "{" not in text.replace("`{", "")
    assert json.loads(data.read_text(encoding="utf-8")) == report_data(wick.run)
    assert {path.name for path in pictures} == {
        "news.png", "network.png", "gathering-fair.png", "day-1.png", "day-2.png", "calls.png",
    }  # fmt: skip
    for picture in pictures:
        assert f"]({picture.name})" in text
        assert picture.read_bytes().startswith(b"\x89PNG")
        assert picture.stat().st_size > 5000
    assert "  - Ann Moss told **Bo Reed**, Monday 10:01, Cafe\n    - Bo Reed told **Cy Dale**, Monday 11:41, Cafe\n" in text
    assert "| Bo Reed | yes | yes | 0 | stayed away | offline |" in text
    assert "| Cy Dale | no |  | 120 | came without having said so | offline |" in text
    assert "Bo Reed had promised to be at the fair (Tuesday 10:00), remembered it, and was mending a roof instead." in text
    rows = [line for line in text.splitlines() if line.startswith("| ") and not line.endswith("evidence |")]
    assert rows
    assert all(line.endswith("| offline |") for line in rows)


def test_a_report_is_the_same_twice(wick: Wick, tmp_path: Path) -> None:
    first, second = (write_report(wick.run, tmp_path / name) for name in ("one", "two"))
    assert [path.read_bytes() for path in first] == [path.read_bytes() for path in second]


def test_the_story_tells_what_is_on_file(wick: Wick) -> None:
    told = story(wick.run)
    lines = told.splitlines()
    assert lines[0].startswith("Evidence: offline.")
    for sentence in (
        "First up was Ann Moss, at 06:00: washing. Di Ford got up last, at 06:03.",
        '"Ann Moss holds a fair at the cafe." Ann Moss knew that from the start. In the end 3 of 4 knew.'
        " One of them heard it at second hand.",
        "The longest way it went: Ann Moss told Bo Reed (Monday 10:01, Cafe); Bo Reed told Cy Dale (Monday 11:41, Cafe).",
        'Ann Moss to Bo Reed, Monday 10:00: "Come to my fair!"',
        'Bo Reed said yes: "I will."',
        "One guest came: Cy Dale.",
        "One had promised and stayed away: Bo Reed.",
        'Ann Moss and Bo Reed ran into each other on Monday 10:00 at Cafe. Ann Moss: "Come to my fair!"',
        "Cy Dale, Monday 15:00: Cy Dale means to see the fair",
        "  It rests on this: Ann Moss hangs up lamps.",
        "At the start 1 of 6 pairs knew each other, at the end 2.",
        "One question to the model had no usable answer.",
    ):
        assert sentence in lines or any(sentence in line for line in lines), sentence
    assert "{" not in told


def test_an_empty_run_has_a_story_and_a_report(tmp_path: Path) -> None:
    wick = Wick(tmp_path, days=0, model="openai:x")
    assert story(wick.run).startswith("Evidence: model.")
    markdown, *_ = write_report(wick.run, tmp_path / "out")
    assert markdown.read_text(encoding="utf-8").startswith("Evidence: model.")


def test_a_run_without_talk_says_so(tmp_path: Path) -> None:
    wick = Wick(tmp_path, days=1)
    wick.memory(ANN, 300, tag="seen", about=BO)
    told = story(wick.run)
    assert "People met, and nobody said a word." in told
    assert "nobody said a word that day." in told


def test_a_day_as_stretches(wick: Wick) -> None:
    wick.act(DI, 1000, 1100, "eating soup", icon="eat")
    wick.at(DI, 1200, (0, 1))
    wick.at(DI, 1210, IN_CAFE)
    assert spans(gather(wick.run), DI) == [
        (0, 360, "asleep"), (360, 1000, "home"), (1000, 1100, "eating"), (1100, 1200, "home"), (1200, 1210, "outdoors"),
        (1210, 2 * DAY, "elsewhere"),
    ]  # fmt: skip


def test_the_short_table_names_every_measure(wick: Wick) -> None:
    rows = dict(short_rows(gather(wick.run)))
    assert rows["knows of `fair`"] == "3 of 4 (1 at second hand)"
    assert rows["claims no memory supports"] == "0 of 2"
    assert "a missed appointment that was remembered: 1" in rows["oddities"]


def test_wording_helpers() -> None:
    assert listed([]) == ""
    assert listed(["A"]) == "A"
    assert listed(["A", "B", "C"]) == "A, B and C"
    assert listed(["A", "B", "C", "D"], 3) == "A, B and 2 others"
    assert count("story", "failures", 0) == ""
    assert count("story", "failures", 2) == "Minds failed 2 times and idled."
    with pytest.raises(KeyError):
        say("story", "no such sentence")


def test_every_oddity_has_its_words() -> None:
    fields = dict.fromkeys(("who", "when", "place", "text", "detail"), "x")
    for kind in KINDS:
        assert say("common", f"odd.{kind}", **fields)
        assert say("common", f"kinds.{kind}")


def test_the_command_writes_beside_the_run(wick: Wick, capsys: pytest.CaptureFixture[str]) -> None:
    assert town(["report", str(wick.run.path)]) == 0
    out = capsys.readouterr().out
    folder = report_folder(wick.run.path)
    assert folder.name == "wick-report"
    assert out.startswith("Evidence: offline.")
    assert str(folder / "report.md") in out.replace("\n", "")
    assert (folder / "news.png").is_file()


def test_the_command_prints_json_and_writes_nothing(wick: Wick, capsys: pytest.CaptureFixture[str]) -> None:
    assert town(["report", str(wick.run.path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == report_data(wick.run)
    assert not report_folder(wick.run.path).exists()


def test_the_command_takes_a_folder(wick: Wick, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert town(["report", str(wick.run.path), "--json", "--out", str(tmp_path / "there")]) == 0
    assert json.loads(capsys.readouterr().out)["evidence"] == "offline"
    assert (tmp_path / "there" / "report.md").is_file()


def test_a_missing_run_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert town(["report", str(tmp_path / "none.town")]) == 2
    assert capsys.readouterr().err.count("\n") == 1

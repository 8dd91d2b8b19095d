"""Where rating sessions come from: a study's folder, or a single run.

Source.of(path)           a study's folder or a run file
  .store                  its folder of sessions, keys and ratings
  .make(number)           the number-th session: residents in turn, questions drawn
"""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kernel import Clock, Dice, RunFileError, UsageError
from kernel.gametime import minutes_of
from simulation.interview import Interviewer
from simulation.interviewed import ABLATIONS
from simulation.reading.lifelog import by_the_hour, read_out, resident_log
from simulation.reading.records import read_facts, read_records
from simulation.storing.library import names, run_clock
from simulation.storing.runfile import RunFile
from studies.interviewing import Interviewed, interview_all, plan_of
from studies.judging.human_answers import HumanAnswers
from studies.judging.session import Key, Material, Session, Store, build
from studies.questions import read_questions
from studies.wording import say

MEMORIES = 150
"""The weightiest memories that a rater is shown, in order of time."""
WEIGHTY = 3


@dataclass(frozen=True, slots=True)
class Place:
    """A resident of one run, who can be rated: where, as of which step, and the answers by condition."""

    path: Path
    run: str
    resident: str
    step: int
    material: tuple[Material, ...]


class Source:
    """Residents with answers under several conditions."""

    def __init__(self, store: Store, places: Sequence[Place], *, human: bool) -> None:
        self.store = store
        self.places = tuple(places)
        self.human = human
        if not places:
            raise RunFileError("there are no answers to rate", place=str(store.folder.parent), hint="run the study first")

    @classmethod
    def of(cls, path: Path, questions: str | None = None) -> Source:
        """Raises RunFileError for what is neither a study's folder nor a run."""
        return _study(path) if path.is_dir() else _run(path, questions)

    def make(self, number: int) -> tuple[Session, Key]:
        """The `number`-th session (from 1), kept in the store: every resident comes once before any comes again."""
        order = Dice(0, self.places[0].run, 0, "raters").shuffled(list(self.places))
        place = order[(number - 1) % len(order)]
        with RunFile.open(place.path) as run:
            clock = run_clock(run)
            made = build(
                place.run, place.resident, f"{clock.at(place.step):%A %Y-%m-%d %H:%M}", life_of(run, place.resident, place.step),
                memory_of(run, place.resident, place.step, clock), place.material, number,
            )  # fmt: skip
        self.store.put(*made)
        return made


def life_of(run: RunFile, resident: str, step: int) -> list[str]:
    """A resident's days up to a step, as `town log` reads them out."""
    return list(read_out(run, by_the_hour([one for one in resident_log(run, resident) if one.step < step]), True))


def memory_of(run: RunFile, resident: str, step: int, clock: Clock, most: int = MEMORIES) -> list[str]:
    """The weightiest memories before a step with their times; those known from the start first."""
    records, _ = read_records(run, resident, read_facts(run), step)
    kept = [record for record in records if record.kind != "plan" and record.importance >= WEIGHTY]
    weighty = sorted(sorted(kept, key=lambda record: -record.importance)[:most], key=lambda record: (record.created, record.id.n))
    return [f"{clock.at(record.created):%a %H:%M}  {record.text}" if record.created >= 0 else record.text for record in weighty]


def _study(folder: Path) -> Source:
    from studies.runner.folder import PROBE, StudyFolder

    study = StudyFolder(folder)
    spec = study.study()
    human = HumanAnswers.read(Path(spec.human)) if spec.human else None
    found: dict[tuple[str, int, str, int], dict[str, Material]] = {}
    try:
        with (folder / "data" / "answers.csv").open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                if not row["run"].startswith(f"{PROBE}-"):
                    continue
                items = found.setdefault((row["run"], int(row["seed"]), row["resident"], int(row["step"])), {})
                one = items.setdefault(row["item"], Material(row["item"], row["category"], row["question"], {}))
                assert isinstance(one.answers, dict)
                text = row["answer"]
                one.answers[row["condition"]] = text[1:] if text[:1] == "'" and text[1:2] in ("=", "+", "-", "@", "\t") else text
    except FileNotFoundError:
        raise RunFileError(
            "the study has no answers yet", place=str(folder), hint="`town study ablation` goes on with it"
        ) from None
    except (KeyError, TypeError, ValueError):
        raise RunFileError(
            "the file is damaged", place=str(folder / "data" / "answers.csv"), hint="run the study again"
        ) from None
    for (_, seed, who, step), items in found.items():
        for item, text in (human.of(seed, who, step) if human is not None else {}).items():
            if item in items:
                items[item].answers["human"] = text  # type: ignore[index]
    places = [
        Place(study.run_path(PROBE, seed), run, who, step, tuple(items.values()))
        for (run, seed, who, step), items in found.items()
    ]
    return Source(Store(folder / "judging"), places, human=human is not None)


def _run(path: Path, questions: str | None) -> Source:
    """A run on its own: everybody is asked when their session is made."""
    store = Store(path.with_name(f"{path.stem}-judging"))
    with RunFile.open(path) as run:
        people = names(run)
    return _Asking(store, [Place(path, path.stem, who, 0, ()) for who in people], questions)


class _Asking(Source):
    def __init__(self, store: Store, places: Sequence[Place], questions: str | None) -> None:
        super().__init__(store, places, human=False)
        self.questions = questions

    def make(self, number: int) -> tuple[Session, Key]:
        order = Dice(0, self.places[0].run, 0, "raters").shuffled(list(self.places))
        place = order[(number - 1) % len(order)]
        with RunFile.open(place.path) as run:
            step = _evening(run)
            asking = Interviewer(run)
            plan = plan_of(asking, read_questions(self.questions), residents=[place.resident], at=[_written(asking.clock, step)],
                           conditions=dict(ABLATIONS))  # fmt: skip
            material: dict[str, Material] = {}
            for one in interview_all(asking, plan):
                if isinstance(one, Interviewed):
                    item = one.question.item
                    answers = material.setdefault(item, Material(item, one.question.category, one.asked.text, {})).answers
                    assert isinstance(answers, dict)
                    answers[one.condition] = one.interview.answer
            made = build(
                place.run, place.resident, f"{asking.clock.at(step):%A %Y-%m-%d %H:%M}", life_of(run, place.resident, step),
                memory_of(run, place.resident, step, asking.clock), tuple(material.values()), number,
            )  # fmt: skip
        self.store.put(*made)
        return made


def _evening(run: RunFile) -> int:
    """20:00 of the last day, or the end."""
    clock = run_clock(run)
    return max(1, min(clock.step_on(clock.day(max(run.committed - 1, 0)), minutes_of("20:00")), run.committed))


def _written(clock: Clock, step: int) -> str:
    return f"{clock.at(step):%Y-%m-%d %H:%M:%S}"


# --- pages for raters elsewhere, and what they send back -----------------------------------------------------------------


def pack(source: Source, count: int, folder: Path) -> list[Path]:
    """`count` self-contained pages, one session each; keys stay in the store. Raises UsageError for a page that is there."""
    from studies.judging.page import page

    folder.mkdir(parents=True, exist_ok=True)
    written = []
    for number in range(1, count + 1):
        session, _ = source.make(number)
        path = folder / f"rating-{session.id}.html"
        if path.exists():
            raise UsageError(f"'{path}' exists already", hint="choose another --out")
        path.write_text(page(session), encoding="utf-8")
        written.append(path)
    return written


def words_for(session: Session) -> Mapping[str, str]:
    """The introduction of a session."""
    fields = {"resident": session.resident, "first": session.first, "time": session.time, "questions": len(session.questions)}
    return {key: say("judging", key, **fields) for key in ("title", "intro", "memory")}


def as_json(session: Session) -> str:
    """A session as text that can stand inside a page's script."""
    return json.dumps(session.model_dump(mode="json"), ensure_ascii=True).replace("<", "\\u003c")

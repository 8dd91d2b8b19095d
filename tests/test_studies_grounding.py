"""The grounding judge: what a run's record carries, contradicts and leaves open; arms that game it, and judges that can be."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from measures_kit import ANN, BO, CAFE, CY, DAY, DI, HOUR, Wick

import studies.judging.grounding as room
from simulation.compose import read_blueprint
from simulation.interview import Interviewer
from simulation.run import start
from simulation.storing.runfile import RunFile
from studies.interviewing import Interviewed, interview_all, plan_of
from studies.judging.grounding import GroundingJudge, Known, KnownOf
from studies.judging.grounding.asked import AskedFor, Key
from studies.judging.grounding.record import Support
from studies.judging.grounding.words import read, refuses, sentences
from studies.questions import read_questions
from town import Gathering

FAIR = Gathering("summer fair", CAFE, DAY + 10 * HOUR, DAY + 12 * HOUR, ANN)
NEWS = "Ann Moss is holding a summer fair at the Cafe from 10:00 to 12:00."


@pytest.fixture
def wick(tmp_path: Path) -> Wick:
    wick = Wick(tmp_path)
    wick.fact("fair", NEWS, gathering=FAIR)
    wick.memory(BO, -1, "Bo Reed bakes rye bread with old recipes.", tag="identity")
    wick.memory(BO, -1, "Bo Reed hopes to buy a second oven.", tag="identity")
    wick.knows(BO, CY)
    wick.memory(BO, 700, NEWS, kind="conversation", tag="learned", fact="fair", heard_from=ANN, about=ANN)
    wick.memory(BO, 800, "Cy Dale is mending the church roof with slate.", tag="seen", about=CY, people=(CY,))
    return wick


def verdict(wick: Wick, text: str, item: str = "memory.gathering", question: str = "", knowable: bool = True, **blanks: str):  # type: ignore[no-untyped-def]
    return GroundingJudge(KnownOf(wick.run)).verdict(BO, 900, AskedFor(item, question, blanks, knowable), text)


def test_what_the_record_carries_is_to_the_point_or_beside_it(wick: Wick) -> None:
    asked = {"gathering": "summer fair"}
    right = verdict(wick, "Ann Moss is holding a summer fair at the Cafe.", **asked)
    assert (right.to_point, right.score) == (1, 1.0)
    beside = verdict(wick, "I bake rye bread with old recipes.", **asked)
    assert (beside.beside, beside.omitted) == (1, True)
    assert 0 < beside.score < 0.1
    both = verdict(wick, "Ann is holding a summer fair. I bake rye bread with old recipes.", **asked)
    assert both.score == 0.5


def test_another_person_another_time_and_the_opposite_contradict(wick: Wick) -> None:
    asked = {"gathering": "summer fair"}
    for text in (
        "Di Ford is holding a summer fair at the Cafe.",
        "Ann Moss is holding a summer fair at the Cafe at 15:00.",
        "Ann Moss isn't holding a summer fair at the Cafe.",
        "My name is Ann Moss.",
    ):
        found = verdict(wick, text, **asked)
        assert (found.contradicted, found.score) == (1, -0.5), text
    assert verdict(wick, "A purple elephant sings operas in Vienna.", **asked).unsupported == 1


def test_refusing_is_right_only_when_there_is_nothing_to_know(wick: Wick) -> None:
    refusal = "I don't know anyone by that name."
    stranger = verdict(wick, refusal, "memory.person_invented", knowable=False, invented="Zelda Quick")
    assert (stranger.right_refusal, stranger.score) == (True, 1.0)
    friend = verdict(wick, refusal, "memory.person_met", met=CY)
    assert (friend.omitted, friend.right_refusal, friend.score) == (True, False, 0.0)
    claimed = verdict(
        wick, "Zelda Quick sells apples at the market.", "memory.person_invented", knowable=False, invented="Zelda Quick"
    )
    assert claimed.score < 0


@pytest.mark.parametrize("text", ["", "   ", "?!", "Cy Dale?"])
def test_empty_answers_are_below_refusals(wick: Wick, text: str) -> None:
    found = verdict(wick, text, "memory.person_met", met=CY)
    assert found.empty
    assert found.score == -0.5


def test_a_question_of_ones_own_is_about_whom_it_names(wick: Wick) -> None:
    asked = {"item": "mine.own", "question": "What is Cy Dale up to?"}
    assert verdict(wick, "Cy is mending the church roof with slate.", **asked).score == 1.0
    assert verdict(wick, "I bake rye bread with old recipes.", **asked).omitted


def test_a_single_word_counts_where_it_answers_the_question(wick: Wick) -> None:
    assert verdict(wick, "I'm a baker.", "self-knowledge.job").to_point == 1
    assert verdict(wick, "Slate!", "self-knowledge.job").beside == 0
    assert refuses("Nobody has told me anything of the kind.")


def test_later_memories_count_for_nothing(wick: Wick) -> None:
    early = GroundingJudge(KnownOf(wick.run)).verdict(
        BO, 700, AskedFor("memory.gathering", "", {"gathering": "summer fair"}), NEWS
    )
    assert early.to_point == 0


def test_words() -> None:
    people = (ANN, BO, CY, DI)
    assert read("Ann's fair ends at 6 pm, not 17:30.", people).times == {18 * 60, 17 * 60 + 30}
    assert read("Ann's fair", people).people == {ANN}
    assert read("She isn't baking.", people).denies
    assert read("bakes breads", people).stems == read("baking bread", people).stems
    assert sentences("Cy Dale? He mends roofs. At 7:30 p.m. he rests; I sleep.") == [
        "He mends roofs.", "At 7:30 pm he rests", "I sleep.",
    ]  # fmt: skip
    assert refuses("Nothing comes to mind, I'm sorry.")
    assert not refuses("I know the cafe well.")


def test_it_shares_no_code_with_what_answers() -> None:
    """Neither the judge nor what it imports of this project words or retrieves answers."""
    for path in Path(room.__file__).parent.glob("*.py"):
        imported = {
            node.module if isinstance(node, ast.ImportFrom) else alias.name
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in node.names
        }
        assert not [name for name in imported if name and name.startswith(("language", "agents", "planning"))], path
        assert not [name for name in imported if name and "interview" in name], path


# --- arms that would game a weaker judge, on a lived run -----------------------------------------------------------------


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Interviewed]]:
    path = tmp_path_factory.mktemp("judged") / "noon.town"
    start(read_blueprint("hamlet", until="12:00", embedder="hash-64"), path)
    with RunFile.open(path) as run:
        asking = Interviewer(run)
        plan = plan_of(asking, read_questions(), categories=["self-knowledge", "memory", "plans", "reflections"])
        answers = [one for one in interview_all(asking, plan) if isinstance(one, Interviewed)]
    return path, answers


def arms(answers: list[Interviewed]) -> dict[str, Callable[[Interviewed], str]]:
    of = {(one.interview.resident, one.question.item): one.interview.answer for one in answers}
    people = list(dict.fromkeys(one.interview.resident for one in answers))
    longest = {who: max((text for (name, _), text in of.items() if name == who), key=len) for who in people}
    everything = {who: " ".join(dict.fromkeys(text for (name, _), text in of.items() if name == who)) for who in people}

    def shuffled(one: Interviewed) -> str:
        other = people[(people.index(one.interview.resident) + 1) % len(people)]
        return of.get((other, one.question.item), "")

    return {
        "honest": lambda one: one.interview.answer,
        "refuses": lambda one: "I don't know.",
        "shuffled": shuffled,
        "longest": lambda one: longest[one.interview.resident],
        "everything": lambda one: everything[one.interview.resident],
    }


def mean_ranks(judge: GroundingJudge, answers: list[Interviewed]) -> Mapping[str, float]:
    total: dict[str, float] = {}
    for one in answers:
        asked = AskedFor(one.question.item, one.asked.text, one.asked.blanks, one.question.knowable)
        texts = {name: arm(one) for name, arm in arms(answers).items()}
        ranks, _ = judge.rank(one.interview.resident, one.interview.step, asked, texts)
        for name, rank in ranks.items():
            total[name] = total.get(name, 0.0) + rank / len(answers)
    return total


def holds(judge: GroundingJudge, answers: list[Interviewed]) -> bool:
    """Whether honest answers rank clearly above every arm that would game the judge."""
    ranks = mean_ranks(judge, answers)
    return all(ranks["honest"] + 0.5 < rank for name, rank in ranks.items() if name != "honest")


class ForgetsTheQuestion(GroundingJudge):
    """Takes any supported claim for one to the point."""

    def relevant(self, key: Key, found: Support) -> set[int]:
        return set(found.carrying) & (key.entries or set(found.carrying)) or {min(key.entries, default=0)}


class BelievesEverything(GroundingJudge):
    """Takes every claim for supported, by whatever answers the question."""

    def support(self, known: Known, sentence: str) -> Support | None:
        found = super().support(known, sentence)
        return found and Support(tuple(range(len(known.entries))))


class RewardsSilence(GroundingJudge):
    """Gives full marks for admitting not to know."""

    def verdict(self, resident: str, step: int, asked: AskedFor, text: str):  # type: ignore[no-untyped-def]
        found = super().verdict(resident, step, asked, text)
        return type(found)(1.0, refused=True) if found.refused else found


def test_arms_that_refuse_mix_up_people_or_say_a_lot_rank_low(lived: tuple[Path, list[Interviewed]]) -> None:
    path, answers = lived
    with RunFile.open(path) as run:
        judge = GroundingJudge(KnownOf(run))
        assert holds(judge, answers), mean_ranks(judge, answers)


@pytest.mark.parametrize("mutant", [ForgetsTheQuestion, BelievesEverything, RewardsSilence])
def test_mutated_judges_are_found_out(lived: tuple[Path, list[Interviewed]], mutant: type[GroundingJudge]) -> None:
    path, answers = lived
    with RunFile.open(path) as run:
        assert not holds(mutant(KnownOf(run)), answers)

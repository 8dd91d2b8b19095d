"""Collecting answers that a person writes in a resident's stead: the human baseline.

    collect_human(run, resident, file, ask, tell)   -> (answered, questions)

Shows the resident's replay and memory up to the moment, asks the questions of a bank, and saves after each answer; begun
again, it goes on where it stopped. After Park et al. 2023, section 6.2.5.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kernel import UsageError
from simulation.storing.library import choose, names, run_clock
from simulation.storing.runfile import RunFile
from studies.blanks import Blanks
from studies.judging.human_answers import HumanAnswers, dump_sheets
from studies.judging.sources import life_of, memory_of
from studies.questions import Asked, read_questions
from studies.wording import say


def collect_human(
    path: Path, resident: str, file: Path, ask: Callable[[str], str], tell: Callable[[str], None], *, author: str = "person-1",
    at: str = "20:00", questions: str | None = None,
) -> tuple[int, int]:  # fmt: skip
    """(answered, questions). EOFError or "stop" from `ask` ends it; "skip" leaves a question open.

    Raises UsageError for a name that isn't there, DataFileError for a file that is damaged.
    """
    from studies.runner.conducting import asking_step

    step = asking_step(path, at)
    bank = read_questions(questions)
    with RunFile.open(path) as run:
        who = choose(resident, names(run))
        seed = int(run.get("seed", "0"))
        life = life_of(run, who, step)
        memory = memory_of(run, who, step, run_clock(run))
        asked = [one for one in bank.ask(Blanks(run, bank.invented).of(who, step)) if isinstance(one, Asked)]
    sheets = _sheets(file)
    mine = next((sheet for sheet in sheets if (sheet["seed"], sheet["resident"]) == (seed, who)), None)
    if mine is None:
        mine = {"resident": who, "seed": seed, "step": step, "author": author, "answers": {}, "questions": {}}
        sheets.append(mine)
    elif mine["step"] != step:
        raise UsageError(f"the answers for {who} in {file} are as of another moment", hint="give the same --at")
    answers, texts = mine["answers"], mine["questions"]
    tell(say("judging", "human.intro", resident=who, first=who.split(" ")[0]))
    for line in (say("judging", "life"), *life, "", say("judging", "memory", first=who.split(" ")[0]), *memory):
        tell(line)
    for n, one in enumerate(asked, 1):
        item = one.question.item
        if answers.get(item, "").strip():
            continue
        tell("")
        tell(say("judging", "question", n=n, of=len(asked), question=one.text))
        try:
            text = ask(say("judging", "human.prompt", first=who.split(" ")[0])).strip()
        except EOFError:
            break
        if text.casefold() == "stop":
            break
        if text and text.casefold() != "skip":
            answers[item], texts[item] = text, one.text
            part = file.with_suffix(".part")
            part.parent.mkdir(parents=True, exist_ok=True)
            part.write_text(dump_sheets(sheets), encoding="utf-8")
            part.replace(file)
    done = sum(bool(answers.get(one.question.item, "").strip()) for one in asked)
    tell(say("judging", "human.saved", done=done, of=len(asked), file=file))
    return done, len(asked)


def _sheets(file: Path) -> list[dict[str, Any]]:
    if not file.exists():
        return []
    return [sheet.model_dump(mode="json") for sheet in HumanAnswers.read(file).sheets]

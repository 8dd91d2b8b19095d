"""Where a study keeps what: one folder, that can be killed and taken up at any time.

    StudyFolder(path)
      .open(study)          a new folder, or the one of the same study; refuses another's
      .run_path(arm, seed)  its runs: `runs/ARM-seedN.town`
      .launched(...)        notes what became of a run, in `launched.jsonl`

Answers lie in the run files themselves (table `interviews`), each written before the next is asked. Everything else in the
folder is computed from them and can be thrown away.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kernel import RunFileError, dumps
from studies.runner.spec import Study

STUDY, LAUNCHED = "study.json", "launched.jsonl"
PROBE = "probe"
"""The arm of the frozen history: one life, interviewed with parts of its memory hidden."""


class StudyFolder:
    """The folder of one study."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def open(self, study: Study) -> bool:
        """Makes it, or takes it up (True). Raises RunFileError when it belongs to another study."""
        self.path.mkdir(parents=True, exist_ok=True)
        file = self.path / STUDY
        if not file.exists():
            if any(self.path.iterdir()):
                raise RunFileError("the folder holds something else", place=str(self.path), hint="choose another --out")
            for name in ("runs", "data", "tables", "plots"):
                (self.path / name).mkdir()
            part = file.with_suffix(".part")
            part.write_text(json.dumps(study.model_dump(mode="json"), indent=1) + "\n", encoding="utf-8")
            part.replace(file)
            return False
        if self.study().hash != study.hash:
            raise RunFileError(
                "the folder holds a study with other settings", place=str(file), hint="choose another --out, or the same settings"
            )
        return True

    def study(self) -> Study:
        """The study it holds. Raises RunFileError."""
        file = self.path / STUDY
        try:
            return Study.model_validate_json(file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise RunFileError(
                "this is no study's folder", place=str(self.path), hint="`town study ablation` makes one"
            ) from None
        except ValueError:
            raise RunFileError("the study is damaged", place=str(file), hint="begin it anew in another folder") from None

    def run_path(self, arm: str, seed: int) -> Path:
        """The run file of a seed; `arm` is PROBE or the name of a whole-trajectory arm."""
        return self.path / "runs" / f"{arm}-seed{seed}.town"

    def launched(self, arm: str, seed: int, became: str, detail: str = "") -> None:
        """Notes what became of a run: launched, reused, lived, resumed, failed."""
        with (self.path / LAUNCHED).open("a", encoding="utf-8") as file:
            file.write(dumps({"arm": arm, "seed": seed, "became": became, "detail": detail}) + "\n")

    def launches(self) -> Iterator[dict[str, Any]]:
        """All notes in order; a half-written last line is left out."""
        file = self.path / LAUNCHED
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            try:
                yield json.loads(line)
            except ValueError:
                continue

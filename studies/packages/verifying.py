"""Verifying a package: first every byte, then whether what is inside belongs together, then the score.

    verify(folder) -> Finding      "met", "missed", or "invalid" with every reason by file

A valid missed obligation is a result; invalid or incomplete evidence is none, and neither is dropped silently.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kernel import dumps
from studies.packages.judging import Judgement, judge
from studies.packages.sealing import RECEIPT, Problem, broken, sealed_digest
from studies.wording import say

WORDS = "verify"
MOST = 12
"""Problems told in words; `--json` has them all."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of verifying. `sealed`: every byte is as it was; `digest` the receipt's, "" when it isn't whole."""

    package: str
    kind: str
    sealed: bool
    digest: str
    judgement: Judgement

    @property
    def valid(self) -> bool:
        """Whether it is evidence at all."""
        return self.judgement.verdict != "invalid"

    def as_json(self) -> str:
        """For `--json`."""
        verdict = self.judgement.verdict
        problems = [{"file": one.file, "what": _words(one)} for one in self.judgement.problems]
        return dumps(
            {
                "package": self.package, "kind": self.kind, "sealed": self.sealed, "valid": self.valid, "verdict": verdict,
                "digest": self.digest, "facts": dict(self.judgement.facts), "problems": problems,
            }
        )  # fmt: skip

    def lines(self) -> list[str]:
        """In words: the verdict, then the problems."""
        head = "sealed" if self.sealed else "broken"
        key = f"verdict.{self.kind or 'unknown'}.{self.judgement.verdict}" if self.sealed else "verdict.broken"
        told = [say(WORDS, head, package=self.package, digest=self.digest), say(WORDS, key, **self.judgement.facts)]
        told += [f"  {one.file}: {_words(one)}" for one in self.judgement.problems[:MOST]]
        more = len(self.judgement.problems) - MOST
        return [*told, say(WORDS, "more", n=more)] if more > 0 else told


def verify(folder: Path, digest: str | None = None) -> Finding:
    """Verifies the package in a folder; with `digest`, also that its receipt is the one published under it.

    Raises UsageError when the folder is no package.
    """
    problems = broken(folder)
    if problems:
        return Finding(str(folder), "", False, "", Judgement("invalid", tuple(problems), {}))
    own = sealed_digest(folder)
    if digest is not None and digest.strip().lower() != own:
        other = Problem(RECEIPT, "other", {"published": digest, "own": own})
        return Finding(str(folder), "", False, own, Judgement("invalid", (other,), {}))
    kind = _kind(folder)
    judged = JUDGES.get(kind)
    if judged is None:
        return Finding(str(folder), "", True, own, Judgement("invalid", (Problem("manifest.json", "kind"),), {}))
    return Finding(str(folder), kind, True, own, judged(folder))


def _kind(folder: Path) -> str:
    try:
        return str(json.loads((folder / "manifest.json").read_bytes())["kind"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def _episode(folder: Path) -> Judgement:
    return judge({path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()})


def _run(folder: Path) -> Judgement:
    from studies.packages.judging_run import judge_run

    return judge_run(folder)


JUDGES: Mapping[str, Callable[[Path], Judgement]] = {"catchment-episode": _episode, "town-run": _run}


def _words(problem: Problem) -> str:
    fields: dict[str, Any] = dict(problem.fields)
    return say(WORDS, f"problem.{problem.what}", **fields)

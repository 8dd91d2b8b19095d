"""What a study was made of: hashes, models, seeds, versions (`manifest.json`).

manifest(found)
"""

from __future__ import annotations

import hashlib
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from simulation.provenance import versions, wording_hash
from simulation.storing.runfile import RunFile
from studies.questions import SHIPPED
from studies.runner.conducting import Conducted, name_of

LIBRARIES = ("trueskill", "scipy", "scikit-posthocs", "statsmodels", "matplotlib", "pyarrow")
HASHES = ("hash.scenario", "hash.map", "hash.people", "hash.wording")
ROOT = Path(__file__).parents[2]


def manifest(found: Conducted) -> dict[str, Any]:
    """Everything results depend on."""
    study = found.study
    libraries = {}
    for name in LIBRARIES:
        try:
            libraries[name] = version(name)
        except PackageNotFoundError:
            libraries[name] = ""
    runs = {}
    for (arm, seed), lived in sorted(found.lived.items()):
        if found.lived_well(arm, seed):
            with RunFile.open(Path(lived.path)) as run:
                meta = run.meta()
            runs[name_of(arm, seed)] = {
                "file": f"runs/{Path(lived.path).name}", "seed": seed, "asked_at_step": found.steps[name_of(arm, seed)],
                "model": meta["model"], "models": meta.get("models", "{}"), "mind": meta["mind"], "embedder": meta["embedder"],
                **{key: meta.get(key, "") for key in HASHES}, "versions": meta.get("versions", "{}"),
            }  # fmt: skip
    return {
        "study": study.model_dump(mode="json"), "study_hash": study.hash, "runs": runs,
        "questions": {"file": study.questions or "questions.yaml", "sha256": _hash(Path(study.questions or SHIPPED))},
        "prompts_sha256": _tree(ROOT / "language" / "prompts"), "wording_sha256": wording_hash(),
        "judge": {"name": study.judge, "sha256": _tree(ROOT / "studies" / "judging")},
        "human": None if study.human is None else {"file": study.human, "sha256": _hash(Path(study.human))},
        "versions": {**versions(), **libraries},
    }  # fmt: skip


def _hash(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _tree(folder: Path) -> str:
    hasher = hashlib.sha256()
    for path in sorted(one for one in folder.rglob("*") if one.suffix in (".txt", ".yaml", ".py", ".html")):
        hasher.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return hasher.hexdigest()

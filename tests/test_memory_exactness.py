"""Byte for byte the same under another BLAS kernel, other vector instructions, another hash seed, after a restart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json, sys
from hashlib import sha256
from pathlib import Path
from kernel import RecordId
from language.embedding import WordllamaEmbedder
from memory import MindView, NO_REFLECTION, Record, Stream, TownSearch, Weights
from memory_kit import CLOCK, ME

mode, file = sys.argv[1], Path(sys.argv[2])
names = "Maria Lopez|Tom Moreno|Isabella Rodriguez|Eddy Lin".split("|")
verbs = "is reading about|talks of|is planning|has forgotten|dislikes|is dreaming of|asks for".split("|")
things = "gentrification|a party at the cafe|the election|an empty refrigerator|music theory|breakfast|a lost key".split("|")
kinds = ["observation", "conversation", "reflection", "plan"]
stream = Stream(ME, WordllamaEmbedder(), CLOCK)
if mode == "write":
    for i in range(700):
        text = f"{names[i % 4]} {verbs[i % 7]} {things[(i // 3) % 7]}" + (f" on day {i // 50}" if i % 5 else "")
        stream.append(Record(RecordId(ME, 20 * i, 0), kinds[i % 9 % 4], text, 20 * i, 1 + (i * i) % 10, people=(names[i % 4],)))
else:
    saved = json.loads(file.read_text())
    records = [Record(RecordId(*i), k, t, c, m, people=tuple(p)) for i, k, t, c, m, p in saved["records"]]
    stream.restore(records, [bytes.fromhex(row) for row in saved["vectors"]], saved["accessed"])

def rounds(first, last):
    out = []
    for n in range(first, last):
        step = 14_000 + 7 * n
        query = f"what does {names[n % 4]} think about {things[n % 7]}"
        found = stream.retrieve(query, id=RecordId(ME, step, 0), step=step, purpose="test", token_budget=400)
        stream.touch(found.ids, step)
        out.append(repr(found))
        view = MindView(stream, step, NO_REFLECTION)
        out.append(repr(view.retrieve(query, id=found.id, step=step, purpose="view", people=[names[n % 3]])))
        out.append(repr(stream.retrieve(query, id=found.id, step=step, purpose="code", weights=Weights.original_code())))
    out.append(repr(TownSearch({ME: stream}).search("the party", 20)))
    return sha256("".join(out).encode()).hexdigest()

answer = {"vectors": sha256(b"".join(stream.vectors())).hexdigest()}
if mode == "write":
    answer["first"] = rounds(0, 12)
    rows = [(r.id, r.kind, r.text, r.created, r.importance, r.people) for r in stream.since()]
    saved = {"records": rows, "vectors": [row.hex() for row in stream.vectors()], "accessed": stream.accessed_steps()}
    file.write_text(json.dumps(saved))
known = [stream.importance_of(f"{names[0]} {verbs[0]} {things[0]}"), stream.importance_of("never seen")]
answer["known"] = known
answer["second"] = rounds(12, 24)
print(json.dumps(answer))
"""


def run(mode: str, file: Path, **env: str) -> dict[str, object]:
    here = Path(__file__).parent
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT, mode, str(file)],
        env={**os.environ, "PYTHONPATH": f"{here.parent}{os.pathsep}{here}", **env},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer: dict[str, object] = json.loads(done.stdout)
    return answer


def other_instructions() -> str:
    """The vector instructions numpy would choose on this processor, to be switched off."""
    import numpy as np

    core = getattr(np, "_core", None) or np.core
    umath = core._multiarray_umath
    return " ".join(name for name in umath.__cpu_dispatch__ if umath.__cpu_features__.get(name))


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, object], Path]:
    file = tmp_path_factory.mktemp("run") / "memories.json"
    return run("write", file, PYTHONHASHSEED="1"), file


@pytest.mark.parametrize(
    "env",
    [
        {"OPENBLAS_CORETYPE": "Haswell"},
        {"OPENBLAS_CORETYPE": "Nehalem", "OPENBLAS_NUM_THREADS": "1"},
        {"NPY_DISABLE_CPU_FEATURES": other_instructions(), "OPENBLAS_CORETYPE": "Prescott", "PYTHONHASHSEED": "4"},
    ],
    ids=["haswell", "nehalem", "no-vector-instructions"],
)
def test_another_kernel_gives_the_same_bytes(plain: tuple[dict[str, object], Path], tmp_path: Path, env: dict[str, str]) -> None:
    assert run("write", tmp_path / "m.json", **env) == plain[0]
    assert (tmp_path / "m.json").read_bytes() == plain[1].read_bytes()


def test_restored_in_another_process_it_goes_on_alike(plain: tuple[dict[str, object], Path]) -> None:
    """The duplicate check (`importance_of`) and all later retrievals survive a restart under another hash seed."""
    answer, file = plain
    again = run("read", file, PYTHONHASHSEED="99")
    assert answer["known"] == [1, None]
    assert again == {key: value for key, value in answer.items() if key != "first"}


def test_the_kernels_compared_really_differ() -> None:
    """Guards the test above: in plain float32 sums these kernels do give different bits."""
    code = (
        "import numpy as np, hashlib;r=np.random.default_rng(0);a=r.normal(size=(700,256)).astype('float32');"
        "print(hashlib.sha256((a@a[0]).tobytes()).hexdigest())"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code],
            env={**os.environ, "OPENBLAS_CORETYPE": kernel}, capture_output=True, text=True, check=True,
        ).stdout
        for kernel in ("Haswell", "Nehalem")
    }  # fmt: skip
    if len(answers) == 1:
        pytest.skip("this machine's BLAS has one kernel only")

"""The tour, the lesson and the questions in SQL show what their commands really print."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

DOCS = Path(__file__).parents[1] / "docs"


def _executed() -> ModuleType:
    spec = importlib.util.spec_from_file_location("executed_pages", DOCS / "executed.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["executed_pages"] = module
    spec.loader.exec_module(module)
    return module


executed = _executed()


@pytest.mark.slow
@pytest.mark.parametrize("page", executed.PAGES)
def test_a_page_shows_what_is_printed(page: str) -> None:
    found = executed.differences(page)
    assert not found, f"renew it with `python docs/executed.py --write {page}`, and read whether its words still fit:\n{found}"


def test_ten_questions_are_asked_and_answered() -> None:
    kinds = [block.kind for block in executed.blocks((DOCS / "run-file.md").read_text(encoding="utf-8"))]
    assert kinds.count("sql") == kinds.count("text") == 10
    text = (DOCS / "run-file.md").read_text(encoding="utf-8")
    assert re.findall(r"^\*\*(\d+)\. ", text, flags=re.M) == [str(n) for n in range(1, 11)]


def test_the_runner_notices_what_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another word, a missing line, a failing command; but not another second or digest."""
    digest = "0" * 64
    shown = f"# P\n\n```console\n$ town check\n7 files checked in 3.1 s, digest {digest}\nright\n```\n"
    (tmp_path / "p.md").write_text(shown, encoding="utf-8")
    monkeypatch.setattr(executed, "DOCS", tmp_path)
    for printed, differs in (
        (f"7 files checked in 22.9 s, digest {'f' * 64}\nright\n", False),
        (f"8 files checked in 3.1 s, digest {digest}\nright\n", True),
        (f"7 files checked in 3.1 s, digest {digest}\n", True),
    ):
        monkeypatch.setattr(executed, "town", lambda words, printed=printed: printed)
        assert bool(executed.differences("p.md")) is differs


def test_the_runner_fails_with_a_failing_command(capsys: pytest.CaptureFixture[str]) -> None:
    with executed.empty_folder(), pytest.raises(AssertionError, match="ended with 2"):
        executed.town(["log", "nothing.town"])
    assert "no such run file" in capsys.readouterr().err

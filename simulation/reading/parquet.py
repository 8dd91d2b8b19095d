"""A table as a Parquet file, with types, for pandas, polars, DuckDB or R. Needs pyarrow (the extra `studies`).

    write_parquet(target, columns, rows)   in row groups of bounded size

Importing this module raises UsageError where pyarrow is missing.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from kernel import UsageError

try:
    import pyarrow
    import pyarrow.parquet
except ImportError:
    raise UsageError(
        "Parquet files are written with pyarrow, which isn't installed", hint="pip install 'townfolk[studies]', or write CSV"
    ) from None

ROWS_AT_ONCE = 20_000
_TYPES = {"INTEGER": pyarrow.int64(), "REAL": pyarrow.float64(), "TIME": pyarrow.timestamp("ms"), "BLOB": pyarrow.binary()}


def write_parquet(target: Path, columns: list[tuple[str, str]], rows: Iterator[list[Any]]) -> None:
    """Writes it; columns are (name, SQLite type), a table without rows is written, too. Raises OSError."""
    schema = pyarrow.schema([(name, _TYPES.get(kind, pyarrow.string())) for name, kind in columns])
    with pyarrow.parquet.ParquetWriter(target, schema) as writer:
        while batch := list(islice(rows, ROWS_AT_ONCE)):
            values = [
                pyarrow.array(column, type=field.type) for column, field in zip(zip(*batch, strict=True), schema, strict=True)
            ]
            writer.write_table(pyarrow.Table.from_arrays(values, schema=schema))

"""Sealing a folder of files as evidence, and telling whether a seal is whole.

    seal(folder, files)     writes canonical files and the receipt over them
    Problem                 a file of a package and what is wrong with it
    broken(folder)          every file that isn't as it was sealed; [] when all are

A package is a folder: canonical JSON (`*.json`, one value) and JSON lines (`*.jsonl`), other files as they are, and
`receipt.json`, which lists the SHA-256 and the size of each and the digest of that list. Any changed byte shows, in the
receipt too. A seal isn't a signature: who writes everything anew can seal it anew, and then what is inside must still
hold together (`studies.packages.verifying`) and its digest differs from the one that was published.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from kernel import UsageError, dumps
from kernel import digest as digest_of

RECEIPT = "receipt.json"
FORMAT = "townfolk-evidence/1"


Mark: TypeAlias = tuple[int, str]
"""Size in bytes and SHA-256 (hex)."""


class Problem(NamedTuple):
    """`what` is a key of `wording/verify.yaml`; `fields` fill it in."""

    file: str
    what: str
    fields: Mapping[str, Any] = {}


def seal(folder: Path, files: Mapping[str, object], copies: Mapping[str, Path] | None = None) -> str:
    """Writes a package: a value per `.json`, a sequence of values per `.jsonl`, `copies` byte for byte; the digest.

    Raises UsageError when the folder is there already and isn't an empty folder: evidence is never written over.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError("there is something already", place=str(folder), hint="choose another folder, or move it away")
    folder.mkdir(parents=True, exist_ok=True)
    listed: dict[str, dict[str, object]] = {}
    for name, value in files.items():
        (folder / name).write_bytes(content(name, value))
    for name, source in (copies or {}).items():
        shutil.copyfile(source, folder / name)
    for name in sorted([*files, *(copies or {})]):
        size, sha = mark(folder / name)
        listed[name] = {"bytes": size, "sha256": sha}
    digest = digest_of(listed)
    receipt = {"digest": digest, "files": listed, "format": FORMAT}
    (folder / RECEIPT).write_bytes(content(RECEIPT, receipt))
    return digest


def content(name: str, value: object) -> bytes:
    """The bytes of a file: a line per item for `.jsonl`, else one line."""
    items: Sequence[object] = value if name.endswith(".jsonl") and isinstance(value, Sequence) else [value]
    return "".join(f"{dumps(item)}\n" for item in items).encode()


def file_hash(path: Path) -> str:
    """SHA-256 (hex) of a file's bytes."""
    with path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def broken(folder: Path) -> list[Problem]:
    """Every file that isn't as sealed: changed, missing, or not listed. The receipt itself first.

    Raises UsageError when the folder is no package.
    """
    path = folder / RECEIPT
    if not path.is_file():
        raise UsageError("this is no evidence package", place=str(folder), hint=f"a package is a folder with a {RECEIPT}")
    there = {entry.name: mark(entry) if entry.is_file() else None for entry in folder.iterdir() if entry.name != RECEIPT}
    return differences(path.read_bytes(), there)


def mark(path: Path) -> Mark:
    """What the receipt says of a file."""
    return path.stat().st_size, file_hash(path)


def differences(raw: bytes, there: Mapping[str, Mark | None]) -> list[Problem]:
    """What differs between a receipt's bytes and the marks of the files that are there (None: something, but no file)."""
    try:
        receipt = json.loads(raw)
        listed = receipt["files"]
        whole = raw == content(RECEIPT, receipt) and digest_of(listed) == receipt["digest"] and set(receipt) == _KEYS
        wanted = {str(name): (int(one["bytes"]), str(one["sha256"])) for name, one in listed.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        whole = False
    if not whole:
        return [Problem(RECEIPT, "receipt")]
    if receipt["format"] != FORMAT:
        return [Problem(RECEIPT, "format", {"found": receipt["format"], "known": FORMAT})]
    problems = [
        Problem(name, "missing" if there.get(name) is None else "changed")
        for name, sealed in sorted(wanted.items())
        if there.get(name) != sealed
    ]
    return [*problems, *(Problem(name, "unlisted") for name in sorted(there) if name not in wanted)]


_KEYS = {"digest", "files", "format"}


def sealed_digest(folder: Path) -> str:
    """The digest in a whole package's receipt."""
    return str(json.loads((folder / RECEIPT).read_bytes())["digest"])

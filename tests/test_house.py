"""Rules that hold for the whole house: module sizes, public names, no scenario in the code, a wheel that stands alone."""

import ast
import importlib
import os
import re
import statistics
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parent.parent
ROOMS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["root_packages"]
MODULES = sorted(path for room in ROOMS for path in (ROOT / room).rglob("*.py"))


def test_modules_are_small() -> None:
    lines = {path: len(path.read_text().splitlines()) for path in MODULES if path.name != "__init__.py"}
    long = {str(path.relative_to(ROOT)): n for path, n in lines.items() if n > 500}
    assert not long
    assert statistics.median(lines.values()) <= 200


def test_modules_say_their_parts_first() -> None:
    silent = [str(path.relative_to(ROOT)) for path in MODULES if not ast.get_docstring(ast.parse(path.read_text()))]
    assert not silent


@pytest.mark.parametrize("room", ROOMS)
def test_public_names_are_declared_sorted_and_there(room: str) -> None:
    module = importlib.import_module(room)
    names = getattr(module, "__all__", [])
    missing = [name for name in names if not hasattr(module, name)]
    assert not missing
    assert list(names) == sorted(names, key=lambda n: (not n.isupper(), not n[0].isupper(), n))


def scenario_words() -> set[str]:
    """Names and words that belong to scenarios: residents, gatherings, their places, what is tracked."""
    words: set[str] = set()
    for file in (ROOT / "scenarios").glob("*.yaml"):
        spec = yaml.safe_load(file.read_text())
        for name in spec.get("residents", []):
            words.update(name.split())
            words.add(name)
        words.update(spec.get("facts", {}))
        for fact in spec.get("facts", {}).values():
            if "gathering" in fact:
                words.add(fact["gathering"]["name"])
    for file in (ROOT / "maps").glob("*.yaml"):
        spec = yaml.safe_load(file.read_text())
        if isinstance(spec, dict) and isinstance(spec.get("sectors"), list | dict):
            words.update(str(sector) if isinstance(sector, str) else str(sector.get("name", "")) for sector in spec["sectors"])
    words.update({"valentine", "Valentine", "mayor", "candidacy", "election"})
    ordinary = {"Brook", "Park", "Salim", "Bath", "Green", "Hale", "Long", "Stan", "Smith", "Moore", "Workshop", "Bakery", ""}
    return {word for word in words - ordinary if len(word) > 3}


def test_no_scenario_in_the_code() -> None:
    found = []
    words = sorted(scenario_words())
    assert len(words) > 80
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, words)) + r")\b")
    for path in MODULES:
        code = ast.parse(path.read_text())
        prose = {id(doc) for node in ast.walk(code) if (doc := _docstring(node)) is not None}
        for node in ast.walk(code):
            text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
            name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
            if (text and id(node) not in prose and pattern.search(text)) or (name and pattern.search(name)):
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}: {text or name}")  # type: ignore[attr-defined]
    assert not found


def _docstring(node: ast.AST) -> ast.AST | None:
    """The constant that is a node's docstring (examples in prose may name people)."""
    body = getattr(node, "body", None)
    if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and body:
        first = body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            return first.value
    return None


def test_importing_touches_no_network_key_or_clock() -> None:
    rooms = ", ".join(ROOMS)
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    done = subprocess.run([sys.executable, "-c", f"import {rooms}"], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_the_wheel_works_outside_the_checkout(tmp_path: Path) -> None:
    """Built, unpacked into an empty folder and run from there: all data are inside."""
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)],
        check=True, capture_output=True,
    )  # fmt: skip
    wheel = next(tmp_path.glob("townfolk-*.whl"))
    home = tmp_path / "installed"
    subprocess.run([sys.executable, "-m", "zipfile", "-e", str(wheel), str(home)], check=True)
    words = ["town", "run", "hamlet", "--days", "0.4", "--out", "x.town", "--quiet", "--json"]
    code = f"import sys; sys.argv = {words}; import cli.main as m; print(m.__file__); m.main()"
    env = {**os.environ, "PYTHONPATH": str(home)}
    done = subprocess.run([sys.executable, "-c", code], env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert str(home) in done.stdout
    assert (tmp_path / "x.town").stat().st_size > 10_000

"""Reading a map file into a `MapSpec`; every problem is collected.

load_map    name or path -> MapSpec       (raises the first problem)
check_map   path -> all problems          (for `town check`)
map_path    name -> path of the file
map_names   the maps that come with Townfolk
"""

from __future__ import annotations

from pathlib import Path

from kernel import DataFileError, Located, UsageError, check_model, nearest
from maps.kinds import FOLDER, affordances, did_you_mean, grounds
from maps.mapfile import MapFile
from maps.plan import Report, read_plan
from maps.spec import MapSpec
from maps.whole import WholeTown

NOT_MAPS = ("affordances", "ground", "icons", "objects")


def map_names() -> tuple[str, ...]:
    """Names of the maps in this folder."""
    return tuple(sorted(p.stem for p in FOLDER.glob("*.yaml") if p.stem not in NOT_MAPS))


def map_path(name_or_path: str | Path) -> Path:
    """The file of a map given by name ("hamlet") or by path. Raises UsageError for an unknown name."""
    text = str(name_or_path)
    if text in map_names():
        return FOLDER / f"{text}.yaml"
    if Path(text).suffix or "/" in text or Path(text).exists():
        return Path(text)
    close = nearest(text, map_names())
    hint = f"did you mean '{close}'?" if close else f"there are: {', '.join(map_names())}"
    raise UsageError(f"there is no map '{text}'", hint=hint)


def load_map(name_or_path: str | Path) -> MapSpec:
    """Read a map. Raises DataFileError with the first problem in the file, UsageError for an unknown name."""
    spec, problems = _read(map_path(name_or_path))
    if problems:
        raise problems[0]
    assert spec is not None
    return spec


def check_map(path: str | Path) -> list[DataFileError]:
    """All problems of a map file in the file's order; empty when it is sound."""
    return _read(Path(path))[1]


def _read(path: Path) -> tuple[MapSpec | None, list[DataFileError]]:
    model, located, problems = check_model(path, MapFile)
    if model is None or located is None:
        return None, problems
    if not _known_words(model, located, problems.append):
        return None, sorted(problems, key=lambda p: p.line or 0)
    drawn = [read_plan(name, entry, model.size, located, problems.append) for name, entry in model.sectors.items()]
    town = WholeTown(model, located, [d for d in drawn if d is not None], problems.append)
    # a sector that can't be drawn would make its neighbours look unreachable: only its own problems are told then
    spec = town.resolve() if not any(d is None for d in drawn) else None
    return (None if problems else spec), sorted(problems, key=lambda p: p.line or 0)


def _known_words(model: MapFile, located: Located, report: Report) -> bool:
    """Whether the names of ground and affordances outside the plans are known, and sector names differ."""
    sound = True

    def wrong(what: str, *path: str | int, hint: str) -> None:
        nonlocal sound
        sound = False
        report(located.problem(what, *path, hint=hint))

    if model.fill not in grounds():
        wrong(f"unknown ground '{model.fill}'", "fill", hint=did_you_mean(model.fill, grounds()))
    for i, shape in enumerate(model.ground):
        for word, key in ((shape.of, "of"), *((word, "on") for word in shape.on)):
            if word not in grounds():
                wrong(f"unknown ground '{word}'", "ground", i, key, hint=did_you_mean(word, grounds()))
        if sum(part is not None for part in (shape.rect, shape.ellipse, shape.line, shape.tiles)) != 1:
            wrong("a shape has exactly one of rect, ellipse, line, tiles", "ground", i, hint="split it into several shapes")
    for key in model.outside.affords:
        if key not in affordances():
            wrong(f"unknown affordance '{key}'", "outside", "affords", hint=did_you_mean(key, affordances()))
    names = {model.outside.sector.casefold(): model.outside.sector}
    for name in model.sectors:
        if names.setdefault(name.casefold(), name) != name or name == model.outside.sector:
            wrong(f"the sector '{name}' has the name of another", "sectors", name, hint="names differ by more than their case")
    return sound

"""`town shot` and `town film`: pictures of a run, without a display."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from cli.reading import Run

if TYPE_CHECKING:
    from viewer.source import Source

Size = Annotated[str, typer.Option("--size", metavar="WxH", help="Size in pixels.")]
Follow = Annotated[
    str | None, typer.Option("--follow", metavar="NAME", help="Any part of a resident's or a visitor's name.", show_default=False)
]
Place = Annotated[
    str | None, typer.Option("--place", metavar="ADDRESS", help="Any part of a place's address.", show_default=False)
]
Zoom = Annotated[
    float | None, typer.Option("--zoom", min=0.25, max=4, help="Screen pixels per town pixel.", show_default="what suits")
]


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("shot")(shot)
    app.command("film")(film)


def shot(
    run: Run = None,
    at: Annotated[str | None, typer.Option("--at", metavar="TIME", help="When.", show_default="the end")] = None,
    out: Annotated[Path, typer.Option("--out", metavar="PNG", help="The picture.")] = Path("town.png"),
    size: Size = "1280x720",
    zoom: Zoom = None,
    follow: Follow = None,
    place: Place = None,
    direct: Annotated[bool, typer.Option("--direct", help="What is most worth seeing then.")] = False,
) -> None:
    """A picture of the town at a time: all of it, a resident, a place, or what is worth seeing."""
    from simulation.storing.library import find_run
    from viewer import Source, Subject, save_shot

    source = Source(find_run(run))
    save_shot(source, _step(source, at, source.committed), out, size_of(size), Subject(follow, place, direct, zoom))
    typer.echo(str(out))


def film(
    run: Run = None,
    since: Annotated[str | None, typer.Option("--from", metavar="TIME", help="Begin.", show_default="the start")] = None,
    until: Annotated[str | None, typer.Option("--to", metavar="TIME", help="End.", show_default="the end")] = None,
    out: Annotated[Path, typer.Option("--out", metavar="GIF|MP4", help="The film.")] = Path("town.gif"),
    size: Size = "640x360",
    zoom: Zoom = None,
    follow: Follow = None,
    place: Place = None,
    centre: Annotated[str | None, typer.Option("--centre", metavar="X,Y", help="A tile to look at.", show_default=False)] = None,
    pace: Annotated[float, typer.Option("--pace", min=1, max=3600, help="Game seconds per second.")] = 60.0,
    frames: Annotated[
        int | None, typer.Option("--fps", min=2, max=60, help="Frames per second.", show_default="12 of a GIF, 24 of an MP4")
    ] = None,
) -> None:
    """A film of a span: following a resident, at a place, or wherever there is something to see."""
    from rich.console import Console
    from rich.progress import Progress

    from simulation.storing.library import find_run
    from viewer import Source, Subject, save_film

    source = Source(find_run(run))
    start, end = _step(source, since, 0), _step(source, until, source.committed)
    subject = Subject(follow, place, follow is None and place is None and centre is None, zoom, _tile(centre))
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        seconds = save_film(
            source, start, end, out, size=size_of(size), subject=subject, pace=pace, frames=frames,
            report=lambda done, total: bar.update(task, completed=done, total=total),
        )  # fmt: skip
    typer.echo(f"{out} ({seconds:.0f} s)")


def highlight(path: Path) -> None:
    """Films the best twenty seconds of a run, beside its file, and says where that is."""
    from kernel import UsageError
    from simulation.wording import phrase
    from viewer import Source, save_highlight
    from viewer.director import place_name

    source, out = Source(path), path.with_suffix(".gif")
    try:
        scene = save_highlight(source, out)
    except UsageError as error:
        typer.echo(error.sentence(), err=True)
        return
    finally:
        source.close()
    time = f"{source.clock.at(scene.start):%a %Y-%m-%d %H:%M}"
    typer.echo(phrase("cli", "filmed", film=out, place=place_name(scene.place), time=time))


def _step(source: Source, time: str | None, default: int) -> int:
    from kernel import UsageError

    if time is None:
        return default
    step = source.clock.step_at(source.clock.parse(time))
    if not 0 <= step <= source.committed:
        first, last = source.clock.at(0), source.clock.at(source.committed)
        raise UsageError(
            f"'{time}' is outside of this run", hint=f"it was lived from {first:%Y-%m-%d %H:%M} to {last:%Y-%m-%d %H:%M}"
        )
    return step


def _tile(text: str | None) -> tuple[float, float] | None:
    from kernel import UsageError

    if text is None:
        return None
    found = re.fullmatch(r"(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?)", text.strip())
    if found is None:
        raise UsageError(f"'{text}' is not a tile", hint="write X,Y such as 40,25")
    return float(found[1]), float(found[2])


def size_of(text: str, smallest: tuple[int, int] = (64, 64)) -> tuple[int, int]:
    """Pixels, each even. Raises UsageError for what is none, or smaller than can be drawn."""
    from kernel import UsageError

    found = re.fullmatch(r"(\d{2,4})x(\d{2,4})", text.strip())
    if found is None:
        raise UsageError(f"'{text}' is not a size", hint="write WIDTHxHEIGHT in pixels, such as 1280x720")
    width, height = int(found[1]), int(found[2])
    if width < smallest[0] or height < smallest[1]:
        raise UsageError(f"{width}x{height} pixels are too few", hint="at least {}x{}".format(*smallest))
    return width // 2 * 2, height // 2 * 2

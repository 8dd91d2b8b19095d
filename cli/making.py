"""`town new`: a town that nobody has drawn, as files to run and to change."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("new")(new)


def new(
    folder: Annotated[Path, typer.Argument(help="Where to make it; a folder that isn't there yet, or an empty one.")],
    residents: Annotated[int, typer.Option("--residents", metavar="N", help="How many live there, 2 to 1000.")] = 25,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Another number, another town.")] = 0,
    days: Annotated[float, typer.Option("--days", metavar="N", help="Game days that are planned.")] = 1,
    json: Annotated[bool, typer.Option("--json", help="What was made, as JSON.")] = False,
) -> None:
    """Make a town: a map, people, a scenario."""
    from kernel import dumps
    from scenarios.generating import generate, write
    from simulation.wording import phrase

    town = generate(residents, seed, days)
    made = {
        "scenario": str(write(town, folder)),
        "town": town.map["world"],
        "residents": residents,
        "homes": town.homes,
        "places": town.places,
        "size": town.map["size"],
        "seed": seed,
    }
    if json:
        typer.echo(dumps(made))
        return
    width, height = town.map["size"]
    typer.echo(phrase("cli", "town_made", **{**made, "folder": folder, "width": width, "height": height}))

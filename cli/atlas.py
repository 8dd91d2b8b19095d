"""`town atlas`: all pictures of the town on one sheet, for the eye."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("atlas")(atlas)


def atlas(
    out: Annotated[Path, typer.Option("--out", metavar="PNG", help="Where to write it.")] = Path("atlas.png"),
    zoom: Annotated[int, typer.Option("--zoom", min=1, max=8, help="Pixels of the picture for each pixel drawn.")] = 2,
    town: Annotated[str | None, typer.Option("--map", metavar="MAP", help="Draw a whole map instead of the sheet.")] = None,
) -> None:
    """Write the pictures the window is drawn with, as one PNG."""
    import os

    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import pygame

    from viewer.art import load_atlas
    from viewer.art.sheet import map_picture, scenery, sheet

    picture = map_picture(load_atlas(), scenery(town)) if town else sheet(load_atlas())
    out.parent.mkdir(parents=True, exist_ok=True)
    try:
        pygame.image.save(pygame.transform.scale_by(picture, zoom), str(out))
    except pygame.error as error:
        from kernel import UsageError

        raise UsageError(f"the picture can't be written: {error}", place=str(out), hint="end the name in .png") from None
    typer.echo(f"{out}: {picture.get_width() * zoom} x {picture.get_height() * zoom} pixels")

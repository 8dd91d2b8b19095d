"""`town reembed`: give a run's memories the vectors of another embedder."""

from __future__ import annotations

from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("reembed")(reembed)


def reembed(
    run: Annotated[str | None, typer.Argument(metavar="RUN", help="The run file; the newest when left out.")] = None,
    embedder: Annotated[
        str,
        typer.Option(
            "--embedder", help="wordllama-256, hash-N, or openai:NAME@SERVER/DIMENSIONS (the last two parts may be left out)."
        ),
    ] = "wordllama-256",
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON, with stable keys.")] = False,
) -> None:
    """Embed the memories of a run anew, so that it can go on with another embedder."""
    from simulation.reembedding import reembed as embed_anew
    from simulation.storing.library import find_run
    from simulation.wording import phrase

    done = embed_anew(find_run(run), embedder)
    typer.echo(
        done.as_json() if json else phrase("cli", "reembedded", memories=done.memories, before=done.before, after=done.after)
    )

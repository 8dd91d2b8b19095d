"""`town estimate`: what a run would ask of a model, and cost, before it is lived."""

from __future__ import annotations

from typing import Annotated

import typer


def add_to(app: typer.Typer) -> None:
    """Adds the command of this module."""
    app.command("estimate")(estimate)


def estimate(
    scenario: Annotated[str | None, typer.Argument(help="A scenario's name or file.", show_default="see `town`")] = None,
    model: Annotated[str, typer.Option("--model", help="offline, openai:NAME, openai:NAME@SERVER or local.")] = "offline",
    model_for: Annotated[
        list[str] | None, typer.Option("--model-for", metavar="OPERATIONS=MODEL", help="Another model for some operations.")
    ] = None,
    days: Annotated[
        float | None, typer.Option("--days", help="Game days, may be a fraction.", show_default="the scenario's")
    ] = None,
    probe: Annotated[bool, typer.Option("--probe", help="Ask the server three short questions to learn its speed.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Figures as JSON, with stable keys.")] = False,
) -> None:
    """Say what a run would take: calls, tokens, cost and hours."""
    from language.operations import OPERATIONS
    from scenarios import default
    from simulation.estimating import estimate as estimated
    from simulation.models import parse_assignments

    assigned = parse_assignments(model_for or (), [operation.name for operation in OPERATIONS])
    found = estimated(scenario or default(), days=days, model=model, model_for=assigned, probe=probe)
    for line in [found.as_json()] if json else found.lines():
        typer.echo(line)

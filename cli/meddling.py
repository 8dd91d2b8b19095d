"""`town inject`, `town set` and `town say`: asking a town, running or not, for something to happen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulation.interventions import Wish
    from simulation.storing.runfile import RunFile

AsJson = Annotated[bool, typer.Option("--json", help="As JSON, with stable keys.")]
First = Annotated[str | None, typer.Argument(metavar="[RUN]", help="The run file; the newest when left out.", show_default=False)]


def add_to(app: typer.Typer) -> None:
    """Adds the commands of this module."""
    app.command("inject")(inject)
    app.command("set")(set_state)
    app.command("say")(say)


def inject(
    at: Annotated[str, typer.Option("--at", metavar="ADDRESS", help="Where; any unambiguous part of an address.")],
    run: First = None,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="What is to be seen there.", show_default=False)] = None,
    minutes: Annotated[int | None, typer.Option("--minutes", help="For how long.", show_default="10")] = None,
    json: AsJson = False,
) -> None:
    """Let something happen at a place: those in range perceive it, nobody else does."""
    from simulation.interventions import wish_event

    where, (words,) = _split(run, [text], 1, "what is to happen there")
    _ask(where, lambda opened: wish_event(opened, words, at, minutes), json)


def set_state(
    run: First = None,
    address: Annotated[str | None, typer.Argument(metavar="ADDRESS", help="The object.", show_default=False)] = None,
    state: Annotated[str | None, typer.Argument(metavar="STATE", help="In your own words.", show_default=False)] = None,
    json: AsJson = False,
) -> None:
    """Put an object into another state, in free words: burning, leaking, out of order."""
    from simulation.interventions import wish_object

    where, (thing, words) = _split(run, [address, state], 2, "an address and a state")
    _ask(where, lambda opened: wish_object(opened, thing, words), json)


def say(
    run: First = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Any part of a resident's name.", show_default=False)] = None,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="The words.", show_default=False)] = None,
    inner_voice: Annotated[bool, typer.Option("--inner-voice", help="As the resident's own directive.")] = False,
    json: AsJson = False,
) -> None:
    """Speak to a resident as their inner voice."""
    from kernel import UsageError
    from simulation.interventions import wish_voice

    if not inner_voice:
        raise UsageError("a visitor can't speak yet", hint="say it with --inner-voice")
    where, (who, words) = _split(run, [name, text], 2, "a name and words")
    _ask(where, lambda opened: wish_voice(opened, who, words), json)


def _split(run: str | None, given: list[str | None], count: int, what: str) -> tuple[str | None, list[str]]:
    """`[RUN] A B` of which RUN may be left out. Raises UsageError when something is missing."""
    from kernel import UsageError

    words = [word for word in (run, *given) if word is not None]
    if len(words) < count:
        raise UsageError(f"missing: {what}", hint="see --help")
    return (words[0] if len(words) > count else None), words[-count:]


def _ask(where: str | None, wish: Callable[[RunFile], Wish], json: bool) -> None:
    from dataclasses import asdict

    from kernel import dumps
    from simulation.interventions import ask_for
    from simulation.storing.library import find_run
    from simulation.storing.runfile import RunFile
    from simulation.wording import phrase

    path = find_run(where)
    with RunFile.open(path) as opened:
        wished = wish(opened)
    number = ask_for(path, wished)
    if json:
        typer.echo(dumps({"run": str(path), "id": number, **asdict(wished)}))
    else:
        target = wished.place or wished.who
        typer.echo(f"{target}: {wished.text}\n{phrase('cli', 'asked_for', id=number)}")

"""`town inject`, `set` and `say`: asking a town, running or not, for something to happen.

ask, split    what the commands of `cli.visiting` share with these
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulation.interventions import Wish
    from simulation.storing.runfile import RunFile

AsJson = Annotated[bool, typer.Option("--json", help="As JSON, with stable keys.")]
AsAuthor = Annotated[str, typer.Option("--as-author", metavar="NAME", help="Who asks for it; kept with it.")]
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
    author: AsAuthor = "",
    json: AsJson = False,
) -> None:
    """Let something happen at a place: those in range perceive it, nobody else does."""
    from simulation.interventions import wish_event

    where, (words,) = split(run, [text], 1, "what is to happen there")
    ask(where, lambda opened: [wish_event(opened, words, at, minutes)], json, author)


def set_state(
    run: First = None,
    address: Annotated[str | None, typer.Argument(metavar="ADDRESS", help="The object.", show_default=False)] = None,
    state: Annotated[str | None, typer.Argument(metavar="STATE", help="In your own words.", show_default=False)] = None,
    author: AsAuthor = "",
    json: AsJson = False,
) -> None:
    """Put an object into another state, in free words: burning, leaking, out of order."""
    from simulation.interventions import wish_object

    where, (thing, words) = split(run, [address, state], 2, "an address and a state")
    ask(where, lambda opened: [wish_object(opened, thing, words)], json, author)


def say(
    run: First = None,
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Any part of a resident's name.", show_default=False)] = None,
    text: Annotated[str | None, typer.Argument(metavar="TEXT", help="The words.", show_default=False)] = None,
    who: Annotated[
        str | None, typer.Option("--as", metavar="WHO", help="As a visitor of this name, beside them.", show_default=False)
    ] = None,
    look: Annotated[str, typer.Option("--look", help="How the visitor looks, in words.")] = "",
    inner_voice: Annotated[bool, typer.Option("--inner-voice", help="As the resident's own directive.")] = False,
    author: AsAuthor = "",
    json: AsJson = False,
) -> None:
    """Speak to a resident: as a visitor who is beside them (and stays), or as their inner voice."""
    from kernel import UsageError
    from simulation.interventions import wish_said_by, wish_voice

    if inner_voice == (who is not None):
        raise UsageError("who is speaking?", hint="a visitor: --as WHO, or the resident's own --inner-voice")
    where, (name_, words) = split(run, [name, text], 2, "a name and words")
    if who is None:
        ask(where, lambda opened: [wish_voice(opened, name_, words)], json, author)
    else:
        ask(where, lambda opened: wish_said_by(opened, who, words, name_, look), json, author)


def split(run: str | None, given: list[str | None], count: int, what: str) -> tuple[str | None, list[str]]:
    """`[RUN] A B` of which RUN may be left out. Raises UsageError when something is missing."""
    from kernel import UsageError

    words = [word for word in (run, *given) if word is not None]
    if len(words) < count:
        raise UsageError(f"missing: {what}", hint="see --help")
    return (words[0] if len(words) > count else None), words[-count:]


def ask(where: str | None, wish: Callable[[RunFile], list[Wish]], json: bool, author: str = "") -> None:
    """Puts wishes into the file of a run and says so."""
    from kernel import dumps
    from simulation.interventions import ask_for_all
    from simulation.storing.library import find_run
    from simulation.storing.runfile import RunFile
    from simulation.wording import phrase

    path = find_run(where)
    with RunFile.open(path) as opened:
        wished = wish(opened)
    numbers = ask_for_all(path, wished, author)
    if json:
        typer.echo(dumps({"run": str(path), "id": numbers[-1], **wished[-1].as_dict()}))
    else:
        typer.echo(f"{wished[-1].in_words()}\n{phrase('cli', 'asked_for', id=numbers[-1])}")

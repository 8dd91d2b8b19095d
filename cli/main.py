"""The `town` command: one module per command group, no logic here.

    app       the typer application; each group's module adds its commands
    main()    the entry point: errors become one sentence and an exit code, never a traceback

Only typer is imported at start-up; what a command needs is imported when it runs.
"""

from __future__ import annotations

import os
import sys
from typing import Annotated

import typer

from cli import (
    ablation,
    asking,
    atlas,
    branching,
    checking,
    estimate,
    filming,
    interviewing,
    judging,
    making,
    meddling,
    reading,
    reembed,
    report,
    running,
    studying,
    visiting,
    watching,
    whatif,
)

app = typer.Typer(
    name="town",
    help="A laboratory town: residents who remember, reflect, plan and talk.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        print(version("townfolk"))
        raise typer.Exit


@app.callback(invoke_without_command=True)
def bare(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")] = False,
) -> None:
    """Say what one can do next."""
    if context.invoked_subcommand is None:
        reading.welcome()


running.add_to(app)
estimate.add_to(app)
reading.add_to(app)
reembed.add_to(app)
report.add_to(app)
meddling.add_to(app)
visiting.add_to(app)
asking.add_to(app)
interviewing.add_to(app)
branching.add_to(app)
whatif.add_to(app)
watching.add_to(app)
filming.add_to(app)
checking.add_to(app)
making.add_to(app)
ablation.add_to(app)
judging.add_to(app)
studying.add_to(app)
atlas.add_to(app)


def main() -> None:
    """Runs the command line and exits with its code: 0 fine, 2 a user's mistake, 130 interrupted (see kernel.errors)."""
    sys.exit(run(sys.argv[1:]))


def run(arguments: list[str]) -> int:
    """The exit code of a command; whatever goes wrong is one sentence on standard error."""
    try:
        code = app(arguments, standalone_mode=False)
    except (KeyboardInterrupt, typer.Abort):
        return _say("interrupted", 130)
    except typer.Exit as leaving:
        return leaving.exit_code
    except BrokenPipeError:  # `town log | head`: nobody is listening any more
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        return _say(f"{place}{error.strerror or error}", 2)
    except Exception as error:  # noqa: BLE001  (raised again there unless Townfolk can explain it)
        return _explained(error)
    return code if isinstance(code, int) else 0


def _explained(error: Exception) -> int:
    """Says what Townfolk or the argument parser can explain; anything else is a defect and raised again."""
    if isinstance(error, typer.BadParameter.__mro__[2]):  # the parser's base class, wherever typer has it from
        error.show()  # type: ignore[attr-defined]
        return 2
    from kernel import TownfolkError  # loads the data-file reader, which `town --help` can do without

    if isinstance(error, TownfolkError):
        return _say(error.sentence(), error.exit_code)
    raise error


def _say(sentence: str, code: int) -> int:
    print(f"town: {sentence}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()

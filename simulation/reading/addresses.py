"""Places by any unambiguous part of their addresses: "stove" in a one-stove town, "cafe : piano", "ada : bed".

find_address(run, given)            the one address meant, or a UsageError with the candidates
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kernel import UsageError, nearest
from simulation.storing.runfile import RunFile

SHOWN = 6
"""How many candidates an error lists."""

_FITS: tuple[Callable[[str, str], bool], ...] = (
    lambda part, name: name == part,
    lambda part, name: part in name.replace("'s", "").split(),
    lambda part, name: any(word.startswith(part) for word in name.split()) or name.startswith(part),
    lambda part, name: part in name,
)
"""How a part may stand for a name, the strictest first."""


def find_address(run: RunFile, given: str, levels: Sequence[str] = ("town", "sector", "arena", "object")) -> str:
    """The one place of these levels that `given` can mean, in any case.

    The last part of what is given names the place itself, earlier ones some of those around it. Of places inside each
    other that fit equally, the outermost is meant. Raises UsageError.
    """
    rows = run.rows("SELECT address, level, kind FROM places ORDER BY position")
    known = {address: kind.casefold() for address, level, kind in rows if level in levels}
    wanted = [part.strip().casefold() for part in given.split(":")]
    if all(wanted):
        for fits in _FITS:
            found = [address for address, kind in known.items() if _means(wanted, address.casefold().split(" : "), kind, fits)]
            outer = [a for a in found if not any(a.startswith(f"{b} : ") for b in found)]
            if len(outer) == 1:
                return str(outer[0])
            if outer:
                more = f" and {len(outer) - SHOWN} more" if len(outer) > SHOWN else ""
                raise UsageError(
                    f"'{given.strip()}' may mean {'; '.join(outer[:SHOWN])}{more}",
                    hint="write more of the address, parts joined by ':'",
                )
    what = levels[0] if len(levels) == 1 else "place"
    close = nearest(wanted[-1][:60], [address.split(" : ")[-1] for address in known])
    shown = given if len(given) <= 60 else given[:60] + "..."
    raise UsageError(
        f"there is no {what} {shown.strip()!r}",
        hint=f"did you mean {close}?" if close else "the table `places` of the run lists them",
    )


def _means(wanted: Sequence[str], names: Sequence[str], kind: str, fits: Callable[[str, str], bool]) -> bool:
    """Whether the last part fits the last name (or is the kind of thing it is), and the others names before it, in order."""
    if len(wanted) > len(names) or not (fits(wanted[-1], names[-1]) or wanted[-1] == kind):
        return False
    place = 0
    for part in wanted[:-1]:
        while place < len(names) - 1 and not fits(part, names[place]) and not _FITS[1](part, names[place]):
            place += 1
        if place >= len(names) - 1:
            return False
        place += 1
    return True

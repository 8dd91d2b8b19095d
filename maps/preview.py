"""A picture of a map in flat colours, for whoever draws one: `python -m maps.preview NAME OUT.png`.

picture    MapSpec -> pixels
main       the command
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kernel import TownfolkError
from maps.kinds import grounds
from maps.reading import load_map
from maps.spec import MapSpec

SCALE = 8
SOLID_THING, SEAT, PLACE = (70, 60, 110), (150, 90, 160), (232, 160, 70)


def picture(spec: MapSpec, scale: int = SCALE) -> npt.NDArray[np.uint8]:
    """Pixels [height * scale, width * scale, 3]: the ground, and each object as a smaller square (solid things dark,
    seats violet, other places to be orange)."""
    colour = {kind.letter: [int(kind.colour[i : i + 2], 16) for i in (0, 2, 4)] for kind in grounds().values()}
    tiles = np.array([[colour[letter] for letter in row] for row in spec.ground], dtype=np.uint8)
    pixels = tiles.repeat(scale, axis=0).repeat(scale, axis=1)
    solid, seats = set(spec.solid), set(spec.seats)
    rim = max(1, scale // 5)
    for sector in spec.sectors:
        for arena in sector.arenas:
            for thing in arena.objects:
                for x, y in thing.tiles:
                    shade = SOLID_THING if (x, y) in solid else SEAT if (x, y) in seats else PLACE
                    inset = rim if shade is not PLACE else scale // 3
                    pixels[y * scale + inset : (y + 1) * scale - inset, x * scale + inset : (x + 1) * scale - inset] = shade
    return pixels


def main(arguments: list[str]) -> int:
    """Write the picture of a map; returns the exit code."""
    if len(arguments) != 2:
        sys.stderr.write("usage: python -m maps.preview NAME OUT.png\n")
        return 2
    from matplotlib.image import imsave

    try:
        spec = load_map(arguments[0])
    except TownfolkError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code
    imsave(Path(arguments[1]), picture(spec))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""Painting the ground: the town's shapes of grass, street, water and trees, in the order of the file.

paint    (size, fill, shapes) -> rows of letters
"""

from __future__ import annotations

from collections.abc import Iterator

from kernel import Dice
from maps.kinds import grounds
from maps.mapfile import Shape
from maps.spec import Tile


def paint(size: tuple[int, int], fill: str, shapes: tuple[Shape, ...]) -> list[list[str]]:
    """Letters of the ground, `rows[y][x]`; later shapes lie over earlier ones. Kinds must be known."""
    kinds = grounds()
    width, height = size
    rows = [[kinds[fill].letter] * width for _ in range(height)]
    for number, shape in enumerate(shapes):
        only = {kinds[name].letter for name in shape.on}
        letter = kinds[shape.of].letter
        for x, y in _thinned(shape, number):
            if 0 <= x < width and 0 <= y < height and (not only or rows[y][x] in only):
                rows[y][x] = letter
    return rows


def _thinned(shape: Shape, number: int) -> Iterator[Tile]:
    """The tiles of a shape that `every` and `share` leave; a tile's fate depends on the shape's number and its place."""
    tiles = list(dict.fromkeys(_tiles(shape)))
    if not tiles:
        return
    left, top = min(x for x, _ in tiles), min(y for _, y in tiles)
    for x, y in tiles:
        if shape.every:
            dx, dy = shape.every
            row, rest = divmod(y - top, dy)
            if rest or (x - left + (row % 2) * (dx // 2)) % dx:
                continue
        if shape.share is None or Dice(number, f"{x},{y}", 0, "ground").chance(shape.share):
            yield x, y


def _tiles(shape: Shape) -> Iterator[Tile]:
    """All tiles of a shape, row by row."""
    if shape.rect:
        x0, y0, w, h = shape.rect
        yield from ((x, y) for y in range(y0, y0 + h) for x in range(x0, x0 + w))
    if shape.ellipse:
        cx, cy, rx, ry = shape.ellipse
        for y in range(cy - ry, cy + ry + 1):
            for x in range(cx - rx, cx + rx + 1):
                # three tenths of a tile more, so that small ellipses come out round
                if (10 * (x - cx) * (10 * ry + 3)) ** 2 + (10 * (y - cy) * (10 * rx + 3)) ** 2 <= (
                    (10 * rx + 3) * (10 * ry + 3)
                ) ** 2:
                    yield x, y
    if shape.line:
        for (ax, ay), (bx, by) in zip(shape.line, shape.line[1:], strict=False):
            steps = max(abs(bx - ax), abs(by - ay), 1)
            for i in range(steps + 1):
                x, y = ax + round(i * (bx - ax) / steps), ay + round(i * (by - ay) / steps)
                yield from ((x + dx, y + dy) for dy in range(shape.width) for dx in range(shape.width))
    if shape.tiles:
        yield from shape.tiles

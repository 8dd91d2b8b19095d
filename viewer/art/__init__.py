"""All pictures of the town, drawn by the project itself; `load_atlas()` is the way in. See docs/art.md."""

from viewer.art.atlas import Atlas, load_atlas
from viewer.art.pieces import TILE, Facing, Light, Piece, Placed, Pose, Sprite

__all__ = ["TILE", "Atlas", "Facing", "Light", "Piece", "Placed", "Pose", "Sprite", "load_atlas"]

"""Maps: towns as people draw them, and what they may be made of.

Data: `the_ville.yaml`, `hamlet.yaml`; `objects.yaml`, `ground.yaml`, `affordances.yaml`, `icons.yaml`.
"""

from maps.kinds import GroundKind, ObjectKind, affordances, catalogue, grounds, icons
from maps.reading import check_map, load_map, map_names, map_path
from maps.spec import ArenaSpec, MapSpec, ObjectSpec, SectorSpec

__all__ = [
    "ArenaSpec",
    "GroundKind",
    "MapSpec",
    "ObjectKind",
    "ObjectSpec",
    "SectorSpec",
    "affordances",
    "catalogue",
    "check_map",
    "grounds",
    "icons",
    "load_map",
    "map_names",
    "map_path",
]

"""Studies over runs: reports and stories, later interviews, judges and rankings.

Names are imported when they are first used, so that a short command doesn't load what only a report needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studies.material import Material, gather
    from studies.report import report_folder, write_report
    from studies.sections import short_rows
    from studies.telling import story

_HOMES = {
    "Material": "material",
    "gather": "material",
    "report_folder": "report",
    "short_rows": "sections",
    "story": "telling",
    "write_report": "report",
}

__all__ = ["Material", "gather", "report_folder", "short_rows", "story", "write_report"]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"studies.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'studies' has no attribute '{name}'")

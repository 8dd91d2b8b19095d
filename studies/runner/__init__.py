"""The study runner: a YAML file in, a folder with data, tables, plots, a report and a manifest out.

Names are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studies.runner.conducting import Conducted, Stage, conduct
    from studies.runner.folder import StudyFolder
    from studies.runner.spec import Study, read_study
    from studies.runner.writing import write_results

_HOMES = {
    "Conducted": "conducting",
    "Stage": "conducting",
    "Study": "spec",
    "StudyFolder": "folder",
    "conduct": "conducting",
    "read_study": "spec",
    "write_results": "writing",
}

__all__ = ["Conducted", "Stage", "Study", "StudyFolder", "conduct", "read_study", "write_results"]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"studies.runner.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'studies.runner' has no attribute '{name}'")

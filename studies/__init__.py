"""Studies over runs: reports and stories, batch interviews, judges and rankings.

Names are imported when they are first used, so that a short command doesn't load what only a report needs.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from studies.interviewing import Interviewed, Plan, conduct, interview_all, plan_of
    from studies.material import Material, gather
    from studies.questions import Bank, read_questions
    from studies.report import report_folder, write_report
    from studies.sections import short_rows
    from studies.telling import story

_HOMES = {
    "Bank": "questions",
    "Interviewed": "interviewing",
    "Material": "material",
    "Plan": "interviewing",
    "conduct": "interviewing",
    "gather": "material",
    "interview_all": "interviewing",
    "plan_of": "interviewing",
    "read_questions": "questions",
    "report_folder": "report",
    "short_rows": "sections",
    "story": "telling",
    "write_report": "report",
}

__all__ = [
    "Bank",
    "Interviewed",
    "Material",
    "Plan",
    "conduct",
    "gather",
    "interview_all",
    "plan_of",
    "read_questions",
    "report_folder",
    "short_rows",
    "story",
    "write_report",
]


def __getattr__(name: str) -> object:
    if name in _HOMES:
        return getattr(import_module(f"studies.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'studies' has no attribute '{name}'")

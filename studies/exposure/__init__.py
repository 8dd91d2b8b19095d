"""The exposure study: a town lived under each selector at equal caps, many seeds, and what that did to what was owed."""

from studies.exposure.living import ARMS, Life, Plan, conduct
from studies.exposure.results import measure, results
from studies.exposure.telling import about, notes, tables, write_results

__all__ = ["ARMS", "Life", "Plan", "about", "conduct", "measure", "notes", "results", "tables", "write_results"]

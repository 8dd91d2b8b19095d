"""Measures read from a run file: no simulation, nothing written. `report_data` gives them all with stable keys."""

from simulation.measures.calls import call_counts, evidence
from simulation.measures.claims import Unsupported, claim_counts, is_claim, unsupported
from simulation.measures.exposures import exposure_counts
from simulation.measures.facts import Learned, spread
from simulation.measures.gatherings import Attendance, attendance
from simulation.measures.invitations import Asked, asked, invitation_counts
from simulation.measures.network import acquaintance, density, known_since
from simulation.measures.obligations import Need, Scored, score
from simulation.measures.oddities import KINDS, oddities
from simulation.measures.oddity import Oddity
from simulation.measures.positions import Whereabouts
from simulation.measures.reading import Done, Place, Reading, Said, sector_of
from simulation.measures.reflections import reflection_counts
from simulation.measures.report import measured, report_data
from simulation.measures.utterances import Masker, utterance_counts

__all__ = [
    "KINDS",
    "Asked",
    "Attendance",
    "Done",
    "Learned",
    "Masker",
    "Need",
    "Oddity",
    "Place",
    "Reading",
    "Said",
    "Scored",
    "Unsupported",
    "Whereabouts",
    "acquaintance",
    "asked",
    "attendance",
    "call_counts",
    "claim_counts",
    "density",
    "evidence",
    "exposure_counts",
    "invitation_counts",
    "is_claim",
    "known_since",
    "measured",
    "oddities",
    "reflection_counts",
    "report_data",
    "score",
    "sector_of",
    "spread",
    "unsupported",
    "utterance_counts",
]

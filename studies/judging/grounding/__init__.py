"""The grounding judge: scores an answer against the run's own record, by counting; no model takes part.

It measures access to the record, not believability. It shares no code with what words answers.
"""

from studies.judging.grounding.judge import GroundingJudge, Verdict
from studies.judging.grounding.record import Known, KnownOf

__all__ = ["GroundingJudge", "Known", "KnownOf", "Verdict"]

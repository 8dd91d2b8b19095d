"""What if: a change made again and again, beside lives left alone and lives with an irrelevant change.

placebo      which irrelevant changes, by a stated rule
lives        makes them: forks, changes, lives on; can be interrupted and taken up again
effects      what the change did, against what irrelevant changes did; with what n repeats can and cannot say
telling      the table, the page and the picture

write(found(experiment(path, wishes, folder, at=...)), folder)   is all of it
"""

from studies.whatif.effects import Effect, Finding, found
from studies.whatif.lives import Experiment, Life, experiment
from studies.whatif.placebo import placebos
from studies.whatif.telling import page, write

__all__ = ["Effect", "Experiment", "Finding", "Life", "experiment", "found", "page", "placebos", "write"]

"""What if: a change made again and again, beside lives left alone and lives with an irrelevant change.

    placebo      which irrelevant changes, by a stated rule
    experiment   makes the lives: forks, changes, lives on; can be interrupted and taken up again
    effects      what the change did, against what irrelevant changes did; with what n repeats can and cannot say
    telling      the table, the page and the picture

whatif(path, ...) -> Finding runs it all; `write(finding, folder)` saves it.
"""

from studies.whatif.effects import Effect, Finding, found
from studies.whatif.experiment import Experiment, Life, experiment
from studies.whatif.placebo import placebos
from studies.whatif.telling import page, write

__all__ = ["Effect", "Experiment", "Finding", "Life", "experiment", "found", "page", "placebos", "write"]

"""Judges of answers: the run's own record (`grounding`), a language model (`model`), people (`session`, `pack`, `collect`)."""

"""Renaming people and places throughout, so that a model that has read about a scenario can't know it by its names."""

from studies.renaming.renaming import renamed, renames

__all__ = ["renamed", "renames"]

"""Wording: phrase files in this folder, shared by all models, and the loader for them and for the offline model's own."""

from language.wording.loader import OFFLINE, SHARED, Wording, fields_of, fill, phrase, templates

__all__ = ["OFFLINE", "SHARED", "Wording", "fields_of", "fill", "phrase", "templates"]

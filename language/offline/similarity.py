"""Likeness of texts by static embeddings, cached; the embedder is loaded at the first use.

`likeness(a, b)` and `nearest_texts(text, anchors)`; cosines of int8 levels, rounded, so equal on every processor.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from language.embedding import WordllamaEmbedder, norms


@lru_cache(maxsize=1)
def _embedder() -> WordllamaEmbedder:
    return WordllamaEmbedder()


@lru_cache(maxsize=256)
def _anchors(texts: tuple[str, ...]) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    rows = _embedder().embed(list(texts))
    return rows, norms(rows)


@lru_cache(maxsize=16384)
def nearest_texts(text: str, anchors: tuple[tuple[str, str], ...]) -> tuple[tuple[str, float], ...]:
    """(key, cosine) of all `anchors` (key, text), the most alike first; ties in the anchors' order."""
    rows, lengths = _anchors(tuple(anchor for _, anchor in anchors))
    vector = _embedder().embed([text])
    dots = (rows @ vector[0]).astype(np.float64)
    cosines = dots / (lengths * norms(vector)[0])
    order = sorted(range(len(anchors)), key=lambda i: (-round(float(cosines[i]), 4), i))
    return tuple((anchors[i][0], round(float(cosines[i]), 4)) for i in order)


def likeness(a: str, b: str) -> float:
    """Cosine of two texts' embeddings, rounded to 4 digits."""
    return nearest_texts(a, (("", b),))[0][1]

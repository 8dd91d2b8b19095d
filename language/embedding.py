"""Text -> vectors of int8 levels that are the same on every processor.

Parts: `WordllamaEmbedder` (static token vectors from the wordllama wheel), `HashEmbedder` (feature hashing, needs no
weights), `levels` (integer sums -> int8 levels), `norms`.

Why the result can't differ between processors, BLAS kernels or batch sizes (design rule 1):

    tokens      byte-pair encoding is a table look-up
    weights     float16 on disk; times 2^12 and rounded they are whole numbers of at most 2^16
    pooling     a *sum* of whole numbers, held in a float type wide enough that no partial sum rounds: any order, same bits
    norm        the sum of squares is a sum of whole numbers as well, in floats below 2^53, else in int64
    levels      sum * SCALE / sqrt(squares): one product without rounding, then one square root and one division, which
                IEEE 754 defines to the last bit, each an elementwise operation that no kernel can contract or reorder;
                rounding to the nearest whole number (ties to even) is defined as well

No reduction in floating point ever rounds, so there is no last bit to differ and no rounding margin to keep.
"""

from __future__ import annotations

import logging
import re
import time
from functools import cache
from hashlib import blake2b
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kernel import ModelError

Vectors = NDArray[np.float32]
"""(n, d) or (d,) whole numbers in -127..127."""

LEVEL_MAX = 127
SCALE = 4.0 * LEVEL_MAX
"""A unit vector's component of 1/4 becomes level 127. Components of d-dimensional text vectors are near 1/sqrt(d), so
hardly any is larger (those are clipped), and cosines of levels are within about 0.003 of the unrounded ones."""

CACHE_SIZE = 20_000
_FIXED_POINT = 4096.0
_WORD = re.compile(r"[^\W_]")
_WORDS = re.compile(r"[^\W_]+")


def levels(sums: NDArray[Any]) -> Vectors:
    """Whole-number sums (n, d) -> levels -127..127 (n, d) float32, in each row's direction; a zero row stays zero.

    |sums| must be below 2^27 for d = 256 (the squares' sum has to fit an int64).
    """
    whole = sums.astype(np.float64)
    lengths = np.sqrt(_squares(whole))
    lengths[lengths == 0.0] = 1.0
    scaled = whole * SCALE
    scaled /= lengths[:, None]
    np.rint(scaled, out=scaled)
    np.minimum(scaled, LEVEL_MAX, out=scaled)
    np.maximum(scaled, -LEVEL_MAX, out=scaled)
    return scaled.astype(np.float32)


def norms(vectors: Vectors) -> NDArray[np.float64]:
    """Lengths (n,) of level vectors (n, d), exact to the last bit; 1.0 for a zero row, so that one can divide by it."""
    out: NDArray[np.float64] = np.sqrt(_squares(vectors.astype(np.float64)))
    out[out == 0.0] = 1.0
    return out


def _squares(whole: NDArray[np.float64]) -> NDArray[np.float64]:
    """Each row's sum of squares, rounded once at most: exact in floats while it stays below 2^53, else as integers."""
    exact: NDArray[np.float64] = np.einsum("ij,ij->i", whole, whole)
    if exact.max(initial=0.0) < 2.0**53:  # then no partial sum was larger, and none was rounded
        return exact
    integers = whole.astype(np.int64)
    out: NDArray[np.float64] = np.einsum("ij,ij->i", integers, integers).astype(np.float64)
    return out


class CachedEmbedder:
    """Keeps the latest texts' vectors; subclasses make the vectors that aren't cached."""

    def __init__(self, dimensions: int) -> None:
        self._dimensions = dimensions
        self._cache: dict[str, Vectors] = {}

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return self._dimensions

    def embed(self, texts: list[str]) -> Vectors:
        """-> float32 array (len(texts), dimensions) of whole numbers in -127..127; a zero row for a text without words."""
        cache = self._cache
        missing = [text for text in dict.fromkeys(texts) if text not in cache]
        found = {text: cache[text] for text in texts if text in cache} if missing else cache
        if missing:
            fresh = self._levels(missing)
            if len(missing) == len(texts):
                found = {}
                self._keep(missing, fresh)
                return fresh.copy()
            found.update(zip(missing, fresh, strict=True))
            self._keep(missing, fresh)
        out = np.empty((len(texts), self._dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            out[row] = found[text]
        return out

    def _keep(self, texts: list[str], rows: Vectors) -> None:
        cache = self._cache
        for text, row in zip(texts[-CACHE_SIZE:], rows[-CACHE_SIZE:], strict=True):
            cache[text] = row.copy()
        while len(cache) > CACHE_SIZE:
            del cache[next(iter(cache))]

    def _levels(self, texts: list[str]) -> Vectors:
        raise NotImplementedError


class HashEmbedder(CachedEmbedder):
    """Feature hashing of words (whatever their case): needs no weights, for tests and for trying things out.

    Each word adds +1 or -1 to two of the dimensions, chosen by blake2b.
    """

    def __init__(self, dimensions: int = 256) -> None:
        super().__init__(dimensions)
        self._words: dict[str, tuple[tuple[int, int], ...]] = {}

    @property
    def name(self) -> str:
        """ "hash-256" """
        return f"hash-{self._dimensions}"

    def _levels(self, texts: list[str]) -> Vectors:
        sums = np.zeros((len(texts), self._dimensions), dtype=np.int64)
        for row, text in enumerate(texts):
            for word in _WORDS.findall(text.casefold()):
                for place, sign in self._features(word):
                    sums[row, place] += sign
        return levels(sums)

    def _features(self, word: str) -> tuple[tuple[int, int], ...]:
        features = self._words.get(word)
        if features is None:
            code = blake2b(word.encode("utf-8", "replace"), digest_size=8).digest()
            halves = (int.from_bytes(code[:4], "big"), int.from_bytes(code[4:], "big"))
            features = tuple(((half >> 1) % self._dimensions, 1 if half & 1 else -1) for half in halves)
            self._words[word] = features
        return features


class WordllamaEmbedder(CachedEmbedder):
    """Sums of static token vectors ("l2_supercat", 256 dimensions), whose weights lie inside the wordllama wheel.

    Loaded at the first use: about 0.3 s, then `load_seconds` says how long it took. Never touches the network. Texts
    are read up to their 4,096th token. Raises ModelError when the package holds no weights.
    """

    _EXACT_TOKENS = 500  # largest weight 32,832 < 2^24 / 500: a float32 sum of so many is exact
    _MOST_TOKENS = 4096
    _BATCH = 256  # token rows of a batch stay in the processor's cache

    def __init__(self) -> None:
        super().__init__(256)
        self._tokenizer: Any = None
        self._table: Vectors = np.zeros((0, 256), dtype=np.float32)
        self.load_seconds: float | None = None

    @property
    def name(self) -> str:
        """ "wordllama-256" """
        return "wordllama-256"

    def load(self) -> None:
        """Reads tokenizer and weights, if that hasn't happened yet."""
        if self._tokenizer is not None:
            return
        began = time.perf_counter()
        self._tokenizer, self._table = wordllama_parts()
        self.load_seconds = time.perf_counter() - began

    def _levels(self, texts: list[str]) -> Vectors:
        self.load()
        worded = [row for row, text in enumerate(texts) if _WORD.search(text)]
        if len(texts) == 1 and worded:
            return levels(self._pool([self._tokenizer.encode(_clean(texts[0]), add_special_tokens=False).ids]))
        worded.sort(key=lambda row: len(texts[row]))  # batches of like lengths waste no padding
        out = np.zeros((len(texts), 256), dtype=np.float32)
        for start in range(0, len(worded), self._BATCH):
            rows = worded[start : start + self._BATCH]
            encodings = self._tokenizer.encode_batch_fast([_clean(texts[row]) for row in rows], add_special_tokens=False)
            out[rows] = levels(self._pool([encoding.ids for encoding in encodings]))
        return out

    def _pool(self, ids: list[list[int]]) -> NDArray[Any]:
        """Token ids of each text (none empty) -> exact sums (len(ids), 256), whatever the order of addition."""
        longest = max(map(len, ids))
        if longest > self._MOST_TOKENS:
            ids = [text[: self._MOST_TOKENS] for text in ids]
        wide = np.float64 if longest > self._EXACT_TOKENS else np.float32
        if len(ids) == 1:
            alone: NDArray[Any] = self._table[ids[0]].sum(axis=0, keepdims=True, dtype=wide)
            return alone
        sums = np.zeros((len(ids), 256), dtype=wide)
        nothing = len(self._table) - 1
        for column in zip_longest(*ids, fillvalue=nothing):
            sums += self._table[list(column)]
        return sums


def _clean(text: str) -> str:
    """Text that can be written as UTF-8: a model's JSON may hold half a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def wordllama_package() -> Any:
    """The package, which sets up the root logger when imported: that is undone."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        import wordllama
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
    return wordllama


@cache
def wordllama_parts() -> tuple[Any, Vectors]:
    """Tokenizer and table of token vectors in fixed point, read once however many embedders there are."""
    model = _load_wordllama()
    table = np.rint(model.embedding.astype(np.float32) * np.float32(_FIXED_POINT))
    model.tokenizer.no_padding()
    return model.tokenizer, np.concatenate((table, np.zeros((1, 256), dtype=np.float32)))  # the last row pads short texts


def _load_wordllama() -> Any:
    """The model from the package's own folder."""
    wordllama = wordllama_package()
    folder = Path(wordllama.__file__).parent
    try:
        return wordllama.WordLlama.load("l2_supercat", cache_dir=folder, dim=256, disable_download=True)
    except FileNotFoundError as error:
        raise ModelError(
            "the wordllama package holds no weights of 256 dimensions",
            place=str(folder),
            hint="pip install --force-reinstall wordllama",
        ) from error

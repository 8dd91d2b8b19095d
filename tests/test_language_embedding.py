"""Embeddings: exact levels, equal in any batch, sensible likeness, no network, odd texts."""

from __future__ import annotations

import logging
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language.embedding import SCALE, HashEmbedder, WordllamaEmbedder, levels, norms, wordllama_parts


@pytest.fixture(scope="module")
def wordllama() -> WordllamaEmbedder:
    return WordllamaEmbedder()


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    pair = norms(np.stack((a, b)))
    return float(a @ b) / float(pair[0] * pair[1])


def test_levels_are_whole_numbers_of_int8_size_in_float32(wordllama: WordllamaEmbedder) -> None:
    rows = wordllama.embed(["Klaus Mueller is reading about gentrification", "the stove is burning"])
    assert rows.dtype == np.float32
    assert rows.shape == (2, 256)
    assert np.array_equal(rows, np.rint(rows))
    assert np.abs(rows).max() <= 127
    assert 500 < norms(rows)[0] < 515


def test_name_and_dimensions() -> None:
    assert (WordllamaEmbedder().name, WordllamaEmbedder().dimensions) == ("wordllama-256", 256)
    assert (HashEmbedder(64).name, HashEmbedder(64).dimensions) == ("hash-64", 64)


@pytest.mark.parametrize("make", [WordllamaEmbedder, HashEmbedder])
def test_a_text_has_the_same_vector_alone_in_a_batch_and_from_the_cache(make: type) -> None:
    texts = [f"Maria Lopez tells Klaus about game {i}" + " and so on" * (i % 40) for i in range(300)]
    batch = make().embed(texts)
    embedder = make()
    alone = np.concatenate([embedder.embed([text]) for text in texts[:40]])
    assert np.array_equal(batch[:40], alone)
    mixed = embedder.embed(texts[20:60] + texts[:5] * 2)
    assert np.array_equal(mixed, np.concatenate((batch[20:60], batch[:5], batch[:5])))


@pytest.mark.parametrize("make", [WordllamaEmbedder, HashEmbedder])
def test_a_caller_cannot_spoil_the_cache(make: type) -> None:
    embedder = make()
    first = embedder.embed(["a quiet dinner"])
    kept = first.copy()
    first[:] = 99
    second = embedder.embed(["a quiet dinner", "something else"])
    assert np.array_equal(second[0], kept[0])
    second[:] = 99
    assert np.array_equal(embedder.embed(["a quiet dinner"])[0], kept[0])


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("language.embedding.CACHE_SIZE", 10)
    embedder = HashEmbedder()
    rows = embedder.embed([f"text number {i}" for i in range(25)])
    assert len(embedder._cache) == 10
    assert np.array_equal(embedder.embed(["text number 0", "text number 24"]), rows[[0, 24]])
    assert len(embedder._cache) == 10


@pytest.mark.parametrize("make", [WordllamaEmbedder, HashEmbedder])
def test_no_words_give_a_zero_row(make: type) -> None:
    rows = make().embed(["", "   ", "?!...", "\n", "___", "bed"])
    assert not rows[:5].any()
    assert rows[5].any()
    assert not make().embed(["..."]).any()
    assert make().embed([]).shape == (0, 256)


@pytest.mark.parametrize("make", [WordllamaEmbedder, HashEmbedder])
def test_odd_texts_are_embedded_too(make: type) -> None:
    odd = [
        "half a pair \ud83d of surrogates",
        "\x00 nul byte",
        "日本語のテキスト",
        "e\u0301galite\u0301",
        "word " * 700,
        "long " * 6000,
    ]
    embedder = make()
    rows = embedder.embed(odd)
    assert all(row.any() for row in rows)
    assert np.array_equal(rows, np.concatenate([make().embed([text]) for text in odd]))


def test_like_texts_are_more_alike_than_unlike_ones(wordllama: WordllamaEmbedder) -> None:
    fire, flame, party, invite = wordllama.embed(
        [
            "the stove in the kitchen is burning",
            "there is a fire on the cooker",
            "Isabella is planning a Valentine's Day party at the cafe",
            "guests are invited to a celebration at Hobbs Cafe",
        ]
    )
    assert cosine(fire, flame) > cosine(fire, party) + 0.1
    assert cosine(party, invite) > cosine(flame, invite) + 0.1


def test_rounding_to_levels_costs_little(wordllama: WordllamaEmbedder) -> None:
    rng = np.random.default_rng(3)
    sums = np.rint(rng.normal(size=(60, 256)) * 50_000)
    unit = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    rounded = levels(sums)
    cosines = (rounded @ rounded.T) / np.outer(norms(rounded), norms(rounded))
    assert np.abs(cosines - unit @ unit.T).max() < 0.006


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-(2**26), 2**26), min_size=3, max_size=3))
def test_levels_are_the_exact_rounding(row: list[int]) -> None:
    """Against arithmetic in whole numbers: level L iff (2L-1)^2 * Q <= (2 * SCALE * |S|)^2 <= (2L+1)^2 * Q."""
    got = levels(np.array([row], dtype=np.float64))[0]
    squares = sum(x * x for x in row)
    for value, level in zip(row, got.tolist(), strict=True):
        size = int(abs(level))
        scaled = (2 * int(SCALE) * abs(value)) ** 2
        assert size <= 127
        assert size == 0 or (2 * size - 1) ** 2 * squares <= scaled
        assert size == 127 or scaled <= (2 * size + 1) ** 2 * squares
        assert level * value >= 0


def test_the_sum_of_squares_is_exact_below_and_above_2_to_the_53() -> None:
    small = np.array([[3.0, 4.0]], dtype=np.float32)
    assert norms(small).tolist() == [5.0]
    assert norms(np.zeros((1, 4), dtype=np.float32)).tolist() == [1.0]
    big = float(2**26 + 1)
    assert levels(np.array([[big, 0.0, 0.0]])).tolist() == [[127.0, 0.0, 0.0]]
    assert levels(np.array([[big] * 256])).tolist() == [[32.0] * 256]  # 508 / 16 = 31.75


def test_hashing_ignores_case_and_does_not_depend_on_the_process() -> None:
    embedder = HashEmbedder()
    assert np.array_equal(embedder.embed(["The STOVE burns"]), embedder.embed(["the stove burns"]))
    code = (
        "from language.embedding import HashEmbedder;import hashlib;"
        "print(hashlib.sha256(HashEmbedder().embed(['the stove burns']).tobytes()).hexdigest())"
    )
    answers = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(answers) == 1


def test_loading_is_lazy_quick_quiet_and_offline() -> None:
    root = logging.getLogger()
    before = (root.handlers[:], root.level)
    wordllama_parts.cache_clear()
    embedder = WordllamaEmbedder()
    assert embedder.load_seconds is None
    embedder.load()
    assert embedder.load_seconds is not None
    assert embedder.load_seconds < 30.0  # 0.3 s on an idle machine; the bound is only against going out for something
    assert (root.handlers[:], root.level) == before
    code = "import sys, language.embedding; sys.exit('wordllama' in sys.modules or 'tokenizers' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_missing_weights_are_named_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    import wordllama

    from kernel import ModelError

    def nothing(*_: object, **options: object) -> None:
        assert options["disable_download"] is True
        raise FileNotFoundError("weights")

    monkeypatch.setattr(wordllama.WordLlama, "load", nothing)
    wordllama_parts.cache_clear()
    with pytest.raises(ModelError, match="holds no weights"):
        WordllamaEmbedder().embed(["a word"])

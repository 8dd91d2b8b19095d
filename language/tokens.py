"""Counting tokens without a network: with a named tokenizer where a close figure is wanted, by bytes where a bound is.

    count_tokens(text)     tokens by TOKENIZER, the vocabulary inside the wordllama wheel (Llama 2's, 32,000 pieces)
    most_tokens(text)      what no byte-level tokenizer exceeds: one token per byte of UTF-8
    estimate_tokens(text)  about four bytes to a token; needs nothing

Servers count with their own vocabulary. Newer ones are larger, so that their counts are lower than TOKENIZER's by a tenth
or so in English; `MARGIN` allows for one that is coarser.
"""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from kernel import ModelError

TOKENIZER = "llama-2 (wordllama l2_supercat)"
MESSAGE_TOKENS = 16
"""What a chat template adds around one message, at most about this much."""
MARGIN = 1.05
"""Prompts are fitted as if every token count were this much higher."""


def count_tokens(text: str) -> int:
    """Tokens of a text by TOKENIZER. Raises ModelError when the vocabulary isn't installed."""
    return len(_tokenizer().encode(_writable(text), add_special_tokens=False).ids)


@lru_cache(maxsize=256)
def count_tokens_kept(text: str) -> int:
    """`count_tokens`, remembered: for what is the same in many prompts."""
    return count_tokens(text)


def most_tokens(text: str) -> int:
    """An upper bound for any tokenizer that falls back to bytes."""
    return len(text.encode("utf-8", "replace"))


def estimate_tokens(text: str) -> int:
    """About four bytes of UTF-8 to a token, rounded up; for budgets and progress, not for bills."""
    return -(-most_tokens(text) // 4)


def _writable(text: str) -> str:
    """Text that can be written as UTF-8: a model's JSON may hold half a surrogate pair."""
    return text.encode("utf-8", "replace").decode() if not text.isascii() else text


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    from language.embedding import wordllama_package

    file = Path(wordllama_package().__file__).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"
    if not file.exists():
        raise ModelError(
            "the wordllama package holds no vocabulary", place=str(file), hint="pip install --force-reinstall wordllama"
        )
    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer

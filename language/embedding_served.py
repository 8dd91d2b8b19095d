"""Embeddings from any OpenAI-compatible server, quantised as the default's are (design rule 1).

    ServedEmbedder(model, server=find_server(), dimensions=None)     name "openai:MODEL/DIMENSIONS"

A server's vectors are floats that may differ in their last digits from day to day; as int8 levels nearly all of them are
the same again, and those of memories are kept in the run file, so that only new texts are asked about. Vectors longer
than 1,024 are shortened by the server where it can (`dimensions`), else cut, which suits models trained for it.
Texts are sent in batches, with bounded waiting; a server that can't be reached stops the run, saved and resumable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from kernel import EndpointUnreachable, ModelError
from language.embedding import LEVEL_MAX, SCALE, CachedEmbedder, Vectors
from language.failures import Transient, failure_of, quiet_libraries
from language.network import require_network
from language.servers import Server, find_server

if TYPE_CHECKING:
    from openai import OpenAI

MOST_DIMENSIONS = 1024
BATCH = 64
_LONGEST = 4_000  # characters of a text that are embedded
_EMPTY = " "


class ServedEmbedder(CachedEmbedder):
    """An `Embedder`. `dimensions` None: as many as the server gives, found out at the first use."""

    def __init__(
        self,
        model: str,
        *,
        server: Server | None = None,
        dimensions: int | None = None,
        spec: str | None = None,
        first_wait: float = 0.5,
    ) -> None:
        if dimensions is not None and not 8 <= dimensions <= MOST_DIMENSIONS:
            raise ModelError(f"an embedder has 8 to {MOST_DIMENSIONS} dimensions, not {dimensions}")
        super().__init__(dimensions or 0)
        self._model = model
        self._server = server or find_server()
        self._key = self._server.key
        self._wanted = dimensions
        self._spec = (spec or f"openai:{model}").removesuffix(f"/{dimensions}")
        self._first_wait = first_wait
        self._shortens = True
        self._client: OpenAI | None = None

    @property
    def name(self) -> str:
        """ "openai:MODEL/DIMENSIONS"; asks the server when it isn't known yet how many those are."""
        return f"{self._spec}/{self.dimensions}"

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        if not self._dimensions:
            self._dimensions = min(MOST_DIMENSIONS, self._asked([_EMPTY]).shape[1])
        return self._dimensions

    def _levels(self, texts: list[str]) -> Vectors:
        worded = [row for row, text in enumerate(texts) if any(c.isalnum() for c in text)]
        out = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for start in range(0, len(worded), BATCH):
            rows = worded[start : start + BATCH]
            out[rows] = float_levels(self._asked([texts[row][:_LONGEST] for row in rows])[:, : self.dimensions])
        return out

    def _asked(self, texts: list[str]) -> NDArray[np.float64]:
        """Floats (len(texts), d) as the server gives them. Raises EndpointUnreachable."""
        import stamina

        quiet_libraries()

        require_network(self._server.endpoint)

        def worth(error: Exception) -> bool | float:
            if not isinstance(error, Transient):
                return False
            return True if error.wait is None else error.wait if error.wait <= self._server.patience else False

        try:
            for attempt in stamina.retry_context(
                on=worth,
                attempts=self._server.retries + 1,
                timeout=min(self._server.patience, 30.0),
                wait_initial=self._first_wait,
                wait_jitter=self._first_wait,
            ):
                with attempt:
                    return self._once([text.encode("utf-8", "replace").decode() for text in texts])
        except EndpointUnreachable:
            raise
        except ModelError as error:
            raise EndpointUnreachable(
                error.what, place=self._server.endpoint, hint="does this server serve embeddings?"
            ) from None
        raise AssertionError("unreachable: the last attempt raises")  # pragma: no cover

    def _once(self, texts: list[str]) -> NDArray[np.float64]:
        failure: ModelError
        extra: dict[str, Any] = {"dimensions": self._wanted} if self._wanted and self._shortens else {}
        try:
            found = self._connected().embeddings.create(model=self._model, input=texts, encoding_format="float", **extra)
            rows = sorted(found.data, key=lambda item: item.index)
            vectors: NDArray[np.float64] = np.array([row.embedding for row in rows], dtype=np.float64)
        except Exception as error:  # noqa: BLE001  as in the adapter for answers
            failure = failure_of(error, self._server.endpoint, self._model, self._key, self._server.timeout)
        else:
            if vectors.ndim == 2 and len(vectors) == len(texts) and np.isfinite(vectors).all():
                if self._wanted and vectors.shape[1] < self._wanted:
                    what = f"the model '{self._model}' gives {vectors.shape[1]} dimensions, not {self._wanted}"
                    raise EndpointUnreachable(what, place=self._server.endpoint)
                return vectors
            failure = Transient("no readable embeddings", cause="garbage", place=self._server.endpoint)
        if extra and "dimensions" in str(getattr(failure, "said", "")).casefold():
            self._shortens = False
            return self._once(texts)
        raise failure from None  # the original holds headers, and they hold the key

    def _connected(self) -> OpenAI:
        if self._client is None:
            from openai import OpenAI, Timeout

            server = self._server
            timeout = Timeout(server.timeout, connect=min(server.connect, server.timeout))
            self._client = OpenAI(api_key=self._key or "none", base_url=server.base_url, timeout=timeout, max_retries=0)
        return self._client


def float_levels(vectors: NDArray[np.float64]) -> Vectors:
    """Vectors (n, d) of floats -> levels -127..127 (n, d) float32, in each row's direction, on the scale of `levels`."""
    lengths = np.sqrt((vectors * vectors).sum(axis=1, keepdims=True))
    lengths[lengths == 0.0] = 1.0
    rounded = np.rint(vectors / lengths * SCALE)
    found: Vectors = np.clip(rounded, -LEVEL_MAX, LEVEL_MAX).astype(np.float32)
    return found

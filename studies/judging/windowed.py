"""A rating session as the rating window wants it (`viewer.rating.Rateable`; the command line brings the two together).

Windowed(session, store, rater)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from studies.judging.session import Session, Store
from studies.judging.sources import words_for
from studies.wording import say


class Windowed:
    """Shows a session and saves each question in its store."""

    def __init__(self, session: Session, store: Store, rater: str) -> None:
        self.session = session
        self._store = store
        self._rated = store.rated(session, rater)

    @property
    def title(self) -> str:
        """What is rated."""
        return words_for(self.session)["title"]

    @property
    def readings(self) -> Sequence[tuple[str, Sequence[str]]]:
        """The introduction with the life, and the memories."""
        words = words_for(self.session)
        return (
            (say("judging", "life"), (words["intro"], "", *self.session.life)),
            (words["memory"], self.session.memory),
        )

    @property
    def questions(self) -> Sequence[tuple[str, Sequence[tuple[str, str]]]]:
        """Coded answers."""
        return [(one.question, [(answer.code, answer.text) for answer in one.answers]) for one in self.session.questions]

    def ranks(self, n: int) -> Mapping[str, int] | None:
        """What was given before."""
        return self._rated.ranks[n]

    def save(self, n: int, ranks: Mapping[str, int]) -> None:
        """Keeps the ranks of a question; places that nobody has are closed up (1, 3, 3 becomes 1, 2, 2)."""
        self._rated.ranks[n] = {code: 1 + sum(other < rank for other in ranks.values()) for code, rank in ranks.items()}
        self._store.save(self._rated)

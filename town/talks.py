"""Conversations as objects of the world: who is in, whose turn it is, when it is over.

    Talk         one conversation; `said`, `passed`, `left` move it on, `snapshot` is its frozen form
    pause        how many steps an utterance takes

Rules (design rule 6). After an utterance the quietest of those addressed may speak next (ties: the first addressed),
unless two utterances ahead of the quietest of all; then that one, ties in order after the speaker. Who passes loses the
turn; when all have passed since the last words, it is over. Who says a last line is leaving and stays until each of the
others had one more turn; with at most one participant who isn't leaving, it is over then. It is over after `max_rounds`
rounds whatever anybody does; a round is one utterance by each.
"""

from __future__ import annotations

from math import ceil

from town.speech import Conversation, Utterance

TURN_STEPS = 12
"""A turn that isn't taken within so many steps is passed."""


def pause(text: str, words_per_second: float, step_seconds: int) -> int:
    """Steps until the next may speak: the time the words take, at least one step."""
    return max(1, ceil(len(text.split()) / (words_per_second * step_seconds)))


class Talk:
    """A conversation while it lasts. Names are residents'; `owed` maps who is leaving to those who may still answer."""

    __slots__ = (
        "_snapshot", "asked", "ended", "everybody", "id", "owed", "participants", "place", "silent", "started", "turn", "turn_at",
        "utterances",
    )  # fmt: skip

    def __init__(self, id: str, started: int, place: str, participants: list[str]) -> None:
        self.id = id
        self.started = started
        self.place = place
        self.participants = participants
        self.everybody = list(participants)
        self.utterances: list[Utterance] = []
        self.turn: str | None = None
        self.turn_at = started
        self.asked = False
        self.silent: list[str] = []
        self.owed: dict[str, list[str]] = {}
        self.ended: int | None = None
        self._snapshot: Conversation | None = None

    def snapshot(self) -> Conversation:
        """The conversation as of now."""
        if self._snapshot is None:
            self._snapshot = Conversation(
                id=self.id,
                started=self.started,
                place=self.place,
                participants=tuple(self.participants),
                everybody=tuple(self.everybody),
                utterances=tuple(self.utterances),
                turn=self.turn,
                ended=self.ended,
            )
        return self._snapshot

    def join(self, name: str) -> None:
        """A bystander comes in."""
        self.participants.append(name)
        if name not in self.everybody:
            self.everybody.append(name)
        self._snapshot = None

    def said(self, utterance: Utterance, step: int, steps: int, max_rounds: int) -> list[str]:
        """`utterance` was spoken at `step` and takes `steps`. Returns who is released by that (may be everybody)."""
        speaker = utterance.speaker
        self.utterances.append(utterance)
        self.silent = []
        self._had_turn(speaker)
        if utterance.ends and speaker not in self.owed:
            self.owed[speaker] = [p for p in self.participants if p != speaker and p not in self.owed]
        if len(self.utterances) >= max_rounds * max(2, len(self.participants)):
            return self.close(step)
        return self._move_on(step, step + steps, after=speaker, addressed=utterance.to)

    def passed(self, name: str, step: int) -> list[str]:
        """`name` lets the turn pass. Returns who is released by that."""
        if name not in self.silent:
            self.silent.append(name)
        self._had_turn(name)
        return self._move_on(step, step + 1, after=name)

    def left(self, name: str, step: int) -> list[str]:
        """`name` goes without a word. Returns who else is released by that."""
        after = self.participants[self.participants.index(name) - 1]
        self.participants.remove(name)
        self.owed.pop(name, None)
        self._had_turn(name)
        self._snapshot = None
        if len(self.participants) < 2:
            return self.close(step)
        if self.turn == name:
            return self._move_on(step, max(step + 1, self.turn_at), after=after)
        return self._released(step)

    def close(self, step: int) -> list[str]:
        """It is over. Returns all who were in it."""
        self.ended = step
        self.turn = None
        self._snapshot = None
        return list(self.participants)

    def spoken(self, name: str) -> int:
        """How many utterances are `name`'s."""
        return sum(u.speaker == name for u in self.utterances)

    def _had_turn(self, name: str) -> None:
        for owed in self.owed.values():
            if name in owed:
                owed.remove(name)

    def _released(self, step: int) -> list[str]:
        """Those leaving whom nobody owes an answer go; with nobody left to talk to, all go."""
        staying = [p for p in self.participants if p not in self.owed]
        if len(staying) <= 1 and not any(self.owed.values()):
            return self.close(step)
        gone = [p for p, owed in self.owed.items() if not owed]
        for name in gone:
            del self.owed[name]
            self.participants.remove(name)
            for owed in self.owed.values():
                if name in owed:
                    owed.remove(name)
        if gone:
            self._snapshot = None
        return gone

    def _move_on(self, step: int, turn_at: int, *, after: str, addressed: tuple[str, ...] = ()) -> list[str]:
        """Give the turn to the next; close when there is no next."""
        self._snapshot = None
        order = self.participants
        start = order.index(after) + 1 if after in order else 0
        around = order[start:] + order[:start]
        gone = self._released(step)
        if self.ended is not None:
            return gone
        last = self.utterances[-1].speaker if self.utterances else None
        nobody_passed = not self.silent
        able = [
            p for p in around
            if p in self.participants and p not in self.owed and p not in self.silent and not (nobody_passed and p == last)
        ]  # fmt: skip
        if not able:
            return gone + self.close(step)
        count = {p: self.spoken(p) for p in able}
        quietest = min(able, key=lambda p: count[p])  # the first of equals: order after the speaker
        chosen = min((p for p in addressed if p in count), key=lambda p: count[p], default=quietest)
        self.turn = chosen if count[chosen] < count[quietest] + 2 else quietest
        self.turn_at = turn_at
        self.asked = False
        return gone

"""A rating session in the terminal: shows, asks, saves after each question, goes on where it stopped.

    rate(session, store, rater, ask, tell)   -> Rated

`ask` gives what the rater types for a prompt (EOFError: the input is over), `tell` shows a line.
"""

from __future__ import annotations

from collections.abc import Callable

from kernel import UsageError
from studies.judging.session import Rated, Session, Store, parse_order
from studies.judging.sources import words_for
from studies.wording import say


def rate(session: Session, store: Store, rater: str, ask: Callable[[str], str], tell: Callable[[str], None]) -> Rated:
    """Until all questions are rated or the rater stops. Saved after each question."""
    rated = store.rated(session, rater)
    words = words_for(session)
    tell(words["title"])
    if not rated.done:
        tell(words["intro"])
        tell("")
        _life(session, tell)
    n = next((i for i, ranks in enumerate(rated.ranks) if ranks is None), len(rated.ranks))
    while n < len(session.questions):
        asked = session.questions[n]
        codes = [answer.code for answer in asked.answers]
        tell("")
        tell(say("judging", "question", n=n + 1, of=len(session.questions), question=asked.question))
        for answer in asked.answers:
            tell(f"  {answer.code}  {answer.text}")
        tell(f"({say('judging', 'order_hint', example=_example(codes))})")
        try:
            typed = ask(say("judging", "prompt")).strip()
        except EOFError:
            typed = "stop"
        match typed.casefold():
            case "stop":
                tell(say("judging", "saved", done=rated.done, of=len(rated.ranks)))
                tell(say("judging", "stopped"))
                return rated
            case "life":
                _life(session, tell)
            case "memory":
                tell(words["memory"])
                for line in session.memory:
                    tell(f"  {line}")
            case "back":
                n = max(0, n - 1)
            case _:
                try:
                    rated.ranks[n] = parse_order(typed, codes)
                except UsageError as error:
                    tell(error.sentence())
                    continue
                store.save(rated)
                n += 1
    tell(say("judging", "finished", of=len(rated.ranks)))
    return rated


def _life(session: Session, tell: Callable[[str], None]) -> None:
    tell(say("judging", "life"))
    for line in session.life:
        tell(line)


def _example(codes: list[str]) -> str:
    return f"{codes[1]} > {codes[0]}" + "".join(f" = {code}" if i == 0 else f" > {code}" for i, code in enumerate(codes[2:]))

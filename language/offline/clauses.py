"""An activity in free words as the things it consists of: "feeding the birds and shaving" is two.

clauses(activity)    its parts in the -ing form, in order      is_brief(clause)   done in a moment
"""

from __future__ import annotations

import re
from functools import lru_cache

from language.offline.grammar import is_gerund
from language.offline.grammar_verbs import tables
from language.wording.loader import templates

_JOINT = re.compile(r"(?:,? and(?: then)? |, then |; |, )(?=(\w+ing)\b)")


@lru_cache(maxsize=8192)
def clauses(activity: str) -> tuple[str, ...]:
    """The activities joined in one; a bare verb stays with the next ("sitting and thinking")."""
    out: list[str] = []
    start = 0
    for match in _JOINT.finditer(activity):
        piece = activity[start : match.start()].strip()
        if match[1] not in tables().base_of_gerund or " " not in piece or not is_gerund(piece.split(" ", 1)[0]):
            continue
        out.append(piece)
        start = match.end()
    out.append(activity[start:].strip())
    return tuple(piece for piece in out if piece)


@lru_cache(maxsize=8192)
def is_brief(clause: str) -> bool:
    """Whether this takes a few minutes only, however long its block is."""
    return re.match(templates("planning")["brief"], clause, re.IGNORECASE) is not None

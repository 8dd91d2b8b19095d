"""A rating session as one self-contained page: no network, no library, nothing that tells the conditions apart.

page(session)     the HTML (frame: `page.html`); its button saves what `collecting` reads
"""

from __future__ import annotations

import json
from pathlib import Path
from string import Template

from studies.judging.session import Session
from studies.judging.sources import as_json, words_for
from studies.wording import entries, say

FRAME = Path(__file__).with_name("page.html")
WORDS = (
    "consent", "consent_yes", "check", "check_wrong", "life", "place", "next", "back", "begin", "download", "thanks", "partial",
    "missing", "question", "best",
)  # fmt: skip


def page(session: Session) -> str:
    """The whole page as text."""
    words = {key: str(entries("judging", key)) for key in WORDS}
    words.update(words_for(session))
    options = {"options": entries("judging", "check_options"), "right": entries("judging", "check_right")}
    return Template(FRAME.read_text(encoding="utf-8")).substitute(
        title=_escaped(say("judging", "title", resident=session.resident)),
        session=as_json(session),
        words=json.dumps(words, ensure_ascii=True).replace("<", "\\u003c"),
        check=json.dumps(options),
    )


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")

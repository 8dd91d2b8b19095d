"""A provider's words -> a typed reply: find the JSON, repair it, clean its texts, validate.

parse(text, reply_type) -> (reply, repaired)      raises ReplyInvalid with a complaint the model can act on
clean(value)                                      one line, no control characters, in every text of a JSON value
is_clean(json_text)                               nothing for `clean` to do, seen on the JSON text
"""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import ValidationError

from kernel import Json, ReplyInvalid
from language.replies import ReplyModel

LONGEST = 40_000
"""Characters beyond which an answer isn't read at all: the longest sensible one has about 6,000."""

DEEPEST = 40
"""Nesting beyond which an answer isn't repaired: replies have 4 levels, and repairing thousands takes seconds."""

_THOUGHTS_END = re.compile(r"</think(?:ing)?>", re.IGNORECASE)
_FENCED = re.compile(r"```[a-zA-Z]*\s*(.*?)```", re.DOTALL)
_INVISIBLE = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff\ud800-\udfff"
_DROPPED = re.compile(f"[{_INVISIBLE}]")
_QUOTES = re.compile(r'(?<!\\)"')
_BRACKETS = re.compile(r"[][{}]")
_SPACES = re.compile(r"\s+")
_UNCLEAN = re.compile(rf"\\[nrtbfu]|[{_INVISIBLE}]|  |(?<!\\)\" | \"[,}}\]]")
_TWELVE = re.compile(r"^\s*(\d{1,2})(?:[:.](\d{2}))?(?:[:.]\d{2})?\s*([ap])\.?m\.?\s*$", re.IGNORECASE)
_SECONDS = re.compile(r"^\s*(\d{1,2}:\d{2}):\d{2}\s*$")


def parse(text: str, reply_type: type[ReplyModel]) -> tuple[ReplyModel, bool]:
    """A validated reply, and whether its JSON had to be repaired first. Raises ReplyInvalid."""
    if not text.strip():
        raise ReplyInvalid("the answer was empty")
    if len(text) > LONGEST:
        raise ReplyInvalid(f"the answer was longer than {LONGEST} characters")
    text = _THOUGHTS_END.split(text)[-1]  # what a model thinks aloud comes first
    complaint = "the answer held no JSON object"
    for value, repaired in _candidates(text):
        for shape in _shapes(value, reply_type):
            try:
                return reply_type.model_validate(clean(shape)), repaired
            except ValidationError as error:
                complaint = complain(error)
    raise ReplyInvalid(complaint)


def clean(value: Any) -> Json:
    """The JSON value with every text on one line, without control or invisible characters; times as HH:MM."""
    if isinstance(value, str):
        return _SPACES.sub(" ", invisible_dropped(value)).strip()
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {
            str(key): _time_of_day(item) if key in ("start", "end") and isinstance(item, str) else clean(item)
            for key, item in value.items()
        }
    return value  # type: ignore[no-any-return]


def invisible_dropped(text: str) -> str:
    """A text without the characters that don't show."""
    return _DROPPED.sub("", text)


def is_clean(json_text: str) -> bool:
    """True when `clean` has nothing to do on the texts of this JSON text (it may say False to be on the safe side)."""
    return _UNCLEAN.search(json_text) is None


def complain(error: ValidationError) -> str:
    """The first few things wrong, in words a model can act on; never quotes the answer itself."""
    wrong = []
    for item in error.errors(include_url=False, include_input=False, include_context=False)[:3]:
        where = ".".join(str(part) for part in item["loc"])
        wrong.append(f"{where}: {item['msg']}" if where else item["msg"])
    return "; ".join(wrong)


def _candidates(text: str) -> list[tuple[Any, bool]]:
    """JSON values found in the text, the likeliest first, each with whether it was repaired. Raises ReplyInvalid."""
    fenced = _FENCED.findall(text)
    found: list[tuple[Any, bool]] = []
    for piece in [text, *fenced]:
        try:
            found.append((json.loads(piece), False))
        except (ValueError, RecursionError):
            continue
    if found or ("{" not in text and "[" not in text):
        return found
    if len(_QUOTES.findall(text)) % 2:
        raise ReplyInvalid("the answer breaks off in the middle of a text")
    if _depth(text) > DEEPEST:
        raise ReplyInvalid("the answer is nested too deeply")
    start = min(i for i in (text.find("{"), text.find("[")) if i >= 0)
    try:
        import json_repair

        repaired = json_repair.loads(fenced[0] if fenced else text[start:], skip_json_loads=True)
    except (ValueError, RecursionError, TypeError, IndexError, KeyError, AttributeError):
        return []  # whatever the repairer makes of hostile input, it isn't an answer
    return [(repaired, True)]


def _depth(text: str) -> int:
    """How deep brackets are nested, roughly: those inside texts count as well."""
    depth = deepest = 0
    for mark in _BRACKETS.findall(text):
        depth = depth + 1 if mark in "{[" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


def _shapes(value: Any, reply_type: type[ReplyModel]) -> list[dict[str, Any]]:
    """The objects an answer may have meant: itself, one inside a wrapper, or a bare list for a reply of one list."""
    fields = reply_type.model_fields
    if isinstance(value, dict):
        wrapped = [inner for inner in value.values() if isinstance(inner, dict)] if len(value) == 1 else []
        return [value, *wrapped]
    if not isinstance(value, list):
        return []
    lists = [name for name, field in fields.items() if field.is_required()]
    bare = [{lists[0]: value}] if value and len(lists) == 1 else []
    return [*bare, *[item for item in value[:3] if isinstance(item, dict)]]


def _time_of_day(text: str) -> str:
    """ "9 am", "9:00 PM", "09:00:00" -> "HH:MM"; anything else as it is, cleaned."""
    twelve = _TWELVE.match(text)
    if twelve:
        hour = int(twelve[1]) % 12 + (12 if twelve[3].lower() == "p" else 0)
        return f"{hour:02d}:{twelve[2] or '00'}"
    seconds = _SECONDS.match(text)
    return seconds[1] if seconds else str(clean(text))

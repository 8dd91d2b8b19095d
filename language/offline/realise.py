"""Realisation: phrase rules in YAML, expanded by dice.

    Phrases(file, ...)      the rules of some wording files, read when first needed
    .say(rule, slots, tags, dice)   one finished utterance or sentence, "" when no alternative fits
    .has(rule)              whether there is such a rule
    tidy(text)              spacing, capitals and closing marks of what templates put together

A rule is a list of alternatives. In an alternative `{slot}` is content, `<rule>` another rule, `[...]` a part that is
said half of the time (and only when its own slots are there). An alternative may begin with a condition and a bar:
`slang,close;!hurry| text` needs one tag of each group, `!` means absence. Alternatives whose slots aren't given are not
eligible: a sentence can't be built without the content that supports it. Those with a condition weigh more, so that
manner shows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from kernel import DataFileError, Dice, nearest
from language.wording.loader import OFFLINE

_NONE: frozenset[str] = frozenset()
MANNERED = 3.0
"""Weight of an alternative with a condition that holds; one without a condition weighs 1."""

_TOKEN = re.compile(r"\{(\w+)\}|<([\w.]+)>|\[([^\]]*)\]")
_SPACES = re.compile(r"\s+")
_BEFORE_MARK = re.compile(r"\s+([,.;:?!])")
_DOUBLE = re.compile(r"([.?!])(?:[.,;]|(?<=\?)\?|(?<=!)!)+")
_COMMAS = re.compile(r",\s*([.?!,;:])")
_SELF = re.compile(r"I\b")
_START = re.compile(r"(?:(?<=[.?!]\s)|^)([\"'‘“(]?)([a-z])")

Part = tuple[str, str | tuple["Part", ...]]  # ("text" | "slot" | "rule" | "maybe", value)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to say a rule. `needs` are the slots it can't do without; `groups` its condition."""

    parts: tuple[Part, ...]
    needs: frozenset[str]
    groups: tuple[frozenset[str], ...]

    def fits(self, tags: frozenset[str]) -> bool:
        """Whether its condition holds."""
        return all(any((t[1:] not in tags) if t[0] == "!" else (t in tags) for t in group) for group in self.groups)


def _parts(text: str) -> tuple[Part, ...]:
    found: list[Part] = []
    at = 0
    for match in _TOKEN.finditer(text):
        if match.start() > at:
            found.append(("text", text[at : match.start()]))
        if match.group(1) is not None:
            found.append(("slot", match.group(1)))
        elif match.group(2) is not None:
            found.append(("rule", match.group(2)))
        else:
            found.append(("maybe", _parts(match.group(3))))
        at = match.end()
    if at < len(text):
        found.append(("text", text[at:]))
    return tuple(found)


def _slots(parts: tuple[Part, ...]) -> frozenset[str]:
    return frozenset(str(value) for kind, value in parts if kind == "slot")


def parse(text: str) -> Alternative:
    """Reads one alternative."""
    head, bar, body = text.partition("|")
    groups = tuple(frozenset(t.strip() for t in group.split(",") if t.strip()) for group in head.split(";")) if bar else ()
    parts = _parts((body if bar else text).strip())
    return Alternative(parts, _slots(parts), groups)


def tidy(text: str) -> str:
    """One utterance made presentable: single spaces, no doubled marks, capitals at sentence starts, a closing mark."""
    text = _BEFORE_MARK.sub(r"\1", _SPACES.sub(" ", text)).strip()
    text = _COMMAS.sub(r"\1", _DOUBLE.sub(r"\1", text))
    text = _START.sub(lambda m: m.group(1) + m.group(2).upper(), text)
    if text and text[-1] not in ".?!\"'”’)…":
        text += "."
    return text


def _going_on(before: str, text: str, slots: Mapping[str, str]) -> str:
    """`text` without its capital when it goes on within a sentence, unless it starts with "I" or with a name."""
    before = before.rstrip()
    if not before or before[-1] in ".?!" or not text[:1].isupper() or _SELF.match(text):
        return text
    if any(value[:1].isupper() and text.startswith(value) for value in slots.values() if value):
        return text
    return text[:1].lower() + text[1:]


class Phrases:
    """The rules under the top-level key of some files of the offline model's wording folder."""

    def __init__(self, top: str, *files: str) -> None:
        self._top = top
        self._files = files
        self._rules: dict[str, tuple[Alternative, ...]] | None = None
        self._asked: dict[str, frozenset[str]] = {}  # the tags a rule's conditions mention: others don't matter to it
        self._fitting: dict[tuple[str, frozenset[str]], tuple[tuple[Alternative, float], ...]] = {}

    def say(self, rule: str, slots: Mapping[str, str], tags: frozenset[str], dice: Dice) -> str:
        """`rule` with its slots filled in, tidied; "" when nothing fits. Raises DataFileError for an unknown rule."""
        return tidy(self.raw(rule, slots, tags, dice) or "")

    def raw(self, rule: str, slots: Mapping[str, str], tags: frozenset[str], dice: Dice) -> str | None:
        """As `say`, untidied, None when nothing fits."""
        options = [(a, w) for a, w in self._options(rule, tags) if all(slots.get(n) for n in a.needs)]
        while options:
            if len(options) == 1:
                pick = 0
            else:
                mark = dice.random() * sum(w for _, w in options)
                pick = 0
                for pick, (_, weight) in enumerate(options):  # noqa: B007  (the index is the result)
                    mark -= weight
                    if mark < 0:
                        break
            text = self._fill(options[pick][0].parts, slots, tags, dice)
            if text is not None:
                return text
            del options[pick]
        return None

    def has(self, rule: str) -> bool:
        """Whether there is such a rule."""
        return rule in self._load()

    def rules(self) -> dict[str, tuple[Alternative, ...]]:
        """All rules, for tests."""
        return dict(self._load())

    def plain(self, rule: str) -> tuple[str, ...]:
        """The alternatives of a rule that are fixed text."""
        return tuple(str(a.parts[0][1]) for a in self._load()[rule] if len(a.parts) == 1 and a.parts[0][0] == "text")

    def _fill(self, parts: tuple[Part, ...], slots: Mapping[str, str], tags: frozenset[str], dice: Dice) -> str | None:
        out: list[str] = []
        for kind, value in parts:
            if kind == "text":
                out.append(value)  # type: ignore[arg-type]
            elif kind == "slot":
                out.append(slots[value])  # type: ignore[index]
            elif kind == "rule":
                text = self.raw(value, slots, tags, dice)  # type: ignore[arg-type]
                if text is None:
                    return None
                out.append(_going_on("".join(out), text, slots))
            elif dice.chance(0.5) and all(slots.get(n) for n in _slots(value)):  # type: ignore[arg-type]
                out.append(self._fill(value, slots, tags, dice) or "")  # type: ignore[arg-type]
        return "".join(out)

    def _options(self, rule: str, tags: frozenset[str]) -> tuple[tuple[Alternative, float], ...]:
        rules = self._load()
        key = (rule, tags & self._asked.get(rule, _NONE))
        found = self._fitting.get(key)
        if found is None:
            if rule not in rules:
                close = nearest(rule, rules)
                raise DataFileError(
                    f"there is no rule '{rule}'", file=self._files[0], hint=f"did you mean '{close}'?" if close else None
                )
            found = tuple((a, MANNERED if a.groups else 1.0) for a in rules[rule] if a.fits(tags))
            self._fitting[key] = found
        return found

    def _load(self) -> dict[str, tuple[Alternative, ...]]:
        if self._rules is None:
            rules: dict[str, tuple[Alternative, ...]] = {}
            for file in self._files:
                for rule, texts in OFFLINE.templates(file)[self._top].items():
                    if rule in rules:
                        raise DataFileError(f"the rule '{rule}' is defined twice", file=file)
                    rules[rule] = tuple(parse(text) for text in texts)
            self._asked = {
                rule: frozenset(tag.removeprefix("!") for a in alternatives for group in a.groups for tag in group)
                for rule, alternatives in rules.items()
            }
            self._rules = rules
        return self._rules

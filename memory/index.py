"""Where to find records by what they say: rows by id, text, tag, kind, person and fact; and names found in a text.

Rows are positions in the sequence of added records, each list ascending. Names match whatever their case.
"""

from __future__ import annotations

import re

from kernel import RecordId
from memory.record import Kind, Record
from town.tree import SEPARATOR

_TOKEN = re.compile(r"[^\W_]+")


def persons(record: Record) -> tuple[str, ...]:
    """Full names of all residents a record concerns, casefolded: `people`; `about`, unless that is a place; whom the
    fact it carries is about."""
    names = dict.fromkeys(name.casefold() for name in record.people)
    if record.about is not None and SEPARATOR not in record.about:
        names[record.about.casefold()] = None
    if record.fact is not None and record.fact.about is not None:
        names[record.fact.about.casefold()] = None
    return tuple(names)


class Index:
    """Grows with `add`; nothing is ever taken out."""

    __slots__ = ("_by_first", "by_fact", "by_id", "by_kind", "by_person", "by_tag", "by_text")

    def __init__(self) -> None:
        self.by_id: dict[RecordId, int] = {}
        self.by_text: dict[str, list[int]] = {}
        self.by_tag: dict[str, list[int]] = {}
        self.by_kind: dict[Kind, list[int]] = {}
        self.by_person: dict[str, list[int]] = {}
        self.by_fact: dict[str, list[int]] = {}
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}

    def add(self, record: Record, row: int) -> None:
        """Enters a record. Raises ValueError when its id is known."""
        if record.id in self.by_id:
            raise ValueError(f"a record {record.id} is in this memory stream already")
        self.by_id[record.id] = row
        self.by_text.setdefault(record.text, []).append(row)
        self.by_kind.setdefault(record.kind, []).append(row)
        if record.tag:
            self.by_tag.setdefault(record.tag, []).append(row)
        if record.fact is not None:
            self.by_fact.setdefault(record.fact.id, []).append(row)
        for name in persons(record):
            rows = self.by_person.get(name)
            if rows is None:
                self.by_person[name] = [row]
                self._learn_name(name)
            elif rows[-1] != row:
                rows.append(row)

    def mentioning(self, text: str) -> list[int]:
        """Rows that concern the person named `text`, or any person whom `text` names (see `named_in`)."""
        exact = self.by_person.get(text.casefold())
        if exact is not None:
            return exact
        names = self.named_in(text)
        if len(names) == 1:
            return self.by_person[names[0]]
        return sorted({row for name in names for row in self.by_person[name]})

    def named_in(self, text: str) -> list[str]:
        """Known names (casefolded) that a text contains in full, or by first name, whatever the case.

        A first name doesn't count as part of another's full name: "Maria Stone" isn't Maria Lopez.
        """
        found: dict[str, None] = {}
        matches = list(_TOKEN.finditer(text))
        words = [match.group().casefold() for match in matches]
        at = 0
        while at < len(words):
            known = self._by_first.get(words[at], ())
            full = [entry for entry in known if len(entry[0]) > 1 and tuple(words[at : at + len(entry[0])]) == entry[0]]
            if full:
                tokens, name = max(full, key=lambda entry: len(entry[0]))
                found[name] = None
                at += len(tokens)
                continue
            if known and not _surname_follows(text, matches, at):
                for _, name in known:
                    found[name] = None
            at += 1
        return list(found)

    def _learn_name(self, name: str) -> None:
        tokens = tuple(_TOKEN.findall(name))
        if tokens:
            self._by_first.setdefault(tokens[0], []).append((tokens, name))


def _surname_follows(text: str, matches: list[re.Match[str]], at: int) -> bool:
    """Is the next word, with only a space between, written as a name ("Maria Stone", but not "MARIA THERE")?"""
    if at + 1 >= len(matches):
        return False
    here, following = matches[at], matches[at + 1]
    word = following.group()
    return text[here.end() : following.start()] == " " and len(word) > 1 and word.istitle()

"""The kinds of insight a resident can draw, each from records that bear it out.

candidates(op, dice)   people, patterns of one's own, relations of two others, feelings about news, intentions,
                       reflections upon reflections; weighted by how well they are supported
people_of(r, me)       whom a record concerns, besides oneself
to_third(phrase, pronoun)   "my paper" -> "her paper"
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from kernel import Dice
from language.offline.grammar import join_names, place_words, pronoun_forms
from language.offline.reading_talk import overlap, says, words_of
from language.offline.recalling import REFLECTION
from language.offline.talk_context import Talk, bare
from language.offline.topics import Topic, in_clause, topic_of, without_place
from language.operations import DrawInsights
from language.values import Event, News, Recollection

_NONE: frozenset[str] = frozenset()
_FULL_NAME = re.compile(r"\b[A-Z][\w-]+ [A-Z][\w-]+\b")

SEEN_OFTEN = 3
"""So many sightings make somebody a part of one's days."""

LONGEST_TEXT = 180
"""Characters of a record that an insight quotes."""

BETWEEN_US = frozenset({"talk", "memo", "learned", "acquaintance"})
"""Tags of records that bring somebody closer: whom one talks with, one means to ask how things go."""

MOST_CITED = 5


@dataclass(frozen=True, slots=True)
class Candidate:
    """An insight that could be drawn. `weight` grows with support and importance."""

    kind: str
    text: str
    rests_on: tuple[str, ...]
    about: str | None
    weight: float


def to_third(phrase: str, pronoun: str) -> str:
    """A phrase turned to oneself, turned back."""
    forms = pronoun_forms(pronoun)
    for mine, theirs in (("my", "possessive"), ("me", "object"), ("myself", "self"), ("mine", "own"), ("I", "subject")):
        phrase = re.sub(rf"\b{mine}\b", str(forms[theirs]), phrase)
    return phrase


def people_of(r: Recollection, me: str) -> tuple[str, ...]:
    """Full names of others in a record; `about` first."""
    names = dict.fromkeys([r.about] if r.about and _FULL_NAME.fullmatch(r.about) else [])
    if r.heard_from:
        names.setdefault(r.heard_from)
    names.update(dict.fromkeys(name for name in (r.news.about if r.news else None,) if name))
    return tuple(name for name in names if name != me)


def event_words(event: Event, dice: Dice) -> str:
    """An event in words, third person."""
    meeting = Talk.is_meeting(event)
    slots = {"host": event.host, "evn": event.name if meeting else bare(event.name)}
    return REFLECTION.raw("meeting_words" if meeting else "event_words", slots, _NONE, dice) or event.name


class _Evidence:
    """The evidence sorted by what it is good for."""

    def __init__(self, op: DrawInsights, dice: Dice) -> None:
        self.op, self.dice = op, dice
        self.me = op.person.name
        self.pronoun = op.person.pronoun
        self.records = [r for r in op.evidence if r.kind != "plan"]
        self.reflections = [r for r in self.records if r.kind == "reflection"]
        self.by_person: dict[str, list[Recollection]] = {}
        for r in self.records:
            if r.kind != "reflection":
                for name in people_of(r, self.me):
                    self.by_person.setdefault(name, []).append(r)

    def topic(self, r: Recollection) -> Topic | None:
        return topic_of(r, self.me, self.pronoun, None)

    def make(
        self, kind: str, rule: str, rests: list[Recollection], about: str | None, weight: float, /, **slots: str
    ) -> Candidate | None:
        text = REFLECTION.raw(rule, {"me": self.me, **({"other": about} if about else {}), **slots}, _NONE, self.dice)
        if not text or len(text) > 390:
            return None
        text = text[0].upper() + text[1:]
        ids = tuple(dict.fromkeys(r.id for r in rests))[:MOST_CITED]
        return Candidate(kind, text, ids, about, weight + 0.1 * min(len(ids), 4))


def candidates(op: DrawInsights, dice: Dice) -> list[Candidate]:
    """All insights the evidence bears out."""
    found = _Evidence(op, dice)
    made: list[Candidate | None] = []
    for kind in (_people, _own, _pairs, _news, _upon, _intentions):
        made.extend(kind(found))
    return [c for c in made if c is not None]


def _people(e: _Evidence) -> Iterator[Candidate | None]:
    for name, records in e.by_person.items():
        closeness = min(1.0, len(records) / 6)
        for r in records:
            topic = e.topic(r)
            weight = 0.4 + 0.05 * r.importance + 0.3 * closeness
            absence = r.tag == "absence" and r.text.startswith(name)
            if absence:
                yield e.make("person", "person_absence", [r], name, weight + 0.4)
            elif r.tag == "promise" and r.text.startswith(name):
                yield e.make("person", "person_promise", [r], name, weight)
            elif r.tag == "refusal" and r.text.startswith(name):
                yield e.make("person", "person_refusal", [r], name, weight)
            elif r.tag == "acquaintance" and len(r.text) <= LONGEST_TEXT:
                more = [o for o in records if o.id != r.id and overlap(words_of(r.text), words_of(o.text)) > 0.25]
                yield e.make("person", "person_known", [r, *more], name, 0.25 + 0.1 * len(more), text=in_clause(r.text))
            elif topic is not None and topic.subject == name and topic.form == "wanting" and len(topic.do) < 120:
                same = [o for o in records if o.id != r.id and overlap(words_of(topic.do), words_of(o.text)) > 0.4]
                ing, do = to_third(topic.ing, e.pronoun), to_third(topic.do, e.pronoun)
                yield e.make("person", "person_wish", [r, *same], name, weight, ing=ing, do=do)
            if r.heard_from == name and r.news is not None and r.news.about == name and len(r.news.text) <= LONGEST_TEXT:
                yield e.make("person", "person_told", [r], name, weight - 0.25, text=in_clause(r.news.text))
        yield from _sightings(e, name, records)


def _sightings(e: _Evidence, name: str, records: list[Recollection]) -> Iterator[Candidate | None]:
    seen = [r for r in records if r.text.startswith(name) and r.tag in ("seen", "") and r.news is None]
    by_activity: dict[str, list[Recollection]] = {}
    for r in seen:
        topic = e.topic(r)
        if topic is not None and topic.form == "doing":
            by_activity.setdefault(without_place(topic.ing), []).append(r)
    for ing, same in by_activity.items():
        if len(same) >= 2 and len(ing) < 90:
            yield e.make("person", "person_doing", same, name, 0.45 + 0.1 * len(same), ing=ing)
    if len(seen) >= SEEN_OFTEN:
        yield e.make("person", "person_seen", seen, name, 0.35 + 0.05 * len(seen))


def _own(e: _Evidence) -> Iterator[Candidate | None]:
    mine = [r for r in e.records if r.text.startswith(e.me) and r.kind == "observation"]
    by_activity: dict[str, list[Recollection]] = {}
    for r in mine:
        topic = e.topic(r)
        if topic is None:
            continue
        if topic.form == "wanting" and topic.ing and r.news is None and not topic.sensitive:
            ing, do = to_third(topic.ing, e.pronoun), to_third(topic.do, e.pronoun)
            same = [o for o in mine if o.id != r.id and overlap(words_of(topic.do), words_of(o.text)) > 0.35]
            yield e.make("own", "own_aim", [r, *same], None, 0.5 + 0.15 * len(same), ing=ing, do=do)
        elif topic.form == "doing" and r.tag in ("done", ""):
            by_activity.setdefault(without_place(to_third(topic.ing, e.pronoun)), []).append(r)
    for ing, same in by_activity.items():
        if len(same) >= 2 and len(ing) < 90:
            yield e.make("own", "own_pattern", same, None, 0.5 + 0.1 * len(same), ing=ing)
    talks = [r for r in e.records if r.tag == "talk"]
    partners = list(dict.fromkeys(r.about for r in talks if r.about))
    if len(partners) >= 3:
        yield e.make("own", "own_talk", talks, None, 0.4, names=join_names(partners[:4]))


def _pairs(e: _Evidence) -> Iterator[Candidate | None]:
    for r in e.records:
        if r.kind == "reflection" or r.tag in ("talk", "memo", "thought", "promise", "refusal") or len(r.text) > LONGEST_TEXT:
            continue
        text = r.news.text if r.news is not None else r.text
        if ";" in text or ". " in text.rstrip("."):
            continue  # two sentences may be about one person each
        others = [n for n in dict.fromkeys(_FULL_NAME.findall(text)) if n != e.me and n in _names(e)]
        if len(others) >= 2:
            slots = {"one": others[0], "two": others[1], "text": in_clause(text)}
            yield e.make("pair", "two_people", [r], others[0], 0.3 + 0.05 * r.importance, **slots)


def _names(e: _Evidence) -> frozenset[str]:
    return frozenset(e.by_person)


def _news(e: _Evidence) -> Iterator[Candidate | None]:
    done: set[str] = set()
    for r in e.records:
        news = r.news
        if news is None or news.id in done or r.tag in ("promise", "refusal", "absence") or len(news.text) > LONGEST_TEXT:
            continue
        done.add(news.id)
        same = [o for o in e.records if o.id != r.id and o.news is not None and o.news.id == news.id]
        dislike = _dislike(e, news)
        weight = 0.3 + 0.07 * r.importance
        if news.about == e.me:
            yield e.make("news", "news_feeling_own", [r, *same], None, weight, text=in_clause(news.text))
        elif dislike is not None:
            yield e.make("news", "news_doubt", [r, dislike], news.about, weight + 0.45, text=in_clause(news.text))
        else:
            yield e.make("news", "news_feeling", [r, *same], news.about, weight, text=in_clause(news.text))


def _dislike(e: _Evidence, news: News) -> Recollection | None:
    if news.about is None:
        return None
    for r in e.records:
        if r.text.startswith(e.me) and news.about in r.text and says("negative", r.text):
            return r
    return None


def _upon(e: _Evidence) -> Iterator[Candidate | None]:
    for r in e.reflections:
        if len(r.text) > LONGEST_TEXT or r.tag == "intention" or any(p.search(r.text) for p in _upon_heads()):
            continue
        names = words_of(" ".join((e.me, *e.by_person)))
        words = words_of(r.text) - names
        later = (o for o in e.records if o.id != r.id and o.kind != "reflection" and o.hours_ago < r.hours_ago)
        support = [o for o in later if len(words & words_of(o.text)) >= max(1, len(words) // 4)]
        if support:
            yield e.make("upon", "upon", [r, *support], r.about, 0.45 + 0.05 * len(support[:4]), text=in_clause(r.text))


def _upon_heads() -> tuple[re.Pattern[str], ...]:
    """How insights upon insights begin: they aren't stacked further in the same words."""
    heads = []
    for alternative in REFLECTION.rules()["upon"]:
        fixed = "".join(str(value) if kind == "text" else r".+" for kind, value in alternative.parts)
        heads.append(re.compile("^" + fixed.replace("(", r"\(").replace(")", r"\)")))
    return tuple(heads)


def _intentions(e: _Evidence) -> Iterator[Candidate | None]:
    meant = [r for r in e.reflections if r.tag == "intention"]

    def new(text: str) -> bool:
        words = words_of(text)
        return not any(overlap(words, words_of(r.text)) > 0.8 for r in meant)

    for r in e.records:
        topic = e.topic(r)
        event = r.news.event if r.news is not None else None
        weight = 0.35 + 0.05 * r.importance
        if event is not None and r.tag != "absence" and r.news is not None and r.news.retracts is None:
            slots = {"ev": event_words(event, e.dice), "place": place_words(event.place, None)}
            if event.host == e.me and Talk.is_meeting(event):
                continue  # there is nothing to prepare for a coffee of two
            if event.host == e.me:
                yield _if(new, e.make("intention", "means_prepare", [r], None, weight + 0.3, **slots))
            elif r.tag == "promise" and r.text.startswith(e.me):
                yield _if(new, e.make("intention", "means_event", [r], event.host, weight + 0.1, **slots))
            elif r.tag not in ("promise", "refusal"):
                yield _if(new, e.make("intention", "means_ask_event", [r], event.host, weight, **slots))
            continue
        if topic is None or topic.sensitive:
            continue
        if r.tag == "seen":
            continue  # one asks how somebody's plans go, not how their lunch does
        if topic.role == "third" and topic.subject in e.by_person and topic.form in ("wanting", "doing") and topic.project:
            if len(topic.ing) < 110 and not _says_of_me(e, topic.ing):
                near = min(0.3, 0.06 * sum(o.tag in BETWEEN_US for o in e.by_person[topic.subject]))
                ing = without_place(topic.ing)
                yield _if(new, e.make("intention", "means_ask", [r], topic.subject, weight + near, ing=ing))
        elif topic.role == "me" and topic.form == "wanting" and r.kind == "observation" and len(topic.do) < 110:
            do = to_third(topic.do, e.pronoun)
            yield _if(new, e.make("intention", "means_do", [r], None, weight + 0.15, do=do, ing=to_third(topic.ing, e.pronoun)))
    for name, records in e.by_person.items():
        warm = [r for r in records if r.tag in ("talk", "memo", "learned")]
        if len(warm) >= 2 and not any(r.tag == "absence" for r in records):
            yield _if(new, e.make("intention", "means_talk", warm, name, 0.15 + 0.02 * len(warm)))


def _says_of_me(e: _Evidence, ing: str) -> bool:
    """Whether "his" or "her" in somebody else's doing would be taken for one's own."""
    forms = pronoun_forms(e.pronoun)
    return any(re.search(rf"\b{forms[key]}\b", ing) for key in ("subject", "object", "possessive", "self"))


def _if(test: object, candidate: Candidate | None) -> Candidate | None:
    return candidate if candidate is not None and callable(test) and test(candidate.text) else None


__all__ = ["Candidate", "candidates", "event_words", "people_of", "to_third"]

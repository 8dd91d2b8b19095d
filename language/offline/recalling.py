"""What a conversation leaves behind: its matter in a sentence, a memo about the other, what it means for plans.

    recall(op, dice) -> Recall

Everything comes from the lines and the news they passed on; warmth from the dialogue acts.
"""

from __future__ import annotations

from datetime import datetime

from kernel import Dice
from language.offline.grammar import join_names, place_words, time_words
from language.offline.realise import Phrases
from language.offline.registry import responder
from language.offline.talk_context import Talk, bare
from language.offline.topics import in_clause
from language.operations import RecallTalk
from language.replies import Recall
from language.values import Event, Line, News

REFLECTION = Phrases("reflection", "reflection_talk")

WARMTH = {
    "accept": 0.1, "decline": -0.04, "ask_why": -0.12, "apologise": 0.06, "explain": -0.02, "gossip": 0.03, "tell": 0.03,
    "introduce": 0.04, "ask": 0.01, "retract": 0.0, "puzzled": -0.02, "invite": 0.03, "ask_help": 0.02,
}  # fmt: skip
"""What each act of a talk adds to how it felt."""

LONGEST = 330
"""Characters of a summary."""

_NONE: frozenset[str] = frozenset()


@responder(RecallTalk)
def recall(op: RecallTalk, dice: Dice) -> Recall:
    """What `op.person` keeps of the talk."""
    notes = _Notes(op, dice)
    return Recall(summary=notes.summary(), partner=notes.memo(), plans=notes.plans(), warmth=notes.warmth())


class _Notes:
    def __init__(self, op: RecallTalk, dice: Dice) -> None:
        self.op, self.dice = op, dice
        self.me = op.person.name
        self.other = op.partners[0].name if op.partners else self.me
        self.odds = bool(op.partners) and op.partners[0].closeness < -0.15
        self.place = place_words(op.scene.place, None)

    def say(self, rule: str, **slots: str) -> str:
        return REFLECTION.raw(rule, {"me": self.me, "other": self.other, "place": self.place, **slots}, _NONE, self.dice) or ""

    def event(self, event: Event) -> str:
        if Talk.is_meeting(event):
            return self.say("meeting_words", host=event.host, evn=event.name)
        return self.say("event_words", host=event.host, evn=bare(event.name))

    def summary(self) -> str:
        points: dict[str, None] = {}
        topics: dict[str, None] = {}
        asked = ""
        for line in self.op.lines:
            for news in line.news if line.act != "ask_help" else ():
                if line.act == "retract":
                    points[self.say("point_retract", who=line.speaker, text=_clause(news))] = None
                elif news.event is not None:
                    topics[self.event(news.event)] = None
                else:
                    topics[self.say("topic_news", text=_clause(news))] = None
            if line.act in ("invite", "ask_help"):
                asked = line.act
                if line.event is not None and line.act == "invite":
                    topics.setdefault(self.event(line.event))
            point = self._point(line, asked)
            if point:
                points[point] = None
        parts: list[str] = []
        if topics:
            kept: list[str] = []
            for topic in topics:
                if len(", ".join((*kept, topic))) < LONGEST - 110:
                    kept.append(topic)
            if kept:
                parts.append(self.say("talk_about", topics=join_names(kept)))
        for point in points:
            if len("; ".join((*parts, point))) < LONGEST:
                parts.append(point)
        if not parts:
            met = any(line.act == "introduce" for line in self.op.lines)
            parts.append(self.say("talk_met" if met else "talk_curt" if self.odds else "talk_empty"))
        return "; ".join(parts)

    def _point(self, line: Line, asked: str) -> str:
        if line.act == "apologise":
            return self.say("point_sorry", who=line.speaker)
        if line.event is None:
            return ""
        ev = self.event(line.event)
        slots = {"who": line.speaker, "ev": ev, "evn": bare(line.event.name), "host": line.event.host}
        if line.act == "accept":
            return self.say("point_help" if asked == "ask_help" else "point_promise", **slots)
        if line.act == "decline":
            return self.say("point_nohelp" if asked == "ask_help" else "point_refuse", **slots)
        if line.act == "ask_why":
            other = self.other if line.speaker == self.me else self.me
            return self.say("point_why", who=line.speaker, other=other, ev=ev)
        return ""

    def memo(self) -> str:
        if self.odds:
            return self.say("memo_odds")
        for line in reversed(self.op.lines):
            if line.event is None or line.speaker != self.other:
                continue
            if line.act == "accept":
                if any(own.act == "ask_help" and own.event == line.event for own in self.op.lines):
                    return self.say("memo_help", evn=bare(line.event.name))
                return self.say("memo_promise", ev=self.event(line.event))
            if line.act == "decline":
                return self.say("memo_refuse", ev=self.event(line.event))
        for line in self.op.lines:
            if line.act == "ask_why" and line.speaker == self.me and line.event is not None:
                return self.say("memo_why", ev=self.event(line.event))
        for news in self.op.news_learned:
            if len(news.text) < 200:
                rule = "memo_learned" if news.about == self.other else "memo_gossip"
                return self.say(rule, text=_clause(news))
        if any(line.act == "introduce" for line in self.op.lines):
            return self.say("memo_new")
        return self.say("memo_warm" if self.op.partners and self.op.partners[0].closeness >= 0.4 else "memo_mild")

    def plans(self) -> str:
        asked = ""
        found = ""
        for line in self.op.lines:
            if line.act in ("invite", "ask_help"):
                asked = line.act
            event = line.event
            if event is None:
                continue
            slots = {"ev": self.event(event), "place": place_words(event.place, None), "when": self._when(event.start)}
            slots |= {"evn": bare(event.name), "host": event.host}
            mine = line.speaker == self.me
            if line.act == "accept":
                helping = asked == "ask_help"
                rule = ("plan_help" if helping else "plan_own") if mine else ("plan_other_help" if helping else "plan_other")
                found = self.say(rule, **slots)
            elif line.act == "decline" and not mine and event.host == self.me:
                found = found or self.say("plan_refused", **slots)
        if found:
            return found
        for news in self.op.news_learned:
            if news.retracts is not None:
                return self.say("plan_off", text=_clause(news))
            if news.event is not None and news.event.start > self.op.scene.now and news.event.host != self.me:
                event = news.event
                if not any(line.act == "decline" and line.speaker == self.me for line in self.op.lines):
                    where = place_words(event.place, None)
                    return self.say("plan_may", ev=self.event(event), place=where, when=self._when(event.start))
        return ""

    def _when(self, moment: datetime) -> str:
        """The day by name, since the record is read on other days too."""
        return time_words(moment, moment.replace(day=1, year=moment.year - 1), exact=True)

    def warmth(self) -> float:
        if self.odds:
            return -0.2
        value = 0.05 + sum(WARMTH.get(line.act, 0.0) for line in self.op.lines)
        if len(self.op.lines) >= 6:
            value += 0.05
        return round(max(-0.5, min(0.6, value)), 2)


def _clause(news: News) -> str:
    return in_clause(news.text)

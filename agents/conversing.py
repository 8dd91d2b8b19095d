"""Talking: the next words, and what a conversation leaves behind (Park et al. 2023, section 4.3.2; design rule 6).

speak         one turn: from summary, relationship, topics and the dialogue so far to proposed words
hear_answers  notes promises and refusals in words just heard
remember_talk after the end: the dialogue in a sentence, a memo about the other, what it means for one's plans
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from agents import recollecting
from agents.directing import voices
from agents.perception import place_name
from agents.thought import New, Thought, cited, ids
from kernel import RecordId
from language import Meeting, RecallTalk, Recollection, Speak, Turn, named, phrase
from memory import Record
from planning.diary import PROMISE, REFUSAL, Appointment, appointments
from planning.when import span_fields
from town.acts import Because
from town.percepts import Percept
from town.protocols import ProposeWords
from town.speech import Conversation, Fact, Gathering, Utterance

DIARY_DAYS = 3
"""How far ahead one looks when somebody proposes something."""
NEWS_AT_HAND = 10
"""Facts one could tell, beside the retrieved topics: the weightiest and freshest."""
SHARED_AT_HAND = 6
STEM, WORDED = 5, 0.2
"""Letters of a word that count, and the share of a fact's words that an utterance must have to pass it on."""
TALKS_AT_HAND = 2
"""Latest talks with others one may mention, if they were within so many hours."""
TODAY_HOURS = 9


async def speak(
    thought: Thought,
    summary: str,
    to: tuple[str, ...],
    conversation: Conversation | None,
    meeting_places: tuple[str, ...],
    *,
    joining: Utterance | None = None,
    why: str = "",
    because: Because = Because(),
    rounds: int = 8,
) -> ProposeWords:
    """The next words to `to` (the one addressed first). `conversation` None opens one, or joins that of the words `joining`."""
    await thought.presentable()
    me, step, clock = thought.person.name, thought.step, thought.clock
    said = conversation.utterances if conversation else (joining,) if joining else ()
    talk = conversation.id if conversation else joining.conversation if joining else None
    about_them = thought.retrieve(phrase("query.about", perceiver=me, other=to[0]), "talk", k=thought.settings.topics, people=to)
    topics = list(thought.recollect(about_them))
    retrievals = [about_them.id]
    if said and said[-1].speaker != me:
        about_words = thought.retrieve(phrase("query.said", words=said[-1].text), "talk", k=thought.settings.topics)
        topics.extend(thought.recollect(about_words))
        retrievals.append(about_words.id)
    diary = appointments(thought.draft, me, step, step + clock.steps(days=DIARY_DAYS))
    topics.extend(_news_at_hand(thought, diary))
    topics.extend(_talks_today(thought))
    topics.extend(voices(thought))
    topics = list({topic.id: _with_told(thought, topic) for topic in topics}.values())
    shared = (*_shared(thought, to), *_own_words_told(thought, to))
    mine = sum(1 for utterance in said if utterance.speaker == me)
    answer = await thought.ask(
        Speak(
            person=thought.person, summary=summary, scene=thought.scene(),
            listeners=tuple(thought.relation(name) for name in to),
            topics=tuple(topics), lines=recollecting.lines(said, clock), why_open=why, shared=shared,
            commitments=tuple(recollecting.commitment(a, clock) for a in diary if not a.refused),
            free=_free(thought, [a.gathering for a in diary if a.firm]),
            meeting_places=meeting_places, rounds_left=max(0, rounds - mine),
        )
    )  # fmt: skip
    turn = answer.reply
    by_id = thought.facts()
    by_id.update({fact.id: fact for u in said for fact in u.passes_on})
    by_id.update(_stated(thought, [i for i in turn.passes_on if i not in by_id]))
    passes_on = [by_id[i] for i in dict.fromkeys(turn.passes_on) if i in by_id and in_words(by_id[i].text, turn.text)]
    gathering = by_id[turn.event].gathering if turn.event in by_id else None
    if turn.meeting is not None:
        made = _meeting(thought, turn.meeting, to, meeting_places)
        if made is not None:
            passes_on.append(made)
            gathering = made.gathering
    elif turn.event in by_id and turn.act in ("invite", "ask_help") and by_id[turn.event] not in passes_on:
        passes_on.append(by_id[turn.event])
    _note_own_words(thought, turn, to, passes_on, by_id.get(turn.event or ""), said)
    at_hand = ids(topics) | ids(shared) | {s.id for s in thought.person.statements} | {str(a.record) for a in diary}
    rests_on = cited(turn.rests_on, at_hand)
    return ProposeWords(
        to=to, text=turn.text, act=turn.act, conversation=talk,
        passes_on=tuple(passes_on), rests_on=rests_on, gathering=gathering, ends=turn.ends,
        citation="checked" if rests_on else "uncited", call=answer.call,
        because=replace(
            because, records=tuple(dict.fromkeys((*because.records, *rests_on))),
            retrievals=(*because.retrievals, *retrievals), calls=(*because.calls, answer.call), note=because.note or why,
        ),
    )  # fmt: skip


def in_words(fact: str, words: str) -> bool:
    """Whether words really say something of a fact: nobody learns a thing that wasn't put in words.

    A share of the fact's longer words, by their beginnings, so that grammar and person may differ.
    """
    stems = {found[:STEM] for found in re.findall(r"[^\W\d_]{4,}", fact.casefold())}
    said = {found[:STEM] for found in re.findall(r"[^\W\d_]{4,}", words.casefold())}
    return not stems or len(stems & said) / len(stems) >= WORDED


def _news_at_hand(thought: Thought, diary: Sequence[Appointment]) -> tuple[Recollection, ...]:
    """Facts one could tell: what is in the diary, what takes something back, and the weightiest others, then latest."""
    known = sorted(thought.draft.facts(), key=lambda item: (-item[1].importance, -item[1].created, item[0].id))
    dated = {a.fact.id for a in diary if a.firm} | {fact.id for fact, _ in known if fact.retracts is not None}
    chosen = [record for fact, record in known if fact.id in dated]
    chosen.extend(record for fact, record in known[:NEWS_AT_HAND] if fact.id not in dated)
    return thought.recollections(chosen)


def _talks_today(thought: Thought) -> tuple[Recollection, ...]:
    """The latest talks with others, if they are of today."""
    since = thought.step - thought.clock.steps(hours=TODAY_HOURS)
    records = [record for record in thought.draft.tagged("talk")[-TALKS_AT_HAND:] if record.created >= since]
    return thought.recollections(records)


def _with_told(thought: Thought, recollection: Recollection) -> Recollection:
    """A memory that is no news can have been told, too: it became news by that, under its own id."""
    if recollection.news is not None or recollection.told_to:
        return recollection
    told = thought.told(recollection.id)
    return replace(recollection, told_to=told) if told else recollection


def _own_words_told(thought: Thought, to: Sequence[str]) -> tuple[Recollection, ...]:
    """Sentences of one's persona that the listener has heard already, so that they aren't said to them twice."""
    told = {s.id: names for s in thought.person.statements if (names := thought.told(s.id)) and to[0] in names}
    return tuple(replace(r, told_to=told[r.id]) for r in thought.recollections(thought.records(_ids_of(tuple(told)))))


def _shared(thought: Thought, to: Sequence[str]) -> tuple[Recollection, ...]:
    """What is remembered of earlier talks with the listeners, latest first."""
    tags = ("talk", "memo", "absence", PROMISE, REFUSAL)
    records = [r for name in to for r in thought.draft.concerning(name) if r.tag in tags]
    records.sort(key=lambda r: r.id[1:], reverse=True)
    return thought.recollections(records[:SHARED_AT_HAND])


def _free(thought: Thought, taken: Sequence[Gathering]) -> tuple[tuple[str, str], ...]:
    """Spans of this and the next days without appointments or work, between waking and sleep."""
    clock, person = thought.clock, thought.person
    spans: list[tuple[str, str]] = []
    today = clock.day(thought.step)
    for offset in range(DIARY_DAYS):
        day = today + timedelta(days=offset)
        busy = [(g.start, g.end) for g in taken]
        if person.work_hours is not None:
            busy.append((clock.step_on(day, person.work_hours[0]), clock.step_on(day, person.work_hours[1])))
        at = max(clock.step_on(day, person.wakes + 60), thought.step + clock.steps(minutes=60))
        over = clock.step_on(day, min(person.sleeps - 60, 22 * 60))
        for start, end in sorted(busy):
            if end <= at:
                continue
            if start >= over:
                break
            if start - at >= clock.steps(minutes=60):
                spans.append(_stamp(thought, at, min(start, over)))
            at = max(at, end)
        if over - at >= clock.steps(minutes=60):
            spans.append(_stamp(thought, at, over))
    return tuple(spans)


def _stamp(thought: Thought, start: int, end: int) -> tuple[str, str]:
    form = "%Y-%m-%d %H:%M"
    return thought.clock.at(start).strftime(form), thought.clock.at(end).strftime(form)


def _stated(thought: Thought, wanted: Sequence[str]) -> dict[str, Fact]:
    """Records of one's own that become facts by being told: the first to state them is oneself, the id the record's.

    Only a sentence that says by name whom it is about can be passed on undistorted.
    """
    me = thought.person.name
    own = {s.id for s in thought.person.statements}
    found: dict[str, Fact] = {}
    for record in thought.records(_ids_of(wanted)):
        text = named(record.text, me, thought.person.pronoun) if str(record.id) in own else record.text
        subject = next((name for name in (me, record.about) if name and text.startswith(name)), None)
        if subject is not None and record.fact is None:
            found[str(record.id)] = Fact(id=str(record.id), text=text, about=subject)
    return found


def _ids_of(texts: Sequence[str]) -> list[RecordId]:
    """The record ids among some texts."""
    found: list[RecordId] = []
    for text in texts:
        try:
            found.append(RecordId.parse(text))
        except ValueError:
            continue
    return found


def _meeting(thought: Thought, meeting: Meeting, to: Sequence[str], meeting_places: Sequence[str]) -> Fact | None:
    """A newly proposed meeting as a fact; None when its time or place makes no sense."""
    try:
        start = thought.clock.step_at(datetime.strptime(meeting.start.strip(), "%Y-%m-%d %H:%M"))
    except ValueError:
        return None
    horizon = thought.step + thought.clock.steps(days=DIARY_DAYS)
    allowed = {
        *meeting_places,
        *(a.gathering.place for a in appointments(thought.draft, thought.person.name, thought.step, horizon)),
    }
    if not thought.step < start < horizon or meeting.place not in allowed:
        return None
    me = thought.person.name
    end = start + thought.clock.steps(minutes=meeting.minutes)
    text = phrase(
        "meeting.fact", host=me, guest=to[0], name=meeting.name, place=place_name(meeting.place),
        **span_fields(thought.clock, start, end),
    )  # fmt: skip
    fact = Fact(
        id=str(thought.draft.next_id()), text=text, about=me, gathering=Gathering(meeting.name, meeting.place, start, end, me)
    )
    _if_said(
        thought,
        thought.draft.add(
            "conversation", text, importance=5, people=(me, *to), about=to[0], address=meeting.place, fact=fact, tag="meeting"
        ),
    )
    return fact


def _note_own_words(
    thought: Thought, turn: Turn, to: Sequence[str], passes_on: Sequence[Fact], about: Fact | None, said: Sequence[object]
) -> None:
    """What one's own words commit one to: whom one has told, and what one has promised or refused."""
    for told in dict.fromkeys((*(fact.id for fact in passes_on), *turn.passes_on)):
        thought.said_state[f"told/{told}"] = thought.shared_with(told, to)
    if about is None or about.gathering is None or turn.act not in ("accept", "decline"):
        return
    me, gathering = thought.person.name, about.gathering
    if gathering.host == me:
        return
    key = "promise.guest" if turn.act == "accept" else "refusal.given"
    text = phrase(
        key, perceiver=me, host=gathering.host, event=gathering.name, place=place_name(gathering.place),
        reason=turn.text, **span_fields(thought.clock, gathering.start, gathering.end),
    )  # fmt: skip
    _if_said(
        thought,
        thought.draft.add(
            "conversation", text, importance=6 if turn.act == "accept" else 4, people=(me, gathering.host), about=me,
            address=gathering.place, fact=about, tag=PROMISE if turn.act == "accept" else REFUSAL,
        ),
    )  # fmt: skip


def _if_said(thought: Thought, record: Record) -> None:
    thought.said.append(record)


def hear_answers(thought: Thought, noticed: Sequence[Percept]) -> list[New]:
    """Promises and refusals in words just heard from others about gatherings one knows of."""
    me, found = thought.person.name, []
    known = [fact for fact in thought.facts().values() if fact.gathering is not None]
    for percept in noticed:
        heard = percept.utterance
        if heard is None or heard.act not in ("accept", "decline") or heard.gathering is None or heard.speaker == me:
            continue
        fact = next((f for f in known if f.gathering == heard.gathering), None)
        if fact is None or me not in heard.to:
            continue
        gathering = heard.gathering
        key = "promise.accepted" if heard.act == "accept" else "refusal.received"
        text = phrase(
            key, perceiver=me, guest=heard.speaker, event=gathering.name, reason=heard.text,
            **span_fields(thought.clock, gathering.start, gathering.end),
        )  # fmt: skip
        found.append(
            New(
                "conversation", text, importance=5 if heard.act == "accept" else 4,
                fields={
                    "people": (heard.speaker,), "about": heard.speaker, "address": gathering.place, "fact": fact,
                    "heard_from": heard.speaker, "source": heard.id,
                    "tag": PROMISE if heard.act == "accept" else REFUSAL,
                },
            )
        )  # fmt: skip
    return found


async def remember_talk(thought: Thought, conversation: Conversation) -> None:
    """The conversation as a memory, a memo about each partner, and a thought about one's plans (section 4.3.2)."""
    me = thought.person.name
    partners = tuple(name for name in conversation.everybody if name != me)
    if not partners or not conversation.utterances:
        return
    learned = tuple(
        recollecting.news_of(fact, thought.clock)
        for fact in {f.id: f for u in conversation.utterances if u.speaker != me for f in u.passes_on}.values()
    )
    answer = await thought.ask(
        RecallTalk(
            person=thought.person, scene=thought.scene(), partners=tuple(thought.relation(p) for p in partners),
            lines=recollecting.lines(conversation.utterances, thought.clock), news_learned=learned,
        )
    )  # fmt: skip
    recall = answer.reply
    source: RecordId = conversation.utterances[0].id
    common = {"people": partners, "about": partners[0], "address": conversation.place, "source": source}
    names = ", ".join(thought.called(partner) for partner in partners)
    news = [
        New(
            "conversation", phrase("memory.talk", perceiver=me, partners=names, summary=thought.without_names(recall.summary)),
            fields={**common, "tag": "talk", "tone": recall.warmth},
        )
    ]  # fmt: skip
    if recall.partner:
        news.append(New("conversation", thought.without_names(recall.partner), fields={**common, "tag": "memo"}))
    if recall.plans:
        news.append(New("conversation", thought.without_names(recall.plans), fields={**common, "tag": "thought"}))
    thought.note(news)

"""Oddities of talk: the wrong tone for the relationship, too much agreement, claims from nowhere, silence.

stranger_as_friend       the first words ever to somebody one doesn't know are fond, or presume acquaintance
formal_spouses           a couple greets the way strangers do
host_accepts_everything  asked to at least MANY_REQUESTS different things, said yes to all
unsupported_claim        see `claims`
silent_run               people were in view of each other on a day on which nobody said a word
"""

from __future__ import annotations

from simulation.measures.claims import unsupported
from simulation.measures.gatherings import COME_MINUTES
from simulation.measures.invitations import Asked, about, asked
from simulation.measures.network import known_since
from simulation.measures.oddity import Oddity
from simulation.measures.positions import Whereabouts
from simulation.measures.reading import Reading, sector_of
from simulation.measures.utterances import Masker
from simulation.measures.words import matcher

MANY_REQUESTS = 5
OPENINGS = frozenset({"greet", "introduce", "ask", "remark", "puzzled", "apologise"})
"""Dialogue acts with which one may address somebody one doesn't know."""
GREETINGS = frozenset({"greet", "introduce"})


def stranger_as_friend(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """The first talk with somebody unknown: it is opened by an act that presumes acquaintance, or somebody's first words
    in it are fond ones. Knowing is as `memory.relationships` has it, when the talk began."""
    knows = known_since(reading)
    fond = matcher("wording", "fond")
    found = []
    for lines in reading.conversations.values():
        opening, spoken = lines[0], set()
        for said in lines:
            strangers = [other for other in said.to if knows.get((said.speaker, other), opening.step) >= opening.step]
            if said.speaker in spoken or len(strangers) < len(said.to):
                spoken.add(said.speaker)
                continue
            spoken.add(said.speaker)
            presumes = said is opening and said.act not in OPENINGS
            word = fond.search(said.text)
            if presumes or word is not None:
                detail = word.group().casefold() if word is not None else said.act
                found.append(
                    Oddity("stranger_as_friend", said.speaker, said.step, said.text, (str(said.id),), said.place, detail)
                )
    return found


def formal_spouses(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """A greeting between people who are wife and husband from the start that introduces oneself, uses a formal phrase, or
    has the very wording (names, places and times masked) of a greeting between people who didn't know each other."""
    spouses = _couples(reading)
    if not spouses:
        return []
    knows = known_since(reading)
    masker = Masker(reading)
    greetings = [said for lines in reading.conversations.values() for said in lines if said.act in GREETINGS]
    among_strangers = {
        masker.mask(said.text)
        for said in greetings
        if all(knows.get((said.speaker, to), said.step) >= said.step for to in said.to)
    }
    formal = matcher("wording", "formal")
    found = []
    for said in greetings:
        if len(said.to) != 1 or frozenset((said.speaker, said.to[0])) not in spouses:
            continue
        phrase = formal.search(said.text)
        wording = masker.mask(said.text)
        if said.act == "introduce" or phrase is not None or wording in among_strangers:
            detail = phrase.group().casefold() if phrase is not None else wording
            found.append(Oddity("formal_spouses", said.speaker, said.step, said.text, (str(said.id),), said.place, detail))
    return found


def _couples(reading: Reading) -> set[frozenset[str]]:
    """Pairs of whom one is the other's spouse from the start ("wife", but not "wife of a colleague")."""
    spouse, of_another = matcher("relations", "spouse"), matcher("relations", "of_another")
    return {
        frozenset((name, record.about))
        for name, records in reading.memories.items()
        for record in records
        if record.tag == "acquaintance"
        and record.about is not None
        and spouse.search(record.how)
        and not of_another.search(record.how)
    }


def host_accepts_everything(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """Too agreeable: everything one was asked to (invitations, help) and answered was answered with yes."""
    requests: dict[str, dict[object, Asked]] = {}
    for one in asked(reading):
        if one.answer is not None:
            thing = (one.act, one.gathering if one.gathering is not None else one.said.conversation)
            kept = requests.setdefault(one.who, {})
            if one.declined or thing not in kept:
                kept[thing] = one
    found = []
    for who, things in requests.items():
        if len(things) >= MANY_REQUESTS and all(one.accepted for one in things.values()):
            answers = [one.answer for one in things.values() if one.answer is not None]
            ids = tuple(dict.fromkeys(str(answer.id) for answer in answers))
            last = answers[-1]
            found.append(Oddity("host_accepts_everything", who, last.step, last.text, ids, last.place, str(len(things))))
    return found


def unsupported_claim(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """Claims that no memory supports; `detail` says what is missing."""
    return [
        Oddity(
            "unsupported_claim",
            one.said.speaker,
            one.said.step,
            one.said.text,
            (str(one.said.id),),
            one.said.place,
            one.what or one.flaw,
        )
        for one in unsupported(reading)
    ]


def false_reproach(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """Somebody is asked why they stayed away from a gathering at which they spent COME_MINUTES or more; told of the asker."""
    found = []
    for said in reading.said:
        what = about(reading, said) if said.act == "ask_why" else None
        if what is None:
            continue
        for name in said.to:
            there = name in where.rooms and where.minutes(name, sector_of(what.place), what.start, what.end) >= COME_MINUTES
            if there and name != what.host:
                found.append(Oddity("false_reproach", said.speaker, said.step, said.text, (str(said.id),), said.place, name))
    return found


def silent_run(reading: Reading, where: Whereabouts) -> list[Oddity]:
    """Days on which residents saw each other and nobody talked; told of the first encounter of the day."""
    people = set(reading.names)
    found = []
    for start, end in reading.days():
        if any(start <= said.step < end for said in reading.said):
            continue
        seen = [
            record
            for name in reading.names
            for record in reading.memories[name]
            if record.tag == "seen" and start <= record.created < end and record.about in people
        ]
        if seen:
            first = min(seen, key=lambda record: (record.created, record.id))
            place = first.address or ""
            found.append(
                Oddity("silent_run", first.id.resident, first.created, first.text, (str(first.id),), place, str(len(seen)))
            )
    return found

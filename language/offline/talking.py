"""The talker: one turn of a conversation, from the operation's own fields.

    say(op, dice) -> Turn

A turn is a reply to the last line (`replying`), then, when the reply leaves room, one move of one's own
(`dialogue_acts`) or a leave-taking. How long people talk follows from closeness, talkativeness, hurry and what is left
to say; every conversation ends.
"""

from __future__ import annotations

from typing import Any, cast

from kernel import Dice
from language.offline.dialogue_acts import next_move
from language.offline.duties import duties
from language.offline.grammar import first_name
from language.offline.moves import Move
from language.offline.registry import responder
from language.offline.replying import Reply, reply_to
from language.offline.talk_context import PHRASES, Talk
from language.offline.topics import in_clause
from language.operations import Speak
from language.replies import Turn

DEMANDING = frozenset({"ask", "invite", "ask_help", "ask_why"})
"""Acts that want an answer."""

LONGEST_TURN = 36
"""Words in one turn, about: with a longer preface a matter that can wait is left for later."""

LATE = 9
"""After so many lines nothing keeps people from parting."""

PRESSING = frozenset({"invite", "ask_help", "retract", "ask_why", "apologise", "part", "introduce"})
"""Acts that don't wait: before them a long preface is left out."""

BRIDGED = (
    "tell", "gossip", "ask_told", "ask_heard", "ask_doing", "ask_wanting", "ask_being", "ask_fact", "ask_event", "ask_seen",
)  # fmt: skip
"""Rules (how they start) that begin a new matter, which wants a bridge from the last."""


@responder(Speak)
def say(op: Speak, dice: Dice) -> Turn:
    """The next words of `op.person`."""
    talk = Talk(op, dice)
    if not op.lines:
        return _finish(talk, Reply(""), _opening(talk))
    if [line.speaker for line in op.lines[-2:]] == [op.person.name] * 2 and len(op.listeners) == 1:
        return _finish(talk, Reply(""), _parting(talk))  # nothing comes back
    reply = reply_to(talk)
    if reply.move is not None and reply.closed:
        return _finish(talk, reply, reply.move, last=op.rounds_left <= 1)
    if reply.move is not None:
        return _after_answer(talk, reply, reply.move)
    if not talk.named and not talk.mine:
        return _finish(talk, reply, Move("introduce", "introduce"))
    duty = next(iter(duties(talk)), None) if op.rounds_left > 2 and len(talk.lines) < LATE else None
    if duty is not None:
        return _finish(talk, reply, duty)
    if op.rounds_left <= 1 or _enough(talk):
        return _finish(talk, reply, _parting(talk))
    move = next_move(talk)
    return _finish(talk, reply, move if move is not None else _parting(talk))


def _opening(talk: Talk) -> Move:
    """The first words: a greeting alone, or with the matter that brings one here."""
    if "odds" in talk.tags:
        urgent = next(iter(duties(talk)), None)
        return urgent or Move("greet", "greet_odds")
    if not talk.named:
        return Move("introduce", "introduce")
    urgent = next((m for m in duties(talk) if m.act in ("ask_why", "retract", "apologise")), None)
    if urgent is not None:
        return _greeted(talk, urgent)
    if talk.tags & {"couple", "family"} or talk.hurry or talk.dice.chance(0.3):
        move = next_move(talk, opening=True)
        if move is not None:
            return _greeted(talk, move)
    return Move("greet", "greet")


def _greeted(talk: Talk, move: Move) -> Move:
    return Move(
        move.act, move.rule, {**move.slots, "hello": talk.say("greet_short")}, move.passes_on, move.rests_on, move.event,
        move.meeting, move.ends,
    )  # fmt: skip


def _after_answer(talk: Talk, reply: Reply, move: Move) -> Turn:
    """An answer, sometimes with a question back; near the end, with a leave-taking."""
    if talk.op.rounds_left <= 1:
        return _finish(talk, reply, move, last=True)
    asked_back = any(line.act == "ask" for line in talk.mine)
    follow = next((m for m in duties(talk) if m.act == "retract"), None)  # can't wait for a turn of one's own
    if move.act == "answer":
        if follow is None and not asked_back and talk.dice.chance(0.55) and not _enough(talk):
            follow = next((m for m in (next_move(talk),) if m is not None and m.act in ("ask", "invite", "ask_help")), None)
        if follow is not None:
            answer = talk.say(move.rule, move.slots)
            passes = tuple(dict.fromkeys((*move.passes_on, *follow.passes_on)))
            rests = tuple(dict.fromkeys((*move.rests_on, *follow.rests_on)))
            joined = Move(follow.act, follow.rule, follow.slots, passes, rests, follow.event, follow.meeting)
            return _finish(talk, Reply(f"{reply.text} {answer}".strip(), rests_on=reply.rests_on), joined)
    return _finish(talk, reply, move)


def _enough(talk: Talk) -> bool:
    """Whether it is time to go: a hazard that grows with the lines said. Open questions keep one."""
    wish = 4.4 + 2.0 * max(0.0, talk.closeness()) + 2.5 * (talk.me.talkative - 0.5)
    if talk.hurry:
        wish -= 2.5
    if talk.serving:
        wish -= 1.0
    if talk.tags & {"odds"}:
        wish = 2.0
    if "again" in talk.tags:
        wish -= 1.0
    over = len(talk.lines) + 1 - wish
    return over >= 0 and talk.dice.chance(min(1.0, 0.35 + 0.2 * over))


def _parting(talk: Talk) -> Move:
    return Move("part", "part_odds" if "odds" in talk.tags else "part", ends=True)


def _finish(talk: Talk, reply: Reply, move: Move, *, last: bool = False) -> Turn:
    """Puts a turn in words."""
    slots = dict(move.slots)
    words = talk.say(move.rule, slots)
    if not words:
        move = _parting(talk)
        words = talk.say(move.rule)
    hello = slots.get("hello", "")
    preface = reply.text or hello
    rests = (*reply.rests_on, *move.rests_on)
    if preface and len(preface.split()) + len(words.split()) > LONGEST_TURN:
        if reply.text and reply.move is None and move.act not in PRESSING:
            return _alone(talk, reply)
        preface = ""
    elif reply.text and reply.move is None and move.rule.startswith(BRIDGED) and _far(talk, words):
        words = _bridged(talk, words)
    text = _addressed(talk, f"{preface} {words}".strip())
    return Turn(
        text=text,
        act=cast(Any, move.act),  # one of `Turn`'s acts; pydantic checks
        passes_on=list(dict.fromkeys((*reply.passes_on, *move.passes_on))),
        rests_on=list(dict.fromkeys(rests)),
        event=move.event,
        meeting=move.meeting,
        ends=move.ends or last or (talk.op.rounds_left <= 1 and move.act not in DEMANDING),
    )


def _alone(talk: Talk, reply: Reply) -> Turn:
    """A reaction that says enough for one turn."""
    act = "tell" if reply.passes_on else "remark"
    text = _addressed(talk, reply.text)
    return Turn(text=text, act=cast(Any, act), passes_on=list(reply.passes_on), rests_on=list(dict.fromkeys(reply.rests_on)))


def _far(talk: Talk, words: str) -> bool:
    """Whether words have nothing to do with the last line, when that was about something."""
    return talk.last is not None and talk.last.act not in ("greet", "introduce") and talk.linked(words) == 0.0


def _bridged(talk: Talk, words: str) -> str:
    """A new matter, with a word or two that lead over to it unless it brings its own."""
    own = (text for rule in ("guess", "lead", "from") for text in PHRASES.plain(rule))
    if words.startswith(tuple(own)) or not talk.dice.chance(0.6):
        return words
    return f"{talk.say('bridge')} {words}"


def _addressed(talk: Talk, text: str) -> str:
    """In company the one meant is called by name."""
    if "group" not in talk.tags or not talk.named or not talk.lines:
        return text
    name = first_name(talk.other.name)
    return text if name in text else talk.say("to_one", {"words": in_clause(text, talk.names), "mark": text[-1], "one": name})

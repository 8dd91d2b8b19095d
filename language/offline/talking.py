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
from language.offline.moves import Move
from language.offline.registry import responder
from language.offline.replying import Reply, reply_to
from language.offline.talk_context import Talk
from language.operations import Speak
from language.replies import Turn

DEMANDING = frozenset({"ask", "invite", "ask_help", "ask_why"})
"""Acts that want an answer."""

LONGEST_TURN = 34
"""Words in one turn, about: a preface that makes it longer is left out."""


@responder(Speak)
def say(op: Speak, dice: Dice) -> Turn:
    """The next words of `op.person`."""
    talk = Talk(op, dice)
    if not op.lines:
        return _finish(talk, Reply(""), _opening(talk))
    reply = reply_to(talk)
    if reply.move is not None and reply.closed:
        return _finish(talk, reply, reply.move, last=op.rounds_left <= 1)
    if reply.move is not None:
        return _after_answer(talk, reply, reply.move)
    if op.rounds_left <= 1 or _enough(talk):
        return _finish(talk, reply, _parting(talk))
    if not talk.named and not talk.mine:
        return _finish(talk, reply, Move("introduce", "introduce"))
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
        move = next_move(talk)
        if move is not None and move.act != "remark":
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
    if move.act == "answer" and not asked_back and talk.dice.chance(0.55) and not _enough(talk):
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
    if preface and len(preface.split()) + len(words.split()) > LONGEST_TURN:
        preface = ""
    text = f"{preface} {words}".strip()
    return Turn(
        text=text,
        act=cast(Any, move.act),  # one of `Turn`'s acts; pydantic checks
        passes_on=list(move.passes_on),
        rests_on=list(dict.fromkeys((*reply.rests_on, *move.rests_on))),
        event=move.event,
        meeting=move.meeting,
        ends=move.ends or last or (talk.op.rounds_left <= 1 and move.act not in DEMANDING),
    )

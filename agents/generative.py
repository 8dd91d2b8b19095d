"""The generative mind: memory stream, retrieval, reflection, plans, reactions, talk (Park et al. 2023).

One moment, in order (each step is a module of this room or of `planning`):

    perceive    what is new becomes observations, with importance                    agents/perception.py
    listen      a conversation that ended, a voice, a thing told become memories     agents/conversing.py
    converse    in a conversation: speak when it's one's turn, and nothing else      agents/conversing.py
    react       somebody or something in view may change what one does               agents/reacting.py
    live        else, when the act is over: the next task of the day's plan          agents/living.py
    reflect     when enough has happened                                             agents/reflection.py

`prepare` is pure: a Thought collects what would be written, `commit` applies it. What nobody else can notice (memories being
rated, a talk being remembered, reflection when there is nothing to do) is left for `Intention.later`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from agents import living, reacting, reflection
from agents.answering import answer_question
from agents.attendance import look_round, note_absences, note_present
from agents.conversing import hear_answers, remember_talk, speak
from agents.directing import hear_voice
from agents.mind import Deliberation, InterviewAnswer, MindInit, Writes
from agents.perception import IDLE_IMPORTANCE, notice, observe, place_name
from agents.reflection import EVENT_KINDS
from agents.thought import ParsedSchedule, Pending, Thought
from kernel import Json
from language import Ask, Line, phrase, waited_for
from memory import KnownMap, MindView
from memory.known_map import STATE_PREFIX
from town.percepts import Percept, Signal
from town.protocols import Intention, Moment, Outcome, Proposal, ProposeLeave

QUIET = frozenset({"arrived", "refused"})
"""Signals that need no thought by themselves."""
MOVING = frozenset({"started", "act_ended", "blocked", "closing", "due", "told", "voice"})
"""Signals that may make one do something else."""


class GenerativeMind:
    """A mind after Park et al. 2023; see the module's first page for its moments."""

    def __init__(self, init: MindInit) -> None:
        self._init = init
        self._person = init.person
        self._stream = init.stream
        self._places = init.places
        self._settings = init.settings
        self._known = KnownMap()
        self._parsed = ParsedSchedule()
        self._unfinished: Thought | None = None  # a thought of an earlier moment that nobody else has to wait for
        self._state: dict[str, Json] = dict(self._known.learn(init.known_places))

    @property
    def name(self) -> str:
        """The resident's full name."""
        return self._person.name

    # -- the contract ------------------------------------------------------------------------------------------------

    def prepare(self, moment: Moment) -> Intention | Deliberation:
        """Decides at once that nothing is to be thought about, or returns the deliberation."""
        memory = self._stream if self._unfinished is None else self._unfinished.draft
        noticed = notice(memory, self._settings, moment, self._met())
        if not noticed and all(signal.kind in QUIET for signal in moment.signals):
            return Intention()

        async def deliberation(ask: Ask) -> Intention:
            thought = Thought(self._init, self._state, self._known, self._parsed, moment, ask)
            try:
                return await self._deliberate(thought, noticed)
            except BaseException:
                thought.drop()
                raise

        return deliberation

    def commit(self, moment: Moment, intention: Intention, outcome: Outcome) -> Writes:
        """Applies memories, last-accessed steps and state; what hung on one's words only if they were spoken."""
        pending = intention.writes
        if isinstance(pending, Thought):  # there is more to think of it
            self._unfinished = pending
        elif self._unfinished is not None and self._unfinished.step == moment.step:
            self._unfinished = None
        if not isinstance(pending, Pending):
            return Writes()
        writes = pending.always
        if outcome.utterance is not None:
            said = pending.if_said
            records = tuple(sorted((*writes.records, *said.records), key=lambda r: r.id))
            writes = replace(writes, records=records, state={**writes.state, **said.state})
        state = dict(writes.state)
        gained = sum(r.importance for r in writes.records if r.kind in EVENT_KINDS)
        if gained or "importance" in state:
            before = state.get("importance", self._state.get("importance"))
            state["importance"] = (before if isinstance(before, int) else 0) + gained
        changed = {key: value for key, value in state.items() if self._state.get(key) != value}
        for key, value in changed.items():
            if value is None:
                self._state.pop(key, None)
            else:
                self._state[key] = value
        if any(key.startswith(STATE_PREFIX) for key in changed):
            self._known = self._known.updated(changed)
        self._stream.apply(writes.records, writes.retrievals)
        return replace(writes, state=changed)

    def state(self) -> Mapping[str, Json]:
        """Schedule, summary, map, whom one told what: everything beside the stream."""
        return dict(self._state)

    def restore(self, state: Mapping[str, Json]) -> None:
        """Takes up a saved state."""
        self._state = dict(state)
        self._known = KnownMap.of_state(self._state)

    async def answer(self, question: str, view: MindView, ask: Ask, dialogue: tuple[Line, ...] = ()) -> InterviewAnswer:
        """An interview; reads `view` only."""
        return await answer_question(self._person, question, view, self._init.clock, ask, dialogue)

    def _met(self) -> frozenset[str]:
        if self._unfinished is not None:
            return self._unfinished.met()
        kept = self._state.get("strangers")
        return frozenset(name for name, look in kept.items() if not look) if isinstance(kept, dict) else frozenset()

    # -- a moment ----------------------------------------------------------------------------------------------------

    async def _deliberate(self, thought: Thought, noticed: tuple[Percept, ...]) -> Intention:
        """Takes in what is perceived, decides what to do unless that is out of the question, and remembers."""
        signals: dict[str, Signal] = {signal.kind: signal for signal in thought.moment.signals}
        mundane = reacting.mundane(self._stream, noticed)
        observe(thought, noticed, self._places)
        thought.note(hear_answers(thought, noticed))
        note_present(thought)
        note_absences(thought)
        if any(signal.kind == "conversation_ended" and signal.conversation is not None for signal in thought.moment.signals):
            thought.put("last_talk", thought.step)
        proposals: tuple[Proposal, ...] = ()
        keeps = self._keeps_to_oneself(thought, signals, noticed, mundane)
        if not keeps:
            proposals = await self._decide(thought, signals, noticed, mundane)
        rest = partial(self._finish, thought, proposals, digest=keeps)
        if waited_for(thought.ask) and (keeps or thought.unrated):
            return Intention(proposals, writes=thought, later=rest)
        return await rest()

    async def _finish(self, thought: Thought, proposals: tuple[Proposal, ...], *, digest: bool) -> Intention:
        """What is left of a thought when it is known what one does: nobody but oneself can tell when it is done."""
        try:
            if digest:
                await self._listen(thought, thought.moment.signals)
                if not _occupied(thought.moment) and await reflection.due(thought):
                    await reflection.reflect(thought)
            await thought.rated()
        except BaseException:
            thought.drop()
            raise
        return Intention(proposals, writes=thought.pending())

    def _keeps_to_oneself(
        self, thought: Thought, signals: Mapping[str, Signal], noticed: tuple[Percept, ...], mundane: frozenset[str]
    ) -> bool:
        """Whether all there is to do is remember and reflect: whatever comes of that, one goes on with what one does.

        True only where `_decide` would propose nothing.
        """
        moment = thought.moment
        if moment.conversation is not None:
            return "your_turn" not in signals
        if moment.act is None or _waking(moment) or signals.keys() & MOVING:
            return False
        if moment.act.asleep:
            return True
        if "conversation_ended" in signals and (not self._settings.talk_rest_minutes or living.diary_changed(thought)):
            return False
        return not any(reacting.considered(thought, noticed, mundane))

    async def _decide(
        self, thought: Thought, signals: Mapping[str, Signal], noticed: tuple[Percept, ...], mundane: frozenset[str]
    ) -> tuple[Proposal, ...]:
        """What one does, and what one thinks before that."""
        moment = thought.moment
        reason = await self._listen(thought, moment.signals)
        conversation = moment.conversation
        if conversation is not None:
            return await self._converse(thought, signals)
        if _waking(moment):
            thought.put("night", None)
            await living.plan(thought, self._known, phrase("reason.plan"), anew=True)
            return (await self._live(thought),)
        if moment.act is not None and moment.act.asleep and "act_ended" not in signals:
            return (living.sleep(thought, moment.place),) if "blocked" in signals else ()  # no bed free: where one stands
        if moment.act is None or "started" in signals:
            return (await self._begin(thought),)
        if await reflection.due(thought):
            await reflection.reflect(thought)
        over = self._barred(thought, signals) or "act_ended" in signals
        decided = await reacting.decide(thought, noticed, mundane)
        if decided is not None and decided.reaction.decision == "talk":
            opening = await self._open(thought, decided)
            if opening is not None:
                return (opening, await self._live(thought)) if over else (opening,)
        elif decided is not None:
            return (reacting.as_act(thought, decided, self._places),)
        settled = signals.keys() & {"act_ended", "conversation_ended", "told"}
        if not reason and settled and living.diary_changed(thought):
            reason = phrase("reason.promise")
        if reason:
            await living.plan(thought, self._known, reason, anew=False)
        looking = look_round(thought, self._places) if "act_ended" in signals and not reason else None
        if looking is not None:
            return (looking,)
        if reason or over or "due" in signals:
            return (await self._live(thought),)
        return ()

    async def _begin(self, thought: Thought) -> Proposal:
        """The first moment of a life in town: asleep if it is night for this person, else the day is planned."""
        minute = thought.clock.minute_of_day(thought.step)
        person = thought.person
        if minute < person.wakes - living.WAKE_SPREAD and minute >= person.sleeps - 1440:
            return living.sleep(thought, self._init.bed)
        await living.plan(thought, self._known, phrase("reason.plan"), anew=True)
        return await self._live(thought)

    async def _listen(self, thought: Thought, signals: tuple[Signal, ...]) -> str:
        """Talks that ended, voices and things told become memories; returns a reason to plan anew, or ""."""
        reason = ""
        for signal in signals:
            if signal.kind == "conversation_ended" and signal.conversation is not None:
                await remember_talk(thought, signal.conversation)
            elif signal.kind == "voice":
                hear_voice(thought, signal.detail)
                reason = phrase("reason.voice")
            elif signal.kind == "told" and signal.detail in self._init.tidings:
                seed = self._init.tidings[signal.detail]
                thought.draft.add(
                    "observation", seed.text, importance=seed.importance, about=seed.about, fact=seed.fact, tag="learned"
                )
                reason = phrase("reason.retracted") if seed.fact and seed.fact.retracts else reason
        return reason

    async def _converse(self, thought: Thought, signals: Mapping[str, Signal]) -> tuple[Proposal, ...]:
        """In a conversation: one's words when it is one's turn."""
        conversation = thought.moment.conversation
        assert conversation is not None
        if "your_turn" not in signals:
            return ()
        others = [name for name in conversation.participants if name != self.name]
        if not others:
            return (ProposeLeave(conversation.id),)
        last = conversation.utterances[-1].speaker if conversation.utterances else others[0]
        to = (last, *(n for n in others if n != last)) if last in others else tuple(others)
        summary = await living.summarise(thought)
        words = await speak(thought, summary, to, conversation, self._places.meeting_places(self._known))
        return (words,)

    async def _open(self, thought: Thought, decided: reacting.Decided) -> Proposal | None:
        """Opens a conversation with somebody in view, or joins the one they are in."""
        summary = await living.summarise(thought)
        percept, heard = decided.percept, decided.percept.utterance
        to: tuple[str, ...] = (percept.subject,)
        if heard is not None:  # their conversation goes on with one more
            to = (heard.speaker, *(name for name in heard.to if name != heard.speaker))
        return await speak(
            thought, summary, to, None, self._places.meeting_places(self._known),
            joining=heard, why=percept.text, because=decided.because,
        )  # fmt: skip

    async def _live(self, thought: Thought) -> Proposal:
        return await living.next_act(thought, self._places, self._known, self._init.bed)

    def _barred(self, thought: Thought, signals: Mapping[str, Signal]) -> bool:
        """Notes that the way was barred or that the place closes, so that another is chosen."""
        moment = thought.moment
        if "closing" in signals:
            living.bar(thought, self._places.sector_of(moment.place), 8 * 60)
            return True
        blocked = signals.get("blocked")
        if blocked is None or moment.act is None:
            return False
        target = moment.act.target
        sector = self._places.sector_of(target)
        closed = blocked.detail == "closed"
        thought.draft.add(
            "observation", phrase(f"observation.{blocked.detail}", perceiver=self.name, place=place_name(target)),
            importance=IDLE_IMPORTANCE + 1, address=target, tag="state",
        )  # fmt: skip
        really = closed and not self._places.is_open(self._places.town.sector(target), moment.step, self.name)
        living.bar(thought, sector if really else target, 60 if really else 15)
        return True


def _occupied(moment: Moment) -> bool:
    """Whether one is talking or asleep, which leaves no time to look back."""
    return moment.conversation is not None or (moment.act is not None and moment.act.asleep)


def _waking(moment: Moment) -> bool:
    """Whether sleep is over: its end was announced, or has passed by (when waking went wrong the first time)."""
    act = moment.act
    return act is not None and act.asleep and (moment.step >= act.until or any(s.kind == "act_ended" for s in moment.signals))


def make(init: MindInit) -> GenerativeMind:
    """The factory under the entry point `generative`."""
    return GenerativeMind(init)

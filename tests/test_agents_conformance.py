"""Our own minds pass the kit that ships for everybody's."""

import pytest

from agents import clockwork, generative, testing

QUESTION = "What did you do today, and who did you meet?"
SENTINEL = "zyzzyva quagmire seventeen"
MINDS = {"clockwork": clockwork.make, "generative": generative.make}


@pytest.mark.parametrize("kind", MINDS)
def test_acts_are_possible(kind: str) -> None:
    testing.check_possible_acts(MINDS[kind])


@pytest.mark.parametrize("kind", MINDS)
def test_same_seed_same_life(kind: str) -> None:
    testing.check_determinism(MINDS[kind])


@pytest.mark.parametrize("kind", MINDS)
def test_preparing_is_pure(kind: str) -> None:
    testing.check_pure(MINDS[kind])


@pytest.mark.parametrize("kind", MINDS)
def test_restored_at_any_step(kind: str) -> None:
    testing.check_restore(MINDS[kind])


@pytest.mark.parametrize("kind", MINDS)
def test_interviews_leave_no_trace(kind: str) -> None:
    testing.check_interview(MINDS[kind], QUESTION)


@pytest.mark.parametrize("kind", MINDS)
def test_hidden_records_stay_hidden(kind: str) -> None:
    testing.check_hidden_records(MINDS[kind], (QUESTION,), SENTINEL)


def test_an_impure_mind_is_caught() -> None:
    """The kit can fail: a mind that counts its preparations and acts on the count."""

    class Impure(clockwork.ClockworkMind):
        calls = 0

        def prepare(self, moment):  # type: ignore[no-untyped-def]
            self.calls += 1
            intention = super().prepare(moment)
            if intention.proposals and self.calls % 2 == 0:
                return type(intention)(proposals=(), wake=moment.step + 1)
            return intention

    with pytest.raises(AssertionError, match="isn't pure"):
        testing.check_pure(Impure)

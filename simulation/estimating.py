"""What a run will ask of models, before it is lived: calls, tokens, cost and hours.

    estimate(scenario, days, model, model_for, probe)  -> Estimate

Calls and tokens come from `model_statistics.yaml`, which the program made by living the scenarios that come with it; a
scenario that isn't among them is estimated from the one whose number of residents is nearest. Prices are list prices;
hours come from the server's speed (`probe`: one short question), else from a typical one. All of it is an estimate: lives
differ.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from agents.persona import person_of
from kernel import UsageError, dumps
from language import OPERATIONS, CallKey, Operation, Person, RateImportance, Request, SummariseSelf
from language.prices import cost
from personas import load_people
from scenarios import load as load_scenario
from simulation.models import OFFLINE, make_model, rates_of
from simulation.wording import phrase

STATISTICS = Path(__file__).with_name("model_statistics.yaml")


@dataclass(frozen=True, slots=True)
class Speed:
    """A server's: seconds before an answer begins, tokens read and written a second by one call; questions at once."""

    first: float = 0.3
    reading: float = 4000.0
    writing: float = 60.0
    at_once: int = 16


@dataclass(frozen=True, slots=True)
class Share:
    """What one operation takes over the whole run. `usd` None: nobody knows."""

    operation: str
    model: str
    calls: float
    tokens_in: float
    tokens_out: float
    usd: float | None


@dataclass(frozen=True, slots=True)
class Estimate:
    """`usd` None: the price of a model is unknown; `hours` None: nothing is asked of a server."""

    scenario: str
    measured: str
    residents: int
    days: float
    shares: tuple[Share, ...]
    usd: float | None
    hours: float | None
    probed: bool
    unknown: tuple[str, ...]

    @property
    def calls(self) -> float:
        """Questions to models other than the offline one."""
        return sum(share.calls for share in self.shares if share.model != OFFLINE)

    @property
    def tokens(self) -> float:
        """Tokens in and out of models other than the offline one."""
        return sum(share.tokens_in + share.tokens_out for share in self.shares if share.model != OFFLINE)

    def as_json(self) -> str:
        """{scenario, measured, residents, days, calls, tokens, usd, hours, probed, unknown_prices, operations, evidence}."""
        rows = {share.operation: {k: v for k, v in asdict(share).items() if k != "operation"} for share in self.shares}
        return dumps(
            {
                "scenario": self.scenario, "measured": self.measured, "residents": self.residents, "days": self.days,
                "calls": round(self.calls), "tokens": round(self.tokens), "usd": self.usd, "hours": self.hours,
                "probed": self.probed, "unknown_prices": list(self.unknown), "evidence": "offline",
                "operations": {
                    name: {k: round(v, 6) if isinstance(v, float) else v for k, v in row.items()} for name, row in rows.items()
                },
            }
        )  # fmt: skip

    def lines(self) -> Iterator[str]:
        """The estimate as a person reads it."""
        yield phrase("estimate", "head", scenario=self.scenario, residents=self.residents, days=f"{self.days:g}")
        for share in sorted(self.shares, key=lambda s: -(s.tokens_in + s.tokens_out)):
            usd = "" if share.model == OFFLINE else phrase("estimate", "unknown") if share.usd is None else f"${share.usd:.3f}"
            yield phrase(
                "estimate", "row", operation=share.operation, model=share.model, calls=f"{share.calls:,.0f}",
                tokens=f"{share.tokens_in + share.tokens_out:,.0f}", usd=usd,
            )  # fmt: skip
        if self.hours is None:
            yield phrase("estimate", "offline")
            return
        usd = phrase("estimate", "unknown") if self.usd is None else f"${self.usd:.2f}"
        yield phrase("estimate", "total", calls=f"{self.calls:,.0f}", tokens=f"{self.tokens:,.0f}", usd=usd)
        yield phrase("estimate", "probed" if self.probed else "assumed", hours=f"{self.hours:.1f}")
        for model in self.unknown:
            yield phrase("estimate", "unknown_price", model=model)
        if self.measured != self.scenario:
            yield phrase("estimate", "measured", measured=self.measured)
        yield phrase("estimate", "evidence")


def estimate(
    scenario: str,
    *,
    days: float | None = None,
    model: str = OFFLINE,
    model_for: Mapping[str, str] | None = None,
    probe: bool = False,
    speed: Speed | None = None,
) -> Estimate:
    """What a run would take. Raises DataFileError and UsageError; with `probe` also EndpointUnreachable."""
    spec = load_scenario(scenario)
    people = load_people(spec.people, spec.residents or None)
    residents = len(people)
    length = spec.days if days is None else days
    if not 0 < length < float("inf"):
        raise UsageError(f"{length:g} days can't be lived", hint="a number above 0, such as 0.5")
    known = statistics()
    measured = spec.name if spec.name in known else min(known, key=lambda name: (abs(known[name]["residents"] - residents), name))
    found = known[measured]
    assigned = {operation.name: (model_for or {}).get(operation.name, model) for operation in OPERATIONS}
    shares = tuple(_share(name, assigned[name], row, residents * length) for name, row in found["operations"].items())
    asked = [share for share in shares if share.model != OFFLINE]
    unknown = tuple(sorted({share.model for share in asked if share.usd is None}))
    usd = None if unknown else round(sum(share.usd or 0.0 for share in asked), 4)
    served = next((share.model for share in asked), None)
    if probe and served is not None:
        speed = asyncio.run(probe_speed(served, person_of(people[0], spec.name)))
    hours = _hours(found, asked, shares, length, residents, speed or Speed()) if asked else None
    return Estimate(spec.name, measured, residents, length, shares, usd, hours, probe and served is not None, unknown)


@cache
def statistics() -> dict[str, Any]:
    """Scenario -> what a day of it asks (see `benchmarks/model_costs.py`)."""
    found: dict[str, Any] = yaml.safe_load(STATISTICS.read_text(encoding="utf-8"))["scenarios"]
    return found


def _share(name: str, model: str, row: Mapping[str, float], resident_days: float) -> Share:
    calls = row["calls"] * resident_days
    tokens_in, tokens_out = calls * row["tokens_in"], calls * row["tokens_out"]
    rates = rates_of(model)
    usd = cost(rates, round(tokens_in), round(tokens_out)) if rates is not None else None
    return Share(name, model, calls, tokens_in, tokens_out, usd)


def _hours(
    found: Mapping[str, Any], asked: list[Share], shares: tuple[Share, ...], days: float, residents: int, speed: Speed
) -> float:
    """The longer of two: calls that wait for each other, and all calls through as many at once as the server takes."""
    tokens = sum(share.tokens_in + share.tokens_out for share in shares) or 1.0
    part = sum(share.tokens_in + share.tokens_out for share in asked) / tokens  # of the chains, as of everything
    rounds = found["rounds"]
    waiting = _seconds(rounds["calls"], rounds["tokens_in"], rounds["tokens_out"], speed) * part * days
    work = sum(_seconds(share.calls, share.tokens_in, share.tokens_out, speed) for share in asked)
    return round(max(waiting, work / min(speed.at_once, residents)) / 3600, 2)


def _seconds(calls: float, tokens_in: float, tokens_out: float, speed: Speed) -> float:
    return calls * speed.first + tokens_in / speed.reading + tokens_out / speed.writing


async def probe_speed(spec: str, person: Person) -> Speed:
    """A server's speed from two questions of little moment, a short and a longer one. Raises EndpointUnreachable, ModelError."""
    texts = tuple(statement.text for statement in person.statements[:2])
    questions: tuple[Operation[Any], ...] = (
        RateImportance(person=person, texts=texts),
        SummariseSelf(person=person, core=(), occupation=(), progress=()),
    )
    provider = make_model(spec)
    times = []
    try:
        for n, operation in enumerate((questions[0], *questions)):  # the first also finds out how the server is spoken to
            began = time.monotonic()
            reply = await provider.ask(Request(CallKey(person.name, 0, operation.name, n), operation, 0))
            times.append((time.monotonic() - began, max(1, reply.tokens_out)))
    finally:
        await provider.close()
    (short, few), (long, many) = times[1:]
    writing = (many - few) / (long - short) if many > few and long > short else many / max(1e-3, long)
    return Speed(first=max(0.0, short - few / writing), writing=max(0.1, writing))

"""Which language model answers what: `--model` and `--model-for` as providers.

    Means(limits, context, record), read_means(...)                     how models may be asked
    make_model("offline" | "openai:NAME[@SERVER]" | "local" | "replay:FILE")     one provider
    make_models(specs, run, means) -> Made                              all providers of a run, with one budget
    parse_assignments(["say,reflect=openai:NAME"])                      operation -> specification
    rates_of(spec)                                                      what its tokens cost, None: nobody knows
    make_embedder("wordllama-256" | "hash-256" | "openai:NAME[@SERVER]/DIMENSIONS")

Providers are imported where they are used, so that nothing heavy is loaded for a run that doesn't need it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from kernel import RunFileError, UsageError, dumps, nearest
from language.budget import Budget, Limits, Spend, parse_budget
from language.model import Call, CallKey, Embedder, LanguageModel, Ledger

if TYPE_CHECKING:
    from language.servers import Rates
    from simulation.storing.runfile import RunFile

OFFLINE = "offline"
MOST_DIMENSIONS = 1024
"""Up to so many, sums of products of levels are exact (design rule 1)."""
KINDS = ("offline", "openai:NAME", "local", "replay:FILE")
SPENT = "spent"
"""Key of `meta` for what a run has spent on models, over all its sittings."""
GROUPS = {"reflect": ("questions", "insights"), "plan": ("plan_day", "plan_hours", "decompose")}
"""Words that stand for several operations."""


@dataclass(frozen=True)
class Means:
    """How models may be asked in one sitting; no part of what a run is.

    `limits` of the run's spending in all sittings together; `context` tokens of a question and its answer together, None:
    the server's; `record` a file of JSON lines to which every call is appended. `engine`: sync or ooo (`town.ahead`), None: ooo
    where a model is waited for.
    """

    limits: Limits = field(default_factory=Limits)
    context: int | None = None
    record: Path | None = None
    engine: Literal["sync", "ooo"] | None = None


@dataclass
class Made:
    """The providers of a run by specification, their common budget, and the ledger that keeps their calls."""

    models: dict[str, LanguageModel]
    budget: Budget
    ledger: Ledger
    close: Any


class _Metered:
    """A `Ledger` around another that writes down what has been spent whenever something has."""

    def __init__(self, ledger: Ledger, budget: Budget, run: RunFile) -> None:
        self._ledger, self._budget, self._run = ledger, budget, run

    def called(self, call: Call) -> None:
        """Passes the call on."""
        self._ledger.called(call)
        if call.sent:
            self.note()

    def note(self) -> None:
        """Writes the spending down."""
        self._run.set_meta({SPENT: dumps(self._budget.spent.as_json())})

    def stored(self, key: CallKey, request_hash: str) -> str | None:
        """As the ledger inside."""
        return self._ledger.stored(key, request_hash)


def make_models(
    specs: Iterable[str], run: RunFile, journal: Ledger, means: Means, given: Mapping[str, LanguageModel] | None = None
) -> Made:
    """All providers a run needs; those in `given` aren't made. Raises UsageError, DataFileError."""
    from language.recorded import Recorder

    budget = Budget(means.limits, Spend.from_json(json.loads(run.get(SPENT, "{}"))))
    models: dict[str, LanguageModel] = dict(given or {})
    for spec in specs:
        if spec not in models:
            models[spec] = make_model(spec, budget=budget, context=means.context)
    metered = _Metered(journal, budget, run)
    recorder = Recorder(metered, means.record) if means.record is not None else None

    def close() -> None:
        if budget.spent.calls:
            metered.note()
        if recorder is not None:
            recorder.close()

    return Made(models, budget, recorder or metered, close)


def read_means(budget: str | None, context: int | None, record: Path | None, engine: str | None = None) -> Means:
    """The command line's wishes. Raises UsageError."""
    from language.fitting import SMALLEST

    if context is not None and context < SMALLEST:
        raise UsageError(f"a context of {context} tokens is too small to think in", hint=f"at least {SMALLEST}; 4096 is ample")
    if record is not None and not record.absolute().parent.is_dir():
        raise UsageError("there is no such folder to record into", place=str(record), hint="make it first")
    if engine not in (None, "sync", "ooo"):
        close = nearest(engine or "", ("sync", "ooo"))
        hint = f"did you mean {close}?" if close else "sync (lock-step) or ooo (residents run ahead)"
        raise UsageError(f"there is no engine '{engine}'", hint=hint)
    return Means(parse_budget(budget), context, record, engine)  # type: ignore[arg-type]  # one of the two, as just seen


def make_model(spec: str, *, budget: Budget | None = None, context: int | None = None) -> LanguageModel:
    """The provider a specification names. Raises UsageError for an unknown one, or one whose cost can't be limited."""
    kind, _, rest = spec.partition(":")
    if spec == OFFLINE:
        from language.offline import OfflineModel

        return OfflineModel()
    if kind == "openai" and rest:
        from language import OpenAICompatible
        from language.servers import find_server

        name, server = _split(rest)
        model = OpenAICompatible(name, server=find_server(server), budget=budget, context=context, spec=spec)
        if budget is not None and budget.limits.usd is not None and model.rates is None:
            raise UsageError(
                f"nobody knows what '{name}' costs there, so its cost can't be limited",
                place=model.endpoint,
                hint="limit tokens or calls, or give its price in the file of servers (docs/models.md)",
            )
        return model
    if kind == "replay" and rest:
        return _replay(rest)
    if spec == "local":
        from language.local import LocalModel

        return LocalModel(budget=budget, context=context)
    close = nearest(kind, [known.partition(":")[0] for known in KINDS])
    raise UsageError(f"there is no model '{spec}'", hint=f"did you mean {close}?" if close else f"one of {', '.join(KINDS)}")


def rates_of(spec: str) -> Rates | None:
    """What a million tokens of a model cost: nothing for what runs here, None where nobody knows."""
    from language.prices import find_rates
    from language.servers import Rates, find_server

    kind, _, rest = spec.partition(":")
    if kind != "openai":
        return Rates(input=0.0, output=0.0)
    name, server = _split(rest)
    found = find_server(server)
    return found.price or find_rates(name, found.base_url)


def _split(rest: str) -> tuple[str, str]:
    """NAME[@SERVER] -> name and server; an @ that names no known server belongs to the model's name."""
    from language.servers import server_names

    name, at, server = rest.rpartition("@")
    return (name, server) if at and name and (server in server_names() or "/" not in server) else (rest, "")


def parse_assignments(texts: Iterable[str], operations: Iterable[str]) -> dict[str, str]:
    """`say,reflect=openai:NAME` -> {"say": "openai:NAME", ...}. Raises UsageError for unknown operations."""
    known = set(operations)
    out: dict[str, str] = {}
    for text in texts:
        names, equals, spec = text.partition("=")
        if not equals or not spec:
            raise UsageError(f"'{text}' assigns no model", hint="write OPERATION[,OPERATION]=MODEL")
        for name in names.split(","):
            wanted = GROUPS.get(name.strip(), (name.strip(),))
            for operation in wanted:
                if operation not in known:
                    close = nearest(operation, [*sorted(known), *GROUPS])
                    raise UsageError(
                        f"there is no operation '{operation}'",
                        hint=f"did you mean {close}?" if close else f"one of {', '.join(sorted(known))}",
                    )
                out[operation] = spec
    return out


def make_embedder(name: str) -> Embedder:
    """The embedder a run names. Raises RunFileError for one this program doesn't have, UsageError for one there can't be."""
    from language.embedding import HashEmbedder, WordllamaEmbedder

    kind, _, dimensions = name.partition("-")
    if name == "wordllama-256":
        return WordllamaEmbedder()
    if kind == "hash" and dimensions.isdecimal() and not 1 <= int(dimensions) <= MOST_DIMENSIONS:
        raise UsageError(f"there is no embedder '{name}'", hint=f"hash-N with 1 to {MOST_DIMENSIONS} dimensions")
    if kind == "hash" and dimensions.isdecimal():
        return HashEmbedder(int(dimensions))
    if name.startswith("openai:"):
        from language.embedding_served import ServedEmbedder
        from language.servers import find_server

        rest, _, told = name.removeprefix("openai:").rpartition("/")
        model, server = _split(rest if told.isdigit() else name.removeprefix("openai:"))
        return ServedEmbedder(model, server=find_server(server), dimensions=int(told) if told.isdigit() else None, spec=name)
    raise RunFileError(f"this run was embedded with '{name}', which isn't installed", hint="resume it where it was made")


def _replay(file: str) -> LanguageModel:
    """A provider that answers from another run file, or from a recording of JSON lines."""
    from language import RecordedModel, Recording
    from simulation.storing.runfile import RunFile, is_run_file

    if not is_run_file(Path(file)):
        return RecordedModel(file, strict=True)
    with RunFile.open(file) as run:
        rows = run.rows("SELECT resident, step, operation, n, request_hash, reply, fallback FROM calls")
    replies = {(str(CallKey(*row[:4])), row[4]): Recording(row[5], row[6]) for row in rows}
    return RecordedModel(replies, name=f"replay:{file}", strict=True)


def embedder_name(spec: str) -> str:
    """The full name of the embedder a specification means: "openai:NAME" with the dimensions its server gives."""
    return make_embedder(spec).name if spec.startswith("openai:") else spec

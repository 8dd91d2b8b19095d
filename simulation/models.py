"""Which language model answers what: `--model` and `--model-for` as providers.

    make_model("offline" | "openai:NAME" | "local" | "replay:FILE")     one provider
    parse_assignments(["say,reflect=openai:NAME"])                      operation -> specification
    make_embedder("wordllama-256" | "hash-256")

Providers are imported where they are used, so that nothing heavy is loaded for a run that doesn't need it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from kernel import RunFileError, UsageError, nearest
from language.model import CallKey, Embedder, LanguageModel

OFFLINE = "offline"
KINDS = ("offline", "openai:NAME", "local", "replay:FILE")
GROUPS = {"reflect": ("questions", "insights"), "plan": ("plan_day", "plan_hours", "decompose")}
"""Words that stand for several operations."""


def make_model(spec: str) -> LanguageModel:
    """The provider a specification names. Raises UsageError for an unknown one."""
    kind, _, rest = spec.partition(":")
    if spec == OFFLINE:
        from language.offline import OfflineModel

        return OfflineModel()
    if kind == "openai" and rest:
        from language import OpenAICompatible

        return OpenAICompatible(rest)
    if kind == "replay" and rest:
        return _replay(rest)
    if spec == "local":
        raise UsageError("no local model is installed", hint="serve one and use openai:NAME with OPENAI_BASE_URL")
    close = nearest(kind, [known.partition(":")[0] for known in KINDS])
    raise UsageError(f"there is no model '{spec}'", hint=f"did you mean {close}?" if close else f"one of {', '.join(KINDS)}")


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
    """The embedder a run names. Raises RunFileError for one this program doesn't have."""
    from language.embedding import HashEmbedder, WordllamaEmbedder

    kind, _, dimensions = name.partition("-")
    if name == "wordllama-256":
        return WordllamaEmbedder()
    if kind == "hash" and dimensions.isdigit():
        return HashEmbedder(int(dimensions))
    raise RunFileError(f"this run was embedded with '{name}', which isn't installed", hint="resume it where it was made")


def _replay(file: str) -> LanguageModel:
    """A provider that answers from another run file, or from a recording of JSON lines."""
    from language import RecordedModel, Recording
    from simulation.storing.runfile import RunFile, is_run_file

    if not is_run_file(Path(file)):
        return RecordedModel(file)
    with RunFile.open(file) as run:
        rows = run.rows("SELECT resident, step, operation, n, request_hash, reply, fallback FROM calls")
    replies = {(str(CallKey(*row[:4])), row[4]): Recording(row[5], row[6]) for row in rows}
    return RecordedModel(replies, name=f"replay:{file}")

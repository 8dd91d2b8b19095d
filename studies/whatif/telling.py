"""A what-if told: a page with its tables, a picture, and the figures, in the folder of its lives.

page(finding)             Markdown lines
rows_of(finding)          the two tables as rows of text, for the terminal, too
picture(finding, path)    every repeat as a dot: change, irrelevant change, other dice
write(finding, folder)    whatif.md, whatif.json, whatif.png
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

from kernel import RunFileError
from simulation.interventions import Wish
from studies.palette import ACCENT, INK, MUTED, QUIET, SERIES, figure, heading, label_and_save, tidy
from studies.whatif.effects import DISTANCES, MAIN, SIGNIFICANT, Effect, Finding, least
from studies.wording import entries, say
from town.tree import leaf, parts

PAGE, FIGURES, PICTURE = "whatif.md", "whatif.json", "whatif.png"
SPREAD = 0.05
"""How far apart the dots of repeats are, so that equal ones are seen."""
SHOWN_DIGITS = 12
"""Characters of a digest in the table of lives."""


def write(finding: Finding, folder: Path) -> list[Path]:
    """Saves it beside the lives, over what an earlier, shorter look left; the files."""
    try:
        (folder / PAGE).write_text("\n".join(page(finding)) + "\n", encoding="utf-8")
        (folder / FIGURES).write_text(finding.as_json() + "\n", encoding="utf-8")
        picture(finding, folder / PICTURE)
    except OSError as error:
        raise RunFileError(f"can't be written: {error.strerror}", place=str(folder), hint="choose another --out") from None
    return [folder / PAGE, folder / FIGURES, folder / PICTURE]


def page(finding: Finding) -> Iterator[str]:
    """The whole page; opens with what its words are worth."""
    e = finding.experiment
    yield from (say("common", finding.evidence), "", say("whatif", "title", title=e.title, time=e.time), "")
    yield from (about(finding), "", verdict(finding), "", say("whatif", "picture", file=PICTURE), "")
    for kind in ("distance", "signed"):
        yield from (say("whatif", f"{kind}_head"), "", say("whatif", f"{kind}_text"), "")
        yield from markdown(entries("whatif", f"columns_{kind}"), rows_of(finding, kind))
        yield ""
    yield from (honest(finding), "", say("whatif", "irrelevant_head", state=say("whatif", "irrelevant")), "")
    for number, place in enumerate(e.irrelevant, 1):
        yield say("whatif", "irrelevant_line", repeat=number, place=place)
    yield from ("", say("whatif", "lives_head"), "", say("whatif", "lives_text"), "")
    lives = [
        [str(life.repeat), str(life.seed), say("whatif", f"life_{life.kind}"), life.path.name, life.digest[:SHOWN_DIGITS]]
        for life in e.lives
    ]
    yield from markdown(entries("whatif", "columns_lives"), lives)


def about(finding: Finding) -> str:
    """What was changed, how often, out of which run."""
    e = finding.experiment
    seeds = ", ".join(str(life.seed) for life in e.of("untouched"))
    changes = "\n".join(_change(wish) for wish in e.wishes)
    return say("whatif", "about", changes=changes, repeat=e.repeat, days=e.days, run=e.run, seeds=seeds)


def _change(wish: Wish) -> str:
    return say("whatif", f"change_{wish.kind}", place=wish.place, text=wish.text, who=wish.who)


def verdict(finding: Finding) -> str:
    """What the declared measure says, in a sentence."""
    main = finding.main
    return say(
        "whatif", f"verdict_{finding.verdict()}", main=name_of(main), p=main.p, change=_number(main, main.effect),
        placebo=_number(main, main.irrelevant), repeat=finding.experiment.repeat,
    )  # fmt: skip


def honest(finding: Finding) -> str:
    """What so few repeats can and cannot say."""
    n, looked = finding.experiment.repeat, len(finding.effects)
    return say(
        "whatif", "words", repeat=n, least=least(n, two_sided=False), least_two=least(n, two_sided=True), looked=looked,
        expected=SIGNIFICANT * looked, main=name_of(finding.main),
    )  # fmt: skip


def rows_of(finding: Finding, kind: str) -> list[list[str]]:
    """The effects of a kind as rows of text."""
    n = finding.experiment.repeat
    rows = []
    for effect in finding.effects:
        if effect.kind != kind:
            continue
        if kind == "distance":
            values = [_number(effect, value) for value in (effect.effect, effect.irrelevant)]
            values.append("" if effect.chance is None else _number(effect, effect.chance))
        else:
            alone = sum(effect.untouched) / n
            values = [f"{alone:.1f}", f"{effect.effect:+.1f}", f"{effect.irrelevant:+.1f}"]
        beyond = say("whatif", "beyond", beyond=effect.beyond, of=n)
        rows.append([finding.evidence, name_of(effect), *values, beyond, f"{effect.p:.3g}"])
    return rows


def name_of(effect: Effect) -> str:
    """A measure's name for people."""
    place = effect.of if len(parts(effect.of)) < 2 else leaf(effect.of)
    return say("whatif", f"measures.{effect.measure}", fact=effect.of, place=place)


def _number(effect: Effect, value: float) -> str:
    return f"{value:.1%}" if effect.measure == MAIN else f"{value:.1f}"


def markdown(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """A table."""
    yield f"| {' | '.join(columns)} |"
    yield f"|{' --- |' * len(columns)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def picture(finding: Finding, path: Path) -> Path:
    """A panel per distance: the change and the irrelevant change by repeat (joined, since they share their dice), and chance."""
    from matplotlib.ticker import MaxNLocator

    e = finding.experiment
    shown = [effect for effect in finding.effects if effect.kind == "distance"]
    made = figure(11.0, 3.6)
    made.set_layout_engine("constrained", rect=(0.0, 0.04, 1.0, 0.96))  # room for the label in the corner
    made.suptitle(say("whatif", "plot_title", title=e.title, time=e.time), fontsize=12, color=INK, fontweight="bold")
    alone = [life.outcome for life in e.of("untouched")]
    for number, effect in enumerate(shown, 1):
        axes = made.add_subplot(1, len(shown), number)
        tidy(axes, grid="y")
        between = DISTANCES[effect.measure]
        chance = [between(*two) for two in combinations(alone, 2)]
        scale = 100 if effect.measure == MAIN else 1
        columns = ((effect.changed, ACCENT), (effect.placebo, SERIES[0]), (chance, MUTED))
        for place, two in enumerate(zip(effect.changed, effect.placebo, strict=True)):
            aside = SPREAD * (place - (e.repeat - 1) / 2)
            axes.plot([aside, 1 + aside], [value * scale for value in two], color=QUIET, linewidth=0.6, zorder=1)
        for x, (values, colour) in enumerate(columns):
            across = [x + SPREAD * (place - (len(values) - 1) / 2) for place in range(len(values))]
            spots = [value * scale for value in values]
            axes.scatter(across, spots, s=30, color=colour, alpha=0.85, linewidths=0, zorder=2)
            if values:
                mean = sum(values) / len(values) * scale
                axes.plot([x - 0.22, x + 0.22], [mean, mean], color=colour, linewidth=2.2, zorder=3)
        axes.set_xticks(range(3), entries("whatif", "plot_columns"))
        axes.set_xlim(-0.6, 2.6)
        top = max([*effect.changed, *effect.placebo, *chance, 0.0 if scale == 100 else 1.0]) * scale
        axes.set_ylim(-0.04 * (top or 1), 1.08 * (top or 1))
        if scale == 100:
            axes.yaxis.set_major_formatter("{x:.1f}%")
        else:
            axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        heading(axes, say("whatif", f"plot_measures.{effect.measure}"))
    return label_and_save(made, finding.evidence, path)

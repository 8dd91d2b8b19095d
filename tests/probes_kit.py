"""Probes of the living town: scenarios written as a stranger would (`probes/`), lived, and judged from the run file alone.

    Lives      runs of the probes' scenarios, each lived once, also with something in them edited
    Found      whether a probe held in one life, and a quote of what was seen
    PROBES     name -> function (lives, seed) -> Found, in the order of the issue's paragraph "It isn't a toy"

Words looked for in what people say are words of the probes' own inputs ("helmet"), never of the program's wording.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from kernel import RecordId
from language import HashEmbedder
from memory import relationship
from memory.view import MindView
from simulation import RunFile, explain, in_words, names, read_blueprint, read_facts, read_stream, run_clock, start

INPUTS = Path(__file__).parent / "probes"
SEEDS = (0, 1, 2, 3, 4)
Row = dict[str, Any]
Edit = Callable[[Row, Path], None]


@dataclass(frozen=True)
class Found:
    """`held` in this life; `seen` one quote, or what is missing; no `occasion`: what it asks about never came to pass."""

    held: bool
    seen: str
    occasion: bool = True


class Life:
    """One run, read only."""

    def __init__(self, path: Path) -> None:
        self.run = RunFile.open(path, readonly=True)
        self.clock = run_clock(self.run)
        self.day = self.clock.steps(days=1)

    def rows(self, table: str, where: str = "1", *values: object) -> list[Row]:
        """Rows of a table as dictionaries, in order of time; JSON columns as they are."""
        columns = [row[1] for row in self.run.rows(f"PRAGMA table_info({table})")]
        order = "step, resident, n" if "resident" in columns and "n" in columns else "1"
        found = self.run.rows(f"SELECT {', '.join(columns)} FROM {table} WHERE {where} ORDER BY {order}", values)
        return [dict(zip(columns, row, strict=True)) for row in found]

    def record(self, name: str) -> Row | None:
        """A memory by id."""
        who, step, n = RecordId.parse(name)
        found = self.rows("memories", "resident = ? AND step = ? AND n = ?", who, step, n)
        return found[0] if found else None

    def grounds(self, ids: Iterable[str]) -> list[Row]:
        """The memories of these ids and all that they rest on in turn."""
        found: dict[str, Row] = {}
        waiting = list(ids)
        while waiting:
            name = waiting.pop()
            row = None if name in found else self.record(name)
            if row is not None:
                found[name] = row
                waiting.extend(json.loads(row["evidence"]))
        return list(found.values())

    def gathering(self, fact: str) -> Row:
        """The gathering that a fact announces."""
        return dict(json.loads(self.rows("facts", "id = ?", fact)[0]["gathering"]))

    def closeness(self, me: str, other: str, step: int) -> float:
        """How close `other` is to `me` as of a step, derived from the memories on file."""
        stream = read_stream(self.run, me, HashEmbedder(), read_facts(self.run), step)
        return relationship(MindView(stream, step), other).closeness

    def when(self, step: int) -> str:
        """Day and hour of a step."""
        return f"day {step // self.day + 1}, {self.clock.at(step):%H:%M}"

    def says(self, row: Row) -> str:
        """An utterance, quoted."""
        return f'{self.when(row["step"])}, {row["resident"]} to {", ".join(json.loads(row["addressed"]))}: "{row["text"]}"'


class Lives:
    """Runs in a folder, lived when first asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._lives: dict[tuple[str, int, str], Life] = {}

    def life(self, scenario: str, seed: int, label: str = "", edit: Edit | None = None) -> Life:
        """The life of a scenario with a seed; `edit` changes the scenario's data or the people's files first."""
        key = (scenario, seed, label)
        if key not in self._lives:
            path = self.folder / f"{scenario}{label}-{seed}.town"
            if not path.exists():
                unfinished = path.with_suffix(".part")
                unfinished.unlink(missing_ok=True)
                start(read_blueprint(str(self._inputs(scenario, label, edit)), seed=seed), unfinished)
                unfinished.rename(path)
            self._lives[key] = Life(path)
        return self._lives[key]

    def _inputs(self, scenario: str, label: str, edit: Edit | None) -> Path:
        source = INPUTS / f"{scenario}.yaml"
        if edit is None:
            return source
        place = self.folder / f"inputs-{scenario}{label}"
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(INPUTS / "cove", place / "cove")
        data = yaml.safe_load(source.read_text(encoding="utf-8"))
        edit(data, place / "cove")
        (place / source.name).write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
        return place / source.name


def project_asked_after(lives: Lives, seed: int) -> Found:
    """Told of before noon, asked after in a later talk by who was told, citing what they were told."""
    life = lives.life("news", seed)
    told = life.rows("memories", "fact = 'kiln' AND heard_from = 'Sunniva Aske'")
    told = [row for row in told if row["step"] % life.day < life.day // 2]
    for row in told:
        cited = str(RecordId(row["resident"], row["step"], row["n"]))
        for said in life.rows("utterances", "resident = ? AND act = 'ask' AND step > ?", row["resident"], row["step"] + 60):
            if "Sunniva Aske" in json.loads(said["addressed"]) and cited in json.loads(said["rests_on"]):
                return Found(True, f"told {life.when(row['step'])}; {life.says(said)}")
    return Found(False, f"told {', '.join(row['resident'] for row in told) or 'nobody'} before noon; nobody asked after it")


NEWS = {"kiln": "kiln", "helmet": "helmet", "twins": "twins", "tasting": "honey tasting"}


def news_travels(lives: Lives, seed: int) -> Found:
    """Of four pieces of news, some reach people from those who were told; none is changed, or known without being said."""
    life = lives.life("news", seed)
    seen = []
    for fact, word in NEWS.items():
        text = life.rows("facts", "id = ?", fact)[0]["text"]
        holders = {row["resident"] for row in life.rows("memories", "fact = ? AND step < 0", fact)}
        for row in life.rows("memories", "fact = ? AND heard_from IS NOT NULL AND tag IN ('learned', 'overheard')", fact):
            said = life.run.rows("SELECT text FROM utterances WHERE resident || '/' || step || '/' || n = ?", (row["source"],))
            words = said[0][0] if said else ""
            if not row["text"].endswith(text):
                return Found(False, f"remembered otherwise by {row['resident']}: {row['text']}")
            if word not in words:
                return Found(False, f'{row["resident"]} is taken to know of the {word} from "{words}"')
            if row["heard_from"] not in holders:
                seen.append(f'{row["resident"]} from {row["heard_from"]}, {life.when(row["step"])}: "{words}"')
    return Found(bool(seen), f"{len(seen)} second-hand; {seen[0]}" if seen else "everybody has everything from its holder")


def shrugs_and_guests(lives: Lives, seed: int) -> Found:
    """Of a gathering that was only typed in, some say no or keep it to themselves, and some go."""
    life = lives.life("news", seed)
    host = life.gathering("tasting")["host"]
    knowers = {row["resident"] for row in life.rows("memories", "fact = 'tasting' AND heard_from IS NOT NULL")}
    tellers = {row["resident"] for row in life.rows("utterances") if "tasting" in json.loads(row["passes_on"])}
    declined = {
        row["resident"] for row in life.rows("utterances", "act = 'decline'")
        if row["gathering"] and json.loads(row["gathering"])["name"] == "honey tasting"
    }  # fmt: skip
    shrugged = (knowers - tellers) | declined
    came = {row["resident"] for row in life.rows("memories", "fact = 'tasting' AND tag = 'attended'")} - {host}
    seen = f"shrugged: {', '.join(sorted(shrugged)) or 'nobody'}; came: {', '.join(sorted(came)) or 'nobody'}"
    return Found(bool(shrugged) and bool(came), seen)


def _at(life: Life, who: str, place: str, since: int, until: int) -> list[Row]:
    sector = " : ".join(place.split(" : ")[:2])
    acts = life.rows("acts", "resident = ? AND step < ? AND until > ?", who, until, since)
    ends = {row["act"]: row["step"] for row in life.rows("act_ends", "resident = ?", who)}
    live = [a for a in acts if ends.get(str(RecordId(who, a["step"], a["n"])), until) > since]
    return [act for act in live if act["target"].startswith(sector)]


def retraction(lives: Lives, seed: int) -> Found:
    """The told don't go to what is off; somebody untold who had promised comes and finds out."""
    life = lives.life("retraction", seed)
    off = life.gathering("slides")
    learned = {row["resident"]: row["step"] for row in reversed(life.rows("memories", "fact = 'bulb' AND source IS NOT NULL"))}
    promised = {row["resident"] for row in life.rows("memories", "fact = 'slides' AND tag = 'promise' AND resident = about")}
    for who, step in learned.items():
        wrong = [
            a for a in _at(life, who, off["place"], off["start"], off["end"]) if "slide show" in a["text"] and a["step"] > step
        ]
        if wrong and step < off["start"]:
            return Found(
                False, f"{who} was told {life.when(step)} and still was '{wrong[0]['text']}' at {life.when(wrong[0]['step'])}"
            )
    told = sorted(who for who in promised if learned.get(who, off["end"]) < off["start"] - 90)
    untold = [who for who in sorted(promised) if learned.get(who, off["end"]) >= off["start"]]
    for who in untold:
        if not _at(life, who, off["place"], off["start"], off["end"]):
            continue
        absent = life.rows("memories", "resident = ? AND tag = 'absence' AND fact = 'slides' AND about != resident", who)
        there = learned.get(who)
        if absent:
            return Found(True, f"told and away: {', '.join(told) or 'nobody'}; {who}: {absent[0]['text']}")
        if there is not None and there < off["end"]:
            return Found(True, f"told and away: {', '.join(told) or 'nobody'}; {who} came and was told there, {life.when(there)}")
    missing = "nobody untold had promised" if not untold else f"{', '.join(untold)} had promised, weren't told and didn't come"
    return Found(False, f"told and away: {', '.join(told) or 'nobody'}; {missing}", occasion=bool(untold))


def _hidden(data: Row, people: Path) -> None:
    data["settings"] = {"reflect": False}


def reflection_changes_tomorrow(lives: Lives, seed: int) -> Found:
    """Part of the second day's plan rests on a reflection of the first, and isn't planned when nobody reflects."""
    life, without = lives.life("reflection", seed), lives.life("reflection", seed, "-hidden", _hidden)

    def tomorrow(one: Life) -> list[Row]:
        return one.rows("plans", "level = 'day' AND step >= ? AND step = written AND reason NOT LIKE '%again%'", one.day)

    hidden = {(row["resident"], row["text"]) for row in tomorrow(without)}
    for row in tomorrow(without):
        if any(r["kind"] == "reflection" for r in without.grounds(json.loads(row["rests_on"]))):
            return Found(False, f"planned from a reflection although nobody reflects: {row['text']}")
    for row in tomorrow(life):
        grounds = [r for r in life.grounds(json.loads(row["rests_on"])) if r["kind"] == "reflection" and r["step"] < life.day]
        if grounds and (row["resident"], row["text"]) not in hidden:
            return Found(True, f'{row["resident"]}: "{grounds[0]["text"]}" -> "{row["text"]}", not planned without it')
    return Found(False, "no plan of the second day rests on a reflection of the first")


def _replaced(file: str, old: str, new: str) -> Edit:
    def edit(data: Row, people: Path) -> None:
        path = people / file
        text = path.read_text(encoding="utf-8")
        assert old in text, f"{file} doesn't say: {old}"
        path.write_text(text.replace(old, new), encoding="utf-8")

    return edit


EDITS = {
    "rhythm": (
        "nora-quill.yaml", "At three she cleans her smoker at home.",
        "At three she paints a hive purple on the green.", "hive",
    ),
    "aims": (
        "walt-pember.yaml", "Walt Pember wants to see the canal full of boats again.",
        "Walt Pember wants to teach a parrot to speak.", "parrot",
    ),
}  # fmt: skip


def edited_sentence(part: str) -> Callable[[Lives, int], Found]:
    """One sentence of a persona says something else: an act is another, and why quotes the sentence."""
    file, old, new, word = EDITS[part]

    def probe(lives: Lives, seed: int) -> Found:
        plain, life = lives.life("persona", seed), lives.life("persona", seed, f"-{part}", _replaced(file, old, new))
        who = next(name for name in names(life.run) if name.lower().replace(" ", "-") + ".yaml" == file)
        before = {row["text"] for row in plain.rows("acts", "resident = ?", who)}
        quoted = new.split(" ", 2)[-1].rstrip(".") if part == "rhythm" else new.rstrip(".")
        quoted = quoted.removeprefix("she ").removeprefix("he ")
        found = [row for row in life.rows("acts", "resident = ? AND text LIKE ?", who, f"%{word}%") if row["text"] not in before]
        for row in found:
            why = list(in_words(explain(life.run, f"act:{RecordId(who, row['step'], row['n'])}")))
            line = next((line.strip() for line in why if quoted in line), None)
            if line:
                return Found(True, f'{who} is "{row["text"]}" at {life.when(row["step"])}; why: {line}')
        return Found(False, f"{len(found)} new acts name the {word}; none has the sentence among its reasons")

    return probe


def refusal_and_adaptation(lives: Lives, seed: int) -> Found:
    """A no that rests on something of the refuser's own; the host turns to others and doesn't count on them."""
    life = lives.life("refusal", seed)
    for said in life.rows("utterances", "act = 'decline' AND gathering IS NOT NULL"):
        about = json.loads(said["gathering"])
        own = [r for r in life.grounds(json.loads(said["rests_on"])) if r["tag"] in REASONS or r["kind"] == "reflection"]
        if not own or about["host"] not in json.loads(said["addressed"]):
            continue
        host, who = about["host"], said["resident"]
        missed = life.rows("memories", "resident = ? AND tag = 'absence' AND about = ?", host, who)
        if any(about["name"] in row["text"] for row in missed):
            return Found(False, f"{host} counted on {who} all the same: {missed[0]['text']}")
        after = life.rows("utterances", "resident = ? AND step > ? AND act IN ('invite', 'ask_help')", host, said["step"])
        others = [row for row in after if row["gathering"] and who not in json.loads(row["addressed"])]
        if others:
            return Found(True, f"{life.says(said)} <- {own[0]['text']}; then {life.says(others[0])}")
    return Found(False, "nobody said no for a reason of their own, or the host asked nobody else")


REASONS = ("identity", "acquaintance", "promise", "meeting", "learned", "memo", "talk", "intention", "insight", "")


def odd_states(lives: Lives, seed: int) -> Found:
    """Each of five odd states that anybody sees is acted on or wondered at, and is on their mind in its own words."""
    life = lives.life("objects", seed)
    states = life.rows("object_states", "by IS NULL AND step > 0")
    drew, missing = [], []
    for row in states:
        seen = life.rows("memories", "tag = 'state' AND about = ? AND text LIKE ?", row["address"], f"%{row['state']}%")
        thoughts = life.rows("memories", "tag = 'thought' AND about = ? AND text LIKE ?", row["address"], f"%{row['state']}%")
        acts = life.rows("acts", "percepts LIKE ?", f"%{row['address']}@%")
        if not seen:
            continue
        if thoughts and acts:
            drew.append(f"{row['state']} -> {acts[0]['resident']} is {acts[0]['text']}")
        else:
            missing.append(row["state"])
    seen = "; ".join(drew) if not missing else f"no reaction to: {', '.join(missing)}"
    return Found(len(drew) >= 4 and not missing, seen)


def fire_is_put_out(lives: Lives, seed: int) -> Found:
    """What is done about a burning bench is apt, and it burns no more afterwards."""
    life = lives.life("objects", seed)
    bench = life.rows("object_states", "state = 'on fire' AND by IS NULL")[0]
    acts = life.rows("acts", "percepts LIKE ? AND step >= ?", f"%{bench['address']}@%", bench["step"])
    odd = [row["text"] for row in acts if any(word in row["text"] for word in ("switch", "turning off"))]
    last = life.rows("object_states", "address = ?", bench["address"])[-1]["state"]
    seen = f"{', '.join(dict.fromkeys(row['text'] for row in acts)) or 'nothing is done'}; in the end it is {last}"
    return Found(bool(acts) and not odd and last != "on fire", seen)


def no_show(lives: Lives, seed: int) -> Found:
    """Somebody who stayed away is asked why by whoever was there, who is less close to them for it."""
    seen = "nobody was missed"
    for scenario in ("noshow", "retraction", "refusal"):
        life = lives.life(scenario, seed)
        for row in life.rows("memories", "tag = 'absence' AND about != resident AND tone < 0"):
            me, other, step = row["resident"], row["about"], row["step"]
            asked = life.rows("utterances", "resident = ? AND act = 'ask_why' AND step > ?", me, step)
            asked = [said for said in asked if other in json.loads(said["addressed"])]
            before, after = life.closeness(me, other, step), life.closeness(me, other, step + 1)
            if asked and after < before:
                return Found(True, f"{life.says(asked[0])}; closeness {before:.2f} -> {after:.2f}")
            seen = f"{row['text']} ({me}), closeness {before:.2f} -> {after:.2f}, {'asked' if asked else 'never asked why'}"
    return Found(False, seen, occasion=seen != "nobody was missed")


def third_talk(lives: Lives, seed: int) -> Found:
    """Of pairs that talk three times no third talk repeats a line of the first; a third of them comes back to an earlier."""
    life = lives.life("news", seed)
    talks: dict[tuple[str, ...], list[list[Row]]] = {}
    by_talk: dict[str, list[Row]] = {}
    for row in life.rows("utterances"):
        by_talk.setdefault(row["conversation"], []).append(row)
    for said in by_talk.values():
        pair = tuple(sorted({name for row in said for name in (row["resident"], *json.loads(row["addressed"]))}))
        if len(pair) == 2:
            talks.setdefault(pair, []).append(said)
    thirds = {pair: found for pair, found in talks.items() if len(found) >= 3}
    back: list[str] = []
    for (first, *_), third in ((found, found[2]) for found in thirds.values()):
        once = {row["text"] for row in first if row["act"] not in ("greet", "part") and len(row["text"].split()) > 4}
        same = once & {row["text"] for row in third}
        if same:
            return Found(False, f"said in the first talk and again in the third: {sorted(same)[0]}")
        since, until = first[0]["step"], third[0]["step"]
        for row in third:
            names_there = {row["resident"], *json.loads(row["addressed"])}
            grounds = (life.record(name) for name in json.loads(row["rests_on"]))
            earlier = [r for r in grounds if r and since <= r["step"] < until and r["kind"] == "conversation"]
            if any(set(json.loads(r["people"])) & names_there for r in earlier):
                back.append(life.says(row))
                break
    seen = f"{len(back)} of {len(thirds)} pairs come back to an earlier talk; {back[0] if back else ''}"
    return Found(bool(thirds) and 3 * len(back) >= len(thirds), seen)


def unseeded_meeting(lives: Lives, seed: int) -> Found:
    """Something nobody typed in is arranged by word of mouth, promised and attended by both, all of it on file."""
    life = lives.life("five_days", seed)
    arranged = [row for row in life.rows("facts", "gathering IS NOT NULL") if "/" in row["id"]]
    kept = []
    for fact in arranged:
        origin = life.record(fact["id"])
        promises = life.rows("memories", "fact = ? AND tag = 'promise' AND resident = about", fact["id"])
        heard = life.rows("memories", "fact = ? AND source IS NOT NULL", fact["id"])
        attended = life.rows("memories", "fact = ? AND tag = 'attended'", fact["id"])
        met = {row["resident"]: set(json.loads(row["people"])) - {row["resident"]} for row in attended}
        host = json.loads(fact["gathering"])["host"]
        guests = {row["resident"] for row in promises} - {host}
        both = [name for name in sorted(guests) if name in met.get(host, ()) or host in met.get(name, ())]
        if origin and heard and both:
            kept.append(f"{fact['text']} (said {life.when(origin['step'])}, promised by {both[0]}, who met {host} there)")
    return Found(bool(kept), f"{len(kept)} of {len(arranged)} arrangements kept; {kept[0] if kept else ''}")


SPOKEN = {
    "kiln": "kiln", "helmet": "helmet", "twins": "twins", "tasting": "honey tasting", "Sunniva Aske carried": "buckets",
    "Nora Quill wants to hear": "lime blossom", "Hanne Reyne dropped": "tray", "Lio Pember got": "physics",
}  # fmt: skip
"""A seeded memory of `news` (the name of the fact, or how the text begins) -> a word that nothing else in it says."""


def removed_memory(lives: Lives, seed: int) -> Found:
    """A seeded memory that was talked about, drawn at random, is removed: nothing said or remembered speaks of it."""
    life = lives.life("news", seed)
    said = {key: life.rows("utterances", "text LIKE ?", f"%{word}%") for key, word in SPOKEN.items()}
    drawn = sorted(key for key, rows in said.items() if rows)
    gone = min(drawn, key=lambda key: hashlib.sha256(f"{seed} {key}".encode()).hexdigest())

    def edit(data: Row, people: Path) -> None:
        data["facts"] = {key: fact for key, fact in data["facts"].items() if key != gone}
        data["memories"] = [memory for memory in data["memories"] if not memory["text"].startswith(gone)]

    without = lives.life("news", seed, f"-no-{gone.split()[-1]}", edit)
    for table in ("utterances", "memories", "acts", "plans"):
        left = without.rows(table, "text LIKE ?", f"%{SPOKEN[gone]}%")
        if left:
            return Found(False, f"'{SPOKEN[gone]}' is still in {table}: {left[0]['text']}")
    return Found(
        True, f"without '{gone}', {len(said[gone])} things said about it are gone, among them {life.says(said[gone][0])}"
    )


PROBES: dict[str, Callable[[Lives, int], Found]] = {
    "a project is asked after, cited": project_asked_after,
    "news travels second-hand, undistorted": news_travels,
    "some shrug, some go": shrugs_and_guests,
    "a retraction: told stay away, untold find out": retraction,
    "a reflection changes tomorrow": reflection_changes_tomorrow,
    "an edited sentence of the rhythm": edited_sentence("rhythm"),
    "an edited aim": edited_sentence("aims"),
    "a refusal of one's own, the host adapts": refusal_and_adaptation,
    "odd states of things": odd_states,
    "a fire is put out": fire_is_put_out,
    "a no-show is asked why": no_show,
    "a third talk": third_talk,
    "something unseeded is arranged and kept": unseeded_meeting,
    "a memory removed": removed_memory,
}

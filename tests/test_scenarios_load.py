"""Scenarios by name and path, and what comes with Townfolk."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

import maps
from kernel import DataFileError
from personas import load_people
from scenarios import check_scenario, check_scenario_places, find, load, names, rename


def test_names():
    assert names() == ("hamlet", "linden", "valentine")


@pytest.mark.parametrize("name", ["hamlet", "linden", "valentine"])
def test_ours_are_sound(name: str):
    assert check_scenario(name) == []
    scenario = load(name)
    assert scenario.name == name
    assert len(scenario.residents) == (5 if name == "hamlet" else 25)


@pytest.mark.parametrize("name", ["hamlet", "linden", "valentine"])
def test_ours_fit_their_maps(name: str):
    scenario = load(name)
    town = maps.load_map(scenario.map)
    addresses, owners = set(), set()
    for sector in town.sectors:
        addresses.add(sector.name)
        owners |= set(sector.owners)
        for arena in sector.arenas:
            addresses.add(f"{sector.name} : {arena.name}")
            owners |= set(arena.owners)
            addresses |= {f"{sector.name} : {arena.name} : {thing.name}" for thing in arena.objects}
            owners |= {owner for thing in arena.objects for owner in thing.owners}
    assert check_scenario_places(name, addresses, owners) == []
    assert {rename(owner, scenario.rename_places) for owner in owners} <= set(scenario.residents)


def test_valentine_is_the_papers():
    scenario = load("valentine")
    assert (scenario.start, scenario.days, scenario.step_seconds) == (datetime(2023, 2, 13), 2, 10)
    assert {key: fact.holders for key, fact in scenario.facts.items()} == {
        "party": ("Isabella Rodriguez",),
        "candidacy": ("Sam Moore",),
    }
    party = scenario.facts["party"].gathering
    assert party is not None
    assert (party.place, party.host) == ("Hobbs Cafe : cafe", "Isabella Rodriguez")
    assert (party.start, party.end) == (datetime(2023, 2, 14, 17), datetime(2023, 2, 14, 19))
    assert {memory.resident for memory in scenario.memories} == {"Isabella Rodriguez", "Sam Moore"}
    assert scenario.settings == {}


def test_linden_shares_nobody_and_no_news_with_valentine():
    one, other = load("linden"), load("valentine")
    assert not set(one.residents) & set(other.residents)
    assert not {fact.text for fact in one.facts.values()} & {fact.text for fact in other.facts.values()}
    homes = {rename(p.home, one.rename_places) for p in load_people("the_ville")}
    assert {p.home for p in load_people("linden")} == homes


def test_own_scenario_with_own_people(tmp_path: Path):
    (tmp_path / "folk").mkdir()
    text = (find("hamlet").parent.parent / "personas/hamlet/ada-brook.yaml").read_text(encoding="utf-8")
    (tmp_path / "folk" / "ada-brook.yaml").write_text(text[: text.index("knows:")], encoding="utf-8")
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\ntitle: Mine\nmap: hamlet\npeople: folk\nstart: 2023-06-02\n", encoding="utf-8")
    scenario = load(path)
    assert scenario.residents == ("Ada Brook",)
    assert Path(scenario.people) == (tmp_path / "folk").resolve()
    assert scenario.map == "hamlet"
    assert load_people(scenario.people)[0].name == "Ada Brook"


def test_own_scenario_with_our_people(tmp_path: Path):
    path = tmp_path / "mine.yaml"
    path.write_text("name: mine\ntitle: Mine\nmap: hamlet\npeople: hamlet\nstart: 2023-06-02\n", encoding="utf-8")
    assert load(path).people == "hamlet"
    assert load(str(path)).residents == ("Ada Brook", "Ben Carter", "Clara Doyle", "Dov Eller", "Edda Finch")


def test_unknown_scenario():
    with pytest.raises(DataFileError, match=r"there is no such scenario.*did you mean 'valentine'"):
        load("valentin")


def test_rename_all_at_once():
    swap = {"Lin": "Moore", "Moore": "Lin", "Mei and John Lin": "Ann and Paul Voss"}
    assert rename("Lin house, Moore house", swap) == "Moore house, Lin house"
    assert rename("Mei and John Lin's bedroom", swap) == "Ann and Paul Voss's bedroom"
    assert rename("as it is", {}) == "as it is"


def test_the_examples_in_the_docs_work(tmp_path: Path):
    docs = find("hamlet").parent.parent / "docs"
    people, scenario = ((docs / name).read_text(encoding="utf-8").split("```yaml\n") for name in ("people.md", "scenarios.md"))
    (tmp_path / "harbour").mkdir()
    (tmp_path / "harbour" / "nell-hart.yaml").write_text(people[1].split("```")[0], encoding="utf-8")
    (tmp_path / "harbour" / "otto-reed.yaml").write_text(people[2].split("```")[0], encoding="utf-8")
    path = tmp_path / "race.yaml"
    path.write_text(scenario[1].split("```")[0], encoding="utf-8")
    assert check_scenario(path) == []
    assert load(path).residents == ("Nell Hart", "Otto Reed")

"""The accents of the panels can be told apart by colour-blind eyes, and read on their ground."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from viewer.look import ACCENTS, AMBER, CREAM, DIM, SLATE

Colours = npt.NDArray[np.float64]

EYES: dict[str, Colours] = {
    "ordinary": np.eye(3),
    "deuteranope": np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]]),
    "protanope": np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
}
"""How eyes see linear RGB: Machado, Oliveira and Fernandes 2009, severity 1."""
APART = 19.0
"""Units of CIELAB (1976); 2.3 is what one just notices side by side."""
READABLE = 3.5
"""Contrast by WCAG 2; small words in CREAM and DIM have more (4.5)."""


def linear(colour: tuple[int, int, int]) -> Colours:
    part = np.array(colour) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def lab(light: Colours) -> Colours:
    to_xyz = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]])
    xyz = to_xyz @ np.clip(light, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    weights = np.array([0.2126, 0.7152, 0.0722])
    bright, dark = sorted((float(weights @ linear(one)), float(weights @ linear(other))), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("eyes", sorted(EYES))
def test_any_two_accents_are_told_apart(eyes: str) -> None:
    seen = {kind: lab(EYES[eyes] @ linear(colour)) for kind, colour in ACCENTS.items()}
    near = {(one, other): float(np.linalg.norm(seen[one] - seen[other])) for one, other in combinations(seen, 2)}
    closest = min(near, key=lambda pair: near[pair])
    assert near[closest] >= APART, closest


def test_too_alike_is_noticed() -> None:
    blue, violet = (126, 168, 190), (206, 140, 196)
    eyes = EYES["deuteranope"]
    assert np.linalg.norm(lab(eyes @ linear(blue)) - lab(eyes @ linear(violet))) < APART


def test_words_are_readable_on_the_panels() -> None:
    assert all(contrast(colour, SLATE) >= READABLE for colour in ACCENTS.values())
    assert all(contrast(colour, SLATE) >= 4.5 for colour in (CREAM, DIM, AMBER))

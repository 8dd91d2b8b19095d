"""TrueSkill for many independent passes at once: the update of the `trueskill` package, on arrays.

    update(mu, sigma, tied)     one free-for-all game in each of L passes

A bootstrap needs some 100,000 rated games, for which the package, one game of Python objects at a time, takes minutes.
This is the same factor graph with the same schedule of messages and the same stopping rule (Herbrich et al. 2007; package
defaults); a test compares the two game by game. One-resident "teams", equal weights.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtr, ndtri

Floats = NDArray[np.float64]

MU, SIGMA = 25.0, 25.0 / 3
BETA, TAU, DRAW = SIGMA / 2, SIGMA / 100, 0.10
"""The package's defaults, which reproduce the sigmas the paper prints with 100 five-way rankings."""
MARGIN = float(ndtri((DRAW + 1) / 2) * np.sqrt(2) * BETA)
ROUNDS, SMALL = 10, 0.0001
_LOG_ROOT = 0.5 * np.log(2 * np.pi)


@dataclass(slots=True)
class _Messages:
    """Precision and precision-adjusted mean of Gaussian messages, L x n each."""

    pi: Floats
    tau: Floats

    @classmethod
    def none(cls, lanes: int, n: int) -> _Messages:
        return cls(np.zeros((lanes, n)), np.zeros((lanes, n)))


def update(mu: Floats, sigma: Floats, tied: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """New ratings after one game per pass.

    `mu`, `sigma` are L x n with the players in order of their ranks, best first; `tied` is L x (n - 1): whether a player
    shares the rank of the next. n >= 2.
    """
    prior_pi = 1 / (sigma**2 + TAU**2)
    prior_tau = mu * prior_pi
    shrink = 1 / (1 + BETA**2 * prior_pi)
    graph = _Graph(_Messages(prior_pi * shrink, prior_tau * shrink), tied)
    graph.run()
    pi, tau = graph.heard()
    shrink = 1 / (1 + BETA**2 * pi)
    pi, tau = prior_pi + shrink * pi, prior_tau + shrink * tau
    return tau / pi, 1 / np.sqrt(pi)


class _Graph:
    """The part of the graph between performances and the differences of neighbours."""

    def __init__(self, performance: _Messages, tied: NDArray[np.bool_]) -> None:
        lanes, n = performance.pi.shape
        self.performance = performance
        self.tied = tied
        self.left = _Messages.none(lanes, n - 1)  # difference x -> performance x
        self.right = _Messages.none(lanes, n - 1)  # difference x -> performance x + 1
        self.cut = _Messages.none(lanes, n - 1)  # truncation x -> difference x
        self.down = _Messages.none(lanes, n - 1)  # difference factor x -> difference x

    def run(self) -> None:
        """Messages to and fro until no pass changes by more than SMALL; a pass that is done is left as it is."""
        last = self.tied.shape[1] - 1
        going = np.ones(len(self.tied), dtype=bool)
        for _ in range(ROUNDS):
            change = np.zeros(len(self.tied))
            if last == 0:
                np.maximum(change, self._cut(0, going), out=change)
            for x in range(last):
                np.maximum(change, self._cut(x, going), out=change)
                self._up_right(x, going)
            for x in range(last, 0, -1):
                np.maximum(change, self._cut(x, going), out=change)
                self._up_left(x, going)
            going &= change > SMALL
            if not going.any():
                break
        every = np.ones_like(going)
        self._up_left(0, every)
        self._up_right(last, every)

    def heard(self) -> tuple[Floats, Floats]:
        """What each performance hears from the differences on both sides."""
        pi, tau = np.zeros_like(self.performance.pi), np.zeros_like(self.performance.tau)
        pi[:, :-1] += self.left.pi
        tau[:, :-1] += self.left.tau
        pi[:, 1:] += self.right.pi
        tau[:, 1:] += self.right.tau
        return pi, tau

    def _better(self, x: int) -> tuple[Floats, Floats]:
        """Performance x without what difference x says of it."""
        pi, tau = self.performance.pi[:, x], self.performance.tau[:, x]
        return (pi + self.right.pi[:, x - 1], tau + self.right.tau[:, x - 1]) if x else (pi, tau)

    def _worse(self, x: int) -> tuple[Floats, Floats]:
        """Performance x + 1 without what difference x says of it."""
        pi, tau = self.performance.pi[:, x + 1], self.performance.tau[:, x + 1]
        after = x + 1 < self.tied.shape[1]
        return (pi + self.left.pi[:, x + 1], tau + self.left.tau[:, x + 1]) if after else (pi, tau)

    def _cut(self, x: int, going: NDArray[np.bool_]) -> Floats:
        """The difference of neighbours, then what the ranks say of it; gives by how much that changed."""
        (a_pi, a_tau), (b_pi, b_tau) = self._better(x), self._worse(x)
        pi = 1 / (1 / a_pi + 1 / b_pi)
        tau = pi * (a_tau / a_pi - b_tau / b_pi)
        root = np.sqrt(pi)
        v, w = _truncated(tau / root, MARGIN * root, self.tied[:, x])
        new_pi, new_tau = pi / (1 - w), (tau + root * v) / (1 - w)
        change = np.maximum(np.abs(tau + self.cut.tau[:, x] - new_tau), np.sqrt(np.abs(pi + self.cut.pi[:, x] - new_pi)))
        self.cut.pi[:, x] = np.where(going, new_pi - pi, self.cut.pi[:, x])
        self.cut.tau[:, x] = np.where(going, new_tau - tau, self.cut.tau[:, x])
        return np.where(going, change, 0.0)

    def _up_left(self, x: int, going: NDArray[np.bool_]) -> None:
        self._up(x, self._worse(x), 1.0, self.left, going)

    def _up_right(self, x: int, going: NDArray[np.bool_]) -> None:
        self._up(x, self._better(x), -1.0, self.right, going)

    def _up(self, x: int, other: tuple[Floats, Floats], sign: float, to: _Messages, going: NDArray[np.bool_]) -> None:
        pi, tau = other
        cut_pi, cut_tau = self.cut.pi[:, x], self.cut.tau[:, x]
        sent = 1 / (1 / cut_pi + 1 / pi)
        to.pi[:, x] = np.where(going, sent, to.pi[:, x])
        to.tau[:, x] = np.where(going, sent * (sign * cut_tau / cut_pi + tau / pi), to.tau[:, x])


def _truncated(t: Floats, e: Floats, tied: NDArray[np.bool_]) -> tuple[Floats, Floats]:
    """V and W of a difference t (in deviations) known to be beyond the margin e, or within it when tied."""
    x = t - e
    won_v = np.exp(-0.5 * x**2 - _LOG_ROOT - log_ndtr(x))
    won_w = won_v * (won_v + x)
    if not tied.any():
        return won_v, np.clip(won_w, 1e-12, 1 - 1e-12)
    far = np.abs(t)
    a, b = e - far, -e - far
    mass = np.maximum(ndtr(a) - ndtr(b), 1e-300)
    density_a, density_b = (np.exp(-0.5 * z**2 - _LOG_ROOT) for z in (a, b))
    near_v = (density_b - density_a) / mass
    near_w = near_v**2 + (a * density_a - b * density_b) / mass
    v = np.where(tied, np.where(t < 0, -near_v, near_v), won_v)
    return v, np.clip(np.where(tied, near_w, won_w), 1e-12, 1 - 1e-12)

"""The guide's network in floating point, its fit by gradient descent (Adam), and its rounding.

The layers are those of advisor/kernels/guide.py, which is the whole-number twin.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

N_SIZES = 13
_FIRST_SCALE = 512
_SCALE = 1024


def card_bits(positions: Array) -> Array:
    """Return the 48 card bits of each suit by seat, uint8, shape (n, 4, 48)."""
    bits = np.zeros((len(positions), 4, 4, 12), dtype=np.uint8)
    for suit in range(4):
        for bit in range(12):
            bits[:, suit, :, bit] = (positions >> np.uint64(12 * suit + bit)) & np.uint64(1)
    return bits.reshape(len(positions), 4, 48)


class Network:
    """Weights by name; `forward` and `backward` are plain matrix products."""

    def __init__(self, trump: int, side: int, second: int, third: int, seed: int) -> None:
        rng = np.random.default_rng(seed)

        def start(*shape: int, fan: int) -> Array:
            return (rng.standard_normal(shape) * np.sqrt(2 / fan)).astype(np.float32)

        def zeros(*shape: int) -> Array:
            return np.zeros(shape, dtype=np.float32)

        self.n_trump = trump
        self.weights = {
            "trump_rows": np.concatenate([start(48, trump, fan=12), start(48, side, fan=20)], 1),
            "side_rows": start(48, side, fan=20),
            "biases": zeros(N_SIZES, trump + side),
            "second": start(trump + side, second, fan=trump + 2 * side),
            "second_bias": zeros(N_SIZES, second),
            "third": start(second, third, fan=second),
            "third_bias": zeros(third),
            "last": start(third, fan=third),
            "trump_line": zeros(48),
            "side_line": zeros(48),
            "line": zeros(N_SIZES),
        }
        self._kept: tuple[Array, ...] = ()

    def forward(self, bits: Array, sizes: Array) -> Array:
        """Return the value for the leader's side in counters, float32, shape (n,)."""
        w = self.weights
        n, n_trump = len(bits), self.n_trump
        trump, sides = bits[:, 0], bits[:, 1:]
        context = trump @ w["trump_rows"] + w["biases"][sizes]
        suits = (sides.reshape(3 * n, 48) @ w["side_rows"]).reshape(n, 3, -1)
        suits += context[:, None, n_trump:]
        pooled = np.maximum(suits, 0).sum(1)
        hidden = np.concatenate([np.maximum(context[:, :n_trump], 0), pooled], 1)
        second = hidden @ w["second"] + w["second_bias"][sizes]
        third = np.maximum(second, 0) @ w["third"] + w["third_bias"]
        straight = w["line"][sizes] + trump @ w["trump_line"] + sides.sum(1) @ w["side_line"]
        self._kept = (trump, sides, context, suits, hidden, second, third, sizes)
        value: Array = np.maximum(third, 0) @ w["last"] + straight
        return value

    def backward(self, slope: Array) -> dict[str, Array]:
        """Return the gradient of every weight for a given slope of the last `forward`."""
        w = self.weights
        trump, sides, context, suits, hidden, second, third, sizes = self._kept
        n, n_trump = len(trump), self.n_trump
        by_size = np.zeros((n, N_SIZES), dtype=np.float32)
        by_size[np.arange(n), sizes] = 1
        d_third = slope[:, None] * w["last"] * (third > 0)
        d_second = (d_third @ w["third"].T) * (second > 0)
        d_hidden = d_second @ w["second"].T
        d_suits = d_hidden[:, None, n_trump:] * (suits > 0)
        d_context = np.concatenate(
            [d_hidden[:, :n_trump] * (context[:, :n_trump] > 0), d_suits.sum(1)], 1
        )
        return {
            "trump_rows": trump.T @ d_context,
            "side_rows": sides.reshape(3 * n, 48).T @ d_suits.reshape(3 * n, -1),
            "biases": by_size.T @ d_context,
            "second": hidden.T @ d_second,
            "second_bias": by_size.T @ d_second,
            "third": np.maximum(second, 0).T @ d_third,
            "third_bias": d_third.sum(0),
            "last": np.maximum(third, 0).T @ slope,
            "trump_line": trump.T @ slope,
            "side_line": sides.sum(1).T @ slope,
            "line": by_size.T @ slope,
        }

    def fit(
        self,
        positions: Array,
        values: Array,
        sizes: Array,
        *,
        epochs: int,
        rate: float,
        seed: int,
        batch: int = 512,
    ) -> float:
        """Fit by Adam with a cosine rate; return the last epoch's root mean square in counters."""
        rng = np.random.default_rng(seed)
        bits = card_bits(positions)
        first = {name: np.zeros_like(array) for name, array in self.weights.items()}
        second = {name: np.zeros_like(array) for name, array in self.weights.items()}
        n_steps = epochs * (len(values) // batch)
        step = 0
        squares = 0.0
        for _ in range(epochs):
            order = rng.permutation(len(values))
            squares = 0.0
            for start in range(0, len(values) - batch + 1, batch):
                rows = order[start : start + batch]
                error = self.forward(bits[rows].astype(np.float32), sizes[rows]) - values[rows]
                squares += float((error * error).sum())
                gradient = self.backward((2 / batch * error).astype(np.float32))
                step += 1
                now = rate * 0.5 * (1 + np.cos(np.pi * step / n_steps)) + 1e-5
                for name, array in self.weights.items():
                    first[name] += 0.1 * (gradient[name] - first[name])
                    second[name] += 0.001 * (gradient[name] ** 2 - second[name])
                    mean = first[name] / (1 - 0.9**step)
                    spread = np.sqrt(second[name] / (1 - 0.999**step)) + 1e-7
                    array -= (now * mean / spread).astype(np.float32)
        return float(np.sqrt(squares / (len(values) // batch * batch)))

    def rounded(self) -> dict[str, Array]:
        """Return the weights as the kernel takes them."""

        def whole(name: str, scale: int, dtype: str) -> Array:
            limit = np.iinfo(dtype)
            scaled = np.round(self.weights[name].astype(np.float64) * scale)
            return np.ascontiguousarray(np.clip(scaled, limit.min, limit.max).astype(dtype))

        both = _FIRST_SCALE * _SCALE
        return {
            "trump_rows": whole("trump_rows", _FIRST_SCALE, "int16"),
            "side_rows": whole("side_rows", _FIRST_SCALE, "int16"),
            "biases": whole("biases", _FIRST_SCALE, "int32"),
            "second": whole("second", _SCALE, "int16"),
            "second_bias": whole("second_bias", both, "int32"),
            "third": whole("third", _SCALE, "int16"),
            "third_bias": whole("third_bias", both, "int32"),
            "last": whole("last", _SCALE, "int16"),
            "trump_line": whole("trump_line", both, "int32"),
            "side_line": whole("side_line", both, "int32"),
            "line": whole("line", both, "int32"),
        }

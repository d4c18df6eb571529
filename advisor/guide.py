"""The guide's weights: read from the data file, in the form that kernels take."""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

Array = np.ndarray[Any, Any]

GUIDE_FILE: Final = Path(__file__).parent / "data" / "guide.json"
# Layers by name, in the order of advisor.kernels.guide.network, with their types.
LAYERS: Final = (
    ("trump_rows", "int16"),
    ("side_rows", "int16"),
    ("biases", "int32"),
    ("second", "int16"),
    ("second_bias", "int32"),
    ("third", "int16"),
    ("third_bias", "int32"),
    ("last", "int16"),
    ("trump_line", "int32"),
    ("side_line", "int32"),
    ("line", "int32"),
)


@cache
def guide_weights() -> tuple[Array, ...]:
    """Return the weights of the guide, read-only whole-number arrays in the order of `LAYERS`.

    >>> [weights.shape[0] for weights in guide_weights()[:2]]
    [48, 48]
    """
    stored = json.loads(GUIDE_FILE.read_text(encoding="utf-8"))["layers"]
    layers = []
    for name, dtype in LAYERS:
        layer = stored[name]
        words = np.frombuffer(
            base64.b64decode("".join(layer["base64"])), dtype=np.dtype(dtype).newbyteorder("<")
        )
        words = words.astype(dtype).reshape(layer["shape"])
        words.flags.writeable = False
        layers.append(words)
    return tuple(layers)


def write_guide(layers: dict[str, Array], provenance: dict[str, object]) -> None:
    """Write the data file: how the weights were made, then each layer as text.

    Parameters
    ----------
    layers : dict of str to integer array
        One for each name in `LAYERS`.
    provenance : dict of str to object
    """
    stored = {}
    for name, dtype in LAYERS:
        raw = layers[name].astype(np.dtype(dtype).newbyteorder("<")).tobytes()
        text = base64.b64encode(raw).decode()
        stored[name] = {
            "shape": list(layers[name].shape),
            "base64": [text[i : i + 100] for i in range(0, len(text), 100)],
        }
    data = {**provenance, "layers": stored}
    GUIDE_FILE.parent.mkdir(exist_ok=True)
    GUIDE_FILE.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")

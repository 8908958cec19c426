"""Settings and item data with which every measure can be computed."""

import numpy as np

from gainful import ItemData
from gainful.measures import REGISTRY

# Of most items all is known.
_NAMES = [f"{letter}{i}" for letter in "du" for i in range(11)]
ITEMS = ItemData(
    catalog=_NAMES,
    popularity={item: i for i, item in enumerate(_NAMES)},
    n_users=30,
    features={item: [np.sin(i), np.cos(3 * i), i % 5 - 2] for i, item in enumerate(_NAMES)},
)

NEEDED = {"alpha_uRBP": {"goal": 2, "spread": 1}}


def complete(name):
    """The measure of a name with what it has to be told, and a cutoff if it takes one."""
    m = REGISTRY[name](**NEEDED.get(name, {}))
    if "cutoff" in m.arguments:
        return m @ 5
    return m @ 0.5 if any(a.required for a in m.arguments.values()) else m

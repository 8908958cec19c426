"""Settings and item data with which every measure can be computed."""

import numpy as np

from gainful import ItemData
from gainful.measures import REGISTRY

# Most items have all attributes.
_NAMES = [f"{letter}{i}" for letter in "du" for i in range(11)]
ITEMS = ItemData(
    catalog=_NAMES,
    popularity={item: i for i, item in enumerate(_NAMES)},
    n_users=30,
    features={item: [np.sin(i), np.cos(3 * i), i % 5 - 2] for i, item in enumerate(_NAMES)},
)

REQUIRED_SETTINGS = {"alpha_uRBP": {"goal": 2, "spread": 1}}


def complete_measure(name):
    """Return a measure with the settings it requires, and a cutoff if it takes one."""
    m = REGISTRY[name](**REQUIRED_SETTINGS.get(name, {}))
    if "cutoff" in m.arguments:
        return m @ 5
    return m @ 0.5 if any(a.is_required for a in m.arguments.values()) else m

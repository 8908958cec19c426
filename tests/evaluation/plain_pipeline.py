"""The pipeline for one query in plain Python: slow, readable, and without NumPy.

Rules follow ``gainful.alignment.rules``; formulas follow the documentation of the measures.
"""

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

import gainful
from evaluation.strategies import Mention


@dataclass(frozen=True)
class Place:
    """A retrieved item, and the number that is equal for tied items."""

    item: str
    level: float


def rank_items(
    mentions: Sequence[Mention], labels: dict[str, float], rules: gainful.Rules
) -> list[Place]:
    """Return the items of a run in rank order, each once."""
    lines = list(enumerate(mentions))
    rows: dict[str, tuple[int, Mention]] = {}
    for line, mention in lines:
        if mention.item not in rows or _replaces(mention, rows[mention.item][1], rules):
            rows[mention.item] = line, mention
    if rules.unjudged == "condense":
        rows = {item: row for item, row in rows.items() if item in labels}

    def make_key(row: tuple[int, Mention]):
        line, mention = row
        return _compute_level(line, mention, rules), *_break_tie(line, mention, labels, rules)

    return [Place(row[1].item, make_key(row)[0]) for row in sorted(rows.values(), key=make_key)]


def _replaces(later: Mention, earlier: Mention, rules: gainful.Rules) -> bool:
    if rules.duplicates == "max" and rules.order != "file":
        return _compute_level(0, later, rules) < _compute_level(0, earlier, rules)
    return rules.duplicates == "last"


def _compute_level(line: int, mention: Mention, rules: gainful.Rules) -> float:
    if rules.order == "score":
        is_single = rules.precision == "float32"
        return -(ctypes.c_float(mention.score).value if is_single else mention.score)
    return mention.rank if rules.order == "rank" else line


def _break_tie(line: int, mention: Mention, labels: dict[str, float], rules: gainful.Rules):
    ascending = mention.item.encode()
    descending = [-byte for byte in ascending] + [1]
    label = labels.get(mention.item, 0)
    return {
        "auto": (descending,),
        "item-desc": (descending,),
        "item-asc": (ascending,),
        "input": (line,),
        "rank-column": (mention.rank, line),
        "average": (),
        "best": (-label, descending),
        "worst": (label, descending),
    }[rules.ties]


def compute_value(
    measure: gainful.Measure, places: list[Place], labels: dict[str, float], rules: gainful.Rules
) -> float:
    """Compute the value of a measure for a ranking."""
    settings = {
        "discount": "none",
        "ideal": "judged",
        "ideal_depth": "cutoff",
    } | measure.all_settings
    n_retrieved = min(len(places), rules.depth or len(places))
    bottom = min(n_retrieved, settings["cutoff"] or n_retrieved)

    def compute_item_gain(item: str) -> float:
        return compute_gain(settings, labels[item]) if item in labels else 0.0

    def compute_weight(rank: int) -> float:
        return 1 / compute_divisor(str(settings["discount"]), rank)

    terms, rank = [], 0
    for _, block in groupby(places, key=lambda place: place.level):
        items = [place.item for place in block]
        weights = [
            compute_weight(rank + i) if rank + i <= bottom else 0 for i in range(1, len(items) + 1)
        ]
        if rules.ties == "average":
            weights = [math.fsum(weights) / len(items)] * len(items)
        terms += [compute_item_gain(item) * w for item, w in zip(items, weights, strict=True)]
        rank += len(items)
    total = math.fsum(terms)

    depth = math.inf if settings["ideal_depth"] == "all" else settings["cutoff"] or math.inf
    if settings["ideal_depth"] == "retrieved" or (
        settings["ideal"] == "ones" and depth == math.inf
    ):
        depth = min(depth, n_retrieved)
    pool = (
        labels if settings["ideal"] == "judged" else [place.item for place in places[:n_retrieved]]
    )
    pool_gains = [compute_item_gain(item) for item in pool]
    best_gains = sorted((gain for gain in pool_gains if gain > 0), reverse=True)
    if settings["ideal"] == "ones":
        best_gains = [1.0] * int(depth)
    best = math.fsum(g * compute_weight(i) for i, g in enumerate(best_gains, start=1) if i <= depth)

    if measure.name in ("CG", "DCG"):
        return total
    if measure.name == "IDCG":
        return best
    if not n_retrieved and any(compute_item_gain(item) > 0 for item in labels):
        return 0.0
    return total / best if best else {"zero": 0.0, "one": 1.0, "nan": math.nan}[rules.empty]


def compute_gain(settings: dict, label: float) -> float:
    """Compute the gain of a label."""
    gain = settings["gain"]
    if gain.table:
        return dict(gain.table).get(label, 0.0)
    if label < 0 and settings["negatives"] == "zero" and gain.name != "signed_exp2":
        return 0.0
    if gain.name == "linear":
        return label
    if gain.name == "binary":
        return 1.0 if label >= settings["rel"] else 0.0
    if gain.name == "exp2":
        return 2.0**label - 1
    return math.copysign(2.0 ** abs(label) - 1, label)


def compute_divisor(discount: str, rank: int) -> float:
    """Compute the divisor of the gain at a rank."""
    name, _, base = discount.rstrip(")").partition("(")
    if name == "jk":
        return 1.0 if rank < float(base) else math.log(rank, float(base))
    return {
        "log2": lambda: math.log2(rank + 1),
        "ln": lambda: math.log(rank + 1),
        "log": lambda: math.log(rank + 1, float(base)),
        "reciprocal": lambda: rank,
        "none": lambda: 1.0,
    }[name]()

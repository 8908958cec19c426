"""The whole pipeline for one query once more, by the book: slow, plain, and no NumPy.

Rules as ``gainful.alignment.rules`` words them, formulas as the measures' documentation has them.
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
    """A retrieved item, and the number that ties are told by."""

    item: str
    level: float


def ranking(
    mentions: Sequence[Mention], labels: dict[str, float], rules: gainful.Rules
) -> list[Place]:
    """The items of a run in rank order, each once."""
    lines = list(enumerate(mentions))
    kept: dict[str, tuple[int, Mention]] = {}
    for line, mention in lines:
        if mention.item not in kept or _replaces(mention, kept[mention.item][1], rules):
            kept[mention.item] = line, mention
    if rules.unjudged == "condense":
        kept = {item: row for item, row in kept.items() if item in labels}

    def place(row: tuple[int, Mention]):
        line, mention = row
        return _level(line, mention, rules), *_among_equals(line, mention, labels, rules)

    return [Place(row[1].item, place(row)[0]) for row in sorted(kept.values(), key=place)]


def _replaces(later: Mention, earlier: Mention, rules: gainful.Rules) -> bool:
    if rules.duplicates == "max" and rules.order != "file":
        return _level(0, later, rules) < _level(0, earlier, rules)
    return rules.duplicates == "last"


def _level(line: int, mention: Mention, rules: gainful.Rules) -> float:
    if rules.order == "score":
        single = rules.precision == "float32"
        return -(ctypes.c_float(mention.score).value if single else mention.score)
    return mention.rank if rules.order == "rank" else line


def _among_equals(line: int, mention: Mention, labels: dict[str, float], rules: gainful.Rules):
    ascending = mention.item.encode()
    descending = [-byte for byte in ascending] + [1]
    label = labels.get(mention.item, 0)
    return {
        "item-desc": (descending,),
        "item-asc": (ascending,),
        "input": (line,),
        "rank-column": (mention.rank, line),
        "average": (),
        "best": (-label, descending),
        "worst": (label, descending),
    }[rules.ties]


def value(
    measure: gainful.Measure, places: list[Place], labels: dict[str, float], rules: gainful.Rules
) -> float:
    """What a measure makes of a ranking."""
    of = {"discount": "none", "ideal": "judged", "ideal_depth": "cutoff"} | measure.all_settings
    n_retrieved = min(len(places), rules.depth or len(places))
    bottom = min(n_retrieved, of["cutoff"] or n_retrieved)

    def gain(item: str) -> float:
        return gain_of(of, labels[item]) if item in labels else 0.0

    def weight(rank: int) -> float:
        return 1 / divisor(str(of["discount"]), rank)

    terms, rank = [], 0
    for _, block in groupby(places, key=lambda place: place.level):
        items = [place.item for place in block]
        weights = [weight(rank + i) if rank + i <= bottom else 0 for i in range(1, len(items) + 1)]
        if rules.ties == "average":
            weights = [math.fsum(weights) / len(items)] * len(items)
        terms += [gain(item) * w for item, w in zip(items, weights, strict=True)]
        rank += len(items)
    total = math.fsum(terms)

    depth = math.inf if of["ideal_depth"] == "all" else of["cutoff"] or math.inf
    if of["ideal_depth"] == "retrieved" or (of["ideal"] == "ones" and depth == math.inf):
        depth = min(depth, n_retrieved)
    pool = labels if of["ideal"] == "judged" else [place.item for place in places[:n_retrieved]]
    best_gains = sorted((gain(item) for item in pool if gain(item) > 0), reverse=True)
    if of["ideal"] == "ones":
        best_gains = [1.0] * int(depth)
    best = math.fsum(g * weight(i) for i, g in enumerate(best_gains, start=1) if i <= depth)

    if measure.name in ("CG", "DCG"):
        return total
    if measure.name == "IDCG":
        return best
    if not n_retrieved and any(gain(item) > 0 for item in labels):
        return 0.0
    return total / best if best else {"zero": 0.0, "one": 1.0, "nan": math.nan}[rules.empty]


def gain_of(settings: dict, label: float) -> float:
    """What a label is worth."""
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


def divisor(discount: str, rank: int) -> float:
    """What the gain at a rank is divided by."""
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

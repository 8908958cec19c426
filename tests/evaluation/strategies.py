"""Strategies for property tests: small collections, and settings of every kind."""

from dataclasses import dataclass

from hypothesis import strategies as st

import gainful

Qrels = dict[str, dict[str, float]]
Run = dict[str, dict[str, float]]


# Ids whose byte order is neither the alphabet's nor the order they are listed in.
ITEMS = ("d1", "d10", "d2", "D1", "é", "z", "日", "a", "d", "~", "zz", "b")

whole_labels = st.integers(0, 4)
signed_labels = st.integers(-2, 4)
# Quarters: sums of them are exact, whatever their order.
quarter_labels = st.integers(0, 16).map(lambda quarters: quarters / 4)
real_labels = st.floats(0, 4, allow_subnormal=False)

few_scores = st.integers(0, 2).map(float)
any_scores = st.floats(-1e6, 1e6, allow_subnormal=False) | few_scores

bases = st.floats(1.01, 100, allow_subnormal=False) | st.sampled_from([2.0, 3.0, 10.0])
logarithms = st.sampled_from(["log2", "ln"]) | bases.map(lambda base: f"log({base!r})")
discounts = (
    logarithms
    | bases.map(lambda base: f"jk({base!r})")
    | st.sampled_from(["reciprocal", "none", "jk(2)", "log(2)"])
)
# Gains that rise with the label, from 0 on.
rising_gains = st.sampled_from(["linear", "exp2", "binary"])
tables = st.dictionaries(
    st.integers(-2, 4), st.integers(-3, 9) | st.floats(-3, 9, allow_subnormal=False), min_size=1
).map(lambda table: {label: 0 for label in range(1, 5)} | table)
gains = rising_gains | st.just("signed_exp2") | tables
cutoffs = st.none() | st.integers(1, 14)

IDEALS = ("judged", "list", "ones")
IDEAL_DEPTHS = ("cutoff", "all", "retrieved")
TIES = ("item-desc", "item-asc", "input", "average", "best", "worst")


@st.composite
def rankings(draw, labels=whole_labels, scores=any_scores, max_items=12):
    """Draw labels and as many scores."""
    size = draw(st.integers(1, max_items))
    columns = [draw(st.lists(values, min_size=size, max_size=size)) for values in (labels, scores)]
    return columns[0], columns[1]


@st.composite
def queries(draw, labels=signed_labels, scores=any_scores, max_items=8):
    """Draw the judged items and the retrieved items of one query, some in both."""
    ids = st.lists(st.sampled_from(ITEMS), unique=True, max_size=max_items)
    judged, retrieved = draw(ids), draw(ids)
    return {item: draw(labels) for item in judged}, {item: draw(scores) for item in retrieved}


@st.composite
def collections(draw, labels=signed_labels, scores=any_scores, max_queries=4):
    """Draw qrels and a run over the same queries."""
    pairs = draw(st.lists(queries(labels, scores), min_size=1, max_size=max_queries))
    qrels = {f"q{number}": judged for number, (judged, _) in enumerate(pairs)}
    run = {f"q{number}": retrieved for number, (_, retrieved) in enumerate(pairs)}
    return qrels, run


@dataclass(frozen=True)
class Mention:
    """One line of a run file: an item, its rank column, and its score."""

    item: str
    rank: int
    score: float


mentions = st.builds(Mention, st.sampled_from(ITEMS), st.integers(-1, 9), few_scores | any_scores)


@st.composite
def measures(
    draw,
    gain=gains,
    discount=discounts,
    kinds=("CG", "nCG", "DCG", "IDCG", "nDCG"),
    other_tools=False,
):
    """Draw a measure with any of its settings; ``other_tools`` adds those for other tools."""
    strategies = {
        "cutoff": cutoffs,
        "gain": gain,
        "discount": discount,
        "ideal": st.sampled_from(IDEALS),
        "ideal_depth": st.sampled_from(IDEAL_DEPTHS),
        "negatives": st.sampled_from(["zero", "keep"]),
        "rel": st.integers(1, 4) | st.floats(0.125, 4, allow_subnormal=False),
    }
    if other_tools:
        strategies |= {
            "ideal_order": st.sampled_from(["best", "gain", "label", "given"]),
            "above_one": st.sampled_from(["clip", "keep"]),
            "rounding": st.sampled_from(["none", "float32_gains", "decimals5"]),
        }
    measure = getattr(gainful, draw(st.sampled_from(kinds)))
    names = [name for name in measure.arguments if name in strategies and draw(st.booleans())]
    return measure(**{name: draw(strategies[name]) for name in names})

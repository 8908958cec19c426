"""Relevance that counts only as far as it is understood: uRBP, alpha_uRBP, uBpref."""

import math
from typing import Annotated

import numpy as np

from gainful.alignment import GroupedRankings
from gainful.base import ENDLESS, FloatArray, Setting, format_setting
from gainful.errors import MeasureError
from gainful.measures import _settings as s
from gainful.measures._cwl import compute_powers, sum_weighted
from gainful.measures._declare import measure
from gainful.measures._relevance import relabel_items
from gainful.measures.pairwise import compute_bpref

Graded = Annotated[
    float | None,
    Setting(
        "label that gains 1, those below it their share; a higher one is an error", more_than=0
    ),
]
Understandable = Annotated[
    float,
    Setting(
        "lowest label that counts as understandable, unless max_understandable is set", more_than=0
    ),
]
MostUnderstandable = Annotated[
    float | None,
    Setting(
        "label that is understood in full, those below it by their share; a higher one is an error",
        more_than=0,
    ),
]
Goal = Annotated[float, Setting("label of the items that suit the user best", at_least=0)]
Spread = Annotated[
    float, Setting("distance from the goal at which 61% of the gain is left", more_than=0)
]

_DIMENSIONS = ("relevance", "understandability")


@measure(bounds=(0, 1), averages_ties=True)
def uRBP(
    ranked: GroupedRankings,
    *,
    cutoff: s.Cutoff = None,
    p: s.Persistence = 0.8,
    rel: s.UnlessGraded = 1.0,
    max_rel: Graded = None,
    understandable: Understandable = 1.0,
    max_understandable: MostUnderstandable = None,
) -> FloatArray:
    r"""RBP in which a relevant item counts only if it is understandable.

    $$\mathrm{uRBP}@k = (1 - p) \sum_{i=1}^{k} r_i \, u_i \, p^{i-1}$$

    where $r_i$ is 1 if the item at rank $i$ is relevant and $u_i$ is 1 if it is understandable.
    With `max_understandable` $u_i$ is the label's share of it, which the paper calls uRBPgr;
    with `max_rel` so is $r_i$. The judgments of a query come in two groups, called `relevance` and
    `understandability`: the second column of the qrels says which. Other groups do not matter. An
    item that lacks either judgment gains nothing, nor does one with a negative label. A query
    without results, or with nothing relevant, scores 0. Averaged ties are exact.

    trectools multiplies by the label as it is: with labels from 0 to 1 its `get_urbp` is
    `uRBP(max_understandable=1)`. It averages ties, but takes the last item of a query and the first
    of the next for tied if their scores are equal, which no ranking means.

    Reference: Zuccon, Understandability biased evaluation for information retrieval, ECIR 2016.
    """
    relevance, label = _split_dimensions(ranked, "uRBP")
    gain = _scale_labels(relevance, rel, max_rel, "uRBP: relevance labels", "max_rel")
    gain *= _scale_understandability(label, understandable, max_understandable, "uRBP")
    return _sum_rank_biased(ranked, gain, p, cutoff)


@measure(bounds=(0, 1), averages_ties=True)
def alpha_uRBP(
    ranked: GroupedRankings,
    *,
    cutoff: s.Cutoff = None,
    goal: Goal,
    spread: Spread,
    p: s.Persistence = 0.8,
    rel: s.UnlessGraded = 1.0,
    max_rel: Graded = None,
) -> FloatArray:
    r"""RBP in which a relevant item counts the more, the closer it is to what suits the user.

    $$\alpha\text{-uRBP}@k = (1 - p) \sum_{i=1}^{k} r_i \, p^{i-1}
    \exp \Bigl( -\frac{(l_i - a)^2}{2 b^2} \Bigr)$$

    where $r_i$ is 1 if the item at rank $i$ is relevant, or its share of `max_rel`; $l_i$ is its
    label of understandability, $a$ the `goal` and $b$ the `spread`. What is too easy for an expert
    loses as much as what is too hard. The judgments of a query come in groups called `relevance`
    and `understandability`. An item that lacks either judgment gains nothing, nor does one with a
    negative label. A query without results, or with nothing relevant, scores 0. Averaged ties are
    exact.

    It is `get_alpha_urbp` of trectools divided by 100, by which trectools multiplies. There every
    query has a goal and a spread of its own, here all have the same; and there the query ids must
    be whole numbers.

    Reference: trectools, get_alpha_urbp; Palotti et al., CLEF 2017 task overview: the IR task at
    the eHealth evaluation lab, CLEF 2017.
    """
    relevance, label = _split_dimensions(ranked, "alpha_uRBP")
    gain = _scale_labels(relevance, rel, max_rel, "alpha_uRBP: relevance labels", "max_rel")
    levels, place = np.unique(label, return_inverse=True)
    # Each label once, by the C library: the last bit of NumPy's vector exp depends on the CPU.
    suits = [
        _compute_bell((level - goal) / spread) if level >= 0 else 0.0 for level in levels.tolist()
    ]
    return _sum_rank_biased(ranked, gain * np.array(suits)[place], p, cutoff)


@measure(bounds=(0, 1))
def uBpref(
    ranked: GroupedRankings,
    *,
    rel: s.Rel = 1.0,
    understandable: Understandable = 1.0,
    max_understandable: MostUnderstandable = None,
) -> FloatArray:
    r"""Bpref in which a relevant item counts only if it is understandable.

    $$\mathrm{uBpref} = \frac{1}{R} \sum_j u_j \left( 1 - \frac{\min(n_j, R)}{\min(N, R)} \right)$$

    where $u_j$ is 1 if the $j$-th relevant item of the ranking is understandable, or its label's
    share of `max_understandable`; the rest is as in `Bpref`, by relevance alone. So 1 is reached
    only if all relevant items are understandable. The judgments of a query come in groups called
    `relevance` and `understandability`. A relevant item without a label of understandability adds
    0. A query with nothing relevant divides by zero: `Rules.empty` says what it scores, 0 by
    default. A query without results scores 0 where anything is relevant. No exact average over
    ties is known for it.

    trectools multiplies by the label as it is: with labels from 0 to 1 its `get_ubpref` is
    `uBpref(max_understandable=1)`, except in two cases. It counts in $n_j$ only items that have a
    label of understandability as well, unlike in its bpref. And where no item is judged not
    relevant it divides zero by zero and scores 0; there trec_eval's bpref, and this, lose nothing.

    Reference: trectools, get_ubpref; after Zuccon, ECIR 2016.
    """
    relevance, label = _split_dimensions(ranked, "uBpref")
    understood = _scale_understandability(label, understandable, max_understandable, "uBpref")
    # Bpref ignores items with a negative label: these have no judgment of relevance.
    single = relabel_items(ranked, np.nan_to_num(relevance, nan=-1.0))
    return compute_bpref(single, rel, worth=understood[ranked.hit_item])


def _split_dimensions(ranked: GroupedRankings, owner: str) -> tuple[FloatArray, FloatArray]:
    """Return the labels of all judged items for relevance and understandability, NaN for none."""
    names = np.array(ranked.groups.queries, dtype=object)
    labels = []
    for dimension in _DIMENSIONS:
        chosen = np.equal(names, dimension).astype(np.bool_)
        missing = np.flatnonzero(ranked.total(chosen) == 0)
        if len(missing):
            groups = slice(*ranked.group_offsets[missing[0] : missing[0] + 2].tolist())
            group_names = ", ".join(names[groups]) or "none"
            query = ranked.queries[missing[0]]
            message = (
                f"{owner}: the judgments of every query must come in the groups relevance and "
                f"understandability, got {group_names:.60} for query {query!r}. "
                "Name them in the second column of the qrels."
            )
            raise MeasureError(message, query=query, code="wrong-judgments")
        rows = np.flatnonzero(chosen[ranked.row_group])
        label = np.full(int(ranked.item_offsets[-1]), math.nan)
        label[ranked.row_item[rows]] = ranked.row_label[rows]
        labels.append(label)
    return labels[0], labels[1]


def _scale_labels(
    label: FloatArray, min_label: float, max_label: float | None, subject: str, setting: str
) -> FloatArray:
    """Return a number from 0 to 1 for each label: all or nothing, or a share of the highest."""
    if max_label is None:
        return (label >= min_label).astype(np.float64)
    clipped = np.maximum(np.nan_to_num(label), 0.0)
    highest = float(clipped.max(initial=0.0))
    if highest > max_label:
        message = (
            f"{subject} must be at most {setting}, {format_setting(max_label)}, "
            f"got {format_setting(highest)}. Set {setting} to the highest label there may be."
        )
        raise MeasureError(message, code="label-above-max")
    return clipped / max_label


def _scale_understandability(
    label: FloatArray, min_label: float, max_label: float | None, owner: str
) -> FloatArray:
    subject = f"{owner}: understandability labels"
    return _scale_labels(label, min_label, max_label, subject, "max_understandable")


def _compute_bell(distance: float) -> float:
    return math.exp(-distance * distance / 2.0)


def _sum_rank_biased(
    ranked: GroupedRankings, gain: FloatArray, p: float, cutoff: int | None
) -> FloatArray:
    single = relabel_items(ranked, gain)
    bottom = np.minimum(ranked.n_retrieved, min(cutoff or ENDLESS, ENDLESS))
    weight = compute_powers(p, int(bottom.max(initial=1)))
    return (1.0 - p) * sum_weighted(single, single.hit_label, weight, bottom)

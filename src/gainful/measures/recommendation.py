"""What is recommended, not how relevant it is: Coverage, Gini, Novelty, ILD, Serendipity."""

import math
from typing import Annotated

import numpy as np

from gainful.alignment import ItemRankings
from gainful.base import BoolArray, FloatArray, IntArray, Setting, ragged
from gainful.errors import MeasureError
from gainful.measures import _settings as s
from gainful.measures._declare import measure

Scale = Annotated[
    str,
    Setting(
        "what the sum of differences is divided by",
        choices={
            "unit": "n - 1 for n items, so that 1 means that one item is recommended always",
            "population": "n, as economists do; the highest value is then 1 - 1 / n",
        },
    ),
]
Share = Annotated[
    str,
    Setting(
        "what the popularity of an item is a share of",
        choices={
            "users": "all users, of whom so many have had the item",
            "interactions": "the popularity of all items, added up",
        },
    ),
]
Distance = Annotated[
    str,
    Setting(
        "how far apart the features of two items are",
        choices={
            "cosine": "1 minus the cosine of the angle between them",
            "euclidean": "the length of their difference",
        },
    ),
]
Expected = Annotated[
    int | None,
    Setting(
        "how many of the most popular items are expected; as many as ranks are looked at if none",
        at_least=1,
    ),
]
SerendipityOf = Annotated[
    str,
    Setting(
        "what the relevant items that were not expected are a share of",
        choices={
            "list": "the ranks that are looked at",
            "unexpected": "the items in these ranks that were not expected",
            "relevant": "the relevant items in these ranks",
        },
    ),
]

_AT_ONCE = 1 << 20  # numbers of feature vectors that are compared in one go


@measure(bounds=(0, 1), whole=True)
def Coverage(ranked: ItemRankings, *, cutoff: s.Cutoff = None) -> float:
    r"""Share of the catalog that is recommended to anyone.

    $$\mathrm{Coverage}@k = \frac{|R_1 \cup \dots \cup R_n|}{|C|}$$

    where $R_q$ are the items in the first $k$ ranks of query (or user) $q$, and $C$ is the
    catalog. It is a number of the whole run: no query has a value of its own. Items that are not
    in the catalog do not count. A run without results covers 0.

    It needs `items=ItemData(catalog=...)`.

    Reference: Ge, Delgado-Battenfeld and Jannach, Beyond accuracy: evaluating recommender systems
    by coverage and serendipity, RecSys 2010, where it is called catalog coverage.
    """
    counts, n_catalog = _count_recommended(ranked, cutoff, "Coverage")
    return np.count_nonzero(counts) / n_catalog


@measure(bounds=(0, 1), whole=True, higher_is_better=False)
def Gini(ranked: ItemRankings, *, cutoff: s.Cutoff = None, scale: Scale = "unit") -> float:
    r"""How unequally the recommendations are spread over the catalog, from 0 for evenly.

    $$\mathrm{Gini}@k = \frac{1}{n - 1} \sum_{j=1}^{n} (2j - n - 1) \, p_j$$

    where $n$ is the size of the catalog and $p_1 \le p_2 \le \dots$ are the shares that its items
    have in all that is recommended in the first $k$ ranks; items that are never recommended are
    among them, with 0. It is high where few items take all: lower is more diverse. Some tools
    report 1 minus it. It is a number of the whole run: no query has a value of its own. Items that
    are not in the catalog do not count. It is undefined where nothing is recommended, and for a
    catalog of one item.

    With `scale=unit` it can reach 1, as in Shani and Gunawardana; `scale=population` is the
    coefficient of economics, and of LensKit, which is smaller by the factor $(n - 1) / n$.

    It needs `items=ItemData(catalog=...)`.

    Reference: Shani and Gunawardana, Evaluating recommendation systems, Recommender Systems
    Handbook, 2011; Castells, Hurley and Vargas, Novelty and diversity in recommender systems,
    Recommender Systems Handbook, 2015.
    """
    counts, n_catalog = _count_recommended(ranked, cutoff, "Gini")
    counts = np.sort(counts[counts > 0])
    # Those with 0 come first and add nothing. Whole numbers: the sum is exact.
    place = np.arange(n_catalog - len(counts) + 1, n_catalog + 1)
    differences = int(((2 * place - n_catalog - 1) * counts).sum())
    divisor = int(counts.sum()) * (n_catalog - 1 if scale == "unit" else n_catalog)
    return differences / divisor if divisor else math.nan


@measure
def Novelty(ranked: ItemRankings, *, cutoff: s.Cutoff = None, share: Share = "users") -> FloatArray:
    r"""Mean self-information of the recommended items: how few users know them, in bits.

    $$\mathrm{Novelty}@k = \frac{1}{|R|} \sum_{i \in R} -\log_2 p(i)$$

    where $R$ are the items in the first $k$ ranks and $p(i)$ is the share of users that have had
    item $i$. A list shorter than $k$ is averaged over its own items; an empty one has no mean:
    `Rules.empty` says what it scores, 0 by default. Relevance and ranks do not matter. An item that
    nobody has had, or whose popularity is not known, counts as if one user had had it.

    `share=users` is the definition of Zhou et al., and of RecTools. With `share=interactions`,
    $p(i)$ is the item's share of all interactions, as in the free discovery of Vargas and Castells,
    without their rank discount and relevance. Some tools divide by $k$ where the list is shorter.

    It needs `items=ItemData(popularity=..., n_users=...)`.

    Reference: Zhou et al., Solving the apparent diversity-accuracy dilemma of recommender systems,
    PNAS 107(10), 2010; Vargas and Castells, Rank and relevance in novelty and diversity metrics for
    recommender systems, RecSys 2011.
    """
    popularity = _read_popularity(ranked, "Novelty")
    total = ranked.items.n_interactions if share == "interactions" else ranked.items.n_users
    if total is None:
        message = (
            "Novelty needs the number of users. Pass --users N, or ItemData(n_users=...), or set "
            "share=interactions."
        )
        raise MeasureError(message, code="missing-item-data")
    distinct, place = np.unique(np.maximum(np.nan_to_num(popularity), 1.0), return_inverse=True)
    # Each count once, by the logarithm of the C library: the result depends on no other count.
    bits = np.array([max(0.0, math.log2(total / n)) if total else 0.0 for n in distinct.tolist()])
    chosen = ranked.within(cutoff)
    size = ranked.item_total(chosen, chosen)
    summed = ranked.item_total(bits[place][ranked.item], chosen)
    return ragged.divide(summed, size, empty=math.nan)


@measure(bounds=(0, 2))
def ILD(
    ranked: ItemRankings, *, cutoff: s.Cutoff = None, distance: Distance = "cosine"
) -> FloatArray:
    r"""Intra-list diversity: mean distance between two of the recommended items.

    $$\mathrm{ILD}@k = \frac{2}{|R| (|R| - 1)} \sum_{i < j} d(i, j)$$

    where $R$ are the items in the first $k$ ranks and $d$ is the distance of their features.
    Relevance and ranks do not matter. A list of fewer than two items has no pair: `Rules.empty`
    says what it scores, 0 by default. Items without features are left out, and said in a notice.
    With `distance=cosine` a vector of zeros is at distance 1 of all others; features that are not
    negative then give values from 0 to 1.

    It needs `items=ItemData(features=...)`.

    Reference: Smyth and McClave, Similarity vs. diversity, ICCBR 2001; Ziegler et al., Improving
    recommendation lists through topic diversification, WWW 2005, whose intra-list similarity is its
    counterpart; Vargas and Castells, RecSys 2011, without their rank discount and relevance.
    """
    features = ranked.items.require("features", "ILD")
    chosen = np.flatnonzero(ranked.within(cutoff) & ~np.isnan(features[:, 0])[ranked.item])
    owner, item = ranked.item_query[chosen], ranked.item[chosen]
    size = np.bincount(owner, minlength=ranked.n_queries).astype(np.float64)
    pairs = size * (size - 1) / 2
    if distance == "cosine":
        mean = 1 - ragged.divide(
            _sum_cosines(features, item, owner, len(size)), pairs, empty=math.nan
        )
        return np.clip(mean, 0, 2)
    return ragged.divide(_sum_distances(features, item, owner, len(size)), pairs, empty=math.nan)


@measure(bounds=(0, 1))
def Serendipity(
    ranked: ItemRankings,
    *,
    cutoff: s.Cutoff = None,
    rel: s.Rel = 1.0,
    expected: Expected = None,
    of: SerendipityOf = "list",
) -> FloatArray:
    r"""Share of the ranks that hold a relevant item which a popularity recommender would not give.

    $$\mathrm{Serendipity}@k = \frac{|(R \setminus P) \cap L|}{k}$$

    where $R$ are the items in the first $k$ ranks, $L$ are the relevant ones, and $P$ is what a
    primitive recommender gives everyone: the $k$ most popular items. An item is in $P$ if fewer
    than $k$ items are more popular, so that equally popular ones are in or out together; an item
    that nobody has had, or whose popularity is not known, is never in it. A list shorter than $k$
    is padded with items that are not relevant. Without a cutoff $k$ is the length of the list. A
    query without results scores 0.

    Ge et al. take the unexpected items and ask which share of them is useful: `of=unexpected`. With
    `of=relevant` it is the share of the relevant items found that were not expected. Both are
    undefined where they divide by zero: `Rules.empty` says what such a query scores, 0 by default.
    Others weigh each item by the difference of its ranks in the two lists (Murakami et al., 2008),
    which this does not.

    It needs `items=ItemData(popularity=...)`.

    Reference: Ge, Delgado-Battenfeld and Jannach, RecSys 2010.
    """
    popular = _read_popularity(ranked, "Serendipity")[ranked.item] > 0
    is_listed, n_items = ranked.within(cutoff), np.diff(ranked.item_offsets)
    depth = n_items if cutoff is None else np.full(ranked.n_queries, cutoff)
    n_expected = depth[ranked.item_query] if expected is None else expected
    n_more_popular = np.asarray(ranked.items.n_more_popular)
    unexpected = ~(popular & (n_more_popular[ranked.item] < n_expected))
    relevant = ranked.item_label >= rel
    n_serendipitous = ranked.item_total(relevant & unexpected, is_listed)
    bottoms: dict[str, BoolArray] = {"unexpected": unexpected, "relevant": relevant}
    if of == "list":
        return ragged.divide(n_serendipitous, depth.astype(np.float64), empty=0.0)
    return ragged.divide(n_serendipitous, ranked.item_total(bottoms[of], is_listed), empty=math.nan)


def _count_recommended(ranked: ItemRankings, cutoff: int | None, name: str) -> tuple[IntArray, int]:
    """Return how often each item of the catalog is recommended, and how many it has in all."""
    in_catalog = ranked.items.require("catalog", name)
    chosen = ranked.item[ranked.within(cutoff)]
    counts = np.bincount(chosen[in_catalog[chosen]], minlength=len(in_catalog))
    return counts, int(ranked.items.n_catalog or 0)


def _read_popularity(ranked: ItemRankings, name: str) -> FloatArray:
    popularity: FloatArray = ranked.items.require("popularity", name)
    return popularity


def _sum_cosines(
    features: FloatArray, item: IntArray, owner: IntArray, n_queries: int
) -> FloatArray:
    """Return the cosines of all pairs of items, added up for each query.

    A sum of vectors times itself holds every pair twice, and every vector with itself: there is no
    need to go through the pairs.
    """
    largest = np.abs(features).max(axis=1, keepdims=True, initial=0.0)
    # By the largest first: squares of what is very large or small are not numbers.
    features = np.divide(features, largest, out=np.zeros_like(features), where=largest > 0)
    length = np.sqrt(np.einsum("ij,ij->i", features, features))[:, np.newaxis]
    unit = np.divide(features, length, out=features.copy(), where=length > 0)
    with_themselves = np.einsum("ij,ij->i", unit, unit)[item]
    total = -ragged.sum_by_query(with_themselves, owner, n_queries)
    for feature in unit.T:
        total += ragged.sum_by_query(feature[item], owner, n_queries) ** 2
    return total / 2


def _sum_distances(
    features: FloatArray, item: IntArray, owner: IntArray, n_queries: int
) -> FloatArray:
    """Return the Euclidean distances of all pairs of items, added up for each query."""
    total = np.zeros(n_queries)
    step = max(1, _AT_ONCE // features.shape[1])
    # All queries at once, an item and the one so many ranks below it.
    for apart in range(1, int(np.bincount(owner).max(initial=0))):
        upper = np.flatnonzero(owner[apart:] == owner[:-apart])
        between = np.empty(len(upper))
        for begin in range(0, len(upper), step):  # in parts, since features take room
            part = upper[begin : begin + step]
            difference = features[item[part]] - features[item[part + apart]]
            squares = np.einsum("ij,ij->i", difference, difference)
            between[begin : begin + step] = np.sqrt(squares)
        total += ragged.sum_by_query(between, owner[upper], n_queries)
    return total

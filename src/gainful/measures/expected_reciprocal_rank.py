"""ERR and nERR: users who go down the ranking and stop at what satisfies them."""

import numpy as np

from gainful.alignment import JudgedRankings
from gainful.base import ENDLESS, FloatArray, IntArray, format_setting, ragged
from gainful.base._native import Step
from gainful.errors import MeasureError
from gainful.measures import _settings as s
from gainful.measures._declare import measure
from gainful.measures._gains import Gain

EXP2 = Gain("exp2")
_CELLS = 1 << 21


@measure(bounds=(0, 1), averages_ties=True, monotone=True)
def ERR(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    max_label: s.MaxLabel = 4.0,
    gain: s.Gain = EXP2,
    rel: s.BinaryRel = 1.0,
) -> FloatArray:
    r"""Expected reciprocal of the rank at which a user is satisfied and stops.

    $$\mathrm{ERR}@k = \sum_{i=1}^{k} \frac{R_i}{i} \prod_{j=1}^{i-1} (1 - R_j), \qquad
    R_i = \frac{g(l_i)}{g(l_{\max}) + 1}$$

    where $R_i$ is the chance that the item at rank $i$ satisfies: $(2^l - 1)/2^{l_{\max}}$ with
    the default gain. Unjudged items and negative labels never satisfy. A query without results,
    or with nothing relevant, scores 0; a cutoff beyond the list changes nothing. Averaged ties
    are exact: the value is the mean over all orders of the tied items.

    The scale must be known: `max_label` is 4 by default, as in gdeval.pl, whose values these are
    (it prints five decimals). A label above it is an error, as it is there. pyNTCIREVAL takes a
    grade for each label and has $R = g/(g_{\max} + 1)$ too: set `gain` to its grades. ndeval
    takes $R = 1/2$ for every relevant item: `gain=binary`.

    Reference: Chapelle, Metzler, Zhang and Grinspan, Expected reciprocal rank for graded
    relevance, CIKM 2009.
    """
    chance = _compute_chances("ERR", ranked.hit_label, ranked, gain, rel, max_label)
    return _compute_err(ranked, chance, cutoff)


@measure(bounds=(0, 1), averages_ties=True, monotone=True)
def nERR(
    ranked: JudgedRankings,
    *,
    cutoff: s.Cutoff = None,
    max_label: s.MaxLabel = 4.0,
    gain: s.Gain = EXP2,
    rel: s.BinaryRel = 1.0,
) -> FloatArray:
    r"""ERR as a share of the ERR of the best possible ranking.

    $$\mathrm{nERR}@k = \frac{\mathrm{ERR}@k}{\mathrm{IERR}@k}$$

    The best ranking has all judged items, retrieved or not, the most satisfying first. A query
    with nothing relevant divides by zero: `Rules.empty` says what it scores, 0 by default. A
    query without results scores 0.

    Reference: Chapelle et al., 2009; normalized as in Sakai and Song, Evaluating diversified
    search results using per-intent graded relevance, SIGIR 2011, and in pyNTCIREVAL.
    """
    chance = _compute_chances("nERR", ranked.hit_label, ranked, gain, rel, max_label)
    pool = _compute_chances("nERR", ranked.pool_label, ranked, gain, rel, max_label)
    if gain.table:
        pool = ragged.sort_descending(pool, ranked.pool_query)
    bottom = np.full(ranked.n_queries, min(cutoff or ENDLESS, ENDLESS))
    best = _sum_cascade(pool, ranked.pool_rank, ranked.pool_offsets, ranked.pool_query, bottom)
    # Both sums are rounded; a hair's breadth must not lift a ranking above the perfect one.
    share = ragged.divide(_compute_err(ranked, chance, cutoff), best, empty=np.nan)
    return np.minimum(share, 1.0)


def _compute_chances(
    owner: str,
    label: FloatArray,
    ranked: JudgedRankings,
    gain: Gain,
    rel: float,
    max_label: float,
) -> FloatArray:
    """Return the chance that an item of each label satisfies."""
    highest = ranked.pool_label.max(initial=0.0)
    if highest > max_label:
        message = (
            f"{owner}: labels must be at most max_label, {format_setting(max_label)}, "
            f"got {format_setting(highest)}. Set max_label to the highest label there may be."
        )
        raise MeasureError(message, code="label-above-max")
    gains = gain.apply(label, rel=rel, negatives="zero")
    top = gain.apply(np.array([max_label]), rel=rel, negatives="zero")[0]
    if gains.min(initial=0.0) < 0 or gains.max(initial=0.0) > top:
        wrong = gains.min() if gains.min() < 0 else gains.max()
        message = (
            f"{owner}: gains must be from 0 to that of max_label, {format_setting(float(top))}, "
            f"got {format_setting(float(wrong))}."
        )
        raise MeasureError(message, code="label-above-max")
    chance: FloatArray = gains / (top + 1.0)
    return chance


def _compute_err(ranked: JudgedRankings, chance: FloatArray, cutoff: int | None) -> FloatArray:
    bottom = np.minimum(ranked.n_retrieved, min(cutoff or ENDLESS, ENDLESS))
    if ranked.average_ties and ranked.has_ties:
        return _average_over_ties(ranked, chance, bottom)
    return _sum_cascade(chance, ranked.hit_rank, ranked.hit_offsets, ranked.hit_query, bottom)


def _sum_cascade(
    chance: FloatArray, rank: IntArray, offsets: IntArray, query: IntArray, bottom: IntArray
) -> FloatArray:
    """Return the sum of chance over rank, times the chance that nothing above satisfies."""
    reached = _multiply_before(1.0 - chance, offsets)
    terms = np.where(rank <= bottom[query], chance * reached / rank, 0.0)
    return ragged.sum_by_query(terms, query, len(bottom))


def _multiply_before(keeps: FloatArray, offsets: IntArray) -> FloatArray:
    """Return the product of all elements before each one in its query."""
    product = ragged.accumulate(keeps, offsets, Step.multiply)
    before = np.ones(len(keeps))
    before[1:] = product[:-1]
    before[offsets[:-1][np.diff(offsets) > 0]] = 1.0
    return before


def _average_over_ties(ranked: JudgedRankings, chance: FloatArray, bottom: IntArray) -> FloatArray:
    """Return the mean over all orders of tied items.

    Of a block of n tied items, let E(k) be the mean, over all choices of k of them, of the chance
    that none satisfies. Then the kth of the block is where the user stops with a chance of
    E(k - 1) - E(k), and E(n), the product of all, is the chance to get past the block.
    """
    start, block = ragged.group_equal(ranked.hit_query, ranked.hit_tie_first)
    query, first, size = (
        values[start] for values in (ranked.hit_query, ranked.hit_tie_first, ranked.hit_tie_size)
    )
    offsets = np.append(start, len(block))
    keeps = np.ones(len(start))
    if len(start):
        keeps = ragged.accumulate(1.0 - chance, offsets, Step.multiply)[offsets[1:] - 1]
    reached = _multiply_before(keeps, ragged.offsets_from_owners(query, ranked.n_queries))
    visible = np.clip(bottom[query] - first + 1, 0, size)
    useful = np.flatnonzero(ragged.sum_by_query(chance, block, len(start)) > 0)
    useful = useful[np.argsort(visible[useful], kind="stable")]
    stops = np.zeros(len(start))
    for part in _split_blocks(useful, visible):
        stops[part] = _sum_block_stops(chance, offsets, first, size, visible, part)
    return ragged.sum_by_query(stops * reached, query, ranked.n_queries)


def _split_blocks(blocks: IntArray, visible: IntArray) -> list[IntArray]:
    """Return the blocks, widest last, in parts whose tables fit into memory."""
    parts = []
    while len(blocks):
        count = max(1, _CELLS // int(visible[blocks[-1]] + 1))
        parts.append(blocks[-count:])
        blocks = blocks[:-count]
    return parts


def _sum_block_stops(
    chance: FloatArray,
    offsets: IntArray,
    first: IntArray,
    size: IntArray,
    visible: IntArray,
    part: IntArray,
) -> FloatArray:
    """Return the sum of E(k - 1) - E(k) over the rank of the kth, for some blocks."""
    k = np.arange(int(visible[part].max()) + 1)
    n_hits = np.diff(offsets)[part]
    # Unjudged items never satisfy: with them alone, every mean is 1.
    means, count = np.ones((len(part), len(k))), (size[part] - n_hits)[:, np.newaxis]
    for nth in range(int(n_hits.max())):
        has = (n_hits > nth)[:, np.newaxis]
        added = 1.0 - chance[np.where(has[:, 0], offsets[part] + nth, 0)][:, np.newaxis]
        count = count + has
        # Of k out of so many, the new one is chosen k times in so many.
        chosen = np.minimum(k / np.maximum(count, 1), 1.0)
        mixed = (1.0 - chosen) * means
        mixed[:, 1:] += chosen[:, 1:] * added * means[:, :-1]
        means = np.where(has, mixed, means)
    terms = (means[:, :-1] - means[:, 1:]) / (first[part][:, np.newaxis] + k[:-1])
    terms[k[:-1] >= visible[part][:, np.newaxis]] = 0.0
    running = np.cumsum(terms, axis=1)  # one by one: np.sum adds in an order that varies
    return running[:, -1] if running.shape[1] else np.zeros(len(part))

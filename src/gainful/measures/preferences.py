"""How many preferences a ranking fulfills: Prefs..., as trec_eval counts them."""

import math

import numpy as np

from gainful.alignment import PreferenceRankings
from gainful.base import FloatArray, IntArray, ragged
from gainful.measures import _settings as s
from gainful.measures._declare import measure


def _mask_undefined(defined: FloatArray, values: FloatArray) -> FloatArray:
    """Return the values; NaN for a query without a preference to fulfill."""
    return np.where(defined > 0, values, math.nan)


def _score_simple(
    ranked: PreferenceRankings, fulfilled: IntArray, possible: IntArray
) -> FloatArray:
    shares = ragged.divide(ranked.total(fulfilled), ranked.total(possible), empty=0.0)
    return _mask_undefined(ranked.total(ranked.possible), shares)


def _score_by_group(
    ranked: PreferenceRankings, fulfilled: IntArray, possible: IntArray
) -> FloatArray:
    shares = ragged.divide(fulfilled.astype(np.float64), possible.astype(np.float64), empty=0.0)
    return _mask_undefined(ranked.total(ranked.possible), ranked.total(shares) / ranked.n_groups)


def _score_balanced(
    ranked: PreferenceRankings, fulfilled: IntArray, possible: IntArray, undefined: str
) -> FloatArray:
    empty = math.nan if undefined == "query" else 0.0
    shares = ragged.divide(fulfilled.astype(np.float64), possible.astype(np.float64), empty=empty)
    values = np.nan_to_num(ranked.total(shares), nan=0.0) / ranked.n_groups
    return _mask_undefined(ranked.total(ranked.balanced_possible + possible), values)


def _score_by_pair(ranked: PreferenceRankings, shares: FloatArray, pairs: FloatArray) -> FloatArray:
    return _mask_undefined(ranked.pairs, ragged.divide(shares, pairs, empty=0.0))


@measure(average="sum", trec_eval="prefs_num_prefs_poss", higher_is_better=False)
def PrefsPossible(ranked: PreferenceRankings) -> FloatArray:
    r"""How many preferences the judges of a query state, what follows from them included.

    $$\mathrm{PrefsPossible} = \sum_{g=1}^{G} |P_g|$$

    where $P_g$ holds every pair of items $a$, $b$ such that group $g$ prefers $a$ to $b$. Within a
    subgroup, an item is preferred to all that have a lower level. The preferences of a group's
    subgroups are put together, and what follows from them is added: $a$ over $b$ and $b$ over $c$
    make $a$ over $c$. A group that contradicts itself is an error. Groups may contradict each
    other; a preference that two groups have counts twice. It does not depend on the run. Over all
    queries it is summed, as in trec_eval; which forgets the lowest level of a group of one subgroup
    if the highest is -3.

    References: Buckley, trec_eval 9, 2008. Carterette, Bennett, Chickering and Dumais, Here or
    there: preference judgments for relevance, ECIR 2008.
    """
    return ranked.total(ranked.possible)


@measure(average="sum", trec_eval="prefs_num_prefs_ful")
def PrefsFulfilled(ranked: PreferenceRankings) -> FloatArray:
    r"""How many preferences the ranking fulfills, those implied by what it left out included.

    $$\mathrm{PrefsFulfilled} = \sum_{g=1}^{G} f_g$$

    where $f_g$ of the preferences of group $g$ have the preferred item above the other. An item
    that was not retrieved stands below all that were. A preference between two items that were not
    retrieved is not fulfilled. Items that nobody judged change nothing. Over all queries it is
    summed.

    trec_eval breaks ties of scores by ascending ids here, though by descending ids for all other
    measures: `Rules(ties="item-asc")` gives its values.
    """
    return ranked.total(ranked.fulfilled)


@measure(average="sum", trec_eval="prefs_num_prefs_ful_ret")
def PrefsFulfilledRet(ranked: PreferenceRankings) -> FloatArray:
    """How many preferences between two retrieved items the ranking fulfills.

    As PrefsFulfilled, without those of which the lower item was not retrieved. Over all queries it
    is summed.
    """
    return ranked.total(ranked.fulfilled_retrieved)


@measure(bounds=(0, 1), trec_eval="prefs_simp")
def PrefsSimp(ranked: PreferenceRankings) -> FloatArray:
    r"""Share of all preferences that the ranking fulfills.

    $$\mathrm{PrefsSimp} = \frac{\mathrm{PrefsFulfilled}}{\mathrm{PrefsPossible}}$$

    Every preference weighs the same. One between two items that were not retrieved is possible and
    not fulfilled. A query without results scores 0. A query without preferences divides by zero:
    `Rules.empty` says what it scores, 0 by default.
    """
    return _score_simple(ranked, ranked.fulfilled, ranked.possible)


@measure(bounds=(0, 1), trec_eval="prefs_simp_ret")
def PrefsSimpRet(ranked: PreferenceRankings) -> FloatArray:
    r"""Share of the preferences between two retrieved items that the ranking fulfills.

    As PrefsSimp, with only those preferences counted of which both items were retrieved; 0 if the
    query has preferences, but none of those.
    """
    return _score_simple(ranked, ranked.fulfilled_retrieved, ranked.possible_retrieved)


@measure(bounds=(0, 1), trec_eval="prefs_simp_imp")
def PrefsSimpImp(ranked: PreferenceRankings) -> FloatArray:
    r"""Share of the preferences with a retrieved item, one or both, that the ranking fulfills.

    As PrefsSimp, without the preferences of which neither item was retrieved; 0 if the query has
    preferences, but no other ones.
    """
    return _score_simple(ranked, ranked.fulfilled, ranked.possible_seen)


@measure(bounds=(0, 1), trec_eval="prefs_pair")
def PrefsPair(ranked: PreferenceRankings) -> FloatArray:
    r"""Mean, over the pairs of items that some group orders, of the share of groups that agree.

    $$\mathrm{PrefsPair} = \frac{1}{n} \sum_{i=1}^{n} \frac{w_i}{m_i}$$

    where $m_i$ groups order the items of pair $i$, one way or the other, and $w_i$ of them prefer
    the one that stands above. All pairs weigh the same, however many groups order them. A pair of
    which neither item was retrieved adds 0. A query without preferences divides by zero:
    `Rules.empty` says what it scores, 0 by default.

    Reference: Buckley, trec_eval 9, 2008.
    """
    return _score_by_pair(ranked, ranked.pair_shares, ranked.pairs)


@measure(bounds=(0, 1), trec_eval="prefs_pair_ret")
def PrefsPairRet(ranked: PreferenceRankings) -> FloatArray:
    """PrefsPair over the pairs of which both items were retrieved.

    It is 0 if the query has preferences, but none of those.
    """
    return _score_by_pair(ranked, ranked.pair_shares_retrieved, ranked.pairs_retrieved)


@measure(bounds=(0, 1), trec_eval="prefs_pair_imp")
def PrefsPairImp(ranked: PreferenceRankings) -> FloatArray:
    """PrefsPair over the pairs of which at least one item was retrieved.

    It is 0 if the query has preferences, but none of those.
    """
    return _score_by_pair(ranked, ranked.pair_shares, ranked.pairs_seen)


@measure(bounds=(0, 1), trec_eval="prefs_avgjg")
def PrefsAvg(ranked: PreferenceRankings) -> FloatArray:
    r"""Mean, over the groups, of the share of their preferences that the ranking fulfills.

    $$\mathrm{PrefsAvg} = \frac{1}{G} \sum_{g=1}^{G} \frac{f_g}{|P_g|}$$

    where group $g$ has the preferences $P_g$, of which $f_g$ are fulfilled. All groups weigh the
    same, so that who states many preferences does not outvote who states few. A group without
    preferences adds 0 and counts in $G$, as in trec_eval. A query without any has no value:
    `Rules.empty` says what it scores, 0 by default.
    """
    return _score_by_group(ranked, ranked.fulfilled, ranked.possible)


@measure(bounds=(0, 1), trec_eval="prefs_avgjg_ret")
def PrefsAvgRet(ranked: PreferenceRankings) -> FloatArray:
    """PrefsAvg with only those preferences of which both items were retrieved.

    A group that has none of those adds 0.
    """
    return _score_by_group(ranked, ranked.fulfilled_retrieved, ranked.possible_retrieved)


@measure(bounds=(0, 1), trec_eval="prefs_avgjg_imp")
def PrefsAvgImp(ranked: PreferenceRankings) -> FloatArray:
    """PrefsAvg with only those preferences of which at least one item was retrieved.

    A group that has none of those adds 0.
    """
    return _score_by_group(ranked, ranked.fulfilled, ranked.possible_seen)


@measure(bounds=(0, 1), trec_eval="prefs_avgjg_Rnonrel")
def PrefsAvgRnonrel(ranked: PreferenceRankings, *, undefined: s.Undefined = "query") -> FloatArray:
    r"""PrefsAvg with as many non-relevant items in every group as it has relevant ones.

    $$\mathrm{PrefsAvgRnonrel} = \frac{1}{G} \sum_{g=1}^{G} \frac{f'_g}{|P'_g|}$$

    Relevant is what has a level above 0. How many non-relevant items were judged then matters
    less. If a group has $R$ relevant and $N$ other items, no more than $R$, each relevant item
    gains $R - N$ preferences, fulfilled if it was retrieved. If $N > R$, only the first $R$ of the
    other items count: in the order of the ranking, then of the ids of those that were not
    retrieved. It is kin to bpref.

    What trec_eval does beyond its own description is kept. In a group of one subgroup with
    $N > R$, it counts every pair of a lowest item and one of the first $R$ of them, an item and
    itself included, as a preference; with two subgroups it does not. A group in which nothing is
    left, such as one without relevant items, divides zero by zero, and the whole query scores 0;
    `undefined=group` lets that group alone add 0. If that is so in all groups, `Rules.empty` says
    what the query scores. In a group of one subgroup the first $R$ are those of the lowest level,
    if levels below 0 make several of them; if that level has fewer, trec_eval reads on in foreign
    memory, and here all of it counts. In a group of several, items with a level below 0 are
    neither relevant nor not.

    References: Buckley, trec_eval 9, 2008. Buckley and Voorhees, Retrieval evaluation with
    incomplete information, SIGIR 2004.
    """
    return _score_balanced(ranked, ranked.balanced_fulfilled, ranked.balanced_possible, undefined)


@measure(bounds=(0, 1), trec_eval="prefs_avgjg_Rnonrel_ret")
def PrefsAvgRnonrelRet(
    ranked: PreferenceRankings, *, undefined: s.Undefined = "query"
) -> FloatArray:
    """PrefsAvgRnonrel with only the items that were retrieved.

    As trec_eval does it, $R$ and $N$ count retrieved items, with two exceptions: what is added
    where $N < R$ is divided by the relevant items that were judged, retrieved or not; and a group
    of several subgroups keeps as many non-relevant items as it has relevant ones in all. A group of
    which nothing was retrieved divides zero by zero; see PrefsAvgRnonrel.
    """
    fulfilled, possible = ranked.balanced_fulfilled_retrieved, ranked.balanced_possible_retrieved
    return _score_balanced(ranked, fulfilled, possible, undefined)

"""What single queries are held to: all of them, or those that are pinned."""

from collections.abc import Iterator, Sequence

import numpy as np

from gainful.gating.digits import TOLERANCE, told, way
from gainful.gating.possible import Possible
from gainful.gating.result import CANNOT_TELL, FAIL, PASS, Check, Gated
from gainful.ragged import BoolArray, FloatArray
from gainful.settings import text_of
from gainful.wording import count

HOLES = "gainful holes QRELS BASELINE CANDIDATE"
_SHOWN = 3  # queries that a sentence names
_LACKING = f"This may be a lack of judgments. See what to judge: {HOLES}"


def of_queries(
    gated: Gated,
    values: FloatArray,
    queries: Sequence[str],
    pinned: Sequence[str],
    possible: Possible | None,
) -> Iterator[Check]:
    """A check of every pinned query; without any, one check of all queries.

    A query without a value in either run does not drop.
    """
    most = gated.thresholds.query_max_drop or 0.0
    drops = np.nan_to_num(values[1] - values[0])
    # Labels could let these stay within the limit; the baseline lacks fewer of them.
    open_ones = np.zeros(len(drops), dtype=np.bool_)
    if possible is not None:
        open_ones = possible.lacking & (possible.highest >= -most - TOLERANCE)
    if not pinned:
        yield _all(gated, drops, queries, most, open_ones)
        return
    place = {query: i for i, query in enumerate(queries)}
    for query in pinned:
        i = place[query]
        now, before = map(float, np.nan_to_num(values[:, i]))
        yield _one(gated, query, now, before, most, bool(open_ones[i]))


def _all(
    gated: Gated, drops: FloatArray, queries: Sequence[str], most: float, open_ones: BoolArray
) -> Check:
    order = np.argsort(np.round(-drops, 12), kind="stable")
    too_far = order[drops[order] > most + TOLERANCE]
    first, outcome = int(order[0]), PASS
    sentence = "no query drops."
    if len(too_far):
        outcome = CANNOT_TELL if open_ones[too_far].all() else FAIL
        each = [f"{queries[i]!r} by {told(drops[i], most)}" for i in too_far[:_SHOWN].tolist()]
        named = ", ".join(each) + (", ..." if len(too_far) > _SHOWN else "")
        dropping = count(len(too_far), "query drops", "queries drop")
        sentence = f"{dropping} by more than {text_of(most)} ({named})."
    elif drops[first] > TOLERANCE:
        largest = f"{told(drops[first], most)}, of {queries[first]!r}"
        sentence = f"no query drops by more than {text_of(most)}; the largest drop is {largest}."
    sentence = f"{sentence} {_LACKING}" if outcome == CANNOT_TELL else sentence
    numbers = {"largest": float(max(drops[first], 0.0)), "query_max_drop": most}
    return Check("query-max-drop", gated.measure, outcome, True, sentence, numbers)


def _one(gated: Gated, query: str, now: float, before: float, most: float, is_open: bool) -> Check:
    sentence = f"query {query!r} stays at {told(now)}."
    if abs(now - before) > TOLERANCE:
        by = told(abs(now - before), most)
        sentence = (
            f"query {query!r} {way(now - before)} by {by}, from {told(before)} to {told(now)}."
        )
    outcome = PASS
    if before - now > most + TOLERANCE:
        limit = (
            f"no more than {text_of(most)} is allowed" if most else "a pinned query may not drop"
        )
        outcome = CANNOT_TELL if is_open else FAIL
        sentence = f"{sentence[:-1]}; {limit}.{f' {_LACKING}' if is_open else ''}"
    numbers = {"candidate": now, "baseline": before, "query_max_drop": most}
    return Check("pinned", gated.measure, outcome, True, sentence, numbers, query)

"""Joined: a run and judgments that were joined and ranked, and the facts of it."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from gainful import _native, ragged
from gainful.facts import NEVER, Facts, Row, Seen, Stranger
from gainful.near_ids import samples
from gainful.ragged import BoolArray
from gainful.rankings import JudgedRankings
from gainful.ruled_rankings import is_padding
from gainful.rules import Rules
from gainful.sources import Collapse, Handed, Judgments

SHALLOW = 10  # ranks within which unjudged items are counted


class Joined(NamedTuple):
    """A run and judgments, joined and ranked, before anything is left out or said."""

    aligner: _native.Aligner
    aligned: _native.Aligned
    ranked: JudgedRankings
    parts: Collapse | None
    handed: Handed


def facts_of(judgments: Judgments, rules: Rules, joined: Joined) -> Facts:
    """What a join found, in counts."""
    aligner, aligned, ranked, parts, handed = joined
    odd, tally = aligner.odd, aligned.tally
    unfound = len(judgments.pool_label) and aligner.n_rows and not len(aligned.hit_rank)
    return Facts(
        n_queries=len(judgments.queries),
        missing=_named(judgments.queries, aligned.in_run == 0),
        empty=_named(ranked.queries, ranked.nothing_relevant),
        strangers=tuple(map(Stranger, aligner.stranger_places, aligner.strangers)),
        rows=Seen(aligner.n_rows, _row(aligner.first_row)),
        n_hits=len(aligned.hit_rank),
        n_retrieved=int(aligned.n_retrieved.sum()),
        n_own=aligned.n_own,
        n_padding=int(np.count_nonzero(is_padding(judgments.pool_label, rules))),
        n_scored=tally.rows,
        odd_ranks=tally.odd_ranks,
        neighbours=tally.neighbours,
        contradicted=Seen(*_sighted(tally.contradicted)),
        infinite=Seen(*_sighted(tally.infinite)),
        telling=tally.telling,
        equal=_of_query(judgments, tally.equal),
        ascending=_of_query(judgments, tally.ascending),
        rises=tally.rises,
        close=_of_query(judgments, tally.close),
        n_duplicates=aligned.n_duplicates,
        n_judged_twice=judgments.index.n_duplicates,
        n_parts=0 if parts is None else parts.n_items,
        n_whole=0 if parts is None else parts.n_whole,
        n_comments=odd.comments + handed.n_comments,
        n_qrels_comments=judgments.n_comments,
        long_lines=Seen(odd.long_lines, odd.first_long if odd.long_lines else None),
        n_returns=odd.returns,
        **_of_items(ranked),
        **label_facts(judgments),
        **(_of_ids(judgments, aligner, aligned) if unfound else {}),
    )


def _of_items(ranked: JudgedRankings) -> dict[str, Any]:
    n_negative = int((ranked.pool_label < 0).sum())
    return {
        "n_ranked": len(ranked.hit_rank),
        "n_tied": int((ranked.hit_tie_size > 1).sum()),
        "n_looked_at": int(np.minimum(ranked.n_retrieved, SHALLOW).sum()),
        "judged": _judged_above(ranked),
        "negative": Seen(n_negative, float(ranked.pool_label.min()) if n_negative else None),
    }


def label_facts(judgments: Judgments) -> dict[str, Any]:
    """What the labels of judgments are like."""
    labels = judgments.pool_label
    unwhole, first = np.flatnonzero(labels % 1 != 0), None
    if len(unwhole):
        number = int(np.searchsorted(judgments.pool_offsets, unwhole[0], side="right")) - 1
        first = judgments.queries[number], float(labels[unwhole[0]])
    return {
        "n_judgments": len(labels),
        "labels": frozenset(ragged.distinct(labels).tolist()),
        "fractional": Seen(len(unwhole), first),
    }


def _of_ids(
    judgments: Judgments, aligner: _native.Aligner, aligned: _native.Aligned
) -> dict[str, Any]:
    """What ids there are, where those of the run and of the judgments do not match."""
    sizes = np.diff(judgments.pool_offsets)
    most = int(sizes.argmax())
    found = -int(sizes[most]), judgments.queries[most], judgments.index.judgments(most)[0][0]
    row, judged_row = aligner.first_judged, NEVER
    if row.number is not None:
        wanted, _ = judgments.index.judgments(row.number)[0]
        judged_row = Seen(1, (_row(row), wanted))
    return {
        "judged_row": judged_row,
        "most_judged": Seen(1, found),
        "samples": samples(judgments, aligned),
    }


def _judged_above(ranked: JudgedRankings) -> tuple[float, ...]:
    """Numbers that add up to how many items in the first ranks are judged."""
    if not ranked.average_ties:
        return (float(np.count_nonzero(ranked.hit_rank <= SHALLOW)),)
    shallow = ranked.hit_tie_first <= SHALLOW
    first, size = ranked.hit_tie_first[shallow], ranked.hit_tie_size[shallow]
    return ragged.exact_terms(np.minimum(SHALLOW + 1 - first, size) / size)


def _sighted(found: _native.Sightings) -> tuple[int, int | None]:
    return found.count, found.first


def _of_query(judgments: Judgments, found: _native.Sightings) -> Seen:
    return Seen(found.count, None if found.first is None else judgments.queries[found.first])


def _row(row: _native.Example) -> Row | None:
    return None if row.place is None else Row(row.place, row.query, row.item)


def _named(queries: Sequence[str], chosen: BoolArray) -> tuple[str, ...]:
    return tuple(queries[i] for i in np.flatnonzero(chosen).tolist())

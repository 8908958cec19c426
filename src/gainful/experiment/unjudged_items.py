"""The unjudged items of a report, or why there are none to show."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from gainful.errors import AlignError, MeasureError
from gainful.measures import Measure
from gainful.ragged import ENDLESS
from gainful.rankings import JudgedRankings
from gainful.sources import Judgments, Run
from gainful.unjudged.finding import holes
from gainful.unjudged.holes import Holes

_MANY = 1_000_000  # places, of which each unjudged one would be a row


def holes_or_why_not(
    judgments: Judgments,
    runs: list[Run],
    measure: Measure,
    baseline: str | None,
    rankings: Sequence[JudgedRankings],
    how: Any,
) -> tuple[Holes | None, str | None]:
    """The unjudged items, or why there are none to show."""
    cutoff = dict(measure.settings).get("cutoff") or ENDLESS
    n_places = sum(int(np.minimum(one.n_retrieved, cutoff).sum()) for one in rankings)
    if n_places > _MANY:
        return None, (
            f"{measure} looks at {n_places:,} places, too many to say of each what judging it "
            f"could change. Choose a measure with a lower cutoff, for example {measure.name}@10."
        )
    try:
        return holes(judgments, runs, measure, baseline=baseline, **how), None
    except (MeasureError, AlignError) as error:
        # The same rules gave scores: it is the measure, or how ties are broken, that tells nothing.
        return None, str(error)

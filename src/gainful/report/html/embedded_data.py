"""The large data of a page: the values and rankings of every query.

Unpacked, they are::

    {"queries": [id], "texts": [text or null] or null,
     "values": [measure][run][query], "judged": [run][query],
     "slices": {column: [value or null]}, "titles": {item: title}, "urls": {item: url},
     "depth": 20, "details": [a query each, null if it was left out]}

    {"items": [id], "labels": [number or null], "rankings": [run][number of an item],
     "n": [run], "ideal": [number of an item], "best": number or [run]}

Values are rounded to six decimals; what they are made of is exact. A query has, where it needs it:

- ``gains``: the gain of each item, where there are too many labels for ``make_gains_table``;
- ``weights``: what each place of each run weighs, where a tie is averaged. All places count that
  have a weight, below the cutoff too;
- ``totals``: the sum of each run, where it cannot be added up to the last bit from what is shown:
  where a tie is averaged, or a ranking goes on below what is shown and all of it counts.
"""

import base64
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from gainful.base import (
    FloatArray,
    encode_ids,
    encode_text,
    format_setting,
    to_jsonable,
)
from gainful.report import tables
from gainful.report.charts.one_query import draw_gains, name_ideal
from gainful.report.html.escaping import map_texts
from gainful.report.html.model import (
    Detail,
    Experiment,
    Terms,
    order_queries_by_difference,
    select_compared_runs,
)
from gainful.report.html.parts import compile_chart
from gainful.report.html.query_details import add_up_run
from gainful.report.html.sections.coverage import export_to_judge_csv
from gainful.report.html.sections.significance import N_DRAWN
from gainful.report.views.comparison import make_comparison_data
from gainful.stats import Comparison

_EXACT = 2**53  # whole numbers up to which a float is one
_PLAIN = 1e21  # numbers from which on a script writes exponents


def pack(value: object) -> str:
    """Convert plain values to JSON, compressed, in base64; ids must be valid text.

    >>> unpack(pack([1, None]))
    [1, None]
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def unpack(text: str) -> Any:
    """Return the values that ``pack`` wrote.

    >>> unpack(pack({"q1": [0.5, None]}))
    {'q1': [0.5, None]}
    """
    return json.loads(zlib.decompress(base64.b64decode(text)))


def simplify_number(number: float | None) -> float | None:
    """Return a whole number as an int, any other number as it is.

    >>> simplify_number(2.0), simplify_number(0.1), simplify_number(None)
    (2, 0.1, None)
    """
    if number is None or not number.is_integer() or abs(number) > _EXACT:
        return number
    return int(number)


def round_values(values: FloatArray, decimals: int) -> list[float | None]:
    """Round the values to a number of decimals, with None for NaN.

    >>> round_values(np.array([0.123456789, 1.0, np.nan]), 4)
    [0.1235, 1, None]
    """
    return [None if v != v else simplify_number(v) for v in np.round(values, decimals).tolist()]


def cut_text(text: str, longest: int) -> str:
    """Put the text on one line, and cut its end if it is long.

    >>> cut_text("red  shoes for running", 10)
    'red shoes…'
    """
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def format_script_number(number: float) -> str:
    """Format a number as JavaScript does when it is the name of a property.

    >>> [format_script_number(number) for number in (2.0, 1e-05, 1e-07, 1e16)]
    ['2', '0.00001', '1e-7', '10000000000000000']
    """
    text = format_setting(number)
    if "e" not in text:
        return text
    if 1e-6 <= abs(number) < _PLAIN:
        return np.format_float_positional(number, trim="-")
    digits, _, exponent = text.partition("e")
    return f"{digits}e{int(exponent):+d}"


MANY_LABELS = 64  # for one table of gains


def detail_to_dict(detail: Detail, terms: Terms, depth: int, *, per_item: bool) -> dict[str, Any]:
    """Return the data of one query that a page embeds, down to a depth.

    Args:
        detail: The query.
        terms: What its sums are made of.
        depth: How many ranks are held.
        per_item: Whether the gain of each item is held as well.
    """
    rankings, ideal = [record[:depth] for record in detail.rankings], detail.ideal[:depth]
    item_numbers = list(dict.fromkeys(chain(*rankings, ideal)))
    number = dict(zip(item_numbers, range(len(item_numbers)), strict=True)).__getitem__
    labels = [detail.labels[i] for i in item_numbers]
    data: dict[str, Any] = {
        "items": encode_ids([detail.items[i] for i in item_numbers]),
        "labels": [simplify_number(label) for label in labels],
        "rankings": [list(map(number, record)) for record in rankings],
        "n": detail.n_retrieved,
        "ideal": list(map(number, ideal)),
        "best": _collapse_equal(detail.best),
    }
    if per_item:
        data["gains"] = [
            None if label is None else simplify_number(terms.gains[label]) for label in labels
        ]
    if detail.weights is not None:
        data["weights"] = [
            [simplify_number(w) for w in record[:depth]] for record in detail.weights
        ]
    sums = (add_up_run(terms, detail, run, depth=depth) for run in range(len(rankings)))
    if any(ours != real for ours, real in zip(sums, detail.totals, strict=True)):
        data["totals"] = [simplify_number(total) for total in detail.totals]
    return data


def _collapse_equal(best: tuple[float, ...]) -> Any:
    """Return the number that all runs share, or one for each run."""
    return (
        simplify_number(best[0])
        if len(set(best)) == 1
        else [simplify_number(record) for record in best]
    )


DEPTHS = (50, 20)
LONGEST = 200  # text or title
_ENDLESS = 10  # ranks that are shown at least where all of them count
_SAMPLE = 100  # queries, from whose size that of all is estimated
_LEAST, _PER_QUERY, _MOST = 220_000, 260, 1_200_000  # characters of a budget


@dataclass(frozen=True)
class EmbeddedData:
    """The large data of a page.

    Attributes:
        text: All of it, packed.
        n_detailed: How many queries have their rankings in it: those that differ most.
        depth: How many ranks of each.
    """

    text: str
    n_detailed: int
    depth: int


def make_embedded_data(experiment: Experiment, *, budget: int | None = None) -> EmbeddedData:
    """Make the large data of a page, as much of it as fits.

    Rankings go down to rank 50, 20 or the cutoff: to the deepest of them at which everything fits.
    If nothing fits, the rankings of the queries that differ least are left out.

    Args:
        experiment: What is reported.
        budget: How many characters may be written, beside about a million of all else; by default
            220,000 and 260 for each query, at most 1,200,000. Queries and values are written
            whatever their size.
    """
    n = len(experiment.queries)
    budget = min(_LEAST + _PER_QUERY * n, _MOST) if budget is None else budget
    order, values = order_queries_by_difference(experiment), _collect_values(experiment)
    sample = order[:: max(n // _SAMPLE, 1)]
    least = len(pack(values))
    for depth in _list_depths(experiment):
        estimate = len(pack(_collect_details(experiment, depth, sample))) * n / len(sample)
        n_detailed = min(int(n * (budget - least) / estimate * 1.1), n)  # smaller if packed as one
        if n_detailed == n:
            text = pack({**values, **_collect_details(experiment, depth, order)})
            if len(text) <= budget:
                return EmbeddedData(text, n, depth)
    while n_detailed > 0:
        text = pack({**values, **_collect_details(experiment, depth, order[:n_detailed])})
        if len(text) <= budget:
            return EmbeddedData(text, n_detailed, depth)
        n_detailed = int(n_detailed * 0.97 * (budget - least) / (len(text) - least))
    return EmbeddedData(pack({**values, **_collect_details(experiment, depth, [])}), 0, depth)


def _list_depths(experiment: Experiment) -> list[int]:
    """List the numbers of ranks that may be shown, most first; none above the cutoff."""
    details = experiment.details
    cutoff = details.terms.cutoff
    least = _ENDLESS if cutoff is None or cutoff > details.depth else cutoff
    return sorted({min(max(d, least), details.depth) for d in (*DEPTHS, least)}, reverse=True)


def _collect_values(experiment: Experiment) -> dict[str, Any]:
    """Collect what is known of every query, except for its rankings."""
    scores, nothing = experiment.scores, np.full(len(experiment.queries), np.nan)
    texts = [experiment.texts.get(query) for query in experiment.queries]
    return {
        "queries": encode_ids(experiment.queries),
        "texts": [t and _encode_cut_text(t) for t in texts] if any(texts) else None,
        "values": [
            [round_values(of_run.column(measure), 6) for of_run in scores]
            for measure in experiment.measures
        ],
        "judged": [
            round_values(of_run.judged.get(experiment.measures[0], nothing), 4) for of_run in scores
        ],
        "slices": {
            _encode_cut_text(slicing.column): [
                value and _encode_cut_text(value) for value in slicing.values
            ]
            for slicing in experiment.slicings
        },
    }


def _collect_details(
    experiment: Experiment, depth: int, query_numbers: Sequence[int]
) -> dict[str, Any]:
    """Collect the rankings of some queries, with what their items are called."""
    details = experiment.details
    per_item = len(details.terms.gains) > MANY_LABELS
    rankings: list[dict[str, Any] | None] = [None] * len(experiment.queries)
    for i in query_numbers:
        detail = details.by_query[experiment.queries[i]]
        rankings[i] = detail_to_dict(detail, details.terms, depth, per_item=per_item)
    items = {item for query in rankings if query for item in query["items"]}
    return {
        "titles": _select_texts(details.titles, items, cut=True),
        "urls": _select_texts(details.urls, items, cut=False),
        "depth": depth,
        "details": rankings,
    }


def _select_texts(texts: Mapping[str, str], items: set[str], *, cut: bool) -> dict[str, str]:
    """Select the texts of items, whose ids are encoded, in the order of the texts."""
    pairs = zip(encode_ids(list(texts)), texts.values(), strict=True)
    encode = _encode_cut_text if cut else encode_text
    return {item: encode(text) for item, text in pairs if item in items}


def _encode_cut_text(text: str) -> str:
    return encode_text(cut_text(text, LONGEST))


def make_gains_table(terms: Terms) -> dict[str, float]:
    """Map each label, as a script writes it, to its gain; empty if there are very many labels.

    In that case the details of queries have the gains of their items.
    """
    if len(terms.gains) > MANY_LABELS:
        return {}
    return {format_script_number(label): gain for label, gain in terms.gains.items()}


_BESIDE = (
    *("baseline", "difference", "t_interval_low", "t_interval_high", "relative", "effect"),
    *("p_adjusted", "wins", "ties", "losses", "verdict"),
)


def make_copies(experiment: Experiment) -> dict[str, str]:
    """Return the summary in every format that it can be copied in."""
    comparison = experiment.comparison
    if comparison is None:
        record = experiment.scores[0]
        return {
            "markdown": record.to_markdown(),
            "latex": record.to_latex(),
            "csv": record.to_csv(),
        }
    csv = _make_csv(comparison, experiment.baseline)
    return {"markdown": comparison.to_markdown(), "latex": comparison.to_latex(), "csv": csv}


def _make_csv(comparison: Comparison, baseline: str) -> str:
    """Return a row for every run and measure: its mean, and its difference from the baseline."""
    systems, pairs = (make_comparison_data(comparison, of) for of in ("systems", "pairs"))
    records = [dict(zip(pairs.header, pair, strict=True)) for pair in pairs.rows]
    by_run = {(r["measure"], r["system"]): r for r in records if r["baseline"] == baseline}
    places = systems.header.index("measure"), systems.header.index("system")
    rows = [
        [*row, *(by_run.get((row[places[0]], row[places[1]]), {}).get(name) for name in _BESIDE)]
        for row in systems.rows
    ]
    columns = [column for column in pairs.columns if column.name in _BESIDE]
    columns.sort(key=lambda column: _BESIDE.index(column.name))
    return tables.to_csv(tables.Table([*systems.columns, *columns], rows))


_TIE = 1e-9


def make_page_data(experiment: Experiment, charts: dict[str, Any]) -> dict[str, Any]:
    """Return names, numbers and charts as plain values."""
    runs, comparison, candidate = experiment.runs, experiment.comparison, experiment.candidate
    data: dict[str, Any] = to_jsonable(
        {
            "measure": str(experiment.measures[0]),
            "measures": [str(measure) for measure in experiment.measures],
            "runs": list(runs),
            "baseline": runs.index(experiment.baseline),
            "candidate": None if candidate is None else runs.index(candidate),
            "tie": comparison.tie if comparison else _TIE,
            "explained": _terms_to_dict(experiment),
        }
    )
    return {
        **map_texts(encode_text, data),
        "charts": {**charts, "gains": _draw_growth_chart(experiment)},
        "copies": map_texts(encode_text, make_copies(experiment)),
        "to_judge_csv": export_to_judge_csv(experiment),
        "n_drawn": N_DRAWN,
    }


def _terms_to_dict(experiment: Experiment) -> dict[str, Any]:
    terms = experiment.details.terms
    return {
        "measure": str(terms.measure),
        "cutoff": terms.cutoff,
        "normalized": terms.normalized,
        "capped": terms.capped,
        "divisors": list(terms.divisors),
        "gains": make_gains_table(terms),
    }


def _draw_growth_chart(experiment: Experiment) -> dict[str, Any]:
    """Draw the chart of one query; a script puts in the rows of the open query."""
    ideal = name_ideal(experiment.runs)
    rows = [
        {"panel": panel, "series": series, "rank": rank, "value": 0.0}
        for series in [*select_compared_runs(experiment), ideal]
        for panel in ("CG", "DCG")
        for rank in (1, 2)
    ]
    chart = draw_gains(rows, ideal=ideal, cutoff=experiment.details.terms.cutoff)
    return compile_chart(chart)

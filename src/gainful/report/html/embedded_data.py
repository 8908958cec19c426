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
from collections.abc import Callable
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from gainful.base import FloatArray, Frozen, Record, cached_property, text_of, to_jsonable
from gainful.report import tables
from gainful.report.charts.one_query import draw_gains, name_ideal
from gainful.report.html.model import (
    Detail,
    Experiment,
    Terms,
    order_queries_by_difference,
    select_compared_runs,
)
from gainful.report.html.parts import draw_chart
from gainful.report.html.query_details import add_up_run
from gainful.report.html.sections.coverage import export_holes_csv as held_holes
from gainful.report.html.sections.significance import N_DRAWN
from gainful.report.outputs import map_texts
from gainful.report.score_tables import encode_ids, encode_text
from gainful.report.views import comparison_text as flat
from gainful.stats import Comparison

_EXACT = 2**53  # whole numbers up to which a float is one
_PLAIN = 1e21  # numbers from which on a script writes exponents


def pack(value: object) -> str:
    """Plain values as JSON, compressed, in base64; ids must be valid text.

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
    """The values with so many decimals, None where there is none.

    >>> round_values(np.array([0.123456789, 1.0, np.nan]), 4)
    [0.1235, 1, None]
    """
    return [None if v != v else simplify_number(v) for v in np.round(values, decimals).tolist()]


def cut_text(text: str, longest: int) -> str:
    """The text on one line, its end left out if it is long.

    >>> cut_text("red  shoes for running", 10)
    'red shoes…'
    """
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"


def format_script_number(number: float) -> str:
    """The number as a script writes it, so that it is the name of a property there.

    >>> [format_script_number(number) for number in (2.0, 1e-05, 1e-07, 1e16)]
    ['2', '0.00001', '1e-7', '10000000000000000']
    """
    text = text_of(number)
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
    chosen = list(dict.fromkeys(chain(*rankings, ideal)))
    number = dict(zip(chosen, range(len(chosen)), strict=True)).__getitem__
    labels = [detail.labels[i] for i in chosen]
    data: dict[str, Any] = {
        "items": encode_ids([detail.items[i] for i in chosen]),
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
    """The number that all runs share, or one for each."""
    return (
        simplify_number(best[0])
        if len(set(best)) == 1
        else [simplify_number(record) for record in best]
    )


DEPTHS = (50, 20)
LONGEST = 200  # text or title
_ENDLESS = 10  # ranks that are shown at least where all of them count
_SAMPLE = 100  # queries, from whose size that of all is guessed


@dataclass(eq=False, repr=False)
class DataParts(Frozen):
    """What a page holds of an experiment, in parts that may be left out."""

    experiment: Experiment

    @property
    def n_queries(self) -> int:
        """How many queries there are."""
        return len(self.experiment.queries)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """How many ranks may be shown, the most first: none above the cutoff, if that is held."""
        details = self.experiment.details
        cutoff = details.terms.cutoff
        least = _ENDLESS if cutoff is None or cutoff > details.depth else cutoff
        wanted = {max(depth, least) for depth in (*DEPTHS, least)}
        return tuple(sorted({min(depth, details.depth) for depth in wanted}, reverse=True))

    @property
    def titled(self) -> bool:
        """Whether anything is known of items."""
        return bool(self.experiment.details.titles or self.experiment.details.urls)

    def guess(self, depth: int) -> float:
        """How long the text will be with everything in it, from that of a few queries."""
        step = max(self.n_queries // _SAMPLE, 1)
        chosen = self._order[::step]
        data = len(pack(self._held(depth, chosen, chosen)))
        return len(pack(self._values)) + data * self.n_queries / len(chosen)

    def text(self, depth: int, n_detailed: int, n_titled: int) -> str:
        """All of it, packed, with the rankings and titles of the queries that differ most."""
        detailed, titled = self._order[:n_detailed], self._order[:n_titled]
        return pack({**self._values, **self._held(depth, detailed, titled)})

    @cached_property
    def _order(self) -> list[int]:
        return order_queries_by_difference(self.experiment)

    @cached_property
    def _values(self) -> dict[str, Any]:
        given, scores = self.experiment, self.experiment.scores
        texts = [given.texts.get(query) for query in given.queries]
        first, nothing = given.measures[0], np.full(self.n_queries, np.nan)
        return {
            "queries": encode_ids(given.queries),
            "texts": [t and _encode_cut_text(t) for t in texts] if any(texts) else None,
            "values": [
                [round_values(record.column(m), 6) for record in scores] for m in given.measures
            ],
            "judged": [round_values(record.judged.get(first, nothing), 4) for record in scores],
            "slices": {
                _encode_cut_text(record.column): [v and _encode_cut_text(v) for v in record.values]
                for record in given.slicings
            },
        }

    def _held(self, depth: int, detailed: list[int], titled: list[int]) -> dict[str, Any]:
        chosen: list[Any] = [None] * self.n_queries
        for i in detailed:
            chosen[i] = self._query(depth, i)
        named = (chosen[i]["items"] for i in titled if chosen[i])
        items = dict.fromkeys(chain.from_iterable(named)) if self.titled else ()
        return {
            "titles": {i: _encode_cut_text(self._titles[i]) for i in items if i in self._titles},
            "urls": {i: encode_text(self._urls[i]) for i in items if i in self._urls},
            "depth": depth,
            "details": chosen,
        }

    def _query(self, depth: int, number: int) -> dict[str, Any]:
        """One query, worked out once: several texts are tried."""
        known = self._known.setdefault(depth, {})
        if number not in known:
            details = self.experiment.details
            of = details.of[self.experiment.queries[number]]
            per_item = len(details.terms.gains) > MANY_LABELS
            known[number] = detail_to_dict(of, details.terms, depth, per_item=per_item)
        return known[number]

    @cached_property
    def _known(self) -> dict[int, dict[int, dict[str, Any]]]:
        return {}

    @cached_property
    def _titles(self) -> dict[str, str]:
        titles = self.experiment.details.titles
        return dict(zip(encode_ids(list(titles)), titles.values(), strict=True))

    @cached_property
    def _urls(self) -> dict[str, str]:
        urls = self.experiment.details.urls
        return dict(zip(encode_ids(list(urls)), urls.values(), strict=True))


def _encode_cut_text(text: str) -> str:
    return encode_text(cut_text(text, LONGEST))


_LEAST, _PER_QUERY, _MOST = 220_000, 260, 1_200_000  # characters of a budget
_TRIES = 6
_AIM, _CLOSE = 0.99, 0.97  # shares of a budget: what is aimed at, and what is near enough
_WORTH = 1.2  # budgets; what is guessed to be larger is not tried


@dataclass(eq=False, repr=False)
class BulkData(Record):
    """The large data of a page.

    Attributes:
        text: All of it, packed.
        n_detailed: How many queries have their rankings in it: those that differ most.
        depth: How many ranks of each.
        n_titled: How many of them have the titles and urls of their items in it, where there are
            any.
    """

    text: str
    n_detailed: int
    depth: int
    n_titled: int


def make_bulk_data(experiment: Experiment, *, budget: int | None = None) -> BulkData:
    """The large data of a page, as much of it as fits.

    Rankings go down to rank 50, 20 or to the cutoff: to the deepest of them at which all fits. If
    none does, titles are left out first, then rankings, those of the queries that differ least.

    Args:
        experiment: What is reported.
        budget: How many characters may be written, beside about a million of all else; by default
            220,000 and 260 for each query, at most 1,200,000. Queries and values are written
            whatever their size.
    """
    parts = DataParts(experiment)
    n = parts.n_queries
    budget = min(_LEAST + _PER_QUERY * n, _MOST) if budget is None else budget
    for depth in parts.depths:
        if parts.guess(depth) <= _WORTH * budget:
            text = parts.text(depth, n, n)
            if len(text) <= budget:
                return BulkData(text, n, depth, n)
    largest = parts.guess(depth)
    if parts.titled:
        bare = parts.text(depth, n, 0)
        if len(bare) <= budget:
            texts = _GrowingTexts(lambda titled: parts.text(depth, n, titled), bare, n, largest)
            text, n_titled = texts.most(budget)
            return BulkData(text, n, depth, n_titled)
    empty = parts.text(depth, 0, 0)
    texts = _GrowingTexts(lambda data: parts.text(depth, data, data), empty, n, largest)
    text, n_held = texts.most(budget)
    return BulkData(text, n_held, depth, n_held)


class _GrowingTexts(NamedTuple):
    """Texts that grow with a number, from the smallest on to one that is known not to fit."""

    of: Callable[[int], str]
    smallest: str
    most_of: int
    largest: float

    def most(self, budget: int) -> tuple[str, int]:
        """The longest text that fits, as far as a few tries tell, and its number."""
        low, text, high, longest = 0, self.smallest, self.most_of, self.largest
        for _ in range(_TRIES):
            if high - low < 2 or len(text) > _CLOSE * budget:
                break
            share = (_AIM * budget - len(text)) / max(longest - len(text), 1.0)
            middle = low + min(max(int(share * (high - low)), 1), high - low - 1)
            tried = self.of(middle)
            if len(tried) <= budget:
                low, text = middle, tried
            else:
                high, longest = middle, len(tried)
        return text, low


def make_gains_table(terms: Terms) -> dict[str, float]:
    """The gain of each label, by its text in a script; empty if there are very many labels.

    The details of queries have the gains of their items then.
    """
    if len(terms.gains) > MANY_LABELS:
        return {}
    return {format_script_number(label): gain for label, gain in terms.gains.items()}


_BESIDE = (
    *("baseline", "difference", "t_interval_low", "t_interval_high", "relative", "effect"),
    *("p_adjusted", "wins", "ties", "losses", "verdict"),
)


def make_copies(experiment: Experiment) -> dict[str, str]:
    """The summary in every language that it can be copied in."""
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
    """A row for every run and measure: its mean, and how it differs from the baseline."""
    header, systems = flat.make_comparison_cells(comparison, "systems", "report", empty="")
    names, pairs = flat.make_comparison_cells(comparison, "pairs", "report", empty="")
    each = [dict(zip(names, pair, strict=True)) for pair in pairs]
    found = {
        (record["measure"], record["system"]): record
        for record in each
        if record["baseline"] == baseline
    }
    places = header.index("measure"), header.index("system")
    rows = []
    for row in systems:
        measure, system = (row[place] for place in places)
        beside = found.get((measure, system), {})
        rows.append([*row, *(beside.get(name, "") for name in _BESIDE)])
    return tables.to_csv([*header, *_BESIDE], rows)


_TIE = 1e-9


def make_page_data(experiment: Experiment, charts: dict[str, Any]) -> dict[str, Any]:
    """Names, numbers and charts, as plain values."""
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
        "holes_csv": held_holes(experiment),
        "n_drawn": N_DRAWN,
    }


def _terms_to_dict(experiment: Experiment) -> dict[str, Any]:
    terms = experiment.details.terms
    return {
        "measure": str(terms.measure),
        "cutoff": terms.cutoff,
        "normalised": terms.normalised,
        "capped": terms.capped,
        "divisors": list(terms.divisors),
        "gains": make_gains_table(terms),
    }


def _draw_growth_chart(experiment: Experiment) -> dict[str, Any]:
    """The chart of one query; a script puts the rows of the query that is opened in their place."""
    ideal = name_ideal(experiment.runs)
    rows = [
        {"panel": panel, "series": series, "rank": rank, "value": 0.0}
        for series in [*select_compared_runs(experiment), ideal]
        for panel in ("CG", "DCG")
        for rank in (1, 2)
    ]
    chart = draw_gains(rows, ideal=ideal, cutoff=experiment.details.terms.cutoff)
    return draw_chart(chart, "gains").spec

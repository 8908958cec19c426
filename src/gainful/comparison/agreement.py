"""Agreement: whether measures rank systems alike, and whether runs return the same items."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gainful import tables
from gainful.comparison.agreement_pairs import MeasureAgreement, RunAgreement, in_short
from gainful.comparison.digits import decimals, ends
from gainful.measures import Measure
from gainful.notices import Notice
from gainful.plain import plain, to_json
from gainful.records import Frozen, Record
from gainful.rules import Rules
from gainful.shapes import valid
from gainful.wording import count

if TYPE_CHECKING:
    import polars

_TIDY = ("between", "first", "second", "statistic", "value", "low", "high")


@dataclass(eq=False, repr=False)
class Agreement(Frozen):
    """Every pair of measures, and every pair of runs.

    As a table it is tidy: a row for every pair and statistic (``between``, ``first``, ``second``,
    ``statistic``, ``value``, ``low``, ``high``).

    Attributes:
        measures: How alike each pair of measures ranks the runs.
        runs: How alike the rankings of each pair of runs are.
        means: What every run scores: by run, then by measure.
        n_queries: How many queries there are judgments for.
        p: The persistence of the rank-biased overlap.
        top: How many items of every ranking were compared.
        level: How sure the intervals are.
        seed: What the random numbers started from.
        resamples: How often the queries were drawn anew.
        rules: The rules under which the values hold.
        notices: What a reader of the numbers should know.
    """

    measures: tuple[MeasureAgreement, ...]
    runs: tuple[RunAgreement, ...]
    means: Mapping[str, Mapping[str, float]]
    n_queries: int
    p: float
    top: int
    level: float
    seed: int
    resamples: int
    rules: Rules
    notices: tuple[Notice, ...] = field(default=())

    @property
    def sentences(self) -> list[str]:
        """What every pair says, in plain words: measures, then runs."""
        return [*(pair.sentence for pair in self.measures), *map(self._about_runs, self.runs)]

    def _about_runs(self, pair: RunAgreement) -> str:
        ranks = count(self.top, "rank", "ranks")
        return (
            f"{pair.first} and {pair.second} share {pair.shared:.0%} of the items in their first "
            f"{ranks}: rank-biased overlap {pair.rbo:.2f}{in_short(pair.interval)} over "
            f"{count(pair.n_queries, 'query', 'queries')}."
        )

    def rows(self) -> Iterator[tuple[str, str, str, str, float, float, float]]:
        """The rows of the tidy table; NaN where a statistic has no interval, or no value."""
        for of in self.measures:
            names = ("measures", str(of.first), str(of.second))
            yield (*names, "tau", of.tau, *of.interval)
            yield (*names, "tau_ap", of.tau_ap, math.nan, math.nan)
            yield (*names, "weighted_tau", of.weighted_tau, math.nan, math.nan)
            yield (*names, "rbo", of.rbo, math.nan, math.nan)
        for pair in self.runs:
            names = ("runs", pair.first, pair.second)
            yield (*names, "rbo", pair.rbo, *pair.interval)
            yield (*names, "shared", pair.shared, *pair.shared_interval)
            yield (*names, "tau", pair.tau, *pair.tau_interval)

    def cells(self, *, empty: str = "") -> tuple[list[str], list[list[str]]]:
        """The tidy table as text, at full precision; ``empty`` where there is no value."""
        numbers = [[empty if math.isnan(n) else repr(n) for n in row[4:]] for row in self.rows()]
        rows = [[*row[:4], *cells] for row, cells in zip(self.rows(), numbers, strict=True)]
        return list(_TIDY), rows

    def to_polars(self) -> "polars.DataFrame":
        """The tidy table as a polars frame, null where there is no value."""
        import polars

        kinds = {name: polars.Float64 if i > 3 else polars.String for i, name in enumerate(_TIDY)}
        rows = [[*valid(row[:4]), *row[4:]] for row in self.rows()]
        return polars.DataFrame(rows, schema=kinds, orient="row").fill_nan(None)

    def to_dict(self) -> dict[str, Any]:
        """Everything there is, as plain values; NaN is None."""
        return {
            "measures": [_fields(pair) | {"sentence": pair.sentence} for pair in self.measures],
            "runs": [_fields(pair) | {"sentence": self._about_runs(pair)} for pair in self.runs],
            "means": plain(self.means),
            **{name: getattr(self, name) for name in _SETTINGS},
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Everything there is, as JSON; floats at full precision."""
        return to_json(self.to_dict(), indent=indent)

    def to_csv(self) -> str:
        """The tidy table as comma-separated values; floats at full precision."""
        return tables.to_csv(*self.cells())

    def to_tsv(self) -> str:
        """The same, tab-separated; nan where there is no value, so that every line has 7 fields."""
        header, rows = self.cells(empty="nan")
        return tables.to_tsv([header, *rows])

    def to_text(self) -> str:
        """Tables of measures and runs for people, then what they say."""
        parts = [tables.to_text(*table, left=(0, 1)) for table in self._tables()]
        return "\n".join([*parts, "".join(f"{sentence}\n" for sentence in self.sentences)])

    def to_markdown(self) -> str:
        """The same in Markdown, followed by rules and notices."""
        parts = [tables.to_markdown(*table) for table in self._tables()]
        parts.append("".join(f"- {sentence}\n" for sentence in self.sentences))
        parts.append(f"{self.settings}. Rules: `{self.rules}`\n")
        notes = "".join(f"- {notice} `[{notice.code}]`\n" for notice in self.notices)
        return "\n".join([*parts, *([notes] if notes else [])])

    @property
    def settings(self) -> str:
        """What the numbers depend on, beside the rules."""
        return (
            f"{count(self.n_queries, 'query', 'queries')}, {self.level:.0%} intervals, "
            f"p {self.p:g}, top {self.top}, {self.resamples:,} resamples, seed {self.seed}"
        )

    def __repr__(self) -> str:
        pairs = count(len(self.measures), "pair of measures", "pairs of measures")
        runs = count(len(self.runs), "pair of runs", "pairs of runs")
        head = f"<Agreement of {pairs} and {runs}>"
        return "\n".join([head, *self.sentences, *(notice.line for notice in self.notices)])

    def _tables(self) -> Iterator[tuple[list[str], list[list[str]]]]:
        if self.measures:
            taus = ["tau", "interval", "tau_ap", "weighted tau", "RBO"]
            head = ["measure", "with", *taus, "alike", "swaps"]
            yield head, [_measure_row(pair) for pair in self.measures]
        head = ["run", "with", "RBO", "interval", "bounds", f"shared@{self.top}", "tau"]
        yield head, [_run_row(pair) for pair in self.runs]


_SETTINGS = ("n_queries", "p", "top", "level", "seed", "resamples")


def _measure_row(pair: MeasureAgreement) -> list[str]:
    tau = [decimals(pair.tau), ends(pair.interval)]
    others = [decimals(value) for value in (pair.tau_ap, pair.weighted_tau, pair.rbo)]
    alike = [f"{pair.n_alike}/{pair.n_pairs}", str(len(pair.swaps))]
    return [str(pair.first), str(pair.second), *tau, *others, *alike]


def _run_row(pair: RunAgreement) -> list[str]:
    numbers = [decimals(pair.rbo), ends(pair.interval), ends(pair.bounds)]
    return [pair.first, pair.second, *numbers, decimals(pair.shared), decimals(pair.tau)]


def _fields(pair: Record) -> dict[str, Any]:
    fields: dict[str, Any] = plain(vars(pair))
    return {n: str(value) if isinstance(value, Measure) else value for n, value in fields.items()}

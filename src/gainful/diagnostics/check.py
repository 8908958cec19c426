"""check(): find everything that is odd about qrels and runs, at once."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, cast, runtime_checkable

import numpy as np

from gainful.alignment import (
    CHECKED_ITEMS,
    CHECKED_QUERIES,
    Joined,
    JoinStats,
    Rules,
    collect_label_stats,
    collect_samples,
    join,
)
from gainful.base import (
    Progress,
    ReadOptions,
    Result,
    _native,
    format_count,
    format_repr,
)
from gainful.diagnostics.data_notices import (
    BadLines,
    RefusedInput,
    RepeatedItems,
    SwappedFiles,
    compare_depths,
    diagnose_depth,
    diagnose_label_scale,
    diagnose_labels,
    suggest_id_fix,
)
from gainful.diagnostics.diagnose import check_joined_run, diagnose_judgments, find_join_notices
from gainful.diagnostics.id_mismatch import FEW_MATCHES, find_item_fix, find_query_fix
from gainful.diagnostics.notices import SEVERITIES, Notice
from gainful.errors import GainfulError, RuleError
from gainful.sources import (
    Judgments,
    RowLocator,
    Run,
    Source,
    has_item_ids,
    index_qrels,
    is_path,
    read_run,
)

_NOUNS = {
    "error": ("error", "errors"),
    "warning": ("warning", "warnings"),
    "info": ("note", "notes"),
}


@dataclass(frozen=True, eq=False, repr=False)
class Findings(Result):
    """The findings of a check of qrels and runs.

    Attributes:
        findings: The notices, most severe first.
        n_queries: How many queries have judgments.
        n_judgments: How many judgments there are.
        rows: How many items every run has, by its name.
        rules: The rules of the joins.

    >>> import gainful
    >>> gainful.check({"q1": {"d1": 1, "d2": 0}}, {"q1": ["d1", "d2"]})
    nothing odd in 1 query, 2 judgments, 1 run of 2 items
    """

    findings: tuple[Notice, ...]
    n_queries: int
    n_judgments: int
    rows: dict[str, int]
    rules: Rules

    _view = "view_findings"

    def __post_init__(self) -> None:
        order = list(SEVERITIES)
        ranked = sorted(self.findings, key=lambda notice: order.index(notice.severity))
        object.__setattr__(self, "findings", tuple(ranked))

    def counts(self) -> dict[str, int]:
        """Return the number of findings of each severity."""
        severities = [notice.severity for notice in self.findings]
        return {severity: severities.count(severity) for severity in SEVERITIES}

    @property
    def has_errors(self) -> bool:
        """True if a finding makes a number wrong, or is refused by ``evaluate``."""
        return self.counts()["error"] > 0

    @property
    def summary(self) -> str:
        """The number of findings and the size of the data, on one line."""
        findings = [
            format_count(n, *_NOUNS[severity]) for severity, n in self.counts().items() if n
        ]
        data = [format_count(self.n_queries, "query", "queries")]
        data += [format_count(self.n_judgments, "judgment", "judgments")]
        if self.rows:
            items = format_count(sum(self.rows.values()), "item", "items")
            data += [f"{format_count(len(self.rows), 'run', 'runs')} of {items}"]
        return f"{', '.join(findings) or 'nothing odd'} in {', '.join(data)}"

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain Python values."""
        return {
            "counts": self.counts(),
            "findings": [notice.to_dict() for notice in self.findings],
            "n_queries": self.n_queries,
            "n_judgments": self.n_judgments,
            "rows": self.rows,
            "rules": self.rules.to_dict(),
        }


_NUL = b"\0"
_Repeat = tuple[str, int, int, bytes, bytes, bytes, float, float]
# Fields expected and found where qrels and run are swapped.
_FIELD_COUNTS = {"qrels": (4, 6), "run": (6, 4)}


class _CheckedRun(NamedTuple):
    """A run, its findings and its size."""

    run: Run
    findings: tuple[Notice, ...]
    n_rows: int = 0
    depth: int = 0
    looks_like_qrels: bool = False


@runtime_checkable
class OpenedData(Protocol):
    """A ``Collection``, whose package is to the right of this one."""

    qrels: Any
    runs: tuple[Run, ...]
    rules: Rules
    read_options: ReadOptions

    def select(self, runs: object) -> "OpenedData":
        """Return the collection with some of its runs, by name."""
        ...

    def refuse_options(self, **options: object) -> None:
        """Raise an error if an option is set, of which a collection has its own."""

    def open_file(self, source: Any) -> Any:
        """Return the open file at a path; return any other source as it is."""


def check(
    qrels: Source | Judgments | OpenedData,
    *runs: Source | Run,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[Any, float] | None = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Findings:
    """Find everything that is odd about qrels and runs, not only the first error.

    Lines that cannot be read are counted and skipped. Whatever ``evaluate`` refuses under the same
    rules is a finding of severity "error", and so is whatever makes its numbers wrong.

    Args:
        qrels: As for ``evaluate``.
        runs: As for ``evaluate``; there may be none. Of a collection, the names of runs; all of
            them if not given.
        format: The format of the qrels, as for ``read_qrels``.
        columns: The names of the columns of the qrels, as for ``read_qrels``.
        labels: The labels of words, as for ``read_qrels``.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    Returns:
        The findings, most severe first.

    Raises:
        RuleError: The rules are not ``Rules``.

    >>> check({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 0.5, "d2": float("inf")}})
    warning  run 'run': 1 score is infinite, first on row 2; equal ones are tied. [infinite-scores]
    <BLANKLINE>
    1 warning in 1 query, 2 judgments, 1 run of 2 items
    """
    if rules is not None and not isinstance(rules, Rules):
        message = f"rules: must be Rules(...), got {format_repr(rules)}."
        raise RuleError(message, code="bad-rule")
    read_options = ReadOptions(threads, progress)
    open_source: Callable[[Any], Any] = lambda source: source  # noqa: E731
    if isinstance(qrels, OpenedData):
        qrels.refuse_options(rules=rules, threads=threads, progress=progress)
        collection = qrels.select(runs or None)
        runs, rules, read_options = collection.runs, collection.rules, collection.read_options
        open_source = collection.open_file
        qrels = cast("Source | Judgments", open_source(collection.qrels))
    rules = (rules or Rules()).resolve_ties(has_ids=has_item_ids(qrels))
    read_options = replace(read_options, lenient=True)
    lenient = replace(rules, duplicates="max") if rules.duplicate_rule == "error" else rules
    refusals: list[Notice] = []
    try:
        judgments = index_qrels(
            qrels, lenient, read_options, format=format, columns=columns, labels=labels
        )
    except GainfulError as error:
        judgments = index_qrels({}, lenient, read_options)
        refusals = [RefusedInput(error.code, "qrels", str(error))]
    results = [
        _check_run(
            judgments, replace(run, source=open_source(run.source)), rules, lenient, read_options
        )
        for run in _name_runs(runs)
    ]
    return _collect_findings(judgments, results, rules, refusals)


def check_joins(joins: Sequence[Joined]) -> Findings:
    """Find what ``check`` finds, in runs that were joined without an error."""
    judgments, rules = joins[0].judgments, joins[0].rules
    results = [_summarize_run(joined, rules) for joined in joins]
    return _collect_findings(judgments, results, rules)


def _collect_findings(
    judgments: Judgments,
    results: Sequence[_CheckedRun],
    rules: Rules,
    refusals: Sequence[Notice] = (),
) -> Findings:
    findings: list[Notice] = [*_find_swapped(judgments, results)]
    if not findings:
        findings = [*refusals, *_diagnose_qrels(judgments, rules, refused=bool(refusals))]
        findings += [notice for result in results for notice in result.findings]
        names = [result.run.name for result in results]
        findings += compare_depths(names, [result.depth for result in results])
    return Findings(
        findings=tuple(dict.fromkeys(findings)),
        n_queries=len(judgments.queries),
        n_judgments=len(judgments.pool_label),
        rows={result.run.name: result.n_rows for result in results},
        rules=rules,
    )


def _diagnose_qrels(judgments: Judgments, rules: Rules, *, refused: bool) -> Iterator[Notice]:
    index, name = judgments.index, judgments.name
    yield from _list_faults(judgments.locator, index.odd)
    if not judgments.queries and not refused and not index.odd.faults:
        yield RefusedInput("nothing-in-it", name, f"{name}: there are no judgments in it.")
    if rules.duplicate_rule == "error":
        yield from _list_repeats(judgments.locator, index.n_duplicates, index.repeat)
    yield from diagnose_judgments(judgments, rules)
    yield from diagnose_labels(JoinStats(**collect_label_stats(judgments)))
    yield from diagnose_label_scale(judgments.pool_label)


def _check_run(
    judgments: Judgments, run: Run, rules: Rules, lenient: Rules, read_options: ReadOptions
) -> _CheckedRun:
    try:
        joined = join(
            judgments,
            run,
            lenient,
            read_options,
            keep_top=CHECKED_ITEMS,
            keep_top_queries=CHECKED_QUERIES,
        )
    except GainfulError as error:
        return _CheckedRun(run, (RefusedInput(error.code, run.place, str(error)),))
    return _summarize_run(joined, rules)


def _summarize_run(joined: Joined, rules: Rules) -> _CheckedRun:
    aligner, aligned = joined.aligner, joined.aligned
    return _CheckedRun(
        joined.run,
        findings=tuple(_diagnose_run(joined, rules)),
        n_rows=aligner.n_rows,
        depth=int(aligned.n_retrieved.max(initial=0)),
        looks_like_qrels=not aligner.n_rows and _has_fields_of_other(aligner.odd, "run"),
    )


def _diagnose_run(joined: Joined, rules: Rules) -> Iterator[Notice]:
    joined = joined.under(rules)
    judgments, run, _, aligner, aligned, *_ = joined
    yield from _list_faults(joined.locator, aligner.odd)
    if rules.duplicate_rule == "error":
        yield from _list_repeats(joined.locator, aligned.n_duplicates, aligner.repeat)
    if not judgments.queries:
        return
    try:
        check_joined_run(joined)
    except GainfulError as error:
        if aligner.n_rows or not aligner.odd.faults:
            yield RefusedInput(error.code, run.place, str(error))
    if not aligned.in_run.any():
        return
    notices = find_join_notices(joined, all_close=True)
    # Refused repeats are among the findings already.
    refused = {"duplicate-items", "duplicate-judgments"} if rules.duplicate_rule == "error" else ()
    yield from (notice for notice in notices if notice.code not in refused)
    yield from diagnose_depth(judgments, run, aligned)
    yield from _diagnose_ids(joined)


def _diagnose_ids(joined: Joined) -> Iterator[Notice]:
    """Suggest a change to ids where few match."""
    judgments, run, _, aligner, aligned, ranked, *_ = joined
    if aligned.in_run.mean() < FEW_MATCHES and aligner.strangers:
        shared_numbers = np.flatnonzero(aligned.in_run)
        missing_numbers = np.flatnonzero(aligned.in_run == 0)
        fix = find_query_fix(
            (judgments.queries[i] for i in shared_numbers),
            (judgments.queries[i] for i in missing_numbers),
            aligner.strangers,
        )
        yield from suggest_id_fix(run.name, "queries", fix)
    shared = np.diff(ranked.pool_offsets)[aligned.in_run != 0]
    # Where no item matches, there is a notice already.
    if 0 < len(ranked.hit_rank) < FEW_MATCHES * int(shared.sum()):
        fix = find_item_fix(collect_samples(joined), int(aligned.n_retrieved.sum()))
        yield from suggest_id_fix(run.name, "items", fix)


def _list_faults(locator: RowLocator, bad_rows: _native.Odd) -> Iterator[Notice]:
    # Text in another encoding has many faults, for one reason.
    foreign = [fault for fault in bad_rows.faults if _NUL in fault[1][3]]
    faults = [fault for fault in bad_rows.faults if fault not in foreign]
    if foreign:
        faults.insert(0, (sum(n for n, _ in foreign), foreign[0][1]))
    for n_lines, first in faults:
        error = locator.explain_error(_native.BadInput(*first))
        yield BadLines(error.code, locator.place, first[0], n_lines, str(error))


def _list_repeats(locator: RowLocator, n_repeats: int, first: _Repeat | None) -> Iterator[Notice]:
    if first is not None:
        error = locator.explain_error(_native.BadInput(*first))
        yield RepeatedItems(error.code, locator.place, n_repeats, str(error))


def _find_swapped(judgments: Judgments, results: Sequence[_CheckedRun]) -> Iterator[Notice]:
    if not judgments.queries and _has_fields_of_other(judgments.index.odd, "qrels"):
        yield from (
            SwappedFiles("looks-swapped", judgments.name, result.run.place)
            for result in results
            if result.looks_like_qrels
        )


def _has_fields_of_other(bad_rows: _native.Odd, kind: str) -> bool:
    """Return True if lines have as many fields as the other kind of file."""
    return any(
        first[0] == "fields" and first[6:] == _FIELD_COUNTS[kind] for _, first in bad_rows.faults
    )


def _name_runs(sources: Sequence[Source | Run]) -> list[Run]:
    """Return the runs, named by path or number where two have the same name."""
    runs = [read_run(source) for source in sources]
    count = Counter(run.name for run in runs)
    return [
        run if count[run.name] == 1 else replace(run, name=_distinct_name(run, number))
        for number, run in enumerate(runs, start=1)
    ]


def _distinct_name(run: Run, number: int) -> str:
    return run.place if is_path(run.source) else f"{run.name} {number}"

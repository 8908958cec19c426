"""check(): everything that is odd about qrels and runs, said at once."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gainful import _native
from gainful.about_joins import about_join, about_judgments
from gainful.align import join, selected
from gainful.asked import as_rules
from gainful.data_notices import BadLines, Refused, RepeatedItems, Swapped
from gainful.errors import GainfulError
from gainful.facts import Facts
from gainful.findings import Findings
from gainful.joined import Joined, label_facts
from gainful.near_ids import FEW, HEADED, HEADS, near_items, near_queries, samples
from gainful.notices import Notice
from gainful.oddities import about_depth, about_depths, about_labels, about_near, about_scale
from gainful.rules import Rules
from gainful.sources import (
    Handed,
    Judgments,
    Progress,
    Reading,
    Run,
    Source,
    index_qrels,
    is_path,
    read_run,
)

_NUL = b"\0"
_SHAPES = {"qrels": (4, 6), "run": (6, 4)}  # fields expected and found where the two are swapped


class _Checked(NamedTuple):
    """What was found in one run, and what it holds."""

    run: Run
    findings: tuple[Notice, ...]
    n_rows: int = 0
    deepest: int = 0
    like_qrels: bool = False


def check(
    qrels: Source | Judgments,
    *runs: Source | Run,
    format: str | None = None,
    columns: Mapping[str, str] | None = None,
    labels: Mapping[Any, float] | None = None,
    rules: Rules | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Findings:
    """What is odd about qrels and runs: everything, not only the first thing that is wrong.

    Lines that cannot be read are counted and skipped. Whatever ``evaluate`` refuses under the same
    rules is a finding of severity "error", and so is what makes its numbers wrong.

    Args:
        qrels: As for ``evaluate``.
        runs: As for ``evaluate``; there may be none.
        format: The format of the qrels, as for ``read_qrels``.
        columns: What the columns of the qrels are called, as for ``read_qrels``.
        labels: What words mean as labels, as for ``read_qrels``.
        rules: As for ``evaluate``.
        threads: As for ``evaluate``.
        progress: As for ``evaluate``.

    >>> check({"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 0.5, "d2": float("inf")}})
    warning: run 'run': 1 score is infinite, first on row 2; equal ones are tied. [infinite-scores]
    1 warning in 1 query, 2 judgments, 1 run of 2 items
    """
    rules, reading = as_rules(rules), Reading(threads, progress, lenient=True)
    lenient = replace(rules, duplicates="max") if rules.kept == "error" else rules
    said: Any = {"format": format, "columns": columns, "labels": labels}
    judgments, wrong = _indexed(qrels, lenient, reading, **said)
    each = [_checked(judgments, run, rules, lenient, reading) for run in _named(runs)]
    findings: list[Notice] = [*_swapped(judgments, each)]
    if not findings:
        findings = [*wrong, *_about_qrels(judgments, rules, refused=bool(wrong))]
        findings += [found for one in each for found in one.findings]
        findings += about_depths([one.run.name for one in each], [one.deepest for one in each])
    return Findings(
        findings=tuple(dict.fromkeys(findings)),
        n_queries=len(judgments.queries),
        n_judgments=len(judgments.pool_label),
        rows={one.run.name: one.n_rows for one in each},
        rules=rules,
    )


def _indexed(
    qrels: Source | Judgments, rules: Rules, reading: Reading, **said: Any
) -> tuple[Judgments, list[Notice]]:
    """The judgments; none, and why, where they cannot be read at all."""
    try:
        return index_qrels(qrels, rules, reading, **said), []
    except GainfulError as error:
        return index_qrels({}, rules, reading), [Refused(error.code, "qrels", str(error))]


def _about_qrels(judgments: Judgments, rules: Rules, *, refused: bool) -> Iterator[Notice]:
    index, name = judgments.index, judgments.name
    yield from _faults(judgments.handed, index.odd)
    if not judgments.queries and not refused and not index.odd.faults:
        yield Refused("nothing-in-it", name, f"{name}: there are no judgments in it.")
    if rules.kept == "error":
        yield from _repeats(judgments.handed, index.n_duplicates, index.repeat)
    yield from about_judgments(judgments, rules)
    yield from about_labels(Facts(**label_facts(judgments)))
    yield from about_scale(judgments.pool_label)


def _checked(
    judgments: Judgments, run: Run, rules: Rules, lenient: Rules, reading: Reading
) -> _Checked:
    try:
        joined = join(judgments, run, lenient, reading, heads=HEADS, headed=HEADED)
    except GainfulError as error:
        return _Checked(run, (Refused(error.code, run.place, str(error)),))
    aligner, aligned, *_ = joined
    return _Checked(
        run,
        findings=tuple(_about_run(judgments, run, rules, joined)),
        n_rows=aligner.n_rows,
        deepest=int(aligned.n_retrieved.max(initial=0)),
        like_qrels=not aligner.n_rows and _has_shape(aligner.odd, "run"),
    )


def _about_run(judgments: Judgments, run: Run, rules: Rules, joined: Joined) -> Iterator[Notice]:
    aligner, aligned, *_ = joined
    yield from _faults(joined.handed, aligner.odd)
    if rules.kept == "error":
        yield from _repeats(joined.handed, aligned.n_duplicates, aligner.repeat)
    if not judgments.queries:
        return
    try:
        selected(judgments, run, rules, joined)
    except GainfulError as error:
        if aligner.n_rows or not aligner.odd.faults:
            yield Refused(error.code, run.place, str(error))
    if not aligned.in_run.any():
        return
    said = tuple(about_join(judgments, run, rules, joined, all_close=True))
    # Repeats are spoken of already where they are refused.
    refused = {"duplicate-items", "duplicate-judgments"} if rules.kept == "error" else ()
    yield from (one for one in said if one.code not in refused)
    yield from about_depth(judgments, run, aligned)
    yield from _about_ids(judgments, run, joined)


def _about_ids(judgments: Judgments, run: Run, joined: Joined) -> Iterator[Notice]:
    """Why ids do not match, where few do."""
    aligner, aligned, ranked, *_ = joined
    if aligned.in_run.mean() < FEW and aligner.strangers:
        known = np.flatnonzero(aligned.in_run)
        missing = np.flatnonzero(aligned.in_run == 0)
        near = near_queries(
            (judgments.queries[i] for i in known),
            (judgments.queries[i] for i in missing),
            aligner.strangers,
        )
        yield from about_near(run.name, "queries", near)
    shared = np.diff(ranked.pool_offsets)[aligned.in_run != 0]
    # Where there is none at all, that is said already.
    if 0 < len(ranked.hit_rank) < FEW * int(shared.sum()):
        near = near_items(samples(judgments, aligned), int(aligned.n_retrieved.sum()))
        yield from about_near(run.name, "items", near)


def _faults(handed: Handed, odd: _native.Odd) -> Iterator[Notice]:
    # Text in another encoding is wrong in many ways, for one reason.
    foreign = [fault for fault in odd.faults if _NUL in fault[1][3]]
    told = [fault for fault in odd.faults if fault not in foreign]
    if foreign:
        told.insert(0, (sum(n for n, _ in foreign), foreign[0][1]))
    for n_lines, first in told:
        error = handed.worded(_native.BadInput(*first))
        yield BadLines(error.code, handed.place, first[0], n_lines, str(error))


def _repeats(handed: Handed, n_repeats: int, first: Any) -> Iterator[Notice]:
    if first is not None:
        error = handed.worded(_native.BadInput(*first))
        yield RepeatedItems(error.code, handed.place, n_repeats, str(error))


def _swapped(judgments: Judgments, each: Sequence[_Checked]) -> Iterator[Notice]:
    if not judgments.queries and _has_shape(judgments.index.odd, "qrels"):
        yield from (
            Swapped("looks-swapped", judgments.name, one.run.place)
            for one in each
            if one.like_qrels
        )


def _has_shape(odd: _native.Odd, holds: str) -> bool:
    """Whether its lines have as many fields as the other kind of file has."""
    return any(first[0] == "fields" and first[6:] == _SHAPES[holds] for _, first in odd.faults)


def _named(sources: Sequence[Source | Run]) -> list[Run]:
    """The runs, called by their file's name, or by their path or number where two have the same."""
    runs = [read_run(source) for source in sources]
    count = Counter(run.name for run in runs)
    return [
        run if count[run.name] == 1 else replace(run, name=_apart(run, number))
        for number, run in enumerate(runs, start=1)
    ]


def _apart(run: Run, number: int) -> str:
    return run.place if is_path(run.source) else f"{run.name} {number}"

"""The queries that trec_eval evaluates, and what their rankings are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from gainful.adapters.trec_eval.command_line import Arguments, Exit
from gainful.adapters.trec_eval.measure_list import atof, atol
from gainful.adapters.trec_eval.reading import (
    GROUPS,
    PREFERENCES,
    QRELS_PREFERENCES,
    encode_text,
    join_run,
    make_rules,
    read_content,
    read_judgments_file,
    read_native_run,
    read_run_columns,
    refuse_file,
    split_rows,
)
from gainful.alignment import (
    AlignedPart,
    GroupStats,
    JudgedRankings,
    Rules,
    align_groups,
    align_preferences,
    join,
)
from gainful.base import BoolArray, IntArray, count, examples, ragged
from gainful.diagnostics import check_join, name_sources
from gainful.errors import AlignError, PreferenceError, SourceError
from gainful.sources import Columns, GroupedJudgments, Judgments, PreferenceJudgments, Run, read_run

_PREFS = "trec_eval.form_prefs_counts"


@dataclass(eq=False, repr=False)
class EvaluatedRankings:
    """What is to be measured.

    Attributes:
        ranked: The rankings of the queries that are evaluated.
        order: Their numbers in byte order, in which trec_eval takes them.
        bogus: Which of them the run does not have; they are there with -c alone.
        n_judged: How many queries the qrels have.
        n_relevant: How many judgments of all queries are relevant.
        tag: The name that the run gives itself.
        failure: What is said on standard error before the program ends after these queries.
        needs_measure: Whether the failure is one of a measure that reads the rankings.
        said: What else is said on standard error.
    """

    ranked: Any
    order: IntArray
    bogus: BoolArray
    n_judged: int
    n_relevant: int
    tag: str
    failure: str = ""
    needs_measure: bool = True
    said: str = ""

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries in byte order."""
        return tuple(self.ranked.queries[i] for i in self.order.tolist())

    def keep(self, first: int) -> None:
        """Leave out all but the first queries."""
        kept = self.order[:first]
        self.ranked, self.bogus = self.ranked.select(kept), self.bogus[kept]
        self.order = np.arange(len(kept))


def read_judged_rankings(arguments: Arguments) -> EvaluatedRankings:
    """The rankings that plain qrels and a run make."""
    qrels, results = arguments.files
    judgments, judged_twice, labels = read_judgments_file(qrels, arguments)
    _check_results_format(arguments)
    ranked, in_run, tag, found_twice = join_run(judgments, results, arguments)
    evaluated = select_queries(ranked, in_run, tag, arguments)
    evaluated.n_relevant = int((labels >= _get_relevance_level(arguments)).sum())
    _cut_at_repeats(evaluated, arguments, found_twice, judged_twice)
    evaluated.ranked = _apply_arguments(evaluated, arguments)
    return evaluated


def read_grouped_rankings(arguments: Arguments) -> EvaluatedRankings:
    """The rankings that qrels with judgment groups and a run make."""
    path, _ = arguments.files
    fields = split_rows(path, read_content(path, GROUPS), GROUPS, arguments)
    fields.sort(key=lambda row: [encode_text(text) for text in row[:3]])
    query, group, item, label = ([row[i] for row in fields] for i in range(4))
    for above, row in pairwise(fields):
        if above[:3] == row[:3]:
            raise refuse_file(path, f"trec_eval.get_qrels: duplicate docs {row[2]}\n")
    labels = np.array([float(atol(text)) for text in label])
    judgments = GroupedJudgments(path, query, group, item, labels)
    evaluated = _read_other_rankings(judgments, align_groups, make_rules(arguments), arguments)
    evaluated.n_relevant = int((labels >= _get_relevance_level(arguments)).sum())
    if arguments.judged_only:
        groups = _drop_unjudged(evaluated.ranked.groups)
        evaluated.ranked = replace(evaluated.ranked, groups=groups)
    return evaluated


def read_preference_rankings(arguments: Arguments) -> EvaluatedRankings:
    """The rankings that preferences, or qrels taken for such, and a run make."""
    path, _ = arguments.files
    wanted = PREFERENCES if arguments.judgments == "prefs" else QRELS_PREFERENCES
    fields = split_rows(path, read_content(path, wanted), wanted, arguments)
    if wanted is QRELS_PREFERENCES:
        fields = [[query, group, "0", item, level] for query, group, item, level in fields]
    query, group, subgroup, item, level = ([row[i] for row in fields] for i in range(5))
    levels = np.array([atof(text) for text in level])
    judgments = PreferenceJudgments(path, query, group, subgroup, item, levels)
    # Alone among the measures these put equal scores in ascending order of the items.
    rules = replace(make_rules(arguments), ties="item-asc")
    refused: dict[str, PreferenceError] = {}
    evaluated = _read_other_rankings(
        judgments, partial(align_preferences, refused=refused), rules, arguments
    )
    refusals = {query: _describe_contradiction(error) for query, error in refused.items()}
    _cut_at_refusals(evaluated, refusals, arguments)
    return evaluated


def _describe_contradiction(error: PreferenceError) -> str:
    if not error.places:
        return f"{_PREFS}: doc '{error.item}' has both 0 and non-0 rel_level assigned\n"
    first, second = error.places
    return (
        f"{_PREFS}: Pref inconsistency found\n      "
        f"internal rank {first} and internal rank {second} are conflicted\n"
    )


class _NotOursError(Exception):
    """A run that the native core is not given."""


def _read_other_rankings(
    judgments: GroupedJudgments | PreferenceJudgments,
    align: Callable[[Any, Run, Rules], AlignedPart[Any, GroupStats]],
    rules: Rules,
    arguments: Arguments,
) -> EvaluatedRankings:
    _check_results_format(arguments)
    path = arguments.files[1]
    source = read_native_run(path, arguments)
    twice: dict[str, str] = {}
    emptied = arguments.deepest is not None and arguments.deepest <= 0
    try:
        if source is None or emptied:
            raise _NotOursError
        ranked, stats = _align_shared(judgments, source[0], rules, align)
        tag = source[1]
    except (
        SourceError,
        _NotOursError,
    ):  # trec_eval takes it otherwise, or says in its own words what is wrong
        held = source[0].source if source is not None else None
        columns, tag, twice = read_run_columns(path, held, arguments)
        if emptied:
            columns = _make_empty_run(columns.query)
        rules = replace(rules, duplicates="max")
        try:
            ranked, stats = _align_shared(judgments, read_run(columns), rules, align)
        except AlignError:
            return _align_nothing(judgments, align, tag, rules, arguments)
    except AlignError:
        tag = "" if source is None else source[1]
        return _align_nothing(judgments, align, tag, rules, arguments)
    missing = {*stats.joined.missing}
    in_run = np.array([query not in missing for query in ranked.queries], dtype=np.bool_)
    evaluated = select_queries(ranked, in_run, tag, arguments)
    _cut_at_repeats(evaluated, arguments, twice, {})
    return evaluated


def _align_shared(
    judgments: GroupedJudgments | PreferenceJudgments,
    run: Run,
    rules: Rules,
    align: Callable[[Any, Run, Rules], AlignedPart[Any, GroupStats]],
) -> tuple[Any, GroupStats]:
    """Align a run that shares a query with the judgments; raise ``AlignError`` for another."""
    ranked, stats, rows = align(judgments, run, rules)
    check_join(stats.joined, name_sources(judgments, run, rows), rules)
    return ranked, stats


def _align_nothing(
    judgments: GroupedJudgments | PreferenceJudgments,
    align: Callable[[Any, Run, Rules], AlignedPart[Any, GroupStats]],
    tag: str,
    rules: Rules,
    arguments: Arguments,
) -> EvaluatedRankings:
    """What is evaluated of a run that has none of the judged queries."""
    ranked = align(judgments, read_run(_make_empty_run(judgments.query)), rules).ranked
    return select_queries(ranked, np.zeros(ranked.n_queries, dtype=np.bool_), tag, arguments)


def _make_empty_run(queries: Sequence[str]) -> Columns:
    """A run that finds nothing: for each query an item that no file can name."""
    each = list(dict.fromkeys(queries))
    return Columns(query=each, item=[" "] * len(each), score=[0.0] * len(each))


def _check_results_format(arguments: Arguments) -> None:
    if arguments.results != "trec_results":
        said = f"trec_eval: Illegal retrieval results format '{arguments.results}'\n"
        raise Exit(2, said)


def align_run(judgments: Judgments, run: Run, arguments: Arguments) -> EvaluatedRankings:
    """The rankings of the queries that qrels and run share, in the order of the qrels."""
    _, aligned, ranked, *_ = join(judgments, run, make_rules(arguments))
    shared = np.flatnonzero(aligned.in_run)
    evaluated = EvaluatedRankings(
        ranked=ranked if len(shared) == ranked.n_queries else ranked.select(shared),
        order=np.arange(len(shared)),
        bogus=np.zeros(len(shared), dtype=np.bool_),
        n_judged=ranked.n_queries,
        n_relevant=int((judgments.pool_label >= _get_relevance_level(arguments)).sum()),
        tag=run.name,
    )
    evaluated.ranked = _apply_arguments(evaluated, arguments)
    return evaluated


def sort_by_bytes(queries: tuple[str, ...]) -> list[int]:
    """The numbers of the queries in the order of their bytes."""
    keys = [query.encode("utf-8", "surrogateescape") for query in queries]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _get_relevance_level(arguments: Arguments) -> float:
    # trec_eval's num_rel under -c forgets about -l.
    return 1 if arguments.compat else arguments.level


def select_queries(
    ranked: Any, in_run: BoolArray, tag: str, arguments: Arguments
) -> EvaluatedRankings:
    """The queries to evaluate, and where that ends early."""
    failure = said = ""
    order = sort_by_bytes(ranked.queries)
    n_judged = len(order)
    missing = [i for i in order if not in_run[i]]
    if arguments.only_query is not None:
        order = [i for i in order if ranked.queries[i] == arguments.only_query]
    keep = [i for i in order if in_run[i]]
    if arguments.complete and arguments.newer:
        keep = order
    elif arguments.compat == 10 and (lost := [i for i in order if not in_run[i]]):
        failure = f"trec_eval: result qid '{ranked.queries[lost[0]]}' not found in qrels\n"
        keep = order[: order.index(lost[0])]
    elif missing and keep and arguments.compat is None and not arguments.complete:
        queries = count(len(missing), "judged query is", "judged queries are")
        named = examples([ranked.queries[i] for i in missing])
        said = f"trec_eval: {queries} not in the results ({named}); -c counts 0 for each\n"
    evaluated = EvaluatedRankings(
        ranked=ranked,
        order=np.array(keep, dtype=np.int64),
        bogus=~in_run,
        n_judged=n_judged,
        n_relevant=0,
        tag=tag,
        failure=failure,
        needs_measure=False,
        said=said,
    )
    if len(keep) < ranked.n_queries:
        evaluated.keep(len(keep))
    return evaluated


def _cut_at_repeats(
    evaluated: EvaluatedRankings,
    arguments: Arguments,
    found_twice: dict[str, str],
    judged_twice: dict[str, str],
) -> None:
    """End where a query has an item twice: in the run, or else in the qrels."""
    who = _PREFS if "prefs" in arguments.judgments else "trec_eval.form_res_qrels"
    refusals = {
        query: f"trec_eval.form_res_rels: duplicate docs {item}\n"
        for query, item in judged_twice.items()
    }
    refusals |= {query: f"{who}: duplicate docs {item}" for query, item in found_twice.items()}
    _cut_at_refusals(evaluated, refusals, arguments)


def _cut_at_refusals(
    evaluated: EvaluatedRankings, refusals: dict[str, str], arguments: Arguments
) -> None:
    """End before the first query that is refused, if any measure looks."""
    queries = evaluated.queries if refusals else ()
    refused = [i for i, query in enumerate(queries) if query in refusals]
    if not refused or not arguments.measures - {"runid", "num_q"}:
        return
    evaluated.failure = refusals[queries[refused[0]]]
    evaluated.needs_measure, evaluated.said = True, ""
    evaluated.keep(refused[0])


def _apply_arguments(evaluated: EvaluatedRankings, arguments: Arguments) -> JudgedRankings:
    """Without what -M and -J leave out, and with an unjudged item for those that -c adds."""
    ranked: JudgedRankings = evaluated.ranked
    if evaluated.bogus.any():
        ranked = replace(ranked, n_retrieved=np.where(evaluated.bogus, 1, ranked.n_retrieved))
    if arguments.deepest is not None and arguments.deepest <= 0:
        none = np.full(ranked.n_queries, arguments.deepest)
        ranked = _select_hits(ranked, np.zeros(0, dtype=np.int64), none)
    if not arguments.judged_only:
        return ranked
    return _drop_unjudged(ranked)


def _drop_unjudged(ranked: JudgedRankings) -> JudgedRankings:
    """Only the judged items; those with negative labels are none."""
    hits = np.flatnonzero(ranked.hit_label >= 0)
    return _select_hits(
        ranked, hits, np.bincount(ranked.hit_query[hits], minlength=ranked.n_queries)
    )


def _select_hits(ranked: JudgedRankings, hits: IntArray, n_retrieved: IntArray) -> JudgedRankings:
    """With some of the hits, and nothing between them."""
    offsets = np.searchsorted(ranked.hit_query[hits], np.arange(ranked.n_queries + 1))
    rank = ragged.positions(offsets)
    return replace(
        ranked,
        n_retrieved=n_retrieved,
        hit_offsets=offsets,
        hit_rank=rank,
        hit_label=ranked.hit_label[hits],
        hit_tie_first=rank,
        hit_tie_size=np.ones(len(rank), dtype=np.int64),
    )

"""The queries that trec_eval evaluates, and their rankings."""

from collections.abc import Callable
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
    read_run_columns,
    refuse_file,
    split_columns,
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
from gainful.base import BoolArray, IntArray, format_count, format_examples, ragged
from gainful.errors import PreferenceError
from gainful.sources import GroupedJudgments, Judgments, PreferenceJudgments, Run, read_run

_PREFS = "trec_eval.form_prefs_counts"


@dataclass(eq=False)
class EvaluatedRankings:
    """The rankings to evaluate.

    Attributes:
        ranked: The rankings of the queries that are evaluated.
        order: Their numbers in byte order, in which trec_eval evaluates them.
        is_missing: Which of them the run does not have; only -c keeps them.
        n_judged: How many queries the qrels have.
        n_relevant: How many judgments of all queries are relevant.
        tag: The name in the last line of the run.
        failure: The message on standard error if the program ends after these queries.
        needs_measure: Whether the failure comes from a measure that reads the rankings.
        message: Any other message on standard error.
    """

    ranked: Any
    order: IntArray
    is_missing: BoolArray
    n_judged: int
    n_relevant: int
    tag: str
    failure: str = ""
    needs_measure: bool = True
    message: str = ""

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries in byte order."""
        return tuple(self.ranked.queries[i] for i in self.order.tolist())

    def keep_first(self, n_queries: int) -> None:
        """Keep only the first queries."""
        numbers = self.order[:n_queries]
        self.ranked, self.is_missing = self.ranked.select(numbers), self.is_missing[numbers]
        self.order = np.arange(len(numbers))


def read_judged_rankings(arguments: Arguments) -> EvaluatedRankings:
    """Read plain qrels and a run, and return the rankings."""
    qrels, results = arguments.files
    judgments, judgment_repeats, labels = read_judgments_file(qrels, arguments)
    _check_results_format(arguments)
    ranked, in_run, tag, run_repeats = join_run(judgments, results, arguments)
    evaluated = select_queries(ranked, in_run, tag, arguments)
    evaluated.n_relevant = int((labels >= _get_relevance_level(arguments)).sum())
    _cut_at_repeats(evaluated, arguments, run_repeats, judgment_repeats)
    evaluated.ranked = _apply_arguments(evaluated, arguments)
    return evaluated


def read_grouped_rankings(arguments: Arguments) -> EvaluatedRankings:
    """Read qrels with judgment groups and a run, and return the rankings."""
    path, _ = arguments.files
    columns = split_columns(path, read_content(path, GROUPS), GROUPS, arguments)
    rows = sorted(
        zip(*columns, strict=True), key=lambda row: [encode_text(text) for text in row[:3]]
    )
    query, group, item, label = ([row[i] for row in rows] for i in range(4))
    for above, row in pairwise(rows):
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
    """Read preferences, or qrels in their place, and a run, and return the rankings."""
    path, _ = arguments.files
    kind = PREFERENCES if arguments.judgments_format == "prefs" else QRELS_PREFERENCES
    columns = split_columns(path, read_content(path, kind), kind, arguments)
    if kind is QRELS_PREFERENCES:
        columns.insert(2, ["0"] * len(columns[0]))
    query, group, subgroup, item, level = columns
    levels = np.array([atof(text) for text in level])
    judgments = PreferenceJudgments(path, query, group, subgroup, item, levels)
    # Only these measures put equal scores in ascending order of the items.
    rules = replace(make_rules(arguments), ties="item-asc")
    errors: dict[str, PreferenceError] = {}
    evaluated = _read_other_rankings(
        judgments, partial(align_preferences, errors=errors), rules, arguments
    )
    refusals = {query: _describe_contradiction(error) for query, error in errors.items()}
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


def _read_other_rankings(
    judgments: GroupedJudgments | PreferenceJudgments,
    align: Callable[[Any, Run, Rules], AlignedPart[Any, GroupStats]],
    rules: Rules,
    arguments: Arguments,
) -> EvaluatedRankings:
    _check_results_format(arguments)
    columns, tag, repeats = read_run_columns(arguments.files[1], None, arguments)
    ranked, stats, _ = align(judgments, read_run(columns), replace(rules, duplicates="max"))
    missing = {*stats.joined.missing}
    in_run = np.array([query not in missing for query in ranked.queries], dtype=np.bool_)
    evaluated = select_queries(ranked, in_run, tag, arguments)
    _cut_at_repeats(evaluated, arguments, repeats, {})
    return evaluated


def _check_results_format(arguments: Arguments) -> None:
    if arguments.results_format != "trec_results":
        message = f"trec_eval: Illegal retrieval results format '{arguments.results_format}'\n"
        raise Exit(2, message)


def align_run(judgments: Judgments, run: Run, arguments: Arguments) -> EvaluatedRankings:
    """Return the rankings of the queries that qrels and run share, in the order of the qrels."""
    joined = join(judgments, run, make_rules(arguments))
    ranked, shared = joined.ranked, np.flatnonzero(joined.aligned.in_run)
    evaluated = EvaluatedRankings(
        ranked=ranked if len(shared) == ranked.n_queries else ranked.select(shared),
        order=np.arange(len(shared)),
        is_missing=np.zeros(len(shared), dtype=np.bool_),
        n_judged=ranked.n_queries,
        n_relevant=int((judgments.pool_label >= _get_relevance_level(arguments)).sum()),
        tag=run.name,
    )
    evaluated.ranked = _apply_arguments(evaluated, arguments)
    return evaluated


def sort_by_bytes(queries: tuple[str, ...]) -> list[int]:
    """Return the numbers of the queries in the order of their bytes."""
    keys = [query.encode("utf-8", "surrogateescape") for query in queries]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _get_relevance_level(arguments: Arguments) -> float:
    # trec_eval's num_rel with -c ignores -l.
    return 1 if arguments.compat else arguments.level


def select_queries(
    ranked: Any, in_run: BoolArray, tag: str, arguments: Arguments
) -> EvaluatedRankings:
    """Return the queries to evaluate, and the failure that ends them early."""
    failure = message = ""
    order = sort_by_bytes(ranked.queries)
    n_judged = len(order)
    missing = [i for i in order if not in_run[i]]
    if arguments.only_query is not None:
        order = [i for i in order if ranked.queries[i] == arguments.only_query]
    keep = [i for i in order if in_run[i]]
    if arguments.complete and arguments.is_newer:
        keep = order
    elif arguments.compat == 10 and (absent := [i for i in order if not in_run[i]]):
        failure = f"trec_eval: result qid '{ranked.queries[absent[0]]}' not found in qrels\n"
        keep = order[: order.index(absent[0])]
    elif missing and keep and arguments.compat is None and not arguments.complete:
        queries = format_count(len(missing), "judged query is", "judged queries are")
        ids = format_examples([ranked.queries[i] for i in missing])
        message = f"trec_eval: {queries} not in the results ({ids}); -c counts 0 for each\n"
    evaluated = EvaluatedRankings(
        ranked=ranked,
        order=np.array(keep, dtype=np.int64),
        is_missing=~in_run,
        n_judged=n_judged,
        n_relevant=0,
        tag=tag,
        failure=failure,
        needs_measure=False,
        message=message,
    )
    if len(keep) < ranked.n_queries:
        evaluated.keep_first(len(keep))
    return evaluated


def _cut_at_repeats(
    evaluated: EvaluatedRankings,
    arguments: Arguments,
    run_repeats: dict[str, str],
    judgment_repeats: dict[str, str],
) -> None:
    """Keep the queries before the first with an item twice, in the run or in the qrels."""
    reader = _PREFS if "prefs" in arguments.judgments_format else "trec_eval.form_res_qrels"
    refusals = {
        query: f"trec_eval.form_res_rels: duplicate docs {item}\n"
        for query, item in judgment_repeats.items()
    }
    refusals |= {query: f"{reader}: duplicate docs {item}" for query, item in run_repeats.items()}
    _cut_at_refusals(evaluated, refusals, arguments)


def _cut_at_refusals(
    evaluated: EvaluatedRankings, refusals: dict[str, str], arguments: Arguments
) -> None:
    """Keep the queries before the first refused one, if any measure reads the rankings."""
    queries = evaluated.queries if refusals else ()
    refused_numbers = [i for i, query in enumerate(queries) if query in refusals]
    if not refused_numbers or not arguments.measures - {"runid", "num_q"}:
        return
    evaluated.failure = refusals[queries[refused_numbers[0]]]
    evaluated.needs_measure, evaluated.message = True, ""
    evaluated.keep_first(refused_numbers[0])


def _apply_arguments(evaluated: EvaluatedRankings, arguments: Arguments) -> JudgedRankings:
    """Apply -M and -J to the rankings; give an unjudged item to the queries that -c adds."""
    ranked: JudgedRankings = evaluated.ranked
    if evaluated.is_missing.any():
        ranked = replace(ranked, n_retrieved=np.where(evaluated.is_missing, 1, ranked.n_retrieved))
    if arguments.max_retrieved is not None and arguments.max_retrieved <= 0:
        n_retrieved = np.full(ranked.n_queries, arguments.max_retrieved)
        ranked = _select_hits(ranked, np.zeros(0, dtype=np.int64), n_retrieved)
    if not arguments.judged_only:
        return ranked
    return _drop_unjudged(ranked)


def _drop_unjudged(ranked: JudgedRankings) -> JudgedRankings:
    """Keep only the judged items; items with negative labels are unjudged."""
    hits = np.flatnonzero(ranked.hit_label >= 0)
    return _select_hits(
        ranked, hits, np.bincount(ranked.hit_query[hits], minlength=ranked.n_queries)
    )


def _select_hits(ranked: JudgedRankings, hits: IntArray, n_retrieved: IntArray) -> JudgedRankings:
    """Keep the given hits, without ranks between them."""
    offsets = ragged.offsets_from_owners(ranked.hit_query[hits], ranked.n_queries)
    rank = ragged.find_positions(offsets)
    return replace(
        ranked,
        n_retrieved=n_retrieved,
        hit_offsets=offsets,
        hit_rank=rank,
        hit_label=ranked.hit_label[hits],
        hit_tie_first=rank,
        hit_tie_size=np.ones(len(rank), dtype=np.int64),
    )

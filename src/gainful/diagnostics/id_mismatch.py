"""Why ids do not match: find the change to ids that lets most of them match."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import NamedTuple

from gainful.alignment import IdSample

_MAX_QUERIES = 100_000  # the most queries that are compared
FEW_MATCHES = 0.5  # the share of judged ids below which ids may be written differently
_MIN_GAIN = 0.1  # the share of judged ids that a change must add to be suggested
_OUTLIER_RATE = 20  # one in so many ids may differ from the others, at either end
_SIDES = {"run": (True, False), "qrels": (False, True), "run and the qrels": (True, True)}


class IdFix(NamedTuple):
    """A change to ids that would let them match.

    Attributes:
        change: The change in words: strip 'doc_' from.
        side: The ids to change: those of the run, the qrels, or both.
        share: The share of judged ids that match as they are.
        fixed_share: The share that would match.
        sample: The items of the run that were compared, in words, unless all were.
        pattern: The pattern for ``Rules.collapse`` that does it, if there is one.
    """

    change: str
    side: str
    share: float
    fixed_share: float
    sample: str = ""
    pattern: str = ""


class Ids(NamedTuple):
    """Ids, and the number of the query that each belongs to; 0 for ids of queries."""

    id: Sequence[str]
    query: Sequence[int]


@dataclass(frozen=True)
class IdChange:
    """A kind of change to ids.

    Attributes:
        template: The change in words; ``{}`` is replaced by the stripped text.
        apply: Returns the changed id, from an id and the stripped text.
        find_affix: Finds the text to strip: what ids share and those of the other side lack.
        pattern: The pattern for ``Rules.collapse``; ``{}`` is replaced by the stripped text.
    """

    template: str
    apply: Callable[[str, str], str]
    find_affix: Callable[[Sequence[str], Sequence[str]], str] | None = None
    pattern: str = ""


def _find_prefix(ids: Sequence[str], other_ids: Sequence[str]) -> str:
    """Return what all ids begin with, without what all the others begin with.

    >>> _find_prefix(["doc_d12", "doc_d17"], ["d12", "d13"])
    'doc_'
    """
    return _find_beginning(ids).removesuffix(_find_beginning(other_ids))


def _find_word(ids: Sequence[str], other_ids: Sequence[str]) -> str:
    """Return the prefix up to its first digit: numbers may happen to begin alike.

    >>> _find_word(["doc_12", "doc_17"], ["12", "25"])
    'doc_'
    """
    other_prefix = _cut_at_digit(_find_beginning(other_ids))
    return _cut_at_digit(_find_beginning(ids)).removesuffix(other_prefix)


def _find_suffix(ids: Sequence[str], other_ids: Sequence[str]) -> str:
    """Return what all ids end with, back to the last digit, without what all the others end with.

    >>> _find_suffix(["12.txt", "17.txt"], ["12", "13"])
    '.txt'
    """
    return _find_word(_reverse_all(ids), _reverse_all(other_ids))[::-1]


def _find_beginning(ids: Sequence[str]) -> str:
    """Return what nearly all ids begin with.

    >>> _find_beginning(["doc_12", "doc_17"] * 10 + ["d1"])
    'doc_1'
    """
    sorted_ids = sorted(ids)
    n_outliers = len(sorted_ids) // _OUTLIER_RATE
    # What the first and the last in order share, all between them share too.
    pairs = zip(sorted_ids[n_outliers], sorted_ids[-1 - n_outliers], strict=False)
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _cut_at_digit(text: str) -> str:
    return "".join(takewhile(lambda character: not character.isdigit(), text))


def _reverse_all(ids: Sequence[str]) -> list[str]:
    return [text[::-1] for text in ids]


_CHUNKS = r"^(.*?)[#:@|/_-]+[0-9]+$"
_CHUNK = re.compile(r"[#:@|/_-]+[0-9]+$")
CHANGES = (
    IdChange("strip white space from", lambda text, _: text.strip()),
    IdChange("strip quotes from", lambda text, _: text.strip("\"'")),
    IdChange("strip '.0' from", lambda text, _: re.sub(r"\.0+$", "", text)),
    IdChange(
        "strip leading zeros from the numbers in",
        lambda text, _: re.sub(r"(?<![0-9])0+(?=[0-9])", "", text),
    ),
    IdChange("ignore the case of", lambda text, _: text.lower()),
    IdChange("strip {} from", str.removeprefix, _find_prefix, "^{}(.*)$"),
    IdChange("strip {} from", str.removeprefix, _find_word, "^{}(.*)$"),
    IdChange("strip {} from", str.removesuffix, _find_suffix, "^(.*){}$"),
    IdChange("cut the number of a chunk from", lambda text, _: _CHUNK.sub("", text), None, _CHUNKS),
)


def find_best_fix(run: Ids, qrels: Ids) -> IdFix | None:
    """Return the change that lets most judged ids match, or None if none helps enough.

    >>> find_best_fix(Ids(["doc_7", "doc_8"], [0, 0]), Ids(["7", "8", "9"], [0, 0, 0]))
    IdFix(change="strip 'doc_' from", side='run', share=0.0, \
fixed_share=0.6666666666666666, sample='', pattern='^doc_(.*)$')
    """
    if not len(run.id) or not len(qrels.id):
        return None
    unchanged = run, qrels
    share, best = _compute_match_share(*unchanged), None
    for change in CHANGES:
        descriptions, changed, patterns = _apply_change(change, run, qrels)
        if changed == unchanged:
            continue
        for side, (of_run, of_qrels) in _SIDES.items():
            changed_share = _compute_match_share(
                (unchanged, changed)[of_run][0], (unchanged, changed)[of_qrels][1]
            )
            if changed_share >= share + _MIN_GAIN and (
                best is None or changed_share > best.fixed_share
            ):
                best = IdFix(
                    descriptions[side], side, share, changed_share, pattern=patterns.get(side, "")
                )
    return best


def _apply_change(
    change: IdChange, run: Ids, qrels: Ids
) -> tuple[dict[str, str], tuple[Ids, Ids], dict[str, str]]:
    """Return the change in words for each side, the changed ids of both, and the patterns."""
    run_affix = qrels_affix = ""
    if change.find_affix:
        run_affix = change.find_affix(run.id, qrels.id)
        qrels_affix = change.find_affix(qrels.id, run.id)
    affixes = dict.fromkeys(repr(affix) for affix in (run_affix, qrels_affix) if affix)
    texts = (repr(run_affix), repr(qrels_affix), " and ".join(affixes))
    descriptions = [change.template.format(text) for text in texts]
    changed = (
        Ids([change.apply(text, run_affix) for text in run.id], run.query),
        Ids([change.apply(text, qrels_affix) for text in qrels.id], qrels.query),
    )
    patterns = {
        side: change.pattern.replace("{}", re.escape(affix))
        for side, affix in (("run", run_affix), ("qrels", qrels_affix))
    }
    return dict(zip(_SIDES, descriptions, strict=True)), changed, patterns


def _compute_match_share(run: Ids, qrels: Ids) -> float:
    """Return the share of the ids of the qrels that the run has; an empty id never matches."""
    run_ids = {pair for pair in zip(run.query, run.id, strict=True) if pair[1]}
    return sum(pair in run_ids for pair in zip(qrels.query, qrels.id, strict=True)) / len(qrels.id)


def find_query_fix(
    shared_queries: Iterable[str], missing_queries: Iterable[str], unjudged_queries: Sequence[str]
) -> IdFix | None:
    """Return the change that lets the queries of a run match those of the qrels, or None.

    Args:
        shared_queries: Queries of the qrels that the run has.
        missing_queries: Queries of the qrels that the run lacks.
        unjudged_queries: Queries of the run that the qrels lack.
    """
    shared = list(islice(shared_queries, _MAX_QUERIES))
    qrels = [*shared, *islice(missing_queries, _MAX_QUERIES - len(shared))]
    run = [*shared, *unjudged_queries[:_MAX_QUERIES]]
    return find_best_fix(Ids(run, [0] * len(run)), Ids(qrels, [0] * len(qrels)))


def describe_query_fix(table_queries: Sequence[str], evaluated_queries: Sequence[str]) -> str:
    """Describe the change that lets queries of a table match the evaluated ones; "" if none.

    >>> describe_query_fix(["1", "2"], ["001", "002"])
    'strip leading zeros from the numbers in the queries of the qrels'
    """
    table, qrels = table_queries[:_MAX_QUERIES], evaluated_queries[:_MAX_QUERIES]
    if min(len(table), len(qrels)) < 2:
        return ""  # a single id is all prefix
    fix = find_best_fix(Ids(table, [0] * len(table)), Ids(qrels, [0] * len(qrels)))
    if fix is None:
        return ""
    return f"{fix.change} the queries of the {fix.side.replace('run', 'table', 1)}"


def find_item_fix(samples: Sequence[IdSample], n_retrieved: int) -> IdFix | None:
    """Return the change that lets the first items of a run match the judged ones, or None.

    Args:
        samples: A sample of both, by query.
        n_retrieved: How many items the run has.
    """
    run = [(item, n) for n, sample in enumerate(samples) for item in sample.heads]
    judged = [(item, n) for n, sample in enumerate(samples) for item in sample.judged]
    fix = find_best_fix(
        Ids([item for item, _ in run], [n for _, n in run]),
        Ids([item for item, _ in judged], [n for _, n in judged]),
    )
    if fix is None or len(run) == n_retrieved:
        return fix
    n_queries = "query" if len(samples) == 1 else f"{len(samples):,} queries"
    n_items = max(len(sample.heads) for sample in samples)
    return fix._replace(sample=f" among the first {n_items:,} items of the first {n_queries}")

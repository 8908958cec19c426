"""Why ids do not match: what would have to be done to them so that they do."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, takewhile
from typing import NamedTuple

import numpy as np

from gainful import _native
from gainful.facts import Sample
from gainful.ragged import owners
from gainful.records import Record
from gainful.sources import Judgments

HEADED, HEADS = 250, 100  # queries and their first items, whose ids are compared at most
_MOST = 100_000  # queries that are compared
FEW = 0.5  # of what is judged: where less is found, ids may differ
_MORE = 0.1  # of what is judged must be found in addition, that a change is worth telling
_UNLIKE = 20  # one id of as many may be unlike the others, at either end of their order
_SIDES = {"run": (True, False), "qrels": (False, True), "run and the qrels": (True, True)}


class Near(NamedTuple):
    """What would let ids match.

    Attributes:
        change: What to do, in words: strip 'doc_' from.
        side: To which ids: those of the run, the qrels, or both.
        now: The share of what is judged that is found as it is.
        then: The share that would be found.
        sample: Among which items of the run, in words, unless among all.
        pattern: What ``Rules.collapse`` can do it by, if it can.
    """

    change: str
    side: str
    now: float
    then: float
    sample: str = ""
    pattern: str = ""


class Ids(NamedTuple):
    """Ids, and the number of the query that each belongs to; for queries themselves, 0."""

    id: Sequence[str]
    query: Sequence[int]


@dataclass(eq=False, repr=False)
class Change(Record):
    """Something to do to ids.

    Attributes:
        words: How to say it; ``{}`` stands for what is stripped.
        made: An id, and what is stripped, to the id as it would be.
        stripped: What ids have in common that the ids of the other side lack, if it is that.
        pattern: What ``Rules.collapse`` can do it by; ``{}`` stands for what is stripped.
    """

    words: str
    made: Callable[[str, str], str]
    stripped: Callable[[Sequence[str], Sequence[str]], str] | None = None
    pattern: str = ""


def _prefix(ids: Sequence[str], others: Sequence[str]) -> str:
    """What all begin with, before what all the others begin with.

    >>> _prefix(["doc_d12", "doc_d17"], ["d12", "d13"])
    'doc_'
    """
    return _beginning(ids).removesuffix(_beginning(others))


def _word(ids: Sequence[str], others: Sequence[str]) -> str:
    """The same, digits left out: ids may all begin with the same one.

    >>> _word(["doc_12", "doc_17"], ["12", "25"])
    'doc_'
    """
    own, others_own = _undigited(_beginning(ids)), _undigited(_beginning(others))
    return own.removesuffix(others_own)


def _suffix(ids: Sequence[str], others: Sequence[str]) -> str:
    """What all end with, after what all the others end with, digits left out.

    >>> _suffix(["12.txt", "17.txt"], ["12", "13"])
    '.txt'
    """
    return _word(_mirrored(ids), _mirrored(others))[::-1]


def _beginning(ids: Sequence[str]) -> str:
    """What nearly all begin with: a few may be unlike the others.

    >>> _beginning(["doc_12", "doc_17"] * 10 + ["d1"])
    'doc_1'
    """
    ordered = sorted(ids)
    few = len(ordered) // _UNLIKE
    # What the first and the last in order share, those between them share as well.
    pairs = zip(ordered[few], ordered[-1 - few], strict=False)
    return "".join(a for a, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _undigited(text: str) -> str:
    return "".join(takewhile(lambda character: not character.isdigit(), text))


def _mirrored(ids: Sequence[str]) -> list[str]:
    return [one[::-1] for one in ids]


_CHUNKS = r"^(.*?)[#:@|/_-]+[0-9]+$"
_CHUNK = re.compile(r"[#:@|/_-]+[0-9]+$")
CHANGES = (
    Change("strip white space from", lambda one, _: one.strip()),
    Change("strip quotes from", lambda one, _: one.strip("\"'")),
    Change("strip '.0' from", lambda one, _: re.sub(r"\.0+$", "", one)),
    Change(
        "strip leading zeros from the numbers in",
        lambda one, _: re.sub(r"(?<![0-9])0+(?=[0-9])", "", one),
    ),
    Change("ignore the case of", lambda one, _: one.lower()),
    Change("strip {} from", str.removeprefix, _prefix, "^{}(.*)$"),
    Change("strip {} from", str.removeprefix, _word, "^{}(.*)$"),
    Change("strip {} from", str.removesuffix, _suffix, "^(.*){}$"),
    Change("cut the number of a chunk from", lambda one, _: _CHUNK.sub("", one), None, _CHUNKS),
)


def nearest(run: Ids, qrels: Ids) -> Near | None:
    """The change that lets most of what is judged be found, if there is one worth telling.

    >>> nearest(Ids(["doc_7", "doc_8"], [0, 0]), Ids(["7", "8", "9"], [0, 0, 0]))
    Near(change="strip 'doc_' from", side='run', now=0.0, then=0.6666666666666666, sample='', \
pattern='^doc_(.*)$')
    """
    if not len(run.id) or not len(qrels.id):
        return None
    before = run, qrels
    now, best = _found(*before), None
    for change in CHANGES:
        words, after, patterns = _changed(change, run, qrels)
        if after == before:
            continue
        for side, (of_run, of_qrels) in _SIDES.items():
            then = _found((before, after)[of_run][0], (before, after)[of_qrels][1])
            if then >= now + _MORE and (best is None or then > best.then):
                best = Near(words[side], side, now, then, pattern=patterns.get(side, ""))
    return best


def _changed(
    change: Change, run: Ids, qrels: Ids
) -> tuple[dict[str, str], tuple[Ids, Ids], dict[str, str]]:
    """What is done to the ids of each side, in words, the ids of both after it, and patterns."""
    of_run = of_qrels = ""
    if change.stripped:
        of_run, of_qrels = change.stripped(run.id, qrels.id), change.stripped(qrels.id, run.id)
    each = " and ".join(dict.fromkeys(repr(one) for one in (of_run, of_qrels) if one))
    words = [change.words.format(text) for text in (repr(of_run), repr(of_qrels), each)]
    after = (
        Ids([change.made(one, of_run) for one in run.id], run.query),
        Ids([change.made(one, of_qrels) for one in qrels.id], qrels.query),
    )
    patterns = {
        side: change.pattern.replace("{}", re.escape(text))
        for side, text in (("run", of_run), ("qrels", of_qrels))
    }
    return dict(zip(_SIDES, words, strict=True)), after, patterns


def _found(run: Ids, qrels: Ids) -> float:
    """The share of the qrels that the run has; an id of which nothing is left is none."""
    known = {one for one in zip(run.query, run.id, strict=True) if one[1]}
    return sum(one in known for one in zip(qrels.query, qrels.id, strict=True)) / len(qrels.id)


def near_queries(
    known: Iterable[str], missing: Iterable[str], strangers: Sequence[str]
) -> Near | None:
    """What would let the queries of a run be those of the qrels, judged by the first of them.

    Args:
        known: Queries of the qrels that the run has.
        missing: The others.
        strangers: Queries of the run that the qrels do not have.
    """
    shared = list(islice(known, _MOST))
    wanted = [*shared, *islice(missing, _MOST - len(shared))]
    given = [*shared, *strangers[:_MOST]]
    return nearest(Ids(given, [0] * len(given)), Ids(wanted, [0] * len(wanted)))


def query_change(known: Sequence[str], evaluated: Sequence[str]) -> str:
    """What would let queries of a table be those that were evaluated, in words, if anything would.

    >>> query_change(["1", "2"], ["001", "002"])
    'strip leading zeros from the numbers in the queries of the qrels'
    """
    given, wanted = known[:_MOST], evaluated[:_MOST]
    if min(len(given), len(wanted)) < 2:
        return ""  # what one id has in common with itself is all of it
    near = nearest(Ids(given, [0] * len(given)), Ids(wanted, [0] * len(wanted)))
    if near is None:
        return ""
    return f"{near.change} the queries of the {near.side.replace('run', 'table', 1)}"


def samples(judgments: Judgments, aligned: _native.Aligned) -> tuple[Sample, ...]:
    """The first items of the run, and the judged ones, of some queries that have both."""
    query = owners(aligned.head_offsets)
    rank = np.arange(len(query)) - aligned.head_offsets[query]
    kept = (query < HEADED) & (rank < HEADS)
    ids = aligned.items
    heads: dict[int, list[str]] = {}
    for number, item in zip(query[kept].tolist(), aligned.head_item[kept].tolist(), strict=True):
        heads.setdefault(number, []).append(ids[item])
    return tuple(
        Sample(
            judgments.queries[number],
            tuple(items),
            tuple(item for item, _ in judgments.index.judgments(number)),
        )
        for number, items in heads.items()
    )


def near_items(seen: Sequence[Sample], n_retrieved: int) -> Near | None:
    """What would let the first items of a run be those that are judged.

    Args:
        seen: A sample of them.
        n_retrieved: How many items the run has.
    """
    run = [(item, n) for n, one in enumerate(seen) for item in one.heads]
    judged = [(item, n) for n, one in enumerate(seen) for item in one.judged]
    near = nearest(
        Ids([item for item, _ in run], [n for _, n in run]),
        Ids([item for item, _ in judged], [n for _, n in judged]),
    )
    if near is None or len(run) == n_retrieved:
        return near
    n_queries = "query" if len(seen) == 1 else f"{len(seen):,} queries"
    n_items = max(len(one.heads) for one in seen)
    return near._replace(sample=f" among the first {n_items:,} items of the first {n_queries}")

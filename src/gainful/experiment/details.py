"""The rankings of every query, for a reader who wants to know why."""

from typing import Any

import numpy as np

from gainful.align import align_heads
from gainful.evaluate import values_of
from gainful.experiment.result import Detail, Details, Terms
from gainful.measures import Measure, parse
from gainful.rules import Rules
from gainful.sources import Judgments, Reading, Run, read_item_data

DEPTH = 100


def details(
    judgments: Judgments,
    runs: list[Run],
    measure: Measure,
    queries: tuple[str, ...],
    items: Any,
    rules: Rules,
    reading: Reading,
) -> Details:
    """The first items of every run and query, with their labels, and the best rankings."""
    explained = measure if measure.formula else parse("nDCG@10")
    assert explained.formula is not None
    formula = explained.formula(**explained.all_settings)
    number = {query: i for i, query in enumerate(judgments.queries)}
    heads, values, retrieved, best = [], [], [], None
    for run in runs:
        ranked, _, aligned = align_heads(judgments, run, rules, reading, heads=DEPTH)
        place = {query: i for i, query in enumerate(ranked.queries)}
        keep = np.array([place[q] for q in queries])
        ranked = ranked.select(keep)
        values.append(values_of(explained, ranked, rules))
        retrieved.append(ranked.n_retrieved.tolist())
        best = formula.best(ranked).tolist()
        names, offsets = aligned.items, aligned.head_offsets
        heads.append(
            [
                [names[i] for i in aligned.head_item[offsets[number[q]] : offsets[number[q] + 1]]]
                for q in queries
            ]
        )
    assert best is not None
    of, seen = {}, {0.0}
    for i, query in enumerate(queries):
        labels = judgments.labels(query)
        seen.update(labels.values())
        gains = dict(zip(labels, formula.gains(np.array([*labels.values()])).tolist(), strict=True))
        order = {item: rank for rank, item in enumerate(heads[0][i])}
        ideal = sorted(
            (item for item in labels if gains[item] > 0),
            key=lambda item: (-gains[item], order.get(item, DEPTH), item),
        )[:DEPTH]
        shown = list(dict.fromkeys([*(item for head in heads for item in head[i]), *ideal]))
        index = {item: n for n, item in enumerate(shown)}
        of[query] = Detail(
            items=tuple(shown),
            labels=tuple(labels.get(item) for item in shown),
            rankings=tuple(tuple(index[item] for item in head[i]) for head in heads),
            n_retrieved=tuple(n[i] for n in retrieved),
            weights=None,
            ideal=tuple(index[item] for item in ideal),
            best=best[i],
        )
    every = np.array(sorted(seen))
    terms = Terms(
        measure=explained,
        cutoff=formula.cutoff,
        normalised=formula.normalised,
        divisors=tuple(formula.discount.divisors(DEPTH)[1 : DEPTH + 1].tolist()),
        gains=dict(zip(every.tolist(), formula.gains(every).tolist(), strict=True)),
    )
    data = None if items is None else read_item_data(items, {}, roles=("title", "url"))
    titles, urls = (data.titles or {}, data.urls or {}) if data else ({}, {})
    known = {item for detail in of.values() for item in detail.items}
    return Details(
        terms=terms,
        values=np.stack(values),
        depth=DEPTH,
        of=of,
        titles={item: title for item, title in titles.items() if item in known},
        urls={item: url for item, url in urls.items() if item in known},
    )

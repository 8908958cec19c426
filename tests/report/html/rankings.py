"""Random judgments and runs of any shape, and the query details of them."""

import numpy as np
from hypothesis import strategies as st

from gainful import Rules, read_qrels, read_run
from gainful.alignment.join import join
from gainful.evaluation.arguments import list_measures
from gainful.report.html.query_details import collect_details, select_heads

ITEMS = [f"d{i}" for i in range(9)]
LABELS = st.sampled_from([-2.0, -1.0, 0.0, 0.5, 1.0, 1.7, 2.0, 3.0])
QUERIES = ["q1", "q2", "q3"]

qrels = st.fixed_dictionaries(
    {q: st.dictionaries(st.sampled_from(ITEMS), LABELS, min_size=1, max_size=8) for q in QUERIES}
)
scores = st.sampled_from([0.1, 0.25, 0.25000000001, 0.5, 0.75, 2.0])
ranking = st.dictionaries(st.sampled_from(ITEMS), scores, min_size=1, max_size=9)
runs = st.lists(
    st.fixed_dictionaries({"q1": ranking}, optional={"q2": ranking, "q3": ranking}),
    min_size=1,
    max_size=3,
)


def details_of(judged, runs, measure, rules=None, *, depth=50, queries=None):
    """The details of all queries, or of some, under rules."""
    rules = rules or Rules()
    judgments = read_qrels(judged, collapse=rules.collapse)
    selected_queries = judgments.queries if queries is None else queries
    keep = np.array([judgments.queries.index(query) for query in selected_queries])
    joins = [join(judgments, read_run(run), rules, keep_top=depth) for run in runs]
    heads = [select_heads(joined, keep, depth) for joined in joins]
    (chosen,) = list_measures(measure)
    return collect_details(judgments, keep, heads, chosen, rules, depth, None)

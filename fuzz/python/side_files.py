"""Files beside qrels and runs: subtopics, preferences, items and queries."""

from gainful import evaluate, read_items, read_preferences, read_queries, read_run, read_subtopics
from target_inputs import QRELS, Input, allow_errors, write_file

ENDINGS = ("", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".parquet")
RUN = read_run({"q1": {"d1": 3.0, "d2": 2.0, "x": 1.0}, "q2": {"d1": 1.0}})


def check_input(data: bytes) -> None:
    source = Input(data)
    kind, ending = source.take_byte() % 4, source.choose(ENDINGS)
    path = write_file(source.rest, ending)
    with allow_errors():
        if kind == 0:
            evaluate(read_subtopics(path), RUN, "alpha_nDCG@5", threads=1)
        elif kind == 1:
            evaluate(read_preferences(path), RUN, "Compat", threads=1)
        elif kind == 2:
            evaluate(QRELS, RUN, "Coverage@5", items=read_items(path), threads=1)
        else:
            queries = read_queries(path)
            evaluate(QRELS, RUN, "nDCG", queries=queries, threads=1)

"""Data frames of every library: identical scores, or one error."""

import re
import subprocess
import sys
import uuid

import narwhals
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset
import pytest

from gainful import Columns, Rules, Scores, evaluate, read_qrels, read_run
from gainful.errors import AlignError, SourceError

QRELS = {
    "query_id": ["1", "1", "1", "2", "2", "3"],
    "doc_id": ["10", "11", "12", "10", "13", "14"],
    "label": [3, 0, 1, 1, 2, 1],
}
RUN = {
    "qid": ["1", "1", "2", "2", "2", "1"],
    "docno": ["12", "10", "13", "99", "10", "11"],
    "score": [2.5, 2.5, 1.0, 0.25, 7.0, -1.0],
}
MEASURES = ["nDCG@10", "AP", "P@2", "RR"]


def as_dict(columns: dict) -> dict:
    query, item, number = columns.values()
    made: dict = {}
    for q, i, n in zip(query, item, number, strict=True):
        made.setdefault(q, {})[i] = n
    return made


def scores(qrels, run, **settings) -> Scores:
    return evaluate(qrels, run, MEASURES, **settings)


EXPECTED = scores(as_dict(QRELS), as_dict(RUN))


def assert_same(scores: Scores) -> None:
    assert scores.queries == EXPECTED.queries
    assert scores.values.tolist() == EXPECTED.values.tolist()
    assert [str(n) for n in scores.notices] == [str(n) for n in EXPECTED.notices]


class OnlyStream:
    """A table that can do nothing but stream."""

    def __init__(self, table):
        self.table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def integers(columns: dict) -> dict:
    query, item, *numbers = columns
    return {
        **{name: [int(id) for id in columns[name]] for name in (query, item)},
        **{name: columns[name] for name in numbers},
    }


def typed(columns: dict, kind) -> pd.DataFrame:
    query, item, _ = columns
    return pd.DataFrame(columns).astype({query: kind, item: kind})


FRAMES = {
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "polars integers": lambda c: pl.DataFrame(integers(c)),
    "polars small integers": lambda c: pl.DataFrame(integers(c)).cast(
        {pl.Int64: pl.UInt8, pl.Float64: pl.Float32}
    ),
    "polars categorical": lambda c: pl.DataFrame(c).cast({pl.String: pl.Categorical}),
    "polars enum": lambda c: pl.DataFrame(c).cast(
        {pl.String: pl.Enum([str(n) for n in range(100)])}
    ),
    "polars binary": lambda c: pl.DataFrame(c).cast({pl.String: pl.Binary}),
    "polars chunks": lambda c: pl.concat([pl.DataFrame(c)[:2], pl.DataFrame(c)[2:]], rechunk=False),
    "polars text numbers": lambda c: pl.DataFrame(c).cast(pl.String),
    "pandas": pd.DataFrame,
    "pandas objects": lambda c: typed(c, object),
    "pandas all objects": lambda c: pd.DataFrame(c).astype(object),
    "pandas text numbers": lambda c: pd.DataFrame(c).astype(str),
    "pandas text numbers as objects": lambda c: pd.DataFrame(c).astype(str).astype(object),
    "pandas categories": lambda c: typed(c, "category"),
    "pandas categories of integers": lambda c: typed(integers(c), "category"),
    "pandas integers": lambda c: pd.DataFrame(integers(c)),
    "pandas nullable": lambda c: pd.DataFrame(integers(c)).convert_dtypes(
        dtype_backend="numpy_nullable"
    ),
    "pandas Arrow": lambda c: pa.table(c).to_pandas(types_mapper=pd.ArrowDtype),
    "pandas Arrow integers": lambda c: pa.table(integers(c)).to_pandas(types_mapper=pd.ArrowDtype),
    "pandas text of Python": lambda c: typed(c, pd.StringDtype("python")),
    "pandas mixed": lambda c: typed(c, object).map(lambda id: int(id) if id == "10" else id),
    "pandas index": lambda c: pd.DataFrame(c).set_index(list(c)[:2]),
    "pandas index of queries": lambda c: pd.DataFrame(c).set_index(next(iter(c))),
    "pandas other index": lambda c: pd.DataFrame(
        c, index=range(9, 9 + len(next(iter(c.values()))))
    ),
    "pyarrow": pa.table,
    "pyarrow batch": pa.record_batch,
    "pyarrow reader": lambda c: pa.table(c).to_reader(max_chunksize=1),
    "pyarrow dictionary": lambda c: pa.table(
        {name: pa.array(column).dictionary_encode() for name, column in c.items()}
    ),
    "pyarrow data set": lambda c: pyarrow.dataset.dataset(pa.table(c)),
    "pyarrow scanner": lambda c: pyarrow.dataset.dataset(pa.table(c)).scanner(),
    "narwhals of polars": lambda c: narwhals.from_native(pl.DataFrame(c)),
    "narwhals of pandas": lambda c: narwhals.from_native(pd.DataFrame(c)),
    "narwhals lazy": lambda c: narwhals.from_native(pl.LazyFrame(c)),
    "only a stream": lambda c: OnlyStream(pa.table(c)),
    "only a stream, once": lambda c: OnlyStream(pa.table(c).to_reader()),
}


@pytest.mark.parametrize("name", FRAMES)
def test_every_kind_of_frame_scores_the_same(name):
    make = FRAMES[name]
    assert_same(scores(make(QRELS), make(RUN)))
    assert_same(scores(as_dict(QRELS), make(RUN)))
    assert_same(scores(read_qrels(make(QRELS), threads=1), read_run(make(RUN)), threads=1))


@pytest.mark.parametrize("name", FRAMES)
def test_frames_name_the_row_of_a_repeat(name):
    twice = {column: [*values, values[0]] for column, values in RUN.items()}
    with pytest.raises(SourceError) as caught:
        scores(as_dict(QRELS), FRAMES[name](twice))
    assert str(caught.value) == (
        "run 'run', row 7: query '1' item '12' is retrieved twice (first on row 1). "
        "Pass --duplicates first, last or max to keep one."
    )


@pytest.mark.parametrize(
    "kind", [list, np.array, lambda c: np.array(c, dtype=object), pd.Series, pl.Series]
)
def test_columns_are_lists_arrays_and_series(kind):
    for made in (lambda c: c, integers):
        query, item, label = made(QRELS).values()
        qrels = Columns(query=kind(query), item=kind(item), label=kind(label))
        query, item, score = made(RUN).values()
        run = Columns(query=kind(query), item=kind(item), score=kind(score))
        assert_same(scores(qrels, run))


@pytest.mark.parametrize(
    ("names", "columns"),
    [
        (("query-id", "corpus-id", "score"), None),
        (("user_id", "movieId", "rating"), None),
        (("Query ID", "DOCID", "Relevance"), None),
        (("a", "b", "c"), {"query": "a", "item": "b", "label": "c"}),
        (("a", "b", "c"), {"query": "1", "item": "2", "label": "3"}),
        (("query", "qid", "label"), {"query": "query", "item": "qid"}),
    ],
)
def test_columns_are_known_by_name_or_told(names, columns):
    renamed = dict(zip(names, QRELS.values(), strict=True))
    for make in (pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table, lambda c: typed(c, object)):
        qrels = read_qrels(make(renamed), columns=columns)
        assert_same(scores(qrels, as_dict(RUN)))


def test_other_columns_are_not_looked_at():
    others = {"text": [["a", "list"]] * 6, "query": ["some words"] * 6, "when": [None] * 6}
    for make in (pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table):
        assert_same(scores(make(QRELS | others), make(others | RUN)))


def test_ranks_order_where_there_are_no_scores_or_a_rule_says_so():
    ranked = {"qid": ["q"] * 3, "docno": ["a", "b", "c"], "rank": [3, 1, 2]}
    both = ranked | {"score": [3.0, 2.0, 1.0]}
    qrels = {"q": {"b": 1}}
    for make in (pl.DataFrame, pd.DataFrame, pa.table, lambda c: typed3(c)):
        assert evaluate(qrels, make(ranked), "RR")["RR"] == 1.0
        assert evaluate(qrels, make(both), "RR")["RR"] == 0.5
        assert evaluate(qrels, make(both), "RR", rules=Rules(order="rank"))["RR"] == 1.0
        assert evaluate(qrels, make(ranked), "RR", rules=Rules(order="file"))["RR"] == 0.5


def typed3(columns: dict) -> pd.DataFrame:
    return pd.DataFrame(columns).astype({"qid": object, "docno": object})


def test_uuids_are_ids():
    ids = [uuid.UUID(int=n) for n in (1, 2)]
    frame = pd.DataFrame({"qid": ["q", "q"], "docno": ids, "label": [1, 0]})
    assert read_qrels(frame).labels("q") == {str(ids[0]): 1.0, str(ids[1]): 0.0}


def test_words_stand_for_labels():
    worded = QRELS | {"label": ["high", "none", "low", "low", "some", "low"]}
    labels = {"high": 3, "some": 2, "low": 1, "none": 0}
    makers = (pl.DataFrame, pd.DataFrame, pa.table, lambda c: typed(c, object))
    for make in (
        *makers,
        lambda c: pa.table(c).to_reader(),
        lambda c: pd.DataFrame(c).astype("category"),
    ):
        assert_same(scores(read_qrels(make(worded), labels=labels), as_dict(RUN)))
    shifted = QRELS | {"label": [n + 10 for n in QRELS["label"]]}
    for make in makers:
        qrels = read_qrels(make(shifted), labels={10: 0, 11: 1, "12": 2, 13: 3})
        assert_same(scores(qrels, as_dict(RUN)))


def test_a_stream_that_can_be_read_once_may_hold_its_queries_apart():
    order = [0, 3, 1, 4, 2, 5]
    apart = {name: [column[i] for i in order] for name, column in RUN.items()}
    for make in (lambda t: t.to_reader(max_chunksize=2), lambda t: OnlyStream(t.to_reader())):
        assert (
            scores(as_dict(QRELS), make(pa.table(apart))).values.tolist()
            == EXPECTED.values.tolist()
        )


ROW_2 = [
    (
        pl.DataFrame(RUN | {"docno": ["a", None, "b", "c", "d", "e"]}),
        "query '1': item must be an id, got null.",
    ),
    (
        pl.DataFrame(RUN | {"qid": ["1", None, "1", "1", "1", "1"]}),
        "query must be an id, got null.",
    ),
    (
        typed(RUN, object).replace({"docno": {"10": None}}),
        "query '1': an id must be a string, an integer, bytes or a UUID, got None.",
    ),
    (
        typed(RUN, object).replace({"docno": {"10": 1.5}}),
        "query '1': an id must be a string, an integer, bytes or a UUID, got 1.5.",
    ),
    (
        pd.DataFrame(RUN | {"docno": pd.array([1, None, 2, 3, 4, 5], "Int64")}),
        "query '1': an id must be a string, an integer, bytes or a UUID, got <NA>.",
    ),
    (
        pl.DataFrame(RUN | {"score": [1.0, float("nan"), 1, 1, 1, 1]}),
        "score must be a number that can be ordered, got NaN.",
    ),
    (pl.DataFrame(RUN | {"score": [1.0, None, 1, 1, 1, 1]}), "score must be a number, got null."),
    (
        typed(RUN | {"score": [1.0, None, 1, 1, 1, 1]}, object),
        "score must be a number that can be ordered, got NaN.",
    ),
    (
        pd.DataFrame(integers(RUN) | {"score": pd.array([1, None, 1, 1, 1, 1], "Int64")}),
        "score must be a number that can be ordered, got NaN.",
    ),
    (
        pl.DataFrame(RUN | {"score": ["1", "high", "1", "1", "1", "1"]}),
        "score must be a number, got 'high'.",
    ),
    (
        pd.DataFrame(RUN | {"score": ["1", "high", "1", "1", "1", "1"]}),
        "score must be a number, got 'high'.",
    ),
    (
        typed(RUN | {"score": ["1", "high", "1", "1", "1", "1"]}, object),
        "score must be a number, got 'high'.",
    ),
    (
        typed(RUN | {"score": pd.Series([1, None, 1, 1, 1, 1], dtype=object)}, object),
        "score must be a number, got null.",
    ),
]


@pytest.mark.parametrize(("frame", "sentence"), ROW_2)
def test_a_bad_row_is_named(frame, sentence):
    with pytest.raises(SourceError) as caught:
        scores(as_dict(QRELS), frame)
    assert str(caught.value) == f"run 'run', row 2: {sentence}"


def run_of(**columns) -> dict:
    return RUN | columns


def failing() -> pa.RecordBatchReader:
    def batches():
        yield pa.record_batch(RUN)
        raise ValueError("the disk is gone\nand more")

    return pa.RecordBatchReader.from_batches(pa.table(RUN).schema, batches())


class FailingStream:
    def __arrow_c_stream__(self, requested_schema=None):
        raise RuntimeError("no rows today.\nTry later.")


UNNAMED = "Name it with --columns run.{0}=NAME, or columns={{'{0}': NAME}} in Python."
FLOATS = (
    "column 'docno' must hold text or integers to be ids, got floating-point numbers. "
    "Where some are missing, pandas turns integers into these: drop such rows, "
    "and call astype({'docno': int})."
)
NEITHER = (
    "no column is known as the score or the rank. Name it with --columns score=NAME, or "
    "columns={'score': NAME} in Python, or pass --order file where the items of each query "
    "stand in order."
)
NO_IDS = "column 'docno' must hold text or integers to be ids, got"
WRONG = {
    "no query": (
        lambda: pl.DataFrame({"a": ["1"], "docno": ["2"]}),
        "no column is known as the query; there are 'a', 'docno'. " + UNNAMED.format("query"),
    ),
    "no item, pandas": (
        lambda: pd.DataFrame({"qid": ["1"], "b": ["2"]}),
        "no column is known as the item; there are 'qid', 'b'. " + UNNAMED.format("item"),
    ),
    "no columns": (
        pd.DataFrame,
        "no column is known as the query; there are none. " + UNNAMED.format("query"),
    ),
    "floats, pandas": (lambda: pd.DataFrame(run_of(docno=[1.0] * 6)), FLOATS),
    "missing integers, pandas": (lambda: pd.DataFrame(run_of(docno=[1, None, 2, 3, 4, 5])), FLOATS),
    "floats": (
        lambda: pl.DataFrame(run_of(docno=[1.0] * 6)),
        f"{NO_IDS} floating-point numbers. Cast it to text.",
    ),
    "dates": (
        lambda: pl.DataFrame(RUN).with_columns(docno=pl.date(2020, 1, 1)),
        f"{NO_IDS} dates or times. Cast it to text.",
    ),
    "lists": (lambda: pl.DataFrame(run_of(docno=[["a"]] * 6)), f"{NO_IDS} lists or structures."),
    "nothing": (lambda: pl.DataFrame(run_of(docno=[None] * 6)), f"{NO_IDS} nothing but nulls."),
    "lists of scores": (
        lambda: pl.DataFrame(run_of(score=[[1.0]] * 6)),
        "column 'score' must hold numbers, got lists or structures.",
    ),
    "no scores": (lambda: pl.DataFrame(RUN).drop("score"), NEITHER),
    "no scores, pandas": (lambda: typed(RUN, object).drop(columns="score"), NEITHER),
    "twice": (
        lambda: pd.concat([pd.DataFrame(RUN)] * 2, axis=1),
        "'qid' is the name of 2 columns. Give the number of the query, from 1: --columns query=1.",
    ),
    "one column": (lambda: pa.chunked_array([[1.0]]), "it is a single column, not a table."),
    "failing reader": (failing, "Invalid: the disk is gone."),
    "failing stream": (FailingStream, "cannot be read as a table (no rows today)."),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_with_a_frame_is_one_sentence(name):
    make, sentence = WRONG[name]
    with pytest.raises(SourceError) as caught:
        scores(as_dict(QRELS), make())
    assert str(caught.value) == f"run 'run': {sentence}"


@pytest.mark.parametrize(
    "make",
    [
        lambda: pl.LazyFrame(RUN).with_columns(score=pl.col("none")),
        lambda: pl.LazyFrame(RUN | {"score": ["x"] * 6}).cast({"score": pl.Int8}),
    ],
)
def test_what_a_library_says_of_its_query_is_part_of_a_sentence(make):
    with pytest.raises(SourceError) as caught:
        scores(as_dict(QRELS), make())
    sentence = r"run 'run': cannot be read as a table \([^\n]{9,}[^.]\)\."
    assert re.fullmatch(sentence, str(caught.value))


def test_without_scores_and_ranks_the_rows_may_be_in_order():
    ordered = {"qid": ["q", "q"], "docno": ["a", "b"]}
    for make in (pl.DataFrame, pd.DataFrame, pa.table, lambda c: pd.DataFrame(c).astype(object)):
        scores = evaluate({"q": {"b": 1}}, make(ordered), "RR", rules=Rules(order="file"))
        assert scores["RR"] == 0.5
        with pytest.raises(AlignError) as caught:
            evaluate({"q": {"b": 1}}, make(ordered), "RR", rules=Rules(order="rank"))
        assert str(caught.value) == (
            "run 'run' has no rank column, got order=rank. Pass a run file that has one."
        )


def test_an_empty_frame_is_said_to_be_empty():
    for make in (pl.DataFrame, pl.LazyFrame, pd.DataFrame, pa.table):
        with pytest.raises(AlignError) as caught:
            scores(as_dict(QRELS), make({name: [] for name in RUN}))
        assert str(caught.value) == "run 'run': there are no items in it."
    with pytest.raises(SourceError) as caught:
        read_qrels(pl.DataFrame(QRELS).clear())
    assert str(caught.value) == "qrels: there are no judgments in it."


def test_one_frame_may_hold_labels_and_scores():
    both = {"qid": ["q", "q"], "docno": ["a", "b"], "label": [0, 1], "score": [2.0, 1.0]}
    for make in (pl.DataFrame, pd.DataFrame, pa.table):
        frame = make(both)
        assert evaluate(frame, frame, "RR")["RR"] == 0.5


@pytest.mark.parametrize("labels", [3, {"low": "x"}])
def test_labels_that_are_no_numbers_are_refused(labels):
    message = "3" if labels == 3 else "'x' for 'low'"
    for make in (pl.DataFrame, pd.DataFrame, lambda c: typed(c, object)):
        with pytest.raises(SourceError) as caught:
            read_qrels(make(QRELS), labels=labels)
        assert str(caught.value) == f"labels: must map words to numbers, got {message}."


def test_an_interrupt_inside_of_a_library_is_one():
    def batches():
        yield pa.record_batch(RUN)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        scores(as_dict(QRELS), pa.RecordBatchReader.from_batches(pa.table(RUN).schema, batches()))


@pytest.mark.parametrize("order", [">i8", ">i2", ">u4"])
def test_numbers_may_have_their_bytes_in_any_order(order):
    made = integers(QRELS)
    frame = pd.DataFrame({name: np.array(column, dtype=order) for name, column in made.items()})
    assert_same(scores(frame, as_dict(RUN)))
    query, item, label = (np.array(column, dtype=order) for column in made.values())
    assert_same(scores(Columns(query=query, item=item, label=label), as_dict(RUN)))


@pytest.mark.parametrize("kind", [np.float16, np.float32, np.longdouble, np.int8, np.uint64])
def test_labels_may_be_of_any_type_of_number(kind):
    frame = pd.DataFrame(QRELS | {"label": np.array(QRELS["label"], dtype=kind)})
    assert_same(scores(frame, as_dict(RUN)))
    assert_same(scores(typed(QRELS, object).astype({"label": kind}), as_dict(RUN)))


def test_pandas_without_pyarrow_is_read():
    code = f"""if True:
        import sys
        sys.modules["pyarrow"] = None
        import pandas as pd
        from gainful import evaluate, read_qrels
        qrels, run = pd.DataFrame({QRELS!r}), pd.DataFrame({RUN!r})
        print(evaluate(qrels, run, {MEASURES!r}).values.tolist())
        print(evaluate(qrels.astype(object), run.astype(object), {MEASURES!r}).values.tolist())
        print(read_qrels(qrels.assign(label="yes"), labels={{"yes": 1}}))
        print(read_qrels(qrels.assign(doc_id=qrels["doc_id"] + "#1"), collapse="^(.*)#"))
    """
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    values = repr(EXPECTED.values.tolist())
    judgments = "<Judgments 'qrels': 3 queries, 6 judgments>"
    assert done.stdout.splitlines() == [values, values, judgments, judgments]

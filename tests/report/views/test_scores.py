"""Scores as tables of other libraries, and as text: tidy or wide, the same values bit for bit."""

import csv
import io
import sys

import numpy as np
import pandas
import polars as pl
import pyarrow
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gainful
from gainful import ItemData, OutputError, P, PackageError, Rules, Scores, evaluate, measure, nDCG

QRELS = {"q1": {"a": 2, "b": 1}, "q2": {"a": 1}, "q3": {"c": 0}}
RUN = {"q1": {"b": 3.0, "a": 2.0}, "q2": {"a": 1.0}, "q3": {"c": 1.0}}
RATIO = 0.8597186998521972
# Every case at once: a value that is not defined, and a measure of the whole run.
TIDY = [
    ("run", "q1", "nDCG@2", RATIO),
    ("run", "q1", "CG", 3.0),
    ("run", "q2", "nDCG@2", 1.0),
    ("run", "q2", "CG", 1.0),
    ("run", "q3", "nDCG@2", None),
    ("run", "q3", "CG", 0.0),
    ("run", None, "Coverage@1", 0.75),
]
WIDE = [
    ("q1", RATIO, None, 3.0),
    ("q2", 1.0, None, 1.0),
    ("q3", None, None, 0.0),
    (None, None, 0.75, None),
]
COLUMNS = {"tidy": ["system", "query", "measure", "value"]}
COLUMNS["wide"] = ["query", "nDCG@2", "Coverage@1", "CG"]
ROWS = {"tidy": TIDY, "wide": WIDE}


@pytest.fixture
def scores():
    measures = ["nDCG@2", "Coverage@1", "CG"]
    items = ItemData(catalog=["a", "b", "c", "d"])
    return evaluate(QRELS, RUN, measures, items=items, rules=Rules(empty="nan"))


def of_queries(queries, values, run="run"):
    """Scores of two measures with these values."""
    return Scores(run, tuple(queries), (nDCG @ 10, P @ 5), np.array(values), Rules(), ())


@pytest.mark.parametrize("shape", ["tidy", "wide"])
def test_a_frame_has_null_where_there_is_no_value_and_a_row_for_the_whole_run(scores, shape):
    frame = scores.to_polars(shape=shape)
    assert (frame.columns, frame.rows()) == (COLUMNS[shape], ROWS[shape])
    assert {str(kind) for kind in frame.dtypes} == {"String", "Float64"}
    table = scores.to_arrow(shape=shape)
    assert (table.column_names, [tuple(row.values()) for row in table.to_pylist()]) == (
        COLUMNS[shape],
        ROWS[shape],
    )
    table = scores.to_pandas(shape=shape)
    rows = [tuple(None if pandas.isna(v) else v for v in row) for row in table.values.tolist()]
    assert (list(table.columns), rows) == (COLUMNS[shape], ROWS[shape])


def test_a_frame_is_tidy_unless_it_is_to_be_wide(scores):
    assert scores.to_polars().columns == COLUMNS["tidy"]
    assert list(scores.to_pandas().columns) == COLUMNS["tidy"]
    assert scores.to_arrow().column_names == COLUMNS["tidy"]


def test_whoever_speaks_arrow_takes_scores_as_a_tidy_table(scores):
    assert pl.DataFrame(scores).rows() == TIDY
    assert [tuple(row.values()) for row in pyarrow.table(scores).to_pylist()] == TIDY
    if hasattr(pandas.DataFrame, "from_arrow"):  # since pandas 3
        frame = pandas.DataFrame.from_arrow(scores)
        pandas.testing.assert_frame_equal(frame, scores.to_pandas())


def test_a_schema_that_is_requested_is_passed_on(scores):
    schema = pyarrow.table(scores).schema
    assert pyarrow.RecordBatchReader.from_stream(scores, schema=schema).read_all().num_rows == 7


def test_other_libraries_average_as_we_do(scores):
    means = scores.mean()
    frame = pl.DataFrame(scores).group_by("measure").agg(pl.col("value").mean())
    assert dict(frame.iter_rows()) == means
    assert scores.to_pandas().groupby("measure")["value"].mean().to_dict() == means


def test_a_join_with_queries_leaves_out_the_whole_run(scores):
    about = pl.DataFrame({"query": ["q1", "q2", "q3"], "length": [3, 1, 2]})
    assert pl.DataFrame(scores).join(about, on="query")["measure"].to_list() == ["nDCG@2", "CG"] * 3


def test_tidy_tables_of_several_runs_go_below_each_other():
    judgments = gainful.read_qrels(QRELS)
    runs = [gainful.read_run(RUN, name=name) for name in ("one", "two")]
    all_scores = [evaluate(judgments, run, "CG") for run in runs]
    table = pl.concat([scores.to_polars() for scores in all_scores])
    assert table.pivot("system", index="query", values="value").rows() == [
        ("q1", 3.0, 3.0),
        ("q2", 1.0, 1.0),
        ("q3", 0.0, 0.0),
    ]


def test_csv_is_wide_unless_it_is_to_be_tidy_and_empty_where_there_is_no_value(scores):
    assert scores.to_csv() == scores.to_csv(shape="wide")
    assert scores.to_csv() == (
        f"query,nDCG@2,Coverage@1,CG\nq1,{RATIO},,3.0\nq2,1.0,,1.0\nq3,,,0.0\n,,0.75,\n"
    )
    assert scores.to_csv(shape="tidy") == (
        "system,query,measure,value\n"
        f"run,q1,nDCG@2,{RATIO}\nrun,q1,CG,3.0\nrun,q2,nDCG@2,1.0\nrun,q2,CG,1.0\n"
        "run,q3,nDCG@2,\nrun,q3,CG,0.0\nrun,,Coverage@1,0.75\n"
    )


@pytest.mark.parametrize("shape", ["tidy", "wide"])
def test_csv_reads_back_as_the_same_table(scores, shape):
    text = scores.to_csv(shape=shape)
    assert pl.read_csv(text.encode()).rows() == ROWS[shape]
    assert pandas.read_csv(io.StringIO(text)).equals(scores.to_pandas(shape=shape))


@pytest.mark.parametrize(
    ("method", "shapes"),
    [
        ("to_polars", "tidy, wide"),
        ("to_pandas", "tidy, wide"),
        ("to_arrow", "tidy, wide"),
        ("to_csv", "tidy, wide"),
        ("to_markdown", "means, tidy, wide"),
        ("to_latex", "means, tidy, wide"),
    ],
)
def test_a_shape_that_there_is_not_is_an_error(scores, method, shapes):
    with pytest.raises(OutputError) as error:
        getattr(scores, method)(shape="long")
    assert str(error.value) == f"{method}: shape must be one of {shapes}, got 'long'."


@pytest.mark.parametrize(("method", "name"), [("to_pandas", "pandas"), ("to_arrow", "pyarrow")])
def test_a_package_that_is_not_installed_is_named(scores, method, name, monkeypatch):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PackageError) as error:
        getattr(scores, method)()
    assert isinstance(error.value, ImportError)
    assert str(error.value) == (
        f"{method}: {name} is not installed. Install it with: pip install {name}"
    )


def test_pandas_and_the_arrow_interface_work_without_pyarrow(scores, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert scores.to_pandas()["query"].isna().sum() == 1
    assert pl.DataFrame(scores).height == 7


def test_a_measure_that_is_called_query_has_no_column_of_its_own():
    @measure
    def query(ranked):
        "One for every query."
        return np.ones(ranked.n_queries)

    scores = evaluate(QRELS, RUN, "query")
    with pytest.raises(OutputError) as error:
        scores.to_polars(shape="wide")
    assert str(error.value) == (
        "wide: a measure has the name of the column 'query'. Pass shape='tidy'."
    )
    assert scores.to_polars()["value"].to_list() == [1.0] * 3


def test_bytes_that_are_not_utf8_become_text_where_a_table_takes_only_that():
    scores = of_queries(["\udcff", "\udcfe"], [[0.5, 1.0], [0.25, 0.0]], run="r\udc80")
    frame = scores.to_polars()
    assert frame["query"].unique(maintain_order=True).to_list() == ["\\udcff", "\\udcfe"]
    assert frame["system"].unique().to_list() == ["r\\udc80"]
    assert scores.to_polars(shape="wide")["query"].to_list() == ["\\udcff", "\\udcfe"]
    assert scores.to_csv().splitlines()[1] == "\udcff,0.5,1.0"
    assert "r\\textbackslash{}udc80" in scores.to_latex()


anything = st.text(st.characters(), max_size=8)
number = st.floats(allow_nan=True, allow_infinity=True)


@st.composite
def tables(draw):
    queries = draw(st.lists(anything, min_size=1, max_size=6, unique_by=_as_arrow_has_it))
    row = st.lists(number, min_size=2, max_size=2)
    values = draw(st.lists(row, min_size=len(queries), max_size=len(queries)))
    return of_queries(queries, values, run=draw(anything))


def _as_arrow_has_it(name):
    return name.encode("utf-8", "backslashreplace")


def bits(values):
    """Values to be compared bit for bit; all that are not defined are one."""
    array = np.array([np.nan if v is None else v for v in values], dtype=np.float64)
    return np.where(np.isnan(array), 0x7FF8 << 48, array.view(np.int64)).tolist()


@given(tables())
def test_tidy_turned_is_wide_and_both_are_the_values_bit_for_bit(scores):
    names = [str(measure) for measure in scores.measures]
    expected = [bits(scores.values[:, i]) for i in range(len(names))]
    wide = scores.to_polars(shape="wide")
    assert [bits(wide[name].to_list()) for name in names] == expected
    turned = scores.to_polars().pivot("measure", index="query", values="value")
    assert turned.equals(wide)
    arrow = scores.to_arrow(shape="wide")
    assert [bits(arrow[name].to_pylist()) for name in names] == expected
    frame = scores.to_pandas(shape="wide")
    assert [bits(frame[name]) for name in names] == expected
    tidy = scores.to_pandas()
    assert [bits(tidy.value[tidy.measure == name]) for name in names] == expected
    streamed = pyarrow.table(scores).to_pydict()
    assert bits(streamed["value"]) == bits(scores.values.ravel())
    assert streamed["query"] == scores.to_polars()["query"].to_list()


@given(tables())
def test_csv_holds_every_id_and_every_digit(scores):
    rows = list(csv.reader(io.StringIO(scores.to_csv(shape="tidy"), newline="")))[1:]
    assert [row[1] for row in rows] == [query for query in scores.queries for _ in scores.measures]
    assert bits([float(row[3] or "nan") for row in rows]) == bits(scores.values.ravel())
    rows = list(csv.reader(io.StringIO(scores.to_csv(), newline="")))[1:]
    assert [row[0] for row in rows] == list(scores.queries)
    assert bits([float(v or "nan") for row in rows for v in row[1:]]) == bits(scores.values.ravel())


@given(tables(), st.sampled_from(["means", "tidy", "wide"]))
def test_latex_has_no_sign_that_could_break_it(scores, shape):
    text = scores.to_latex(shape=shape)
    text.encode()
    table, comments = text[text.index("\\midrule") :].split("\\end{tabular}\n\n")
    assert all(line.startswith("% ") for line in comments.removesuffix("\n").split("\n"))
    for command in ("textbackslash{}", "symbol{34}", "\\", *"&%$#_{}"):
        table = table.replace(f"\\{command}", "")
    n_rows = {"means": 2, "wide": len(scores.queries) + 1, "tidy": 2 * len(scores.queries) + 2}
    lines = text.splitlines()
    body = lines[lines.index("\\midrule") + 1 : lines.index("\\bottomrule")]
    assert len(body) == n_rows[shape]
    assert all(line.endswith(" \\\\") and line[0] not in "[*" for line in body)
    assert not set('#%_~^`"<>|') & set(table)
    assert table.count("{") == table.count("}")
    assert table.replace("$-$", "").count("$") == 0

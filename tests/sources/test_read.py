"""What ``read_qrels()`` and ``read_run()`` accept, whatever the format."""

import pytest

from gainful import SourceError, evaluate, read_qrels, read_run


def test_a_run_may_be_given_another_name():
    assert read_run(read_run({"q": ["a"]}), name="new").name == "new"


def test_judgments_are_read_once_for_many_runs():
    judgments = read_qrels({"q": {"a": 1}})
    assert read_qrels(judgments) is judgments
    assert repr(judgments) == "<Judgments 'qrels': 1 query, 1 judgment>"
    assert [evaluate(judgments, {"q": [i]}, "nDCG")["nDCG"] for i in "ab"] == [1.0, 0.0]


@pytest.mark.parametrize("source", [42, None, b"qrels", {"a", "b"}, object()])
def test_an_object_of_no_known_kind_is_an_error_that_names_the_kinds(source):
    with pytest.raises(SourceError) as error:
        read_qrels(source)
    kinds = (
        "a path, a dict of sets, a dict of dicts, dicts and lists within each other, rows, "
        "columns, a data frame or table, a DataFrame of Spark, a data set of ir_datasets, "
        "a data set of Hugging Face, a matrix, grouped"
    )
    assert str(error.value) == f"qrels: must be one of {kinds}, got {source!r:.60}."

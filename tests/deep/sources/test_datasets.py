"""Data sets of Hugging Face, and names that ir_datasets does not know."""

import datasets
import pytest

from gainful import SourceError, read_qrels
from sources.collection import LABELS, SCORES, rows
from sources.test_every_shape import same


def test_data_sets_of_hugging_face():
    def make_dataset(table):
        names = ["query-id", "corpus-id", "score"]
        columns = [list(column) for column in zip(*rows(table), strict=True)]
        return datasets.Dataset.from_dict(dict(zip(names, columns, strict=True)))

    qrels, run = make_dataset(LABELS), make_dataset(SCORES)
    assert same(qrels, run)
    assert same(qrels.to_iterable_dataset(), run.to_iterable_dataset())
    assert same(datasets.concatenate_datasets([qrels, qrels]).select([0, 1, 8, 3, 4, 5]))


def test_splits_of_hugging_face_are_named():
    split = datasets.Dataset.from_dict({"query-id": ["q"], "corpus-id": ["a"], "score": [1]})
    with pytest.raises(SourceError) as error:
        read_qrels(datasets.DatasetDict({"train": split, "test": split}))
    assert str(error.value) == (
        "qrels: a data set of several splits; pass one of them: 'train', 'test'."
    )


def test_an_unknown_data_set_says_so():
    with pytest.raises(SourceError) as error:
        read_qrels("irds:no/such/set")
    assert str(error.value) == (
        "irds:no/such/set: ir_datasets knows no such data set; see https://ir-datasets.com."
    )

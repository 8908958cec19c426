"""Dense, masked and sparse matrices of queries by items."""

import numpy as np
import pytest
import scipy.sparse

from gainful import Matrix, SourceError, evaluate, ndcg, read_qrels


def labels(source, **options):
    read = read_qrels(source, **options)
    return {query: read.labels(query) for query in read.queries}


def test_rows_and_columns_count_from_0_as_the_functions_count():
    table = np.array([[0.5, 0], [1, 2]])
    assert labels(table) == {"0": {"0": 0.5, "1": 0.0}, "1": {"0": 1.0, "1": 2.0}}
    scores = np.array([[1.0, 2.0], [1.0, 2.0]])
    result = evaluate(table, scores, "nDCG")
    assert result.queries == ("0", "1")
    assert result.column("nDCG").tolist() == ndcg(table, scores).tolist()


@pytest.mark.parametrize("kind", ["coo", "csr", "csc", "lil", "dok", "bsr", "dia"])
@pytest.mark.parametrize("base", [scipy.sparse.coo_array, scipy.sparse.coo_matrix])
def test_what_a_sparse_matrix_stores_is_judged(kind, base):
    table = base(np.array([[0, 2, 0], [0, 0, 0], [1, 0, 3]]))
    assert labels(getattr(table, f"to{kind}")()) == {"0": {"1": 2.0}, "2": {"0": 1.0, "2": 3.0}}


def test_stored_zeros_are_judged_and_retrieved():
    table = scipy.sparse.csr_array((np.array([0.0, 1.0]), ([0, 0], [0, 2])), shape=(1, 3))
    assert labels(table) == {"0": {"0": 0.0, "2": 1.0}}
    assert evaluate({"0": {"0": 1}}, table, "RR")["RR"] == 0.5


def test_cells_that_are_stored_twice_are_judged_twice():
    table = scipy.sparse.coo_array((np.array([1, 2]), ([0, 0], [1, 1])), shape=(1, 3))
    assert labels(table, duplicates="max") == {"0": {"1": 2.0}}
    with pytest.raises(SourceError, match="query '0' item '1' is judged twice"):
        labels(table)


def test_what_a_mask_hides_is_not_there():
    table = np.ma.masked_array([[1.0, np.nan], [2.0, 3.0]], mask=[[0, 1], [0, 0]])
    assert labels(table) == {"0": {"0": 1.0}, "1": {"0": 2.0, "1": 3.0}}


def test_recommended_ids_may_stand_in_a_matrix_of_their_own():
    run = Matrix(np.array([[3.0, 2.0], [9.0, 8.0]]), items=np.array([["a", "b"], ["c", "a"]]))
    assert evaluate({0: {"a": 1}, 1: {"a": 1}}, run, "RR").column("RR").tolist() == [1.0, 0.5]

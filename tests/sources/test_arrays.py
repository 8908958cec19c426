"""Arrays and tensors: what is read, and the error for those that cannot be."""

import numpy as np
import pytest

from gainful import Grouped, Matrix, SourceError, evaluate, ndcg, read_qrels
from sources.collection import Tensor

QRELS = Grouped([1, 0, 2], group_sizes=[2, 1])
ALONE = (
    "run 'run': is scores alone, which needs qrels with rows that they follow. "
    "Pass a LETOR file, Grouped(...) or Columns(...) as qrels."
)


@pytest.mark.parametrize(
    ("qrels", "run", "sentence"),
    [
        (
            np.zeros(3),
            {},
            "qrels: must have two dimensions, queries and items, got 1. "
            "For one list of all queries pass Grouped(...).",
        ),
        (
            np.zeros((2, 2, 2)),
            {},
            "qrels: must have two dimensions, queries and items, got 3. "
            "For one list of all queries pass Grouped(...).",
        ),
        (
            np.array([[1, np.nan]]),
            {},
            "qrels: query '0' item '1': label must be a finite number, got nan.",
        ),
        (
            np.array([[1, None]]),
            {},
            "qrels: query '0' item '1': label must be a finite number, got None.",
        ),
        (
            np.array([["a", "b"]]),
            {},
            "qrels: query '0' item '0': label must be a finite number, got 'a'.",
        ),
        (
            Matrix([[1, 2], [3]]),
            {},
            "qrels: must have rows of the same length, got [[1, 2], [3]].",
        ),
        (np.zeros((0, 3)), {}, "qrels: there are no judgments in it."),
        (Matrix(np.ones((2, 2)), queries=["a"]), {}, "qrels: queries must be 2 ids, got 1."),
        (Matrix(np.ones((2, 3)), items=["a"]), {}, "qrels: items must be 3 ids, got 1."),
        (
            Matrix(np.ones((2, 2)), items=[["a"]]),
            {},
            "qrels: items must be 2 lists of 2 ids, as numbers are.",
        ),
        (QRELS, [1.0], "run 'run': must hold a score for each of the 3 rows of the qrels, got 1."),
        (
            QRELS,
            np.array([1, 2, np.nan]),
            "run 'run': query '1' item '2': score must be a number that can be ordered, got NaN.",
        ),
        (QRELS, [1, 2, None], "run 'run': query '1' item '2': score must be a number, got None."),
        ({"q": {"a": 1}}, [1.0], ALONE),
        ({"q": {"a": 1}}, np.ones(1), ALONE),
        (
            Grouped([1, 2], group_sizes=[3]),
            {},
            "group_sizes: the sum must be the number of labels, 2, got 3.",
        ),
        (
            Grouped([1, 2], group_sizes=[0.5, 1.5]),
            {},
            "group_sizes: must be integers >= 0, got [0.5, 1.5].",
        ),
        (
            Grouped([1, 2], query_ids=["a"]),
            {},
            "query_ids: the count must be the number of labels, 2, got 1.",
        ),
        (
            Grouped([1, 2], group_offsets=[1, 2]),
            {},
            "group_offsets: must be integers that begin with 0, got [1, 2].",
        ),
        (
            Grouped([1, 2], group_offsets=[0, 3, 2]),
            {},
            "group_offsets: must not descend, got [0, 3, 2].",
        ),
        (
            Grouped([1, 2], group_offsets=[0, 1]),
            {},
            "group_sizes: the sum must be the number of labels, 2, got 1.",
        ),
        (
            Grouped([1, 2], group_sizes=[2], items=["a"]),
            {},
            "items: the count must be the number of labels, 2, got 1.",
        ),
        (
            Grouped([[1], [2]], group_sizes=[2]),
            {},
            "Grouped: must be one list of numbers, got [[1], [2]].",
        ),
        (
            Grouped(["a"], group_sizes=[1]),
            {},
            "qrels: query '0' item '0': label must be a finite number, got 'a'.",
        ),
        (Grouped(3, group_sizes=[1]), {}, "Grouped: expected a list or an array, got 3."),
    ],
)
def test_arrays_that_cannot_be_read_say_why(qrels, run, sentence):
    with pytest.raises(SourceError) as error:
        evaluate(qrels, run)
    assert str(error.value) == sentence


class Gradient(Tensor):
    """A tensor that requires gradients."""

    requires_grad = True

    def detach(self):
        return Tensor(self.array)

    def __dlpack__(self, **options):
        message = "use tensor.detach()"
        raise BufferError(message)


class Brief(Tensor):
    """A tensor of a type that NumPy does not have."""

    dtype = "torch.bfloat16"

    def __dlpack__(self, **options):
        message = "unsupported"
        raise BufferError(message)


class Nowhere(Tensor):
    """A tensor without memory."""

    def __dlpack_device__(self):
        raise ValueError(self.device)


def test_the_functions_take_tensors():
    label, score = np.array([3, 2, 0.0]), np.array([1, 2, 3.0])
    assert ndcg(Tensor(label)) == ndcg(label)
    assert ndcg(Tensor(label), Tensor(score)) == ndcg(label, score)
    assert ndcg(Gradient(label), Gradient(score)) == ndcg(label, score)
    assert ndcg(Tensor(label), group_sizes=Tensor(np.array([2, 1]))).tolist() == [1.0, 0.0]
    assert ndcg(Tensor(label), query_ids=Tensor(np.array([2, 1, 2]))).tolist() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("tensor", "sentence"),
    [
        (
            Tensor(np.ones((2, 2)), device=(2, 0)),
            "must be in the memory of the processor, got an array on device 2 of DLPack. "
            "Copy it there first, for example with .cpu() or .get().",
        ),
        (
            Nowhere(np.ones((2, 2)), device="meta"),
            "must be in the memory of the processor, got an array on device meta of DLPack. "
            "Copy it there first, for example with .cpu() or .get().",
        ),
        (
            Brief(np.ones((2, 2))),
            "must be of a type of numbers that NumPy has, got torch.bfloat16. "
            "Convert it first, for example with .float().",
        ),
    ],
)
def test_tensors_that_cannot_be_read_say_why(tensor, sentence):
    with pytest.raises(SourceError) as error:
        read_qrels(tensor)
    assert str(error.value) == f"qrels: {sentence}"
    with pytest.raises(SourceError) as error:
        ndcg(tensor)
    assert str(error.value) == f"ranking: {sentence}"

"""Random input of every format is read, or refused with an error of Gainful."""

import json
import uuid
from collections import UserDict, namedtuple
from contextlib import suppress
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from example_counts import max_examples
from gainful import (
    Columns,
    GainfulError,
    Grouped,
    Matrix,
    Rules,
    evaluate,
    ndcg,
    read_qrels,
    read_run,
)
from gainful.sources import Run
from gainful.sources.columns import KNOWN_NAMES
from gainful.sources.nested import ITEM_KEYS, NUMBER_KEYS

often = settings(max_examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
JUDGED = read_qrels({"q": {"a": 1, "b": 0}, 1: {"a": 2}, "query_id": {"a": 1}})
FOLLOWED = read_qrels(Grouped([1, 0, 2], group_sizes=[2, 1]))

names = [alias for aliases in KNOWN_NAMES.values() for alias in aliases[:2]]
names += ["id", "q", "a", "b", "1", *(key for keys in ITEM_KEYS.values() for key in keys[:3])]
names += [key for keys in NUMBER_KEYS.values() for key in keys[:1]]
keys = st.sampled_from(names) | st.text(max_size=3)
numbers = st.integers(-3, 3) | st.integers() | st.floats() | st.just(10**400)
scalars = st.none() | st.booleans() | numbers | keys
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4),
    max_leaves=12,
)


def read(qrels=None, run=None, **options):
    """Read it, as qrels or as a run, under any rule; only errors of ours may come of it."""
    with suppress(GainfulError):
        if qrels is not None:
            read_qrels(qrels, **options)
        if run is not None:
            run = run if isinstance(run, Run) else read_run(run, **options)
            for judgments in (JUDGED, FOLLOWED):
                evaluate(judgments, run, "nDCG", rules=Rules(duplicates="max"))
            evaluate(JUDGED, run, "nDCG", rules=Rules(order="rank"))


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzz") / "data"


@often
@given(value=values)
def test_values_of_json_are_read_or_refused(path, value):
    path.write_text(json.dumps(value))
    read(qrels=path, format="json")
    read(run=read_run(path, format="json"))


@often
@given(value=values)
def test_objects_in_the_shapes_of_json_are_read_or_refused(value):
    if not isinstance(value, str):  # which would be a path
        read(qrels=value)
        read(run=value)
        read(qrels=value, labels={"q": 1, 1: 2})
        read(qrels=value, collapse="^(.*)$")
        read(run=value, columns={"item": "a", "query": "q"})


@often
@given(lines=st.lists(values, max_size=4), repeated=st.booleans())
def test_lines_of_json_and_keys_that_stand_twice_are_read_or_refused(path, lines, repeated):
    text = "\n".join(map(json.dumps, lines))
    path.write_text(text.replace("{", '{"q": {"a": 1}, "id": 2, ', 1) if repeated else text)
    read(qrels=path, format="json")
    read(run=read_run(path, format="json"))


fragments = st.sampled_from(
    b"1 qid:2 1:3|\n| |#|docid = a|qid:|-1|nan|\xff|\r|_".split(b"|")
    + b'{|}|[|]|"q"|:|,|1|NaN|"\\ud800"|\xef\xbb\xbf'.split(b"|")
)
texts = st.binary(max_size=60) | st.lists(fragments, max_size=20).map(b"".join)


@often
@given(text=texts)
@pytest.mark.parametrize("form", ["json", "letor", "predictions"])
def test_bytes_are_read_or_refused(path, form, text):
    path.write_bytes(text)
    if form != "predictions":
        read(qrels=path, format=form)
    if form != "letor":
        read(run=read_run(path, format=form))


Row = namedtuple("Row", "query_id doc_id relevance score rank")
odd = scalars | st.just(b"q") | st.uuids() | st.just(()) | st.just([]) | st.just(np.float32(1))
five = st.tuples(odd, odd, odd, odd, odd)
objects = st.one_of(
    five.map(lambda fields: Row(*fields)),
    five.map(lambda fields: SimpleNamespace(qid=fields[0], docno=fields[1], score=fields[2])),
    five.map(lambda fields: UserDict(query=fields[0], item=fields[1], label=fields[2])),
    five.map(lambda fields: fields[:3]),
    odd,
    st.builds(object),
)


@often
@given(rows=st.lists(objects, max_size=4), lazily=st.booleans())
def test_rows_are_read_or_refused(rows, lazily):
    read(qrels=iter(rows) if lazily else rows)
    read(qrels=rows, labels={"q": 1, 1: 2})
    read(qrels=rows, collapse="^(.*)$")
    read(run=iter(rows) if lazily else rows)


@often
@given(keys=st.lists(odd, min_size=1, max_size=3), listed=st.lists(objects, max_size=3))
def test_dicts_with_any_ids_are_read_or_refused(keys, listed):
    hashable = [key for key in keys if key.__hash__ is not None]
    for source in (dict.fromkeys(hashable, listed), UserDict(dict.fromkeys(hashable, listed))):
        read(qrels=source)
        read(run=source)
    if len(listed) == len(keys):
        read(qrels=Columns(query=keys, item=listed, label=[1] * len(keys)))


dtypes = st.sampled_from(["?", "i1", "u8", "f2", "f4", "f8", "g", "c16", "U2", "S2", "O", "M8[D]"])


@often
@given(
    shape=st.lists(st.integers(0, 3), max_size=3),
    dtype=dtypes,
    sizes=st.lists(st.integers(-1, 4), max_size=3),
    ids=st.lists(odd, max_size=3),
)
def test_arrays_are_read_or_refused(shape, dtype, sizes, ids):
    array = np.ones(shape).astype(np.dtype(dtype) if dtype != "M8[D]" else "i8").astype(dtype)
    for source in (array, Matrix(array, queries=ids), Matrix(array, items=ids)):
        read(qrels=source)
        read(run=source)
    for options in ({"group_sizes": sizes}, {"query_ids": ids}, {"group_offsets": sizes}):
        read(qrels=Grouped(array, **options))
        read(run=Grouped(array, **options))
    read(qrels=Grouped(array, group_sizes=sizes, items=ids))
    if array.ndim == 2 and array.dtype.kind in "biuf" and dtype not in ("f2", "g"):
        read(qrels=scipy.sparse.coo_array(array))
        read(run=Matrix(scipy.sparse.csr_array(array), queries=ids, items=ids))
    with suppress(GainfulError):
        ndcg(array)


def test_ids_of_all_kinds_are_told_apart():
    item = uuid.uuid4()
    assert len(read_qrels([("q", i, 1) for i in (1, "a", b"b", item)]).labels("q")) == 4

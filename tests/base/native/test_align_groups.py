"""Lines between the lines of a query do not undo their grouping."""

import pytest

from gainful.base import _native


@pytest.mark.parametrize("between", [b"", b"\n", b"# a comment\n"])
def test_lines_between_queries_do_not_undo_their_grouping(between):
    index = _native.Index()
    index.add({"q1": {"d1": 1}})
    index.finish(_native.Duplicates.error)
    options = _native.Options(
        order=_native.Order.score,
        ties=_native.Ties.input,
        duplicates=_native.Duplicates.error,
        condense=False,
        float32=False,
        depth=0,
    )
    aligner = _native.Aligner(index, options, _native.Reading(chunk=100))
    queries = [b"".join(b"q%d Q0 d%d 1 1 t\n" % (q, i) for i in range(4)) for q in range(300)]
    aligner.feed(between.join(queries))  # would raise Ungrouped
    aligner.feed(b"")
    assert aligner.finish().n_retrieved.tolist() == [4]

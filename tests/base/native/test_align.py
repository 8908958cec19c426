"""A run joined with the judgments: the native core against the reference under every rule."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from base.native.answers import assert_same
from base.native.samples import RULES, SIZES, collection, corrupted, every_option
from example_counts import max_examples, sample_cases, sampled
from reference.align import Options

QRELS = b"q 0 a 0\nq 0 b 2\nq 0 c -1\nq 0 d 1\nq 0 missing 3\n"

options = st.builds(
    Options,
    **{name: st.sampled_from(values) for name, values in RULES.items()},
    drop_own=st.booleans(),
)
queries = st.sampled_from([b"q", b"r", b"s"])
items = st.sampled_from([b"a", b"b", b"c", b"d", b"\xff", b"aa", b"q", b"r"])
judged = st.builds(
    b"%b 0 %b %b\n".__mod__, st.tuples(queries, items, st.sampled_from([b"-1", b"0", b"1", b"2"]))
)
retrieved = st.builds(
    b"%b Q0 %b %d %b t\n".__mod__,
    st.tuples(queries, items, st.integers(-1, 3), st.sampled_from([b"-0", b"0", b"0.5", b"1e-60"])),
)


def rank_items(run: bytes, **rules) -> bytes:
    """The items of query q, one byte each, in rank order."""
    places = assert_same(QRELS, run, Options(**rules))["rankings"][b"q"]["places"]
    return b"".join(item for item, *_ in places)


def run_of(*rows: tuple[bytes, int, float]) -> bytes:
    return b"".join(b"q Q0 %b %d %a t\n" % row for row in rows)


TIED = run_of((b"b", 2, 1.0), (b"a", 4, 1.0), (b"x", 3, 1.0), (b"d", 1, 1.0), (b"c", 5, 2.0))


@pytest.mark.parametrize(
    ("ties", "order"),
    [
        ("item_desc", b"cxdba"),
        ("item_asc", b"cabdx"),
        ("input", b"cbaxd"),
        ("input_reversed", b"cdxab"),
        ("middle", b"cbaxd"),
        ("rank_column", b"cdbxa"),
        ("best", b"cbdxa"),
        ("worst", b"cxadb"),
        ("average", b"cbdxa"),
    ],
)
def test_ties_are_ordered_by_the_rule(ties, order):
    assert rank_items(TIED, ties=ties) == order


@pytest.mark.parametrize(
    ("order", "items"), [("score", b"cxdba"), ("rank", b"dbxac"), ("file", b"baxdc")]
)
def test_run_is_ordered_by_the_rule(order, items):
    assert rank_items(TIED, order=order) == items


def test_scores_are_tied_in_single_precision_only():
    run = run_of((b"a", 1, 0.1), (b"b", 1, 0.1 + 1e-9), (b"c", 1, 1e300), (b"d", 1, 1e301))
    assert rank_items(run, ties="item_asc") == b"dcba"
    assert rank_items(run, ties="item_asc", float32=True) == b"cdab"


def test_zero_and_negative_zero_are_tied():
    run = b"q Q0 a 1 0 t\nq Q0 b 1 -0.0 t\nq Q0 c 1 -1e-400 t\n"
    assert rank_items(run) == b"cba"


def test_rank_column_that_is_equal_too_keeps_the_order_of_the_file():
    run = run_of((b"b", 1, 1.0), (b"c", 1, 1.0), (b"a", 1, 1.0))
    assert rank_items(run, ties="rank_column") == b"bca"


@pytest.mark.parametrize(("rule", "order"), [("first", b"abd"), ("last", b"dba"), ("max", b"bad")])
def test_item_retrieved_twice_stands_where_the_rule_puts_it(rule, order):
    run = run_of((b"a", 1, 3.0), (b"b", 1, 2.0), (b"d", 1, 1.0), (b"b", 1, 4.0), (b"d", 1, 2.5))
    run += run_of((b"b", 1, 1.0), (b"a", 1, 0.0), (b"d", 1, 2.0))
    assert rank_items(run, duplicates=rule, ties="input") == order


@pytest.mark.parametrize(("rule", "order"), [("first", b"ab"), ("last", b"ba"), ("max", b"ab")])
def test_item_listed_twice_is_best_where_it_stands_first(rule, order):
    run = run_of((b"a", 9, 1.0), (b"b", 2, 1.0), (b"a", 1, 1.0))
    assert rank_items(run, order="file", duplicates=rule) == order
    assert rank_items(run, order="rank", duplicates="max") == b"ab"


TWICE = run_of((b"a", 1, 4.0), (b"b", 1, 3.0), (b"x", 1, 2.0), (b"b", 1, 3.5), (b"b", 1, 1.0))


@pytest.mark.parametrize(
    ("rule", "hits"),
    [("count", [(1, 0.0), (2, 2.0), (3, 2.0), (5, 2.0)]), ("once", [(1, 0.0), (2, 2.0)])],
)
def test_item_retrieved_twice_keeps_all_its_ranks_where_the_rule_says_so(rule, hits):
    answer = assert_same(QRELS, TWICE, Options(duplicates=rule))
    ranking = answer["rankings"][b"q"]
    assert [hit[:2] for hit in ranking["hits"]] == hits
    assert (ranking["n_retrieved"], answer["n_duplicates"]) == (5, 2)
    assert rank_items(TWICE, duplicates=rule) == b"abbxb"


def test_mentions_of_an_unjudged_item_are_condensed_and_those_of_a_judged_one_are_not():
    run = TWICE + run_of((b"x", 1, 0.0))
    ranking = assert_same(QRELS, run, Options(duplicates="count", condense=True))["rankings"][b"q"]
    assert [rank for rank, *_ in ranking["hits"]] == [1, 2, 3, 4]


def test_tied_items_share_the_middle_rank_of_their_block_rounded_down():
    ranking = assert_same(QRELS, TIED, Options(ties="middle"))["rankings"][b"q"]
    assert ranking["hits"] == [(1, -1.0, 1, 1), (3, 2.0, 2, 4), (3, 0.0, 2, 4), (3, 1.0, 2, 4)]


@pytest.mark.parametrize(("depth", "count"), [(1, 1), (2, 1), (3, 4)])
def test_depth_cuts_items_that_share_a_rank_together(depth, count):
    ranking = assert_same(QRELS, TIED, Options(ties="middle", depth=depth))["rankings"][b"q"]
    assert (len(ranking["hits"]), ranking["n_retrieved"]) == (count, depth)


def test_item_with_the_id_of_its_query_is_taken_out():
    run = run_of((b"q", 1, 9.0), (b"b", 2, 3.0), (b"r", 3, 1.0)) + b"r Q0 q 1 1 t\n"
    qrels = QRELS + b"q 0 q 2\nr 0 q 1\n"
    answer = assert_same(qrels, run, Options(drop_own=True))
    assert answer["rankings"][b"q"]["hits"] == [(1, 2.0, 1, 1)]
    assert answer["rankings"][b"q"]["n_retrieved"] == 2
    assert answer["rankings"][b"r"]["hits"] == [(1, 1.0, 1, 1)]
    assert answer["n_own"] == 1


def test_query_that_returns_itself_alone_is_in_the_run():
    ranking = assert_same(QRELS, run_of((b"q", 1, 1.0)), Options(drop_own=True))["rankings"][b"q"]
    assert ranking == {"in_run": True, "n_retrieved": 0, "hits": [], "places": []}


def test_first_second_retrieval_in_the_file_is_reported():
    run = b"r Q0 a 1 1 t\nq Q0 a 1 1 t\nq Q0 a 1 1 t\nr Q0 a 1 1 t\nq Q0 a 1 1 t\n"
    qrels = b"r 0 a 1\n" + QRELS
    expected = ("retrieved-twice", 3, 0, b"", b"q", b"a", 2.0, 3.0)
    assert assert_same(qrels, run, Options()) == expected


def test_duplicates_of_a_query_without_judgments_are_no_matter():
    answer = assert_same(QRELS, b"r Q0 a 1 1 t\nr Q0 a 1 1 t\n", Options())
    assert answer["strangers"] == [b"r"]
    assert answer["n_duplicates"] == 0


def test_strangers_stand_in_the_order_of_their_first_mention():
    run = b"".join(b"%b Q0 a 1 1 t\n" % query for query in (b"z", b"q", b"b", b"z", b"\xff", b"b"))
    answer = assert_same(QRELS, run, Options(duplicates="first"))
    assert answer["strangers"] == [b"z", b"b", b"\xff"]
    assert answer["first"] == (b"z", b"a")


def test_query_that_the_run_lacks_has_an_empty_ranking():
    answer = assert_same(QRELS + b"r 0 a 1\n", TIED, Options())
    assert answer["rankings"][b"r"] == {"in_run": False, "n_retrieved": 0, "hits": [], "places": []}


def test_condensed_ranking_holds_judged_items_only():
    ranking = assert_same(QRELS, TIED, Options(condense=True, depth=3))["rankings"][b"q"]
    assert ranking["hits"] == [(1, -1.0, 1, 1), (2, 1.0, 2, 3), (3, 2.0, 2, 3)]
    assert ranking["n_retrieved"] == 3


def test_query_of_unjudged_items_is_in_the_run_even_when_condensed():
    ranking = assert_same(QRELS, run_of((b"x", 1, 1.0)), Options(condense=True))["rankings"][b"q"]
    assert ranking == {"in_run": True, "n_retrieved": 0, "hits": [], "places": []}


def test_depth_cuts_a_tie_unless_it_is_averaged():
    rankings = [
        assert_same(QRELS, TIED, Options(ties=ties, depth=2))["rankings"][b"q"]
        for ties in ("item_desc", "average")
    ]
    assert rankings[0]["hits"] == [(1, -1.0, 1, 1)]
    assert [rank for rank, *_ in rankings[1]["hits"]] == [1, 2, 3, 5]
    assert [ranking["n_retrieved"] for ranking in rankings] == [2, 2]


def test_places_go_on_below_the_depth():
    assert rank_items(TIED, depth=1) == b"cxdba"


@sampled
@pytest.mark.parametrize(
    ("order", "ties", "duplicates"),
    list(product(RULES["order"], RULES["ties"], RULES["duplicates"])),
)
def test_every_combination_of_rules_gives_what_the_reference_gives(order, ties, duplicates):
    options = list(enumerate(every_option(order=order, ties=ties, duplicates=duplicates)))
    for seed, chosen in sample_cases(options, first=len(f"{order}{ties}{duplicates}")):
        for size in (SIZES[seed % len(SIZES)], SIZES[(seed * 5 + 2) % len(SIZES)]):
            random = Random(f"{seed} {size} {order} {ties}")
            sample = collection(
                random,
                size,
                judged_twice=duplicates != "error" or seed % 8 == 0,
                retrieved_twice=duplicates != "error" or seed % 8 == 1,
            )
            assert_same(sample.qrels, sample.run, chosen)


@max_examples(400)
@given(st.lists(judged, max_size=12), st.lists(retrieved, max_size=16), options)
def test_small_collections_give_what_the_reference_gives(qrels, run, chosen):
    assert_same(b"".join(qrels), b"".join(run), chosen)


@pytest.mark.parametrize("seed", range(60))
def test_corrupted_files_give_the_errors_of_the_reference(seed):
    random = Random(seed)
    chosen = random.choice(every_option())
    sample = collection(random, random.choice((1, 10, 64)))
    for _ in range(25):
        assert_same(corrupted(random, sample.qrels), sample.run, chosen)
        assert_same(sample.qrels, corrupted(random, sample.run), chosen)


def test_corruption_brings_about_every_error():
    reasons = set()
    for seed in range(200):
        random = Random(seed)
        sample = collection(random, 20)
        for qrels, run in [
            (corrupted(random, sample.qrels), b""),
            (sample.qrels, corrupted(random, sample.run)),
        ]:
            answer = assert_same(qrels, run, Options(ties="rank_column"))
            reasons.add(answer[0] if isinstance(answer, tuple) else "none")
    twice = {"judged-twice", "retrieved-twice"}
    assert reasons == {"none", "fields", "label", "score", "nan-score", "rank"} | twice

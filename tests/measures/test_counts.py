"""NumQ, NumRet, NumRel, NumRelRet and NumNonrelRet, counted by hand."""

from gainful import Rules, evaluate, parse_measure

QRELS = {"q": {"a": 1, "b": 2, "n": 0, "m": -1}, "p": {"a": 3}, "missing": {"a": 1, "b": 1}}
RUN = {"q": ["a", "x", "n", "m"], "p": ["x", "a"]}
MEASURES = ["NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet"]


def test_counts_of_each_query():
    scores = evaluate(QRELS, RUN, MEASURES)
    # A negative label is no judgment: m is not counted as judged and not relevant.
    assert scores.per_query()["q"] == dict(zip(MEASURES, [1, 4, 2, 1, 1], strict=True))
    assert scores.per_query()["p"] == dict(zip(MEASURES, [1, 2, 1, 1, 0], strict=True))
    assert scores.per_query()["missing"] == dict(zip(MEASURES, [1, 0, 2, 0, 0], strict=True))


def test_counts_are_added_up():
    assert evaluate(QRELS, RUN, MEASURES).mean() == dict(
        zip(MEASURES, [3, 6, 5, 2, 1], strict=True)
    )
    means = evaluate(QRELS, RUN, MEASURES, rules=Rules(missing="skip")).mean()
    assert means == dict(zip(MEASURES, [2, 6, 3, 2, 1], strict=True))


def test_rel_decides_what_is_relevant():
    scores = evaluate(QRELS, RUN, ["NumRel(rel=2)", "NumRelRet(rel=2)", "NumNonrelRet(rel=2)"])
    assert scores.values[0].tolist() == [1, 0, 2]


def test_the_depth_cuts_what_was_returned():
    assert evaluate(QRELS, RUN, ["NumRet", "NumNonrelRet"], rules=Rules(depth=2)).values[
        0
    ].tolist() == [2, 0]


def test_a_tie_that_the_depth_cuts_is_counted_in_parts():
    run = {"q": {"a": 1.0, "x": 1.0, "n": 1.0}}
    rules = Rules(ties="average", depth=2, missing="skip")
    scores = evaluate(QRELS, run, ["NumRet", "NumRelRet", "NumNonrelRet"], rules=rules)
    assert scores.values[0].tolist() == [2, 2 / 3, 2 / 3]


def test_a_caller_may_change_what_it_was_given():
    from gainful.alignment.join import align
    from gainful.sources import read_qrels, read_run

    ranked, *_ = align(read_qrels(QRELS), read_run(RUN), Rules())
    for name in ("NumRel", "NumRelRet", "Hits", "Hits@1", "NumRet"):
        scores = parse_measure(name).score(ranked)
        values = scores.tolist()
        scores += 7
        assert parse_measure(name).score(ranked).tolist() == values


def test_trec_eval_names():
    names = ["num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"]
    assert [parse_measure(name).name for name in names] == MEASURES

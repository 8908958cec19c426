"""What a report knows of other tools."""

from gainful import DIALECTS, Rules, evaluate, reconcile
from gainful.report.html.page_data import gather_experiment

QRELS = {"q1": {"a": 3, "b": 1}, "q2": {"c": 0}, "q3": {"d": 1}}
OLD = {"q1": ["b", "a"], "q2": ["c"]}
NEW = {"q1": ["a", "b"], "q2": ["c"], "q3": ["x", "d"]}
BOTH = {"old": OLD, "new": NEW}


def test_the_candidate_is_looked_at_or_the_only_run():
    assert gather_experiment(QRELS, BOTH, "nDCG@5").reconciliation.run == "new"
    assert gather_experiment(QRELS, {"old": OLD}, "nDCG@5").reconciliation.run == "old"
    assert gather_experiment(QRELS, {"old": OLD}, "DCG@5").reconciliation.measure == "DCG@5"


def test_the_reference_is_the_report_with_its_own_settings_and_rules():
    rules = Rules(missing="skip", empty="one")
    found = gather_experiment(QRELS, BOTH, "nDCG(gain=exp2)@5", rules=rules).reconciliation
    own = evaluate(QRELS, NEW, "nDCG(gain=exp2)@5", rules=rules)["nDCG(gain=exp2)@5"]
    assert (found.reference.name, found.value) == ("this report", own)
    assert found.measure == "nDCG@5"


def test_other_tools_have_their_own_settings_and_share_the_cutoff():
    found = gather_experiment(QRELS, BOTH, "nDCG(gain=exp2)@5").reconciliation
    alone = reconcile(QRELS, NEW, 5)
    assert {name: found.values[name] for name in ("trec_eval@10", "lightgbm", "spark")} == {
        name: alone.values[name] for name in ("trec_eval@10", "lightgbm", "spark")
    }
    assert next(iter(found.values)) == "this report"
    assert {*found.values, *found.left_out} == {"this report", *DIALECTS}


def test_a_measure_that_no_tool_reports_has_a_reason():
    found = gather_experiment(QRELS, BOTH, "P@5")
    assert found.reconciliation is None
    assert found.no_reconciliation == "no other tool is known to report P."

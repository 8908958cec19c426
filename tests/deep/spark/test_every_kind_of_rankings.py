"""Every registered measure, whatever rankings it reads, gives on Spark what one machine gives."""

import pyarrow as pa
import pytest

import gainful
from gainful import ItemData, MeasureError, Rules
from gainful.alignment.item_rankings import ItemRankings
from gainful.alignment.preference_rankings import PreferenceRankings
from gainful.alignment.rankings import GroupedRankings, JudgedRankings
from gainful.errors import GainfulError
from gainful.measures import REGISTRY, measure
from gainful.sources import Columns
from gainful.spark import evaluate
from spark.evaluation_in_parts import evaluate_in_parts
from spark.score_equality import assert_alike

NEEDED = {"alpha_uRBP": {"goal": 2, "spread": 1}}
GROUPS = ("relevance", "understandability")
NAMES = [f"d{i}" for i in range(14)]
ITEMS = ItemData(
    catalog=NAMES[2:],
    popularity={item: i for i, item in enumerate(NAMES[1:])},
    n_users=30,
    features={item: [i % 5 - 2.0, i % 3 + 0.5] for i, item in enumerate(NAMES[:-1])},
)
RULES = [
    Rules(),
    Rules(empty="skip", missing="skip"),
    Rules(empty="nan", depth=4),
    Rules(duplicates="max", collapse="^(.*?)-"),
]


def complete(name):
    new_measure = REGISTRY[name](**NEEDED.get(name, {}))
    if "cutoff" in new_measure.arguments:
        return new_measure @ 5
    return (
        new_measure @ 0.5
        if any(argument.is_required for argument in new_measure.arguments.values())
        else new_measure
    )


def select_measures(*kinds):
    return [candidate for candidate in map(complete, REGISTRY) if candidate.reads in kinds]


def make_tables():
    """Rows of qrels in groups, in the order of queries, and of a run.

    Some queries are only here, some only there, and in some nothing is relevant.
    """
    qrels = {name: [] for name in ("query", "item", "label", "group", "subgroup")}
    run = {name: [] for name in ("query", "item", "score")}
    for q in range(11):
        for i in range(14):
            if q < 8 and (3 * i + q) % 4 != 0:
                for g, group in enumerate(GROUPS):
                    label = 0 if q == 5 else (i * i + q * (g + 1)) % 4
                    row = f"q{q:02}", NAMES[i], float(label), group, "0"
                    for name, value in zip(qrels, row, strict=True):
                        qrels[name].append(value)
            if q > 2 and (i + q) % 5 < 4:
                row = f"q{q:02}", NAMES[i], float((7 * i + q) % 6)
                for name, value in zip(run, row, strict=True):
                    run[name].append(value)
    return qrels, run


QRELS, RUN = make_tables()
ONCE = {name: column[::2] for name, column in QRELS.items()}  # a judgment for every item


def as_columns(kind, qrels):
    query, item, label, group, subgroup = qrels.values()
    if kind is GroupedRankings:
        return Columns(query=query, item=item, label=label, subtopic=group)
    if kind is PreferenceRankings:
        return Columns(query=query, item=item, label=label, group=group, subgroup=subgroup)
    return Columns(query=query, item=item, label=label)


def evaluate_locally(kind, qrels, run, measures, **options):
    ranked = Columns(query=run["query"], item=run["item"], score=run["score"])
    return gainful.evaluate(as_columns(kind, qrels), ranked, measures, **options)


def evaluate_on_spark(spark, qrels, run, measures):
    frames = [spark.createDataFrame(pa.table(columns)) for columns in (qrels, run)]
    return evaluate(*frames, measures, items=ITEMS, partitions=4)


OF_KIND = {
    ItemRankings: (ONCE, select_measures(JudgedRankings, ItemRankings)),
    GroupedRankings: (QRELS, select_measures(GroupedRankings)),
    PreferenceRankings: (QRELS, select_measures(PreferenceRankings)),
}


def test_every_registered_measure_is_of_these_kinds():
    assert sum(len(measures) for _, measures in OF_KIND.values()) == len(REGISTRY)


@pytest.mark.spark
@pytest.mark.parametrize("kind", OF_KIND)
def test_every_measure_has_the_bits_of_one_machine(spark, kind):
    qrels, measures = OF_KIND[kind]
    ours = evaluate_on_spark(spark, qrels, RUN, measures)
    assert_alike(ours, evaluate_locally(kind, qrels, RUN, measures, items=ITEMS))


@pytest.mark.parametrize("n_parts", [1, 3, 16])
@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("kind", OF_KIND)
def test_parts_that_lack_judgments_or_rows_give_the_bits_of_the_whole(kind, rules, n_parts):
    qrels, measures = OF_KIND[kind]
    ours = evaluate_in_parts(qrels, RUN, measures, items=ITEMS, rules=rules, n_parts=n_parts)
    assert_alike(ours, evaluate_locally(kind, qrels, RUN, measures, items=ITEMS, rules=rules))


def catch_error(work):
    with pytest.raises(GainfulError) as error:
        work()
    return type(error.value), str(error.value)


@pytest.mark.parametrize("kind", [GroupedRankings, PreferenceRankings])
def test_of_items_that_are_judged_twice_the_first_by_its_query_is_named(kind):
    twice = {name: list(column) for name, column in QRELS.items()}
    for query in ("q03", "q06"):
        row = twice["query"].index(query)
        for column in twice.values():
            column.insert(row, column[row])
        twice["label"][row] += 1
    ours = catch_error(lambda: evaluate_in_parts(twice, RUN, OF_KIND[kind][1], n_parts=7))
    assert ours == catch_error(lambda: evaluate_locally(kind, twice, RUN, OF_KIND[kind][1]))
    assert "query 'q03'" in ours[1]


def test_of_preferences_that_contradict_each_other_the_first_by_its_query_is_named():
    qrels = {
        "query": ["q1"] * 4 + ["q2"] * 4,
        "item": ["x", "y"] * 4,
        "label": [2.0, 1.0, 1.0, 2.0] * 2,
        "group": ["g"] * 8,
        "subgroup": ["a", "a", "b", "b"] * 2,
    }
    run = {"query": ["q2", "q1"], "item": ["x", "y"], "score": [1.0, 1.0]}
    measures = OF_KIND[PreferenceRankings][1]
    ours = catch_error(lambda: evaluate_in_parts(qrels, run, measures, n_parts=5))
    assert ours == catch_error(lambda: evaluate_locally(PreferenceRankings, qrels, run, measures))
    assert "query 'q1'" in ours[1]


def test_of_groups_that_a_measure_lacks_the_first_by_its_query_is_named():
    half_qrels = {name: column[::2] for name, column in QRELS.items()}
    ours = catch_error(lambda: evaluate_in_parts(half_qrels, RUN, ["uRBP"], n_parts=5))
    assert ours == catch_error(lambda: evaluate_locally(GroupedRankings, half_qrels, RUN, ["uRBP"]))


def test_a_label_that_is_no_number_is_refused_in_groups_as_elsewhere():
    wrong = QRELS | {"label": [float("nan"), *QRELS["label"][1:]]}
    ours = catch_error(lambda: evaluate_in_parts(wrong, RUN, OF_KIND[GroupedRankings][1]))
    assert ours == catch_error(lambda: evaluate_in_parts(wrong, RUN, "nDCG"))


def test_a_run_that_shares_no_query_is_said_before_what_a_measure_lacks():
    others = RUN | {"query": [f"other-{query}" for query in RUN["query"]]}
    ours = catch_error(lambda: evaluate_in_parts(ONCE, others, ["nDCG", "ILD"]))
    assert ours == catch_error(
        lambda: evaluate_locally(ItemRankings, ONCE, others, ["nDCG", "ILD"])
    )


def test_data_of_items_that_a_measure_of_the_whole_run_lacks_are_asked_for():
    with pytest.raises(MeasureError, match=r"^Coverage needs the catalog of items\. "):
        evaluate_in_parts(ONCE, RUN, "Coverage@5")


@pytest.fixture
def half():
    @measure
    def Half(ranked):
        return ranked.n_retrieved / 2

    yield Half
    del REGISTRY["Half"]


@pytest.mark.spark
def test_measures_of_a_user_need_not_be_known_to_workers(spark, half):
    ours = evaluate_on_spark(spark, ONCE, RUN, [half])
    assert_alike(ours, evaluate_locally(JudgedRankings, ONCE, RUN, [half]))
    assert ours["Half"] == ours[half]

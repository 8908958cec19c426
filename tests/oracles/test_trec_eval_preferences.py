"""Comparison of the preference measures with recorded output of trec_eval 10.0-rc3.

The command was ``trec_eval -q -m all_prefs -R prefs`` (or ``-R qrels_prefs``) on the files below;
the columns of a run are query, item and score. No set makes trec_eval read foreign memory, as it
does for levels below 0 of which the lowest has fewer items than are relevant.
"""

from typing import NamedTuple

import pytest

import gainful
from gainful.measures import parse_measure
from oracles.tally import count_compared

# trec_eval breaks ties by ascending ids here, though by descending ids elsewhere.
TREC_EVAL = gainful.Rules(ties="item-asc", missing="skip")


class RecordedOutput(NamedTuple):
    """Judgments, a run, and the output of trec_eval: one line per query, and one for all."""

    title: str
    form: str
    judgments: str
    run: str
    printed: str


NAMES = (
    "prefs_num_prefs_poss",
    "prefs_num_prefs_ful",
    "prefs_num_prefs_ful_ret",
    "prefs_simp",
    "prefs_pair",
    "prefs_avgjg",
    "prefs_avgjg_Rnonrel",
    "prefs_simp_ret",
    "prefs_pair_ret",
    "prefs_avgjg_ret",
    "prefs_avgjg_Rnonrel_ret",
    "prefs_simp_imp",
    "prefs_pair_imp",
    "prefs_avgjg_imp",
)

SETS = [
    RecordedOutput(
        "two judges who disagree, in the order of their names",
        "prefs",
        """
q1 z s b 2
q1 z s a 1
q1 z s c 0
q1 B s a 1
q1 B s b 0
q1 B s d 0
q1 é s c 3
q1 é s e 0
q2 j s a 1
q2 j s b 0
q2 k s a 0
q2 k s b 1
""",
        """
q1 a 5
q1 u 4.5
q1 b 4
q1 c 3
q1 d 1
q2 a 2
q2 b 1
""",
        """
q1 6 5 4 0.8333 0.9000 0.8889 0.7111 0.8000 0.8750 0.5556 0.7111 0.8333 0.9000 0.8889
q2 2 1 1 0.5000 0.5000 0.5000 0.5000 0.5000 0.5000 0.5000 0.5000 0.5000 0.5000 0.5000
all 8 6 5 0.6667 0.7000 0.6944 0.6056 0.6500 0.6875 0.5278 0.6056 0.6667 0.7000 0.6944
""",
    ),
    RecordedOutput(
        "subgroups, and what follows from them",
        "prefs",
        """
q1 g s1 a 3
q1 g s1 b 2
q1 g s1 c 1
q1 g s2 b 5
q1 g s2 d 4
q2 g s1 a 3
q2 g s1 b 2
q2 g s2 b 9
q2 g s2 c 8
q2 g s3 c 3
q2 g s3 d 1
q2 g s4 x 0
q2 g s4 d 1
q3 g 1 a 1
q3 g 1 n1 0
q3 g 1 n2 0
q3 g 2 a 1
q3 g 2 n3 0
q3 g 2 n4 0
""",
        """
q1 d 4
q1 a 3
q1 c 2
q2 d 4
q2 x 3.5
q2 c 3
q2 b 2
q2 a 1
q3 n4 4
q3 a 3
q3 n1 2
""",
        """
q1 5 2 1 0.4000 0.4000 0.4000 0.6667 0.5000 0.5000 0.5000 0.7143 0.4000 0.4000 0.4000
q2 10 1 1 0.1000 0.1000 0.1000 0.5909 0.1000 0.1000 0.1000 0.5909 0.1000 0.1000 0.1000
q3 4 3 1 0.7500 0.7500 0.7500 0.0000 0.5000 0.5000 0.5000 0.0000 0.7500 0.7500 0.7500
all 19 6 3 0.4167 0.4167 0.4167 0.4192 0.3667 0.3667 0.3667 0.4351 0.4167 0.4167 0.4167
""",
    ),
    RecordedOutput(
        "equal scores, by ascending ids",
        "prefs",
        """
q1 g s d1 0
q1 g s d10 2
q1 g s d2 1
q1 g s D 3
q2 g s a 0
q2 g s b 1
q2 h s b 1
q2 h s c 2
q2 h s a 0
""",
        """
q1 d10 1
q1 d1 1
q1 D 1
q1 d2 1
q1 u 1
q2 c 7
q2 b 7
q2 a 7
""",
        """
q1 6 4 4 0.6667 0.6667 0.6667 0.8333 0.6667 0.6667 0.6667 0.8333 0.6667 0.6667 0.6667
q2 4 0 0 0.0000 0.0000 0.0000 0.2000 0.0000 0.0000 0.0000 0.2000 0.0000 0.0000 0.0000
all 10 4 4 0.3333 0.3333 0.3333 0.5167 0.3333 0.3333 0.3333 0.5167 0.3333 0.3333 0.3333
""",
    ),
    RecordedOutput(
        "nothing preferred, nothing relevant, nothing retrieved",
        "prefs",
        """
same g s a 1
same g s b 1
lone g s a 1
zero g s a 0
zero g s b 0
unseen g s a 1
unseen g s b 0
part g s a 1
part g s b 0
part h s x 1
part h s y 0
below g s a 1
below g s b 0
below h s b 0
below h s a 0
""",
        """
same b 2
same a 1
lone a 1
zero a 2
zero b 1
unseen u 1
part a 2
part b 1
below a 2
below b 1
""",
        """
below 1 1 1 1.0000 1.0000 0.5000 0.0000 1.0000 1.0000 0.5000 0.0000 1.0000 1.0000 0.5000
lone 0 0 0 0.0000 0.0000 0.0000 1.0000 0.0000 0.0000 0.0000 1.0000 0.0000 0.0000 0.0000
part 2 1 1 0.5000 0.5000 0.5000 0.5000 1.0000 1.0000 0.5000 0.0000 1.0000 1.0000 0.5000
same 0 0 0 0.0000 0.0000 0.0000 1.0000 0.0000 0.0000 0.0000 1.0000 0.0000 0.0000 0.0000
unseen 1 0 0 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000
zero 0 0 0 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000
all 4 2 2 0.2500 0.2500 0.1667 0.4167 0.3333 0.3333 0.1667 0.3333 0.3333 0.3333 0.1667
""",
    ),
    RecordedOutput(
        "many non-relevant items, in one subgroup and in two",
        "prefs",
        """
one g s r1 2
one g s r2 1
one g s n1 0
one g s n2 0
one g s n3 0
one g s n4 0
one g s n5 0
two g s r1 2
two g s r2 1
two g s n1 0
two g s n2 0
two g s n3 0
two g s n4 0
two g s n5 0
two g t r1 1
two g t n1 0
""",
        """
one n4 9
one r2 8
one n2 7
one n1 6
one r1 5
one n5 4
two n4 9
two r2 8
two n2 7
two n1 6
two r1 5
two n5 4
""",
        """
one 11 6 4 0.5455 0.5455 0.5455 0.1333 0.4444 0.4444 0.4444 0.1538 0.5455 0.5455 0.5455
two 11 6 4 0.5455 0.5455 0.5455 0.2000 0.4444 0.4444 0.4444 0.2000 0.5455 0.5455 0.5455
all 22 12 8 0.5455 0.5455 0.5455 0.1667 0.4444 0.4444 0.4444 0.1769 0.5455 0.5455 0.5455
""",
    ),
    RecordedOutput(
        "levels below 0, and levels that are no integers",
        "prefs",
        """
q1 g s a 0.5
q1 g s b 0
q1 g s c -1
q1 g s d -1
q1 h s c 2.5
q1 h s a 2.25
q1 h t a 7
q1 h t d -2
q2 g s a -1
q2 g s b -2
""",
        """
q1 c 4
q1 a 3
q1 b 2
q2 b 2
q2 a 1
""",
        """
q1 8 6 2 0.7500 0.7500 0.8000 0.6000 0.5000 0.5000 0.6667 0.6250 0.7500 0.7500 0.8000
q2 1 0 0 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000 0.0000
all 9 6 2 0.3750 0.3750 0.4000 0.3000 0.2500 0.2500 0.3333 0.3125 0.3750 0.3750 0.4000
""",
    ),
    RecordedOutput(
        "qrels, the second column being the group",
        "qrels_prefs",
        """
q1 0 a 2
q1 0 b 1
q1 0 c 0
q1 0 d 0
q1 0 e -1
q1 0 f -1
q2 0 a 1
q2 1 a 0
q2 0 b 0
q2 1 b 3
q2 1 c 1
""",
        """
q1 c 4
q1 a 3
q1 e 2
q1 b 1
q2 c 3
q2 a 2
""",
        """
q1 13 8 3 0.6154 0.6154 0.6154 0.5294 0.5000 0.5000 0.5000 0.5000 0.6667 0.6667 0.6667
q2 4 2 1 0.5000 0.5000 0.6667 0.7000 1.0000 1.0000 0.5000 1.0000 0.5000 0.5000 0.6667
all 17 10 4 0.5577 0.5577 0.6410 0.6147 0.7500 0.7500 0.5000 0.7500 0.5833 0.5833 0.6667
""",
    ),
    RecordedOutput(
        "nine items and three judges, at random (3)",
        "prefs",
        """
q1 a 0 d4 1
q1 a 0 d7 3
q1 a 0 d8 0
q1 a 1 d3 0
q1 a 1 d4 1
q1 a 1 d6 2
q1 a 1 d7 3
q1 a 2 d1 3
q1 a 2 d2 3
q1 a 2 d3 0
q1 a 2 d5 3
q1 a 2 d6 2
q1 a 2 d8 0
q1 b 0 d1 0
q1 b 0 d3 3
q1 b 0 d4 0
q1 b 0 d5 1
q1 b 0 d6 0
q1 b 0 d8 2
q1 b 1 d0 0
q1 b 1 d1 0
q1 b 1 d3 3
q1 b 1 d6 0
q1 b 1 d8 2
q1 b 2 d3 3
q1 b 2 d4 0
q1 b 2 d6 0
q1 b 2 d7 1
q1 b 2 d8 2
q1 c 0 d1 1
q1 c 0 d5 3
q1 c 0 d6 0
q1 c 0 d8 0
q2 a 0 d0 2
q2 a 0 d2 0
q2 a 0 d3 3
q2 a 0 d6 2
q2 a 0 d8 1
q2 a 1 d0 2
q2 a 1 d1 0
q2 a 1 d8 1
q2 a 2 d0 2
q2 a 2 d1 0
q2 a 2 d2 0
q2 a 2 d4 3
q2 a 2 d5 0
q2 a 2 d8 1
q2 b 0 d3 2
q2 b 0 d4 2
q2 b 0 d8 3
q2 b 1 d2 0
q2 b 1 d4 2
q2 b 1 d6 3
q2 b 1 d8 3
q2 b 2 d0 1
q2 b 2 d3 2
q2 b 2 d4 2
q2 b 2 d5 2
q2 b 2 d8 3
q2 c 0 d0 1
q2 c 0 d4 3
q2 c 0 d6 0
q2 c 0 d7 1
q2 c 0 d8 2
""",
        """
q1 d3 1
q1 u1 3
q1 d4 1
q1 d8 4
q1 d0 2
q1 d6 1
q1 u2 3
q1 d7 4
q2 u2 2
q2 d0 3
q2 d5 2
q2 d4 3
q2 d8 3
q2 d3 5
q2 d2 3
q2 d7 3
""",
        """
q1 44 15 11 0.3409 0.3067 0.2672 0.3222 0.5500 0.5000 0.3603 0.0000 0.3571 0.3194 0.2792
q2 43 23 14 0.5349 0.6111 0.5051 0.7396 0.5185 0.6000 0.4638 0.7688 0.5476 0.6346 0.5159
all 87 38 25 0.4379 0.4589 0.3861 0.5309 0.5343 0.5500 0.4120 0.3844 0.4524 0.4770 0.3975
""",
    ),
    RecordedOutput(
        "nine items and three judges, at random (8)",
        "prefs",
        """
q1 a 0 d0 0
q1 a 0 d3 0
q1 a 0 d6 0
q1 a 0 d8 0
q1 a 1 d0 0
q1 a 1 d1 1
q1 a 1 d3 0
q1 a 1 d4 0
q1 a 1 d6 0
q1 a 1 d7 0
q1 a 2 d0 0
q1 a 2 d2 2
q1 a 2 d3 0
q1 a 2 d4 0
q1 a 2 d5 0
q1 a 2 d8 0
q1 b 0 d3 1
q1 b 0 d5 0
q1 b 0 d8 2
q1 c 0 d2 3
q1 c 0 d3 0
q1 c 0 d4 3
q1 c 0 d5 0
q1 c 0 d6 3
q1 c 0 d8 3
q2 a 0 d0 3
q2 a 0 d2 1
q2 a 0 d3 0
q2 a 0 d5 3
q2 a 1 d0 3
q2 a 1 d2 1
q2 a 1 d3 0
q2 a 1 d4 1
q2 a 1 d8 0
q2 a 2 d0 3
q2 a 2 d1 0
q2 a 2 d3 0
q2 a 2 d4 1
q2 a 2 d5 3
q2 a 2 d6 1
q2 b 0 d2 0
q2 b 0 d3 0
q2 b 0 d4 1
q2 b 0 d5 0
q2 b 0 d6 0
q2 b 0 d8 1
q2 c 0 d1 0
q2 c 0 d2 3
q2 c 0 d4 1
q2 c 0 d5 0
q2 c 0 d7 0
q2 c 1 d0 2
q2 c 1 d1 0
q2 c 1 d3 0
q2 c 2 d1 0
q2 c 2 d2 3
q2 c 2 d5 0
q2 c 2 d6 0
q2 c 2 d8 0
""",
        """
q1 d4 5
q1 d8 6
q1 d5 3
q1 d6 6
q1 d1 3
q1 d7 6
q1 u2 4
q1 d0 5
q2 d5 5
q2 u2 2
q2 d0 2
q2 d7 3
q2 d1 4
q2 d8 4
q2 d4 1
q2 u1 1
""",
        """
q1 21 9 4 0.4286 0.4118 0.5056 0.4500 0.5000 0.4286 0.6667 0.6061 0.4737 0.4375 0.5450
q2 38 18 4 0.4737 0.4877 0.4733 0.2787 0.2857 0.3148 0.1667 0.3462 0.5143 0.5486 0.4990
all 59 27 8 0.4511 0.4497 0.4894 0.3644 0.3929 0.3717 0.4167 0.4761 0.4940 0.4931 0.5220
""",
    ),
]


def split_rows(text):
    return [line.split() for line in text.strip().split("\n")]


def evaluate_recorded(recorded, folder):
    path = folder / "judgments"
    path.write_text(recorded.judgments.strip() + "\n", encoding="utf-8")
    if recorded.form == "prefs":
        judgments = gainful.read_preferences(path)
    else:
        judgments = gainful.read_preferences(gainful.read_subtopics(path))
    run = {}
    for query, item, score in split_rows(recorded.run):
        run.setdefault(query, {})[item] = float(score)
    return gainful.evaluate(judgments, run, NAMES, rules=TREC_EVAL)


def format_values(values):
    return [f"{values[str(parse_measure(name))]:.{0 if '_num_' in name else 4}f}" for name in NAMES]


@pytest.mark.parametrize("recorded", SETS, ids=lambda recorded: recorded.title)
def test_equals_what_trec_eval_printed(recorded, tmp_path):
    scores = evaluate_recorded(recorded, tmp_path)
    values = {**scores.per_query(), "all": scores.mean()}
    printed = {query: format_values(query_values) for query, query_values in values.items()}
    expected = {query: texts for query, *texts in split_rows(recorded.printed)}
    assert printed == expected
    count_compared("trec_eval 10.0 (recorded)", sum(map(len, expected.values())))


def test_there_is_a_measure_for_every_name_and_a_name_for_every_measure():
    measures = [m for m in gainful.measures.REGISTRY.values() if m.name.startswith("Prefs")]
    assert {parse_measure(name) for name in NAMES} == set(measures)
    assert len(NAMES) == len(measures)

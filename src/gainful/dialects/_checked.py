"""How many recorded values of each library its dialects give; ``make gold`` writes this."""

from typing import NamedTuple


class Checked(NamedTuple):
    """What came of comparing the values of one library.

    Attributes:
        library: Its name.
        version: The version that gave the values, and what it was made with.
        dialects: The dialects that should give them.
        within: How closely.
        matched: How many of the values they give.
        total: How many values there are.
        unmatched: For the others, why no rule gives them, and how many there are of each.
    """

    library: str
    version: str
    dialects: tuple[str, ...]
    within: str
    matched: int
    total: int
    unmatched: dict[str, int]


CHECKED = (
    Checked(
        library="allRank",
        version="1.4.3+torch2.13.0+cpu",
        dialects=("allrank",),
        within="4 units in the last place, in single precision",
        matched=0,
        total=58,
        unmatched={
            "not looked into": 58,
        },
    ),
    Checked(
        library="beir",
        version="2.2.0+pytrec_eval-terrier0.5.11",
        dialects=("beir",),
        within="bit for bit",
        matched=0,
        total=31,
        unmatched={
            "not looked into": 31,
        },
    ),
    Checked(
        library="bwhite-gist (kaggle style)",
        version="gist 3726239, numpy 2.4.6",
        dialects=("kaggle",),
        within="bit for bit",
        matched=0,
        total=58,
        unmatched={
            "not looked into": 58,
        },
    ),
    Checked(
        library="catboost",
        version="1.2.10",
        dialects=("catboost",),
        within="4 units in the last place",
        matched=0,
        total=178,
        unmatched={
            "not looked into": 178,
        },
    ),
    Checked(
        library="cornac",
        version="3.0.1",
        dialects=("cornac",),
        within="bit for bit",
        matched=0,
        total=29,
        unmatched={
            "not looked into": 29,
        },
    ),
    Checked(
        library="elasticsearch/opensearch rank_eval",
        version="excerpt of elastic/elasticsearch d04e4001 under JDK 17",
        dialects=("elasticsearch",),
        within="bit for bit",
        matched=0,
        total=60,
        unmatched={
            "not looked into": 60,
        },
    ),
    Checked(
        library="evidently",
        version="0.7.23+pandas2.3.3",
        dialects=("evidently",),
        within="bit for bit",
        matched=0,
        total=62,
        unmatched={
            "not looked into": 60,
            "it divides by the number of queries left, none here, and crashes; we say NaN": 2,
        },
    ),
    Checked(
        library="gdeval.pl",
        version="1.3 (trec-web-2014 eb769d1)",
        dialects=("gdeval",),
        within="bit for bit",
        matched=0,
        total=64,
        unmatched={
            "not looked into": 64,
        },
    ),
    Checked(
        library="haystack-ai",
        version="3.4.0",
        dialects=("haystack",),
        within="bit for bit",
        matched=0,
        total=58,
        unmatched={
            "not looked into": 58,
        },
    ),
    Checked(
        library="implicit",
        version="0.7.3",
        dialects=("implicit",),
        within="bit for bit",
        matched=0,
        total=29,
        unmatched={
            "not looked into": 27,
            "it divides by the number of queries left, none here, and crashes; we say NaN": 2,
        },
    ),
    Checked(
        library="ir_measures",
        version="0.4.3",
        dialects=("ir_measures", "ir_measures-exp"),
        within="bit for bit",
        matched=0,
        total=97,
        unmatched={
            "not looked into": 86,
            "the package that ir_measures hands it to refused the data: there is no value": 11,
        },
    ),
    Checked(
        library="keras-rs",
        version="0.4.0+keras3.15.1(jax)",
        dialects=("keras-rs",),
        within="4 units in the last place, in single precision",
        matched=0,
        total=72,
        unmatched={
            "not looked into": 72,
        },
    ),
    Checked(
        library="lenskit",
        version="2025.8.1",
        dialects=("lenskit",),
        within="bit for bit",
        matched=0,
        total=116,
        unmatched={
            "not looked into": 116,
        },
    ),
    Checked(
        library="lightgbm",
        version="4.7.0",
        dialects=("lightgbm",),
        within="bit for bit",
        matched=44,
        total=57,
        unmatched={
            "not looked into": 13,
        },
    ),
    Checked(
        library="llama-index-core",
        version="0.14.25",
        dialects=("llama-index",),
        within="bit for bit",
        matched=0,
        total=58,
        unmatched={
            "not looked into": 58,
        },
    ),
    Checked(
        library="mlflow",
        version="3.17.2+sklearn1.9.1",
        dialects=("mlflow",),
        within="bit for bit",
        matched=0,
        total=29,
        unmatched={
            "not looked into": 29,
        },
    ),
    Checked(
        library="mteb",
        version="2.26.24+pytrec_eval-terrier0.5.11",
        dialects=("mteb",),
        within="bit for bit",
        matched=0,
        total=31,
        unmatched={
            "not looked into": 31,
        },
    ),
    Checked(
        library="pyndeval (ndeval.c)",
        version="0.0.8",
        dialects=("ndeval",),
        within="bit for bit",
        matched=0,
        total=56,
        unmatched={
            "not looked into": 56,
        },
    ),
    Checked(
        library="pytrec_eval-terrier",
        version="0.5.11",
        dialects=("trec_eval@9",),
        within="bit for bit",
        matched=34,
        total=34,
        unmatched={},
    ),
    Checked(
        library="pyvespa",
        version="1.2.9",
        dialects=("pyvespa",),
        within="bit for bit",
        matched=0,
        total=58,
        unmatched={
            "not looked into": 58,
        },
    ),
    Checked(
        library="quepid",
        version="HEAD f80322f (node v20)",
        dialects=("quepid",),
        within="bit for bit",
        matched=0,
        total=104,
        unmatched={
            "not looked into": 104,
        },
    ),
    Checked(
        library="ranx",
        version="0.3.21+numba0.68.1",
        dialects=("ranx",),
        within="bit for bit",
        matched=0,
        total=163,
        unmatched={
            "not looked into": 163,
        },
    ),
    Checked(
        library="rax",
        version="0.4.0+jax0.10.2",
        dialects=("rax",),
        within="4 units in the last place, in single precision",
        matched=0,
        total=61,
        unmatched={
            "not looked into": 61,
        },
    ),
    Checked(
        library="recommenders",
        version="1.2.1",
        dialects=("recommenders",),
        within="4 units in the last place",
        matched=0,
        total=186,
        unmatched={
            "not looked into": 186,
        },
    ),
    Checked(
        library="recpack",
        version="0.3.6",
        dialects=("recpack",),
        within="bit for bit",
        matched=0,
        total=58,
        unmatched={
            "not looked into": 54,
            "it divides by the number of queries left, none here, and crashes; we say NaN": 4,
        },
    ),
    Checked(
        library="rectools",
        version="0.19.0",
        dialects=("rectools",),
        within="bit for bit",
        matched=0,
        total=87,
        unmatched={
            "not looked into": 87,
        },
    ),
    Checked(
        library="replay-rec",
        version="0.22.0",
        dialects=("replay",),
        within="bit for bit",
        matched=0,
        total=29,
        unmatched={
            "not looked into": 29,
        },
    ),
    Checked(
        library="scikit-learn",
        version="1.9.1",
        dialects=("sklearn",),
        within="bit for bit",
        matched=24,
        total=145,
        unmatched={
            "not looked into": 121,
        },
    ),
    Checked(
        library="sentence-transformers",
        version="6.2.0",
        dialects=("sentence-transformers",),
        within="bit for bit",
        matched=0,
        total=31,
        unmatched={
            "not looked into": 29,
            "it divides by the number of queries left, none here, and crashes; we say NaN": 2,
        },
    ),
    Checked(
        library="spark-ml",
        version="pyspark 3.5.5",
        dialects=("spark",),
        within="bit for bit",
        matched=0,
        total=29,
        unmatched={
            "not looked into": 29,
        },
    ),
    Checked(
        library="spark-mllib",
        version="pyspark 3.5.5",
        dialects=("spark",),
        within="bit for bit",
        matched=0,
        total=89,
        unmatched={
            "not looked into": 87,
            "the data frame to feed it with could not be made: there is no value": 2,
        },
    ),
    Checked(
        library="spark-mllib-scala",
        version="spark 3.5.5",
        dialects=("spark",),
        within="bit for bit",
        matched=0,
        total=58,
        unmatched={
            "not looked into": 58,
        },
    ),
    Checked(
        library="tensorflow-ranking",
        version="0.5.5+tf2.15.1",
        dialects=("tf-ranking",),
        within="4 units in the last place, in single precision",
        matched=0,
        total=58,
        unmatched={
            "not looked into": 58,
        },
    ),
    Checked(
        library="torchmetrics",
        version="1.9.0+torch2.13.0+cpu",
        dialects=("torchmetrics",),
        within="4 units in the last place, in single precision",
        matched=0,
        total=57,
        unmatched={
            "not looked into": 57,
        },
    ),
    Checked(
        library="xgboost",
        version="3.2.0",
        dialects=("xgboost", "xgboost-linear"),
        within="17 printed decimals",
        matched=42,
        total=91,
        unmatched={
            "not looked into": 49,
        },
    ),
)

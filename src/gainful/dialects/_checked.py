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
        within="bit for bit",
        matched=58,
        total=58,
        unmatched={},
    ),
    Checked(
        library="beir",
        version="2.2.0+pytrec_eval-terrier0.5.11",
        dialects=("beir",),
        within="bit for bit",
        matched=31,
        total=31,
        unmatched={},
    ),
    Checked(
        library="bwhite-gist (kaggle style)",
        version="gist 3726239, numpy 2.4.6",
        dialects=(
            "kaggle",
            "kaggle-method-1",
        ),
        within="bit for bit",
        matched=58,
        total=58,
        unmatched={},
    ),
    Checked(
        library="catboost",
        version="1.2.10",
        dialects=(
            "catboost",
            "catboost-exp",
            "catboost-exp-position",
            "catboost-position",
        ),
        within="bit for bit",
        matched=178,
        total=178,
        unmatched={},
    ),
    Checked(
        library="cornac",
        version="3.0.1",
        dialects=("cornac",),
        within="bit for bit",
        matched=29,
        total=29,
        unmatched={},
    ),
    Checked(
        library="elasticsearch/opensearch rank_eval",
        version="excerpt of elastic/elasticsearch d04e4001 under JDK 17",
        dialects=("elasticsearch",),
        within="bit for bit",
        matched=60,
        total=60,
        unmatched={},
    ),
    Checked(
        library="evidently",
        version="0.7.23+pandas2.3.3",
        dialects=(
            "evidently",
            "evidently-no-feedback",
        ),
        within="bit for bit",
        matched=62,
        total=62,
        unmatched={},
    ),
    Checked(
        library="gdeval.pl",
        version="1.3 (trec-web-2014 eb769d1)",
        dialects=("gdeval",),
        within="bit for bit",
        matched=62,
        total=64,
        unmatched={
            "it says 0 for the mean of no query; we say that there is none": 2,
        },
    ),
    Checked(
        library="haystack-ai",
        version="3.4.0",
        dialects=(
            "haystack",
            "haystack-graded",
        ),
        within="bit for bit",
        matched=58,
        total=58,
        unmatched={},
    ),
    Checked(
        library="implicit",
        version="0.7.3",
        dialects=("implicit",),
        within="bit for bit",
        matched=29,
        total=29,
        unmatched={},
    ),
    Checked(
        library="ir_measures",
        version="0.4.3",
        dialects=(
            "ir_measures",
            "ir_measures-exp",
        ),
        within="bit for bit",
        matched=86,
        total=97,
        unmatched={
            "the package that ir_measures hands it to refused the data: there is no value": 11,
        },
    ),
    Checked(
        library="keras-rs",
        version="0.4.0+keras3.15.1(jax)",
        dialects=("keras-rs",),
        within="bit for bit",
        matched=72,
        total=72,
        unmatched={},
    ),
    Checked(
        library="lenskit",
        version="2025.8.1",
        dialects=(
            "lenskit",
            "lenskit-graded",
        ),
        within="bit for bit",
        matched=116,
        total=116,
        unmatched={},
    ),
    Checked(
        library="lightgbm",
        version="4.7.0",
        dialects=("lightgbm",),
        within="bit for bit",
        matched=57,
        total=57,
        unmatched={},
    ),
    Checked(
        library="llama-index-core",
        version="0.14.25",
        dialects=("llama-index",),
        within="bit for bit",
        matched=58,
        total=58,
        unmatched={},
    ),
    Checked(
        library="mlflow",
        version="3.17.2+sklearn1.9.1",
        dialects=("mlflow",),
        within="bit for bit",
        matched=29,
        total=29,
        unmatched={},
    ),
    Checked(
        library="mteb",
        version="2.26.24+pytrec_eval-terrier0.5.11",
        dialects=("mteb",),
        within="bit for bit",
        matched=31,
        total=31,
        unmatched={},
    ),
    Checked(
        library="pyndeval (ndeval.c)",
        version="0.0.8",
        dialects=("pyndeval",),
        within="2 units in the last place",
        matched=56,
        total=56,
        unmatched={},
    ),
    Checked(
        library="pytrec_eval-terrier",
        version="0.5.11",
        dialects=("pytrec_eval",),
        within="bit for bit",
        matched=34,
        total=34,
        unmatched={},
    ),
    Checked(
        library="pyvespa",
        version="1.2.9",
        dialects=(
            "pyvespa",
            "pyvespa-graded",
        ),
        within="bit for bit",
        matched=58,
        total=58,
        unmatched={},
    ),
    Checked(
        library="quepid",
        version="HEAD f80322f (node v20)",
        dialects=(
            "quepid",
            "quepid-cut",
            "quepid-dcg",
        ),
        within="bit for bit",
        matched=104,
        total=104,
        unmatched={},
    ),
    Checked(
        library="ranx",
        version="0.3.21+numba0.68.1",
        dialects=(
            "ranx",
            "ranx-burges",
        ),
        within="bit for bit",
        matched=163,
        total=163,
        unmatched={},
    ),
    Checked(
        library="rax",
        version="0.4.0+jax0.10.2",
        dialects=("rax",),
        within="bit for bit",
        matched=61,
        total=61,
        unmatched={},
    ),
    Checked(
        library="recommenders",
        version="1.2.1",
        dialects=(
            "recommenders",
            "recommenders-exp",
            "recommenders-exp-log2",
            "recommenders-log2",
            "recommenders-raw",
            "recommenders-raw-log2",
        ),
        within="2 units in the last place",
        matched=186,
        total=186,
        unmatched={},
    ),
    Checked(
        library="recpack",
        version="0.3.6",
        dialects=("recpack",),
        within="bit for bit",
        matched=25,
        total=58,
        unmatched={
            "its ties are decided by argpartition, which has no rule": 7,
            "graded labels, which RecPack is not made for, multiply its ranks; ours count as 1": 26,
        },
    ),
    Checked(
        library="rectools",
        version="0.19.0",
        dialects=(
            "rectools",
            "rectools-achievable",
        ),
        within="1 unit in the last place",
        matched=87,
        total=87,
        unmatched={},
    ),
    Checked(
        library="replay-rec",
        version="0.22.0",
        dialects=("replay",),
        within="bit for bit",
        matched=29,
        total=29,
        unmatched={},
    ),
    Checked(
        library="scikit-learn",
        version="1.9.1",
        dialects=(
            "sklearn",
            "sklearn-ignore-ties",
        ),
        within="bit for bit",
        matched=141,
        total=145,
        unmatched={
            "its sort is unstable: which tied item comes first depends on the processor": 4,
        },
    ),
    Checked(
        library="sentence-transformers",
        version="6.2.0",
        dialects=("sentence-transformers",),
        within="bit for bit",
        matched=31,
        total=31,
        unmatched={},
    ),
    Checked(
        library="spark-ml",
        version="pyspark 3.5.5",
        dialects=("spark",),
        within="bit for bit",
        matched=29,
        total=29,
        unmatched={},
    ),
    Checked(
        library="spark-mllib",
        version="pyspark 3.5.5",
        dialects=("spark",),
        within="bit for bit",
        matched=87,
        total=89,
        unmatched={
            "the data frame to feed it with could not be made: there is no value": 2,
        },
    ),
    Checked(
        library="spark-mllib-scala",
        version="spark 3.5.5",
        dialects=("spark-graded",),
        within="bit for bit",
        matched=58,
        total=58,
        unmatched={},
    ),
    Checked(
        library="tensorflow-ranking",
        version="0.5.5+tf2.15.1",
        dialects=("tensorflow-ranking",),
        within="bit for bit",
        matched=58,
        total=58,
        unmatched={},
    ),
    Checked(
        library="torchmetrics",
        version="1.9.0+torch2.13.0+cpu",
        dialects=(
            "torchmetrics",
            "torchmetrics-error",
            "torchmetrics-pos",
            "torchmetrics-skip",
        ),
        within="1 unit in the last place, in single precision",
        matched=55,
        total=57,
        unmatched={
            "it says 0 for the mean of no query; we say that there is none": 2,
        },
    ),
    Checked(
        library="xgboost",
        version="3.2.0",
        dialects=(
            "xgboost",
            "xgboost-linear",
            "xgboost-minus",
        ),
        within="17 printed decimals",
        matched=91,
        total=91,
        unmatched={},
    ),
)

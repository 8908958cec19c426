"""Libraries that take long to install: what to install, and what to compare with their dialects."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    """One library.

    Attributes:
        name: The name of it, and of the function of ``oracles`` that asks it.
        package: The package whose version is told, with a version that it must have, if any.
        dialects: The dialect of each of its values, by the name that the oracle gives them.
        besides: What else to install.
        alone: Whether the package is installed without what it asks for: ``besides`` is enough.
        environment: Where to, if not to an environment of its own.
        suites: Test files of this folder that run where it is installed, with Gainful.
        cutoffs: Where it is asked to cut.
        ulps: How many units in the last place values may be off.
        single: The same in single precision, for libraries that have no other.
        ties: Up to how many items a list with tied scores may have to give the same value.
        why: Why others need not.
    """

    name: str
    package: str
    dialects: dict[str, str]
    besides: tuple[str, ...] = ()
    alone: bool = False
    environment: str = ""
    suites: tuple[str, ...] = ()
    cutoffs: tuple[int, ...] = (1, 5, 10, 60)
    ulps: int = 0
    single: int = 0
    ties: int = 60
    why: str = ""


# PyTorch as PyPI has it brings CUDA, some gigabytes. pip reads which to take from its own settings:
# PIP_INDEX_URL, PIP_EXTRA_INDEX_URL, PIP_CONSTRAINT.
LIBRARIES = (
    Library(
        "catboost",
        "catboost",
        {
            "NDCG:type=Base": "catboost",
            "NDCG:type=Exp": "catboost-exp",
            "NDCG:type=Base;denominator=Position": "catboost-position",
            "NDCG:type=Exp;denominator=Position": "catboost-exp-position",
        },
        suites=("catboost_in_training.py",),
        ulps=4,
    ),
    Library(
        "ranx",
        "ranx",
        {"ndcg": "ranx", "ndcg_burges": "ranx-burges"},
        ulps=1,
        ties=15,
        why="from 16 items on its sort is unstable, which decides the order of ties",
    ),
    Library("cornac", "cornac", {"ndcg": "cornac"}),
    Library("llama_index", "llama-index-core", {"ndcg": "llama-index"}),
    Library("haystack", "haystack-ai", {"binary": "haystack", "graded": "haystack-graded"}),
    Library(
        "rectools", "rectools", {"ones": "rectools", "achievable": "rectools-achievable"}, ulps=4
    ),
    Library(
        "recommenders",
        "recommenders",
        {"binary": "recommenders", "raw": "recommenders-raw", "exp": "recommenders-exp"},
        cutoffs=(10,),
        ulps=8,
    ),
    Library(
        "evidently",
        "evidently",
        {"ndcg": "evidently-no-feedback"},
        besides=("pandas<3",),
        cutoffs=(1, 5, 10),
        ulps=4,
    ),
    Library(
        "mlflow", "mlflow-skinny", {"ndcg": "mlflow"}, besides=("scikit-learn", "pandas"), ulps=4
    ),
    Library(
        "recpack",
        "recpack",
        {"ndcg": "recpack"},
        besides=("numpy<2", "scipy", "scikit-learn", "pandas<3", "PyYAML", "tqdm"),
        alone=True,
        ulps=4,
        ties=0,
        why="argpartition decides which tied item comes first",
    ),
    Library(
        "lenskit",
        "lenskit",
        {"binary": "lenskit", "graded": "lenskit-graded"},
        environment="torch",
        ulps=4,
    ),
    Library(
        "torchmetrics",
        "torchmetrics",
        {"ndcg": "torchmetrics"},
        besides=("torch",),
        environment="torch",
        suites=("torchmetrics_in_batches.py",),
    ),
    Library(
        "allrank",
        "allRank",
        {"ndcg": "allrank"},
        besides=("torch", "scikit-learn"),
        alone=True,
        environment="torch",
        ties=16,
        why="from 17 items on its sort is unstable, which decides the order of ties",
    ),
    Library(
        "rax",
        "rax",
        {"ndcg": "rax"},
        besides=("jax",),
        environment="jax",
        cutoffs=(10,),
        single=8,
    ),
    Library(
        "keras_rs",
        "keras-rs",
        {"ndcg": "keras-rs"},
        besides=("jax",),
        environment="jax",
        suites=("keras_in_training.py",),
        cutoffs=(10,),
        single=8,
        ties=0,
        why="it shuffles ties",
    ),
    Library("replay", "replay-rec", {"ndcg": "replay"}),
    Library(
        "pyspark",
        "pyspark==3.5.5",
        {
            "RankingMetrics": "spark",
            "RankingMetrics, relevance given": "spark",
            "RankingMetrics, relevance given in Scala": "spark-graded",
            "RankingEvaluator": "spark",
        },
        besides=("numpy", "setuptools"),
        cutoffs=(10,),
    ),
)

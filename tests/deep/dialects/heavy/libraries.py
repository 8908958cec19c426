"""Libraries that take long to install: what to install, and what to compare with their dialects."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Library:
    """A library to compare with.

    Attributes:
        name: Name of the library, and of its function in ``oracles``.
        package: Package whose version is shown, with a required version, if any.
        dialects: Dialect of each of its values, by the name that the oracle gives the value.
        extra_packages: Other packages to install.
        without_requirements: Whether to install the package without its requirements.
        environment: Name of an environment to share, if it has none of its own.
        suites: Test files of this folder that run where it is installed, with Gainful.
        cutoffs: Cutoffs of its values.
        ulps: Largest difference of values, in units in the last place.
        single_ulps: Largest difference in single precision, for libraries that have no other.
        max_tied_items: Largest size of lists with tied scores whose values must be equal.
        tie_reason: Reason why values of longer lists with ties differ.
    """

    name: str
    package: str
    dialects: dict[str, str]
    extra_packages: tuple[str, ...] = ()
    without_requirements: bool = False
    environment: str = ""
    suites: tuple[str, ...] = ()
    cutoffs: tuple[int, ...] = (1, 5, 10, 60)
    ulps: int = 0
    single_ulps: int = 0
    max_tied_items: int = 60
    tie_reason: str = ""


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
        max_tied_items=15,
        tie_reason="from 16 items on its sort is unstable, which decides the order of ties",
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
        extra_packages=("pandas<3",),
        cutoffs=(1, 5, 10),
        ulps=4,
    ),
    Library(
        "mlflow",
        "mlflow-skinny",
        {"ndcg": "mlflow"},
        extra_packages=("scikit-learn", "pandas"),
        ulps=4,
    ),
    Library(
        "recpack",
        "recpack",
        {"ndcg": "recpack"},
        extra_packages=("numpy<2", "scipy", "scikit-learn", "pandas<3", "PyYAML", "tqdm"),
        without_requirements=True,
        ulps=4,
        max_tied_items=0,
        tie_reason="argpartition decides which tied item comes first",
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
        extra_packages=("torch",),
        environment="torch",
        suites=("torchmetrics_in_batches.py",),
    ),
    Library(
        "allrank",
        "allRank",
        {"ndcg": "allrank"},
        extra_packages=("torch", "scikit-learn"),
        without_requirements=True,
        environment="torch",
        max_tied_items=16,
        tie_reason="from 17 items on its sort is unstable, which decides the order of ties",
    ),
    Library(
        "rax",
        "rax",
        {"ndcg": "rax"},
        extra_packages=("jax",),
        environment="jax",
        cutoffs=(10,),
        single_ulps=8,
    ),
    Library(
        "keras_rs",
        "keras-rs",
        {"ndcg": "keras-rs"},
        extra_packages=("jax",),
        environment="jax",
        suites=("keras_in_training.py",),
        cutoffs=(10,),
        single_ulps=8,
        max_tied_items=0,
        tie_reason="it shuffles ties",
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
        extra_packages=("numpy", "setuptools"),
        cutoffs=(10,),
    ),
)

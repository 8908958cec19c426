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
        tolerance: Largest relative difference of values.
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
    tolerance: float = 1e-12
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
    ),
    Library(
        "ranx",
        "ranx",
        {"ndcg": "ranx", "ndcg_burges": "ranx-burges"},
        max_tied_items=15,
        tie_reason="from 16 items on its sort is unstable, which decides the order of ties",
    ),
    Library("cornac", "cornac", {"ndcg": "cornac"}),
    Library("llama_index", "llama-index-core", {"ndcg": "llama-index"}),
    Library("haystack", "haystack-ai", {"binary": "haystack", "graded": "haystack-graded"}),
    Library("rectools", "rectools", {"ones": "rectools", "achievable": "rectools-achievable"}),
    Library(
        "recommenders",
        "recommenders",
        {"binary": "recommenders", "raw": "recommenders-raw", "exp": "recommenders-exp"},
        cutoffs=(10,),
    ),
    Library(
        "evidently",
        "evidently",
        {"ndcg": "evidently-no-feedback"},
        extra_packages=("pandas<3",),
        cutoffs=(1, 5, 10),
    ),
    Library(
        "mlflow",
        "mlflow-skinny",
        {"ndcg": "mlflow"},
        extra_packages=("scikit-learn", "pandas"),
    ),
    Library(
        "recpack",
        "recpack",
        {"ndcg": "recpack"},
        extra_packages=("numpy<2", "scipy", "scikit-learn", "pandas<3", "PyYAML", "tqdm"),
        without_requirements=True,
        max_tied_items=0,
        tie_reason="argpartition decides which tied item comes first",
    ),
    Library(
        "lenskit",
        "lenskit",
        {"binary": "lenskit", "graded": "lenskit-graded"},
        environment="torch",
    ),
    Library(
        "torchmetrics",
        "torchmetrics",
        {"ndcg": "torchmetrics"},
        extra_packages=("torch",),
        environment="torch",
        suites=("torchmetrics_in_batches.py",),
        tolerance=1e-6,
    ),
    Library(
        "allrank",
        "allRank",
        {"ndcg": "allrank"},
        extra_packages=("torch", "scikit-learn"),
        without_requirements=True,
        environment="torch",
        tolerance=1e-6,
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
        tolerance=1e-6,
    ),
    Library(
        "keras_rs",
        "keras-rs",
        {"ndcg": "keras-rs"},
        extra_packages=("jax",),
        environment="jax",
        suites=("keras_in_training.py",),
        cutoffs=(10,),
        tolerance=1e-6,
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

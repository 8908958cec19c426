# Written by tools/generate_exports.py; run make exports.

from gainful.adapters.mlflow import log_to_mlflow as log_to_mlflow
from gainful.adapters.trec_eval import run_trec_eval as run_trec_eval

__all__ = [
    "log_to_mlflow",
    "run_trec_eval",
]

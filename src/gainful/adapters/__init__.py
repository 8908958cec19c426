"""The interfaces of other packages, with Gainful behind them."""

from gainful.base import lazy_exports

__getattr__, __dir__, __all__ = lazy_exports(
    __name__, {"mlflow": ("log_to_mlflow",), "trec_eval": ("run_trec_eval",)}
)

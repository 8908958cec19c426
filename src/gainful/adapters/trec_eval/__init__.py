"""trec_eval, reproduced: its command line, its reading of files, its output, its mistakes."""

from gainful.adapters.trec_eval.program import Outcome, run_trec_eval

__all__ = ["Outcome", "run_trec_eval"]

"""trec_eval, reproduced: its command line, its reading of files, its output, its mistakes."""

from gainful.trec_eval.program import Outcome, trec_eval

__all__ = ["Outcome", "trec_eval"]

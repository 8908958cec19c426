"""Gainful measures how good a ranking is: CG, DCG, IDCG, nDCG, exactly and by name."""

from gainful._version import __version__
from gainful.errors import (
    AlignError,
    GainfulError,
    MeasureError,
    RuleError,
    SourceError,
)
from gainful.evaluate import evaluate
from gainful.explain import explain
from gainful.explanation import Explanation
from gainful.functions import (
    cg,
    dcg,
    idcg,
    mean_cg,
    mean_dcg,
    mean_idcg,
    mean_ndcg,
    ndcg,
)
from gainful.measures import CG, DCG, IDCG, Measure, measure, nCG, nDCG, parse
from gainful.rankings import GroupedRankings, JudgedRankings
from gainful.results import Scores
from gainful.rules import Rules
from gainful.settings import Setting
from gainful.sources import (
    Columns,
    GroupedJudgments,
    Judgments,
    Run,
    read_qrels,
    read_run,
    read_subtopics,
)

__all__ = [
    "CG",
    "DCG",
    "IDCG",
    "AlignError",
    "Columns",
    "Explanation",
    "GainfulError",
    "GroupedJudgments",
    "GroupedRankings",
    "JudgedRankings",
    "Judgments",
    "Measure",
    "MeasureError",
    "RuleError",
    "Rules",
    "Run",
    "Scores",
    "Setting",
    "SourceError",
    "__version__",
    "cg",
    "dcg",
    "evaluate",
    "explain",
    "idcg",
    "mean_cg",
    "mean_dcg",
    "mean_idcg",
    "mean_ndcg",
    "measure",
    "nCG",
    "nDCG",
    "ndcg",
    "parse",
    "read_qrels",
    "read_run",
    "read_subtopics",
]

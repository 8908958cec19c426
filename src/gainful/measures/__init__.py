"""All measures. This list is the only one: importing a module registers what it declares."""

from gainful.measures._declare import REGISTRY, Measure, measure
from gainful.measures._formula import Formula
from gainful.measures._parse import parse, parse_all
from gainful.measures.cumulative_gain import CG, DCG, IDCG, nCG, nDCG

__all__ = [
    "CG",
    "DCG",
    "IDCG",
    "REGISTRY",
    "Formula",
    "Measure",
    "measure",
    "nCG",
    "nDCG",
    "parse",
    "parse_all",
]

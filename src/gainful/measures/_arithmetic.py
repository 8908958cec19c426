"""How a sum of gains over discounts is rounded on the way: what bit equality takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gainful.records import Record

# One word of each step at most; a step that has no word is done in the plain way, said first.
STEPS: Mapping[str, Mapping[str, str]] = {
    # The logarithm is the one to its own base.
    "log": {
        "ln_ratio": "log2(x) is ln(x) / ln(2), and so on for other bases",
        "ln_product": "log2(x) is ln(x) times log2(e)",
        "ln_inverse": "1 / log2(x) is ln(2) / ln(x)",
    },
    # A gain is divided by its discount.
    "term": {"times": "a gain is multiplied by 1 / discount"},
    # What a rank is worth is read from a table; averaged ties alone are worth a difference.
    "worth": {
        "cumulated": "what ranks are worth is the difference of two running sums, be they tied or "
        "not, for the ranking and not for the best one",
    },
    # The ranks down to the cutoff are added up, those that gain nothing too.
    "ranks": {
        "whole": "ranks below the cutoff are added up as zeros",
        "hits": "only ranks that gain anything are added up",
    },
    # Terms are added in rank order, every sum rounded.
    "sum": {
        "pairwise": "terms are added in pairs, as NumPy does",
        "dot": "terms are added by a dot product of BLAS, whose last bits depend on the CPU",
        "lanes": "terms are added in two or four lanes, as CatBoost does",
        "cascade": "terms are added in four lanes, or eight times four, as PyTorch does",
        "packets": "terms are added in eight lanes, and what is left of them, as TensorFlow does",
        "compensated": "terms are added with what rounding lost, as pandas does",
        "head_tail": "the first term is added to the sum of the others, which is added in pairs",
    },
    # The best sum is added up as the other one is.
    "best": {
        "best_in_order": "the best sum is added in rank order",
        "best_pairwise": "the best sum is added in pairs",
        "best_dot": "the best sum is a dot product of BLAS",
    },
    # The sum is divided by the best one.
    "share": {
        "times_inverse": "the sum is multiplied by the inverse of the best one",
        "terms_inverse": "every term is multiplied by the inverse of the best sum",
        "terms_ratio": "every term is divided by the best sum",
    },
    # In double precision.
    "precision": {
        "float32": "in single precision",
        "float32_terms": "terms and sums are in single precision, and added in double precision",
        "float32_gains": "gains are in single precision",
        "float32_best": "the best sum is in single precision",
    },
    # The value is as it is.
    "value": {
        "hundredths": "terms below the first rank, and the value, are cut to 2 decimals",
        "decimals5": "the value is rounded to 5 decimals",
    },
}


# What is seen in the value, in the fewest words.
_COARSE = {
    "hundredths": "terms and value cut to 2 decimals",
    "decimals5": "values rounded to 5 decimals",
}


@dataclass(eq=False, repr=False)
class Arithmetic(Record):
    """The steps that are not done in the plain way, by name.

    >>> print(Arithmetic.read("pairwise+ln_ratio"))
    ln_ratio+pairwise
    >>> print(Arithmetic.read("plain"))
    plain
    """

    words: tuple[str, ...] = ()

    meanings: ClassVar[Mapping[str, str]] = {
        "plain": "gains over discounts, added in rank order, divided, in double precision",
        **{word: meaning for step in STEPS.values() for word, meaning in step.items()},
    }
    expected: ClassVar[str] = f"plain, or of {', '.join(list(meanings)[1:])} some, joined by +"

    @classmethod
    def read(cls, value: Any) -> "Arithmetic":
        """Arithmetic from its words; ValueError where one is unknown, or two are of one step."""
        if isinstance(value, Arithmetic):
            return value
        if not isinstance(value, str):
            raise ValueError(value)
        asked = [] if value == "plain" else value.split("+")
        chosen = tuple(word for step in STEPS.values() for word in step if word in asked)
        each = [sum(word in step for word in asked) for step in STEPS.values()]
        if len(chosen) != len(asked) or max(each) > 1:
            raise ValueError(value)
        return cls(chosen)

    def how(self, step: str) -> str:
        """The word of a step, empty if it is done in the plain way.

        >>> Arithmetic.read("times+pairwise").how("sum")
        'pairwise'
        """
        return next((word for word in self.words if word in STEPS[step]), "")

    @property
    def phrase(self) -> str:
        """What it amounts to, in a few words.

        >>> Arithmetic.read("ln_ratio+hundredths").phrase
        'terms and value cut to 2 decimals'
        """
        return _COARSE.get(self.how("value")) or f"arithmetic {self}"

    @property
    def plain_sums(self) -> bool:
        """Whether terms are made, added and divided in the plain way."""
        return not set(self.words) - {"float32_gains", "decimals5"}

    @property
    def close(self) -> bool:
        """Whether it is off by no more than the last bits of double precision."""
        coarse = {"float32", "float32_terms", "float32_best", *STEPS["value"]}
        return not coarse.intersection(self.words)

    def __str__(self) -> str:
        return "+".join(self.words) or "plain"

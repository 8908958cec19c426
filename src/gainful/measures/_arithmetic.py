"""How a sum of gains over discounts is rounded on the way: what bit equality takes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from gainful.records import Record

# One word of each line at most; a line that has no word is done in the plain way, said first.
STEPS: tuple[Mapping[str, str], ...] = (
    # A term is its gain over log2(rank + 1).
    {
        "times_log2": "a gain times 1 / log2(rank + 1)",
        "ln_ratio": "a gain over ln(rank + 1) / ln(2)",
        "times_ln_ratio": "a gain times 1 / (ln(rank + 1) / ln(2))",
    },
    # Terms are added in rank order, every sum rounded.
    {
        "pairwise": "terms are added in pairs, as NumPy does",
        "compensated": "terms are added with what rounding lost, as pandas does",
    },
    # The sum is divided by the best one.
    {
        "times_inverse": "the sum is multiplied by the inverse of the best one",
        "terms_inverse": "every term is multiplied by the inverse of the best sum",
        "terms_ratio": "every term is divided by the best sum",
    },
    # In double precision.
    {"float32": "in single precision"},
)


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
        **{word: meaning for step in STEPS for word, meaning in step.items()},
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
        chosen = tuple(word for step in STEPS for word in step if word in asked)
        each = [sum(word in step for word in asked) for step in STEPS]
        if len(chosen) != len(asked) or max(each) > 1:
            raise ValueError(value)
        return cls(chosen)

    def __str__(self) -> str:
        return "+".join(self.words) or "plain"

"""How a sum of gains over discounts is rounded on the way: what bit equality takes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from gainful.base import cached_property

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


@dataclass(frozen=True)
class Arithmetic:
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
    def read(cls, value: object) -> "Arithmetic":
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

    def get_word(self, step: str) -> str:
        """Return the word of a step, empty if it is done in the plain way.

        >>> Arithmetic.read("times+pairwise").get_word("sum")
        'pairwise'
        """
        return next((word for word in self.words if word in STEPS[step]), "")

    @property
    def phrase(self) -> str:
        """Its effect, in a few words.

        >>> Arithmetic.read("ln_ratio+hundredths").phrase
        'terms and value cut to 2 decimals'
        """
        return _COARSE.get(self.get_word("value")) or f"arithmetic {self}"

    @cached_property
    def plain_sums(self) -> bool:
        """True if terms are made, added and divided in the plain way."""
        return not set(self.words) - {"float32_gains", "decimals5"}

    @cached_property
    def has_single_gains(self) -> bool:
        """True if gains are in single precision, and sums in double precision."""
        return "float32_gains" in self.words

    @property
    def close(self) -> bool:
        """True if it is off by no more than the last bits of double precision."""
        coarse = {"float32", "float32_terms", "float32_best", *STEPS["value"]}
        return not coarse.intersection(self.words)

    def __str__(self) -> str:
        return "+".join(self.words) or "plain"


Matrix = np.ndarray[tuple[Any, ...], np.dtype[Any]]
PRODUCTS = ("dot", "lanes")  # that look at factors, not at products that are rounded
# Terms that are added side by side: zeros below a whole number of such steps change no sum.
_STEPS = {"pairwise": 8, "cascade": 32, "dot": 64}
_ROOM = 64  # terms that stand side by side in a sum of any length, if they are the first
_LANES = 8  # single-precision numbers in a register, of the CPUs most values were recorded on
_FUSED = 16  # numbers from which on CatBoost multiplies and adds in one step


def sum_rows(how: str, gain: Matrix, worth: Matrix, term: Matrix) -> Matrix:
    """Return the sum of each row's terms.

    Args:
        how: The word for it; empty for one after another.
        gain: The gains, one row for each query.
        worth: What they are multiplied by.
        term: The products, or quotients, each of them rounded.
    """
    if not term.shape[1]:
        return np.zeros(len(term), dtype=term.dtype)
    if how == "dot":
        with np.errstate(invalid="ignore"):  # 0 times inf where a query has nothing to gain
            product: Matrix = np.matmul(gain[:, np.newaxis, :], worth[:, :, np.newaxis])[:, 0, 0]
        return product
    if how == "lanes" and term.shape[1] >= _FUSED:
        return _add_four_lanes(gain, worth)
    return _ADDED[how](term)


def find_room(how: str, n_terms: int) -> int | None:
    """Return the number of terms to write out if only the first are not 0; None if all.

    NumPy halves a long sum, and the first half has at least 64 terms, in lanes of every eighth.

    >>> [find_room(how, 10) for how in ("pairwise", "dot", "head_tail")], find_room("pairwise", 65)
    ([16, 64, None], None)
    """
    step = _STEPS.get(how)
    return None if step is None or n_terms > _ROOM else -(-n_terms // step) * step


def add_in_order(term: Matrix) -> Matrix:
    """Return one after another."""
    return np.asarray(np.add.accumulate(term, axis=1)[:, -1])


def add_pairwise(term: Matrix) -> Matrix:
    """As NumPy adds up a row that lies in one piece."""
    return np.asarray(np.ascontiguousarray(term).sum(axis=1))


def _add_head_tail(term: Matrix) -> Matrix:
    return np.asarray(term[:, 0] + add_pairwise(term[:, 1:]))


def _add_compensated(term: Matrix) -> Matrix:
    """Add terms in order; each takes up what rounding lost before it."""
    total, lost = np.zeros((2, len(term)), dtype=term.dtype)
    for column in term.T:
        more = column - lost
        new = total + more
        lost = (new - total) - more
        total = new
    return total


def _add_two_lanes(term: Matrix) -> Matrix:
    """Two registers of two numbers each; a last odd one joins the second number."""
    n_even = term.shape[1] // 2 * 2
    pairs = term[:, :n_even].reshape(len(term), -1, 2)
    lanes = _add_columns(pairs[:, 0::2], 2) + _add_columns(pairs[:, 1::2], 2)
    if n_even < term.shape[1]:
        lanes[:, 1] += term[:, -1]
    return np.asarray(lanes[:, 0] + lanes[:, 1])


def _add_columns(rows: Matrix, width: int) -> Matrix:
    """Return the sums of registers, number by number, one register after another."""
    if not rows.shape[1]:
        return np.zeros((len(rows), width), dtype=rows.dtype)
    return np.array(np.add.accumulate(rows, axis=1)[:, -1])


def _add_four_lanes(gain: Matrix, worth: Matrix) -> Matrix:
    """Two registers of four numbers each, products fused into the sums; odd ones come first."""
    row, column = np.nonzero(gain)  # to add nothing changes no sum
    odd = gain.shape[1] % 4
    lane = 8 * row + np.where(column < odd, column, (column - odd) % 8)
    order = np.argsort(lane, kind="stable")
    left, right = gain[row, column][order], worth[row, column][order]
    counts = np.bincount(lane, minlength=8 * len(gain))
    start, sums = np.cumsum(counts) - counts, np.zeros(len(counts))
    for number in range(counts.max(initial=0)):
        longer = np.flatnonzero(counts > number)
        cells = start[longer] + number
        sums[longer] = _multiply_add(left[cells], right[cells], sums[longer])
    registers = sums.reshape(-1, 2, 4)
    lanes = registers[:, 0] + registers[:, 1]
    halves = lanes[:, :2] + lanes[:, 2:]
    return np.asarray(halves[:, 0] + halves[:, 1])


def _multiply_add(left: Matrix, right: Matrix, total: Matrix) -> Matrix:
    """Return the product added to the total, and rounded once."""
    product = left * right
    below = _find_product_error(left, right, product)
    new = product + total
    part = new - product
    lost = (product - (new - part)) + (total - part)
    return np.asarray(new + (lost + below))


def _find_product_error(left: Matrix, right: Matrix, product: Matrix) -> Matrix:
    """Return what a product has lost by rounding, exactly (Dekker 1971)."""
    (high, low), (other_high, other_low) = _split_bits(left), _split_bits(right)
    rest = ((high * other_high - product) + high * other_low) + low * other_high
    return np.asarray(rest + low * other_low)


def _split_bits(number: Matrix) -> tuple[Matrix, Matrix]:
    scaled = number * 134217729.0  # 2^27 + 1
    high = scaled - (scaled - number)
    return high, number - high


def _add_cascade(term: Matrix) -> Matrix:
    """Four sums of every fourth number, or of every fourth register of eight numbers."""
    n_whole = term.shape[1] // _LANES * _LANES
    if not n_whole:
        return _add_four_sums(term[:, :, np.newaxis])[:, 0]
    lanes = _add_four_sums(term[:, :n_whole].reshape(len(term), -1, _LANES))
    parts = np.concatenate([term[:, n_whole:], lanes], axis=1)
    return add_in_order(parts)


def _add_four_sums(rows: Matrix) -> Matrix:
    """Return the sum of registers, as four sums that are added up."""
    n_whole = rows.shape[1] // 4 * 4
    sums = [_add_columns(rows[:, lane:n_whole:4], rows.shape[2]) for lane in range(4)]
    for at in range(n_whole, rows.shape[1]):
        sums[0] = sums[0] + rows[:, at]
    return np.asarray(((sums[0] + sums[1]) + sums[2]) + sums[3])


def _add_packets(term: Matrix) -> Matrix:
    """Add the lanes of registers of eight numbers by halves, then the rest of the row."""
    n_whole = term.shape[1] // _LANES * _LANES
    lanes = _add_columns(term[:, :n_whole].reshape(len(term), -1, _LANES), _LANES)
    for half in (4, 2, 1):
        lanes = lanes[:, :half] + lanes[:, half:]
    rest = _add_columns(term[:, n_whole:, np.newaxis], 1)
    return np.asarray((lanes + rest)[:, 0])


_ADDED: dict[str, Callable[[Matrix], Matrix]] = {
    "": add_in_order,
    "pairwise": add_pairwise,
    "lanes": _add_two_lanes,
    "cascade": _add_cascade,
    "packets": _add_packets,
    "compensated": _add_compensated,
    "head_tail": _add_head_tail,
}

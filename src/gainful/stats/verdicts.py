"""The verdict on two runs, in one plain sentence."""

from gainful.comparison.digits import decimals, ends, p_value, signed
from gainful.comparison.result import Pair
from gainful.measures import Measure
from gainful.wording import count

_MANY = 1_000_000  # queries, of which it does not matter how many


def kind(
    difference: float, *, same: bool, p: float, p_equivalent: float | None, alpha: float
) -> str:
    """Which of ``VERDICTS`` it is.

    >>> kind(0.02, same=False, p=0.01, p_equivalent=None, alpha=0.05)
    'better'
    >>> kind(0.02, same=False, p=0.20, p_equivalent=None, alpha=0.05)
    'cannot tell'
    """
    if same:
        return "identical"
    if p_equivalent is not None and p_equivalent < alpha:
        return "practically equal"
    if p < alpha:
        return "better" if difference > 0 else "worse"
    return "cannot tell"


def sentence(
    pair: Pair, *, test: str, alpha: float, margin: float | None, needed: int | None
) -> str:
    """The verdict of a pair in plain words; it never calls equal what it cannot tell apart.

    Args:
        pair: The pair, and the verdict on it.
        test: What gave ``Pair.p_adjusted``.
        alpha: As in ``compare``.
        margin: As in ``compare``.
        needed: How many queries would show a difference of this size, if that can be said.
    """
    both, measure, n_queries = f"{pair.system} and {pair.baseline}", pair.measure, pair.n_queries
    queries = count(n_queries, "query", "queries")
    by = _by(pair)
    p = _p_text(pair.p_adjusted, alpha)
    if pair.verdict == "identical":
        all_of_them = f"all {queries}" if n_queries > 1 else f"the {queries}"
        return f"{both} are identical on {measure}: same value on {all_of_them}."
    if pair.verdict == "practically equal":
        assert pair.p_equivalent is not None
        return (
            f"{both} are practically equal on {measure}: the difference, {by}, is shown to be "
            f"smaller than {margin:g} ({_p_text(pair.p_equivalent, alpha)}, two one-sided "
            f"t-tests, {queries})."
        )
    if n_queries < 2:
        return f"cannot tell {both} apart on {measure}: one query shows nothing."
    if pair.verdict == "cannot tell":
        return (
            f"cannot tell {both} apart on {measure}: the difference is {by}, {p} "
            f"({test}, {queries}).{_hidden(n_queries, pair.detectable, needed)}"
        )
    relation = _relation(pair.verdict, measure)
    return f"{pair.system} {relation} {pair.baseline} on {measure}: {by}, {p} ({test}, {queries})."


def _by(pair: Pair) -> str:
    """By how much; without an interval that has no width, since that would promise too much."""
    low, high = pair.t_interval
    where = "on every query" if low == high else ends(pair.t_interval)
    return f"{signed(pair.difference)} {where}"


def _p_text(p: float, alpha: float) -> str:
    """A p-value for people, which is never 0, and on the side of alpha on which it is.

    >>> _p_text(0.0123, 0.05), _p_text(0.00001, 0.05), _p_text(0.049999, 0.05)
    ('p = 0.0123', 'p < 0.0001', 'p = 0.049999')
    """
    shown = p_value(p, alpha)
    return f"p < {shown[1:]}" if shown.startswith("<") else f"p = {shown}"


def _relation(verdict: str, measure: Measure) -> str:
    if measure.higher_is_better:
        return "beats" if verdict == "better" else "is worse than"
    return "scores higher than" if verdict == "better" else "scores lower than"


def _hidden(n_queries: int, detectable: float, needed: int | None) -> str:
    if not detectable > 0:  # nothing varies, or false alarms are as frequent
        return ""
    shown = f" So many queries reliably show differences of {decimals(detectable)} or more"
    if needed is None or needed <= n_queries:
        return f"{shown}."
    more = f"more than {_MANY:,}" if needed > _MANY else f"about {needed:,}"
    return f"{shown}; one of this size takes {more}."

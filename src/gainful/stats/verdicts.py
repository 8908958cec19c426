"""The verdict on two runs, in one plain sentence."""

from gainful.interval import Interval
from gainful.measures import Measure
from gainful.wording import count

_MANY = 1_000_000  # queries, of which it does not matter how many


def p_text(p: float) -> str:
    """A p-value for people, which is never 0.

    >>> p_text(0.0123), p_text(0.00001)
    ('p = 0.0123', 'p < 0.0001')
    """
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


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
    verdict: str,
    *,
    system: str,
    baseline: str,
    measure: Measure,
    difference: float,
    interval: Interval,
    p: float,
    test: str,
    n_queries: int,
    detectable: float,
    needed: int | None,
    margin: float | None,
    p_equivalent: float | None,
) -> str:
    """The verdict in plain words; it never calls equal what it cannot tell apart.

    Args:
        test: What gave ``p``.
        needed: How many queries would show a difference of this size, if that can be said.
    """
    queries = count(n_queries, "query", "queries")
    by = f"{difference:+.4f} {interval}"
    if verdict == "identical":
        return f"{system} and {baseline} are identical on {measure}: same value on all {queries}."
    if verdict == "practically equal":
        assert p_equivalent is not None
        return (
            f"{system} and {baseline} are practically equal on {measure}: the difference, {by}, "
            f"is shown to be smaller than {margin:g} ({p_text(p_equivalent)}, two one-sided "
            f"t-tests, {queries})."
        )
    if n_queries < 2:
        return f"cannot tell {system} and {baseline} apart on {measure}: one query shows nothing."
    if verdict == "cannot tell":
        return (
            f"cannot tell {system} and {baseline} apart on {measure}: the difference is {by}, "
            f"{p_text(p)} ({test}, {queries}). {_hidden(n_queries, detectable, needed)}"
        )
    return (
        f"{system} {_relation(verdict, measure)} {baseline} on {measure}: {by}, "
        f"{p_text(p)} ({test}, {queries})."
    )


def _relation(verdict: str, measure: Measure) -> str:
    if measure.higher_is_better:
        return "beats" if verdict == "better" else "is worse than"
    return "scores higher than" if verdict == "better" else "scores lower than"


def _hidden(n_queries: int, detectable: float, needed: int | None) -> str:
    shown = f"So many queries reliably show differences of {detectable:.4f} or more"
    if needed is None or needed <= n_queries:
        return f"{shown}."
    more = f"more than {_MANY:,}" if needed > _MANY else f"about {needed:,}"
    return f"{shown}; one of this size takes {more}."

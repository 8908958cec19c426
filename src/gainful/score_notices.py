"""What may be wrong with the scores of a run, its ranks and its depth."""

from gainful.notices import Notice
from gainful.wording import count, examples


class ContradictedRanks(Notice):
    """The rank column of a run says another order than its scores."""

    code = "contradicted-ranks"
    severity = "warning"
    run: str
    n_lines: int
    n_neighbours: int
    first: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: {self.n_lines:,} of {self.n_neighbours:,} ranks contradict the "
            f"scores, first on {self.first}: a better rank has a lower score. order=score goes by "
            "the scores."
        )


class ReversedScores(Notice):
    """Scores rise as ranks do: they may be distances, of which the lowest is the best."""

    code = "reversed-scores"
    severity = "error"
    run: str
    n_queries: int
    n_telling: int
    first: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: scores rise with the ranks in {self.n_queries:,} of "
            f"{count(self.n_telling, 'query', 'queries')} (first {self.first!r}), so its last item "
            "is ranked first. If they are distances, negate them, or pass --order rank."
        )


class AscendingScores(Notice):
    """Scores rise from line to line: they may be distances, of which the lowest is the best."""

    code = "ascending-scores"
    severity = "warning"
    run: str
    n_queries: int
    n_telling: int
    first: str
    odd_ranks: bool

    def __str__(self) -> str:
        guess = "are distances, negate them"
        if self.odd_ranks:
            guess = "stand in the rank column, which holds no integers, swap the two"
        return (
            f"run {self.run!r}: scores rise from line to line in {self.n_queries:,} of "
            f"{count(self.n_telling, 'query', 'queries')} (first {self.first!r}), so the last line "
            f"is ranked first. If they {guess}, or pass --order file."
        )


class EqualScores(Notice):
    """All scores of a query are equal, so a rule for ties ranked it."""

    code = "equal-scores"
    severity = "warning"
    run: str
    n_queries: int
    n_several: int
    first: str
    rule: str

    def __str__(self) -> str:
        fate = "averages over all orders" if self.rule == "average" else "alone orders them"
        return (
            f"run {self.run!r}: all scores are equal in {self.n_queries:,} of "
            f"{count(self.n_several, 'query', 'queries')} with several items (first "
            f"{self.first!r}); ties={self.rule} {fate}."
        )


class CloseScores(Notice):
    """Scores differ in double precision only: tools that compare in single precision tie them."""

    code = "close-scores"
    severity = "info"
    run: str
    n_items: int
    n_judged: int
    first: str

    def __str__(self) -> str:
        return (
            f"run {self.run!r}: {self.n_items:,} of the {self.n_judged:,} judged items it returned "
            f"stand beside one whose score differs in double precision only (first in query "
            f"{self.first!r}); trec_eval 9, and precision=float32, tie them."
        )


class InfiniteScores(Notice):
    """Scores are infinite, so their items are tied."""

    code = "infinite-scores"
    severity = "warning"
    run: str
    n_rows: int
    first: str

    def __str__(self) -> str:
        scores = count(self.n_rows, "score is", "scores are")
        return f"run {self.run!r}: {scores} infinite, first on {self.first}; equal ones are tied."


class ShortRankings(Notice):
    """Some queries of a run have far fewer items than most."""

    code = "short-rankings"
    severity = "info"
    run: str
    depth: int
    queries: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"run {self.run!r} has {self.depth:,} items for most queries, and less than a tenth of "
            f"that for {len(self.queries):,} ({examples(self.queries)})."
        )


class UnequalDepths(Notice):
    """Runs are cut at different depths, so measures without a cutoff favour the deeper."""

    code = "unequal-depths"
    severity = "warning"
    runs: tuple[str, ...]
    depths: tuple[int, ...]

    def __str__(self) -> str:
        each = ", ".join(f"{r!r} {n:,}" for r, n in zip(self.runs, self.depths, strict=True))
        return (
            f"the runs are cut at different depths ({each} items at most); measures without a "
            "cutoff favour the deeper. Pass --depth to cut them alike."
        )

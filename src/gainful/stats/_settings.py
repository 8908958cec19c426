"""What users choose about a comparison, checked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from gainful.errors import ComparisonError
from gainful.records import Record
from gainful.settings import Setting, arguments_of
from gainful.stats.corrections import CORRECTIONS
from gainful.stats.requested import REQUESTED

Alpha = Annotated[
    float,
    Setting("below which p-value a difference is more than chance", more_than=0, less_than=1),
]
Margin = Annotated[float | None, Setting("the difference that does not matter", more_than=0)]
Tie = Annotated[
    float, Setting("the difference up to which two values of a query are the same", at_least=0)
]
Seed = Annotated[int, Setting("what the random numbers start from", at_least=0)]
Resamples = Annotated[
    int | None,
    Setting("how many random draws each test makes", at_least=1, at_most=100_000_000),
]

Pairs = Sequence[tuple[int, int]]  # system and baseline, by number


@dataclass(eq=False, repr=False, kw_only=True)
class Numbers(Record):
    """The numbers that decide a comparison; see ``compare``."""

    alpha: Alpha = 0.05
    margin: Margin = None
    tie: Tie = 1e-9
    seed: Seed = 0
    resamples: Resamples = None

    def __post_init__(self) -> None:
        for name, argument in arguments_of(Numbers).items():
            checked = argument.check(
                "compare", getattr(self, name), ComparisonError, "bad-argument"
            )
            object.__setattr__(self, name, checked)


@dataclass(eq=False, repr=False, kw_only=True)
class Settings(Numbers):
    """How runs are compared; see ``compare``."""

    baseline: str | None = None
    correction: str | None = None
    tests: str | Iterable[str] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        given = [self.tests] if isinstance(self.tests, str) else self.tests
        tests = tuple(dict.fromkeys(one_of("tests", test, REQUESTED) for test in given))
        object.__setattr__(self, "tests", tests)
        if self.correction is not None:
            one_of("correction", self.correction, CORRECTIONS)

    def correction_for(self, n_pairs: int) -> str:
        """The correction that was chosen, else the one that fits."""
        if self.correction == "max-t" and self.baseline is None:
            message = "correction: max-t compares runs with a baseline, got none. Name a baseline."
            raise ComparisonError(message, code="bad-argument")
        if self.correction is not None:
            return self.correction
        if n_pairs == 1:
            return "none"
        return "tukey" if self.baseline is None else "holm"

    @property
    def draws(self) -> dict[str, int]:
        """How many random draws are made, by what they are made for."""
        return {
            "sign flips": self.resamples or 100_000,
            "permutations": self.resamples or 10_000,
            "bootstrap": 9_999,
        }

    def pairs(self, runs: Sequence[str]) -> Pairs:
        """Which runs are compared with which."""
        every = range(len(runs))
        if self.baseline is None:
            return [(later, earlier) for earlier in every for later in every[earlier + 1 :]]
        with_whom = runs.index(one_of("baseline", self.baseline, runs))
        return [(run, with_whom) for run in every if run != with_whom]


def one_of(what: str, given: Any, known: Iterable[str]) -> str:
    """What was given, if it is one of those that are known."""
    names = list(known)
    if given not in names:
        message = f"{what}: must be one of {', '.join(names)}, got {given!r:.60}."
        raise ComparisonError(message, code="bad-argument")
    return str(given)

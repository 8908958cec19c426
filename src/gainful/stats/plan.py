"""Power: how many queries a difference takes, and which difference so many queries show."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from gainful.measures import Measure
from gainful.notices import Notice
from gainful.plain import to_json
from gainful.records import Frozen, Record
from gainful.rules import Rules
from gainful.stats.power import detectable_effect, power, queries_needed
from gainful.wording import count

POWERS = (0.5, 0.8, 0.9)
_BARS = 12  # about as many points as a curve has


class Point(NamedTuple):
    """So many queries show this difference with this power; ``effect`` is in deviations, d_z."""

    difference: float
    effect: float
    queries: int
    power: float


@dataclass(eq=False, repr=False)
class Pilot(Record):
    """What two runs have shown: the system, less the baseline.

    Attributes:
        measure: The measure.
        system: The name of one run.
        baseline: The name of the other.
        difference: The mean of the system less the mean of the baseline.
        deviation: The standard deviation of the differences of queries.
        n_queries: How many queries there are.
    """

    measure: Measure
    system: str
    baseline: str
    difference: float
    deviation: float
    n_queries: int

    @property
    def sentence(self) -> str:
        """What was shown, in plain words."""
        return (
            f"{self.system} differs from {self.baseline} by {decimals(self.difference, '+')} on "
            f"{self.measure}: {count(self.n_queries, 'query', 'queries')}, deviation "
            f"{decimals(self.deviation)}, d_z {decimals(self.difference / self.deviation)}."
        )


@dataclass(eq=False, repr=False)
class Power(Frozen):
    """A plan: what so many queries show by the paired t-test, two-sided.

    Attributes:
        difference: The difference that is planned for, either way.
        deviation: The standard deviation of the differences of queries.
        queries: How many queries there are, if that is known.
        power: The chance that the difference is shown, as it is wanted.
        alpha: Below which p-value a difference is shown.
        pilot: What two runs have shown, if the plan rests on them.
        rules: The rules under which they were evaluated.
        notices: What a reader of the plan should know.

    >>> import gainful
    >>> plan = gainful.power_analysis(difference=0.05, variance=0.0251, queries=50)
    >>> plan.needed, round(plan.detectable, 4), round(plan.chance, 4)
    (81, 0.064, 0.5901)
    >>> plan
    50 queries show a difference of 0.0640 or more in 80% of experiments.
    50 queries show a difference of 0.0500 in 59% of experiments.
    81 queries show a difference of 0.0500 in 80% of experiments.
    paired t-test, two-sided, alpha 0.05, deviation 0.1584
    """

    difference: float
    deviation: float
    queries: int | None
    power: float
    alpha: float
    pilot: Pilot | None = None
    rules: Rules | None = None
    notices: tuple[Notice, ...] = ()

    @property
    def effect(self) -> float:
        """The difference in standard deviations, d_z."""
        return self.difference / self.deviation

    @property
    def needed(self) -> int:
        """How many queries show the difference with the power that is wanted."""
        return queries_needed(self.effect, power=self.power, alpha=self.alpha)

    @property
    def detectable(self) -> float | None:
        """The smallest difference that the queries there are show, if their number is known."""
        return None if self.queries is None else self._shown_by(self.queries, self.power)

    @property
    def chance(self) -> float | None:
        """The power of the queries there are to show the difference, if their number is known."""
        return None if self.queries is None else self._power_of(self.queries)

    def table(self, differences: Sequence[float] | None = None) -> list[Point]:
        """How many queries differences take, for several powers.

        Args:
            differences: Which ones; round numbers around the one that is planned for, if not given.
        """
        several = _round_numbers(self.difference) if differences is None else differences
        return [self._needed_for(d, chance) for d in several for chance in self.powers]

    def detectable_table(self, queries: Sequence[int] | None = None) -> list[Point]:
        """Which differences numbers of queries show, for several powers.

        Args:
            queries: Which numbers; round ones from those there are on, if not given. None if it is
                not known how many there are.
        """
        known = [] if self.queries is None else _round_numbers(self.queries, 0.5, 5)
        several = [n for n in known if n >= 2 and n % 1 == 0] if queries is None else queries
        return [
            Point(shown, shown / self.deviation, int(n), chance)
            for n in several
            for chance in self.powers
            for shown in [self._shown_by(int(n), chance)]
        ]

    def curve(self) -> list[Point]:
        """The power of growing numbers of queries to show the difference."""
        step = _round_up(2 * self.needed / _BARS)
        several = range(step, 2 * self.needed + step, step)
        ready = [(n, self._power_of(n)) for n in several if n >= 2]
        return [Point(self.difference, self.effect, n, chance) for n, chance in ready]

    @property
    def powers(self) -> list[float]:
        """The powers that tables are for: the one that is wanted, and customary ones."""
        return sorted({self.power, *(chance for chance in POWERS if chance > self.alpha)})

    @property
    def sentences(self) -> list[str]:
        """What is planned, in plain words."""
        said = [self.pilot.sentence] if self.pilot else []
        if self.queries is not None and self.detectable is not None:
            said += [_sentence(self.queries, self.detectable, self.power, " or more")]
            if self.detectable == self.difference:
                return said
            said += [_sentence(self.queries, self.difference, self._power_of(self.queries))]
        return [*said, _sentence(self.needed, self.difference, self.power)]

    @property
    def basis(self) -> str:
        """The test that is planned for, and what is assumed."""
        deviation = decimals(self.deviation)
        return f"paired t-test, two-sided, alpha {self.alpha:.4g}, deviation {deviation}"

    def to_dict(self) -> dict[str, Any]:
        """Everything there is, as plain values."""
        return {
            "difference": self.difference,
            "deviation": self.deviation,
            "effect": self.effect,
            "queries": self.queries,
            "power": self.power,
            "alpha": self.alpha,
            "needed": self.needed,
            "detectable": self.detectable,
            "chance": self.chance,
            "pilot": self.pilot and {**vars(self.pilot), "measure": str(self.pilot.measure)},
            "table": [point._asdict() for point in self.table()],
            "detectable_table": [point._asdict() for point in self.detectable_table()],
            "curve": [point._asdict() for point in self.curve()],
            "text": self.sentences,
            "rules": self.rules and self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Everything there is, as JSON."""
        return to_json(self.to_dict(), indent=indent)

    def __repr__(self) -> str:
        return "\n".join([*self.sentences, self.basis, *(n.line for n in self.notices)])

    def _needed_for(self, difference: float, chance: float) -> Point:
        effect = difference / self.deviation
        n = queries_needed(effect, power=chance, alpha=self.alpha)
        return Point(difference, effect, n, chance)

    def _shown_by(self, n_queries: int, chance: float) -> float:
        return detectable_effect(n_queries, power=chance, alpha=self.alpha) * self.deviation

    def _power_of(self, n_queries: int) -> float:
        return power(self.effect, n_queries, alpha=self.alpha)


def decimals(value: float, sign: str = "-") -> str:
    """A number with four decimals, or four digits where those would not do.

    >>> decimals(0.05), decimals(0.05, "+"), decimals(0.00012345)
    ('0.0500', '+0.0500', '0.0001234')
    """
    fits = value == 0 or 0.001 <= abs(value) < 1e6
    return f"{value:{sign}.4f}" if fits else f"{value:{sign}.4g}"


def _sentence(queries: int, difference: float, chance: float, more: str = "") -> str:
    return (
        f"{queries:,} queries show a difference of {decimals(difference)}{more} in "
        f"{percent(chance)} of experiments."
    )


def percent(share: float) -> str:
    """A share as people say it.

    >>> percent(0.8), percent(0.9996), percent(1.0)
    ('80%', '99.9%', '100%')
    """
    text = f"{100 * share:.3g}%"
    return "99.9%" if text == "100%" and share < 1 else text


def _round_numbers(centre: float, least: float = 0.2, most: float = 2.0) -> list[float]:
    """A number, and the round ones around it: 1, 2 and 5 times powers of ten.

    >>> _round_numbers(0.03)
    [0.01, 0.02, 0.03, 0.05]
    """
    ten = math.floor(math.log10(centre))
    found = [float(f"{digit}e{e}") for e in range(ten - 1, ten + 2) for digit in (1, 2, 5)]
    blur = 1 + 1e-9  # a fifth of 0.05 is 0.01, though not in floats
    near = {n for n in found if least * centre <= n * blur and n <= most * centre * blur}
    return sorted(near | {centre})


def _round_up(number: float) -> int:
    """The next round number, at least 1.

    >>> _round_up(13.5), _round_up(0.2), _round_up(100)
    (20, 1, 100)
    """
    ten: int = 10 ** max(math.ceil(math.log10(number)) - 1, 0)
    return next(digit * ten for digit in (1, 2, 5, 10) if digit * ten >= number)

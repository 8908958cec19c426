"""Who stands where in a Comparison: the order of the runs, their letters, who is above whom."""

import math
from collections.abc import Sequence
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from gainful.measures import Measure

if TYPE_CHECKING:
    from gainful.comparison.result import Comparison, Pair, System

_TURNED = {"better": "worse", "worse": "better"}


class Beside(NamedTuple):
    """How a run does beside another, whichever of them the pair calls the baseline."""

    difference: float
    effect: float
    p_adjusted: float
    verdict: str


def letters(n: int) -> list[str]:
    """A name for each of ``n`` runs: a letter, two from the 27th on.

    >>> letters(28)[:2], letters(28)[25:]
    (['a', 'b'], ['z', 'aa', 'ab'])
    """
    return [_letter(number) for number in range(n)]


def _letter(number: int) -> str:
    before, last = divmod(number, len(ascii_lowercase))
    return (_letter(before - 1) if before else "") + ascii_lowercase[last]


def superscript(places: Sequence[int], n_runs: int) -> str:
    """The letters of some of the runs; of more than 26 runs, neighbours are shortened.

    >>> superscript([0, 1, 2, 4], 26), superscript([0, 1, 2, 4, 26, 27], 28)
    ('abce', 'a-c,e,aa,ab')
    """
    names = letters(n_runs)
    if n_runs <= len(ascii_lowercase):
        return "".join(names[place] for place in places)
    streaks: list[list[int]] = []
    for place in places:
        if streaks and place == streaks[-1][-1] + 1:
            streaks[-1].append(place)
        else:
            streaks.append([place])
    return ",".join(
        f"{names[streak[0]]}-{names[streak[-1]]}"
        if len(streak) > 2
        else ",".join(names[place] for place in streak)
        for streak in streaks
    )


def ordered(comparison: "Comparison") -> list[str]:
    """The runs, the highest mean of the first measure first; those without a mean come last."""
    own = of_measure(comparison, comparison.measures[0])
    return [s.name for s in sorted(own, key=lambda s: (math.isnan(s.mean), -s.mean))]


def of_measure(comparison: "Comparison", measure: Measure) -> list["System"]:
    """What every run scores by one measure."""
    return [system for system in comparison.systems if system.measure == measure]


def first_pairs(comparison: "Comparison") -> list["Pair"]:
    """The pairs by the first measure, which the verdict is on."""
    return [pair for pair in comparison.pairs if pair.measure == comparison.measures[0]]


def beside(pairs: Sequence["Pair"], reference: str) -> dict[str, Beside]:
    """How every run does beside one of them, by the pairs of one measure."""
    found: dict[str, Beside] = {}
    for pair in pairs:
        if pair.baseline == reference:
            found[pair.system] = Beside(pair.difference, pair.effect, pair.p_adjusted, pair.verdict)
        elif pair.system == reference:
            turned = _TURNED.get(pair.verdict, pair.verdict)
            found[pair.baseline] = Beside(-pair.difference, -pair.effect, pair.p_adjusted, turned)
    return found


def above(comparison: "Comparison", measure: Measure) -> dict[str, list[str]]:
    """The runs that each run is significantly above, by one measure, in the order given."""
    found: dict[str, set[str]] = {name: set() for name in comparison.runs}
    for pair in comparison.pairs:
        differs = pair.p_adjusted < comparison.alpha and pair.verdict != "identical"
        if pair.measure == measure and differs:
            if pair.difference > 0:
                found[pair.system].add(pair.baseline)
            elif pair.difference < 0:
                found[pair.baseline].add(pair.system)
    return {name: [run for run in comparison.runs if run in below] for name, below in found.items()}

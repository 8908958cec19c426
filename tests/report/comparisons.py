"""Comparisons made by hand, for the tests of how they are written."""

import numpy as np

from gainful import Rules, parse_measure
from gainful.base.numbers import Interval
from gainful.stats import Comparison, Pair, System


def system(name="bm25", measure="nDCG@10", mean=0.4911, **overrides):
    defaults = {"interval": Interval(mean - 0.03, mean + 0.03), "judged": 0.921, "n_queries": 2}
    return System(name, parse_measure(measure), mean, **{**defaults, **overrides})


def pair(system="dense", baseline="bm25", measure="nDCG@10", **overrides):
    defaults = {
        "difference": 0.0212,
        "interval": Interval(0.004, 0.0381),
        "t_interval": Interval(0.0039, 0.0385),
        "relative": 0.0212 / 0.4911,
        "relative_interval": Interval(0.008, 0.0776),
        "deviation": 0.0607,
        "effect": 0.3493,
        "effect_interval": Interval(0.0609, 0.6343),
        "pooled_effect": 0.494,
        "t": 2.47,
        "p_t": 0.01705,
        "p_randomized": 0.0168,
        "p_adjusted": 0.0168,
        "wins": 29,
        "ties": 9,
        "losses": 12,
        "superiority": 0.67,
        "p_better": 0.9915,
        "p_equal": None,
        "p_equivalent": None,
        "detectable": 0.0245,
        "more": {},
        "possible": None,
        "verdict": "better",
        "sentence": f"{system!r} is better than {baseline!r} by {measure}.",
        "n_queries": 2,
    }
    return Pair(
        **{
            **defaults,
            **overrides,
            "system": system,
            "baseline": baseline,
            "measure": parse_measure(measure),
        }
    )


def comparison(systems, pairs, **overrides):
    runs = tuple(dict.fromkeys(s.name for s in systems))
    measures = tuple(dict.fromkeys(s.measure for s in systems))
    defaults = {
        "queries": ("q1", "q2"),
        "values": np.arange(2.0 * len(systems)).reshape(len(measures), len(runs), 2),
        "baseline": None,
        "correction": "tukey",
        "alpha": 0.05,
        "margin": None,
        "tie": 1e-9,
        "seed": 0,
        "resamples": {"intervals": 9999, "tukey": 10_000},
        "rules": Rules(),
        "notices": (),
    }
    return Comparison(
        runs=runs,
        measures=measures,
        systems=tuple(systems),
        pairs=tuple(pairs),
        **{**defaults, **overrides},
    )


def make_two_run_comparison(**overrides):
    """Two runs by one measure."""
    return comparison([system(), system("dense", mean=0.5123)], [pair()], **overrides)


def make_two_measure_comparison(**overrides):
    """Three runs by two measures, with the baseline bm25."""
    systems, pairs = [], []
    for measure in ("nDCG@10", "P@5"):
        systems += [system(measure=measure), system("dense", measure, 0.5123)]
        systems += [system("hybrid", measure, 0.51)]
        pairs += [pair(measure=measure), pair("hybrid", measure=measure, p_adjusted=0.2)]
    return comparison(systems, pairs, **{"baseline": "bm25", "correction": "holm", **overrides})


def make_many_run_comparison(n, measures=("nDCG@10",), *, baseline=None, told_apart=0.1):
    """``n`` runs, all pairs of them; those whose means differ by ``told_apart`` are significant."""
    systems, pairs = [], []
    for measure in measures:
        means = [0.2 + i / 100 for i in range(n)]
        names = [f"run{i + 1:02}" for i in range(n)]
        systems += [system(name, measure, mean) for name, mean in zip(names, means, strict=True)]
        for i in range(n):
            for j in range(i):
                if baseline in (None, names[j]):
                    far = means[i] - means[j] > told_apart - 1e-9
                    pairs.append(
                        pair(
                            *(names[i], names[j], measure),
                            difference=means[i] - means[j],
                            p_adjusted=0.001 if far else 0.3,
                            verdict="better" if far else "cannot tell",
                        )
                    )
    return comparison(systems, pairs, baseline=baseline)

"""Runs that have the values that a test needs."""

from gainful import gate

MEASURE = "CG@1"


def make_runs(old_values, new_values):
    """Return qrels and two runs of one item per query, whose label is the value of CG@1."""
    pairs = list(zip(old_values, new_values, strict=True))
    qrels = {f"q{i}": {"old": b, "new": n} for i, (b, n) in enumerate(pairs)}
    return qrels, *({query: [item] for query in qrels} for item in ("old", "new"))


def gate_values(old_values, new_values, **thresholds):
    """Return the gate of two runs with these values."""
    return gate(*make_runs(old_values, new_values), MEASURE, **thresholds)


def find_check(result, name):
    """Return the first check with this name."""
    return next(check for check in result.checks if check.name == name)


def format_qrels(qrels):
    """Return qrels as lines of a TREC file."""
    return "".join(f"{q} 0 {i} {v!r}\n" for q, labels in qrels.items() for i, v in labels.items())


def format_run(run):
    """Return a run as lines of a TREC file."""
    return "".join(
        f"{q} Q0 {item} {rank} {-rank} t\n"
        for q, items in run.items()
        for rank, item in enumerate(items, 1)
    )

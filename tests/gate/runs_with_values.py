"""Runs whose values are what a test wants them to be."""

from gainful import gate

MEASURE = "CG@1"


def make_runs(before, now):
    """Qrels and two runs of one item a query: its label is the value of CG@1."""
    pairs = list(zip(before, now, strict=True))
    qrels = {f"q{i}": {"old": b, "new": n} for i, (b, n) in enumerate(pairs)}
    return qrels, *({query: [item] for query in qrels} for item in ("old", "new"))


def gate_values(before, now, **held):
    """The gate of such runs."""
    return gate(*make_runs(before, now), MEASURE, **held)


def find_check(result, name):
    """The check of a name."""
    return next(one for one in result.checks if one.name == name)


def qrels_text(qrels):
    """Qrels as a file has them."""
    return "".join(f"{q} 0 {i} {v!r}\n" for q, labels in qrels.items() for i, v in labels.items())


def run_text(run):
    """A run as a file has it."""
    return "".join(
        f"{q} Q0 {item} {rank} {-rank} t\n"
        for q, items in run.items()
        for rank, item in enumerate(items, 1)
    )

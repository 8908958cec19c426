"""Small qrels and runs for ``gainful check``, and the lines that it prints."""

QUERIES = range(1, 6)
QRELS = "".join(f"q{q} 0 d{i} {i % 3}\n" for q in QUERIES for i in range(1, 7))


def make_run(query="q{q}", item="d{i}", rank="{i}", score="{down}", n=6, queries=QUERIES):
    """Return a run of several queries; ``down`` falls from item to item, ``i`` rises."""
    line = f"{query} Q0 {item} {rank} {score} t\n"
    return "".join(line.format(q=q, i=i, down=10 - i) for q in queries for i in range(1, n + 1))


def format_findings(*findings):
    return "".join(f"{severity}\t{code}\t{text}\n" for severity, code, text in findings)


SUMMARY = "5 queries, 30 judgments, 1 run of 30 items\n"

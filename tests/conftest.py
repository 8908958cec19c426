"""What holds for every test, and what is said after them."""

import pytest
from hypothesis import settings

from gainful.measures import REGISTRY
from oracles.tally import COUNTS, MATCHED, compared, matched

# Machines are noisy: no example has to be quick, and every run tries the same ones.
settings.register_profile("gainful", deadline=None, derandomize=True)
settings.load_profile("gainful")


@pytest.fixture(autouse=True)
def _measures_declared_by_a_test_end_with_it():
    declared = dict(REGISTRY)
    yield
    for name in {*REGISTRY} - {*declared}:
        del REGISTRY[name]
    REGISTRY.update(declared)


def pytest_sessionfinish(session):
    """Hand what a worker has compared to the process that started it."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["compared"] = dict(COUNTS)
        session.config.workeroutput["matched"] = dict(MATCHED)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Add what a worker has compared."""
    for oracle, n in getattr(node, "workeroutput", {}).get("compared", {}).items():
        compared(oracle, n)
    for library, (n, total) in getattr(node, "workeroutput", {}).get("matched", {}).items():
        matched(library, n, total)


def pytest_terminal_summary(terminalreporter):
    """Say how many values were compared with each oracle, and how many of dialects we give."""
    if COUNTS:
        terminalreporter.section("values compared with independent implementations")
        for oracle, n in sorted(COUNTS.items()):
            terminalreporter.write_line(f"{oracle:32}{n:>12,}")
        terminalreporter.write_line(f"{'all':32}{sum(COUNTS.values()):>12,}")
    if MATCHED:
        terminalreporter.section("recorded values of other libraries that their dialects give")
        for library, (n, total) in sorted(MATCHED.items(), key=lambda pair: pair[0].lower()):
            terminalreporter.write_line(f"{library:36}{n:>6,} / {total:,}")
        each = zip(*MATCHED.values(), strict=True)
        terminalreporter.write_line(f"{'all':36}{' / '.join(f'{sum(n):,}' for n in each):>6}")

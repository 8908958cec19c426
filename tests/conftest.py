"""What holds for every test, which tests run where, and what is said after them."""

import re
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import settings

import example_counts  # noqa: F401 - declares the profiles
from browser_pages import browser, open_page, report  # noqa: F401 - fixtures
from gainful.measures import REGISTRY
from oracles.tally import COUNTS, MATCHES, count_compared, record_matched
from spark_session import OF_PYSPARK, spark  # noqa: F401 - a fixture

pytest.register_assert_rewrite("spark.local_and_spark", "spark.score_equality")
DEEP = Path(__file__).parent / "deep"
_IN_BROWSER = re.compile(r"end_to_end/report/|deep/test_site")
_ON_SPARK = re.compile(r"/spark/|cli/test_spark")


def pytest_addoption(parser):
    """Let ``--deep`` choose what ``make test-deep`` runs."""
    described = "run tests/deep, and properties on many examples, instead of everything else"
    parser.addoption("--deep", action="store_true", help=described)


def pytest_configure(config):
    """Choose how often properties are tried, before they are imported."""
    settings.load_profile("deep" if config.option.deep else "quick")


def pytest_ignore_collect(collection_path, config):
    """Leave out what ``make test-deep`` runs, unless it is asked for."""
    if collection_path != DEEP or config.option.deep:
        return None
    return not any("deep" in Path(argument).parts for argument in config.args)


def pytest_collection_modifyitems(config, items):
    """Choose the tests; long groups first, or a process would still be at them at the end."""
    if config.option.deep:
        config.hook.pytest_deselected(items=[item for item in items if not _is_deep(item)])
        items[:] = [item for item in items if _is_deep(item)]
    for item in items:
        if item.get_closest_marker("spark"):
            item.add_marker(pytest.mark.filterwarnings(OF_PYSPARK))
    sizes = Counter(_group(item.nodeid) for item in items)
    items.sort(key=lambda item: _turn(_group(item.nodeid), sizes))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Send the tests of a file to one process, and all that share a Spark or a browser."""
    from xdist.scheduler import LoadFileScheduling

    class Grouped(LoadFileScheduling):
        def _split_scope(self, nodeid):
            return _group(nodeid)

    return Grouped(config, log)


def _turn(group, sizes):
    return ("spark", "browser", group).index(group), -sizes[group], group


def _group(nodeid):
    path = nodeid.partition("::")[0]
    if _ON_SPARK.search(path):
        return "spark"
    return "browser" if _IN_BROWSER.search(path) else path


def _is_deep(item):
    marked = any(item.get_closest_marker(name) for name in ("hypothesis", "sampled"))
    return DEEP in item.path.parents or marked


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
        session.config.workeroutput["matched"] = dict(MATCHES)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Add what a worker has compared."""
    for oracle, n in getattr(node, "workeroutput", {}).get("compared", {}).items():
        count_compared(oracle, n)
    for library, (n, total) in getattr(node, "workeroutput", {}).get("matched", {}).items():
        record_matched(library, n, total)


def pytest_terminal_summary(terminalreporter):
    """Say how many values were compared with each oracle, and how many of dialects we give."""
    if COUNTS:
        terminalreporter.section("values compared with independent implementations")
        for oracle, n in sorted(COUNTS.items()):
            terminalreporter.write_line(f"{oracle:32}{n:>12,}")
        terminalreporter.write_line(f"{'all':32}{sum(COUNTS.values()):>12,}")
    if MATCHES:
        terminalreporter.section("recorded values of other libraries that their dialects give")
        for library, (n, total) in sorted(MATCHES.items(), key=lambda pair: pair[0].lower()):
            terminalreporter.write_line(f"{library:36}{n:>6,} / {total:,}")
        counts = zip(*MATCHES.values(), strict=True)
        terminalreporter.write_line(f"{'all':36}{' / '.join(f'{sum(n):,}' for n in counts):>6}")

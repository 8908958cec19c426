"""Turn errors of Spark into sentences that name a way out."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from traceback import walk_tb

from gainful.errors import SparkError

_SPARK_LIBRARIES = ("pyspark", "py4j", "grpc")
_STOPPED_MESSAGES = (
    "RpcEndpointRef.askSync",
    "NO_ACTIVE_SESSION",
    "No active Spark session found",
    "object has no attribute 'setCallSite'",
    "dagScheduler()",
    "stopped SparkContext",
    "SESSION_CLOSED",
    "SESSION_CHANGED",
    "session is closed",
    "on closed channel",
    "should be created first",
)


@contextmanager
def translate_errors(place: str | None = None) -> Iterator[None]:
    """Turn errors of Spark into sentences; other errors are left alone.

    Args:
        place: The name of what is read or written, if it may not exist.
    """
    try:
        yield
    except Exception as error:
        if not _is_spark_error(error):
            raise
        raise _describe_error(error, place) from error


def _is_spark_error(error: Exception) -> bool:
    libraries = {base.__module__.partition(".")[0] for base in type(error).__mro__}
    return not libraries.isdisjoint(_SPARK_LIBRARIES) or _is_stopped(error)


def _is_stopped(error: Exception) -> bool:
    """Return True if the error comes from a stopped session, even as an error of PySpark's own."""
    if isinstance(error, AssertionError) and not str(error):
        frames = [frame for frame, _ in walk_tb(error.__traceback__)]
        return str(frames[-1].f_globals.get("__name__")).startswith("pyspark.")
    return any(message in str(error) for message in _STOPPED_MESSAGES)


def _describe_error(error: Exception, place: str | None) -> SparkError:
    if _is_stopped(error):
        message = "spark: the session was stopped. Make another, and the DataFrames again."
        return SparkError(message, code="no-spark-session")
    text = f"{type(error).__name__}: {error}"
    for pattern, (code, sentence) in _KNOWN_ERRORS.items():
        if match := re.search(pattern, text):
            return SparkError(sentence.format(*match.groups(), python=sys.executable), code=code)
    if place is not None and re.search(_MISSING_ERRORS, text):
        return SparkError(describe_missing(place), code="cannot-read")
    if place is not None and re.search(_EXISTING_ERRORS, text):
        return SparkError(describe_existing(place), code="exists-already")
    return SparkError(f"{place or 'spark'}: {extract_reason(str(error))}.", code="spark-failed")


def describe_missing(place: str) -> str:
    """Return the sentence for a source that does not exist."""
    return f"{place}: there is no table and no path of that name that Spark can read."


def describe_existing(place: str) -> str:
    """Return the sentence for an output that exists already."""
    return f"{place}: is there already. Pass --mode overwrite or append, or another name."


_MISSING_ERRORS = r"TABLE_OR_VIEW_NOT_FOUND|PATH_NOT_FOUND|UNABLE_TO_INFER_SCHEMA"
_EXISTING_ERRORS = r"TABLE_OR_VIEW_ALREADY_EXISTS|PATH_ALREADY_EXISTS|LOCATION_ALREADY_EXISTS"


# The code and the sentence for a pattern of Spark's text, whose groups the sentence names.
_KNOWN_ERRORS = {
    r"PYTHON_VERSION_MISMATCH\D+(\d+\.\d+)\D+(\d+\.\d+)": (
        "spark-workers",
        "spark: the workers run Python {0}, and the driver {1}. Set PYSPARK_PYTHON to the same "
        "Python on both.",
    ),
    r"No module named '?gainful": (
        "spark-workers",
        "spark: gainful is not installed on the workers. Install its wheel there, or ship an "
        "environment that has it with --archives, for --py-files and addArtifacts cannot ship its "
        "native core; on this machine, set PYSPARK_PYTHON to {python}.",
    ),
    r"PySparkImportError.*PACKAGE_NOT_INSTALLED.* (\w+) >= \S+ must be installed": (
        "missing-package",
        "spark: {0} is not installed, or too old. Install it with: pip install 'gainful[spark]'",
    ),
    r"No module named '?(pyarrow|numpy)": (
        "spark-workers",
        "spark: {0} is not installed on the workers. Install it with gainful there, or ship an "
        "environment that has both with --archives; on this machine, set PYSPARK_PYTHON to "
        "{python}.",
    ),
    "JAVA_GATEWAY_EXITED": (
        "no-spark-session",
        "spark: Java could not start a session; what it printed says why. Spark 4 needs Java 17 or "
        "newer, or a Spark server: pip install 'gainful[spark-connect]'.",
    ),
    r'Cannot run program "([^"]+)"': (
        "spark-workers",
        "spark: the workers cannot start Python as {0!r}. Set PYSPARK_PYTHON to one that has "
        "gainful; on this machine, to {python}.",
    ),
    "must belong to the same SparkSession": (
        "no-spark-session",
        "spark: the qrels and the run are of two sessions. Make both with the same.",
    ),
    r"DATA_SOURCE_NOT_FOUND\] Failed to find the data source: (\S+)\. ": (
        "unknown-format",
        "format: Spark knows none that is called {0!r}. Pass trec, csv, tsv, json, parquet, orc, "
        "or one whose package the session has.",
    ),
}


def extract_reason(text: str) -> str:
    """Return the one line of a Spark error that says what is wrong.

    >>> extract_reason("An error occurred while calling o1.load.\\n: java.io.IOException: No disk")
    'No disk'
    >>> extract_reason("[NO_SUCH] It is not there. SQLSTATE: 42K03;\\n'Unresolved")
    'It is not there'
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    in_python = "Traceback (most recent call last)" in text
    errors = [line for line in lines if in_python and re.match(r"[\w.]+(Error|Exception)\b", line)]
    causes = [line for line in lines if line.startswith("Caused by: ")]
    causes = [line for line in causes if ": [" in line] or causes
    noise = "An error occurred while calling", "Traceback (most recent"
    first = [line for line in lines if not line.startswith(noise)][:1]
    (line,) = errors[-1:] or causes[-1:] or first or ["it failed without a word"]
    line = re.sub(r"^(Caused by: |: )", "", line)
    line = re.sub(r"^[\w.$]+(Exception|Error): ", "", line) if "." in line.split(": ")[0] else line
    line = re.sub(r"^\[[A-Z_.]+\] ", "", line)
    return re.sub(r"\s*SQLSTATE: \w+.*$", "", line).strip().rstrip(".")

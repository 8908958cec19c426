"""What polars raises, put into words: none of it reaches the user."""

from collections.abc import Iterator
from contextlib import contextmanager

from gainful.errors import SourceError


@contextmanager
def explained(kind: str, place: str) -> Iterator[None]:
    """Make an error of polars, or a panic, which is no Exception, one of ours.

    Args:
        kind: What was to be read.
        place: What errors call the source.
    """
    import polars as pl

    try:
        yield
    except BaseException as error:
        panicked = type(error).__name__ == "PanicException"
        ours = isinstance(error, SourceError)
        if ours or not (panicked or isinstance(error, pl.exceptions.PolarsError | OSError)):
            raise
        # What a panic says is of no use to anybody but the authors of polars.
        said = "its bytes are damaged" if panicked else str(error)
        reason = said.partition("\n")[0].rstrip(".")
        message = f"{place}: cannot be read as {kind} ({reason})."
        raise SourceError(message, code="broken-file") from error

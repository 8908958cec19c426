"""What is said where values are in a dialect: what it does not define, and what it refuses."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gainful.errors import AlignError, MeasureError
from gainful.measures import Measure
from gainful.notices import Notice
from gainful.ruled_notices import OutsideDialect

if TYPE_CHECKING:
    from gainful.dialects import Dialect


def undefined_in(dialect: "Dialect", asked: Iterable[Measure]) -> list[Notice]:
    """What is to be said about measures that the dialect does not define."""
    others = tuple(str(measure) for measure in asked if not dialect.defines(measure))
    return [OutsideDialect(dialect.name, dialect.tool, dialect.measures, others)] if others else []


@contextmanager
def refusing_in(dialect: "Dialect | None") -> Iterator[None]:
    """Name the dialect where its rules, which nobody has given, refuse something."""
    try:
        yield
    except (AlignError, MeasureError) as error:
        if dialect is None:
            raise
        message = f"dialect {dialect}: {error}"
        raise type(error)(message, code=error.code, query=error.query) from error

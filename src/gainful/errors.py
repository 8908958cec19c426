"""Every exception that Gainful raises on purpose.

GainfulError
  MeasureError             a measure, or one of its settings, does not exist or does not fit
  RuleError                the value of a rule is not one of those it takes
  SourceError              a file, mapping or array could not be read as qrels, run or labels
    PreferenceError        the preferences of a group contradict each other
  AlignError               qrels and run were read, but do not fit together
  OutputError              results cannot be written as they were asked for
  PackageError             a package that was asked for is not installed
  ComparisonError          runs cannot be compared as they were asked to be
  SliceError               no query has the value that a slice is asked for by
  SparkError              Spark is not there, or cannot do what it was asked to
  OutOfMemoryError         a file needs more memory than there is
"""

from typing import Any


class GainfulError(Exception):
    """Base class; the command line turns it into ``error: ... [code]`` and exit code 1.

    ``gainful help CODE`` says what brings it about and what to do, and so does the end of a
    traceback. ``str(error)`` is the sentence alone.

    Attributes:
        code: What kind of error it is, such as ``missing-column``: the word to look it up by. All
            that Gainful raises have one; it is empty where code of your own raises without.
        query: The query that it is about, if it is about one.
    """

    def __init__(self, *message: object, code: str = "", query: str = "") -> None:
        super().__init__(*message)
        self.code = code
        self.query = query
        if code:
            self.add_note(f"[{code}]: gainful help {code}")

    @property
    def line(self) -> str:
        """The sentence as it is printed, with its code."""
        return f"error: {self} [{self.code}]" if self.code else f"error: {self}"

    def __reduce__(self) -> tuple[Any, ...]:
        # Not as exceptions are copied otherwise: by their message alone.
        return _restore_error, (type(self), self.args, vars(self))


def _restore_error(
    kind: type[GainfulError], message: tuple[object, ...], attributes: dict[str, Any]
) -> GainfulError:
    error = kind(*message, code=attributes["code"])
    vars(error).update(attributes)
    return error


class MeasureError(GainfulError, ValueError):
    """A measure, or one of its settings, does not exist or does not fit."""


class RuleError(GainfulError, ValueError):
    """The value of a rule is not one of those it takes."""


class SourceError(GainfulError, ValueError):
    """A file, mapping or array could not be read as qrels, run or labels.

    Attributes:
        bad_input: What the native core found wrong, if it did: the arguments of its ``BadInput``.
    """

    bad_input: tuple[Any, ...] | None = None


class OutOfMemoryError(GainfulError, MemoryError):
    """A file needs more memory than there is."""


class PreferenceError(SourceError):
    """The preferences of a group contradict each other.

    Attributes:
        item: The item that is both relevant and not, if that is the contradiction.
        places: Where the items stand that are preferred to each other: the retrieved ones come
            first, from 0, in the order of the ranking.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str = "",
        query: str = "",
        item: str = "",
        places: tuple[int, ...] = (),
    ) -> None:
        super().__init__(message, code=code, query=query)
        self.item = item
        self.places = places


class AlignError(GainfulError, ValueError):
    """Qrels and run were read, but do not fit together."""


class OutputError(GainfulError, ValueError):
    """Results cannot be written as they were asked for."""


class PackageError(GainfulError, ImportError):
    """A package that was asked for is not installed."""


class ComparisonError(GainfulError, ValueError):
    """Runs cannot be compared as they were asked to be."""


class SliceError(GainfulError, KeyError):
    """No query has the value that a slice is asked for by."""

    __str__ = Exception.__str__  # not as KeyError does, which shows a sentence in quotes


class SparkError(GainfulError, RuntimeError):
    """Spark is not there, or cannot do what it was asked to."""

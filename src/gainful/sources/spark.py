"""DataFrames of Spark, which are evaluated where they are."""

from typing import Any

from gainful.errors import EngineError
from gainful.sources._format import Format, declare
from gainful.sources._wanted import Wanted


def _refused(_source: Any, *others: Any) -> Any:
    """The sentence for who wants the rows here, which is all but evaluate() and its kin."""
    (wanted,) = (one for one in others if isinstance(one, Wanted))
    message = (
        f"{wanted.place}: is a DataFrame of Spark, whose rows are not here; evaluate(), compare() "
        "and gate() take it. Collect it for anything else, with df.toArrow(), if it fits in memory."
    )
    raise EngineError(message, code="unread-by-spark")


for _holds in ("qrels", "run"):
    declare(
        Format(
            name="spark",
            holds=_holds,
            summary="A DataFrame of Spark: of a session on this machine, on a cluster, or of Spark "
            "Connect.",
            tables=_refused,
            feed=_refused,
            unit="row",
        )
    )

"""Notices about what rules, slices and weights did to rankings, values and reports."""

from gainful.base import format_count, format_examples
from gainful.diagnostics.notices import declare_notice


@declare_notice("unjudged-labeled", "info")
def UnjudgedLabeled(run: str, share: float, depth: int, label: float) -> str:
    return (
        f"run {run!r}: {share:.1%} of the items in the first {depth} ranks have "
        f"no judgment; they count as if their label were {label:g}."
    )


@declare_notice("unjudged-above", "warning")
def UnjudgedAbove(measure: str, queries: tuple[str, ...]) -> str:
    return (
        f"{measure} is undefined for "
        f"{format_count(len(queries), 'query', 'queries')} with an unjudged item above "
        f"the cutoff ({format_examples(queries)}); it leaves them out of its mean."
    )


@declare_notice("outside-dialect", "info")
def OutsideDialect(
    dialect: str, tool: str, supported: tuple[str, ...], measures: tuple[str, ...]
) -> str:
    are = "is our definition" if len(measures) == 1 else "are our definitions"
    return (
        f"dialect {dialect} is of {', '.join(supported)}; {', '.join(measures)} "
        f"{are} under its settings and rules, not checked against what {tool} reports."
    )


@declare_notice("own-items", "info")
def OwnItems(run: str, n_items: int) -> str:
    items = format_count(n_items, "item was", "items were")
    whose = "its query" if n_items == 1 else "their queries"
    return f"run {run!r}: {items} taken out of the rankings for having the id of {whose}."


@declare_notice("padding-items", "info")
def PaddingItems(n_items: int, rule: str) -> str:
    items = format_count(n_items, "judged item is", "judged items are")
    return f"the qrels: {items} padding={rule}, taken out of rankings and judgments."


@declare_notice("condensed-lists", "warning")
def CondensedLists(run: str, n_items: int | None) -> str:
    number = "items without a judgment were"
    if n_items is not None:
        number = format_count(
            n_items, "item without a judgment was", "items without a judgment were"
        )
    return (
        f"run {run!r}: {number} taken out of the rankings before they were cut and "
        "scored; such condensed lists overestimate runs of which little is judged."
    )


@declare_notice("collapsed-items", "info")
def CollapsedItems(run: str, n_items: int, n_whole: int, n_dropped: int) -> str:
    n_parts = n_items - n_whole
    dropped = format_count(n_dropped, "was", "were")
    return (
        f"run {run!r}: collapse takes {n_parts:,} of its {n_items:,} items for parts "
        f"of another; {dropped} dropped, a better part of the same item standing above."
    )


@declare_notice("row-order", "warning")
def RowOrder(run: str, rules: str) -> str:
    return (
        f"run {run!r}: {rules} looks at the order of rows, and a DataFrame has none "
        "of its own; they were taken as collect() returns them."
    )


@declare_notice("weighted-means", "info")
def WeightedMeans(by: str, lowest: float, highest: float) -> str:
    return (
        f"means are weighted by {by}, from {lowest:g} to {highest:g}; "
        "counts and numbers of whole runs are not."
    )


@declare_notice("unknown-queries", "warning")
def UnknownQueries(source: str, queries: tuple[str, ...]) -> str:
    were = "was" if len(queries) == 1 else "were"
    return (
        f"{source}: {format_count(len(queries), 'query', 'queries')} in it {were} "
        f"not evaluated ({format_examples(queries)}); left out."
    )


@declare_notice("no-known-query", "warning")
def NoKnownQuery(source: str, n_queries: int, first: str, first_evaluated: str, change: str) -> str:
    none = f"none of its {n_queries:,} queries was"
    none = "its query was not" if n_queries == 1 else none
    hint = f" Did you mean to {change}?" if change else ""
    return (
        f"{source}: {none} evaluated, so its attributes are unused; the first ids are "
        f"{first!r} (there) and {first_evaluated!r} (qrels).{hint}"
    )


@declare_notice("queries-without-value", "info")
def QueriesWithoutValue(source: str, column: str, queries: tuple[str, ...], n_queries: int) -> str:
    have, they = ("has", "it is") if len(queries) == 1 else ("have", "they are")
    return (
        f"{source}: {len(queries):,} of {n_queries:,} queries {have} no "
        f"{column!r} ({format_examples(queries)}); {they} a slice apart."
    )


@declare_notice("many-slices", "warning")
def ManySlices(column: str, n_slices: int, n_queries: int) -> str:
    return (
        f"{column!r} has {n_slices:,} values for {n_queries:,} queries: most "
        "slices are too small to say anything. Put values together, such as numbers that "
        "are near each other."
    )


@declare_notice("one-slice", "info")
def OneSlice(column: str, value: str | None, n_queries: int, n_all: int) -> str:
    which = f"whose {column!r} is {value!r}"
    if value is None:
        which = f"that have no {column!r}"
    return (
        f"these are the {n_queries:,} of {n_all:,} queries {which}; other notes are "
        "about all of them."
    )


@declare_notice("whole-run-only", "info")
def WholeRunOnly(measures: tuple[str, ...]) -> str:
    are = "is a number" if len(measures) == 1 else "are numbers"
    return (
        f"{', '.join(measures)} {are} of the whole run, and slices have none. "
        "Evaluate the queries of a slice alone to get it."
    )


@declare_notice("untitled-items", "info")
def UntitledItems(source: str, items: tuple[str, ...], n_shown: int) -> str:
    have = "has" if len(items) == 1 else "have"
    return (
        f"{source}: {len(items):,} of the {n_shown:,} items shown {have} "
        f"neither title nor url ({format_examples(items)})."
    )


@declare_notice("explained-instead", "info")
def ExplainedInstead(measure: str, explained: str) -> str:
    return (
        f"{measure} has no terms to show for every rank; rankings are explained by "
        f"{explained} in its place."
    )


@declare_notice("unweighted-report", "warning")
def UnweightedReport(measure: str, means: tuple[str, ...]) -> str:
    return (
        "intervals and differences count every query alike, and so do the means beside them; "
        f"weighted means of {measure} are {', '.join(means)}."
    )


@declare_notice("unsliced-columns", "info")
def UnslicedColumns(source: str, columns: tuple[str, ...], most: int) -> str:
    makes = "makes" if len(columns) == 1 else "make"
    return (
        f"{source}: {format_examples(columns)} {makes} no slices: one value for all "
        f"queries, or more than {most} that are no numbers."
    )


@declare_notice("rare-values", "info")
def RareValues(column: str, n_values: int, n_apart: int) -> str:
    return (
        f"{column!r} has {n_values:,} values; the {n_apart} that most queries "
        "have are slices, and all others are one."
    )

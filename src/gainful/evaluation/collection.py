"""Collection: judgments and runs, opened once and joined once, for any number of questions."""

import copy
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Self, TypeVar

from gainful.alignment import (
    JUDGMENT_TYPES,
    KEEP_SAMPLE,
    ItemRankings,
    Joined,
    JudgedRankings,
    Rankings,
    Rules,
    join,
    read_judgments_for,
    select_reading_rules,
)
from gainful.base import InputFile, Progress, ReadOptions, hold_file
from gainful.errors import ComparisonError, RuleError
from gainful.evaluation.arguments import (
    DEFAULT_MEASURES,
    Measures,
    Weights,
    resolve_dialect,
    resolve_measures,
    resolve_rules,
)
from gainful.evaluation.partition import AnyPart, align_part, list_kinds
from gainful.measures import Measure
from gainful.sources import (
    GroupedJudgments,
    ItemData,
    Judgments,
    PreferenceJudgments,
    Run,
    Source,
    is_path,
    is_spark,
    name_runs,
    read_item_data,
)

if TYPE_CHECKING:
    from gainful.dialects import Dialect
    from gainful.evaluation.scores import Scores

Qrels = Source | Judgments | GroupedJudgments | PreferenceJudgments
Runs = Iterable[Source | Run] | Mapping[str, Source | Run]


# Where items are kept for further questions, they are kept down to this rank at least: few more
# items cost little, and a question that looks deeper would join the run again.
_LEAST_DEPTH = 50

# Systems limit how many files may be open: of more, those that were not used for longest are
# closed, and opened again when they are needed.
_MOST_OPEN = 64

K = TypeVar("K")
T = TypeVar("T")


def _memoize(memo: dict[K, T], key: K, compute: Callable[[], T]) -> T:
    """Return what was computed before; else compute and remember it."""
    if key not in memo:
        memo[key] = compute()
    return memo[key]


class _OpenFiles:
    """Files that are opened once each, unless there are many, and closed with this object."""

    def __init__(self) -> None:
        self._files: dict[str, InputFile] = {}
        self._tables: dict[int, tuple[Any, Any]] = {}  # with the stream, whose id stays its own

    def read_stream(self, source: Any) -> Any:
        """Return the rows of what can be read once: of a table without a length, or an iterator."""
        if id(source) not in self._tables:
            if hasattr(source, "__arrow_c_stream__"):
                import polars as pl

                self._tables[id(source)] = source, pl.DataFrame(source)
            else:
                self._tables[id(source)] = source, list(source)
        return self._tables[id(source)][1]

    def open(self, source: Any) -> Any:
        """Return the open file at a path; return any other source as it is."""
        if not is_path(source) or isinstance(source, InputFile):
            return source
        path = os.fspath(source)
        file = self._files.pop(path, None)
        if file is None or file.is_closed:
            file = hold_file(path, before=file)
        self._files[path] = file  # the last that was asked for is the last of all
        for other in [*self._files.values()][:-_MOST_OPEN]:
            if other.can_reopen:
                other.close()
        return file

    def close(self, source: Any = None) -> None:
        """Close the file at a path, if it is open; all of them if no path is given."""
        for path in [*self._files] if source is None else [os.fspath(source)]:
            if path in self._files:
                self._files.pop(path).close()

    def __del__(self) -> None:
        self.close()


class Collection:
    """Judgments, runs and rules: each file is opened once, and each run joined once.

    Every function that takes ``qrels`` and runs takes a collection in place of ``qrels``, and then
    the names of its runs, or none for all of them. The rules, the items and the queries are those
    of the collection. Files are read when a question needs them, and stay open until the collection
    is closed or no longer in use.

    Attributes:
        qrels: The judgments, as they were passed.
        runs: The runs, each under its own name.
        items: The item data, as they were passed.
        queries: The query data, as they were passed.
        rules: How runs are joined, ranked and averaged.
        dialect: Whose definition of the measures holds; None for our own.
        keeps_joins: Whether runs stay joined, and their files open, once they are evaluated.
        read_options: How files are read.

    >>> runs = {"old": {"q1": ["b", "a"]}, "new": {"q1": ["a", "b"]}}
    >>> collection = Collection({"q1": {"a": 1}}, runs)
    >>> {name: scores.mean() for name, scores in collection.evaluate("nDCG@10, RR").items()}
    {'old': {'nDCG@10': 0.6309297535714575, 'RR': 0.5}, 'new': {'nDCG@10': 1.0, 'RR': 1.0}}
    """

    def __init__(
        self,
        qrels: Qrels,
        runs: Runs = (),
        *,
        items: object = None,
        queries: object = None,
        rules: Rules | None = None,
        dialect: "str | Dialect | None" = None,
        threads: int | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Name the data of a collection; nothing is read yet.

        Args:
            qrels: As for ``evaluate``.
            runs: One run as a path, several in a list, or ``{name: run}``.
            items: As for ``evaluate``.
            queries: As for ``evaluate``.
            rules: As for ``evaluate``.
            dialect: As for ``evaluate``.
            threads: As for ``evaluate``.
            progress: As for ``evaluate``.

        Raises:
            ComparisonError: The runs are not a list or ``{name: run}``.
            RuleError: The dialect is unknown, or both ``dialect`` and ``rules`` are given.
        """
        self.qrels = qrels
        self.runs = tuple(name_runs(runs))
        self.items, self.queries = items, queries
        self.dialect = resolve_dialect(dialect, rules)
        self.rules = resolve_rules(rules, qrels) if self.dialect is None else self.dialect.rules
        self.read_options = ReadOptions(threads, progress)
        self.keeps_joins = True
        self._files = _OpenFiles()
        self._judgments: dict[tuple[object, ...], Any] = {}
        self._joins: dict[str, dict[tuple[Rules, int], Joined]] = {}
        self._items: dict[tuple[str, ...] | None, ItemData] = {}
        self._depth = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Collection of {', '.join(run.name for run in self.runs) or 'no runs'}>"

    def close(self) -> None:
        """Close all files, and forget what was read of them."""
        for memo in (self._judgments, self._joins, self._items):
            memo.clear()
        self._files.close()

    @property
    def is_on_spark(self) -> bool:
        """True if some rows are those of a Spark DataFrame."""
        return any(map(is_spark, (self.qrels, *(run.source for run in self.runs))))

    def select(self, runs: object) -> "Collection":
        """Return the collection with some of its runs, by name; what was read is shared.

        >>> Collection({}, {"old": {}, "new": {}}).select("new")
        <Collection of new>
        """
        if runs is None:
            return self
        names = [runs] if isinstance(runs, str | Run) or not isinstance(runs, Iterable) else [*runs]
        selection = copy.copy(self)
        selection.runs = tuple(map(self._find_run, names))
        return selection

    def _find_run(self, name: object) -> Run:
        for run in self.runs:
            if name is run or name == run.name:
                return run
        names = ", ".join(run.name for run in self.runs)
        message = f"run: must be the name of a run of the collection ({names}), got {name!r:.60}."
        raise ComparisonError(message, code="unknown-run")

    def require_one_run(self, caller: str) -> Run:
        """Return the run, or raise an error if there is not exactly one."""
        if len(self.runs) != 1:
            names = ", ".join(run.name for run in self.runs)
            message = f"{caller}: takes one run, got {names or 'none'}. Name one of the collection."
            raise ComparisonError(message, code="unknown-run")
        return self.runs[0]

    def resolve(self, measures: Measures) -> dict[Measure, Measure]:
        """Parse measures, and map each to what is computed: its definition in the dialect.

        >>> Collection({}, dialect="burges").resolve("nDCG@10")
        {nDCG@10: nDCG(gain=exp2)@10}
        """
        return resolve_measures(measures, self.dialect)

    def refuse_dialect(self, caller: str) -> None:
        """Raise an error if the collection has a dialect, of which the caller makes nothing."""
        if self.dialect is not None:
            message = (
                f"{caller}: takes no dialect, got a collection of dialect {self.dialect}. "
                "Pass one with rules=..., and settings with the measures: nDCG(gain=exp2)@10."
            )
            raise RuleError(message, code="conflicting-rules")

    @staticmethod
    def refuse_options(**options: object) -> None:
        """Raise an error if an option is set, of which a collection has its own."""
        for name, value in options.items():
            if value is not None:
                message = (
                    f"{name}: a collection has its own, got {value!r:.60}. "
                    f"Pass {name} to Collection(...)."
                )
                raise ComparisonError(message, code="wrong-type")

    def evaluate(
        self, measures: Measures = DEFAULT_MEASURES, *, weights: Weights | None = None
    ) -> "dict[str, Scores]":
        """Compute the values of measures for every run, by the name of the run.

        Args:
            measures: As for ``gainful.evaluate``.
            weights: As for ``gainful.evaluate``.

        Returns:
            The scores of every run.

        Raises:
            GainfulError: As for ``gainful.evaluate``.
        """
        from gainful.evaluation.evaluate import evaluate_runs  # imports this

        scores = evaluate_runs(self, None, measures, weights=weights)
        return {run.name: of_run for run, of_run in zip(self.runs, scores, strict=True)}

    def open_file(self, source: Any) -> Any:
        """Return the open file at a path, and the rows of a stream; else the source as it is."""
        if is_path(source) or is_spark(source) or not self.keeps_joins:
            return self._files.open(source)
        from gainful.sources import is_single_pass  # files do not need it

        is_stream = is_single_pass(source) or isinstance(source, Iterator)
        return self._files.read_stream(source) if is_stream else source

    def read_judgments(
        self,
        kind: type[Rankings] = JudgedRankings,
        rules: Rules | None = None,
        *,
        measure: str = "nDCG",
    ) -> Any:
        """Read the judgments that a kind of rankings is made of, once for each way of reading them.

        Args:
            kind: The kind of rankings.
            rules: The rules that say which of two labels of an item counts; its own if not given.
            measure: The measure that reads the rankings, for errors.
        """
        rules = rules or self.rules

        def read() -> Any:
            qrels = self.open_file(self.qrels)
            return read_judgments_for(kind, qrels, rules, self.read_options, measure=measure)

        key = JUDGMENT_TYPES[kind].judgments, rules.duplicates, rules.collapse
        return _memoize(self._judgments, key, read)

    def read_items(self, roles: tuple[str, ...] | None = None) -> ItemData:
        """Read what is known of items, once: all of it, or some roles, such as titles."""
        if self.items is None:
            return ItemData()
        if roles not in self._items:
            self._items[roles] = read_item_data(self.open_file(self.items), {}, roles)
        return self._items[roles]

    def keep_top(self, depth: int) -> None:
        """Keep at least so many first items of every query when a run is joined."""
        self._depth = max(self._depth, depth)

    def join(
        self, run: Run, rules: Rules | None = None, *, depth: int = 0, query: str | None = None
    ) -> Joined:
        """Join a run and the judgments, once for all rules that read it alike.

        Args:
            run: A run of the collection.
            rules: The rules; its own if not given.
            depth: How many first items of every query are needed at least.
            query: A query all of whose items are needed.
        """
        rules = rules or self.rules
        # Other rules may refuse a run that these accept: they must not decide how it is read.
        reading_rules = select_reading_rules(rules)
        depth = max(depth, self._depth)
        if depth and self.keeps_joins:
            depth = max(depth, _LEAST_DEPTH)
        joins = self._joins.setdefault(run.name, {})
        usable = [(r, kept) for r, kept in joins if r == reading_rules and kept >= depth]
        key = next(iter(usable), (reading_rules, depth))
        if query is not None:
            return self._join(run, *key, query).under(rules)
        return _memoize(joins, key, partial(self._join, run, *key)).under(rules)

    def _join(self, run: Run, rules: Rules, depth: int, query: str | None = None) -> Joined:
        judgments, run = self.read_judgments(rules=rules), self.open_run(run)
        keep: dict[str, Any] = {"keep_top": depth} if depth else dict(KEEP_SAMPLE)
        if query is not None:
            keep["keep_query"] = judgments.queries.index(query)
        return join(judgments, run, rules, self.read_options, **keep)

    def open_run(self, run: Run) -> Run:
        """Return the run with its file open, if it is in a file."""
        return replace(run, source=self.open_file(run.source))

    def align(self, run: Run, resolved: Mapping[Measure, Measure]) -> dict[type[Rankings], AnyPart]:
        """Join and rank a run for measures: one part for every kind of rankings they read."""
        judgments = {
            kind: self.read_judgments(kind, measure=measure)
            for kind, measure in list_kinds(resolved.values()).items()
        }
        if not self._items:
            self.read_items()  # whether or not a measure reads them: what is wrong there is said
        return align_part(
            judgments,
            self.open_run(run),
            resolved,
            self.read_items() if ItemRankings in judgments else ItemData(),
            self.rules,
            self.read_options,
            lambda _judgments, run, *_, keep_top, keep_top_queries=None: self.join(
                run, depth=0 if keep_top_queries else keep_top
            ),
        )

    def release(self, run: Run) -> None:
        """Close the file of a run, and forget how it was joined."""
        self._joins.pop(run.name, None)
        if is_path(run.source):
            self._files.close(run.source)


@contextmanager
def open_collection(
    qrels: Qrels | Collection,
    runs: Any = None,
    *,
    items: object = None,
    queries: object = None,
    rules: Rules | None = None,
    dialect: "str | Dialect | None" = None,
    threads: int | None = None,
    progress: Progress | None = None,
    keep_joins: bool = True,
) -> Iterator[Collection]:
    """Yield the collection that was passed as ``qrels``, or one that is closed at the end.

    Of a collection, ``runs`` are the names of some runs; all of them if not given. ``keep_joins``
    is whether runs will be asked about again once they are evaluated.
    """
    options = {"items": items, "queries": queries, "rules": rules, "dialect": dialect}
    options |= {"threads": threads, "progress": progress}
    if not isinstance(qrels, Collection):
        with Collection(qrels, () if runs is None else runs, **options) as collection:  # type: ignore[arg-type]
            collection.keeps_joins = keep_joins
            yield collection
        return
    qrels.refuse_options(**options)
    yield qrels.select(runs)

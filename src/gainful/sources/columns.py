"""Columns of a table: their roles, the names people use for them, and headers."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from gainful.base import format_repr
from gainful.errors import SourceError
from gainful.sources.formats import ReadSpec


@dataclass(frozen=True, eq=False)
class Columns:
    """Qrels (query, item, label; subtopic) or a run (query, item, score or rank), a row an item.

    Preferences have a group and a subgroup; their labels are levels.

    The columns are lists or arrays of equal length; rows of a query need not stand together.

    >>> import gainful
    >>> qrels = Columns(query=["q1", "q1"], item=["d1", "d2"], label=[2, 1])
    >>> run = Columns(query=["q1", "q1"], item=["d2", "d1"], score=[0.9, 0.8])
    >>> gainful.evaluate(qrels, run, "nDCG")["nDCG"]
    0.8597186998521972
    """

    query: Sequence[Any]
    item: Sequence[Any]
    label: Sequence[float] | None = None
    subtopic: Sequence[Any] | None = None
    score: Sequence[float] | None = None
    rank: Sequence[int] | None = None
    group: Sequence[Any] | None = None
    subgroup: Sequence[Any] | None = None

    def __repr__(self) -> str:
        return f"<Columns of {len(self.query):,} rows>"

    def __post_init__(self) -> None:
        lengths = {n: len(c) for n, c in vars(self).items() if c is not None}
        if len(set(lengths.values())) > 1:
            listing = ", ".join(f"{name} {length}" for name, length in lengths.items())
            message = f"columns: must have the same length, got {listing}."
            raise SourceError(message, code="unequal-lengths")


_MAX_FOLDED_NAME = 200  # characters of a name that may be one of these

# What columns are called, the likeliest first. Ids come before what may be texts: a frame with
# "qid" and "query" has the words of the query in the latter. Only letters and digits are compared.
KNOWN_NAMES = {
    "query": (
        "query_id", "qid", "q_id", "topic_id", "question_id", "user_id", "uid", "customer_id",
        "visitor_id", "session_id", "request_id", "search_id", "srch_id", "impression_id",
        "sample_id", "example_id", "trace_id", "group_id", "query", "topic", "question", "user",
        "customer", "session", "group",
    ),
    "item": (
        # (PyTerrier has numbers of its own in "docid".)
        "docno", "item_id", "doc_id", "docid", "document_id", "corpus_id", "passage_id", "pid",
        "chunk_id", "node_id", "product_id", "sku", "asin", "article_id", "movie_id", "book_id",
        "song_id", "track_id", "video_id", "paper_id", "iid", "did", "item", "doc", "document",
        "passage", "product", "movie", "chunk", "url",
    ),
    "label": (
        "label", "relevance", "rel", "grade", "judgment", "judgement", "rating", "gain", "y_true",
        "target", "relevant", "is_relevant", "click", "clicked", "score",
    ),
    "score": (
        "score", "similarity", "sim", "prediction", "pred", "y_pred", "y_score", "yhat", "logit",
        "retrieval_score", "relevance_score", "rerank_score", "rrf_score", "bm25", "cosine",
        "cosine_similarity", "probability", "prob",
    ),
    "rank": ("rank", "position", "pos"),
    "group": (
        "subtopic", "subtopic_id", "intent", "intent_id", "aspect", "facet", "nugget", "judge",
        "assessor", "annotator", "group", "group_id",
    ),
    "subgroup": ("subgroup", "subgroup_id"),
    "title": (
        "title", "name", "headline", "heading", "subject", "text", "description", "body",
        "contents", "content",
    ),
    "url": ("url", "link", "uri", "href", "permalink"),
    "popularity": ("popularity", "n_interactions", "interactions", "frequency", "count"),
}  # fmt: skip
ROLES = ("query", "item", "label", "score", "rank")  # of qrels and runs
# Of judgments in groups, in tables that have them; a level is the label of preferences.
GROUP_ROLES = ("group", "subgroup")
LEVELS = (*KNOWN_NAMES["label"], "level")
DISTANCES = ("distance", "dist")  # that people have in the place of scores: the lower is better
NUMBER = {"qrels": "label", "run": "score"}


class ColumnNumbers(NamedTuple):
    """The numbers of the columns, from 0; None for those that are not there or not wanted."""

    query: int
    item: int
    number: int | None
    rank: int | None


def find_columns(names: Sequence[str], spec: ReadSpec) -> ColumnNumbers:
    """Return the columns of qrels or of a run, among those that a table has."""
    if unknown := [role for role in spec.columns if role not in ROLES]:
        message = f"columns: must name one of {', '.join(ROLES)}, got {unknown[0]!r}."
        raise SourceError(message, code="bad-columns")
    query, item = (_require_column(names, role, spec) for role in ("query", "item"))
    number = _find_column(names, NUMBER[spec.holds], spec)
    rank = _find_column(names, "rank", spec) if spec.holds == "run" else None
    if spec.holds == "qrels" and number is None and len(names) > len((query, item)):
        number = _require_column(names, "label", spec)
    if spec.holds == "run" and rank is None:
        spec.check_no_ranks()
    roles = {"query": query, "item": item, NUMBER[spec.holds]: number, "rank": rank}
    for role, column in roles.items():
        is_read = role != "rank" or number is None or spec.ranks_for is not None
        if column is not None and is_read:
            _check_single(names, role, column, spec)
    return ColumnNumbers(query, item, number, rank)


def _check_single(names: Sequence[str], role: str, column: int, spec: ReadSpec) -> None:
    count = list(names).count(names[column])
    if count > 1 and not spec.columns.get(role, "").isdigit():
        message = (
            f"{spec.place}: {names[column]!r} is the name of {count} "
            f"columns. Give the number of the {role}, from 1: --columns {role}={column + 1}."
        )
        raise SourceError(message, code="repeated-column")


def make_missing_scores_error(names: Sequence[str], spec: ReadSpec) -> SourceError | None:
    """Return the error for a run that has distances or labels instead of scores."""
    column = find_first(names, DISTANCES)
    if column is None:
        return _make_labels_error(names, spec)
    return SourceError(
        f"{spec.place}: has no score, but the column {names[column]!r}, and a lower distance is "
        "better. Negate it and call it score, or pass --order file if the rows are in order.",
        code="missing-column",
    )


def _make_labels_error(names: Sequence[str], spec: ReadSpec) -> SourceError | None:
    aliases = [alias for alias in KNOWN_NAMES["label"] if alias not in KNOWN_NAMES["score"]]
    column = find_first(names, aliases)
    if column is None:
        return None
    return SourceError(
        f"{spec.place}: has no score, but the column {names[column]!r}. This looks like qrels, "
        "which come first. If it does hold scores, name it with --columns score=NAME.",
        code="looks-swapped",
    )


def name_columns(names: Sequence[str], spec: ReadSpec) -> dict[str, int]:
    """Return the columns to read from a table, by their role, else by their name."""
    query, item, number, rank = find_columns(names, spec)
    roles = {"query": query, "item": item, NUMBER[spec.holds]: number, "rank": rank}
    columns = {role: column for role, column in roles.items() if column is not None}
    remaining = (i for i in range(len(names)) if i not in list(columns.values()))
    for column in list(remaining) if spec.all_columns else ():
        columns[_make_unused_name(names[column], columns)] = column
    return columns


def _make_unused_name(name: str, used_names: Mapping[str, int]) -> str:
    return name if name not in used_names else _make_unused_name(f"{name}_", used_names)


def has_id_columns(names: Sequence[str]) -> bool:
    """Return whether queries and items are among the columns, by the names people use."""
    return all(find_role(names, role) is not None for role in ("query", "item"))


def find_role(names: Sequence[str], role: str, extra_names: Sequence[str] = ()) -> int | None:
    """Return the column with a name that people use for a role, or with one of ``extra_names``.

    >>> find_role(["docno", "query", "qid"], "query")
    2
    """
    return find_first(names, (*KNOWN_NAMES[role], *extra_names))


def find_first(names: Sequence[str], aliases: Sequence[str]) -> int | None:
    """Return the column with the first of some names that any column has.

    >>> find_first(["Name", "Link"], ["url", "link"])
    1
    """
    return next(iter(find_all(names, aliases)), None)


def find_all(names: Sequence[str], aliases: Sequence[str]) -> list[int]:
    """Return the columns with any of some names, in the order of the names.

    >>> find_all(["Text", "id", "Title"], ["title", "text"])
    [2, 0]
    """
    plain = [_fold_name(name) for name in names]
    return [plain.index(_fold_name(alias)) for alias in aliases if _fold_name(alias) in plain]


def has_any_name(names: Sequence[str], aliases: Iterable[str]) -> bool:
    """Return whether a column has one of some names.

    >>> has_any_name(["Query-ID", "Rel"], ["rel", "grade"])
    True
    """
    return not {_fold_name(name) for name in aliases}.isdisjoint(_fold_name(name) for name in names)


def _find_column(names: Sequence[str], role: str, spec: ReadSpec) -> int | None:
    column = spec.columns.get(role)
    if column is None:
        return find_role(names, role)
    if column in names:
        return list(names).index(column)
    if column.isdigit() and 1 <= int(column) <= len(names):
        return int(column) - 1
    message = f"{spec.place}: has no column {column!r}; there are {_list_names(names)}."
    raise SourceError(message, code="missing-column")


def _require_column(names: Sequence[str], role: str, spec: ReadSpec) -> int:
    column = _find_column(names, role, spec)
    if column is None:
        message = (
            f"{spec.place}: no column is known as the {role}; there are {_list_names(names)}. "
            f"Name it with --columns {spec.holds}.{role}=NAME, or columns={{{role!r}: NAME}} in "
            "Python."
        )
        raise SourceError(message, code="missing-column")
    return column


# A table about queries may name their users too: what says query comes first. And the id of a
# table about one thing is often called so and no more.
_PREFERRED_IDS = {"query": ("query_id", "qid", "q_id", "topic_id", "query", "topic"), "item": ()}
_GENERIC_IDS = ("id",)


def find_id_column(names: Sequence[str], subject: str) -> str | None:
    """Return the column of the ids of queries or items in a table about them.

    >>> find_id_column(["user_id", "query"], "query"), find_id_column(["_id", "title"], "item")
    ('query', '_id')
    """
    number = find_first(names, (*_PREFERRED_IDS[subject], *KNOWN_NAMES[subject], *_GENERIC_IDS))
    return None if number is None else names[number]


def require_id_column(
    names: Sequence[str], subject: str, place: str, columns: Mapping[str, Any]
) -> str:
    """Return the column of the ids, which may have no name; raise an error if there is none."""
    name = columns.get(subject, "" if names[0] == "" else find_id_column(names, subject))
    if name in names:
        return str(name)
    message = f"{place}: has no column {name!r}; there are {_list_names(names)}."
    if name is None:
        plural = {"query": "queries", "item": "items"}[subject]
        message = (
            f"{place}: no column is known as the {subject}; there are {_list_names(names)}. Call "
            f"one of them {subject}, or pass columns={{{subject!r}: NAME}} to read_{plural}()."
        )
    raise SourceError(message, code="missing-column")


def _list_names(names: Sequence[str]) -> str:
    text = ", ".join(map(repr, names[:12]))
    return f"{text}, ..." if len(names) > 12 else text or "none"


def _fold_name(name: str) -> str:
    return _strip_joiners(name) if len(name) <= _MAX_FOLDED_NAME else name


@lru_cache(1024)  # called again for every object of a file
def _strip_joiners(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())


SEPARATORS = "\t,;|"


def is_number(text: str | bytes) -> bool:
    """Return whether a field can be read as a number.

    >>> is_number("1e-3"), is_number("one")
    (True, False)
    """
    try:
        float(text)
    except ValueError:
        return False
    return True


def to_id(value: object, source: str = "qrels") -> str:
    """Return an id as text; bytes are decoded so that they can be encoded again."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, str):
        return value
    if is_uuid(value):
        return str(value)
    if isinstance(value, bool | float) or not hasattr(value, "__index__"):
        text = format_repr(value)
        message = f"{source}: an id must be a string, an integer, bytes or a UUID, got {text}."
        raise SourceError(message, code="bad-id")
    return str(int(value))


def is_uuid(value: object) -> bool:
    """Return whether it is a ``uuid.UUID``."""
    # An object of this type exists only if the module was imported.
    module = sys.modules.get("uuid")
    return module is not None and isinstance(value, module.UUID)

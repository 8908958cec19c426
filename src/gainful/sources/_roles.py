"""Which columns of a table are which: by the names the user gives, else by those people use."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from gainful.errors import SourceError
from gainful.sources._wanted import Wanted

_LONGEST = 200  # characters of a name that may be one of these

# What columns are called, the likeliest first. Ids come before what may be texts: a frame with
# "qid" and "query" has the words of the query in the latter. Only letters and digits are compared.
ALIASES = {
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
GROUPS = ("group", "subgroup")
LEVELS = (*ALIASES["label"], "level")
DISTANCES = ("distance", "dist")  # that people have in the place of scores: the lower is better
NUMBER = {"qrels": "label", "run": "score"}


class Chosen(NamedTuple):
    """The numbers of the columns, from 0; None for those that are not there or not wanted."""

    query: int
    item: int
    number: int | None
    rank: int | None


def chosen(names: Sequence[str], wanted: Wanted) -> Chosen:
    """The columns of qrels or of a run, among those that a table has."""
    if unknown := [role for role in wanted.columns if role not in ROLES]:
        message = f"columns: must name one of {', '.join(ROLES)}, got {unknown[0]!r}."
        raise SourceError(message, code="bad-columns")
    query, item = (_required(names, role, wanted) for role in ("query", "item"))
    number = _found(names, NUMBER[wanted.holds], wanted)
    rank = _found(names, "rank", wanted) if wanted.holds == "run" else None
    if wanted.holds == "qrels" and number is None and len(names) > len((query, item)):
        number = _required(names, "label", wanted)
    if wanted.holds == "run" and rank is None:
        wanted.check_no_ranks()
    roles = {"query": query, "item": item, NUMBER[wanted.holds]: number, "rank": rank}
    for role, at in roles.items():
        is_read = role != "rank" or number is None or wanted.ranks_for is not None
        if at is not None and is_read:
            _check_single(names, role, at, wanted)
    return Chosen(query, item, number, rank)


def _check_single(names: Sequence[str], role: str, at: int, wanted: Wanted) -> None:
    count = list(names).count(names[at])
    if count > 1 and not wanted.columns.get(role, "").isdigit():
        message = (
            f"{wanted.place}: {names[at]!r} is the name of {count} "
            f"columns. Give the number of the {role}, from 1: --columns {role}={at + 1}."
        )
        raise SourceError(message, code="repeated-column")


def no_scores(names: Sequence[str], wanted: Wanted) -> SourceError | None:
    """What to say of a run without scores that has distances or labels in their place."""
    at = first_of(names, DISTANCES)
    if at is None:
        return _labels_instead(names, wanted)
    return SourceError(
        f"{wanted.place}: has no score, but the column {names[at]!r}, and a lower distance is "
        "better. Negate it and call it score, or pass --order file if the rows are in order.",
        code="missing-column",
    )


def _labels_instead(names: Sequence[str], wanted: Wanted) -> SourceError | None:
    at = first_of(names, [alias for alias in ALIASES["label"] if alias not in ALIASES["score"]])
    if at is None:
        return None
    return SourceError(
        f"{wanted.place}: has no score, but the column {names[at]!r}. This looks like qrels, which "
        "come first. If it does hold scores, name it with --columns score=NAME.",
        code="looks-swapped",
    )


def columns_of(names: Sequence[str], wanted: Wanted) -> dict[str, int]:
    """The columns that are wanted of a table, by their role, or else by their name."""
    query, item, number, rank = chosen(names, wanted)
    roles = {"query": query, "item": item, NUMBER[wanted.holds]: number, "rank": rank}
    found = {role: at for role, at in roles.items() if at is not None}
    others = (i for i in range(len(names)) if i not in list(found.values()))
    for at in list(others) if wanted.whole else ():
        found[_free(names[at], found)] = at
    return found


def _free(name: str, taken: Mapping[str, int]) -> str:
    return name if name not in taken else _free(f"{name}_", taken)


def holds_all(names: Sequence[str]) -> bool:
    """Whether queries and items are among the columns, by the names people use."""
    return all(named(names, role) is not None for role in ("query", "item"))


def named(names: Sequence[str], role: str, also: Sequence[str] = ()) -> int | None:
    """The column that bears a name people use for a role; ``also`` are further names.

    >>> named(["docno", "query", "qid"], "query")
    2
    """
    return first_of(names, (*ALIASES[role], *also))


def first_of(names: Sequence[str], aliases: Sequence[str]) -> int | None:
    """The column that bears the first of some names that any column bears.

    >>> first_of(["Name", "Link"], ["url", "link"])
    1
    """
    return next(iter(all_of(names, aliases)), None)


def all_of(names: Sequence[str], aliases: Sequence[str]) -> list[int]:
    """The columns that bear any of some names, in the order of these.

    >>> all_of(["Text", "id", "Title"], ["title", "text"])
    [2, 0]
    """
    plain = [_plain(name) for name in names]
    return [plain.index(_plain(alias)) for alias in aliases if _plain(alias) in plain]


def has_any(names: Sequence[str], known: Iterable[str]) -> bool:
    """Whether a column bears one of the known names.

    >>> has_any(["Query-ID", "Rel"], ["rel", "grade"])
    True
    """
    return not {_plain(name) for name in known}.isdisjoint(_plain(name) for name in names)


def _found(names: Sequence[str], role: str, wanted: Wanted) -> int | None:
    given = wanted.columns.get(role)
    if given is None:
        return named(names, role)
    if given in names:
        return list(names).index(given)
    if given.isdigit() and 1 <= int(given) <= len(names):
        return int(given) - 1
    message = f"{wanted.place}: has no column {given!r}; there are {_listed(names)}."
    raise SourceError(message, code="missing-column")


def _required(names: Sequence[str], role: str, wanted: Wanted) -> int:
    found = _found(names, role, wanted)
    if found is None:
        message = (
            f"{wanted.place}: no column is known as the {role}; there are {_listed(names)}. "
            f"Name it with --columns {wanted.holds}.{role}=NAME, or columns={{{role!r}: NAME}} in "
            "Python."
        )
        raise SourceError(message, code="missing-column")
    return found


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(map(repr, names[:12]))
    return f"{shown}, ..." if len(names) > 12 else shown or "none"


def _plain(name: str) -> str:
    return _letters(name) if len(name) <= _LONGEST else name


@lru_cache(1024)  # asked again for every object of a file
def _letters(name: str) -> str:
    return "".join(character for character in name.lower() if character.isalnum())

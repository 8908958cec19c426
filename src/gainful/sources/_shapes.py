"""What dicts and lists within each other look like, and what their keys are called."""

from collections.abc import Mapping, Set
from typing import Any

from gainful.sources._roles import named
from gainful.sources._wanted import Wanted

# What the items of a query stand under, in an object of one query; the likeliest first. One that
# holds both qrels and a run has different names for them.
HOLDERS = {
    "qrels": (
        "relevant_items", "relevant_docs", "relevant_documents", "relevant_ids", "relevant",
        "qrels", "judgments", "judgements", "ground_truth", "positives", "expected", "gold",
        "items", "docs", "documents", "passages", "item_ids", "doc_ids",
    ),
    "run": (
        "recommend_result", "recommendations", "recommended", "recommended_items", "results",
        "retrieved", "retrieved_docs", "retrieved_documents", "retrieved_items", "retrieved_ids",
        "hits", "ranking", "ranked", "predictions", "predicted", "run", "items", "docs",
        "documents", "passages", "candidates", "contexts", "ctxs", "chunks", "context_ids",
        "source_nodes", "nodes", "item_ids", "doc_ids",
    ),
}  # fmt: skip
# What else they stand under begins so: gold_doc_ids, retrieved_chunks.
BEGINNINGS = {
    "qrels": ("relevant", "gold", "expected", "groundtruth", "reference"),
    "run": ("retriev", "recommend", "ranked", "predicted"),
}
# What numbers beside a list of items stand under.
BESIDE = {
    "qrels": ("labels", "relevances", "relevance", "grades", "ratings", "gains"),
    "run": ("scores", "similarities"),
}
# Objects of which one alone is known by such a name.
RECOMMENDER = ("recommend_result", "relevant_items")
# In an object of one query, and in one of an item within it, an id may be called just that.
ID = ("id",)
_MOST_KEYS = 100  # an object with more is one of queries or items
_SCALARS = {float, int, str, bool, type(None)}  # looked up: most objects hold nothing else


class Repeated:
    """An object of JSON in which a key stands twice, as pairs.

    Attributes:
        pairs: Key and value, as often as they stand there.
    """

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.pairs = pairs

    @classmethod
    def or_dict(cls, pairs: list[tuple[str, Any]]) -> "dict[str, Any] | Repeated":
        """An object of JSON: a dict, but where it would lose some pairs."""
        held = dict(pairs)
        return held if len(held) == len(pairs) else cls(pairs)

    @property
    def twice(self) -> str:
        """The first key that stands there again."""
        keys = [key for key, _ in self.pairs]
        return next(key for i, key in enumerate(keys) if key in keys[:i])

    def items(self) -> list[tuple[str, Any]]:
        """Key and value, as often as they stand there."""
        return self.pairs

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {value!r}" for key, value in self.pairs) + "}"


def is_columnar(value: Any, wanted: Wanted | None = None) -> bool:
    """Whether it is an object of columns: of lists, two of which are known as ids."""
    return _has_roles(value, wanted) and all(map(is_column, value.values()))


def is_row(value: Any, wanted: Wanted | None = None) -> bool:
    """Whether it is one row, of which two fields are known as ids."""
    return _has_roles(value, wanted) and not any(map(is_container, value.values()))


def _has_roles(value: Any, wanted: Wanted | None) -> bool:
    """Whether two keys of an object are known as query and item."""
    if not isinstance(value, Mapping) or len(value) > _MOST_KEYS:
        return False
    names = [key for key in value if isinstance(key, str)]
    given = {} if wanted is None else wanted.columns
    query, item = (_column(names, role, given.get(role)) for role in ("query", "item"))
    return len(names) == len(value) and query is not None and item is not None and query != item


def _column(names: list[str], role: str, given: str | None) -> int | None:
    return names.index(given) if given in names else named(names, role)


def is_of_one_query(value: Any, holds: str) -> bool:
    """Whether it is an object that holds the items of one query, and perhaps its id."""
    key = holder(value, holds)
    if key is None or key in RECOMMENDER:
        return key is not None
    fields = {name: held for name, held in value.items() if isinstance(name, str)}
    place = named(list(fields), "query", ID)
    return place is not None and not is_container(list(fields.values())[place])


def holder(value: Any, holds: str, wanted: Wanted | None = None) -> str | None:
    """The key under which an object holds the items of its query."""
    if len(value) > _MOST_KEYS:
        return None
    keys = {
        key: held
        for key, held in value.items()
        if type(held) not in _SCALARS and isinstance(key, str) and is_container(held)
    }
    if not keys:
        return None
    given = None if wanted is None else wanted.columns.get("item")
    if given in keys:
        return given
    plain = {"".join(filter(str.isalnum, key.lower())): key for key in keys}
    found = [plain.get(name.replace("_", "")) for name in HOLDERS[holds]]
    found += [key for name, key in plain.items() if name.startswith(BEGINNINGS[holds])]
    return next((key for key in found if key is not None), None)


def is_container(value: Any) -> bool:
    """Whether it holds other values."""
    return isinstance(value, Mapping | Repeated | Set) or is_column(value)


def is_column(value: Any) -> bool:
    """Whether it is a list of values."""
    return isinstance(value, list | tuple) or (
        hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1
    )

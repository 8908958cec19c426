"""Recognize how dicts and lists are nested."""

from collections.abc import Mapping, Set
from typing import Any

from gainful.sources.columns import find_role
from gainful.sources.read_spec import ReadSpec

# What the items of a query stand under, in an object of one query; the likeliest first. One that
# holds both qrels and a run has different names for them.
ITEM_KEYS = {
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
ITEM_KEY_PREFIXES = {
    "qrels": ("relevant", "gold", "expected", "groundtruth", "reference"),
    "run": ("retriev", "recommend", "ranked", "predicted"),
}
# What numbers beside a list of items stand under.
NUMBER_KEYS = {
    "qrels": ("labels", "relevances", "relevance", "grades", "ratings", "gains"),
    "run": ("scores", "similarities"),
}
# Objects of which one alone is known by such a name.
RECOMMENDER = ("recommend_result", "relevant_items")
# In an object of one query, and in one of an item within it, an id may be called just that.
ID_NAMES = ("id",)
_MAX_KEYS = 100  # an object with more is one of queries or items
_SCALARS = {float, int, str, bool, type(None)}  # looked up: most objects hold nothing else


class RepeatedKeys:
    """An object of JSON in which a key stands twice, as pairs.

    Attributes:
        pairs: Key and value, as often as they stand there.
    """

    def __init__(self, pairs: list[tuple[str, Any]]) -> None:
        self.pairs = pairs

    @classmethod
    def make_object(cls, pairs: list[tuple[str, Any]]) -> "dict[str, Any] | RepeatedKeys":
        """Return an object of JSON: a dict, unless a dict would lose pairs."""
        content = dict(pairs)
        return content if len(content) == len(pairs) else cls(pairs)

    @property
    def repeated_key(self) -> str:
        """The first key that stands there again."""
        keys = [key for key, _ in self.pairs]
        return next(key for i, key in enumerate(keys) if key in keys[:i])

    def items(self) -> list[tuple[str, Any]]:
        """Return key and value pairs, repeated keys included."""
        return self.pairs

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return "{" + ", ".join(f"{key!r}: {value!r}" for key, value in self.pairs) + "}"


def is_columnar(value: Any, spec: ReadSpec | None = None) -> bool:
    """Return whether it is an object of columns: of lists, two of which are known as ids."""
    return _has_roles(value, spec) and all(map(is_column, value.values()))


def is_row(value: Any, spec: ReadSpec | None = None) -> bool:
    """Return whether it is one row, of which two fields are known as ids."""
    return _has_roles(value, spec) and not any(map(is_container, value.values()))


def _has_roles(value: object, spec: ReadSpec | None) -> bool:
    """Return whether two keys of an object are known as query and item."""
    if not isinstance(value, Mapping) or len(value) > _MAX_KEYS:
        return False
    names = [key for key in value if isinstance(key, str)]
    user_names = {} if spec is None else spec.columns
    query, item = (_find_column(names, role, user_names.get(role)) for role in ("query", "item"))
    return len(names) == len(value) and query is not None and item is not None and query != item


def _find_column(names: list[str], role: str, source: str | None) -> int | None:
    return names.index(source) if source in names else find_role(names, role)


def is_single_query(value: Any, holds: str) -> bool:
    """Return whether it is an object that holds the items of one query, and perhaps its id."""
    key = find_items_key(value, holds)
    if key is None or key in RECOMMENDER:
        return key is not None
    fields = {name: content for name, content in value.items() if isinstance(name, str)}
    place = find_role(list(fields), "query", ID_NAMES)
    return place is not None and not is_container(list(fields.values())[place])


def find_items_key(value: Any, holds: str, spec: ReadSpec | None = None) -> str | None:
    """Return the key under which an object holds the items of its query."""
    if len(value) > _MAX_KEYS:
        return None
    keys = {
        key: content
        for key, content in value.items()
        if type(content) not in _SCALARS and isinstance(key, str) and is_container(content)
    }
    if not keys:
        return None
    column = None if spec is None else spec.columns.get("item")
    if column in keys:
        return column
    plain = {"".join(filter(str.isalnum, key.lower())): key for key in keys}
    candidates = [plain.get(name.replace("_", "")) for name in ITEM_KEYS[holds]]
    candidates += [key for name, key in plain.items() if name.startswith(ITEM_KEY_PREFIXES[holds])]
    return next((key for key in candidates if key is not None), None)


def is_container(value: object) -> bool:
    """Return whether it holds other values."""
    return isinstance(value, Mapping | RepeatedKeys | Set) or is_column(value)


def is_column(value: object) -> bool:
    """Return whether it is a list of values."""
    return isinstance(value, list | tuple) or (
        hasattr(value, "tolist") and getattr(value, "ndim", 0) == 1
    )

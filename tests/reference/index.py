"""The judgments of each query, one label for each item."""

from dataclasses import dataclass

from reference.parse import BadInput, Judgment


@dataclass(frozen=True)
class Index:
    """All labels, {query: {item: label}}, in the order of first mention."""

    labels: dict[bytes, dict[bytes, float]]
    n_duplicates: int

    def pool(self, query: bytes) -> list[float]:
        """The labels of one query, descending."""
        return sorted(self.labels[query].values(), reverse=True)


def index(judged: list[Judgment], duplicates: str) -> Index:
    """The judgments, with one label for each item by the rule for duplicates."""
    labels: dict[bytes, dict[bytes, float]] = {}
    n_duplicates = 0
    for query, item, label, line in judged:
        query_labels = labels.setdefault(query, {})
        if item not in query_labels:
            query_labels[item] = label
            continue
        n_duplicates += 1
        first = query_labels[item]
        if duplicates == "error":
            raise BadInput(
                "judged-twice", line=line, query=query, item=item, first=first, second=label
            )
        query_labels[item] = {"last": label, "max": max(first, label)}.get(duplicates, first)
    return Index(labels, n_duplicates)

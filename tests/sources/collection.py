"""One small collection in many shapes, and an array that only DLPack can read."""

import json
from collections import namedtuple
from dataclasses import dataclass
from types import SimpleNamespace

# Ids are numbers, so that arrays and matrices can hold them too.
LABELS = {"0": {"0": 2, "1": 0, "2": 1}, "1": {"0": 0, "1": 3, "2": 0}}
SCORES = {"0": {"0": 0.1, "1": 0.1, "2": 1 / 3}, "1": {"0": 2e-7, "1": 2.5, "2": 2.5}}
Qrel = namedtuple("Qrel", "query_id doc_id relevance iteration", defaults=["0"])
ScoredDoc = namedtuple("ScoredDoc", "query_id doc_id score")


@dataclass
class Hit:
    """A row as programs have it."""

    qid: str
    docno: str
    label: int = 0
    score: float = 0.0


class Slotted:
    """A row that has slots."""

    __slots__ = ("docno", "label", "qid", "score")

    def __init__(self, qid, docno, number):
        self.qid, self.docno, self.label, self.score = qid, docno, number, number


def rows(table):
    """Query, item and number of every entry."""
    return [(q, i, n) for q, entries in table.items() for i, n in entries.items()]


def as_json(table, number):
    """The shapes that JSON files have, by name; ``number`` is what numbers are called."""
    lists = {q: [[i, n] for i, n in entries.items()] for q, entries in table.items()}
    objects = {q: [{"doc_id": i, number: n} for i, n in e] for q, e in lists.items()}
    holder = {"score": "results", "relevance": "relevant"}[number]
    whole = {
        "a dict of dicts": table,
        "pairs": lists,
        "objects by query": objects,
        "rows": [{"query-id": q, "corpus-id": i, number: n} for q, i, n in rows(table)],
        "rows with integers": [
            {"qid": int(q), "iid": int(i), number: n} for q, i, n in rows(table)
        ],
        "objects of queries": [{"query_id": q, holder: objects[q]} for q in table],
        "objects with dicts": [{"id": q, holder: table[q]} for q in table],
        "objects within a dict": {q: {holder: objects[q]} for q in table},
        "lists side by side": [
            {"qid": q, "doc_ids": list(e), {"score": "scores"}.get(number, "labels"): [*e.values()]}
            for q, e in table.items()
        ],
        "columns": dict(
            zip(
                ["query_id", "doc_id", number],
                map(list, zip(*rows(table), strict=True)),
                strict=True,
            )
        ),
        "recommender": [
            {"user_id": q, "recommend_result": [*SCORES[q].items()], "relevant_items": LABELS[q]}
            for q in table
        ],
    }
    texts = {name: json.dumps(value, indent=1) for name, value in whole.items()}
    for name in ("objects of queries", "recommender", "rows"):
        texts[f"{name}, one a line"] = "\n".join(map(json.dumps, whole[name])) + "\n\n"
    texts["a dict, one query a line"] = "\n".join(json.dumps({q: table[q]}) for q in table)
    texts["a mark of the byte order"] = "\ufeff" + texts["rows"]
    return whole, texts


def as_rows(table):
    """The rows that programs have, by name."""
    entries = rows(table)
    return {
        "tuples": entries,
        "lists": [list(row) for row in entries],
        "named tuples of qrels": [Qrel(*row) for row in entries],
        "named tuples of runs": [ScoredDoc(*row) for row in entries],
        "dataclasses": [Hit(q, i, n, n) for q, i, n in entries],
        "objects": [SimpleNamespace(topic=q, document_id=i, score=n) for q, i, n in entries],
        "slots": [Slotted(*row) for row in entries],
        "dicts": [{"query": int(q), "item": i.encode(), "score": n} for q, i, n in entries],
        "an iterator": lambda: iter(entries),
        "a generator of named tuples": lambda: (ScoredDoc(*row) for row in entries),
    }


class Tensor:
    """What speaks DLPack and nothing else."""

    def __init__(self, array, device=None):
        self.array, self.device, self.shape = array, device, array.shape

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.device or self.array.__dlpack_device__()

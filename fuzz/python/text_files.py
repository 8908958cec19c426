"""Files of text: every format by its name, by its ending and by its content."""

from given import Input, file_of, read_both

ENDINGS = ("", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".qrels", ".run", ".letor")
QRELS = (None, "trec", "csv", "tsv", "beir", "json", "jsonl", "letor")
RUNS = (None, "trec", "csv", "tsv", "msmarco", "json", "jsonl", "predictions")


def one(data: bytes) -> None:
    given = Input(data)
    path = given.choice(ENDINGS)
    qrels, run, strict = given.choice(QRELS), given.choice(RUNS), given.byte() % 2 == 0
    read_both(file_of(given.rest, path), qrels, run, strict)

"""Files of text: every format by its name, by its ending and by its content."""

from target_inputs import Input, read_qrels_and_run, write_file

ENDINGS = ("", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".qrels", ".run", ".letor")
QRELS = (None, "trec", "csv", "tsv", "beir", "json", "jsonl", "letor")
RUNS = (None, "trec", "csv", "tsv", "msmarco", "json", "jsonl", "predictions")


def check_input(data: bytes) -> None:
    source = Input(data)
    ending = source.choose(ENDINGS)
    qrels, run, strict = source.choose(QRELS), source.choose(RUNS), source.take_byte() % 2 == 0
    read_qrels_and_run(write_file(source.rest, ending), qrels, run, strict)

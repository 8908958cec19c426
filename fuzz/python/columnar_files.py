"""Parquet and Arrow files: whole ones with any columns, and damaged ones."""

from target_inputs import Input, read_qrels_and_run, write_file

ENDINGS = ("", ".parquet", ".arrow", ".feather", ".ipc")
QRELS = (None, "parquet", "arrow")


def check_input(data: bytes) -> None:
    source = Input(data)
    ending, form = source.choose(ENDINGS), source.choose(QRELS)
    read_qrels_and_run(write_file(source.rest, ending), form, form)

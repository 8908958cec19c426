"""Parquet and Arrow files: whole ones with any columns, and damaged ones."""

from given import Input, file_of, read_both

ENDINGS = ("", ".parquet", ".arrow", ".feather", ".ipc")
QRELS = (None, "parquet", "arrow")


def one(data: bytes) -> None:
    given = Input(data)
    ending, form = given.choice(ENDINGS), given.choice(QRELS)
    read_both(file_of(given.rest, ending), form, form)

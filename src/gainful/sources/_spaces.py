"""White space between fields, made one space."""

import re

_WHITE = bytes.maketrans(b"\t\v\f\r", b"    ")


def single_spaces(text: bytes) -> bytes:
    """The same lines with one space between fields, and none before or after them.

    >>> single_spaces(b"  q1\\t 0  d1 1 \\r\\nq2 0 d2 1")
    b'q1 0 d1 1\\nq2 0 d2 1'
    """
    text = text.translate(_WHITE)
    if b"  " in text:
        text = re.sub(rb" {2,}", b" ", text)
    if b"\n " in text:
        text = text.replace(b"\n ", b"\n")
    if b" \n" in text:
        text = text.replace(b" \n", b"\n")
    return text.removeprefix(b" ").removesuffix(b" ")

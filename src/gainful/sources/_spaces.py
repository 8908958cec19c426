"""White space between fields, made one space."""

import re

import numpy as np

_WHITE = bytes.maketrans(b"\t\v\f\r", b"    ")


def single_spaces(text: bytes) -> bytes:
    """The same lines with one space between fields, and none before or after them.

    >>> single_spaces(b"  q1\\t 0  d1 1 \\r\\nq2 0 d2 1")
    b'q1 0 d1 1\\nq2 0 d2 1'
    """
    text = text.translate(_WHITE)
    if _has_more(text):
        text = re.sub(rb" {2,}", b" ", text)
        text = text.replace(b"\n ", b"\n").replace(b" \n", b"\n")
    return text.removeprefix(b" ").removesuffix(b" ")


def _has_more(text: bytes) -> bool:
    """Whether a space stands beside another, or beside the end of a line."""
    codes = np.frombuffer(text, dtype=np.uint8)
    space = codes == ord(" ")
    white = space | (codes == ord("\n"))
    return bool(((space[1:] & white[:-1]) | (white[1:] & space[:-1])).any())

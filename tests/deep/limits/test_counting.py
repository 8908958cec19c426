"""More than can be numbered is refused; nobody has it at hand, so the sentences alone are tried."""

import pytest

from gainful.base import _native
from gainful.sources.native_errors import explain_bad_input


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        ("many-rows", "has more rows of one query than can be numbered, 4,294,967,294."),
        ("many-ids", "has more ids than can be numbered, 4,294,967,294."),
    ],
)
def test_more_than_32_bits_can_number_is_a_sentence(reason, said):
    error = _native.BadInput(reason, 0, 0, b"", b"", b"", 0.0, 0.0)
    assert str(explain_bad_input(error, "huge.txt", unit="line")) == f"huge.txt: {said}"

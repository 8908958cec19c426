"""The pages of ``gainful help``."""

import pytest

from gainful.diagnostics.codes import CODES
from gainful.report.views.reference import describe_code


@pytest.mark.parametrize("width", [40, 80, 200])
def test_pages_keep_to_the_width(width):
    for code in CODES.values():
        lines = describe_code(code, width).splitlines()
        assert all(len(line) <= width or " " not in line.strip() for line in lines)

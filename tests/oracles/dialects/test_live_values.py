"""Check that ``live_values.json`` agrees with the libraries of ``make test-dialects``."""

import pytest

from dialects.heavy import oracles
from dialects.heavy.libraries import LIBRARIES, Library
from gainful.dialects import find_dialect
from gainful.report.views.dialects import read_live_values

DECLARED = {library.package.partition("=")[0]: library for library in LIBRARIES}


def test_rows_are_those_of_libraries_that_are_compared():
    names = [row.library for row in read_live_values()]
    assert names == sorted(set(names) & set(DECLARED), key=str.lower)


@pytest.mark.parametrize("row", read_live_values(), ids=lambda row: row.library)
def test_every_value_is_matched_or_has_a_reason(row):
    library = DECLARED[row.library]
    assert row.dialects == list(dict.fromkeys(library.dialects.values()))
    assert row.total == 300 * len(library.cutoffs) * len(library.dialects)
    assert row.matched + sum(row.unmatched.values()) == row.total
    assert set(row.unmatched) <= {library.tie_reason}


@pytest.mark.parametrize("library", LIBRARIES, ids=lambda library: library.name)
def test_every_library_has_a_function_that_asks_it_and_dialects_that_there_are(library: Library):
    assert callable(getattr(oracles, library.name))
    assert all(find_dialect(name).name == name for name in library.dialects.values())
    assert bool(library.tie_reason) == (library.max_tied_items < 60)

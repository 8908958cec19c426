"""Every notice has a severity and a code, and is a value."""

import copy
import pickle
from dataclasses import FrozenInstanceError

import pytest

from gainful.diagnostics.notices import SEVERITIES, CommentLines, Notice


def test_every_notice_has_a_severity_and_a_code_of_its_own():
    kinds = Notice.__subclasses__()
    assert {kind.severity for kind in kinds} == set(SEVERITIES)
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert all("severity" in vars(kind) for kind in kinds)


def test_a_notice_takes_all_of_its_fields_and_no_more():
    assert CommentLines(source="run", n_lines=1) == CommentLines("run", 1)
    with pytest.raises(TypeError, match="must be given source, n_lines"):
        CommentLines("run")
    with pytest.raises(TypeError, match="must be given source, n_lines"):
        CommentLines("run", n_lines=1, other=2)


def test_notices_are_values():
    notice = CommentLines("run", 1)
    assert {notice, CommentLines("run", 1)} == {notice} != {CommentLines("run", 2)}
    assert repr(notice) == "CommentLines(source='run', n_lines=1)"
    assert copy.deepcopy(notice) == pickle.loads(pickle.dumps(notice)) == notice
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'n_lines'"):
        notice.n_lines = 2

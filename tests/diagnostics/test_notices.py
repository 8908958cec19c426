"""Every notice has a severity and a code."""

from gainful.diagnostics.notices import SEVERITIES, Notice


def test_every_notice_has_a_severity_and_a_code_of_its_own():
    kinds = Notice.__subclasses__()
    assert {kind.severity for kind in kinds} == set(SEVERITIES)
    assert len({kind.code for kind in kinds}) == len(kinds)
    assert all("severity" in vars(kind) for kind in kinds)

"""Dialects in groups of equal value."""

import math
from collections.abc import Iterable

from gainful.dialects import Dialect
from gainful.translation.result import Attribution, Group, Rosetta, tolerance


def grouped(attributions: Iterable[Attribution], reference: Attribution) -> tuple[Group, ...]:
    """Groups of equal value, the highest first; then one for each reason to have no value.

    Values are equal if they are as close to the highest of their group as rounding puts them.
    """
    each = list(attributions)
    valued = [one for one in each if not math.isnan(one.value)]
    found: list[list[Attribution]] = []
    for one in sorted(valued, key=lambda member: -member.value):
        if found and found[-1][0].value - one.value <= tolerance(one.value):
            found[-1].append(one)
        else:
            found.append([one])
    reasons = dict.fromkeys(one.refusal for one in each if math.isnan(one.value))
    found += [[one for one in each if one.refusal == reason] for reason in reasons]
    return tuple(_group(members, each, reference) for members in found)


def older_versions(groups: Iterable[Group], reference: Dialect) -> tuple[str, ...]:
    """Versions of tools that give another value than the newest; the reference is none of them."""
    place = {member.dialect: i for i, group in enumerate(groups) for member in group.members}
    newest = {one.stem: one for one in sorted(place, key=lambda dialect: dialect.version)}
    older = [one for one in place if place[one] != place[newest[one.stem]]]
    return tuple(one.name for one in older if one is not reference)


def shown_groups(found: Rosetta) -> tuple[Group, ...]:
    """The groups without the versions that tables do not show."""
    each = found.attributions
    shown = (one for name, one in each.items() if name not in found.older)
    return grouped(shown, each[found.reference.name])


def _group(members: list[Attribution], each: list[Attribution], reference: Attribution) -> Group:
    own = tuple(one for one in each if one in members)  # in the order in which they are declared
    group = Group(own, math.nan, math.nan, reference in own)
    value = reference.value if group.has_reference else group.simplest.value
    return Group(own, value, value - reference.value, group.has_reference)

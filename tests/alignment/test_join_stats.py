"""Statistics of parts of the queries, added up."""

from gainful.alignment.join_stats import (
    ZERO,
    Count,
    GroupStats,
    Ids,
    JoinStats,
    RunRow,
    add_stats,
)


def test_the_first_of_what_parts_saw_is_the_lowest():
    row_counts = Count(3, RunRow(7, "q2", "b")), ZERO, Count(1, RunRow(2, "q1", "z"))
    assert add_stats(JoinStats(rows=rows) for rows in row_counts).rows == Count(
        4, RunRow(2, "q1", "z")
    )
    assert add_stats([JoinStats(), JoinStats()]).rows == ZERO


def test_facts_of_many_parts_add_up_in_one_go():
    parts = [JoinStats(missing=tuple(f"q{100 * n + i}" for i in range(100))) for n in range(1000)]
    assert len(add_stats(parts).missing) == 100_000


def test_items_that_parts_share_are_there_once():
    total = add_stats([make_group_stats("b", "a"), make_group_stats("c", "a")])
    assert total.groups == ("a", "b", "c")


def make_group_stats(*names):

    return GroupStats(JoinStats(), (), 0, Ids(names), 0, ZERO, 0, 0)

"""A cached property is computed once and holds no lock meanwhile."""

import threading

from gainful.base import cached_property


class Slow:
    """An object whose value takes as long as another thread needs for that of another object."""

    def __init__(self, barrier):
        self.barrier = barrier
        self.calls = 0

    @cached_property
    def value(self):
        self.calls += 1
        self.barrier.wait(timeout=60)
        return 7


def test_a_value_is_computed_once_and_kept_in_the_object():
    slow = Slow(threading.Barrier(1))
    assert (slow.value, slow.value, slow.calls, vars(slow)["value"]) == (7, 7, 1, 7)


def test_two_objects_are_computed_at_once():
    barrier = threading.Barrier(2)
    objects = [Slow(barrier), Slow(barrier)]
    threads = [threading.Thread(target=lambda slow=slow: slow.value) for slow in objects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [vars(slow)["value"] for slow in objects] == [7, 7]

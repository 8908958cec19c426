"""Measures that many threads read from text at once."""

from concurrent.futures import ThreadPoolExecutor

import gainful


def test_measures_with_settings_are_parsed_by_many_threads_at_once():
    texts = [
        f"nDCG(gain={{1: 1, 2: {n}}}, discount=jk({2 + n % 3}))@{1 + n % 9}" for n in range(40)
    ]
    expected = [str(gainful.parse_measure(text)) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        for _ in range(40):
            assert list(pool.map(lambda text: str(gainful.parse_measure(text)), texts)) == expected

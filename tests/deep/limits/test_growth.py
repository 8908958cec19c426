"""Inputs on which something quadratic would take minutes: that they end is what is asserted."""

import pytest

from limits.bounded_processes import python

_EVALUATE = """
import sys
import gainful
n = int(sys.argv[1])
judged, ranked = f"{sys.argv[2]}/qrels.txt", f"{sys.argv[2]}/run.txt"
"""
_RUNS = {
    "all scores of a query are tied": (
        1_000_000,
        "qrels = (f'q 0 d{i} 1' for i in range(n))\n"
        "run = (f'q Q0 d{i * 7919 % n} 1 1 x' for i in range(n))\n",
    ),
    "one item is retrieved again and again": (
        1_000_000,
        "qrels = ['q 0 d 1']\nrun = (f'q Q0 d 1 {i} x' for i in range(n))\n",
    ),
    "every item is retrieved twice": (
        1_000_000,
        "qrels = ['q 0 d1 1']\nrun = (f'q Q0 d{i % (n // 2)} 1 {i} x' for i in range(n))\n",
    ),
    "one item is judged again and again": (
        1_000_000,
        "qrels = ['q 0 d 1'] * n\nrun = ['q Q0 d 1 1 x']\n",
    ),
    "every query has one row": (
        1_000_000,
        "qrels = (f'q{i} 0 d 1' for i in range(n))\nrun = (f'q{i} Q0 d 1 1 x' for i in range(n))\n",
    ),
    "no line stands beside one of its query": (
        1_000_000,
        "qrels = (f'q{i % 1000} 0 d{i} 1' for i in range(n))\n"
        "run = (f'q{i % 1000} Q0 d{i} 1 1 x' for i in range(n))\n",
    ),
    "nearly no query of the run is judged": (
        1_000_000,
        "qrels = (f'q{i} 0 d 1' for i in range(n))\n"
        'run = (f\'{"q" if i == 5 else "s"}{i} Q0 d 1 1 x\' for i in range(n))\n',
    ),
    "ids share a long beginning": (
        300_000,
        "qrels = (f'q 0 {\"d\" * 200}{i} 1' for i in range(n))\n"
        "run = (f'q Q0 {\"d\" * 200}{i} 1 1 x' for i in range(n))\n",
    ),
}
_WRITTEN = """
open(judged, "w").writelines(f"{line}\\n" for line in qrels)
open(ranked, "w").writelines(f"{line}\\n" for line in run)
rules = gainful.Rules(duplicates="max")
print(gainful.evaluate(judged, ranked, ["AP", "nDCG@10"], rules=rules).mean()["AP"])
print(gainful.check(judged, ranked))
"""


@pytest.mark.parametrize("name", _RUNS)
def test_evaluating_and_checking_grows_with_the_input_where(tmp_path, name):
    size, made = _RUNS[name]
    assert python(_EVALUATE + made + _WRITTEN, size, tmp_path)


_FILES = {
    "qrels.letor": "'1 qid:1 1:1 ' + '#' * n",
    "features.letor": "'1 qid:1 ' + '1:1 ' * (n // 4)",
    "fields.txt": "'q 0 d 1' + ' x' * (n // 2)",
    "digits.txt": "'q 0 d 0.' + '1' * n",
    "comments.txt": "'#\\n' * (n // 2) + 'q 0 d 1'",
    "row.csv": "'query,item,label\\nq,d,1' + ',' * n",
    "quotes.csv": "'query,item,label\\nq,\"' + '\"\"' * 60_000 + '\",1'",
    "keys.json": "'{\"q\":{' + ','.join(f'\"d{i}\":1' for i in range(n // 20)) + '}}'",
    # Whole numbers hash to themselves in Python, modulo this prime.
    "numbers.json": "str([{'query': i * (2**61 - 1), 'items': [1]} for i in range(60_000)])"
    ".replace(\"'\", '\"')",
    "repeated.json": "'{\"q\":{' + ','.join('\"d\":1' for i in range(n // 20)) + '}}'",
}


@pytest.mark.parametrize("name", _FILES)
def test_reading_grows_with_the_length_of_a_line(tmp_path, name):
    code = (
        "import sys, gainful\n"
        f"n = 8_000_000\nopen(sys.argv[1], 'w').write({_FILES[name]} + '\\n')\n"
        "try:\n    gainful.read_qrels(sys.argv[1], duplicates='max')\n"
        "except gainful.SourceError as error:\n    print(error)\n"
        "print('ended')\n"
    )
    assert python(code, tmp_path / name).endswith("ended\n")

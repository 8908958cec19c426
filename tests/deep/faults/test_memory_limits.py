"""Limits on memory and threads: the right value or one sentence, and never a crash."""

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gainful
from faults.command import MAIN, Result, is_one_sentence, needs_linux, run_without_codes
from gainful.base.limits import count_cores

pytestmark = needs_linux
SET_LIMIT = """
import os, resource
os.environ["OPENBLAS_NUM_THREADS"] = "1"
os.environ["POLARS_MAX_THREADS"] = "2"
import gainful.cli.eval
field = {{"AS": "VmSize", "DATA": "VmData"}}["{kind}"]
status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
limit = int(status[field].split()[0]) * 1024 + {megabytes} * 2**20
resource.setrlimit(resource.RLIMIT_{kind}, (limit, limit))
"""
TABLES = ["large.csv", "large.jsonl", "large.parquet"]
POLARS_MEGABYTES = (
    100,
    150,
    200,
    250,
    300,
    1000,
    1300,
    1800,
    4000,
)  # around the megabytes that polars takes
SENTENCE = (
    "there is not enough memory to read it. Free some, or pass --threads 1, threads=1 in Python."
)
POLARS_ERROR = (
    "error: {}: there is not enough memory to read it. polars takes [0-9,]+ MB, and ulimit -[vd] "
    r"leaves [0-9,]+\. Raise that limit, or set POLARS_MAX_THREADS=1\.\n"
)
OTHER_ERROR = (
    "error: there is not enough memory for this. Pass fewer runs or measures at once, or "
    "--threads 1.\n"
)


@pytest.fixture
def packed(large):
    text = (large / "large.run").read_bytes()
    (large / "large.run.gz").write_bytes(gzip.compress(text, 1))
    nested = {}
    for line in text.decode().splitlines():
        query, _, item, _, score, _ = line.split()
        nested.setdefault(query, {})[item] = float(score)
    (large / "large.json").write_text(json.dumps(nested))
    for name in TABLES:
        gainful.convert("large.run", name)
    return large


@pytest.mark.parametrize("kind", ["AS", "DATA"])
@pytest.mark.parametrize("run", ["large.run", "large.run.gz", "large.json", *TABLES])
def test_a_limit_gives_the_number_or_a_sentence_that_names_the_file(packed, kind, run):
    arguments = ("eval", "large.txt", run, "-m", "nDCG@10", "--threads", "3")
    expected = run_without_codes(*arguments).out
    codes = set()
    for megabytes in (0, 2, 6, 15, 25, 35, 50, 400, *(POLARS_MEGABYTES if run in TABLES else ())):
        setup = SET_LIMIT.format(kind=kind, megabytes=megabytes)
        out, err, code = run_without_codes(*arguments, setup=setup)
        codes.add(code)
        if code:
            errors = {f"error: {name}: {SENTENCE}\n" for name in ("large.txt", run)}
            assert err in errors | {OTHER_ERROR} or re.fullmatch(POLARS_ERROR.format(run), err)
            assert (out, code) == ("", 1)
        else:
            assert out == expected
    assert codes == {0, 1}


@pytest.mark.parametrize("target", ["new.parquet", "new.csv"])
def test_a_limit_lets_convert_write_all_or_nothing(packed, target):
    expected_run = gainful.read_run("large.run")
    for megabytes in (0, 100, 200, 300, 400, 600):
        setup = "import gainful.cli.convert" + SET_LIMIT.format(kind="DATA", megabytes=megabytes)
        out, err, code = run_without_codes("convert", "large.run", target, setup=setup)
        if code:
            assert (out, code) == ("", 1)
            assert is_one_sentence(err), err
            assert not Path(target).exists()
        else:
            values = [
                gainful.evaluate("large.txt", run, "nDCG@10") for run in (expected_run, target)
            ]
            assert values[0].mean() == values[1].mean()
            Path(target).unlink()
    assert code == 0


def test_polars_has_as_many_threads_as_its_variable_says_if_that_is_a_number(packed):
    arguments = ("eval", "large.txt", "large.csv", "-m", "nDCG@10")
    for threads, megabytes in (("64", 250 + 6 * 64), ("many", 250 + 6 * count_cores())):
        limited = SET_LIMIT.replace('"2"', repr(threads)).format(
            kind="DATA", megabytes=megabytes - 4
        )
        _, err, code = run_without_codes(*arguments, setup=limited)
        assert (code, f"polars takes {megabytes:,} MB, and ulimit -d leaves" in err) == (1, True)


def test_a_gate_without_memory_has_not_decided(packed):
    setup = "import gainful.cli.gate" + SET_LIMIT.format(kind="AS", megabytes=1)
    arguments = ("gate", "large.txt", "large.run", "--min", "0", "--no-config")
    _, err, code = run_without_codes(*arguments, setup=setup)
    assert code == 2
    assert is_one_sentence(err)


def test_memory_that_is_missing_elsewhere_is_said(folder):
    setup = """
import gainful.cli.eval as command
def no_memory(*_, **__):
    raise MemoryError
command.evaluate_runs = no_memory
"""
    out, err, code = run_without_codes("eval", "qrels.txt", "one.run", setup=setup)
    assert (out, code) == ("", 1)
    assert err == OTHER_ERROR


@pytest.mark.parametrize("run", ["large.run", "large.run.gz", "large.json"])
def test_work_goes_on_where_no_thread_can_be_started(packed, run):
    arguments = ["eval", "large.txt", run, "-m", "nDCG@10", "--threads", "4"]
    expected = run_without_codes(*arguments)
    code = SET_LIMIT.format(kind="AS", megabytes=600) + MAIN
    # A thread's stack is as large as the stack limit at the start of the process: too large here.
    limited = 'ulimit -S -s 67108864 || exit 99; exec "$@"'
    result = subprocess.run(
        ["bash", "-c", limited, "bash", sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    if result.returncode == 99:
        pytest.skip("the size of stacks may not be set here")
    assert Result(result.stdout, result.stderr, result.returncode) == expected


def test_the_library_raises_what_is_a_memory_error_as_well(large):
    setup = SET_LIMIT.format(kind="AS", megabytes=2)
    result = run_without_codes(
        setup=f"""import gainful, sys{setup}
try:
    gainful.read_qrels("large.txt")
except MemoryError as error:
    assert isinstance(error, gainful.GainfulError)
    print(error)
    sys.exit(0)
""",
    )
    assert (result.out, result.code) == (f"large.txt: {SENTENCE}\n", 0)

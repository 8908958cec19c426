"""Limits on memory and threads: the right value or one sentence."""

import subprocess
import sys

import pytest

from faults.command import MAIN, Result, needs_linux, run_without_codes

pytestmark = needs_linux
SET_LIMIT = """
import os, resource
os.environ["OPENBLAS_NUM_THREADS"] = "1"
import gainful.cli.eval
status = dict(line.split(":", 1) for line in open("/proc/self/status") if ":" in line)
limit = int(status["VmSize"].split()[0]) * 1024 + {megabytes} * 2**20
resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
"""
NO_MEMORY = """
import gainful.cli.{command} as command
def raise_error(*_, **__):
    raise MemoryError
command.{function} = raise_error
"""
SENTENCE = (
    "there is not enough memory to read it. Free some, or pass --threads 1, threads=1 in Python."
)
OTHER_ERROR = (
    "error: there is not enough memory for this. Pass fewer runs or measures at once, or "
    "--threads 1.\n"
)


def test_a_limit_gives_the_number_or_a_sentence(large):
    arguments = ("eval", "large.txt", "large.run", "-m", "nDCG@10", "--threads", "3")
    expected = run_without_codes(*arguments).out
    codes = set()
    for megabytes in (2, 6, 15, 25, 50, 400):
        out, err, code = run_without_codes(*arguments, setup=SET_LIMIT.format(megabytes=megabytes))
        codes.add(code)
        if code:
            errors = {f"error: {name}: {SENTENCE}\n" for name in ("large.txt", "large.run")}
            assert (out, code, err in errors | {OTHER_ERROR}) == ("", 1, True), err
        else:
            assert out == expected
    assert codes == {0, 1}


@pytest.mark.parametrize(
    ("command", "function", "arguments", "expected"),
    [
        ("eval", "evaluate_runs", ["eval", "qrels.txt", "one.run"], 1),
        ("gate", "gate", ["gate", "qrels.txt", "one.run", "--min", "0", "--no-config"], 2),
    ],
)
def test_memory_that_is_missing_elsewhere_is_said(folder, command, function, arguments, expected):
    setup = NO_MEMORY.format(command=command, function=function)
    assert run_without_codes(*arguments, setup=setup) == ("", OTHER_ERROR, expected)


def test_work_goes_on_where_no_thread_can_be_started(large):
    arguments = ["eval", "large.txt", "large.run", "-m", "nDCG@10", "--threads", "4"]
    expected = run_without_codes(*arguments)
    code = SET_LIMIT.format(megabytes=600) + MAIN
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
    result = run_without_codes(
        setup=f"""import gainful, sys{SET_LIMIT.format(megabytes=2)}
try:
    gainful.read_qrels("large.txt")
except MemoryError as error:
    assert isinstance(error, gainful.GainfulError)
    print(error)
    sys.exit(0)
""",
    )
    assert (result.out, result.code) == (f"large.txt: {SENTENCE}\n", 0)

"""Lines that are too long are refused before they are held."""

import subprocess
import sys

import pytest

from base.native.answers import make_native_options
from gainful import Rules, SourceError, evaluate, read_qrels
from gainful.base import _native
from gainful.base import limits as _limits
from limits.bounded_processes import gainful, needs_resource
from reference.align import Options

_GB = 10**9
_MOST_MB = 500
_SENTENCE = "is longer than 16,777,216 bytes, the most that a line may have."


def _index(text, path, *, pieces=None, **options):
    index = _native.Index(_native.Reading(**options))
    if pieces:
        for begin in range(0, len(text), pieces):
            index.feed(text[begin : begin + pieces])
        index.feed(b"")
    else:
        path.write_bytes(text)
        with path.open("rb") as file:
            index.read(file.fileno(), 0, len(text), lambda _: None)
    index.finish(_native.Duplicates.error)
    return index


@pytest.mark.parametrize("pieces", [None, 1, 7, 10_000])
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("above", [0, 1, 500])
def test_the_longest_line_is_read_and_a_byte_more_is_refused_by_its_number(
    tmp_path, pieces, threads, above
):
    lines = b"".join(b"q 0 d%d 1\n" % i for i in range(above))
    options = {"chunk": 16, "longest_line": 60, "threads": threads, "pieces": pieces}
    fits = b"q 0 " + b"x" * 54 + b" 1"
    assert len(fits) == 60
    for end in (b"", b"\n", b"\nq 0 last 1\n"):
        path = tmp_path / "qrels"
        index = _index(lines + fits + end, path, **options)
        assert len(index.pool_labels) == above + 1 + (b"last" in end)
        for longer in (fits + b"0", b"x" * 61, b"\0" * 500):
            with pytest.raises(_native.BadInput) as refused:
                _index(lines + longer + end, path, **options)
            assert refused.value.args[:2] == ("long-line", above + 1)
            assert refused.value.args[6] == 60


@pytest.mark.parametrize("pieces", [None, 7])
def test_what_is_wrong_above_a_line_that_is_too_long_comes_first(tmp_path, pieces):
    text = b"q 0 d1 1\nq 0 d2\n" + b"x" * 500
    with pytest.raises(_native.BadInput) as refused:
        _index(text, tmp_path / "qrels", chunk=16, longest_line=60, pieces=pieces)
    assert refused.value.args[:2] == ("fields", 2)


def test_a_group_that_is_too_long_to_hold_may_have_lines_that_are_not(tmp_path):
    run = tmp_path / "run"
    run.write_bytes(b"".join(b"q Q0 %s%d 1 %d x\n" % (b"d" * 900, i, -i) for i in range(12_000)))
    qrels = {"q": {"d" * 900 + "11": 1}}
    assert evaluate(qrels, run, "RR")["RR"] == 1 / 12


@pytest.mark.parametrize("pieces", [None, 7])
def test_a_group_that_is_longer_than_a_line_may_be_is_no_long_line(tmp_path, pieces):
    index = _native.Index()
    index.add({"q": {"d1": 1}})
    index.finish(_native.Duplicates.error)
    text = b"".join(b"q Q0 d%d 1 %d x\n" % (i, 99 - i) for i in range(11))
    (tmp_path / "run").write_bytes(text)
    reading = _native.Reading(chunk=16, longest_line=60)
    aligner = _native.Aligner(index, make_native_options(Options()), reading)
    if pieces:
        for begin in range(0, len(text), pieces):
            aligner.feed(text[begin : begin + pieces])
        aligner.feed(b"")
    else:
        with (tmp_path / "run").open("rb") as file:
            aligner.read(file.fileno(), 0, len(text), lambda _: None)
    assert list(aligner.finish().hit_rank) == [2]


_ABOVE = {
    "qrels.txt": "q 0 d1 1\n",
    "qrels.csv": "query,item,label\nq,d1,1\n",
    "qrels.tsv": "query\titem\tlabel\nq\td1\t1\n",
    "qrels.jsonl": '{"query": "q", "item": "d1", "label": 1}\n' * 2,
    "qrels.letor": "1 qid:q 1:0.5\n2 qid:q 1:0.2\n",
}


@pytest.mark.parametrize("name", _ABOVE)
def test_every_format_of_lines_names_file_line_and_limit(tmp_path, name):
    path = tmp_path / name
    path.write_text(_ABOVE[name] + "x" * (_limits.LONGEST_LINE + 1) + "\n")
    line = _ABOVE[name].count("\n") + 1
    with pytest.raises(SourceError) as refused:
        read_qrels(path)
    assert str(refused.value) == f"{path}, line {line}: {_SENTENCE}"


def test_a_table_made_of_a_trec_file_has_the_same_limit(tmp_path):
    path = tmp_path / "run.txt"
    path.write_text("q Q0 d#1 1 2 x\n" + "x" * (_limits.LONGEST_LINE + 1) + "\n")
    with pytest.raises(SourceError) as refused:
        evaluate({"q": {"d": 1}}, path, "RR", rules=Rules(collapse=r"^(.*)#\d+$"))
    assert str(refused.value) == f"{path}, line 2: {_SENTENCE}"


@needs_resource
@pytest.mark.parametrize("name", ["zeros.txt", "zeros.csv", "zeros.tsv", "zeros.jsonl"])
def test_a_line_of_10_gb_is_refused_in_bounded_memory(tmp_path, name):
    path = tmp_path / name
    with path.open("wb") as file:
        file.truncate(10 * _GB)  # sparse: it takes no room
    for arguments in (["eval", path, path], ["check", path, path]):
        ended = gainful(*arguments, *(["-m", "RR"] if arguments[0] == "eval" else []))
        assert ended.status == 1
        message = "no column is known as the query" if "json" in name else f"line 1: {_SENTENCE}"
        assert message in ended.err + ended.out
        assert ended.peak_mb < _MOST_MB


@needs_resource
def test_a_line_without_end_that_comes_through_a_pipe_is_refused_in_bounded_memory(tmp_path):
    (tmp_path / "qrels").write_text("q 0 d1 1\n")
    code = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
    endless = subprocess.Popen(
        [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    try:
        ended = gainful("eval", tmp_path / "qrels", "-", "-m", "RR", stdin=endless.stdout)
    finally:
        endless.stdout.close()
        endless.kill()
        endless.wait()
    assert ended.status == 1
    assert ended.err == f"error: -, line 1: {_SENTENCE} [malformed-line]"
    assert ended.peak_mb < _MOST_MB


def test_a_header_that_is_too_long_is_refused_as_one(tmp_path):
    path = tmp_path / "wide.csv"
    names = ",".join(f"column {n}" for n in range(10_000))
    path.write_text(f"query,item,label,{names}\nq,d,1{',x' * 10_000}\n")
    with pytest.raises(SourceError) as refused:
        read_qrels(path)
    message = "the header is longer than 65,536 bytes, the most that it may have."
    assert str(refused.value) == f"{path}, line 1: {message}"


def test_a_record_without_end_is_refused(tmp_path):
    path = tmp_path / "records.csv"
    lines = ("x" * 1023 + "\n") * (_limits.LONGEST_LINE // 512)
    path.write_text(f'query,item,label\nq,d,1\nq,"{lines}')
    with pytest.raises(SourceError) as refused:
        read_qrels(path)
    assert str(refused.value) == f"{path}, line 3: the quotes of a field are not closed."

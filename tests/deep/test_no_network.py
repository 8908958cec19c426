"""No command and no call talks to another machine, unless a data set or a server is named."""

import json
import shutil
import subprocess
import sys
from functools import cache

import pytest

from gainful.cli.demo import COLLECTION

# Raised where Python would look up a name or connect; counted, in case somebody swallows it.
GUARD = """
import sys
tried = []
NETWORK = {
    "socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr",
    "socket.sendto", "socket.bind", "urllib.Request", "http.client.connect", "ftplib.connect",
    "smtplib.connect", "webbrowser.open",
}
def guard(event, arguments):
    if event in NETWORK:
        tried.append(f"{event}{arguments!r}")
        raise PermissionError(f"the network was asked for: {event}")
sys.addaudithook(guard)
"""

COMMANDS = """
import contextlib, io, json
from gainful.cli import run
def command(line):
    sys.argv = ["gainful", *line.split()]
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        return run()
codes = {line: command(line) for line in json.loads(sys.argv[1])}
print(json.dumps([codes, tried]))
"""

RUNS = "keyword.run hybrid.run"
LINES = {
    f"eval qrels.txt {RUNS} -m nDCG@10 -m AP --queries queries.tsv --by category": 0,
    f"compare qrels.txt {RUNS} -f json": 0,
    "explain qrels.txt hybrid.run q06 --items items.tsv": 0,
    f"check qrels.txt {RUNS}": 0,
    "convert hybrid.run hybrid.parquet": 0,
    "eval qrels.txt hybrid.parquet": 0,
    f"report qrels.txt {RUNS} -o report.html --queries queries.tsv --items items.tsv": 0,
    f"gate qrels.txt {RUNS} --junit gate.xml": 0,
    "reconcile qrels.txt hybrid.run": 0,
    f"power qrels.txt {RUNS}": 0,
    f"correlate qrels.txt {RUNS} -m nDCG@10 -m AP": 0,
    f"unjudged qrels.txt {RUNS}": 0,
    "trec_eval qrels.txt hybrid.run": 0,
    "measures nDCG": 0,
    "dialects lightgbm": 0,
    "demo": 0,
    "--version": 0,
    # An address is no path: it is refused, not opened.
    "eval https://127.0.0.1:9/qrels.txt hybrid.run": 1,
    "eval qrels.txt https://127.0.0.1:9/run.parquet": 1,
    "eval qrels.txt s3://bucket/run.parquet": 1,
    "convert hybrid.run https://127.0.0.1:9/run.parquet": 1,
}


@cache
def find_isolation():
    """What starts a program where there is no network, on systems that let anyone do so."""
    unshare = shutil.which("unshare")
    if unshare is None:
        return ()
    result = subprocess.run([unshare, "-rn", "true"], capture_output=True, check=False)
    return (unshare, "-rn") if result.returncode == 0 else ()


def run_guarded(code, folder, *arguments):
    """What the code prints in a process that may not use the network."""
    result = subprocess.run(
        [*find_isolation(), sys.executable, "-c", GUARD + code, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout.splitlines()[-1])


@pytest.fixture
def shop(tmp_path):
    return shutil.copytree(COLLECTION, tmp_path / "shop")


def test_no_command_asks_for_the_network(shop):
    codes, attempts = run_guarded(COMMANDS, shop, json.dumps(list(LINES)))
    assert attempts == []
    assert codes == LINES


def test_no_call_asks_for_the_network(shop):
    code = """
import json, gainful
scores = gainful.evaluate("qrels.txt", "hybrid.run", ["nDCG@10", "AP"], queries="queries.tsv")
scores.to_json(), scores.to_polars(), scores._repr_html_(), scores.plot().to_dict()
comparison = gainful.compare("qrels.txt", ["keyword.run", "hybrid.run"])
comparison.plot().to_dict(), comparison._repr_html_()
gainful.explain("qrels.txt", "hybrid.run", "q06").plot().to_dict()
gainful.write_report("qrels.txt", ["keyword.run", "hybrid.run"], "report.html")
gainful.ndcg([3, 2, 1], [.1, .3, .2])
print(json.dumps(tried))
"""
    assert run_guarded(code, shop) == []


def test_a_data_set_is_fetched_only_if_it_is_named(shop):
    code = """
import json, gainful
try:
    gainful.read_qrels("irds:no-such-data-set")
except gainful.GainfulError as error:
    print(json.dumps([str(error), tried]))
"""
    message, attempts = run_guarded(code, shop)
    assert message.startswith("irds:no-such-data-set: ir_datasets ")
    assert attempts == []


@pytest.mark.parametrize(
    "call",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import socket; socket.gethostbyname('localhost')",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9')",
    ],
)
def test_whoever_asks_is_seen(tmp_path, call):
    code = f"""
import json
try:
    {call}
except Exception:
    print(json.dumps(tried))
"""
    assert run_guarded(code, tmp_path) != []

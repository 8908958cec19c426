"""The trec_eval command: any arguments, and any files for its readers."""

from gainful.adapters.trec_eval import run_trec_eval
from given import FOLDER, Input, ours

SEPARATOR = b"\n%\n"


def one(data: bytes) -> None:
    given = Input(data)
    arguments = given.until(b"\n").decode("utf-8", "surrogateescape").split()
    paths = []
    for name in ("qrels", "run", "zscores"):
        path = FOLDER / name
        path.write_bytes(given.until(SEPARATOR))
        paths.append(str(path))
    # Other files than these are none of its business.
    known = [paths[2] if "/" in one or one == "-" else one for one in arguments]
    with ours():
        outcome = run_trec_eval([*known, *paths[:2]])
        assert isinstance(outcome.stdout, str)
        assert outcome.code == 0 or outcome.stderr, f"exit code {outcome.code} without a word"

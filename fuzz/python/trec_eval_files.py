"""The trec_eval command: any arguments, and any files for its readers."""

from gainful.adapters.trec_eval import run_trec_eval
from target_inputs import FOLDER, Input, allow_errors

SEPARATOR = b"\n%\n"


def check_input(data: bytes) -> None:
    source = Input(data)
    arguments = source.take_until(b"\n").decode("utf-8", "surrogateescape").split()
    paths = []
    for name in ("qrels", "run", "zscores"):
        path = FOLDER / name
        path.write_bytes(source.take_until(SEPARATOR))
        paths.append(str(path))
    # No other files may be read.
    arguments = [paths[2] if "/" in arg or arg == "-" else arg for arg in arguments]
    with allow_errors():
        outcome = run_trec_eval([*arguments, *paths[:2]])
        assert isinstance(outcome.stdout, str)
        assert outcome.code == 0 or outcome.stderr, f"exit code {outcome.code} without a word"

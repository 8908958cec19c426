"""The thresholds of a gate: any TOML, in either file."""

from gainful.gate.thresholds import find_config, read_config
from given import FOLDER, Input, ours

NAMES = ("gainful.toml", "pyproject.toml")


def one(data: bytes) -> None:
    given = Input(data)
    name = given.choice(NAMES)
    for other in NAMES:
        (FOLDER / other).unlink(missing_ok=True)
    (FOLDER / name).write_bytes(given.rest)
    with ours():
        repr(read_config(FOLDER / name))
    with ours():
        find_config(FOLDER)

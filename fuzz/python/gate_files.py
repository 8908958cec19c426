"""The thresholds of a gate: any TOML, in either file."""

from gainful.gate.thresholds import find_config, read_config
from target_inputs import FOLDER, Input, allow_errors

NAMES = ("gainful.toml", "pyproject.toml")


def check_input(data: bytes) -> None:
    source = Input(data)
    name = source.choose(NAMES)
    for file_name in NAMES:
        (FOLDER / file_name).unlink(missing_ok=True)
    (FOLDER / name).write_bytes(source.rest)
    with allow_errors():
        repr(read_config(FOLDER / name))
    with allow_errors():
        find_config(FOLDER)

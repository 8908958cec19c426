"""A fixture that runs ``gainful check``."""

from cli.conftest import run_check  # noqa: F401 - a fixture

"""Which files are collected when they are not named."""

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out what needs libraries that take long to install, unless it is asked for."""
    asked_for = any("heavy" in argument for argument in config.args)
    return True if collection_path.name == "heavy" and not asked_for else None

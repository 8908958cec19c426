"""The collection of dialect tests: the heavy ones run only when they are named."""

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip the tests of libraries that take long to install, unless they are named."""
    is_named = any("heavy" in argument for argument in config.args)
    return True if collection_path.name == "heavy" and not is_named else None

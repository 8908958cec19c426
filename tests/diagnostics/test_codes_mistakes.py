"""The example on every page is a real message, and its remedy works."""

import pytest

from diagnostics.evaluation_mistakes import JOIN_MISTAKES, MEASURE_MISTAKES, OUTPUT_MISTAKES
from diagnostics.mistakes import FILE_MISTAKES, FILES, OBJECT_MISTAKES, VALUE_MISTAKES
from gainful import GainfulError
from gainful.diagnostics.codes import CODES

MISTAKES = {
    **FILE_MISTAKES,
    **VALUE_MISTAKES,
    **OBJECT_MISTAKES,
    **MEASURE_MISTAKES,
    **JOIN_MISTAKES,
    **OUTPUT_MISTAKES,
}
# Errors that need Spark, a server, a network or a full machine are tested elsewhere.
TESTED_ELSEWHERE = {
    "tests/cli/test_reference_help.py": {"unknown-code"},
    "tests/deep/faults": {"cannot-send", "changed-file", "no-memory"},
    "tests/adapters/test_mlflow.py": {"mlflow-failed"},
    "tests/sources": {"unknown-dataset"},
    "tests/spark": {"no-spark-session", "spark-workers", "unread-by-spark", "spark-failed"},
}


@pytest.fixture
def example_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)


@pytest.mark.parametrize("code", MISTAKES)
@pytest.mark.usefixtures("example_folder")
def test_the_mistake_is_refused_in_the_words_of_the_page_and_the_remedy_helps(code):
    with pytest.raises(GainfulError) as error:
        MISTAKES[code].wrong()
    assert error.value.code == code
    assert type(error.value).__name__ in CODES[code].errors
    assert str(error.value) == CODES[code].example
    MISTAKES[code].right()


def test_every_error_has_such_a_mistake_here_or_elsewhere():
    error_codes = {code.code for code in CODES.values() if code.errors}
    assert set(MISTAKES) | set().union(*TESTED_ELSEWHERE.values()) == error_codes
    assert not set(MISTAKES) & set().union(*TESTED_ELSEWHERE.values())

"""Nothing recurses on data, and what is long or deep is shown in a sentence."""

import pytest

import gainful
from gainful import GainfulError
from gainful.gate.thresholds import read_config
from gainful.measures import parse_measure

_DEEP = 100_000


def _nested():
    value = []
    for _ in range(_DEEP):
        value = [value]
    return value


class _Mute:
    """What cannot be shown."""

    def __repr__(self):
        raise TypeError


_ONE = {"q": {"d": 1}}
_HUGE = 10**5000  # more digits than Python writes
_HOSTILE = {
    "labels that are nested": lambda: gainful.ndcg(_nested()),
    "rows that are nested": lambda: gainful.read_qrels(_nested()),
    "an item that is nested": lambda: gainful.read_qrels([("q", _nested(), 1)]),
    "a label that is nested": lambda: gainful.read_qrels({"q": {"d": _nested()}}),
    "a ranking that is nested": lambda: gainful.evaluate(_ONE, {"q": _nested()}, "RR"),
    "measures that are nested": lambda: gainful.evaluate(_ONE, _ONE, _nested()),
    "a rule that is nested": lambda: gainful.Rules(ties=_nested()),
    "a score of 5,000 digits": lambda: gainful.ndcg([1, 2], [_HUGE, 1]),
    "a label of 5,000 digits": lambda: gainful.read_qrels([("q", "d", _HUGE)]),
    "an id of 5,000 digits": lambda: gainful.read_qrels({"q": {_HUGE: 1}}),
    "a setting of 5,000 digits": lambda: gainful.P(rel=_HUGE) @ 5,
    "threads of 5,000 digits": lambda: gainful.evaluate(_ONE, _ONE, "RR", threads=-_HUGE),
    "qrels that cannot be shown": lambda: gainful.read_qrels(_Mute()),
    "a measure that cannot be shown": lambda: gainful.evaluate(_ONE, _ONE, _Mute()),
    "a label that cannot be shown": lambda: gainful.read_qrels({"q": {"d": _Mute()}}),
    "a score that cannot be shown": lambda: gainful.evaluate(_ONE, {"q": {"d": _Mute()}}, "RR"),
    "a cutoff that cannot be shown": lambda: gainful.ndcg([1, 0], k=_Mute()),
    "a rule that cannot be shown": lambda: gainful.Rules(ties=_Mute()),
    "a measure of a million parentheses": lambda: parse_measure("nDCG" + "(" * 10**6),
    "a measure of a million braces": lambda: parse_measure("nDCG(gain=" + "{" * 10**6),
    "a measure of ten million letters": lambda: parse_measure("nDCG" * 2_500_000),
    "a cutoff of a million digits": lambda: parse_measure("nDCG@" + "9" * 10**6),
    "a dialect of ten million letters": lambda: gainful.evaluate(
        _ONE, _ONE, "RR", dialect="trec" * 2_500_000
    ),
    "a rule of ten million letters": lambda: gainful.Rules(ties="x" * 10**7),
}


@pytest.mark.parametrize("name", _HOSTILE)
def test_a_sentence_of_a_few_hundred_letters_refuses(name):
    with pytest.raises(GainfulError) as refused:
        _HOSTILE[name]()
    assert len(str(refused.value)) < 600


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("lists.json", "[" * _DEEP),
        ("objects.json", '{"a":' * _DEEP),
        ("digits.json", '{"q":{"d":' + "9" * 10**6 + "}}"),
        ("lists.jsonl", '{"query":"q","item":"d","label":' + "[" * _DEEP + "}\n"),
        ("digits.jsonl", '{"query":"q","item":"d","label":' + "9" * 10**6 + "}\n"),
    ],
)
def test_json_that_is_nested_deeply_or_has_long_numbers_is_refused(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(GainfulError) as refused:
        gainful.read_qrels(path)
    assert str(refused.value).startswith(f"{path}: cannot be read as JSON; ")


def test_a_configuration_that_is_nested_deeply_is_refused(tmp_path):
    path = tmp_path / "gate.toml"
    path.write_text("a = " + "[" * _DEEP)
    with pytest.raises(GainfulError, match="is no TOML"):
        read_config(path)

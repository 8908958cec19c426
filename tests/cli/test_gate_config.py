"""gainful gate with thresholds from a file, and the options that win over them."""

import json
from pathlib import Path

import pytest

FILES = ("qrels.txt", "old.run", "new.run")


def write_config(text, name="gainful.toml"):
    Path(name).parent.mkdir(parents=True, exist_ok=True)
    Path(name).write_text(text)


@pytest.mark.parametrize(
    ("name", "heading"), [("gainful.toml", "gate"), ("pyproject.toml", "tool.gainful.gate")]
)
def test_thresholds_come_from_the_file(run_gate, write_gate_files, name, heading):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    assert run_gate(*FILES, "-m", "CG@1")[2] == 1
    write_config(f'[{heading}]\nmax-drop = 0.05\nmeasures = ["CG@1"]\n', name)
    out, err, code = run_gate(*FILES)
    assert out.startswith("pass: ")
    assert (err.splitlines()[-1], code) == (f"thresholds: {name}", 0)


def test_options_win_over_the_file(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    write_config('[gate]\nmax-drop = 0.05\nmeasures = "CG@1"\nties = "average"\n')
    assert run_gate(*FILES, "--max-drop", 0.01)[2] == 1
    out, _, _ = run_gate(*FILES, "-m", "CG@2", "--ties", "input", "-f", "json")
    plain = json.loads(out)
    assert [m["measure"] for m in plain["measures"]] == ["CG@2"]
    assert plain["measures"][0]["thresholds"]["max_drop"] == 0.05
    assert plain["rules"]["ties"] == "input"


def test_thresholds_of_a_measure_win_over_those_of_all(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    write_config(
        '[gate]\nmax-drop = 0.01\n[gate.measures."CG@1"]\nmax-drop = 0.1\n[gate.measures.CG]\n'
    )
    plain = json.loads(run_gate(*FILES, "-f", "json")[0])
    limits = {m["measure"]: m["thresholds"]["max_drop"] for m in plain["measures"]}
    assert limits == {"CG@1": 0.1, "CG": 0.01}
    plain = json.loads(run_gate(*FILES, "-f", "json", "--max-drop", 0.2)[0])
    assert {m["thresholds"]["max_drop"] for m in plain["measures"]} == {0.2}
    assert run_gate(*FILES, "-m", "CG@1")[2] == 0
    assert run_gate(*FILES, "-m", "CG@2")[2] == 1


def test_files_are_named_relative_to_the_file(run_gate, write_gate_files, monkeypatch):
    write_gate_files([0.5, 0.5], [0.5, 0.5])
    write_config(
        '[gate]\nqrels = "qrels.txt"\nbaseline = "old.run"\ncandidate = "new.run"\n'
        'measures = ["CG@1"]\njunit = "gate.xml"\npinned = "pinned.txt"\n'
    )
    Path("pinned.txt").write_text("q0\n")
    folder = Path("deep/down")
    folder.mkdir(parents=True)
    root = Path.cwd()
    monkeypatch.chdir(folder)
    out, err, code = run_gate()
    assert out.startswith("pass: run 'new' against 'old': 2 checks")
    assert (err.splitlines()[-1], code) == (f"thresholds: {root / 'gainful.toml'}", 0)
    assert (root / "gate.xml").exists()
    (root / "other.run").write_text((root / "old.run").read_text())
    assert run_gate(root / "other.run")[0].startswith("pass: run 'other' against 'old'")
    assert run_gate(root / "qrels.txt", root / "new.run")[0].startswith("pass: run 'new' against")


def test_a_file_may_be_named_or_none_be_read(run_gate, write_gate_files):
    write_gate_files([0.5, 0.5], [0.5, 0.4])
    write_config("[gate]\nmax-drop = 0.05\n")
    write_config("[gate]\nmax-drop = 0.2\n", "other.toml")
    _, err, code = run_gate(*FILES, "-m", "CG@1", "--no-config")
    assert ("thresholds: " in err, code) == (False, 1)
    _, err, code = run_gate(*FILES, "-m", "CG@1", "--config", "other.toml")
    assert (err.splitlines()[-1], code) == ("thresholds: other.toml", 0)


def test_a_wrong_file_exits_2(run_gate, write_gate_files):
    write_gate_files([0.5], [0.5])
    write_config("[gate]\nmaxdrop = 1\n")
    out, err, code = run_gate(*FILES)
    assert (out, code) == ("", 2)
    assert err == (
        "error: gainful.toml: unknown key 'maxdrop' in [gate]. Did you mean max-drop? "
        "[bad-config]\n"
    )

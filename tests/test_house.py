"""The house rules that no linter knows."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gainful

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "gainful"

# What each part may import, beside itself. Data flows from left to right.
GROUND = {
    *(
        "_native",
        "_version",
        "cached",
        "errors",
        "expressions",
        "interval",
        "latex",
        "notebook",
        "packages",
        "plain",
        "ragged",
        "records",
        "rule_settings",
        "settings",
    ),
    *("tables", "wording"),
}
SAID = GROUND | {"notices", "metadata_notices", "comparison_notices", "ruled_notices", "rules"}
NOTICES = {
    *("notices", "ruled_notices", "data_notices", "score_notices"),
    *("metadata_notices", "comparison_notices", "report_notices"),
}
RANKINGS = {"rankings", "preference_rankings", "item_rankings"}
JOINED = {"joined", "facts", "about_joins"}
ALIGN = {"align", "align_groups", "align_preferences", "align_items"}
ALLOWED = {
    **dict.fromkeys(GROUND, GROUND),
    "notices": GROUND,
    "metadata_notices": GROUND | {"notices"},
    "comparison_notices": GROUND | {"notices"},
    "report_notices": GROUND | {"notices"},
    # The pages of all codes: nothing that evaluates imports them.
    "codes": GROUND | NOTICES,
    "ruled_notices": GROUND | {"notices"},
    "rules": GROUND,
    "refused_rules": GROUND | {"rules"},
    "sources": GROUND | {"rules"},
    "rankings": GROUND,
    "ruled_rankings": GROUND | {"rules", "rankings"},
    "preference_rankings": GROUND | {"rankings"},
    "item_rankings": GROUND | {"rankings"},
    "data_notices": GROUND | {"notices"},
    "score_notices": GROUND | {"notices"},
    "facts": GROUND,
    "near_ids": GROUND | {"sources", "facts"},
    "oddities": SAID | {"facts", "data_notices", "score_notices", "near_ids", "sources"},
    "joined": SAID | {"sources", "rankings", "ruled_rankings", "facts", "near_ids"},
    "about_joins": SAID | {"sources", "rankings", "facts", "near_ids", "oddities", "joined"},
    "align": SAID
    | {"sources", "rankings", "ruled_rankings", "refused_rules", "near_ids", "oddities", *JOINED},
    "align_groups": SAID | {"sources", *RANKINGS, *JOINED, "align"},
    "align_preferences": SAID | {"sources", *RANKINGS, *JOINED, "align"},
    "align_items": SAID | {"sources", *RANKINGS, *JOINED, "refused_rules", "align"},
    "kinds": SAID | {"sources"} | RANKINGS | ALIGN,
    "measures": GROUND | RANKINGS,
    "shapes": GROUND | {"measures"},
    "digits": {"measures"},
    "slices": SAID | {"measures", "digits", "near_ids"},
    # Whose measures they are: settings and rules by name.
    "dialects": GROUND | {"rules", "measures"},
    # What the rules make of values, where a query has nothing relevant.
    "ruled_values": GROUND | {"rules", "rankings", "ruled_rankings", "measures"},
    "in_dialect": SAID | {"measures", "dialects"},
    "results": SAID | {"sources", "measures", "dialects", "digits", "slices", "shapes", "charts"},
    "about_queries": SAID | {"sources", "results", "slices"},
    "risk": SAID | {"measures", "results"},
    "writers": GROUND | {"sources"},
    "converted_rows": GROUND | {"sources", "writers"},
    "written_files": GROUND,
    "conversion": GROUND | {"sources", "writers", "written_files", "converted_rows"},
    # Altair charts of plain values.
    "charts": GROUND,
    "explanation": SAID | {"measures", "shapes", "charts"},
    "asked": SAID | {"measures", "dialects"},
    "parts": SAID | {"sources", "rankings", "ruled_values", "kinds", "measures", *JOINED},
    "evaluate": SAID
    | {"sources", "rankings", "ruled_values", "kinds", "measures", "dialects", "results"}
    | {"about_queries", "in_dialect", "asked", "parts", "engines", *JOINED},
    # The same pipeline where the rows are too many for one machine.
    "engines": SAID
    | {"sources", *RANKINGS, *JOINED, *ALIGN, "kinds", "measures", "dialects", "results", "shapes"}
    | {"about_queries", "in_dialect", "asked", "parts", "ruled_rankings", "near_ids", "digits"},
    # What a run would score in every dialect, and why.
    "translation": SAID
    | {"sources", "rankings", *JOINED, "align", "measures", "dialects", "results"}
    | {"asked", "evaluate"},
    "explaining": SAID
    | {
        "sources",
        "rankings",
        "ruled_rankings",
        "align",
        "measures",
        "asked",
        "evaluate",
        "explanation",
    },
    "findings": SAID,
    "named_runs": GROUND | {"sources"},
    # What stats found of several runs, and how it is shown.
    "comparison": SAID | {"measures", "shapes", "charts"},
    # Scores of several runs, and what may be said of them.
    "stats": SAID
    | {"sources", "kinds", "align", "measures", "digits", "shapes", "results", "asked", "evaluate"}
    | {"named_runs", "unjudged", "comparison", "refused_rules"},
    # What the labels of unjudged items could still change.
    "unjudged": SAID
    | {"sources", *RANKINGS, *ALIGN, "measures", "digits", "shapes", "results", "asked", "evaluate"}
    | {"named_runs", "ruled_values", "refused_rules", *JOINED},
    "gating": SAID
    | {"sources", "measures", "results", "asked", "evaluate", "explaining", "explanation"}
    | {"stats", "unjudged"},
    "testing": SAID
    | {"sources", "measures", "results", "asked", "evaluate", "explaining", "explanation"}
    | {"stats", "unjudged", "gating"},
    "checking": SAID
    | {"sources", *JOINED, "align", "asked", "evaluate", "findings", "data_notices", "near_ids"}
    | {"oddities"},
    "at_hand": SAID | {"sources", "rankings", "align"},
    "options": SAID | {"at_hand", "measures", "dialects", "asked", "evaluate"},
    "functions": SAID
    | {"sources", "rankings", "at_hand", "measures", "in_dialect", "asked", "evaluate", "options"},
    # Everything a report says, gathered.
    "experiment": SAID
    | {"sources", "rankings", "align", "measures", "results", "asked", "evaluate", "explanation"}
    | {"explaining", "named_runs", "slices", "comparison", "stats", "unjudged", "gating"}
    | {"checking", "findings", "kinds", "about_queries", "report_notices"}
    | {"ruled_rankings", "refused_rules", "dialects", "translation"},
    "report": SAID
    | {"measures", "digits", "shapes", "slices", "results", "explanation", "findings"}
    | {"comparison", "stats", "unjudged", "gating", "experiment", "charts", "written_files"}
    | {"named_runs", "dialects", "translation", "codes"},
    "cli": SAID
    | {
        "sources",
        "measures",
        "results",
        "asked",
        "evaluate",
        "explaining",
        "explanation",
        "report",
        "trec_eval",
    }
    | {"conversion", "writers", "checking", "findings", "written_files", "named_runs"}
    | {"stats", "unjudged", "gating", "experiment", "dialects", "translation", "engines", "codes"},
    "trec_eval": SAID | {"sources", *RANKINGS, *ALIGN, "kinds", "measures", "report"},
    # Of rankings only their kinds: which judgments does a measure read?
    "adapters": SAID
    | {"sources", "rankings", "ruled_rankings", "at_hand", "measures", "dialects", "results"}
    | {"asked", "evaluate", "functions"}
    | {"trec_eval", "comparison", "stats", "named_runs"},
    "__main__": {"cli"},
}


def modules():
    return [path for path in sorted(SOURCE.rglob("*.py")) if path != SOURCE / "__init__.py"]


def imported_parts(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module == "gainful":
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gainful."):
            yield node.module.split(".")[1]
        elif isinstance(node, ast.Import):
            yield from (
                alias.name.split(".")[1]
                for alias in node.names
                if alias.name.startswith("gainful.")
            )


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_stage_imports_only_stages_to_its_left(path):
    part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
    part = "__main__" if path.name == "__main__.py" else part
    allowed = ALLOWED[part] | {part}
    assert set(imported_parts(path)) <= allowed


def test_importing_gainful_loads_numpy_and_nothing_heavier():
    code = "import sys, json, gainful; print(json.dumps(sorted(sys.modules)))"
    loaded = json.loads(subprocess.check_output([sys.executable, "-c", code]))
    code = "import sys, json, numpy; print(json.dumps(sorted(sys.modules)))"
    with_numpy = json.loads(subprocess.check_output([sys.executable, "-c", code]))
    added = {name.partition(".")[0] for name in set(loaded) - set(with_numpy)}
    assert added - set(sys.stdlib_module_names) <= {"gainful", "numpy"}


def test_a_command_loads_no_other_command_and_no_format_that_it_does_not_write():
    code = "import sys; from gainful.cli import run; sys.argv[1:] = ['eval', '-h']; run(); "
    code += "print(*sys.modules)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    others = {"gainful.cli.demo", "gainful.cli.explain", "gainful.cli.measures"}
    others |= {"gainful.cli.help", "gainful.codes", "gainful.report.codes"}
    heavy = {"csv", "html", "json", "numpy.typing", "gainful.latex", "polars", "pandas", "pyarrow"}
    assert not {*others, *heavy} & set(printed.splitlines()[-1].split())


@pytest.mark.parametrize("name", ["eval", "compare", "gate", "power", "agree", "bounds", "holes"])
def test_scipy_is_loaded_when_statistics_are_asked_for_and_not_before(name):
    code = f"import sys; from gainful.cli import run; sys.argv[1:] = [{name!r}, '-h']; run(); "
    code += "import gainful; gainful.compare, gainful.gate, gainful.bounds; print(*sys.modules)"
    printed = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert "scipy" not in printed.splitlines()[-1].split()


def test_all_lists_every_public_name_in_order():
    assert gainful.__all__ == sorted(gainful.__all__, key=_as_ruff_sorts)
    tree = ast.parse((SOURCE / "__init__.py").read_text(encoding="utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module not in ("typing", "gainful")
        for alias in node.names
    }
    assert imported == set(gainful.__all__)


def _as_ruff_sorts(name):
    natural = [(int(n or 0), text) for text, n in re.findall(r"(\D*)(\d*)", name)]
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[0].isupper() else 2
    return kind, [(text, n) for n, text in natural]


def test_only_the_command_line_prints_or_exits():
    for path in modules():
        if path.relative_to(SOURCE).parts[0] in ("cli", "__main__.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            name = getattr(getattr(node, "func", None), "id", None)
            assert name not in ("print", "exit", "quit"), f"{path}:{node.lineno}"


def test_generated_pages_and_the_native_stub_are_current():
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "generate_docs.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.returncode) == ("", 0)


def test_no_property_holds_a_lock_that_a_fork_would_keep_forever():
    pattern = re.compile(r"functools import .*\bcached_property|functools\.cached_property\b[^`]")
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCE.rglob("*.py")}
    assert [path for path, text in texts.items() if pattern.search(text)] == []


def test_only_the_bindings_include_python():
    for path in (ROOT / "src" / "native").iterdir():
        text = path.read_text(encoding="utf-8")
        if "nanobind" in text or "Python.h" in text:
            assert path.name.startswith("bindings")


def test_every_local_link_in_the_documentation_leads_somewhere():
    for page in (
        ROOT / "README.md",
        ROOT / "CONTRIBUTING.md",
        *sorted((ROOT / "docs").rglob("*.md")),
    ):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"

"""Data are never run: nothing that could turn them into code is used, except as listed here."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "gainful"
PAGE = SOURCE / "report" / "page"

# Modules that run what they read, start programs, or talk to other machines.
MODULES = {
    *("pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve", "dbm", "copyreg"),
    *("code", "codeop", "runpy", "imp", "pty", "ctypes", "cffi", "subprocess", "multiprocessing"),
    *("socket", "ssl", "http", "ftplib", "smtplib", "telnetlib", "xmlrpc", "webbrowser"),
    *("urllib.request", "urllib3", "requests", "httpx", "aiohttp", "asyncio", "yaml"),
    *("xml.sax", "xml.dom", "lxml"),
}
# Functions of any module that do so; those of os start programs, those of xml read entities.
CALLS = {
    *("eval", "exec", "compile", "__import__", "import_module", "exec_module", "load_module"),
    *("system", "popen", "startfile", "fork", "execv", "execve", "execvp", "spawnl", "spawnv"),
    *("read_pickle", "to_pickle", "deserialize", "unsafe_load", "literal_eval", "fromstring"),
    *("iterparse", "XMLParser", "urlopen", "urlretrieve", "create_connection"),
}
# What is used nevertheless, and why no data can come there.
REVIEWED = {
    ("cli/main.py", "import_module"): "a command's module, from the table of commands",
    ("cli/options.py", "runpy"): "--load FILE.py: Python that the user asks to be run",
    ("cli/options.py", "import_module"): "--load MODULE: the same, by its name",
    ("cli/output.py", "webbrowser"): "report --open: the file that was just written",
    ("measures/_parse.py", "literal_eval"): "a setting in the name of a measure; literals only",
    ("adapters/_ir_measures_inputs.py", "literal_eval"): "the same, as ir_measures writes it",
    ("measures/_declare.py", "import_module"): "a measure's module, from the table of measures",
    ("base/imports.py", "import_module"): "a package, by the name that the caller wrote",
    ("sources/formats.py", "import_module"): "a format's module, from the table of formats",
    ("sources/datasets.py", "import_module"): "ir_datasets, if the user names one of its sets",
    ("sources/judgments.py", "copyreg"): "refuses to pickle an index; nothing is unpickled",
    ("spark/task.py", "pickle"): "what our own workers return, as Spark itself unpickles it",
    ("spark/session.py", "socket"): "does the Connect server answer that the user named",
    ("spark/session.py", "create_connection"): "the same",
}


def is_listed(module):
    return any(module == name or module.startswith(f"{name}.") for name in MODULES)


def find_imported_modules(node):
    """Return the modules that a statement imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def find_called_name(node):
    """Return the name that is called, without its module; nothing if a pattern is compiled."""
    if not isinstance(node, ast.Call):
        return ""
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return "" if name == "compile" and ast.unparse(node.func) == "re.compile" else name


@cache
def find_calls_and_imports(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [n for n in ast.walk(tree) if isinstance(n, ast.Call | ast.Import | ast.ImportFrom)]


def find_dangers(path):
    for node in find_calls_and_imports(path):
        yield from (module for module in find_imported_modules(node) if is_listed(module))
        if find_called_name(node) in CALLS:
            yield find_called_name(node)


def test_what_could_run_data_is_used_only_where_it_was_reviewed():
    dangers = {
        (path.relative_to(SOURCE).as_posix(), danger)
        for path in sorted(SOURCE.rglob("*.py"))
        for danger in find_dangers(path)
    }
    assert dangers == REVIEWED.keys()


@pytest.mark.parametrize(
    "code",
    [
        "import pickle",
        "from urllib.request import urlopen",
        "from urllib import request",
        "import xml.dom.minidom",
        "eval(text)",
        "builtins.exec(text)",
        "os.system(line)",
        "compile(text, '', 'exec')",
        "pandas.read_pickle(path)",
        "xml.etree.ElementTree.fromstring(text)",
    ],
)
def test_what_would_be_found_is_found(tmp_path, code):
    path = tmp_path / "module.py"
    path.write_text(code)
    assert list(find_dangers(path))


# What makes markup or code of text, or leaves the page.
UNWANTED_IN_SCRIPTS = (
    r"\beval\s*\(", r"\bFunction\s*\(", r"(inner|outer)HTML", r"insertAdjacentHTML",
    r"document\.write", r"\bset(Timeout|Interval)\s*\(\s*[\"'`]", r"DOMParser",
    r"createContextualFragment", r"\bsrcdoc\b", r"\bfetch\s*\(", r"XMLHttpRequest", r"WebSocket",
    r"EventSource", r"sendBeacon", r"\bimport\s*\(", r"importScripts", r"\bWorker\s*\(",
    r"window\.open", r"postMessage", r"document\.cookie", r"javascript:", r"https?:",
)  # fmt: skip


@pytest.mark.parametrize("path", sorted(PAGE.rglob("*.js")), ids=lambda path: path.name)
def test_our_scripts_make_no_markup_or_code_of_text_and_ask_nobody(path):
    text = path.read_text(encoding="utf-8")
    assert not [pattern for pattern in UNWANTED_IN_SCRIPTS if re.search(pattern, text)]


@pytest.mark.parametrize("path", sorted(PAGE.rglob("*.html")), ids=lambda path: path.name)
def test_templates_escape_everything_and_hold_no_handlers(path):
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"\|\s*safe\b|autoescape|\son\w+\s*=|javascript:|https?:", text)


def test_styles_load_nothing():
    for path in sorted(PAGE.rglob("*.css")):
        assert not re.search(r"@import|url\(|expression\(", path.read_text(encoding="utf-8")), path

"""The hooks that MkDocs calls while it builds the site; the pages stay readable as files."""

import html
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from gainful.report.formulas import convert_to_mathml
from site_links import ADOPTED, ROOT, find_page, find_targets, relink
from site_notebooks import format_notebook
from site_pictures import STYLE, format_style, inline_charts

_LANGUAGES = {".py": "python", ".yml": "yaml", ".toml": "toml"}
_FORMULA = re.compile(
    r'<(?:span|div) class="arithmatex">\\([(\[])(.*?)\\[)\]]</(?:span|div)>', re.DOTALL
)
_CELL = re.compile(r"<t[dh][ >].*?</t[dh]>", re.DOTALL)
_CODE = re.compile(r"<code>.*?</code>", re.DOTALL)
_SEARCH = 'data-md-component="search" role="dialog"'
_LINE = re.compile(r"__codelineno-\d+-(\d+)")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Let the navigation name files as they are in the repository."""
    config.nav = _rename_pages(config.nav)
    return config


def _rename_pages(nav: object) -> object:
    if isinstance(nav, list):
        return [_rename_pages(entry) for entry in nav]
    if isinstance(nav, dict):
        return {title: _rename_pages(entry) for title, entry in nav.items()}
    return find_page(str(nav) if str(nav) in ADOPTED else f"docs/{nav}")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not Markdown files of docs/."""
    for name, page in ADOPTED.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / name)))
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        files.remove(notebook)
        page = find_page(f"docs/{notebook.src_uri}")
        files.append(File.generated(config, page, content=format_notebook(notebook.content_string)))
    targets = {
        target
        for file in files.documentation_pages()
        for target in find_targets(file.content_string, file.src_uri)
    }
    for path in sorted(targets):
        if find_page(path).startswith("source/"):
            files.append(File.generated(config, find_page(path), content=_format_source(path)))
    files.append(File.generated(config, STYLE, content=format_style()))
    return files


def _format_source(path: str) -> str:
    language = _LANGUAGES.get(Path(path).suffix, "text")
    text = (ROOT / path).read_text(encoding="utf-8")
    front_matter = "---\nsearch:\n  exclude: true\n---\n"
    return f'{front_matter}# {path}\n\n``````{language} linenums="1"\n{text}``````\n'


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Rewrite links to the pages of their targets."""
    uri = page.file.src_uri
    return markdown if uri.startswith("source/") else relink(markdown, uri)


def on_page_content(content: str, page: Page, **_: object) -> str:
    """Write formulas as MathML, and give lines of source the anchors that GitHub gives them."""
    if page.file.src_uri.startswith("source/"):
        page.present_anchor_ids = (page.present_anchor_ids or set()) | {
            f"L{line}" for line in _LINE.findall(content)
        }
        return _LINE.sub(r"L\1", content)
    return _CELL.sub(_remove_escapes, _FORMULA.sub(_convert_formula, content))


def _remove_escapes(cell: re.Match[str]) -> str:
    """Return a cell without escapes before bars in code, which GitHub hides and MkDocs keeps."""
    return _CODE.sub(lambda code: code[0].replace(r"\|", "|"), cell[0])


def on_post_page(output: str, **_: object) -> str:
    """Put charts into the page, after the search has indexed its words, and name its dialog."""
    return inline_charts(output).replace(_SEARCH, f'{_SEARCH} aria-label="Search"')


def _convert_formula(match: re.Match[str]) -> str:
    return convert_to_mathml(html.unescape(match[2]), display=match[1] == "[")

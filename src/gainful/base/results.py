"""Result: how results become text, tables and frames, which ``gainful.report`` makes of them."""

from typing import TYPE_CHECKING, Any, ClassVar

from gainful.base.imports import import_package
from gainful.base.text import to_json

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow


def load_report() -> Any:
    """Return ``gainful.report``, which is not imported before a result is shown."""
    from gainful import report

    return report


class Result:
    """An object that can be shown and exported; ``_view`` names its function in gainful.report."""

    _view: ClassVar[str]

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain values; NaN is None."""
        raise NotImplementedError

    def to_json(self, *, indent: int | None = 2) -> str:
        """Return everything as JSON; floats at full precision, NaN and infinity null."""
        return to_json(self.to_dict(), indent=indent)

    def to_csv(self) -> str:
        """Return comma-separated values, at full precision; no value is an empty cell."""
        return self._render("csv")

    def to_tsv(self) -> str:
        """Return tab-separated values, at full precision; no value is ``nan`` or ``-``."""
        return self._render("tsv")

    def to_markdown(self) -> str:
        """Return sentences and tables in Markdown, followed by rules and notices."""
        return self._render("markdown")

    def to_latex(self) -> str:
        """Return tables in LaTeX, for the package booktabs; rules and notices are comments."""
        return self._render("latex")

    def to_polars(self) -> "polars.DataFrame":
        """Return the table that ``to_csv`` writes as a polars frame; no value is null."""
        return self._make_frame()

    def to_pandas(self) -> "pandas.DataFrame":
        """Return the rows of ``to_polars`` as a pandas frame; null is NaN."""
        return self._make_pandas()

    def to_arrow(self) -> "pyarrow.Table":
        """Return the rows of ``to_polars`` as a pyarrow table."""
        return self._make_arrow()

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return the table for every library that reads the Arrow PyCapsule interface."""
        return self.to_polars().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        text: str = load_report().render_with_notes(self._make_view())
        return text

    def _repr_html_(self) -> str:
        text: str = load_report().render_html(self._make_view())
        return text

    def _make_view(self, *arguments: object, **options: object) -> Any:
        """Return what is shown of the result."""
        return getattr(load_report(), self._view)(self, *arguments, **options)

    def _render(self, format: str, *arguments: object, **options: object) -> str:
        """Return what is shown of the result as text in a format."""
        text: str = load_report().render(self._make_view(*arguments, **options), format)
        return text

    def _make_frame(self, *arguments: object, **options: object) -> Any:
        return load_report().to_frame(self._make_view(*arguments, **options))

    def _make_pandas(self, *arguments: object, **options: object) -> Any:
        import_package("pandas", "to_pandas")  # refused before anything is computed
        return load_report().convert_to_pandas(self._make_frame(*arguments, **options))

    def _make_arrow(self, *arguments: object, **options: object) -> Any:
        import_package("pyarrow", "to_arrow")
        return self._make_frame(*arguments, **options).to_arrow()

"""Explanation: what one value is made of, and how it shows itself."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from gainful import tables
from gainful.measures import Measure
from gainful.notices import Notice
from gainful.packages import package
from gainful.plain import to_json
from gainful.records import Frozen
from gainful.rules import Rules
from gainful.settings import text_of
from gainful.shapes import one_of

if TYPE_CHECKING:
    from altair.typing import ChartType

_WIDEST = 32  # of a title in a table


class Position(NamedTuple):
    """One rank of the ranking: the item on it and what it adds.

    ``discount`` is the weight of the rank: 1 / log2(rank + 1) by default, 0 below the cutoff, and
    the mean weight of the block where ties are averaged. ``label`` is None for an unjudged item.
    """

    rank: int
    item: str
    score: float
    label: float | None
    gain: float
    discount: float
    product: float
    running: float
    tied_with: int


class Ideal(NamedTuple):
    """One rank of the best possible ranking, and where the run has that item (None: nowhere)."""

    rank: int
    item: str
    label: float
    gain: float
    product: float
    running: float
    found_at: int | None


class Missed(NamedTuple):
    """A relevant item that the counted ranks lack, and what that cost.

    ``cost`` is what the item adds to the best possible ranking, in units of the measure;
    ``found_at`` is its rank below the cutoff, None if it was not retrieved at all.
    """

    item: str
    label: float
    ideal_rank: int
    found_at: int | None
    cost: float


class Swap(NamedTuple):
    """The exchange of two retrieved items that helps most."""

    item: str
    other: str
    from_rank: int
    to_rank: int
    gains: float

    def __str__(self) -> str:
        return (
            f"moving {self.item} from rank {self.from_rank} to rank {self.to_rank}, "
            f"in exchange for {self.other}, gains +{self.gains:.4f}."
        )


@dataclass(eq=False, repr=False)
class Explanation(Frozen):
    """What one value is made of.

    Attributes:
        run: The name of the run.
        query: The id of the query.
        measure: The measure that is explained.
        value: Its value for this query.
        total: The sum of the products: the DCG, for nDCG.
        best: The same sum for the best possible ranking: the IDCG, for nDCG.
        positions: The ranking, down to the cutoff.
        ideal: The best possible ranking beside it, as far as it gains anything.
        missed: Relevant items that the counted ranks lack, the dearest first.
        swap: The best single exchange, or None where none helps.
        reading: The explanation in one plain sentence.
        rules: The rules under which it holds.
        notices: What a reader should know.
        titles: What the items that are shown are called, by id, where that is known.
        urls: Where they are found, by id, where that is known.
    """

    run: str
    query: str
    measure: Measure
    value: float
    total: float
    best: float
    positions: tuple[Position, ...]
    ideal: tuple[Ideal, ...]
    missed: tuple[Missed, ...]
    swap: Swap | None
    reading: str
    rules: Rules
    notices: tuple[Notice, ...]
    titles: Mapping[str, str] = field(default_factory=dict)
    urls: Mapping[str, str] = field(default_factory=dict)

    @property
    def items(self) -> tuple[str, ...]:
        """The items that are shown, each once: ranked, in the ideal, or missed."""
        ranked, ideal, missed = (
            [place.item for place in places] for places in (self.positions, self.ideal, self.missed)
        )
        return tuple(dict.fromkeys([*ranked, *ideal, *missed]))

    @property
    def _described(self) -> bool:
        return bool(self.titles or self.urls)

    def _about(self, item: str) -> dict[str, str | None]:
        """What is known of an item, if anything is known of any."""
        if not self._described:
            return {}
        return {"title": self.titles.get(item), "url": self.urls.get(item)}

    def _titled(self, item: str) -> list[str]:
        """The cell beside an item, if there is one: its title, else its url."""
        if not self._described:
            return []
        text = " ".join((self.titles.get(item) or self.urls.get(item) or "").split())
        return [text if len(text) <= _WIDEST else text[: _WIDEST - 3].rstrip() + "..."]

    def plot(self, *, kind: str = "contributions") -> "ChartType":
        """An Altair chart: what every rank adds, beside the best possible ranking.

        The kind is ``"contributions"``, a bar made of ranks, or ``"gains"``, lines of what was
        gained up to each rank. It takes ``gainful[report]``.

        >>> import gainful
        >>> why = gainful.explain({"q1": {"d1": 1}}, {"q1": ["d1"]}, "q1")
        >>> [row["run"] for row in why.plot().to_dict()["data"]["values"]]
        ['run', 'ideal']
        """
        one_of(("contributions", "gains"), kind, "plot", argument="kind")
        package("altair", "Explanation.plot", install="'gainful[report]'")
        from gainful.charts import explained

        draw = explained.gains if kind == "gains" else explained.contributions
        # What cannot be printed ends the process that draws it.
        return draw(tables.printable(self.run), self.positions, self.ideal)

    def to_dict(self) -> dict[str, Any]:
        """Everything there is, as plain values."""
        return {
            "run": self.run,
            "query": self.query,
            "measure": str(self.measure),
            "value": self.value if self.value == self.value else None,
            "total": self.total,
            "best": self.best,
            "reading": self.reading,
            "positions": [
                p._asdict()
                | {"score": p.score if math.isfinite(p.score) else None}
                | self._about(p.item)
                for p in self.positions
            ],
            "ideal": [ideal._asdict() | self._about(ideal.item) for ideal in self.ideal],
            "missed": [missed._asdict() | self._about(missed.item) for missed in self.missed],
            "swap": self.swap._asdict() if self.swap else None,
            "rules": self.rules.to_dict(),
            "notices": [notice.to_dict() for notice in self.notices],
        }

    def to_json(self, *, indent: int | None = 2) -> str:
        """Everything there is, as JSON; floats at full precision."""
        return to_json(self.to_dict(), indent=indent)

    def to_tsv(self) -> str:
        """The ranking, one tab-separated line per rank, floats at full precision."""
        rows = [
            ["" if v is None else str(v) for v in (*p, *self._about(p.item).values())]
            for p in self.positions
        ]
        return tables.to_tsv([[*Position._fields, *self._about("")], *rows])

    def to_markdown(self) -> str:
        """The table, what was missed and the reading, as Markdown."""
        title = f"**{self.run}, query {self.query}**: {self.reading}\n"
        parts = [title, tables.to_markdown(*self._ranking_table())]
        if self.missed:
            parts.append(tables.to_markdown(*self._missed_table()))
        parts.append("".join(f"- {line}\n" for line in self.closing()))
        return "\n".join(parts)

    def __repr__(self) -> str:
        parts = [tables.printable(f"{self.run}, query {self.query}: {self.reading}") + "\n"]
        if self.positions:
            header, rows = self._ranking_table()
            bar = header.index("ideal item")
            barred = [[*row[:bar], "|", *row[bar:]] for row in rows]
            short = [name.removeprefix("ideal ") for name in header[bar + 1 :]]
            header = [*header[:bar], "|", "ideal item", *short]
            left = [i for i, name in enumerate(header) if name in ("item", "ideal item", "title")]
            parts.append(tables.to_text(header, barred, left=left))
        if self.missed:
            parts.append(tables.to_text(*self._missed_table(), left=range(1 + self._described)))
        return "\n".join([*parts, "\n".join(map(tables.printable, self.closing()))])

    def _repr_html_(self) -> str:
        from gainful import notebook

        parts = [f"<p><strong>{notebook.escaped(self.reading)}</strong></p>"]
        if self.positions or self.ideal:
            parts.append(self._html_ranking())
        if self.missed:
            held, n_text = self._missed_table(), 1 + self._described
            parts.append(notebook.table(*held, caption="What was missed", n_text=n_text))
        said = notebook.notices([notice.line for notice in self.notices])
        rules = notebook.folded("Rules", notebook.notes([str(self.rules)]))
        return "".join([*parts, notebook.notes(self._hints()), said, rules])

    def _html_ranking(self) -> str:
        """The ranking with a bar for every product; below it the sums."""
        from gainful import notebook

        header, rows = self._ranking_table()
        product, best = header.index("gain x discount"), header.index("ideal running")
        products = [position.product for position in self.positions]
        longest = max([*map(abs, products), *(ideal.product for ideal in self.ideal)], default=0.0)
        for row, value in zip(rows, products, strict=False):
            row[product] = notebook.with_bar(row[product], value / longest if longest else 0.0)
        sums = ["" for _ in header]
        sums[0], sums[best] = "sum", f"{self.best:.4f}"
        sums[product] = notebook.with_bar(f"{self.total:.4f}", 0.0)
        texts = [i for i, name in enumerate(header) if name.split()[-1] in ("item", "title")]
        caption = f"{self.run}, query {self.query}: what every rank adds, beside the ideal"
        return notebook.table(
            header, rows, caption=caption, n_text=texts, ready=[product], foot=[sums]
        )

    def _ranking_table(self) -> tuple[list[str], list[list[str]]]:
        title = ["title"] if self._described else []
        header = ["rank", "item", *title, "label", "gain", "discount", "gain x discount", "running"]
        beside = [f"ideal {name}" for name in ("item", *title, "label", "running")]
        rows = []
        for i in range(max(len(self.positions), len(self.ideal))):
            row, best = [""] * len(header), [""] * len(beside)
            if i < len(self.positions):
                rank, item, *rest = _position_row(self.positions[i])
                row = [rank, item, *self._titled(item), *rest]
            if i < len(self.ideal):
                ideal = self.ideal[i]
                best = [ideal.item, *self._titled(ideal.item)]
                best += [text_of(ideal.label), f"{ideal.running:.4f}"]
            rows.append([*row, *best])
        return [*header, *beside], rows

    def _missed_table(self) -> tuple[list[str], list[list[str]]]:
        rows = [
            [
                missed.item,
                *self._titled(missed.item),
                text_of(missed.label),
                "not retrieved" if missed.found_at is None else f"rank {missed.found_at}",
                str(missed.ideal_rank),
                f"{missed.cost:.4f}",
            ]
            for missed in self.missed
        ]
        title = ["title"] if self._described else []
        return ["missed item", *title, "label", "found", "ideal rank", "cost"], rows

    def closing(self) -> list[str]:
        """What is said below the table: the best swap, the rules and the notices."""
        rules = f"rules: {self.rules}"
        return [*self._hints(), rules, *(notice.line for notice in self.notices)]

    def _hints(self) -> list[str]:
        lines = [f"best swap: {self.swap}"] if self.swap else []
        if any(position.tied_with for position in self.positions):
            lines.append("= marks a rank whose item shares its score with others.")
        return lines


def _position_row(position: Position) -> list[str]:
    return [
        f"{position.rank}=" if position.tied_with else f"{position.rank}",
        position.item,
        "-" if position.label is None else text_of(position.label),
        text_of(position.gain) if position.gain.is_integer() else f"{position.gain:.4f}",
        f"{position.discount:.4f}",
        f"{position.product:.4f}",
        f"{position.running:.4f}",
    ]

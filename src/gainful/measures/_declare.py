"""How a measure is declared: one decorated function, read everywhere else.

The function's name is the measure's name. Its keyword-only arguments are the settings: their
annotations hold type, limits and help, their defaults are the defaults. Its docstring is the
documentation. Nothing is repeated in a table.
"""

import inspect
import math
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import KW_ONLY, dataclass, replace
from functools import cache
from importlib import import_module
from typing import Annotated, Any, cast, get_origin, get_type_hints, overload

import numpy as np

from gainful import ragged
from gainful.errors import MeasureError
from gainful.measures._formula import Formula
from gainful.ragged import BoolArray, FloatArray
from gainful.rankings import JudgedRankings, Rankings
from gainful.records import Frozen
from gainful.settings import Argument, arguments_of, text_of


class Registry(MutableMapping[str, "Measure"]):
    """Every measure under its name; a family's file is imported when one of its own is wanted."""

    def __init__(self) -> None:
        self.expected: dict[str, str] = {}
        self._declared: dict[str, Measure] = {}

    def expect(self, families: Mapping[str, tuple[str, ...]]) -> None:
        """Know of measures by the file that declares them, in the order of their listing."""
        for family, names in families.items():
            self.expected |= dict.fromkeys(names, f"gainful.measures.{family}")

    def __getitem__(self, name: str) -> "Measure":
        if name in self.expected:
            # Even if it is declared: another thread may still be importing what it calls.
            import_module(self.expected[name])
        return self._declared[name]

    def __setitem__(self, name: str, declared: "Measure") -> None:
        self._declared[name] = declared

    def __delitem__(self, name: str) -> None:
        del self._declared[name]

    def __contains__(self, name: object) -> bool:
        return name in self.expected or name in self._declared

    def __iter__(self) -> Iterator[str]:
        declared = [*self._declared]  # at once: another thread may be declaring one
        return iter([*self.expected, *(n for n in declared if n not in self.expected)])

    def __len__(self) -> int:
        return len(list(iter(self)))


REGISTRY = Registry()
Compute = Callable[..., FloatArray | float]
AVERAGES: dict[str, Callable[[FloatArray, FloatArray | None], float]] = {
    "mean": ragged.mean,
    "sum": lambda values, _: ragged.total(values),  # what is counted has no weight
    "geometric": ragged.geometric_mean,
}


@dataclass(eq=False, repr=False)
class Measure(Frozen):
    """A measure with some of its settings fixed: a value that prints, parses and hashes.

    ``stated`` has the names of settings that were given, be it their default: a dialect leaves
    them as they are. It is no part of the value.

    >>> from gainful.measures import nDCG
    >>> nDCG(gain="exp2") @ 10
    nDCG(gain=exp2)@10
    >>> nDCG(gain="linear") @ 5 == nDCG @ 5
    True
    """

    name: str
    settings: tuple[tuple[str, Any], ...] = ()
    _: KW_ONLY
    compute: Compute
    bounds: tuple[float, float]
    average: str
    averages_ties: bool
    monotone: bool
    higher_is_better: bool
    whole: bool
    at: str
    also: tuple[str, ...]
    trec_eval: tuple[str, ...]
    formula: Callable[..., Formula] | None
    stated: tuple[str, ...] = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Measure):
            return NotImplemented
        return (self.name, self.settings) == (other.name, other.settings)

    def __hash__(self) -> int:
        return hash((self.name, self.settings))

    def __call__(self, *ranking: Any, **settings: Any) -> "Measure":
        if ranking:
            message = (
                f"{self.name}: takes settings by name, got {ranking[0]!r:.60}. "
                "A ranking goes to gainful.ndcg() and its kin, a run to evaluate()."
            )
            raise MeasureError(message, code="unknown-setting")
        merged = dict(self.settings)
        for name, value in settings.items():
            if name not in self.arguments:
                known = ", ".join(self.arguments) or "none"
                message = f"{self.name} has no setting {name!r}; it takes {known}."
                raise MeasureError(message, code="unknown-setting")
            merged[name] = self.arguments[name].check(self.name, value, MeasureError, "bad-setting")
        kept = [(n, merged[n]) for n, a in self.arguments.items() if n in merged]
        return replace(
            self,
            settings=tuple((n, v) for n, v in kept if v != self.arguments[n].default),
            stated=tuple(dict.fromkeys([*self.stated, *settings])),
        )

    def __reduce__(self) -> tuple[Callable[..., "Measure"], tuple[Any, ...]]:
        """Pickled without what it computes, which is found again by its name."""
        return _found_again, (self.name, self.settings, self.stated)

    def __matmul__(self, cutoff: float) -> "Measure":
        return self(**{self.at: cutoff})

    def __str__(self) -> str:
        settings = dict(self.settings)
        at = f"@{text_of(settings.pop(self.at))}" if self.at in settings else ""
        inside = ", ".join(f"{name}={text_of(value)}" for name, value in settings.items())
        return self.name + (f"({inside})" if inside else "") + at

    __repr__ = __str__

    @property
    def arguments(self) -> Mapping[str, Argument]:
        """Its settings, as its function declares them."""
        return _arguments(self.compute)

    @property
    def reads(self) -> type[Rankings]:
        """The kind of rankings that it is a function of: the annotation of its first argument."""
        first = self.compute.__code__.co_varnames[0]
        kind: Any = self.compute.__annotations__.get(first, JudgedRankings)
        if isinstance(kind, str):  # in a module that has `from __future__ import annotations`
            kind = get_type_hints(self.compute)[first]
        return JudgedRankings if kind is Any else cast("type[Rankings]", kind)

    def averaged(
        self,
        values: FloatArray,
        weights: FloatArray | None = None,
        *,
        averaging: str | None = None,
        once: BoolArray | None = None,
    ) -> float:
        """One number for all queries; NaN values are left out, and their weights with them.

        Means are weighted, geometric ones too; counts are added up, whatever the weights. How an
        arithmetic mean is added up, and which values are added once, see ``ragged.mean_by``.
        """
        if self.average == "mean":
            mean = ragged.mean_by(averaging, values, weights, once=once)
            return min(mean, self.bounds[1]) if averaging == "bounded" else mean
        return AVERAGES[self.average](values, weights)

    @property
    def documentation(self) -> str:
        """The docstring of its declaration."""
        return inspect.getdoc(self.compute) or ""

    @property
    def summary(self) -> str:
        """What it measures, in one sentence."""
        return self.documentation.partition("\n")[0]

    @property
    def all_settings(self) -> dict[str, Any]:
        """Every setting with its value, the defaults included.

        >>> from gainful.measures import CG
        >>> (CG @ 5).all_settings["cutoff"]
        5
        """
        defaults = {n: a.default for n, a in self.arguments.items() if not a.required}
        return defaults | dict(self.settings)

    def score(self, ranked: Rankings) -> FloatArray:
        """One value per query, in the order of ``ranked``; NaN where only a whole run has one."""
        if self.whole:
            return np.full(ranked.n_queries, math.nan)
        values = self._computed(ranked)
        if values.shape != (ranked.n_queries,):
            message = (
                f"{self.name}: must return {ranked.n_queries} values, one per query, "
                f"got {_shape(values)}."
            )
            raise MeasureError(message, code="bad-declaration")
        return values

    def overall(self, ranked: Rankings) -> float:
        """The one number that a measure of whole runs gives."""
        value = self._computed(ranked)
        if value.shape != ():
            message = f"{self.name}: must return one number, got {_shape(value)}."
            raise MeasureError(message, code="bad-declaration")
        return float(value)

    def _computed(self, ranked: Rankings) -> FloatArray:
        settings = dict(self.settings)
        for argument in self.arguments.values():
            if argument.required and argument.name not in settings:
                way_out = f"({argument.name}=...)"
                if argument.name == self.at:
                    way_out = "@10" if argument.type is int else "@0.5"
                message = f"{self.name} needs a {argument.name}, for example {self.name}{way_out}."
                raise MeasureError(message, code="missing-setting")
        if not isinstance(ranked, self.reads):
            message = (
                f"{self.name}: must be given {self.reads.__name__}, got {type(ranked).__name__}."
            )
            raise MeasureError(message, code="wrong-judgments")
        if ranked.average_ties and not self.averages_ties:
            message = (
                f"{self.name}: no exact average over ties is known for it, got ties=average. "
                "Pass another --ties, for example item-desc."
            )
            raise MeasureError(message, code="no-exact-average")
        return np.asarray(self.compute(ranked, **settings), dtype=np.float64)


def _found_again(
    name: str, settings: tuple[tuple[str, Any], ...], stated: tuple[str, ...]
) -> Measure:
    from gainful.measures._parse import parse

    return replace(parse(name), settings=settings, stated=stated)


@overload
def measure(compute: Compute, /) -> Measure: ...
@overload
def measure(
    *,
    bounds: tuple[float, float] = (0.0, math.inf),
    average: str = "mean",
    averages_ties: bool = False,
    monotone: bool = False,
    higher_is_better: bool = True,
    whole: bool = False,
    at: str = "cutoff",
    also: tuple[str, ...] = (),
    trec_eval: str | tuple[str, ...] = (),
    formula: Callable[..., Formula] | None = None,
) -> Callable[[Compute], Measure]: ...
def measure(
    compute: Compute | None = None,
    /,
    *,
    bounds: tuple[float, float] = (0.0, math.inf),
    average: str = "mean",
    averages_ties: bool = False,
    monotone: bool = False,
    higher_is_better: bool = True,
    whole: bool = False,
    at: str = "cutoff",
    also: tuple[str, ...] = (),
    trec_eval: str | tuple[str, ...] = (),
    formula: Callable[..., Formula] | None = None,
) -> Measure | Callable[[Compute], Measure]:
    """Declare the decorated function as a measure under its own name.

    Args:
        bounds: The lowest and highest value with default settings.
        average: How the values of all queries become one: mean, sum or geometric.
        averages_ties: Whether it reads ``ranked.average_ties``; if not, ties=average is an error.
        whole: Whether it gives one number for a whole run, in place of a value per query.
        monotone: Whether to exchange an item with a better one below it never lowers the value,
            with default settings.
        higher_is_better: Whether the run with the highest value is the best one; where it is,
            tables of several runs show that value in bold.
        at: The setting that ``@`` sets.
        also: Other names it is known by.
        trec_eval: Its names in trec_eval, ``{cutoff}`` standing for that setting.
        formula: Its settings to what its values are made of; lets ``explain`` show them.
    """

    def declare(compute: Compute) -> Measure:
        declared = Measure(
            compute.__name__,
            compute=compute,
            bounds=bounds,
            average=average,
            averages_ties=averages_ties,
            monotone=monotone,
            higher_is_better=higher_is_better,
            whole=whole,
            at=at,
            also=also,
            trec_eval=(trec_eval,) if isinstance(trec_eval, str) else trec_eval,
            formula=formula,
        )
        # Our own are checked by the tests: to read the settings of them all takes as long
        # as the rest of `import gainful`.
        if not str(compute.__module__).startswith("gainful."):
            _arguments(compute)
            _refuse_clash(declared)
        REGISTRY[declared.name] = declared
        return declared

    return declare if compute is None else declare(compute)


def _shape(values: FloatArray) -> str:
    return " x ".join(map(str, values.shape)) or "a single one"


def _refuse_clash(declared: Measure) -> None:
    known = {name.lower(): name for name in REGISTRY}
    clash = known.get(declared.name.lower())
    if clash is None:
        return
    if REGISTRY[clash].compute.__module__ != declared.compute.__module__:
        message = f"measure {declared.name!r} is declared already, as {clash}."
        raise MeasureError(message, code="bad-declaration")


@cache
def _arguments(compute: Compute) -> dict[str, Argument]:
    if str(compute.__module__).startswith("gainful."):
        return arguments_of(compute)  # our own are declared as they must be: the tests see to that
    name, parameters = compute.__name__, list(inspect.signature(compute).parameters.values())
    if not parameters or parameters[0].kind is inspect.Parameter.KEYWORD_ONLY:
        message = (
            f"{name}: must take the rankings first, got no argument. Write def {name}(ranked)."
        )
        raise MeasureError(message, code="bad-declaration")
    hints = get_type_hints(compute, include_extras=True)
    kind = hints.get(parameters[0].name, Any)
    if kind is not Any and not (isinstance(kind, type) and issubclass(kind, Rankings)):
        message = f"{name}: must be given rankings, such as JudgedRankings, got {kind!r:.60}."
        raise MeasureError(message, code="bad-declaration")
    for setting in parameters[1:]:
        hint = hints.get(setting.name)
        if setting.kind is not setting.KEYWORD_ONLY or get_origin(hint) is not Annotated:
            message = (
                f"{name}: each setting must be keyword-only and annotated, got {setting}. Write "
                f'def {name}(ranked, *, {setting.name}: Annotated[int, Setting("what it is")]).'
            )
            raise MeasureError(message, code="bad-declaration")
    arguments = arguments_of(compute)
    for argument in arguments.values():
        if argument.type not in (int, float) and not argument.meanings:
            message = (
                f"{name}: {argument.name} must be an int, a float or one of its choices, "
                f"got {argument.type!r}."
            )
            raise MeasureError(message, code="bad-declaration")
    return arguments


def trec_eval_pattern(name: str) -> re.Pattern[str]:
    """What a trec_eval name looks like in the field: ``ndcg_cut_10``, ``ndcg_cut.5,10``.

    Braces at its end stand for the value of a setting, or several.

    >>> trec_eval_pattern("ndcg_cut_{cutoff}").fullmatch("ndcg_cut.5,10")["cutoff"]
    '5,10'
    """
    stem, _, setting = name.removesuffix("}").partition("_{")
    number = r"(\d+(\.\d*)?|\.\d+)"
    values = rf"[_.](?P<{setting}>{number}(,{number})*)" if setting else ""
    return re.compile(re.escape(stem) + values, re.IGNORECASE)

"""Declare a measure: one decorated function, which everything else reads.

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

from gainful.alignment import JudgedRankings, Rankings
from gainful.base import (
    Argument,
    BoolArray,
    FloatArray,
    cached_property,
    collect_arguments,
    format_setting,
    ragged,
)
from gainful.errors import MeasureError
from gainful.measures._formula import Formula
from gainful.measures._index import FAMILIES


class Registry(MutableMapping[str, "Measure"]):
    """Every measure under its name; a family's file is imported when one of them is used."""

    def __init__(self, families: Mapping[str, tuple[str, ...]]) -> None:
        self.expected = {
            name: f"gainful.measures.{family}"
            for family, names in families.items()
            for name in names
        }
        self._declared: dict[str, Measure] = {}

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


REGISTRY = Registry(FAMILIES)
Compute = Callable[..., FloatArray | float]
AVERAGES: dict[str, Callable[[FloatArray, FloatArray | None], float]] = {
    "mean": ragged.mean,
    "sum": lambda values, _: ragged.sum_exactly(values),  # what is counted has no weight
    "geometric": ragged.geometric_mean,
}


@dataclass(frozen=True, eq=False)
class Measure:
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

    def __call__(self, *ranking: object, **settings: object) -> "Measure":
        if ranking:
            message = (
                f"{self.name}: takes settings by name, got {ranking[0]!r:.60}. "
                "A ranking goes to gainful.ndcg() and related functions, a run to evaluate()."
            )
            raise MeasureError(message, code="unknown-setting")
        merged = dict(self.settings)
        for name, value in settings.items():
            if name not in self.arguments:
                setting_names = ", ".join(self.arguments) or "none"
                message = f"{self.name} has no setting {name!r}; it takes {setting_names}."
                raise MeasureError(message, code="unknown-setting")
            merged[name] = self.arguments[name].check(self.name, value, MeasureError, "bad-setting")
        ordered = [(n, merged[n]) for n in self.arguments if n in merged]
        return replace(
            self,
            settings=tuple((n, v) for n, v in ordered if v != self.arguments[n].default),
            stated=tuple(dict.fromkeys([*self.stated, *settings])),
        )

    def __reduce__(self) -> tuple[Callable[..., "Measure"], tuple[Any, ...]]:
        """Pickle by name and settings; the function is found again by its name."""
        return _restore_measure, (self.name, self.settings, self.stated)

    def __matmul__(self, cutoff: float) -> "Measure":
        return self(**{self.at: cutoff})

    def __str__(self) -> str:
        settings = dict(self.settings)
        at = f"@{format_setting(settings.pop(self.at))}" if self.at in settings else ""
        inside = ", ".join(f"{name}={format_setting(value)}" for name, value in settings.items())
        return self.name + (f"({inside})" if inside else "") + at

    __repr__ = __str__

    @cached_property
    def arguments(self) -> Mapping[str, Argument]:
        """The settings, as the function declares them."""
        return _read_arguments(self.compute)

    @cached_property
    def reads(self) -> type[Rankings]:
        """The type of rankings that it takes: the annotation of its first argument."""
        first = self.compute.__code__.co_varnames[0]
        kind: object = self.compute.__annotations__.get(first, JudgedRankings)
        if isinstance(kind, str):  # in a module that has `from __future__ import annotations`
            kind = get_type_hints(self.compute)[first]
        return JudgedRankings if kind is Any else cast("type[Rankings]", kind)

    def average_values(
        self,
        values: FloatArray,
        weights: FloatArray | None = None,
        *,
        unweighted: BoolArray | None = None,
    ) -> float:
        """Return one number for all queries; NaN values are left out, and their weights with them.

        Means are weighted, geometric ones too; counts are added up, whatever the weights. In an
        arithmetic mean, ``unweighted`` values are added once, whatever their weight.
        """
        if self.average == "mean" and weights is not None and unweighted is not None:
            return ragged.mean_with_unweighted(values, weights, unweighted)
        return AVERAGES[self.average](values, weights)

    @property
    def documentation(self) -> str:
        """The docstring of the declaration."""
        return inspect.getdoc(self.compute) or ""

    @property
    def summary(self) -> str:
        """The first sentence of the documentation."""
        return self.documentation.partition("\n")[0]

    @property
    def all_settings(self) -> dict[str, Any]:
        """Every setting with its value, the defaults included.

        >>> from gainful.measures import CG
        >>> (CG @ 5).all_settings["cutoff"]
        5
        """
        return (self.compute.__kwdefaults__ or {}) | dict(self.settings)

    @cached_property
    def resolved_formula(self) -> Formula | None:
        """The formula of its values with its own settings; None if it has none."""
        return None if self.formula is None else self.formula(**self.all_settings)

    def score(self, ranked: Rankings) -> FloatArray:
        """Return one value per query, in the order of ``ranked``; NaN for measures of runs."""
        if self.whole:
            return np.full(ranked.n_queries, math.nan)
        values = self._compute_values(ranked)
        if values.shape != (len(ranked.queries),):
            message = (
                f"{self.name}: must return {ranked.n_queries} values, one per query, "
                f"got {_format_shape(values)}."
            )
            raise MeasureError(message, code="bad-declaration")
        return values

    def compute_overall(self, ranked: Rankings) -> float:
        """Return the one number that a measure of whole runs gives."""
        value = self._compute_values(ranked)
        if value.shape != ():
            message = f"{self.name}: must return one number, got {_format_shape(value)}."
            raise MeasureError(message, code="bad-declaration")
        return float(value)

    def _compute_values(self, ranked: Rankings) -> FloatArray:
        if self._missing_argument is not None:
            name, kind = self._missing_argument.name, self._missing_argument.type
            way_out = f"({name}=...)" if name != self.at else "@10" if kind is int else "@0.5"
            message = f"{self.name} needs a {name}, for example {self.name}{way_out}."
            raise MeasureError(message, code="missing-setting")
        if not isinstance(ranked, self.reads):
            message = (
                f"{self.name}: must be given {self.reads.__name__}, got {type(ranked).__name__}."
            )
            raise MeasureError(message, code="wrong-judgments")
        matters = ranked.average_ties and not self.averages_ties
        if matters and (self.reads is not JudgedRankings or ranked.has_ties):
            message = (
                f"{self.name}: no exact average over ties is known for it, got ties=average. "
                "Pass another --ties, for example item-desc."
            )
            raise MeasureError(message, code="no-exact-average")
        return np.asarray(self.compute(ranked, **dict(self.settings)), dtype=np.float64)

    @cached_property
    def _missing_argument(self) -> Argument | None:
        """The first setting without a default that is not set."""
        settings = self.all_settings
        missing = (a for name, a in self.arguments.items() if name not in settings)
        return next(missing, None)


def _restore_measure(
    name: str, settings: tuple[tuple[str, Any], ...], stated: tuple[str, ...]
) -> Measure:

    from gainful.measures._parse import parse_measure

    return replace(parse_measure(name), settings=settings, stated=stated)


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

    Returns:
        The measure, or the decorator that makes it if settings are given.

    Raises:
        MeasureError: The name is taken, or the signature or the docstring is not that of a measure.
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
        # Our own are checked by the tests: reading the settings of all of them takes as long
        # as the rest of `import gainful`.
        if not str(compute.__module__).startswith("gainful."):
            _read_arguments(compute)
            _check_clash(declared)
        REGISTRY[declared.name] = declared
        return declared

    return declare if compute is None else declare(compute)


def _format_shape(values: FloatArray) -> str:
    return " x ".join(map(str, values.shape)) or "a single one"


def _check_clash(declared: Measure) -> None:
    names = {name.lower(): name for name in REGISTRY}
    clash = names.get(declared.name.lower())
    if clash is None:
        return
    if REGISTRY[clash].compute.__module__ != declared.compute.__module__:
        message = f"measure {declared.name!r} is declared already, as {clash}."
        raise MeasureError(message, code="bad-declaration")


@cache
def _read_arguments(compute: Compute) -> dict[str, Argument]:
    if str(compute.__module__).startswith("gainful."):
        return collect_arguments(compute)  # the tests check how our own are declared
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
    arguments = collect_arguments(compute)
    for argument in arguments.values():
        if argument.type not in (int, float) and not argument.meanings:
            message = (
                f"{name}: {argument.name} must be an int, a float or one of its choices, "
                f"got {argument.type!r}."
            )
            raise MeasureError(message, code="bad-declaration")
    return arguments


def make_trec_eval_pattern(name: str) -> re.Pattern[str]:
    """Return the pattern of a trec_eval name with values: ``ndcg_cut_10``, ``ndcg_cut.5,10``.

    Braces at its end stand for the value of a setting, or several.

    >>> make_trec_eval_pattern("ndcg_cut_{cutoff}").fullmatch("ndcg_cut.5,10")["cutoff"]
    '5,10'
    """
    stem, _, setting = name.removesuffix("}").partition("_{")
    number = r"(\d+(\.\d*)?|\.\d+)"
    values = rf"[_.](?P<{setting}>{number}(,{number})*)" if setting else ""
    return re.compile(re.escape(stem) + values, re.IGNORECASE)

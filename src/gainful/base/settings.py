"""How anything that can be set is declared: once, in an annotation.

``Annotated[int, Setting("look only at the first N ranks", at_least=1)]`` is all there is to a
setting. Validation, the sentence of the error, help texts and documentation are read from it.
Measures declare their settings as keyword-only arguments, ``Rules`` as fields.
"""

import inspect
import math
import operator
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from numbers import Integral, Real
from typing import (
    Annotated,
    Any,
    Protocol,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    runtime_checkable,
)

from gainful.base.caching import cached_property
from gainful.base.text import format_repr
from gainful.errors import GainfulError

_HUGE = 10**300  # beyond, an integer may be too large for a float


@dataclass(frozen=True)
class Setting:
    """Help and limits of one setting; goes inside ``Annotated``.

    ``phrases`` say in a few words what a value amounts to, by its text; ``none`` stands for None,
    and ``...`` for any other value, whose text takes the place of ``{}``. Only dialects
    use those that are ``rare``, and the description of a measure leaves them out.
    """

    help: str
    at_least: float | None = None
    more_than: float | None = None
    at_most: float | None = None
    less_than: float | None = None
    choices: Mapping[str, str] = field(default_factory=dict)
    pattern: bool = False
    phrases: Mapping[str, str] = field(default_factory=dict)
    rare: bool = False


@runtime_checkable
class Readable(Protocol):
    """A kind of value with a spelling of its own, such as a gain table.

    ``expected`` says in words what it takes; ``meanings`` says what its named values mean.
    """

    expected: str
    meanings: Mapping[str, str]

    @classmethod
    def read(cls, value: object) -> Any:
        """Return the value in its canonical form; raise ValueError if it is not accepted."""


@dataclass(frozen=True)
class Argument:
    """A setting as its owner declares it: name, type and default added."""

    name: str
    type: Any
    default: Any
    setting: Setting
    is_optional: bool

    @property
    def is_required(self) -> bool:
        """True if there is no default."""
        return self.default is inspect.Parameter.empty

    @property
    def meanings(self) -> Mapping[str, str]:
        """The meaning of each of its named values; empty for numbers."""
        meanings: Mapping[str, str] = getattr(self.type, "meanings", self.setting.choices)
        return meanings

    def phrase(self, value: object) -> str:
        """Return a few words that say what a value means.

        >>> setting = Setting("", phrases={"none": "not cut", "...": "cut at rank {}"})
        >>> cutoff = Argument("cutoff", int, None, setting, True)
        >>> cutoff.phrase(10), cutoff.phrase(None)
        ('cut at rank 10', 'not cut')
        """
        text, phrases = "none" if value is None else format_setting(value), self.setting.phrases
        if text not in phrases and "..." in phrases and value is not None:
            return phrases["..."].replace("{}", text)
        return phrases.get(text, f"{self.name}={text}")

    @property
    def expected(self) -> str:
        """The values it takes, in words.

        >>> Argument("rel", float, 1.0, Setting("", more_than=0), False).expected
        'a number > 0'
        """
        if self.setting.choices:
            return "one of " + ", ".join(self.setting.choices)
        if self._has_reader:
            return str(self.type.expected)
        if self.setting.pattern:
            return "a regular expression with a group, such as '^(.*)#'"
        noun = "an integer" if self.type is int else "a number"
        limits = [f"{sign} {limit:g}" for sign, limit, _ in self._limits]
        return " ".join([noun, " and ".join(limits)]) if limits else noun

    def read(self, value: object) -> Any:
        """Return the value in its canonical form; raise ValueError if it is not accepted."""
        if value is None and self.is_optional:
            return None
        if self.setting.choices:
            accepted = isinstance(value, str) and value in self.setting.choices
        elif self._has_reader:
            return self.type.read(value)
        elif self.setting.pattern:
            accepted = _has_group(value)
        else:
            kind = Integral if self.type is int else Real
            accepted = (
                isinstance(value, kind)
                and not isinstance(value, bool)
                and self._is_within_limits(value)
            )
        if not accepted:
            raise ValueError(value)
        return value if isinstance(value, str) else self.type(value)

    @cached_property
    def _has_reader(self) -> bool:
        """True if its type reads values by itself."""
        return isinstance(self.type, Readable)

    def _is_within_limits(self, value: Any) -> bool:
        huge = isinstance(value, Integral) and abs(int(value)) > _HUGE
        finite = self.type is int if huge else math.isfinite(value)
        return finite and all(fits(value, limit) for _, limit, fits in self._limits)

    @property
    def _limits(self) -> list[tuple[str, float, Callable[[Any, Any], bool]]]:
        limits = (
            (">=", self.setting.at_least, operator.ge),
            (">", self.setting.more_than, operator.gt),
            ("<=", self.setting.at_most, operator.le),
            ("<", self.setting.less_than, operator.lt),
        )
        return [(sign, limit, fits) for sign, limit, fits in limits if limit is not None]

    def check(self, owner: str, value: object, error: type[GainfulError], code: str) -> Any:
        """Return the canonical value; raise ``error`` if the value is not accepted."""
        try:
            return self.read(value)
        except ValueError:
            message = (
                f"{owner}: {self.name} must be {self.expected}, got {format_repr(value, 200)}."
            )
            raise error(message, code=code) from None


def collect_arguments(owner: Callable[..., Any]) -> dict[str, Argument]:
    """Return the settings that a function or dataclass declares, by name and in their order."""
    # From the function itself: inspect.signature() and get_type_hints() take ten times as long,
    # and a command may need the settings of a hundred measures.
    call = owner if isinstance(owner, types.FunctionType) else owner.__init__
    classes = owner.__mro__ if isinstance(owner, type) else ()
    hints = {n: h for c in reversed(classes) for n, h in vars(c).get("__annotations__", {}).items()}
    hints = hints or dict(owner.__annotations__)
    if str in map(type, hints.values()):
        hints = get_type_hints(owner, include_extras=True)
    code, defaults = call.__code__, call.__kwdefaults__ or {}
    arguments = {}
    for name in code.co_varnames[code.co_argcount :][: code.co_kwonlyargcount]:
        assert get_origin(hints[name]) is Annotated, f"annotate {name} with a Setting"
        kind, setting = get_args(hints[name])
        optional = get_origin(kind) in (types.UnionType, Union)
        if optional:
            kind = next(part for part in get_args(kind) if part is not types.NoneType)
        default = defaults.get(name, inspect.Parameter.empty)
        arguments[name] = Argument(name, kind, default, setting, optional)
    return arguments


def _has_group(pattern: Any) -> bool:
    import re  # loaded only if there is a pattern

    try:
        return re.compile(pattern).groups > 0
    except (re.error, TypeError):
        return False


def format_setting(value: object) -> str:
    """Return a setting's value as users write it: whole numbers without a point.

    >>> format_setting(2.0), format_setting(0.5), format_setting(1e100), format_setting("exp2")
    ('2', '0.5', '1e+100', 'exp2')
    """
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)

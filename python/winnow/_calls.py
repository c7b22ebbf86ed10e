"""Gives each public function of `_core` a signature that Python knows, and errors that name the wrong argument.

`adopt` replaces the functions and methods of the module by wrappers. A wrapper passes its arguments on unchanged.
Only if they do not fit, the wrapper checks them and raises a TypeError of one sentence.
"""

import re
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any

# Maps names that other libraries use to Winnow's. Spellings such as minSize and scaleFactor need no entry.
_OTHER_NAMES = {
    "callback": "progress",
    "conf": "min_score",
    "device": "devices",
    "filename": "path",
    "group_threshold": "min_neighbors",
    "hit_threshold": "min_score",
    "img": "picture",
    "image": "picture",
    "max_false_alarm_rate": "max_false",
    "min_hit_rate": "min_hit",
    "n_jobs": "threads",
    "num_stages": "stages",
    "num_threads": "threads",
    "num_workers": "threads",
    "order": "channels",
    "random_state": "seed",
    "scale": "scale_factor",
    "stride": "step",
    "threshold": "min_score",
    "verbose": "progress",
    "win_size": "window",
    "win_stride": "step",
    "workers": "threads",
}
# The lengths of sequences whose defaults do not show their lengths.
_LENGTHS = {"box": 4, "region": 4}
_NUMBER_WORDS = {2: "two", 3: "three", 4: "four"}

_source: list[str] = []
_values: dict[str, Any] = {}
_pending: list[tuple[str, Callable[[Callable[..., Any]], None]]] = []


def adopt(core: types.ModuleType) -> None:
    """Wraps every public function of the module and of its classes, in place."""
    for name, item in list(vars(core).items()):
        if name.startswith("_"):
            continue
        if not isinstance(item, type):
            _adopt(core, item, name, name)
        elif type(item).__module__ == "nanobind":
            for member, function in list(vars(item).items()):
                if member == "__init__" or not member.startswith("_"):
                    _adopt(item, function, member, f"{name}.{member}")
    _finish()


def _adopt(owner: Any, function: Any, name: str, qualname: str) -> None:
    kind = type(function).__name__
    if kind not in ("nb_func", "nb_method"):
        return
    # If a function has several forms, the last one is the most general.
    text, _, defaults = function.__nb_signature__[-1]
    number = len(_pending)
    for place, value in enumerate(defaults or ()):
        _values[f"_{number}_{place}"] = value
    text = re.sub(r"\\=?(\d+)", rf"_{number}_\1", text).replace("winnow._core.", "").replace("object | None", "object")
    text = re.sub(r"^def \w+", f"def _{number}", text)
    doc = next((form[1] for form in function.__nb_signature__ if form[1]), None)

    def use(shell: Callable[..., Any]) -> None:
        shell.__name__, shell.__qualname__, shell.__module__ = name, qualname, "winnow"
        setattr(owner, name, _wrapped(function, shell, doc, isinstance(owner, type) and kind == "nb_func"))

    _source.append(f"{text}: ...")
    _pending.append((f"_{number}", use))


def _finish() -> None:
    """Compiles the signatures of all functions at once, which takes a few milliseconds."""
    namespace = dict(_values)
    exec(compile("from __future__ import annotations\n" + "\n".join(_source), "<winnow>", "exec"), namespace)
    for name, use in _pending:
        use(namespace[name])
    for rest in (_source, _values, _pending):
        rest.clear()


def _wrapped(function: Callable[..., Any], shell: Callable[..., Any], doc: str | None, static: bool) -> Any:
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            raise _explained(error, shell, args, kwargs) from None

    call.__name__, call.__qualname__, call.__module__ = shell.__name__, shell.__qualname__, "winnow"
    call.__doc__ = doc
    call.__wrapped__ = shell  # type: ignore[attr-defined]
    return staticmethod(call) if static else call


def explain_constructor(kind: type, error: TypeError, args: tuple[Any, ...], kwargs: dict[str, Any]) -> TypeError:
    """Makes an error of one sentence of the constructor's own error about its arguments."""
    shell: Any = kind.__init__.__wrapped__  # type: ignore[misc]
    return _explained(error, shell, (None, *args), kwargs, kind.__name__)


def _explained(
    error: TypeError, shell: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], name: str = ""
) -> TypeError:
    name = name or shell.__name__
    if not str(error).startswith(f"{name}(): incompatible function arguments"):
        return error
    return TypeError(_sentence(f"{name}()", shell, args, kwargs))


def _sentence(name: str, shell: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    import inspect

    parameters = inspect.signature(shell).parameters
    known = [key for key in parameters if key != "self"]
    by_place = [key for key, each in parameters.items() if each.kind is not each.KEYWORD_ONLY]
    for key in kwargs:
        if key not in known:
            return _unknown(name, key, known)
    if len(args) > len(by_place):
        allowed, rest = [key for key in by_place if key != "self"], known[len(by_place) - ("self" in by_place) :]
        takes = f"{name} takes {', '.join(allowed) or 'no argument'} by place"
        return f"{takes}; name the others: {', '.join(rest)}" if rest else f"{takes} and nothing else"
    given = dict(zip(by_place, args, strict=False))
    for key in kwargs:
        if key in given:
            return f"{name} got {key} twice"
    given.update(kwargs)
    for key, each in parameters.items():
        if each.default is each.empty and key not in given:
            return f"{name} needs {key}"
    for key, value in given.items():
        each = parameters[key]
        if key != "self" and (wrong := _wrong(value, each, _kind_of(each.annotation))):
            return f"{name} takes {key} as {wrong}"
    for key, value in given.items():
        if value is None and "None" not in str(parameters[key].annotation) and key != "self":
            return f"{name} needs {key}, and got None"
        if isinstance(value, int) and not isinstance(value, bool) and value < 0:
            return f"{name} takes {key} as {_words(int)}, and {value} is out of range"
    values = ", ".join(f"{key}={_short(value)}" for key, value in given.items() if key != "self")
    return f"{name} cannot take these values: {values}"


def _unknown(name: str, key: str, known: list[str]) -> str:
    import difflib

    snake = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key).lower().strip("_")
    other = _OTHER_NAMES.get(snake, snake)
    near = [other] if other in known else difflib.get_close_matches(snake, known, 1)
    if near:
        return f"{name} has no keyword '{key}'; it is called {near[0]}"
    return f"{name} has no keyword '{key}'; " + (f"known are {', '.join(known)}" if known else "it takes no argument")


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 and "\n" not in text else type(value).__name__


def _kind_of(annotation: object) -> Any:
    """The type that an annotation names; `object` if it cannot be evaluated."""
    import collections.abc
    import os
    import typing

    import numpy as np
    import numpy.typing

    from . import _core

    names = {**vars(_core), "collections": collections, "os": os, "typing": typing, "numpy": np}
    try:
        return eval(str(annotation), names)
    except Exception:
        return object


def _wrong(value: object, parameter: Any, kind: Any) -> str:
    """Says what the argument must be and what it is: "a number, not '1'". '' if no check finds it wrong."""
    if not _fits(value, kind):
        return f"{_words(kind, _length(parameter))}, not {_short(value)}"
    length = _length(parameter)
    if length and isinstance(value, Iterable) and not isinstance(value, (str, bytes)) and len(list(value)) != length:
        return f"{_words(kind, length)}, not {_short(value)}"
    numbers = list(value) if isinstance(value, (list, tuple)) else [value]
    for number in numbers:
        if isinstance(number, int) and not -(2**31) <= number < 2**31:
            return f"{_words(kind, length)}, and {_short(number)} is out of range"
    return ""


def _length(parameter: Any) -> int:
    """The length that a sequence for this parameter must have; 0 if any length will do."""
    if isinstance(parameter.default, tuple) and len(parameter.default) > 1 and parameter.name != "hold":
        return len(parameter.default)
    return _LENGTHS.get(parameter.name, 0)


def _fits(value: Any, kind: Any) -> bool:
    import collections.abc
    import typing

    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union or origin is types.UnionType:
        return any(_fits(value, each) for each in inner)
    if origin is typing.Literal:
        return type(value) in {type(each) for each in inner}
    if kind is None or kind is type(None):
        return value is None
    if kind is bool:
        return isinstance(value, bool)
    if kind is int:
        return hasattr(value, "__index__")
    if kind is float:
        return hasattr(value, "__float__") or hasattr(value, "__index__")
    if origin is tuple:
        return _is_list(value) and len(value) == len(inner) and all(map(_fits, value, inner))
    if origin in (collections.abc.Sequence, list):
        return _is_list(value) and all(_fits(each, inner[0]) for each in value)
    if origin is collections.abc.Callable:
        return callable(value)
    kind = origin or kind
    if getattr(kind, "__module__", "") == "numpy" or not isinstance(kind, type):
        return value is not None
    return isinstance(value, kind)


def _is_list(value: object) -> bool:
    return hasattr(value, "__len__") and hasattr(value, "__getitem__") and not isinstance(value, (str, bytes, dict))


_PLAIN = {
    bool: "True or False", int: "a whole number", float: "a number", str: "a str", bytes: "bytes", type(None): "None",
}  # fmt: skip
_PLURAL = {int: "whole numbers", float: "numbers", str: "texts"}


def _words(kind: Any, length: int = 0) -> str:
    import collections.abc
    import typing

    from numpy.typing import ArrayLike

    if kind is ArrayLike:  # an alias of its own since NumPy 2.5, and a union with private types before
        return "an array"
    origin, inner = typing.get_origin(kind), typing.get_args(kind)
    if origin is typing.Union or origin is types.UnionType:
        arrays = set(typing.get_args(ArrayLike))
        if arrays and arrays <= set(inner):
            others = [_words(each, length) for each in inner if each not in arrays]
            return " or ".join(dict.fromkeys([*others, "an array"]))
        if ArrayLike in inner:  # its words stand last for every NumPy
            inner = (*(each for each in inner if each is not ArrayLike), ArrayLike)
        return " or ".join(dict.fromkeys(_words(each, length) for each in inner))
    if origin is typing.Literal:
        return " or ".join(map(repr, inner))
    if kind in _PLAIN:
        return _PLAIN[kind]
    if origin is tuple:
        return f"{_NUMBER_WORDS.get(len(inner), len(inner))} {_PLURAL.get(inner[0], 'values')}"
    if origin in (collections.abc.Sequence, list):
        many = _PLURAL.get(inner[0], f"{getattr(inner[0], '__name__', 'value')}s")
        return f"{_NUMBER_WORDS.get(length, length)} {many}" if length else f"a sequence of {many}"
    if origin is collections.abc.Callable:
        return "a function"
    name = getattr(origin or kind, "__name__", str(kind))
    return "a path" if name == "PathLike" else "an array" if name == "ndarray" else f"a {name}"

"""Gives the classes of `winnow.cv2` OpenCV's error, and arguments in the forms that OpenCV takes."""

from __future__ import annotations

import functools
import importlib
import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from .._core import Error

why_no_opencv = "is not installed"
try:
    opencv: types.ModuleType | None = importlib.import_module("cv2")
    if not hasattr(opencv, "error"):  # an empty folder that an uninstallation left behind
        opencv = None
except ModuleNotFoundError:
    opencv = None
except Exception as reason:  # noqa: BLE001  a library that OpenCV needs is missing, or is of another version
    opencv, why_no_opencv = None, f"cannot be imported ({reason})"

if opencv is not None:
    error: Any = opencv.error
else:

    class error(Exception):  # noqa: N801, N818
        """Stands for OpenCV's exception, where OpenCV is not installed."""

        __module__ = "winnow.cv2"


_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")

Rects = npt.NDArray[np.int32] | tuple[()]
Counts = npt.NDArray[np.int32] | tuple[()]
Weights = npt.NDArray[np.float64] | tuple[()]
Size = Sequence[int] | npt.NDArray[np.integer[Any]] | None
Places = Sequence[Sequence[int]] | npt.NDArray[np.integer[Any]] | None
Number = float | np.floating[Any] | np.integer[Any] | None
Whole = int | np.integer[Any] | None

# The default of a file's name, so that a call without a name differs from a call with an empty one.
NO_NAME: Any = type("NoName", (), {"__repr__": lambda self: "''"})()

_ASSERTION = -215
_BAD_ARGUMENT = -5
_KINDS = {_ASSERTION: "Assertion failed", _BAD_ARGUMENT: "Bad argument", -27: "Null pointer", -2: "Unspecified error"}
_MOST = 2**31


def failure(message: str, function: str = "", code: int = _ASSERTION) -> Exception:
    """An error of OpenCV's class with OpenCV's attributes."""
    text = f"winnow.cv2: error: ({code}:{_KINDS[code]}) {message}" + (f" in function '{function}'\n" if function else "")
    raised: Exception = error(text)
    for name, value in {"code": code, "err": message, "func": function, "file": "", "line": 0, "msg": text}.items():
        setattr(raised, name, value)
    return raised


def overloaded(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
    """Raises OpenCV's error for a TypeError, as OpenCV does if a function takes arrays of two kinds."""

    @functools.wraps(function)
    def call(*arguments: _Parameters.args, **keywords: _Parameters.kwargs) -> _Result:
        try:
            return function(*arguments, **keywords)
        except TypeError as reason:
            owner, _, name = function.__qualname__.rpartition(".")
            called = owner if name == "__init__" else name
            text = str(reason).replace("'__init__'", f"'{called}'").replace("__init__()", f"{called}()")
            raise failure(f"Overload resolution failed: {text}", called, _BAD_ARGUMENT) from None

    return call


@contextmanager
def opencv_errors(function: str) -> Iterator[None]:
    """Raises OpenCV's error for an error of Winnow's."""
    try:
        yield
    except Error as reason:
        raise failure(str(reason), function) from reason


def number(value: Any, name: str, otherwise: float) -> float:
    """The value as a float, if OpenCV takes it for a double; `otherwise` for None. Else a TypeError."""
    if value is None:
        return otherwise
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        raise TypeError(f"Argument '{name}' can not be treated as a double")
    return float(value)


def whole(value: Any, name: str, otherwise: int) -> int:
    """The value as an int, if OpenCV takes it for an int of 32 bits; `otherwise` for None. Else a TypeError."""
    if value is None:
        return otherwise
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise TypeError(f"Argument '{name}' is required to be an integer, not {value!r}: use int(...)")
    if not -_MOST <= value < _MOST:
        raise TypeError(f"Argument '{name}' has more than 32 bits")
    return int(value)


def flag(value: Any, name: str, otherwise: bool) -> bool:
    """The truth of a bool or a whole number, as OpenCV takes it; `otherwise` for None. Else a TypeError."""
    if value is None:
        return otherwise
    if not isinstance(value, (bool, np.bool_, int, np.integer)):
        raise TypeError(f"Argument '{name}' can not be safely parsed to boolean")
    return bool(value)


def items(value: Any, name: str, length: int, in_words: str) -> Any:
    """The value, if it is a sequence of so many items. Else a TypeError."""
    if isinstance(value, np.ndarray):
        if value.ndim != 1:
            raise TypeError(f"Can't parse '{name}'. Expected an array of one dimension")
    elif isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"Can't parse '{name}'. Input argument is no sequence of {in_words} numbers")
    if len(value) != length:
        raise TypeError(f"Can't parse '{name}'. Expected sequence length {length}, got {len(value)}")
    return value


def pair(value: Any, name: str) -> tuple[int, int]:
    """The two whole numbers of a sequence; (0, 0) for None. Else a TypeError."""
    if value is None:
        return (0, 0)
    first, second = items(value, name, 2, "two")
    return (whole(first, name, 0), whole(second, name, 0))


def places(value: Any, name: str) -> list[tuple[int, int]]:
    """The points of a sequence or an array (n, 2); an empty list for None. Else a TypeError."""
    if value is None:
        return []
    if isinstance(value, np.ndarray):
        if value.size == 0:
            return []
        if value.ndim != 2 or value.shape[1] != 2 or value.dtype.kind not in "iu":
            raise TypeError(f"Can't parse '{name}'. Expected whole numbers in an array (n, 2)")
    elif isinstance(value, (str, bytes)) or not isinstance(value, Sequence):
        raise TypeError(f"Can't parse '{name}'. Input argument is no sequence")
    found = []
    for item in value:
        if item is None or not hasattr(item, "__len__"):
            raise TypeError(f"Can't parse '{name}'. A point is a sequence of two whole numbers")
        found.append(pair(item, name))
    return found


def file_name(value: Any, name: str) -> str:
    """A path as text; "" for None."""
    if value is None:
        return ""
    if hasattr(value, "__fspath__"):
        value = value.__fspath__()
    if not isinstance(value, str):
        raise TypeError(f"Can't convert object to 'str' for '{name}'")
    return value


def array_of(image: Any, name: str) -> npt.NDArray[Any] | None:
    """The pixels of a UMat as an array. An array and None stay as they are. Else a TypeError."""
    if image is None or isinstance(image, np.ndarray):
        if image is not None and image.dtype.kind not in "iuf":
            raise TypeError(f"{name} data type = {image.dtype} is not supported")
        return image
    if opencv is not None and isinstance(image, getattr(opencv, "UMat", ())):
        taken: npt.NDArray[Any] = image.get()
        return taken
    how = "read the file with cv2.imread" if isinstance(image, (str, bytes)) or hasattr(image, "__fspath__") else (
        f"give np.asarray({name})"
    )
    raise TypeError(f"{name} is no NumPy array but of type {type(image).__name__}: {how}")


def own(values: npt.NDArray[Any], dtype: Any) -> Any:
    """A new array, which the caller may change; () if it would be empty, as in OpenCV."""
    return np.array(values, dtype, order="C") if len(values) else ()

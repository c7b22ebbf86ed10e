"""What the classes of `winnow.cv2` share: OpenCV's error, and arguments in the forms that OpenCV takes."""

import importlib
import operator
import types
from collections.abc import Sequence
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

try:
    opencv: types.ModuleType | None = importlib.import_module("cv2")
except ImportError:
    opencv = None

if opencv is not None:
    error: Any = opencv.error
else:

    class error(Exception):  # noqa: N801, N818
        """What OpenCV raises; with OpenCV installed it is OpenCV's own class."""

        __module__ = "winnow.cv2"


Rects = npt.NDArray[np.int32] | tuple[()]
Size = Sequence[int] | npt.NDArray[np.integer[Any]] | None


def size(sides: Size, name: str, negative: int) -> tuple[int, int]:
    """A size for Winnow, which takes no negative side: it becomes `negative`."""
    if sides is None:
        return (0, 0)
    try:
        width, height = (operator.index(side) for side in sides)
    except (TypeError, ValueError):
        raise error(f"Can't parse '{name}'. It is a sequence of two whole numbers") from None
    return (negative if width < 0 else width, negative if height < 0 else height)


def number(value: SupportsFloat, name: str) -> float:
    if isinstance(value, bool):
        raise error(f"Argument '{name}' must be double, not bool")
    try:
        if isinstance(value, (str, bytes)):
            raise TypeError
        return float(value)
    except (TypeError, ValueError):
        raise error(f"Argument '{name}' can not be treated as a double") from None


def whole(value: SupportsIndex, name: str) -> int:
    if isinstance(value, bool):
        raise error(f"Argument '{name}' must be an integer, not bool")
    try:
        return operator.index(value)
    except TypeError:
        raise error(f"Argument '{name}' is required to be an integer") from None


def rects(boxes: npt.NDArray[np.int32]) -> Rects:
    return np.ascontiguousarray(boxes) if len(boxes) else ()

"""OpenCV's TrackerTLD with Winnow's engine, as `winnow.cv2.legacy` gives it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .._core import Tracker
from ._arguments import array_of, failure, items, number, opencv_errors, overloaded

_NAME = "boundingBox"
_NOWHERE = (0.0, 0.0, 0.0, 0.0)

Bounds = Sequence[float] | npt.NDArray[Any]


def _number(value: Any, index: int) -> Any:
    """The value, if it is no bool and not None. Else a TypeError."""
    if value is None or isinstance(value, (bool, np.bool_, str)):
        raise TypeError(f"Can't parse '{_NAME}'. Sequence item with index {index} has a wrong type")
    return value


def _bounds(value: Any) -> tuple[float, float, float, float]:
    """The four numbers of a box. Else a TypeError."""
    sides = items(value, _NAME, 4, "four")
    left, top, width, height = (number(_number(side, i), _NAME, 0.0) for i, side in enumerate(sides))
    return left, top, width, height


def _frame(image: Any, function: str) -> npt.NDArray[Any] | None:
    """The grey frame or the frame in the order bgr; None if it has no pixels, where OpenCV returns False."""
    frame = array_of(image, "image")
    if frame is None or frame.size == 0:
        return None
    if frame.dtype != np.uint8:
        raise failure(f"the pixels are of type {frame.dtype}, and must be of type uint8", function)
    if frame.ndim == 2:
        return frame
    if frame.ndim != 3 or frame.shape[2] not in (1, 3, 4):
        raise failure("an image has one, three or four channels", function)
    return frame[..., 0] if frame.shape[2] == 1 else frame[..., :3]


class TrackerTLD:
    """OpenCV's class of this name, with Winnow's engine: `winnow.Tracker` for one object.

    The tracks are Winnow's, not OpenCV's. They do not depend on ``threads`` and ``backend``, which OpenCV does not
    have. ``seed`` is that of all random numbers.

    >>> picture = winnow.read_picture("photo.jpg").gray
    >>> tracker = winnow.cv2.legacy.TrackerTLD_create()
    >>> tracker.init(picture, (164, 101, 204, 204))
    True
    >>> ok, (left, top, width, height) = tracker.update(np.roll(picture, 5, axis=1))
    >>> ok, abs(left - 169) < 8
    (True, True)
    """

    def __init__(
        self, *, backend: Literal["auto", "reference", "cpu", "cuda"] = "auto", threads: int = 0, seed: int = 1
    ) -> None:
        self._tracker = Tracker(backend=backend, threads=threads, seed=seed)
        self._object: int | None = None

    @staticmethod
    def create() -> TrackerTLD:
        """A new tracker."""
        return TrackerTLD()

    @overloaded
    def init(self, image: Any, boundingBox: Bounds) -> bool:  # noqa: N803
        """Marks the object in the first frame. False for a second call, and for an image without pixels.

        A box that does not lie in the image, or has less than 8 x 8 pixels, raises OpenCV's error.
        """
        box = _bounds(boundingBox)
        frame = _frame(image, "init")
        if self._object is not None or frame is None:
            return False
        with opencv_errors("init"):
            self._object = self._tracker.add(frame, box, channels="bgr")
        return True

    @overloaded
    def update(self, image: Any) -> tuple[bool, tuple[float, float, float, float]]:
        """Takes the next frame, and gives whether the object is seen, and its box: x, y, width and height.

        A lost object has the box (0, 0, 0, 0), as in OpenCV.
        """
        frame = _frame(image, "update")
        if self._object is None or frame is None:
            return False, _NOWHERE
        with opencv_errors("update"):
            (track,) = self._tracker.next(frame, channels="bgr")
        return (True, track.box) if track.state != "lost" else (False, _NOWHERE)

    def clear(self) -> None:
        """Does nothing, as in OpenCV."""

    def empty(self) -> bool:
        """False, as in OpenCV."""
        return False

    def getDefaultName(self) -> str:  # noqa: N802
        """The name that OpenCV gives to all its algorithms."""
        return "my_object"


def TrackerTLD_create() -> TrackerTLD:  # noqa: N802
    """A new tracker, as `cv2.legacy.TrackerTLD_create` makes it."""
    return TrackerTLD()

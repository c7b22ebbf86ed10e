"""The windows of OpenCV's HOGDescriptor in a picture: stride, padding, number and scales.

`values` are the attributes of the HOGDescriptor, by their names.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from .._core import Detections
from ._arguments import failure


def grid(
    values: dict[str, Any], function: str, step: tuple[int, int], otherwise: tuple[int, int], padding: tuple[int, int]
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Stride and padding in pixels, by OpenCV's rules. A `step` of (0, 0) takes `otherwise`."""
    if step == (0, 0):
        step = otherwise
    if min(step) < 1:
        raise failure(f"a stride must be above 0 in both directions, and it is {step}", function)
    pads = []
    for axis in (0, 1):
        unit = math.gcd(step[axis], values["blockStride"][axis])
        pad = (max(padding[axis], 0) + unit - 1) & -unit  # OpenCV's rounding, right only if `unit` is a power of two
        if pad % unit:
            raise failure(
                f"OpenCV rounds the padding to {pad}, which is no multiple of {unit}: choose another", function
            )
        pads.append(pad)
    return step, (pads[0], pads[1])


def windows(
    values: dict[str, Any], function: str, picture: npt.NDArray[Any], step: tuple[int, int], pad: tuple[int, int]
) -> int:
    """The number of windows as OpenCV counts them; an error where OpenCV would read outside of the picture."""
    counts = []
    for axis, side in ((0, picture.shape[1]), (1, picture.shape[0])):
        spare = side + 2 * pad[axis] - values["winSize"][axis]
        counts.append(int(spare / step[axis]) + 1)
        if spare < 0 and counts[-1] != 0:
            counts[-1] = -1
    if min(counts) < 0 and 0 not in counts:
        width, height = values["winSize"]
        raise failure(
            f"the picture of {picture.shape[1]}x{picture.shape[0]} is smaller than the window of {width}x{height}; "
            "OpenCV would read outside of its memory",
            function,
        )
    return counts[0] * counts[1]


def scales_of(window: tuple[int, int], found: Detections, factor: float, levels: int) -> npt.NDArray[np.float64]:
    """The scale of each found window, looked up by the window's sides."""
    width, height = window
    scales: dict[tuple[int, int], float] = {}
    scale, last = 1.0, int(found.boxes[:, 2].max())
    for _ in range(levels):
        sides = (round(width * scale), round(height * scale))
        scales.setdefault(sides, scale)
        if sides[0] > last:
            break
        scale *= factor
    return np.array([scales[(int(w), int(h))] for w, h in found.boxes[:, 2:]])


def inside(
    wanted: list[tuple[int, int]], picture: npt.NDArray[Any], pad: tuple[int, int], window: tuple[int, int]
) -> npt.NDArray[np.bool_]:
    """For each place whether a window there lies in the picture with its padding."""
    at = np.array(wanted, np.int64).reshape(-1, 2)
    most = np.array([picture.shape[1], picture.shape[0]]) + np.array(pad) - np.array(window)
    fits: npt.NDArray[np.bool_] = ((at >= -np.array(pad)) & (at <= most)).all(axis=1)
    return fits


def picture_of(picture: npt.NDArray[Any] | None, function: str) -> npt.NDArray[np.uint8]:
    """The picture in a form that Winnow takes: grey, or colour in the order bgr."""
    if picture is None or picture.size == 0:
        raise failure("!img.empty()", function)
    if picture.ndim == 3 and picture.shape[2] == 1:
        picture = picture[..., 0]
    if picture.dtype != np.uint8 or not (picture.ndim == 2 or (picture.ndim == 3 and picture.shape[2] == 3)):
        raise failure(
            "img.type() == CV_8U || img.type() == CV_8UC3: the array has the type "
            f"{picture.dtype} and the shape {picture.shape}",
            function,
        )
    return picture

"""OpenCV's computeGradient: votes of each pixel for two bins of orientation."""

from typing import Any

import numpy as np
import numpy.typing as npt

# The coefficients of OpenCV's polynomial for the arc tangent in degrees.
_ATAN = (57.283626556396484, -18.667446136474609, 8.9140005111694336, -2.5397248268127441)


def mirrored(first: int, last: int, size: int) -> npt.NDArray[np.intp]:
    """Places `first` to `last` - 1 of a row of `size` pixels that is mirrored about its ends, as often as needed."""
    at = np.arange(first, last)
    if size == 1:
        return np.zeros_like(at)
    at = at % (2 * size - 2)
    return np.where(at < size, at, 2 * size - 2 - at)


def _degrees(dx: npt.NDArray[np.float32], dy: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    ax, ay = np.abs(dx), np.abs(dy)
    c = np.minimum(ax, ay) / (np.maximum(ax, ay) + np.float32(2.2204460492503131e-16))
    c2 = c * c
    p1, p3, p5, p7 = (np.float32(factor) for factor in _ATAN)
    angle = (((p7 * c2 + p5) * c2 + p3) * c2 + p1) * c
    angle = np.where(ay > ax, np.float32(90) - angle, angle)
    angle = np.where(dx < 0, np.float32(180) - angle, angle)
    return np.where(dy < 0, np.float32(360) - angle, angle).astype(np.float32)


def gradient(
    picture: npt.NDArray[np.uint8], margins: tuple[int, int, int, int], bins: int, directed: bool, gamma: bool
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
    """The two votes of each pixel, and the bins that they are for. `margins`: pixels added left, top, right, bottom."""
    left, top, right, bottom = margins
    height, width = picture.shape[:2]
    rows = mirrored(-top - 1, height + bottom + 1, height)
    columns = mirrored(-left - 1, width + right + 1, width)
    pixels = picture.reshape(height, width, -1)[rows][:, columns].astype(np.float32)
    if gamma:
        pixels = np.sqrt(pixels)
    dx, dy = pixels[1:-1, 2:] - pixels[1:-1, :-2], pixels[2:, 1:-1] - pixels[:-2, 1:-1]
    if dx.shape[2] == 1:
        dx, dy = dx[..., 0], dy[..., 0]
    else:
        longest = np.argmax(dx * dx + dy * dy, axis=2)[..., None]
        dx = np.take_along_axis(dx, longest, 2)[..., 0]
        dy = np.take_along_axis(dy, longest, 2)[..., 0]
    length = np.sqrt(dx * dx + dy * dy)
    radians = _degrees(dx, dy) * np.float32(np.pi / 180)
    at = radians * np.float32(bins / (2 * np.pi if directed else np.pi)) - np.float32(0.5)
    lower = np.floor(at)
    fraction = at - lower
    bin_ = lower.astype(np.int32)
    bin_ = np.where(bin_ < 0, bin_ + bins, np.where(bin_ >= bins, bin_ - bins, bin_))
    after = np.where(bin_ + 1 < bins, bin_ + 1, 0)
    votes = np.stack([length * (np.float32(1) - fraction), length * fraction], axis=2)
    numbers = np.stack([bin_, after], axis=2)
    return np.array(votes, np.float32, order="C"), np.array(numbers, np.uint8, order="C")


def into(result: npt.NDArray[Any], given: Any) -> Any:
    """Fills and gives `given`, if it is an array of the result's shape and type. Else gives `result`."""
    if isinstance(given, np.ndarray) and given.shape == result.shape and given.dtype == result.dtype:
        given[...] = result
        return given
    return result

"""The model of OpenCV's HOGDescriptor as one of Winnow's: shape, weights, and the detector made of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from .._core import Describer, Detector, Error, HogShape, HogSvm
from . import _hog_file
from ._arguments import error, failure, opencv, opencv_errors

LEVELS = 64
_MOST_WEIGHT = 1024.0  # the largest weight that a `HogSvm` takes
_LEAST_WEIGHT = 0.125  # smaller weights lose digits in Winnow's whole numbers


class HogModel:
    """What a HOGDescriptor holds: OpenCV's attributes, the numbers of its SVM, and Winnow's objects for them."""

    def __init__(self, machine: dict[str, Any]) -> None:
        self._machine = machine
        self._values: dict[str, Any] = {}
        self._numbers: npt.NDArray[np.float32] | None = None
        self._detector: Detector | None = None
        self._unit = 1.0  # OpenCV's score is the detector's score times this factor
        self._describer: Describer | None = None

    def _sigma(self) -> float:
        sigma = float(self._values["winSigma"])
        return sigma if sigma > 0 else sum(self._values["blockSize"]) / 8

    def _size(self) -> int:
        window, block, stride, cell = (self._values[name] for name in ("winSize", "blockSize", "blockStride", "cellSize"))
        for axis in (0, 1):
            if not cell[axis] or block[axis] % cell[axis] or not stride[axis]:
                raise failure(f"blocks of {block} are not made of whole cells of {cell}", "getDescriptorSize")
            if (window[axis] - block[axis]) % stride[axis]:
                raise failure(
                    f"blocks of {block} at a stride of {stride} do not fill the window of {window}", "getDescriptorSize"
                )
        blocks = [int((window[axis] - block[axis]) / stride[axis]) + 1 for axis in (0, 1)]
        cells = [block[axis] // cell[axis] for axis in (0, 1)]
        return int(self._values["nbins"] * cells[0] * cells[1] * blocks[0] * blocks[1])

    def _numbers_of(self, given: Any) -> npt.NDArray[np.float32] | None:
        """The numbers that the caller gave, as an array of one dimension; None if there are none."""
        if opencv is not None and isinstance(given, getattr(opencv, "UMat", ())):
            given = given.get()
        if isinstance(given, np.ndarray) and given.dtype.kind not in "iuf":
            raise TypeError(f"svmdetector data type = {given.dtype} is not supported")
        if not isinstance(given, (np.ndarray, tuple, list)):
            raise TypeError("svmdetector is not a numpy array, neither a scalar")
        numbers = np.array(given, np.float32)
        if numbers.size > max(numbers.shape, default=0):
            raise failure("the numbers are a row or a column", "setSVMDetector")
        numbers = numbers.reshape(-1)
        if len(numbers):
            size = self._size()
            if len(numbers) not in (size, size + 1):
                raise failure(
                    f"checkDetectorSize(): there are {len(numbers)} numbers, {size} or {size + 1} are "
                    "needed",
                    "setSVMDetector",
                )
        return numbers if len(numbers) else None

    def _shape(self) -> HogShape:
        values = self._values
        return HogShape(
            window=values["winSize"],
            block=values["blockSize"],
            block_stride=values["blockStride"],
            cell=values["cellSize"],
            bins=values["nbins"],
            directed=values["signedGradient"],
            gamma=values["gammaCorrection"],
            sigma=self._sigma(),
            # A clip of 0 cuts every value to 0. `HogShape` does not take 0, and 1e-30 does nearly the same.
            clip=values["L2HysThreshold"] or 1e-30,
        )

    def _svm(self, numbers: npt.NDArray[np.float32], unit: float) -> HogSvm:
        size = self._size()
        bias = float(numbers[size]) if len(numbers) > size else 0.0
        return HogSvm((numbers[:size] / np.float32(unit)).astype(np.float32), bias / unit, self._shape())

    def _take(self, numbers: npt.NDArray[np.float32] | None) -> None:
        """Makes the detector of these numbers. Small and large numbers are divided by a power of two."""
        detector, unit = None, 1.0
        if numbers is not None and np.isfinite(numbers).all():
            most = float(np.abs(numbers[: self._size()]).max(initial=0.0))
            most = max(most, float(np.abs(numbers).max()) * 2.0**-20)  # the bias may be 2^20 times larger
            if most > _MOST_WEIGHT or 0 < most < _LEAST_WEIGHT:
                unit = 2.0 ** math.ceil(math.log2(most))
            with opencv_errors("setSVMDetector"):
                detector = Detector(self._svm(numbers, unit), **self._machine)
        elif numbers is not None:  # not finite: `_search` finds nothing
            with opencv_errors("setSVMDetector"):
                detector = Detector(self._svm(np.zeros_like(numbers), 1.0), **self._machine)
        self._numbers, self._detector, self._unit = numbers, detector, unit

    def _read(self, path: str, name: str) -> bool:
        """Takes the values of a file; False, and no change, if the file holds no descriptor."""
        if not path:
            raise failure("the name of the file is empty, or None", "load", -27)
        try:
            found = _hog_file.read(path, name)
        except OSError as reason:
            raise failure(f"'{path}' cannot be read: {reason.strerror}", "load", -2) from reason
        except (ValueError, SyntaxError):
            found = None
        if found is None:
            if name:
                return False
            try:
                svm = HogSvm.load(path)
            except Error as reason:
                raise failure(str(reason), "load") from reason
            shape = svm.shape
            found = (
                {
                    "winSize": shape.window,
                    "blockSize": shape.block,
                    "blockStride": shape.block_stride,
                    "cellSize": shape.cell,
                    "nbins": shape.bins,
                    "derivAperture": 1,
                    "winSigma": shape.sigma or -1.0,
                    "histogramNormType": 0,
                    "L2HysThreshold": shape.clip,
                    "gammaCorrection": shape.gamma,
                    "nlevels": LEVELS,
                    "signedGradient": shape.directed,
                },
                np.append(svm.weights, np.float32(svm.bias)).astype(np.float32),
            )
        before = self._values
        self._values, numbers = found
        try:
            self._take(numbers)
        except error:
            self._values = before
            raise
        self._describer = None
        return True

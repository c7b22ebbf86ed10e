"""OpenCV's HOGDescriptor with Winnow's engine, as `winnow.cv2` gives it."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .._core import Describer, Detections, Detector, Error, HogShape, HogSvm, _merge_like_opencv
from . import _hog_file
from ._arguments import (
    NO_NAME,
    Number,
    Places,
    Rects,
    Size,
    Weights,
    Whole,
    array_of,
    error,
    failure,
    file_name,
    flag,
    number,
    opencv,
    overloaded,
    own,
    pair,
    places,
    opencv_errors,
    whole,
)
from ._gradient import gradient, into

_LEVELS = 64
_MOST_WEIGHT = 1024.0  # the limit of a `HogSvm`
_LEAST_WEIGHT = 0.125  # if all weights are smaller, whole numbers would hold few of their digits
_warned: set[str] = set()


def HOGDescriptor_getDefaultPeopleDetector() -> npt.NDArray[np.float32]:  # noqa: N802
    """OpenCV's own numbers, if OpenCV 4 is installed; else those of the model `people-svm`, with a warning.

    >>> winnow.cv2.HOGDescriptor_getDefaultPeopleDetector().shape
    (3781,)
    """
    function = getattr(opencv, "HOGDescriptor_getDefaultPeopleDetector", None)
    if function is not None:
        theirs: npt.NDArray[np.float32] = function()
        return theirs
    if "people" not in _warned:
        _warned.add("people")
        warnings.warn(
            "getDefaultPeopleDetector gives the numbers of Winnow's model people-svm, since OpenCV 4 is not "
            "installed: boxes and weights are not OpenCV's",
            RuntimeWarning,
            stacklevel=2,
        )
    svm = HogSvm.load("people-svm")
    return np.append(svm.weights, np.float32(svm.bias)).astype(np.float32)


def HOGDescriptor_getDaimlerPeopleDetector() -> npt.NDArray[np.float32]:  # noqa: N802
    """OpenCV's own numbers, if OpenCV 4 is installed; Winnow does not have them."""
    function = getattr(opencv, "HOGDescriptor_getDaimlerPeopleDetector", None)
    if function is None:
        raise failure(
            "the numbers of getDaimlerPeopleDetector are OpenCV's, and winnow.cv2 does not have them: save "
            "cv2.HOGDescriptor_getDaimlerPeopleDetector() where OpenCV 4 is installed, and give the array to "
            "setSVMDetector",
            "getDaimlerPeopleDetector",
        )
    theirs: npt.NDArray[np.float32] = function()
    return theirs


class HOGDescriptor:
    """OpenCV's class of this name, with Winnow's engine.

    ``HOGDescriptor()``, ``HOGDescriptor(filename)`` and ``HOGDescriptor(winSize, blockSize, blockStride,
    cellSize, nbins, ...)`` are OpenCV's forms. As in OpenCV, the last form has no gamma correction unless you
    ask for it. The answer does not depend on ``threads``, ``backend`` and ``devices``, which OpenCV does not have.

    >>> hog = winnow.cv2.HOGDescriptor((48, 96), (16, 16), (8, 8), (8, 8), 9)
    >>> hog.getDescriptorSize()
    1980
    """

    @overloaded
    def __init__(
        self,
        _winSize: Size | str | os.PathLike[str] = NO_NAME,  # noqa: N803
        _blockSize: Size = NO_NAME,  # noqa: N803
        _blockStride: Size = NO_NAME,  # noqa: N803
        _cellSize: Size = NO_NAME,  # noqa: N803
        _nbins: Whole = NO_NAME,
        _derivAperture: Whole = 1,  # noqa: N803
        _winSigma: Number = -1,  # noqa: N803
        _histogramNormType: Whole = 0,  # noqa: N803
        _L2HysThreshold: Number = 0.2,  # noqa: N803
        _gammaCorrection: bool | None = False,  # noqa: N803
        _nlevels: Whole = _LEVELS,
        _signedGradient: bool | None = False,  # noqa: N803
        *,
        filename: str | os.PathLike[str] = NO_NAME,
        backend: Literal["auto", "reference", "cpu", "cuda"] = "auto",
        threads: int = 0,
        devices: Sequence[int] = (0,),
    ) -> None:
        self._machine: dict[str, Any] = {"backend": backend, "threads": threads, "devices": devices}
        self._numbers: npt.NDArray[np.float32] | None = None
        self._detector: Detector | None = None
        self._unit = 1.0  # the factor of the detector's scores
        self._describer: Describer | None = None
        self._values: dict[str, Any] = {
            "winSize": (64, 128),
            "blockSize": (16, 16),
            "blockStride": (8, 8),
            "cellSize": (8, 8),
            "nbins": 9,
            "derivAperture": whole(_derivAperture, "_derivAperture", 1),
            "winSigma": number(_winSigma, "_winSigma", -1.0),
            "histogramNormType": whole(_histogramNormType, "_histogramNormType", 0),
            "L2HysThreshold": number(_L2HysThreshold, "_L2HysThreshold", 0.2),
            "gammaCorrection": flag(_gammaCorrection, "_gammaCorrection", False),
            "nlevels": whole(_nlevels, "_nlevels", _LEVELS),
            "signedGradient": flag(_signedGradient, "_signedGradient", False),
        }
        names = ("_winSize", "_blockSize", "_blockStride", "_cellSize", "_nbins")
        given = dict(zip(names, (_winSize, _blockSize, _blockStride, _cellSize, _nbins), strict=True))
        given = {name: value for name, value in given.items() if value is not NO_NAME}
        if list(given) == ["_winSize"] and (isinstance(_winSize, str) or hasattr(_winSize, "__fspath__")):
            filename, given = _winSize, {}  # type: ignore[assignment]
        if filename is not NO_NAME:
            if given:
                raise TypeError("a file gives all sizes")
            if not self._read(file_name(filename, "filename"), ""):
                raise failure("the file holds no descriptor", "HOGDescriptor")
            return
        if not given:
            self._values["gammaCorrection"] = True
            return
        if len(given) < len(names):
            raise TypeError(f"a value for '{next(name for name in names if name not in given)}' is missing")
        for name in names[:4]:
            self._values[name[1:]] = pair(given[name], name)
        self._values["nbins"] = whole(_nbins, "_nbins", 0)

    winSize = property(lambda self: self._values["winSize"], doc="(width, height) of the window.")  # noqa: N815
    blockSize = property(lambda self: self._values["blockSize"], doc="(width, height) of a block.")  # noqa: N815
    blockStride = property(lambda self: self._values["blockStride"], doc="From block to block.")  # noqa: N815
    cellSize = property(lambda self: self._values["cellSize"], doc="(width, height) of a cell.")  # noqa: N815
    nbins = property(lambda self: self._values["nbins"], doc="Bins of orientation.")
    derivAperture = property(lambda self: self._values["derivAperture"], doc="Without effect.")  # noqa: N815
    winSigma = property(lambda self: self._values["winSigma"], doc="As given; see `getWinSigma`.")  # noqa: N815
    histogramNormType = property(lambda self: self._values["histogramNormType"], doc="Without effect.")  # noqa: N815
    L2HysThreshold = property(lambda self: self._values["L2HysThreshold"], doc="Where values are cut.")
    gammaCorrection = property(lambda self: self._values["gammaCorrection"], doc="Roots are taken first.")  # noqa: N815
    nlevels = property(lambda self: self._values["nlevels"], doc="The largest number of levels.")
    signedGradient = property(lambda self: self._values["signedGradient"], doc="Bins cover 360 degrees.")  # noqa: N815

    @property
    def svmDetector(self) -> Any:  # noqa: N802
        """The numbers that `setSVMDetector` or `load` gave; () without any."""
        return () if self._numbers is None else self._numbers.copy()

    def getWinSigma(self) -> float:  # noqa: N802
        """Sigma of the Gaussian over a block."""
        sigma = float(self._values["winSigma"])
        return sigma if sigma > 0 else sum(self._values["blockSize"]) / 8

    def getDescriptorSize(self) -> int:  # noqa: N802
        """The number of values of a window."""
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

    def checkDetectorSize(self) -> bool:  # noqa: N802
        """Whether the numbers fit the window: always, since `setSVMDetector` refuses others."""
        return True

    @overloaded
    def setSVMDetector(self, svmdetector: Any) -> None:  # noqa: N802
        """Takes the weights of a linear SVM, and its bias as a last number, if there is one more.

        >>> hog = winnow.cv2.HOGDescriptor()
        >>> hog.setSVMDetector(np.zeros(3781, np.float32))
        """
        if svmdetector is None:
            return self._take(None)
        if opencv is not None and isinstance(svmdetector, getattr(opencv, "UMat", ())):
            svmdetector = svmdetector.get()
        if isinstance(svmdetector, np.ndarray) and svmdetector.dtype.kind not in "iuf":
            raise TypeError(f"svmdetector data type = {svmdetector.dtype} is not supported")
        if not isinstance(svmdetector, (np.ndarray, tuple, list)):
            raise TypeError("svmdetector is not a numpy array, neither a scalar")
        numbers = np.array(svmdetector, np.float32)
        if numbers.size > max(numbers.shape, default=0):
            raise failure("the numbers are a row or a column", "setSVMDetector")
        numbers = numbers.reshape(-1)
        if len(numbers):
            size = self.getDescriptorSize()
            if len(numbers) not in (size, size + 1):
                raise failure(
                    f"checkDetectorSize(): there are {len(numbers)} numbers, {size} or {size + 1} are "
                    "needed",
                    "setSVMDetector",
                )
        self._take(numbers if len(numbers) else None)

    def load(self, filename: str | os.PathLike[str], objname: str | None = "") -> bool:
        """Reads OpenCV's XML, YAML or JSON, a file of numbers, or Winnow's own file.

        ``objname`` is the name of the node to read; if it is empty, the first node of a file is read.
        """
        if objname is not None and not isinstance(objname, str):
            raise TypeError("Can't convert object to 'str' for 'objname'")
        path = file_name(filename, "filename")
        if not self._read(path, objname or ""):
            raise failure(f"'{path}' holds no descriptor" + (f" of the name '{objname}'" if objname else ""), "load")
        return True

    def save(self, filename: str | os.PathLike[str], objname: str | None = "") -> None:
        """Writes XML, YAML or JSON, as the name's ending says; YAML for other endings, Winnow's own file for .winnow.

        >>> hog = winnow.cv2.HOGDescriptor()
        >>> hog.setSVMDetector(np.zeros(3781, np.float32))
        >>> hog.save("people.xml")
        """
        path = file_name(filename, "filename")
        name = objname or _hog_file.node_name(path)
        if not path or _hog_file.node_name(name) != name:
            raise failure("a file and what it holds need names of letters and digits", "save", -27)
        if path.endswith(".winnow"):
            if self._numbers is None:
                raise failure("there is nothing to save: call setSVMDetector first", "save")
            with opencv_errors("save"):
                self._svm(self._numbers, 1.0).save(path)
            return
        try:
            _hog_file.write(path, name, {**self._values, "winSigma": self.getWinSigma()}, self._numbers)
        except OSError as reason:
            raise failure(f"'{path}' cannot be written: {reason.strerror}", "save", -2) from reason

    @overloaded
    def detectMultiScale(  # noqa: N802
        self,
        img: Any,
        hitThreshold: Number = 0,  # noqa: N803
        winStride: Size = None,  # noqa: N803
        padding: Size = None,
        scale: Number = 1.05,
        groupThreshold: Number = 2.0,  # noqa: N803
        useMeanshiftGrouping: bool | None = False,  # noqa: N803
        *,
        finalThreshold: Number = None,  # noqa: N803
    ) -> tuple[Rects, Weights]:
        """Boxes as (n, 4), and the weight of each; ((), ()) if nothing is found. Colour is in the order bgr.

        ``finalThreshold`` is the name that OpenCV had for ``groupThreshold`` before 4.7.

        >>> hog = winnow.cv2.HOGDescriptor()
        >>> hog.setSVMDetector(np.append(np.zeros(3780), -1))
        >>> hog.detectMultiScale(np.zeros((200, 200), np.uint8), winStride=(8, 8), padding=(8, 8), scale=1.05)
        ((), ())
        """
        picture = array_of(img, "img")
        threshold = number(hitThreshold, "hitThreshold", 0.0)
        step, pad = pair(winStride, "winStride"), pair(padding, "padding")
        factor = number(scale, "scale", 1.05)
        if finalThreshold is not None and groupThreshold not in (2.0, None):
            raise TypeError("'groupThreshold' and 'finalThreshold' are two names of one argument")
        group = number(groupThreshold if finalThreshold is None else finalThreshold, "groupThreshold", 2.0)
        shift = flag(useMeanshiftGrouping, "useMeanshiftGrouping", False)
        if picture is None or picture.size == 0:
            raise failure("!img.empty()", "detectMultiScale")
        if self._detector is None:
            return ((), ())
        levels = self._values["nlevels"]
        if levels < 1:
            raise failure(f"nlevels must be 1 or more, and is {levels}", "detectMultiScale")
        if not (math.isfinite(factor) and factor > 1):
            levels, factor = 1, 2.0
        plan: dict[str, Any] = {"scale_factor": factor, "max_levels": min(levels, 4096)}
        if shift:
            plan.update(min_neighbors=0, clip=False)
        else:  # a number truncated to 32 bits
            plan["min_neighbors"] = max(int(group), 0) if abs(group) < 2**31 else 0
        found = self._search(
            "detectMultiScale", picture, threshold, step, self._values["blockStride"], pad, plan
        )
        if found is None or not len(found):
            return ((), ())
        scores = found.scores * self._unit
        if not shift:
            return own(found.boxes, np.int32), own(scores, np.float64)
        boxes, weights = _merge_like_opencv(
            found.boxes,
            scores,
            self._scales(found, factor, levels),
            group,
            self._values["winSize"],
            picture.shape[1::-1],
        )
        return own(boxes, np.int32), own(weights, np.float64)

    @overloaded
    def detect(
        self,
        img: Any,
        hitThreshold: Number = 0,  # noqa: N803
        winStride: Size = None,  # noqa: N803
        padding: Size = None,
        searchLocations: Places = None,  # noqa: N803
    ) -> tuple[Rects, Weights]:
        """The top left corners of the windows that are found as (n, 2), and their weights, in one size.

        >>> hog = winnow.cv2.HOGDescriptor()
        >>> hog.setSVMDetector(np.append(np.zeros(3780), 1))
        >>> hog.detect(np.zeros((128, 72), np.uint8))[0].tolist()
        [[0, 0], [8, 0]]
        """
        picture = array_of(img, "img")
        threshold = number(hitThreshold, "hitThreshold", 0.0)
        step, pad = pair(winStride, "winStride"), pair(padding, "padding")
        wanted = places(searchLocations, "searchLocations")
        if picture is None:
            raise failure("!img.empty()", "detect")
        if self._detector is None or picture.size == 0:
            return ((), ())
        plan = {"max_levels": 1, "min_neighbors": 0, "clip": False, "locations": wanted}
        found = self._search("detect", picture, threshold, step, self._values["cellSize"], pad, plan)
        if found is None or not len(found):
            return ((), ())
        return own(found.boxes[:, :2], np.int32), own(found.scores * self._unit, np.float64)

    @overloaded
    def compute(
        self,
        img: Any,
        winStride: Size = None,  # noqa: N803
        padding: Size = None,
        locations: Places = None,
    ) -> npt.NDArray[np.float32] | tuple[()]:
        """The values of all windows, one after the other, row by row, or those of the windows at some places.

        >>> winnow.cv2.HOGDescriptor().compute(np.zeros((128, 64), np.uint8)).shape
        (3780,)
        """
        if self._describer is not None and winStride is padding is locations is None and type(img) is np.ndarray:
            row: npt.NDArray[np.float32] | None = self._describer._flat(img, self._values["cellSize"], (0, 0))
            if row is not None:
                return row
        picture = _picture_of(array_of(img, "img"), "compute")
        step, pad = pair(winStride, "winStride"), pair(padding, "padding")
        wanted = places(locations, "locations")
        size = self.getDescriptorSize()
        if size == 0 and self._values["nbins"] > 0:
            return ()
        step, pad = self._grid("compute", step, self._values["cellSize"], pad)
        if not wanted and self._windows("compute", picture, step, pad) == 0:
            return ()
        if self._describer is None:
            with opencv_errors("compute"):
                self._describer = Describer(self._shape())
        if not wanted:
            with opencv_errors("compute"):
                row = self._describer._flat(picture, step, pad)
            return () if row is None else row
        inside = _inside(wanted, picture, pad, self._values["winSize"])
        good = [place for place, fits in zip(wanted, inside, strict=True) if fits]
        if not good:
            return np.zeros(len(wanted) * size, np.float32)
        with opencv_errors("compute"):
            values = self._describer.describe(picture, channels="bgr", step=step, padding=pad, locations=good)
        if len(good) < len(wanted):
            rows = np.zeros((len(wanted), size), np.float32)
            rows[inside] = values.reshape(len(good), size)
            values = rows
        return values.reshape(-1)

    @overloaded
    def computeGradient(  # noqa: N802
        self,
        img: Any,
        grad: Any,
        angleOfs: Any,  # noqa: N803
        paddingTL: Size = None,  # noqa: N803
        paddingBR: Size = None,  # noqa: N803
    ) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.uint8]]:
        """The votes of each pixel for two bins, (height, width, 2), and these bins; arrays that fit are filled.

        >>> votes, bins = winnow.cv2.HOGDescriptor().computeGradient(np.eye(9, dtype=np.uint8), None, None)
        >>> votes.shape, bins.dtype
        ((9, 9, 2), dtype('uint8'))
        """
        picture = _picture_of(array_of(img, "img"), "computeGradient")
        left, top = pair(paddingTL, "paddingTL")
        right, bottom = pair(paddingBR, "paddingBR")
        bins = self._values["nbins"]
        if not 0 < bins < 256:
            raise failure("there are 1 to 255 bins", "computeGradient")
        height, width = picture.shape[:2]
        if height + top + bottom < 1 or width + left + right < 1:
            raise failure("the padding leaves no pixel", "computeGradient")
        votes, numbers = gradient(
            picture, (left, top, right, bottom), bins, self._values["signedGradient"], self._values["gammaCorrection"]
        )
        return into(votes, grad), into(numbers, angleOfs)

    @staticmethod
    def getDefaultPeopleDetector() -> npt.NDArray[np.float32]:  # noqa: N802
        """As `HOGDescriptor_getDefaultPeopleDetector`."""
        return HOGDescriptor_getDefaultPeopleDetector()

    @staticmethod
    def getDaimlerPeopleDetector() -> npt.NDArray[np.float32]:  # noqa: N802
        """As `HOGDescriptor_getDaimlerPeopleDetector`."""
        return HOGDescriptor_getDaimlerPeopleDetector()

    def __reduce__(self) -> Any:
        raise TypeError("cannot pickle 'HOGDescriptor' object")

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
            sigma=self.getWinSigma(),
            # A clip of 0 cuts everything; so does the smallest number.
            clip=values["L2HysThreshold"] or 1e-30,
        )

    def _svm(self, numbers: npt.NDArray[np.float32], unit: float) -> HogSvm:
        size = self.getDescriptorSize()
        bias = float(numbers[size]) if len(numbers) > size else 0.0
        return HogSvm((numbers[:size] / np.float32(unit)).astype(np.float32), bias / unit, self._shape())

    def _take(self, numbers: npt.NDArray[np.float32] | None) -> None:
        """Makes the detector of these numbers. A power of two brings small and large ones near 1."""
        detector, unit = None, 1.0
        if numbers is not None and np.isfinite(numbers).all():
            most = float(np.abs(numbers[: self.getDescriptorSize()]).max(initial=0.0))
            most = max(most, float(np.abs(numbers).max()) * 2.0**-20)  # a large bias has digits enough
            if most > _MOST_WEIGHT or 0 < most < _LEAST_WEIGHT:
                unit = 2.0 ** math.ceil(math.log2(most))
            with opencv_errors("setSVMDetector"):
                detector = Detector(self._svm(numbers, unit), **self._machine)
        elif numbers is not None:  # no window has a score that high
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
                    "nlevels": _LEVELS,
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

    def _grid(
        self, function: str, step: tuple[int, int], otherwise: tuple[int, int], padding: tuple[int, int]
    ) -> tuple[tuple[int, int], tuple[int, int]]:
        """Stride and padding by OpenCV's rules."""
        if step == (0, 0):
            step = otherwise
        if min(step) < 1:
            raise failure(f"a stride must be above 0 in both directions, and it is {step}", function)
        pads = []
        for axis in (0, 1):
            unit = math.gcd(step[axis], self._values["blockStride"][axis])
            pad = (max(padding[axis], 0) + unit - 1) & -unit  # correct if the unit is a power of two
            if pad % unit:
                raise failure(
                    f"OpenCV rounds the padding to {pad}, which is no multiple of {unit}: choose another", function
                )
            pads.append(pad)
        return step, (pads[0], pads[1])

    def _windows(
        self, function: str, picture: npt.NDArray[Any], step: tuple[int, int], pad: tuple[int, int]
    ) -> int:
        """The number of windows as OpenCV counts them; an error where OpenCV would read outside of the picture."""
        counts = []
        for axis, side in ((0, picture.shape[1]), (1, picture.shape[0])):
            spare = side + 2 * pad[axis] - self._values["winSize"][axis]
            counts.append(int(spare / step[axis]) + 1)
            if spare < 0 and counts[-1] != 0:
                counts[-1] = -1
        if min(counts) < 0 and 0 not in counts:
            width, height = self._values["winSize"]
            raise failure(
                f"the picture of {picture.shape[1]}x{picture.shape[0]} is smaller than the window of {width}x{height}; "
                "OpenCV would read outside of its memory",
                function,
            )
        return counts[0] * counts[1]

    def _search(
        self,
        function: str,
        image: npt.NDArray[Any],
        threshold: float,
        step: tuple[int, int],
        otherwise: tuple[int, int],
        padding: tuple[int, int],
        plan: dict[str, Any],
    ) -> Detections | None:
        picture = _picture_of(image, function)
        step, pad = self._grid(function, step, otherwise, padding)
        wanted = plan.get("locations")
        if wanted:
            inside = _inside(wanted, picture, pad, self._values["winSize"])
            plan["locations"] = [place for place, fits in zip(wanted, inside, strict=True) if fits]
            if not plan["locations"]:
                return None
        elif self._windows(function, picture, step, pad) == 0:
            return None
        numbers, detector = self._numbers, self._detector
        if detector is None or numbers is None or math.isnan(threshold) or not np.isfinite(numbers).all():
            return None
        min_score = max(threshold / self._unit, -1.7e308)  # minus infinity means 0 to Winnow
        with opencv_errors(function):
            return detector.detect(picture, channels="bgr", min_score=min_score, step=step, padding=pad, **plan)

    def _scales(self, found: Detections, factor: float, levels: int) -> npt.NDArray[np.float64]:
        """The scale of each window, which its sides show."""
        width, height = self._values["winSize"]
        scales: dict[tuple[int, int], float] = {}
        scale, last = 1.0, int(found.boxes[:, 2].max())
        for _ in range(levels):
            sides = (round(width * scale), round(height * scale))
            scales.setdefault(sides, scale)
            if sides[0] > last:
                break
            scale *= factor
        return np.array([scales[(int(w), int(h))] for w, h in found.boxes[:, 2:]])


def _inside(
    wanted: list[tuple[int, int]], picture: npt.NDArray[Any], pad: tuple[int, int], window: tuple[int, int]
) -> npt.NDArray[np.bool_]:
    """Which places leave room for a window in the picture with its padding."""
    at = np.array(wanted, np.int64).reshape(-1, 2)
    most = np.array([picture.shape[1], picture.shape[0]]) + np.array(pad) - np.array(window)
    fits: npt.NDArray[np.bool_] = ((at >= -np.array(pad)) & (at <= most)).all(axis=1)
    return fits


def _picture_of(picture: npt.NDArray[Any] | None, function: str) -> npt.NDArray[np.uint8]:
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

"""OpenCV's HOGDescriptor with Winnow's engine, as `winnow.cv2` gives it."""

import math
import os
import warnings
from collections.abc import Sequence
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np
import numpy.typing as npt

from ._core import Detector, Error, HogShape, HogSvm, describe_windows
from ._cv2_arguments import Rects, Size, error, number, opencv, rects, size, whole

_LEVELS = 64


def HOGDescriptor_getDefaultPeopleDetector() -> Any:  # noqa: N802
    """OpenCV's own numbers, if OpenCV 4 is installed; Winnow does not have them."""
    return _people("getDefaultPeopleDetector")


def HOGDescriptor_getDaimlerPeopleDetector() -> Any:  # noqa: N802
    """OpenCV's own numbers, if OpenCV 4 is installed; Winnow does not have them."""
    return _people("getDaimlerPeopleDetector")


def _people(name: str) -> Any:
    function = getattr(opencv, f"HOGDescriptor_{name}", None)
    if function is None:
        raise error(
            f"the numbers of {name} are OpenCV's, and winnow.cv2 does not have them: save cv2.HOGDescriptor_{name}() "
            "where OpenCV 4 is installed and give the array to setSVMDetector, or load a model of Winnow's"
        )
    return function()


class HOGDescriptor:
    """OpenCV's class of this name, with Winnow's engine.

    ``HOGDescriptor()``, ``HOGDescriptor(filename)`` and ``HOGDescriptor(winSize, blockSize, blockStride,
    cellSize, nbins, ...)`` are OpenCV's forms. As in OpenCV, the last form has no gamma correction unless you
    ask for it. The answer does not depend on ``threads``, ``backend`` and ``devices``, which OpenCV does not have.

    >>> hog = winnow.cv2.HOGDescriptor((48, 96), (16, 16), (8, 8), (8, 8), 9)
    >>> hog.getDescriptorSize()
    1980
    """

    def __init__(
        self,
        _winSize: Size | str | os.PathLike[str] = None,  # noqa: N803
        _blockSize: Size = None,  # noqa: N803
        _blockStride: Size = None,  # noqa: N803
        _cellSize: Size = None,  # noqa: N803
        _nbins: SupportsIndex | None = None,
        _derivAperture: SupportsIndex = 1,  # noqa: N803
        _winSigma: SupportsFloat = -1,  # noqa: N803
        _histogramNormType: SupportsIndex = 0,  # noqa: N803
        _L2HysThreshold: SupportsFloat = 0.2,  # noqa: N803
        _gammaCorrection: bool | None = None,  # noqa: N803
        _nlevels: SupportsIndex = _LEVELS,
        _signedGradient: bool = False,  # noqa: N803
        *,
        filename: str | os.PathLike[str] | None = None,
        backend: str = "auto",
        threads: int = 0,
        devices: Sequence[int] = (0,),
    ) -> None:
        self._machine: dict[str, Any] = {"backend": backend, "threads": threads, "devices": devices}
        self._numbers: npt.NDArray[np.float32] | None = None
        self._svm: HogSvm | None = None
        self._detector: Detector | None = None
        self._levels = whole(_nlevels, "_nlevels")
        if isinstance(_winSize, (str, os.PathLike)):
            filename, _winSize = _winSize, None
        sizes = (_winSize, _blockSize, _blockStride, _cellSize)
        given = [part is not None for part in (*sizes, _nbins)]
        if any(given) and (filename is not None or not all(given)):
            raise error(
                "HOGDescriptor takes nothing, a file name, or all of winSize, blockSize, blockStride, cellSize, nbins"
            )
        if whole(_derivAperture, "_derivAperture") != 1:
            raise error("winnow.cv2 knows the derivAperture 1 only, as OpenCV computes it whatever it is told")
        if whole(_histogramNormType, "_histogramNormType") != 0:
            raise error("winnow.cv2 knows the histogramNormType 0 (L2Hys) only")
        if not any(given):
            self._shape = HogShape()
            if filename is not None:
                self.load(filename)
            return
        names = ("_winSize", "_blockSize", "_blockStride", "_cellSize")
        window, block, stride, cell = (size(part, name, 0) for part, name in zip(sizes, names, strict=True))
        sigma = number(_winSigma, "_winSigma")
        self._shape = _made(
            "HOGDescriptor",
            lambda: HogShape(
                window=window,
                block=block,
                block_stride=stride,
                cell=cell,
                bins=whole(_nbins or 0, "_nbins"),
                directed=bool(_signedGradient),
                gamma=bool(_gammaCorrection),
                sigma=max(sigma, 0.0),
                clip=number(_L2HysThreshold, "_L2HysThreshold"),
            ),
        )

    winSize = property(lambda self: self._shape.window, doc="(width, height) of the window.")  # noqa: N815
    blockSize = property(lambda self: self._shape.block, doc="(width, height) of a block.")  # noqa: N815
    blockStride = property(lambda self: self._shape.block_stride, doc="From block to block.")  # noqa: N815
    cellSize = property(lambda self: self._shape.cell, doc="(width, height) of a cell.")  # noqa: N815
    nbins = property(lambda self: self._shape.bins, doc="Bins of orientation.")
    derivAperture = property(lambda self: 1, doc="1, as OpenCV computes it.")  # noqa: N815
    winSigma = property(lambda self: self._shape.sigma or -1.0, doc="-1: see `getWinSigma`.")  # noqa: N815
    histogramNormType = property(lambda self: 0, doc="0: L2Hys.")  # noqa: N815
    L2HysThreshold = property(lambda self: self._shape.clip, doc="Where values are cut.")
    gammaCorrection = property(lambda self: self._shape.gamma, doc="Whether roots are taken first.")  # noqa: N815
    nlevels = property(lambda self: self._levels, doc="The largest number of levels.")
    signedGradient = property(lambda self: self._shape.directed, doc="Whether bins cover 360 degrees.")  # noqa: N815

    @property
    def svmDetector(self) -> Any:  # noqa: N802
        """The numbers that `setSVMDetector` or `load` gave; () without any."""
        return () if self._numbers is None else self._numbers.copy()

    def getWinSigma(self) -> float:  # noqa: N802
        """Sigma of the Gaussian over a block."""
        return self._shape.sigma or sum(self._shape.block) / 8

    def getDescriptorSize(self) -> int:  # noqa: N802
        """The number of values of a window."""
        return self._shape.values

    def checkDetectorSize(self) -> bool:  # noqa: N802
        """Whether the numbers fit the window: always, since `setSVMDetector` refuses others."""
        return True

    def setSVMDetector(self, svmdetector: Any) -> None:  # noqa: N802
        """Takes the weights of a linear SVM, and its bias as a last number, if there is one more.

        >>> hog = winnow.cv2.HOGDescriptor()
        >>> hog.setSVMDetector(np.zeros(3781, np.float32))
        """
        try:
            numbers = np.array(svmdetector, np.float32).reshape(-1)
        except (TypeError, ValueError):
            raise error("Can't parse 'svmdetector'. It is an array of numbers") from None
        values = self._shape.values
        if len(numbers) not in (0, values, values + 1):
            raise error(
                f"(-215:Assertion failed) checkDetectorSize() in function 'setSVMDetector': there are {len(numbers)} "
                f"numbers, {values} or {values + 1} are needed"
            )
        self._numbers = self._svm = self._detector = None
        if len(numbers):
            bias = float(numbers[values]) if len(numbers) > values else 0.0
            svm = _made("setSVMDetector", lambda: HogSvm(numbers[:values], bias, self._shape))
            self._take(svm, numbers)

    def load(self, filename: str | os.PathLike[str], objname: str = "") -> bool:
        """Reads OpenCV's XML, YAML or JSON, numbers alone, or Winnow's own file.

        If that fails, the answer is False, and a warning says why.
        """
        if objname:
            raise error("winnow.cv2 reads the first thing of a file, as OpenCV does: leave out 'objname'")
        self._numbers = self._svm = self._detector = None
        try:
            svm = HogSvm.load(filename)
        except Error as reason:
            warnings.warn(str(reason), RuntimeWarning, stacklevel=2)
            return False
        self._shape = svm.shape
        self._take(svm, np.append(svm.weights, np.float32(svm.bias)))
        return True

    def save(self, filename: str | os.PathLike[str], objname: str = "") -> None:
        """Writes OpenCV's XML, or Winnow's own file if the name ends in .winnow.

        >>> hog = winnow.cv2.HOGDescriptor()
        >>> hog.setSVMDetector(np.zeros(3781, np.float32))
        >>> hog.save("people.xml")
        """
        svm = self._svm
        if objname:
            raise error("winnow.cv2 names what it writes itself: leave out 'objname'")
        if svm is None:
            raise error("there is nothing to save: call setSVMDetector first")
        _made("save", lambda: svm.save(filename))

    def detectMultiScale(  # noqa: N802
        self,
        img: Any,
        hitThreshold: SupportsFloat = 0,  # noqa: N803
        winStride: Size = None,  # noqa: N803
        padding: Size = None,
        scale: SupportsFloat = 1.05,
        groupThreshold: SupportsFloat = 2.0,  # noqa: N803
        useMeanshiftGrouping: bool = False,  # noqa: N803
        *,
        finalThreshold: SupportsFloat | None = None,  # noqa: N803
    ) -> tuple[Rects, Any]:
        """Boxes as (n, 4), and the weight of each; ((), ()) if nothing is found. Colour is in the order bgr.

        ``finalThreshold`` is the name that OpenCV had for ``groupThreshold`` before 4.7.

        >>> hog = winnow.cv2.HOGDescriptor()
        >>> hog.setSVMDetector(np.append(np.zeros(3780), -1))
        >>> hog.detectMultiScale(np.zeros((200, 200), np.uint8), winStride=(8, 8), scale=1.05)
        ((), ())
        """
        if useMeanshiftGrouping:
            raise error("winnow.cv2 groups boxes by groupThreshold only: leave useMeanshiftGrouping at False")
        factor = number(scale, "scale")
        if not math.isfinite(factor):
            raise error("'scale' must be a finite number")
        threshold = number(groupThreshold if finalThreshold is None else finalThreshold, "groupThreshold")
        if not abs(threshold) < 2**31:
            raise error("'groupThreshold' must be a number of 32 bits")
        if self._levels < _LEVELS and self._levels != 1:
            raise error(f"winnow.cv2 searches up to {_LEVELS} levels, or 1, and nlevels is {self._levels}")
        found = self._detect(
            "detectMultiScale",
            img,
            hitThreshold,
            _step(winStride, self._shape.block_stride),
            padding,
            None if factor <= 1 or self._levels == 1 else factor,
            max(int(threshold), 0),
        )
        if found is None or not len(found):
            return ((), ())
        return (rects(found.boxes), np.array(found.scores, np.float64))

    def detect(
        self,
        img: Any,
        hitThreshold: SupportsFloat = 0,  # noqa: N803
        winStride: Size = None,  # noqa: N803
        padding: Size = None,
        searchLocations: Any = None,  # noqa: N803
    ) -> tuple[Any, Any]:
        """The top left corners of the windows that are found as (n, 2), and their weights, in one size.

        >>> hog = winnow.cv2.HOGDescriptor()
        >>> hog.setSVMDetector(np.append(np.zeros(3780), 1))
        >>> hog.detect(np.zeros((128, 72), np.uint8))[0].tolist()
        [[0, 0], [8, 0]]
        """
        if searchLocations is not None and len(searchLocations):
            raise error("winnow.cv2 searches whole pictures: leave out searchLocations, and choose among the answers")
        found = self._detect("detect", img, hitThreshold, _step(winStride, self._shape.cell), padding, None, 0)
        if found is None or not len(found):
            return ((), ())
        return (np.ascontiguousarray(found.boxes[:, :2]), np.array(found.scores, np.float64))

    def compute(
        self,
        img: Any,
        winStride: Size = None,  # noqa: N803
        padding: Size = None,
        locations: Any = None,
    ) -> Any:
        """The values of all windows, one after the other, row by row; () for a picture smaller than the window.

        >>> winnow.cv2.HOGDescriptor().compute(np.zeros((128, 64), np.uint8)).shape
        (3780,)
        """
        if locations is not None and len(locations):
            raise error("winnow.cv2 describes whole pictures: leave out locations, and choose among the windows")
        width, height = size(winStride, "winStride", -1)
        if width < 0 or height < 0:
            raise error("'winStride' must not be below 0")
        if (width, height) == (0, 0):
            width, height = self._shape.cell
        _refuse_padding(padding)
        picture = picture_of(img, "compute")
        if not picture.size:
            return ()
        step = (max(width, 1), max(height, 1))
        values = _made("compute", lambda: describe_windows(picture, self._shape, channels="bgr", step=step))
        return values.reshape(-1) if values.size else ()

    @staticmethod
    def getDefaultPeopleDetector() -> Any:  # noqa: N802
        """As `HOGDescriptor_getDefaultPeopleDetector`."""
        return HOGDescriptor_getDefaultPeopleDetector()

    @staticmethod
    def getDaimlerPeopleDetector() -> Any:  # noqa: N802
        """As `HOGDescriptor_getDaimlerPeopleDetector`."""
        return HOGDescriptor_getDaimlerPeopleDetector()

    def _take(self, svm: HogSvm, numbers: npt.NDArray[np.float32]) -> None:
        self._detector = Detector(svm, **self._machine)
        self._svm, self._numbers = svm, numbers

    def _detect(
        self,
        function: str,
        img: Any,
        threshold: SupportsFloat,
        step: int,
        padding: Size,
        factor: float | None,
        neighbors: int,
    ) -> Any:
        """The answer of the detector; None without numbers. `factor`: None for one size alone."""
        least = number(threshold, "hitThreshold")
        _refuse_padding(padding)
        picture = picture_of(img, function)
        if self._detector is None or not picture.size:
            return None
        window = self._shape.window
        alone: dict[str, Any] = {"min_size": window, "max_size": window} if factor is None else {}
        detector = self._detector
        return _made(
            function,
            lambda: detector.detect(
                picture,
                channels="bgr",
                scale_factor=factor or 2.0,
                min_neighbors=neighbors,
                min_score=least,
                step=step,
                **alone,
            ),
        )


def _made(function: str, make: Any) -> Any:
    try:
        return make()
    except Error as reason:
        raise error(f"{reason} in function '{function}'") from reason


def _step(stride: Size, otherwise: tuple[int, int]) -> int:
    """Winnow's one step for both directions."""
    width, height = size(stride, "winStride", -1)
    if (width, height) == (0, 0):
        width, height = otherwise
    if width != height or width < 1:
        raise error(f"winnow.cv2 needs one stride above 0 for both directions, and winStride is {(width, height)}")
    return width


def _refuse_padding(padding: Size) -> None:
    if max(size(padding, "padding", 0)) > 0:
        raise error(
            "winnow.cv2 searches inside the picture only: leave out 'padding'. To find objects that the edge cuts off, "
            "enlarge the picture by cv2.copyMakeBorder with cv2.BORDER_REFLECT_101, and shift the boxes back"
        )


def picture_of(img: Any, function: str) -> Any:
    """The picture in a form that Winnow takes: grey, or colour in the order bgr."""
    if not isinstance(img, np.ndarray):
        raise error(f"Expected a NumPy array for argument 'img', not {type(img).__name__}")
    if img.ndim == 3 and img.shape[2] == 1:
        img = img[..., 0]
    if img.dtype != np.uint8 or not (img.ndim == 2 or (img.ndim == 3 and img.shape[2] == 3)):
        raise error(
            f"(-215:Assertion failed) img.type() == CV_8U || img.type() == CV_8UC3 in function '{function}': the array "
            f"has the type {img.dtype} and the shape {img.shape}"
        )
    return img

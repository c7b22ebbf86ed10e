"""OpenCV's HOGDescriptor with Winnow's engine, as `winnow.cv2` gives it."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from .._core import Describer, Detections, _merge_like_opencv
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
    failure,
    file_name,
    flag,
    number,
    overloaded,
    own,
    pair,
    places,
    opencv_errors,
    whole,
)
from ._gradient import gradient, into
from ._hog_model import LEVELS, HogModel
from ._hog_windows import grid, inside, picture_of, scales_of, windows
from ._people import HOGDescriptor_getDaimlerPeopleDetector, HOGDescriptor_getDefaultPeopleDetector


class HOGDescriptor(HogModel):
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
        _nlevels: Whole = LEVELS,
        _signedGradient: bool | None = False,  # noqa: N803
        *,
        filename: str | os.PathLike[str] = NO_NAME,
        backend: Literal["auto", "reference", "cpu", "cuda"] = "auto",
        threads: int = 0,
        devices: Sequence[int] = (0,),
    ) -> None:
        super().__init__({"backend": backend, "threads": threads, "devices": devices})
        self._values = {
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
            "nlevels": whole(_nlevels, "_nlevels", LEVELS),
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
    blockStride = property(lambda self: self._values["blockStride"], doc="Pixels from block to block.")  # noqa: N815
    cellSize = property(lambda self: self._values["cellSize"], doc="(width, height) of a cell.")  # noqa: N815
    nbins = property(lambda self: self._values["nbins"], doc="Bins of orientation.")
    derivAperture = property(lambda self: self._values["derivAperture"], doc="Without effect.")  # noqa: N815
    winSigma = property(lambda self: self._values["winSigma"], doc="As it was given; see `getWinSigma`.")  # noqa: N815
    histogramNormType = property(lambda self: self._values["histogramNormType"], doc="Without effect.")  # noqa: N815
    L2HysThreshold = property(lambda self: self._values["L2HysThreshold"], doc="Larger values are cut to this one.")
    gammaCorrection = property(lambda self: self._values["gammaCorrection"], doc="Pixels become roots.")  # noqa: N815
    nlevels = property(lambda self: self._values["nlevels"], doc="The largest number of levels.")
    signedGradient = property(lambda self: self._values["signedGradient"], doc="Bins cover 360 degrees.")  # noqa: N815

    @property
    def svmDetector(self) -> Any:  # noqa: N802
        """The numbers that `setSVMDetector` or `load` gave; () if there are none."""
        return () if self._numbers is None else self._numbers.copy()

    def getWinSigma(self) -> float:  # noqa: N802
        """Sigma of the Gaussian over a block: `winSigma`, or if that is not above 0 an eighth of width + height."""
        return self._sigma()

    def getDescriptorSize(self) -> int:  # noqa: N802
        """The number of values of a window."""
        return self._size()

    def checkDetectorSize(self) -> bool:  # noqa: N802
        """Whether the numbers fit the window: always, since `setSVMDetector` refuses others."""
        return True

    @overloaded
    def setSVMDetector(self, svmdetector: Any) -> None:  # noqa: N802
        """Takes the weights of a linear SVM. One more number at the end is its bias.

        >>> hog = winnow.cv2.HOGDescriptor()
        >>> hog.setSVMDetector(np.zeros(3781, np.float32))
        """
        self._take(None if svmdetector is None else self._numbers_of(svmdetector))

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
        """Writes XML, JSON or Winnow's own file for the endings .xml, .json and .winnow; YAML for all others.

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
            _hog_file.write(path, name, {**self._values, "winSigma": self._sigma()}, self._numbers)
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
        else:  # OpenCV truncates the number to an int of 32 bits
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
            scales_of(self._values["winSize"], found, factor, levels),
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
        """Searches the picture in its own size. Gives the top left corners of windows, (n, 2), and their weights.

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
        """The values of all windows, one after the other, row by row, or of the windows whose corners are `locations`.

        >>> winnow.cv2.HOGDescriptor().compute(np.zeros((128, 64), np.uint8)).shape
        (3780,)
        """
        if self._describer is not None and winStride is padding is locations is None and type(img) is np.ndarray:
            row: npt.NDArray[np.float32] | None = self._describer._flat(img, self._values["cellSize"], (0, 0))
            if row is not None:
                return row
        picture = picture_of(array_of(img, "img"), "compute")
        step, pad = pair(winStride, "winStride"), pair(padding, "padding")
        wanted = places(locations, "locations")
        size = self._size()
        if size == 0 and self._values["nbins"] > 0:
            return ()
        step, pad = grid(self._values, "compute", step, self._values["cellSize"], pad)
        if not wanted and windows(self._values, "compute", picture, step, pad) == 0:
            return ()
        if self._describer is None:
            with opencv_errors("compute"):
                self._describer = Describer(self._shape())
        if not wanted:
            with opencv_errors("compute"):
                row = self._describer._flat(picture, step, pad)
            return () if row is None else row
        fitting = inside(wanted, picture, pad, self._values["winSize"])
        good = [place for place, fits in zip(wanted, fitting, strict=True) if fits]
        if not good:
            return np.zeros(len(wanted) * size, np.float32)
        with opencv_errors("compute"):
            values = self._describer.describe(picture, channels="bgr", step=step, padding=pad, locations=good)
        if len(good) < len(wanted):
            rows = np.zeros((len(wanted), size), np.float32)
            rows[fitting] = values.reshape(len(good), size)
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
        """The votes of each pixel for two bins, (height, width, 2), and the numbers of these bins.

        ``grad`` and ``angleOfs`` are filled if they are arrays of the right shape and type.

        >>> votes, bins = winnow.cv2.HOGDescriptor().computeGradient(np.eye(9, dtype=np.uint8), None, None)
        >>> votes.shape, bins.dtype
        ((9, 9, 2), dtype('uint8'))
        """
        picture = picture_of(array_of(img, "img"), "computeGradient")
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
        picture = picture_of(image, function)
        step, pad = grid(self._values, function, step, otherwise, padding)
        wanted = plan.get("locations")
        if wanted:
            fitting = inside(wanted, picture, pad, self._values["winSize"])
            plan["locations"] = [place for place, fits in zip(wanted, fitting, strict=True) if fits]
            if not plan["locations"]:
                return None
        elif windows(self._values, function, picture, step, pad) == 0:
            return None
        numbers, detector = self._numbers, self._detector
        if detector is None or numbers is None or math.isnan(threshold) or not np.isfinite(numbers).all():
            return None
        min_score = max(threshold / self._unit, -1.7e308)  # for minus infinity, Winnow takes 0
        with opencv_errors(function):
            return detector.detect(
                picture,
                channels="bgr",
                min_score=min_score,
                step=step,
                padding=pad,
                merge="groups",
                enlarge=1,
                border=0,
                **plan,
            )

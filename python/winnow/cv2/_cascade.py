"""OpenCV's CascadeClassifier and groupRectangles with Winnow's engine, as `winnow.cv2` gives them."""

from __future__ import annotations

import gzip
import math
import os
import re
import warnings
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np

from .._core import Cascade, Detections, Detector, DetectorModel, Error
from .._core import group_boxes as _group_boxes
from ._arguments import (
    NO_NAME,
    Counts,
    Number,
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
    opencv_errors,
    whole,
)
from ._nodes import xml_of_node



def _read(path: str) -> Cascade:
    """A cascade from a file, which may be compressed by gzip."""
    if os.path.isfile(path):
        with open(path, "rb") as file:
            if file.read(2) == b"\x1f\x8b":
                with gzip.open(path) as packed:
                    return Cascade.parse(packed.read(256 << 20), os.path.basename(path))
    return Cascade.load(path)


class CascadeClassifier:
    """OpenCV's class of this name, with Winnow's engine.

    The answer does not depend on ``threads``, ``backend`` and ``devices``, which OpenCV does not have.
    A file that is not there leaves the classifier empty, with a warning that says so.

    >>> winnow.cv2.CascadeClassifier("haarcascade_eye.xml").getOriginalWindowSize()
    (20, 20)
    """

    @overloaded
    def __init__(
        self,
        filename: str | os.PathLike[str] = NO_NAME,
        *,
        backend: Literal["auto", "reference", "cpu", "cuda"] = "auto",
        threads: int = 0,
        devices: Sequence[int] = (0,),
    ) -> None:
        self._machine: dict[str, Any] = {"backend": backend, "threads": threads, "devices": devices}
        self._detector: Detector | None = None
        self._cascade: Cascade | None = None
        if filename is not NO_NAME:
            self._load(file_name(filename, "filename"), 4)

    def load(self, filename: str | os.PathLike[str]) -> bool:
        """Reads a cascade, old or new. False, and an empty classifier, if there is no such file.

        A file that is no cascade raises OpenCV's error.
        """
        return self._load(file_name(filename, "filename"), 3)

    def empty(self) -> bool:
        """Whether no cascade was read."""
        return self._detector is None

    def read(self, node: Any) -> bool:
        """Takes a cascade from OpenCV's ``FileNode``. False, and an empty classifier, if the node holds no cascade."""
        self._detector = self._cascade = None
        if node is None:
            return False
        if not hasattr(node, "isMap"):
            raise TypeError(f"Expected a FileNode for argument 'node', not {type(node).__name__}")
        if not node.isMap() or node.getNode("stageType").empty():
            return False
        with opencv_errors("read"):
            self._take(Cascade.parse(xml_of_node(node, "cascade", "opencv-cascade-classifier"), "node"))
        return True

    def isOldFormatCascade(self) -> bool:  # noqa: N802
        """False, as OpenCV 4 returns for every cascade that it can read."""
        self._loaded("isOldFormatCascade")
        return False

    def getOriginalWindowSize(self) -> tuple[int, int]:  # noqa: N802
        """The (width, height) of the window."""
        return self._loaded("getOriginalWindowSize")[0].window

    def getFeatureType(self) -> int:  # noqa: N802
        """0 for Haar features, 1 for LBP."""
        return 1 if self._loaded("getFeatureType")[0].features == "lbp" else 0

    @staticmethod
    def convert(oldcascade: str | os.PathLike[str], newcascade: str | os.PathLike[str]) -> bool:
        """Writes a cascade of the old format in the new one.

        False if the file is not of the old format, or cannot be read or written.
        """
        old, new = file_name(oldcascade, "oldcascade"), file_name(newcascade, "newcascade")
        try:
            with open(old, "rb") as file:
                if not re.search(rb"opencv-haar-classifier", file.read(65536)):
                    return False
            Cascade.load(old).save(new, "opencv-xml")
        except (Error, OSError):
            return False
        return True

    @overloaded
    def detectMultiScale(  # noqa: N802
        self,
        image: Any,
        scaleFactor: Number = 1.1,  # noqa: N803
        minNeighbors: Whole = 3,  # noqa: N803
        flags: Whole = 0,
        minSize: Size = None,  # noqa: N803
        maxSize: Size = None,  # noqa: N803
    ) -> Rects:
        """The boxes of the objects as (n, 4), or () if there are none. A picture of colour is in the order bgr.

        >>> classifier = winnow.cv2.CascadeClassifier("haarcascade_frontalface_alt.xml")
        >>> classifier.detectMultiScale(np.zeros((100, 100), np.uint8))
        ()
        """
        found = self._detect("detectMultiScale", image, scaleFactor, minNeighbors, flags, minSize, maxSize)
        return own(found.boxes, np.int32)

    @overloaded
    def detectMultiScale2(  # noqa: N802
        self,
        image: Any,
        scaleFactor: Number = 1.1,  # noqa: N803
        minNeighbors: Whole = 3,  # noqa: N803
        flags: Whole = 0,
        minSize: Size = None,  # noqa: N803
        maxSize: Size = None,  # noqa: N803
    ) -> tuple[Rects, Counts]:
        """Boxes, and for each box how many windows were merged into it."""
        found = self._detect("detectMultiScale2", image, scaleFactor, minNeighbors, flags, minSize, maxSize)
        return own(found.boxes, np.int32), own(found.neighbors, np.int32)

    @overloaded
    def detectMultiScale3(  # noqa: N802
        self,
        image: Any,
        scaleFactor: Number = 1.1,  # noqa: N803
        minNeighbors: Whole = 3,  # noqa: N803
        flags: Whole = 0,
        minSize: Size = None,  # noqa: N803
        maxSize: Size = None,  # noqa: N803
        outputRejectLevels: bool | None = False,  # noqa: N803
    ) -> tuple[Rects, Counts, Weights]:
        """Boxes, for each box the number of stages that it passed, and its sum in the last stage.

        Without ``outputRejectLevels`` the last two are (), where OpenCV fails an assertion.
        """
        levels = flag(outputRejectLevels, "outputRejectLevels", False)
        found = self._detect("detectMultiScale3", image, scaleFactor, minNeighbors, flags, minSize, maxSize)
        boxes: Rects = own(found.boxes, np.int32)
        if not len(found) or not levels:
            return (boxes, (), ())
        stages = len(self._loaded("detectMultiScale3")[0].stages)
        return (boxes, np.full(len(found), stages, np.int32), own(found.scores, np.float64))

    def __reduce__(self) -> Any:
        raise TypeError("cannot pickle 'CascadeClassifier' object")

    def _load(self, path: str, callers: int) -> bool:
        self._detector = self._cascade = None
        if not path:
            raise failure("the name of the file is empty, or None", "load", -27)
        try:
            cascade = _read(path)
        except (Error, OSError) as reason:
            if os.path.exists(path):
                raise failure(str(reason), "load", -5) from reason
            warnings.warn(str(reason), RuntimeWarning, stacklevel=callers)
            return False
        self._take(cascade)
        return True

    def _take(self, cascade: Cascade) -> None:
        self._detector = Detector(DetectorModel(cascade), **self._machine)
        self._cascade = cascade

    def _loaded(self, function: str) -> tuple[Cascade, Detector]:
        if self._cascade is None or self._detector is None:
            raise failure("!empty()", function)
        return self._cascade, self._detector

    def _detect(
        self,
        function: str,
        image: Any,
        scale_factor: Any,
        min_neighbors: Any,
        flags: Any,
        min_size: Any,
        max_size: Any,
    ) -> Detections:
        picture = array_of(image, "image")
        factor = number(scale_factor, "scaleFactor", 1.1)
        neighbors = whole(min_neighbors, "minNeighbors", 3)
        whole(flags, "flags", 0)
        # Winnow takes no size below 0. In OpenCV, a lower limit below 0 is no limit, and an upper limit below 0
        # excludes everything.
        least, most = pair(min_size, "minSize"), pair(max_size, "maxSize")
        _, detector = self._loaded(function)
        if picture is not None and picture.dtype != np.uint8:
            raise failure(f"image.depth() == CV_8U: the pixels are of type {picture.dtype}", function)
        if picture is None or picture.size == 0 or picture.ndim not in (2, 3):
            picture = np.zeros((1, 1), np.uint8)  # in which nothing is found, as in OpenCV
        elif picture.ndim == 3 and picture.shape[2] not in (1, 3, 4):
            raise failure(f"scn == 3 || scn == 4: the picture has {picture.shape[2]} channels", function)
        elif picture.ndim == 3:
            picture = picture[..., 0] if picture.shape[2] == 1 else picture[..., :3]
        with opencv_errors(function):
            return detector.detect(
                picture,
                channels="bgr",
                scale_factor=factor,
                min_neighbors=neighbors,
                min_score=-math.inf,
                merge="groups",
                enlarge=1,
                border=0,
                min_size=(max(least[0], 0), max(least[1], 0)),
                max_size=tuple(1 if side < 0 else side for side in most),
            )


CascadeClassifier_convert = CascadeClassifier.convert


def groupRectangles(  # noqa: N802
    rectList: Any,  # noqa: N803
    groupThreshold: Whole,  # noqa: N803
    eps: Number = 0.2,
) -> tuple[Rects, Counts]:
    """Merges similar boxes; gives the boxes and the number of members of each.

    >>> winnow.cv2.groupRectangles([(10, 10, 20, 20), (11, 11, 20, 20)], 1)[1]
    array([2], dtype=int32)
    """
    threshold, slack = whole(groupThreshold, "groupThreshold", 0), number(eps, "eps", 0.2)
    try:
        boxes = np.asarray(() if rectList is None else rectList)
    except ValueError:  # NumPy refuses lists of different lengths
        raise TypeError("Can't parse 'rectList'. Each box is a sequence of x, y, width, height") from None
    if not slack >= 0 or (boxes.ndim == 2 and boxes.size and boxes[:, 2:].min() < 0):
        return ((), ())  # in OpenCV no box is similar to another then, nor to itself
    if boxes.size and (boxes.ndim != 2 or boxes.shape[1] != 4 or not np.issubdtype(boxes.dtype, np.integer)):
        raise TypeError("Can't parse 'rectList'. It is a sequence of x, y, width, height, all whole numbers")
    if not boxes.size:
        return ((), ())
    with opencv_errors("groupRectangles"):
        groups = _group_boxes(boxes, threshold, slack)
    sides = np.stack([groups[side] for side in ("x", "y", "width", "height")], axis=1)
    return own(sides, np.int32), own(groups["neighbors"], np.int32)

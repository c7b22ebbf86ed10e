"""OpenCV 4's cascades and HOGDescriptor for programs that OpenCV 5 left behind.

Change one line, ``import cv2`` to ``from winnow import cv2``:

>>> from winnow import cv2
>>> classifier = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_alt.xml")
>>> gray = winnow.read_picture("photo.jpg").gray
>>> classifier.detectMultiScale(gray, 1.1, 3).tolist()
[[153, 88, 221, 221]]

Names, arguments and results are those of OpenCV 4. Every other name is taken from OpenCV, if it is installed.
"""

import os
import warnings
from collections.abc import Sequence
from typing import Any, SupportsFloat, SupportsIndex

import numpy as np

from ._core import Cascade, DetectorModel, Detector, Error
from ._core import group_boxes as _group_boxes
from ._cv2_arguments import Rects, Size, error, number, opencv, rects, size, whole
from ._cv2_hog import (
    HOGDescriptor,
    HOGDescriptor_getDaimlerPeopleDetector,
    HOGDescriptor_getDefaultPeopleDetector,
)

__all__ = [
    "CASCADE_DO_CANNY_PRUNING",
    "CASCADE_DO_ROUGH_SEARCH",
    "CASCADE_FIND_BIGGEST_OBJECT",
    "CASCADE_SCALE_IMAGE",
    "CascadeClassifier",
    "CascadeClassifier_convert",
    "HOGDESCRIPTOR_DEFAULT_NLEVELS",
    "HOGDESCRIPTOR_L2HYS",
    "HOGDescriptor",
    "HOGDescriptor_DEFAULT_NLEVELS",
    "HOGDescriptor_L2Hys",
    "HOGDescriptor_getDaimlerPeopleDetector",
    "HOGDescriptor_getDefaultPeopleDetector",
    "data",
    "error",
    "groupRectangles",
]

CASCADE_DO_CANNY_PRUNING = 1
CASCADE_SCALE_IMAGE = 2
CASCADE_FIND_BIGGEST_OBJECT = 4
CASCADE_DO_ROUGH_SEARCH = 8
HOGDescriptor_L2Hys = 0
HOGDESCRIPTOR_L2HYS = 0
HOGDescriptor_DEFAULT_NLEVELS = 64
HOGDESCRIPTOR_DEFAULT_NLEVELS = 64


class _Data:
    """Folders of cascades; their names end in a separator, as OpenCV's do."""

    haarcascades = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data", "")
    lbpcascades = haarcascades


data = _Data()


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    if opencv is None:
        raise AttributeError(
            f"winnow.cv2 has OpenCV 4's cascades and HOGDescriptor, and '{name}' is not one of their names; "
            "it would come from OpenCV, which is not installed"
        )
    return getattr(opencv, name)


class CascadeClassifier:
    """OpenCV's class of this name, with Winnow's engine.

    The answer does not depend on ``threads``, ``backend`` and ``devices``, which OpenCV does not have.
    A file that cannot be read leaves the classifier empty, with a warning that says why.

    >>> winnow.cv2.CascadeClassifier("haarcascade_eye.xml").getOriginalWindowSize()
    (20, 20)
    """

    def __init__(
        self,
        filename: str | os.PathLike[str] = "",
        *,
        backend: str = "auto",
        threads: int = 0,
        devices: Sequence[int] = (0,),
    ) -> None:
        self._machine: dict[str, Any] = {"backend": backend, "threads": threads, "devices": devices}
        self._detector: Detector | None = None
        self._cascade: Cascade | None = None
        if filename:
            self.load(filename)

    def load(self, filename: str | os.PathLike[str]) -> bool:
        """Reads a cascade, old or new; False, and an empty classifier, if that fails."""
        self._detector = self._cascade = None
        try:
            self._cascade = Cascade.load(filename)
            self._detector = Detector(DetectorModel(self._cascade), **self._machine)
        except Error as reason:
            if self._cascade is not None:
                self._cascade = None
                raise  # the file is good, and the backend, threads or devices are not
            warnings.warn(str(reason), RuntimeWarning, stacklevel=2)
            return False
        return True

    def empty(self) -> bool:
        """Whether no cascade was read."""
        return self._detector is None

    def read(self, node: Any) -> bool:
        """Not here: nodes belong to OpenCV. Use `load`."""
        raise error("winnow.cv2 reads cascades from files: use load()")

    def isOldFormatCascade(self) -> bool:  # noqa: N802
        """False, as OpenCV 4 answers for every cascade that it can read."""
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
        """Writes a cascade of the old format in the new one."""
        try:
            Cascade.load(oldcascade).save(newcascade, "opencv-xml")
        except Error:
            return False
        return True

    def detectMultiScale(  # noqa: N802
        self,
        image: Any,
        scaleFactor: SupportsFloat = 1.1,  # noqa: N803
        minNeighbors: SupportsIndex = 3,  # noqa: N803
        flags: SupportsIndex = 0,
        minSize: Size = None,  # noqa: N803
        maxSize: Size = None,  # noqa: N803
    ) -> Rects:
        """The boxes of the objects as (n, 4), or () if there are none. A picture of colour is in the order bgr.

        >>> classifier = winnow.cv2.CascadeClassifier("haarcascade_frontalface_alt.xml")
        >>> classifier.detectMultiScale(np.zeros((100, 100), np.uint8))
        ()
        """
        return rects(self._detect("detectMultiScale", image, scaleFactor, minNeighbors, minSize, maxSize).boxes)

    def detectMultiScale2(  # noqa: N802
        self,
        image: Any,
        scaleFactor: SupportsFloat = 1.1,  # noqa: N803
        minNeighbors: SupportsIndex = 3,  # noqa: N803
        flags: SupportsIndex = 0,
        minSize: Size = None,  # noqa: N803
        maxSize: Size = None,  # noqa: N803
    ) -> tuple[Rects, Any]:
        """Boxes, and how many windows were merged into each."""
        found = self._detect("detectMultiScale2", image, scaleFactor, minNeighbors, minSize, maxSize)
        return (rects(found.boxes), np.ascontiguousarray(found.neighbors)) if len(found) else ((), ())

    def detectMultiScale3(  # noqa: N802
        self,
        image: Any,
        scaleFactor: SupportsFloat = 1.1,  # noqa: N803
        minNeighbors: SupportsIndex = 3,  # noqa: N803
        flags: SupportsIndex = 0,
        minSize: Size = None,  # noqa: N803
        maxSize: Size = None,  # noqa: N803
        outputRejectLevels: bool = False,  # noqa: N803
    ) -> tuple[Rects, Any, Any]:
        """Boxes, the stages that each passed, and the sum of the last stage.

        Without ``outputRejectLevels`` the last two are (), where OpenCV fails an assertion.
        """
        found = self._detect("detectMultiScale3", image, scaleFactor, minNeighbors, minSize, maxSize)
        if not len(found):
            return ((), (), ())
        if not outputRejectLevels:
            return (rects(found.boxes), (), ())
        levels = np.full(len(found), len(self._loaded("detectMultiScale3")[0].stages), np.int32)
        return (rects(found.boxes), levels, np.ascontiguousarray(found.scores))

    def _loaded(self, function: str) -> tuple[Cascade, Detector]:
        if self._cascade is None or self._detector is None:
            raise error(f"(-215:Assertion failed) !empty() in function '{function}'")
        return self._cascade, self._detector

    def _detect(
        self,
        function: str,
        image: Any,
        scale_factor: SupportsFloat,
        min_neighbors: SupportsIndex,
        min_size: Size,
        max_size: Size,
    ) -> Any:
        _, detector = self._loaded(function)
        if image is None:
            image = np.zeros((1, 1), np.uint8)  # nothing is found, as in OpenCV
        elif not isinstance(image, np.ndarray):
            raise error(f"Expected a NumPy array for argument 'image', not {type(image).__name__}")
        elif image.size == 0:
            image = np.zeros((1, 1), np.uint8)
        elif image.ndim == 3 and image.shape[2] == 4:
            image = image[..., :3]
        try:
            return detector.detect(
                image,
                channels="bgr",
                scale_factor=number(scale_factor, "scaleFactor"),
                min_neighbors=whole(min_neighbors, "minNeighbors"),
                min_size=size(min_size, "minSize", 0),
                max_size=size(max_size, "maxSize", 1),
            )
        except Error as reason:
            raise error(f"{reason} in function '{function}'") from reason


CascadeClassifier_convert = CascadeClassifier.convert


def groupRectangles(  # noqa: N802
    rectList: Any,  # noqa: N803
    groupThreshold: SupportsIndex,  # noqa: N803
    eps: SupportsFloat = 0.2,
) -> tuple[Rects, Any]:
    """Merges similar boxes; gives the boxes and the number of members of each.

    >>> winnow.cv2.groupRectangles([(10, 10, 20, 20), (11, 11, 20, 20)], 1)[1]
    array([2], dtype=int32)
    """
    boxes = np.asarray(rectList)
    if boxes.size and (boxes.ndim != 2 or boxes.shape[1] != 4 or not np.issubdtype(boxes.dtype, np.integer)):
        raise TypeError("Can't parse 'rectList'. It is a sequence of x, y, width, height, all whole numbers")
    if not boxes.size:
        return ((), ())
    try:
        groups = _group_boxes(boxes, whole(groupThreshold, "groupThreshold"), number(eps, "eps"))
    except Error as reason:
        raise error(f"{reason} in function 'groupRectangles'") from reason
    if not len(groups):
        return ((), ())
    return (
        np.stack([groups[side] for side in ("x", "y", "width", "height")], axis=1),
        np.ascontiguousarray(groups["neighbors"]),
    )

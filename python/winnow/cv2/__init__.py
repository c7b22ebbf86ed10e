"""OpenCV 4's cascades and HOGDescriptor for programs that OpenCV 5 left behind.

Change one line, ``import cv2`` to ``from winnow import cv2``:

>>> from winnow import cv2
>>> classifier = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_alt.xml")
>>> gray = winnow.read_picture("photo.jpg").gray
>>> classifier.detectMultiScale(gray, 1.1, 3).tolist()
[[153, 88, 221, 221]]

Names, arguments and results are those of OpenCV 4. Every other name is taken from OpenCV, if it is installed.
"""

from typing import Any

from . import data
from ._arguments import error, opencv
from ._cascade import CascadeClassifier, CascadeClassifier_convert, groupRectangles
from ._hog import (
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
    "HOGDESCRIPTOR_DESCR_FORMAT_COL_BY_COL",
    "HOGDESCRIPTOR_DESCR_FORMAT_ROW_BY_ROW",
    "HOGDESCRIPTOR_L2HYS",
    "HOGDescriptor",
    "HOGDescriptor_DEFAULT_NLEVELS",
    "HOGDescriptor_DESCR_FORMAT_COL_BY_COL",
    "HOGDescriptor_DESCR_FORMAT_ROW_BY_ROW",
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
HOGDescriptor_L2Hys = HOGDESCRIPTOR_L2HYS = 0
HOGDescriptor_DEFAULT_NLEVELS = HOGDESCRIPTOR_DEFAULT_NLEVELS = 64
HOGDescriptor_DESCR_FORMAT_COL_BY_COL = HOGDESCRIPTOR_DESCR_FORMAT_COL_BY_COL = 0
HOGDescriptor_DESCR_FORMAT_ROW_BY_ROW = HOGDESCRIPTOR_DESCR_FORMAT_ROW_BY_ROW = 1

for _class in (CascadeClassifier, HOGDescriptor):
    _class.__module__ = __name__
del _class


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    if opencv is None:
        raise AttributeError(
            f"winnow.cv2 has OpenCV 4's cascades and HOGDescriptor, and '{name}' is not one of their names; "
            "it would come from OpenCV, which is not installed"
        )
    return getattr(opencv, name)


def __dir__() -> list[str]:
    theirs = [] if opencv is None else [name for name in dir(opencv) if not name.startswith("__")]
    return sorted({*theirs, *__all__, *(name for name in globals() if name.startswith("__"))})

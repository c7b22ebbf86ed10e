"""OpenCV 4's cascades, HOGDescriptor and TrackerTLD for programs that OpenCV 5 left behind.

Change one line, ``import cv2`` to ``from winnow import cv2``:

>>> from winnow import cv2
>>> classifier = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_frontalface_alt.xml")
>>> gray = winnow.read_picture("photo.jpg").gray
>>> classifier.detectMultiScale(gray, 1.1, 3).tolist()
[[153, 88, 221, 221]]

Names, arguments and results are those of OpenCV 4. Every other name is taken from OpenCV, if it is installed.
"""

from typing import TYPE_CHECKING, Any

# Tells editors and type checkers the names of OpenCV that programs use most. Other names are of type Any.
if TYPE_CHECKING:
    from cv2 import (
        BORDER_CONSTANT as BORDER_CONSTANT,
        BORDER_REFLECT as BORDER_REFLECT,
        BORDER_REFLECT_101 as BORDER_REFLECT_101,
        BORDER_REPLICATE as BORDER_REPLICATE,
        CAP_PROP_FPS as CAP_PROP_FPS,
        CAP_PROP_FRAME_COUNT as CAP_PROP_FRAME_COUNT,
        CAP_PROP_FRAME_HEIGHT as CAP_PROP_FRAME_HEIGHT,
        CAP_PROP_FRAME_WIDTH as CAP_PROP_FRAME_WIDTH,
        CHAIN_APPROX_SIMPLE as CHAIN_APPROX_SIMPLE,
        COLOR_BGR2GRAY as COLOR_BGR2GRAY,
        COLOR_BGR2HSV as COLOR_BGR2HSV,
        COLOR_BGR2RGB as COLOR_BGR2RGB,
        COLOR_GRAY2BGR as COLOR_GRAY2BGR,
        COLOR_HSV2BGR as COLOR_HSV2BGR,
        COLOR_RGB2BGR as COLOR_RGB2BGR,
        COLOR_RGB2GRAY as COLOR_RGB2GRAY,
        Canny as Canny,
        FILLED as FILLED,
        FONT_HERSHEY_COMPLEX as FONT_HERSHEY_COMPLEX,
        FONT_HERSHEY_PLAIN as FONT_HERSHEY_PLAIN,
        FONT_HERSHEY_SIMPLEX as FONT_HERSHEY_SIMPLEX,
        FileStorage as FileStorage,
        GaussianBlur as GaussianBlur,
        IMREAD_COLOR as IMREAD_COLOR,
        IMREAD_GRAYSCALE as IMREAD_GRAYSCALE,
        IMREAD_UNCHANGED as IMREAD_UNCHANGED,
        INTER_AREA as INTER_AREA,
        INTER_CUBIC as INTER_CUBIC,
        INTER_LINEAR as INTER_LINEAR,
        INTER_NEAREST as INTER_NEAREST,
        LINE_AA as LINE_AA,
        RETR_EXTERNAL as RETR_EXTERNAL,
        THRESH_BINARY as THRESH_BINARY,
        THRESH_OTSU as THRESH_OTSU,
        UMat as UMat,
        VideoCapture as VideoCapture,
        VideoWriter as VideoWriter,
        VideoWriter_fourcc as VideoWriter_fourcc,
        absdiff as absdiff,
        addWeighted as addWeighted,
        bitwise_and as bitwise_and,
        bitwise_not as bitwise_not,
        bitwise_or as bitwise_or,
        blur as blur,
        circle as circle,
        contourArea as contourArea,
        copyMakeBorder as copyMakeBorder,
        createBackgroundSubtractorMOG2 as createBackgroundSubtractorMOG2,
        cvtColor as cvtColor,
        destroyAllWindows as destroyAllWindows,
        destroyWindow as destroyWindow,
        dilate as dilate,
        drawContours as drawContours,
        ellipse as ellipse,
        equalizeHist as equalizeHist,
        erode as erode,
        filter2D as filter2D,
        findContours as findContours,
        flip as flip,
        getRotationMatrix2D as getRotationMatrix2D,
        getTextSize as getTextSize,
        getTickCount as getTickCount,
        getTickFrequency as getTickFrequency,
        imdecode as imdecode,
        imencode as imencode,
        imread as imread,
        imshow as imshow,
        imwrite as imwrite,
        inRange as inRange,
        line as line,
        medianBlur as medianBlur,
        merge as merge,
        minMaxLoc as minMaxLoc,
        namedWindow as namedWindow,
        normalize as normalize,
        putText as putText,
        rectangle as rectangle,
        resize as resize,
        rotate as rotate,
        setNumThreads as setNumThreads,
        split as split,
        threshold as threshold,
        waitKey as waitKey,
        warpAffine as warpAffine,
    )

from . import data, legacy
from ._arguments import error, opencv, why_no_opencv
from ._cascade import CascadeClassifier, CascadeClassifier_convert, groupRectangles
from ._hog import HOGDescriptor
from ._people import HOGDescriptor_getDaimlerPeopleDetector, HOGDescriptor_getDefaultPeopleDetector

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
    "legacy",
]

CASCADE_DO_CANNY_PRUNING = 1
CASCADE_SCALE_IMAGE = 2
CASCADE_FIND_BIGGEST_OBJECT = 4
CASCADE_DO_ROUGH_SEARCH = 8
HOGDescriptor_L2Hys = HOGDESCRIPTOR_L2HYS = 0
HOGDescriptor_DEFAULT_NLEVELS = HOGDESCRIPTOR_DEFAULT_NLEVELS = 64
HOGDescriptor_DESCR_FORMAT_COL_BY_COL = HOGDESCRIPTOR_DESCR_FORMAT_COL_BY_COL = 0
HOGDescriptor_DESCR_FORMAT_ROW_BY_ROW = HOGDESCRIPTOR_DESCR_FORMAT_ROW_BY_ROW = 1

for _noun in (
    CascadeClassifier,
    HOGDescriptor,
    groupRectangles,
    HOGDescriptor_getDaimlerPeopleDetector,
    HOGDescriptor_getDefaultPeopleDetector,
):
    _noun.__module__ = __name__
del _noun


def __getattr__(name: str) -> Any:
    if name.startswith("__") and name != "__version__":
        raise AttributeError(name)
    if opencv is None:
        raise AttributeError(
            f"winnow.cv2 has OpenCV 4's cascades, HOGDescriptor and TrackerTLD, and '{name}' is not one of their names; "
            f"it would come from OpenCV, which {why_no_opencv}"
        )
    return getattr(opencv, name)


def __dir__() -> list[str]:
    theirs = [] if opencv is None else [name for name in dir(opencv) if not name.startswith("__")]
    return sorted({*theirs, *__all__, *(name for name in globals() if name.startswith("__"))})

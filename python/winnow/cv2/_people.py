"""The numbers of OpenCV's people detectors, as `winnow.cv2` gives them."""

from __future__ import annotations

import warnings

import numpy as np
import numpy.typing as npt

from .._core import HogSvm
from ._arguments import failure, opencv

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
    """OpenCV's own numbers, if OpenCV 4 is installed. Else an error, since Winnow does not have them."""
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

"""OpenCV's tracker TLD for programs that OpenCV without its extra modules, or OpenCV 5, left behind.

>>> from winnow import cv2
>>> cv2.legacy.TrackerTLD_create().empty()
False

Every other name is taken from OpenCV's `cv2.legacy`, if it is there.
"""

from typing import Any

from ._arguments import opencv, why_no_opencv
from ._tracker import TrackerTLD, TrackerTLD_create

__all__ = ["TrackerTLD", "TrackerTLD_create"]

for _noun in (TrackerTLD, TrackerTLD_create):
    _noun.__module__ = __name__
del _noun


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    theirs = getattr(opencv, "legacy", None)
    if theirs is None:
        why = why_no_opencv if opencv is None else "has no module legacy here: opencv-contrib-python has it"
        raise AttributeError(f"winnow.cv2.legacy has TrackerTLD, and '{name}' would come from OpenCV, which {why}")
    return getattr(theirs, name)


def __dir__() -> list[str]:
    theirs = [name for name in dir(getattr(opencv, "legacy", None)) if not name.startswith("__")]
    return sorted({*theirs, *__all__, *(name for name in globals() if name.startswith("__"))})

"""The folder of OpenCV's cascades, as ``cv2.data`` names it.

>>> import os, winnow.cv2.data
>>> os.path.exists(winnow.cv2.data.haarcascades + "haarcascade_eye.xml")
True
"""

import os

# Names end in a separator, as OpenCV's do.
haarcascades = os.path.join(os.path.dirname(os.path.abspath(__file__)), "")
lbpcascades = haarcascades

__all__ = ["haarcascades", "lbpcascades"]

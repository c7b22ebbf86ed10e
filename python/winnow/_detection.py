"""An object that was found, as `Detections` gives it."""

from typing import NamedTuple


class Detection(NamedTuple):
    """An object that was found: its box in pixels, its score, and how many windows were merged into it.

    >>> found = winnow.Detector('face').detect('photo.jpg')
    >>> found[0].x, found[0].box
    (164, (164, 101, 204, 204))
    >>> x, y, width, height, score, neighbors = found[0]
    """

    x: int
    y: int
    width: int
    height: int
    score: float
    neighbors: int

    @property
    def box(self) -> tuple[int, int, int, int]:
        """(x, y, width, height)"""
        return self[:4]

    @property
    def xyxy(self) -> tuple[int, int, int, int]:
        """(left, top, right, bottom); right and bottom are one past the last pixel."""
        return (self.x, self.y, self.x + self.width, self.y + self.height)


Detection.__module__ = "winnow"

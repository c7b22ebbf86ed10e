"""Draws pictures with marked points for small trainings of landmarks, and their labels."""

import functools
import math
import random

import scene

PATTERN = ((0.2, 0.35), (0.4, 0.4), (0.6, 0.4), (0.8, 0.35), (0.5, 0.7))  # as the corners of both eyes, and the nose


@functools.cache
def marked(seed):
    """A picture with a bright square and five dark spots in it, the square as a box, and the places of the spots."""
    draw = random.Random(seed)
    side, left, top = draw.randrange(40, 56), draw.randrange(12, 20), draw.randrange(12, 20)
    picture = scene.Picture(90, 88, [(left, top, side)])
    lean = draw.uniform(-0.3, 0.3)
    points = []
    for x, y in PATTERN:
        across, down = x - 0.5 + draw.uniform(-0.02, 0.02), y - 0.5 + draw.uniform(-0.02, 0.02)
        points.append((round(left + side * (0.5 + across * math.cos(lean) - down * math.sin(lean)), 2),
                       round(top + side * (0.5 + across * math.sin(lean) + down * math.cos(lean)), 2)))
    for x, y in points:
        for row in range(round(y) - 1, round(y) + 2):
            picture.rows[row][round(x) - 1:round(x) + 2] = bytes([60]) * 3
    return picture, (left, top, side, side), points


def points_csv(faces):
    """A list of pictures and points. A face is the name of its picture, its box and its points."""
    lines = ["file," + ",".join(f"x{p},y{p}" for p in range(len(faces[0][2])))]
    lines += [name + "".join(f",{x},{y}" for x, y in points) for name, _, points in faces]
    return "\n".join(lines) + "\n"


def dlib_xml(faces):
    """dlib's XML of the same, with boxes."""
    images = ""
    for name, box, points in faces:
        images += f"<image file='{name}'><box left='%d' top='%d' width='%d' height='%d'>" % box
        images += "".join(f"<part name='{p:02}' x='{x}' y='{y}'/>" for p, (x, y) in enumerate(points)) + "</box></image>"
    return f"<?xml version='1.0'?><dataset><images>{images}</images></dataset>"

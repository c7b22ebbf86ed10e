"""Draws the samples of small trainings: rings, and pictures without a ring."""

import functools
import random

import scene

SIDE = 12


def noise(width, height, seed):
    """A picture with structure at every scale, but no object."""
    picture = scene.Picture(0, 0)
    picture.width, picture.height = width, height
    draw = random.Random(seed)
    rows = [[0] * width for _ in range(height)]
    for cell in (32, 11, 4, 1):
        values = [[draw.randrange(60) for _ in range(width // cell + 1)] for _ in range(height // cell + 1)]
        for y, row in enumerate(rows):
            line = values[y // cell]
            for x in range(width):
                row[x] += line[x // cell]
    picture.rows = [bytearray(row) for row in rows]
    return picture


def draw_ring(picture, left, top, side, seed, loose=0.0):
    """Draws the object over the picture: a dark ring with a bright middle.

    Chance moves the ring by up to `loose` times `side`.
    """
    draw = random.Random(seed)
    bright, dark, thick = draw.randrange(150, 230), draw.randrange(20, 90), draw.uniform(0.45, 0.8)
    across, down = (0.5 + draw.uniform(-loose, loose) for _ in range(2))
    for y in range(side):
        row = picture.rows[top + y]
        for x in range(side):
            r2 = ((x + 0.5) / side - across) ** 2 + ((y + 0.5) / side - down) ** 2
            if r2 <= 0.2:
                row[left + x] = int((bright if r2 < 0.05 else dark) * thick + row[left + x] * (1 - thick))
    return picture


@functools.cache
def crop(seed):
    return draw_ring(noise(SIDE, SIDE, 1000 + seed), 0, 0, SIDE, seed, 0.08).pgm()


@functools.cache
def background(seed):
    return noise(90 + seed % 3, 70 + seed % 2, 5000 + seed).png()

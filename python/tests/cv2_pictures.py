"""Twenty small pictures for the comparison with OpenCV: twelve are made, eight are real."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from conftest import HERE

WIDTH, HEIGHT = 176, 208  # Multiples of 4 and 8, and small: a search takes OpenCV about 20 ms.


@dataclass(frozen=True)
class Shot:
    """A picture in grey and in the order bgr."""

    name: str
    gray: np.ndarray
    bgr: np.ndarray
    shows: str  # "person", "face" or nothing


def figure(seed: int, width: int = WIDTH, height: int = HEIGHT) -> np.ndarray:
    """A standing figure before a wall of coarse and fine noise, which OpenCV takes for a person."""
    random = np.random.default_rng(seed)
    coarse = random.integers(120, 200, (height // 16 + 1, width // 16 + 1))
    picture = np.kron(coarse, np.ones((16, 16), int))[:height, :width] + random.integers(-8, 9, (height, width))
    tall = 96 + 8 * (seed % 6)
    y, x = np.mgrid[:height, :width]
    u, v = (x - width // 3 - 10 * (seed % 5)) / tall, (y - 32) / tall
    head = u**2 + (v - 0.08) ** 2 < 0.075**2
    trunk = (abs(u) < 0.14 - 0.06 * abs(v - 0.3)) & (v > 0.16) & (v < 0.55)
    legs = (abs(abs(u) - 0.04 - 0.06 * (v - 0.5)) < 0.045) & (v >= 0.5) & (v < 1)
    picture[head | trunk | legs] = 40
    return np.clip(picture, 0, 255).astype(np.uint8)


def colored(gray: np.ndarray, seed: int) -> np.ndarray:
    """Three channels, each with its own noise."""
    noise = np.random.default_rng(seed).integers(-20, 21, (*gray.shape, 3))
    return np.clip(gray[..., None] * [0.9, 1.0, 0.7] + noise, 0, 255).astype(np.uint8)


def to_gray(opencv: Any, color: np.ndarray) -> np.ndarray:
    return opencv.cvtColor(color, opencv.COLOR_BGR2GRAY)


def made(opencv: Any) -> list[Shot]:
    """Figures, noise, gradients, and copies of the portrait in other sizes and lights."""
    random = np.random.default_rng(11)
    photo = opencv.imread(str(HERE / "photo.jpg"))

    def portrait(side: int) -> np.ndarray:
        return opencv.resize(photo, (side, side), interpolation=opencv.INTER_AREA)

    wall = random.integers(0, 256, (HEIGHT, 280, 3), np.uint8)
    pair = wall // 3
    pair[20:180, 4:132], pair[40:168, 148:276] = portrait(160)[:, 16:144], portrait(128)[:, ::-1]
    dark = (portrait(192) * 0.35 + 20).astype(np.uint8)
    steps = np.add.outer(np.arange(HEIGHT) // 9 * 11, np.arange(WIDTH)[::-1] // 3).astype(np.uint8)
    grays = {
        "figure": figure(0), "tall figure": figure(5), "small figure": figure(6), "odd figure": figure(3, 181, 211),
        "figure in fog": (figure(1) * 0.3 + 150).astype(np.uint8), "wide figure": figure(4, 240, 200),
        "noise": wall[:, :WIDTH, 0], "steps": steps,
    }  # fmt: skip
    colors = {"portrait": portrait(200), "pair": pair, "dark portrait": dark, "wall and portrait": wall.copy()}
    colors["wall and portrait"][8:200, 60:252] = portrait(192)
    shots = [Shot(name, g, colored(g, len(name)), "person" if "figure" in name else "") for name, g in grays.items()]
    return shots + [Shot(name, to_gray(opencv, color), color, "face") for name, color in colors.items()]


def real(opencv: Any, data: Path) -> list[Shot]:
    """Four people and four photographs with faces."""
    shots = []
    people = sorted((data / "people" / "train" / "pos").iterdir())
    photos = sorted((data / "photos").glob("*.jpg"))
    for path in people[:: len(people) // 4][:4]:
        person = opencv.imread(str(path))
        height, width = person.shape[:2]
        edges = ((HEIGHT - height + 1) // 2, (HEIGHT - height) // 2, (WIDTH - width + 1) // 2, (WIDTH - width) // 2)
        shots.append((path.stem, opencv.copyMakeBorder(person, *edges, opencv.BORDER_REFLECT_101), "person"))
    for path in photos[:: len(photos) // 4][:4]:
        photo = opencv.imread(str(path))
        size = (260, 260 * photo.shape[0] // photo.shape[1])
        shots.append((path.stem, opencv.resize(photo, size, interpolation=opencv.INTER_AREA), "face"))
    return [Shot(name, to_gray(opencv, color), color, shows) for name, color, shows in shots]

"""Makes models of landmarks with random trees, for tests."""

import numpy as np
from numpy.typing import NDArray

import winnow

PIXEL = [("point", "u2"), ("x", "f4"), ("y", "f4")]
SPLIT = [("first", "u2"), ("second", "u2"), ("threshold", "f4")]
# The middle of both eyes, the tip of the nose, and both corners of the mouth.
MEAN = np.array([(0.3, 0.35), (0.7, 0.35), (0.5, 0.55), (0.35, 0.75), (0.65, 0.75)], np.float32)
# The corners of both eyes, and the point below the nose, in the order of points.csv.
CORNERS = np.array([(0.22, 0.37), (0.37, 0.37), (0.63, 0.37), (0.78, 0.37), (0.5, 0.66)], np.float32)


def made_trees(
    random: np.random.Generator, stages: int = 2, trees: int = 20, pixels: int = 40, depth: int = 3
) -> winnow.ShapeTrees:
    read = np.zeros((stages, pixels), PIXEL)
    read["point"] = random.integers(0, len(MEAN), read.shape)
    read["x"], read["y"] = random.uniform(-0.3, 0.3, (2, *read.shape))
    splits = np.zeros((stages, trees, 2**depth - 1), SPLIT)
    splits["first"], splits["second"] = random.integers(0, pixels, (2, *splits.shape))
    splits["threshold"] = random.integers(-40, 40, splits.shape)
    return winnow.ShapeTrees(read, splits)


def made_confidence(random: np.random.Generator) -> winnow.PointConfidence:
    leaves = random.integers(-100, 100, (15, 8, len(MEAN)))
    slope, shift = random.uniform(0.5, 2, len(MEAN)), random.uniform(-1, 1, len(MEAN))
    return winnow.PointConfidence(made_trees(random, 1, 15), leaves, 9, slope, shift, distance=0.1)


def made_leaves(random: np.random.Generator) -> NDArray[np.float32]:
    return random.uniform(-0.01, 0.01, (2, 20, 8, len(MEAN), 2)).astype(np.float32)


def made_landmarks(seed: int = 3, mean: NDArray[np.float32] = MEAN) -> winnow.Landmarks:
    """A model with the numbers that dlib's files hold."""
    random = np.random.default_rng(seed)
    return winnow.Landmarks(mean, made_trees(random), made_leaves(random), name="points", kind="face")


def made_models() -> dict[str, winnow.Landmarks]:
    """Models with leaves of all sorts, with confidence and without."""
    random = np.random.default_rng(8)
    trees, confidence = made_trees(random), made_confidence(random)
    numbers = random.integers(-4000, 4000, (2, 20, 8, len(MEAN), 2))
    few = random.integers(-100, 100, (2, 20, 8, 3))
    basis = random.integers(-5000, 5000, (2, 3, len(MEAN), 2))
    return {
        "floats": made_landmarks(),
        "16 bits": made_landmarks().with_16_bits(),
        "whole": winnow.Landmarks(MEAN, trees, numbers, unit_bits=[18, 19], name="whole"),
        "basis": winnow.Landmarks(MEAN, trees, few, unit_bits=[13, 14], basis=basis, turned=True, confidence=confidence, name="basis"),
        "sure": winnow.Landmarks(
            MEAN, trees, made_leaves(random), confidence=confidence, detector="face", place=(1.1, 0.02, -0.03), name="sure"
        ),
    }

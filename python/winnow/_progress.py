"""The bar that a training shows with progress=True."""

import importlib
import sys
from typing import Any

from ._core import LandmarkStep, TrainStep


def _words(step: TrainStep | LandmarkStep) -> tuple[bool, str]:
    """Whether the step ends its stage, and the stage's figures so far as text."""
    if isinstance(step, LandmarkStep):
        if step.so_far is None:
            return False, f"{step.tree} trees"
        return True, f"error {step.so_far.error:.4f}, held back {step.so_far.held_back_error:.4f}"
    so_far = step.so_far
    if step.what == "mining":
        return False, f"{so_far.negatives} of {step.wanted_negatives} negatives"
    text = f"{so_far.weak} weak, hit rate {so_far.hit:.4f}, false alarms {so_far.false_alarm:.4f}"
    return step.what == "stage", text


class Bar:
    """A bar of tqdm that advances with each stage. Without tqdm, each stage is a line on standard error."""

    def __init__(self, units: int, unit: str) -> None:
        self._units, self._unit = units, unit
        try:
            tqdm: Any = importlib.import_module("tqdm.auto")
        except ImportError:
            self._bar: Any = None
        else:
            self._bar = tqdm.tqdm(total=units, unit=unit, miniters=0)

    def __call__(self, step: TrainStep | LandmarkStep) -> None:
        done, text = _words(step)
        if self._bar is None:
            if done:
                line = f"{self._unit} {step.stage} of {self._units}: {text}, {step.seconds:.0f} s"
                print(line, file=sys.stderr, flush=True)
            return
        self._bar.n = step.stage if done else step.stage - 1
        self._bar.set_postfix_str(text, refresh=False)
        self._bar.update(0)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

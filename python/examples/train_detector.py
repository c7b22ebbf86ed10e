"""Trains a detector from two folders: train_detector.py CROPS BACKGROUNDS MODEL"""

import sys

import winnow


def show(step: winnow.TrainStep) -> None:
    if step.what == "stage":
        print(f"stage {step.stage}: {step.so_far.weak} weak classifiers after {step.seconds:.0f} s")


def main(crops: str, backgrounds: str, model: str) -> None:
    pack = winnow.make_pack(crops, backgrounds, window=(24, 24), mirror=True, note=print)
    result = winnow.train_cascade(pack, stages=5, features="lbp", negatives=500, progress=show)
    if result.ended_early:
        print(result.ended_early)
    result.cascade.with_card(kind="mug").save(model)


if __name__ == "__main__":
    main(*sys.argv[1:])

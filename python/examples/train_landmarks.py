"""Trains points of faces from pictures with points, and judges them: train_landmarks.py TRUTH MODEL"""

import sys

import winnow


def show(step: winnow.LandmarkStep) -> None:
    if step.so_far is not None:
        print(f"stage {step.stage}: error {step.so_far.error:.4f} after {step.seconds:.0f} s")


def main(truth: str, model: str) -> None:
    pictures = winnow.read_truth(truth)
    test, rest = pictures[::4], [picture for i, picture in enumerate(pictures) if i % 4]
    faces = winnow.find_faces(rest, note=print)
    result = winnow.train_landmarks(faces, stages=5, trees=100, held_back=0.2, progress=show)
    result.landmarks.save(model)
    detector, landmarker = winnow.Detector("face"), winnow.Landmarker(result.landmarks)
    found = []
    for picture in test:
        boxes = detector.detect(picture.path)
        shapes = landmarker.fit(picture.path, boxes)
        found.append([winnow.MarkedFace(face.box, shape) for face, shape in zip(boxes, shapes, strict=True)])
    judged = winnow.evaluate_landmarks(test, found)
    errors = judged.of(judged.main_norm)
    print(f"{len(judged.found)} of {judged.faces} faces, mean error {errors.mean:.4f} of {judged.main_norm}")


if __name__ == "__main__":
    main(*sys.argv[1:])

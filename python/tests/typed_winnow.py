"""A program that uses every public name of `winnow`. Type checkers read it, and test_types.py runs it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, assert_type

import numpy as np
from numpy.typing import NDArray

import winnow

Pixels = NDArray[np.uint8]


def pictures() -> None:
    gray = winnow.read_picture("photo.jpg")
    assert_type(gray.color, None)
    color = winnow.read_picture(Path("photo.jpg"), color=True)
    assert_type(color.color, Pixels)
    either: winnow.Picture = winnow.read_picture("photo.jpg", color=len(os.sep) == 1, max_pixels=1 << 20)
    some: Pixels | None = either.color
    assert some is not None
    assert_type(gray.gray, Pixels)
    assert_type(gray.size, tuple[int, int])
    assert_type(winnow.decode_picture(Path("photo.jpg").read_bytes(), color=True).color, Pixels)
    assert_type(winnow.encode_picture(gray, "jpg"), bytes)
    assert_type(winnow.to_gray(color.color, channels="rgb"), Pixels)
    sides: list[int] = [gray.width, gray.height]
    canvas = color.color.copy()
    winnow.draw_box(canvas, (5, 5, 20, 20), (255, 0, 0), thickness=1)
    winnow.draw_text(canvas, 2, 2, "0.93", scale=1)
    winnow.blur_box(canvas, sides + sides)
    winnow.write_picture("canvas.png", canvas, channels="rgb")
    color.save(Path("copy.png"))
    assert np.asarray(color).shape == (512, 512, 3)


def scanning() -> None:
    scan = winnow.scan(["photo.jpg", Path("photo.jpg")], "face", batch=1, make_state=len, min_neighbors=3, threads=1)
    assert_type(scan, winnow.Scan)
    assert_type(scan.inputs, list[str])
    assert_type(scan.left_out, list[str])
    assert_type((scan.inputs_done, scan.frames, scan.problems), tuple[int, int, int])
    for event in scan:
        assert_type(event, winnow.ScanEvent)
        assert_type(event.unread, int)
        assert_type(event.kind, Literal["frame", "problem", "end"])
        if event.kind == "frame":
            assert_type(event.found, winnow.Detections)
            some: Pixels | None = event.picture.color
            assert some is None
            assert event.state == len(event.source)
        assert_type(event.problem, str | None)
        assert_type(event.time, float | None)


def models() -> None:
    assert_type(winnow.models(), list[winnow.ModelEntry])
    folders: list[str] = [*winnow.model_folders(), winnow.resolve_model("face"), winnow.models()[0].name]
    assert folders
    cascade = winnow.Cascade.load("face")
    blocks = winnow.HogCascade.load("people")
    svm = winnow.HogSvm(np.zeros(3780, np.float32), bias=-1, shape=winnow.HogShape(window=(64, 128)), name="none")
    model = winnow.load("face")
    detectors = [
        winnow.Detector(cascade),
        winnow.Detector(blocks),
        winnow.Detector(svm),
        winnow.Detector(model),
        winnow.Detector("face"),
        winnow.Detector(Path(winnow.resolve_model("haarcascade_eye"))),
        winnow.Detector("face", backend="cpu", threads=1, devices=[0]),
    ]
    assert_type(detectors[0].model, winnow.DetectorModel)
    assert [winnow.DetectorModel(each).kind for each in (cascade, svm, blocks)]
    assert winnow.DetectorModel.parse(cascade.to_bytes("winnow"), "face").reads_color is False
    walker = winnow.Model.load("people")
    assert_type(walker.does, str)
    assert_type(walker.to_bytes(), bytes)
    assert_type(walker.with_card(name="mine"), winnow.Model)
    assert_type(detectors[0].model.with_card(name="mine"), winnow.DetectorModel)
    assert_type(walker.formats, list[str])
    assert winnow.Model(cascade).kind == winnow.Model("face").kind
    assert_type(winnow.DetectorModel(walker), winnow.DetectorModel)
    assert_type(model.cascade, winnow.Cascade | None)
    assert_type(model.hog_svm, winnow.HogSvm | None)
    assert_type(model.hog_cascade, winnow.HogCascade | None)
    card: winnow.ModelCard = cascade.with_card(name="mine", terms="").card
    texts: tuple[str, str, str, str] = (card.name, card.kind, card.source, card.terms)
    assert texts[0] == "mine"
    cascade.save("face.xml" if cascade.soft is None else "face.winnow", format="winnow")
    svm.save("none.xml", "opencv-xml")
    blocks.save("blocks.winnow")
    assert_type(cascade.leaves, NDArray[np.float32])
    assert_type(svm.weights, NDArray[np.float32])
    assert_type(blocks.mean, Pixels | None)
    assert_type(winnow.list_hog_blocks((16, 16), 8), list[tuple[int, int, int, int]])
    sheets: list[Pixels] = [winnow.draw_weights(svm), winnow.draw_blocks(blocks), winnow.draw_features(cascade)]
    assert all(sheet.ndim == 3 for sheet in sheets)
    values = winnow.describe_windows("photo.jpg", svm.shape, step=(64, 64), gray=True)
    describer = winnow.Describer(svm.shape)
    assert describer.shape == svm.shape
    some = describer.describe("photo.jpg", step=8, padding=(16, 8), locations=[(0, 0), (-8, 4)])
    assert some.shape == (2, 3780)
    padded = winnow.Detector(svm).detect("photo.jpg", padding=8, step=(16, 8), max_levels=2, clip=False)
    assert len(padded) >= 0
    assert_type(values, NDArray[np.float32])
    assert svm.shape == winnow.HogShape()


def flow() -> None:
    gray = winnow.read_picture("photo.jpg").gray
    carrier = winnow.Flow(backend="cpu", threads=1, devices=[0])
    found = carrier.track(gray, "photo.jpg", [(9, 9), (30.5, 40)], levels=3, window=(9, 9), back=True, ncc=True, ncc_window=(11, 11))
    assert_type(found, winnow.FlowPoints)
    assert_type(found.points, NDArray[np.float64])
    assert_type(found.found, NDArray[np.bool_])
    assert_type(found.error, NDArray[np.float32])
    assert_type(found.back_distance, NDArray[np.float32] | None)
    assert_type(found.ncc, NDArray[np.float32] | None)
    assert_type(carrier.next(gray, found.points, eps=0.03, iterations=10, min_eigen=1e-3), winnow.FlowPoints | None)
    carrier.forget()
    assert len(found) == 2 and found == found and carrier.threads == 1 and carrier.backend == "cpu"


def objects() -> None:
    gray = winnow.read_picture("photo.jpg").gray
    tracker = winnow.Tracker(seed=3, backend="cpu", threads=1)
    number: int = tracker.add(gray, (100, 100.5, 60, 60), channels="bgr")
    tracker.set(number, "photo.jpg", (110, 100, 60, 60))
    tracks = tracker.next(gray)
    assert_type(tracks, list[winnow.Track])
    for track in tracks:
        assert_type(track.box, tuple[float, float, float, float])
        assert track.id == number and track.state != "lost" and track.confidence > 0.7
    assert_type(tracker.last(number), winnow.Track)
    saved = tracker.to_bytes()
    assert_type(saved, bytes)
    assert tracker.to_bytes([number]) == saved
    assert_type(tracker.add_saved(saved), list[int])
    assert_type(tracker.add_saved(saved, gray, channels="bgr"), list[int])
    tracker.save("face.objects", [number])
    assert_type(tracker.load(Path("face.objects")), list[int])
    tracker.remove(number)
    assert tracker.add(gray, (100, 100, 60, 60), video=1) > number
    assert_type(tracker.next([None, gray]), list[list[winnow.Track]])
    assert_type(tracker.load(Path("face.objects"), video=2), list[int])
    tracker.restart(1)
    assert tracker.backend == "cpu" and tracker.threads == 1
    assert tracker.last_backend == "cpu" and tracker.note == ""


def faces() -> None:
    gray = winnow.read_picture("photo.jpg").gray
    follower = winnow.Follower(
        "face", "face-5", detect_every=5, between="fit", until_found=True, gap=60, smooth=0.5, begin=0.2, min_confidence=0.5,
        min_size=(40, 40), backend="cpu"
    )
    followed = follower.next(gray)
    assert_type(followed, list[winnow.Followed])
    for face in followed:
        assert_type(face.box, tuple[int, int, int, int])
        assert_type(face.shape, winnow.Shape)
        number: int = face.id
        assert number > 0 and face.state != "lost" and face.score > 0
    follower.restart()
    follower.restart(1)
    assert follower.threads > 0 and follower.backend == "cpu"
    assert_type(follower.next([gray, None]), list[list[winnow.Followed]])
    covers = winnow.FaceCovers(gap=5, linger=2, margin=0.1, sure=3, whole=True, memory=1 << 20, backend="cpu", threads=1, devices=[0])
    covers.add(gray, followed)
    covers.add(None, [])
    covers.finish()
    boxes = covers.next()
    assert_type(boxes, list[tuple[int, int, int, int]] | None)
    reasons = covers.next_covers()
    assert_type(reasons, list[winnow.FaceCover] | None)
    for cover in reasons or []:
        assert_type(cover.box, tuple[int, int, int, int])
        sums: int = cover.path + cover.searches
        assert sums > 0 and cover.reason != "lingering"
    covers.restart()
    assert covers.next() is None and covers.threads == 1 and covers.backend == "cpu"
    finder = winnow.FaceFinder("face", "face-5", backend="cpu", threads=1)
    assert_type(finder.find("photo.jpg", min_confidence=0.5), winnow.FoundFaces)
    assert_type(finder.find([gray, gray], scale_factor=1.2), list[winnow.FoundFaces])
    found = finder.find(gray)
    assert_type(found.found, winnow.Detections)
    assert_type(found.shapes, list[winnow.Shape])
    assert len(found) == 1 and finder.landmarks.points == 5
    for event in winnow.scan(
        "photo.jpg", "face", landmarks="face-5", detect_every=2, between="carry", until_found=False, gap=3, smooth=1
    ):
        if event.kind == "frame":
            assert_type(event.faces, list[winnow.Followed])


def landmarks() -> None:
    model = winnow.Landmarks.load("points.winnow")
    trees: winnow.ShapeTrees = winnow.ShapeTrees(model.trees.pixel_list, model.trees.splits)
    first = winnow.ShapeTrees(trees.pixel_list[:1], trees.splits[:1])
    sure = winnow.PointConfidence(first, np.zeros((20, 8, 5), np.int16), 10, [1.0] * 5, np.zeros(5))
    same = winnow.Landmarks(model.mean, trees, model.leaves, place=model.place, kind="face")
    rated = winnow.Landmarks(model.mean, trees, model.leaves, confidence=sure, name="rated")
    assert same.same_as(model) and not rated.same_as(model)
    assert_type(model.confidence, winnow.PointConfidence | None)
    assert_type(model.mean, NDArray[np.float32])
    assert_type(model.basis, NDArray[np.int16] | None)
    assert_type(model.unit_bits, list[int] | None)
    assert_type(model.with_16_bits().for_face_boxes(), winnow.Landmarks)
    assert_type(model.with_card(name="mine"), winnow.Landmarks)
    assert_type(winnow.Model(model).landmarks, winnow.Landmarks | None)
    model.save(Path("points.dat"), format="dlib")
    landmarkers = [
        winnow.Landmarker(model),
        winnow.Landmarker(winnow.Model(model)),
        winnow.Landmarker("points.winnow"),
        winnow.Landmarker(Path("points.dat")),
    ]
    landmarker = winnow.Landmarker(model, backend="cpu", threads=1, devices=[0])
    assert len(landmarkers) == 4
    found = winnow.Detector("face").detect("photo.jpg")
    gray = winnow.read_picture("photo.jpg").gray
    assert_type(landmarker.fit("photo.jpg", found), list[winnow.Shape])
    assert_type(landmarker.fit(gray, found.boxes), list[winnow.Shape])
    assert_type(landmarker.fit(gray, [(1, 2, 30, 30)], channels="rgb"), list[winnow.Shape])
    assert_type(landmarker.fit([gray, "photo.jpg"], [found, list(found)]), list[list[winnow.Shape]])
    (shape,) = landmarker.fit(gray, list(found))
    assert_type(shape.points, NDArray[np.float64])
    assert_type(shape.confidence, NDArray[np.float32] | None)
    assert_type(shape.mean_confidence, float | None)
    assert len(shape) == landmarker.model.points
    winnow.draw_shape(np.zeros((512, 512, 3), np.uint8), shape, (255, 0, 0), thickness=2)
    assert_type(winnow.draw_landmarks(model, "points"), Pixels)
    for event in winnow.scan("photo.jpg", "face", landmarks=model):
        if event.kind == "frame":
            assert_type(event.shapes, list[winnow.Shape])


def searches() -> None:
    detector = winnow.Detector("face")
    gray = winnow.read_picture("photo.jpg").gray
    found = detector.detect("photo.jpg", scale_factor=1.2, min_size=(40, 40), merge="groups")
    assert_type(found, winnow.Detections)
    assert_type(detector.detect(gray), winnow.Detections)
    assert_type(detector.detect(Path("photo.jpg")), winnow.Detections)
    assert_type(detector.detect(winnow.read_picture("photo.jpg", color=True)), winnow.Detections)
    assert_type(detector.detect([gray, "photo.jpg"]), list[winnow.Detections])
    assert_type(detector.detect((gray, gray)), list[winnow.Detections])
    assert_type(detector.detect(paths()), list[winnow.Detections])
    stack: list[Pixels] = list(np.stack([gray, gray]))
    assert_type(detector.detect(stack), list[winnow.Detections])
    assert_type(found[0], winnow.Detection)
    assert_type(found[:1], winnow.Detections)
    assert_type(found[found.scores > 5], winnow.Detections)
    for one in found:
        assert_type(one, winnow.Detection)
        assert_type(one.box, tuple[int, int, int, int])
        x, y, width, height, score, neighbors = one
        assert_type(score, float)
        assert x + y + width + height + neighbors > 0
    boxes = found.boxes
    boxes[:, 2:] += boxes[:, :2]
    assert_type(boxes, NDArray[np.int32])
    assert_type(found.xyxy, NDArray[np.int32])
    assert_type(found.scores, NDArray[np.float64])
    assert_type(found.draw(gray, color=(255, 0, 0), thickness=1).color, Pixels)
    assert_type(found.by_score(), winnow.Detections)
    assert found == found.by_score()
    counters: winnow.Counters = found.counters
    reached: list[int] = counters.reached
    assert reached
    assert_type(winnow.group_boxes(found, 1), NDArray[np.void])
    winnow.group_boxes([(10, 10, 20, 20), (11, 11, 20, 20)], 1)
    winnow.mean_shift_boxes(list(found), 0, weigh_by_score=True)
    winnow.support_boxes(list(found), 0, floor=-1.0)
    defaults: winnow.SearchDefaults = winnow.SearchDefaults(merge="support", border=0.2)
    assert_type(defaults.min_score, float)
    detector.enqueue(gray, channels="rgb")
    assert_type(detector.collect(), winnow.Detections)
    assert detector.pending < winnow.Detector.most_pending
    backend: Literal["auto", "reference", "cpu", "cuda"] = detector.backend
    infos: list[winnow.BackendInfo] = winnow.backends()
    assert backend in [info.name for info in infos]
    for target in winnow.simd_targets():
        winnow.force_simd_target(target)
    winnow.force_simd_target("")
    assert winnow.PinnedMemory(np.zeros((4, 4), np.uint8)).held in (True, False)
    assert_type(winnow.window_score(detector, gray[:24, :24]), float | None)


def paths() -> Iterator[Path]:
    yield Path("photo.jpg")


def trainings() -> None:
    jitter = winnow.Jitter(copies=1, roll=4)
    pack = winnow.make_pack("crops", ["backgrounds"], window=(24, 24), jitter=jitter, note=print)
    negative: winnow.PackNegative = pack.negatives[0]
    assert_type(negative.file, bytes)
    files: list[str] = winnow.write_pack(pack, "a.pack")
    assert_type(winnow.read_pack(files), winnow.Pack)
    steps: list[str] = []

    def watch(step: winnow.TrainStep) -> None:
        what: Literal["mining", "weak", "stage"] = step.what
        steps.append(f"{what} {step.stage}")

    result: winnow.TrainResult = winnow.train_cascade(pack, features="lbp", stages=1, negatives=100, progress=watch)
    stage: winnow.TrainedStage = result.stages[0]
    assert stage.weak > 0 and steps[0] == "mining 1"
    assert winnow.count_features("lbp", (24, 24)) > 0
    soft = [
        winnow.train_cascade(pack, soft=True, stages=1, max_weak=4, negatives=100, pool=200, seed=seed).cascade
        for seed in (1, 2)
    ]
    assert winnow.join_cascades(soft, pack).soft
    small = winnow.make_pack("crops", "backgrounds", window=(26, 26))
    blocks: winnow.HogCascadeResult = winnow.train_hog_cascade(
        small, window=(24, 24), rounds=1, max_stages=2, negatives=80, progress=False
    )
    shape = winnow.HogShape(window=(24, 24))
    svm: winnow.HogSvmResult = winnow.train_hog_svm(small, shape=shape, rounds=1, negatives=80, colors="use")
    pages: list[str] = [
        winnow.training_page(pack, result), winnow.training_page(small, blocks), winnow.training_page(small, svm),
    ]  # fmt: skip
    assert all("<html" in page for page in pages)


def landmark_trainings() -> None:
    labels = winnow.read_truth("points.csv")
    names = winnow.read_point_names("points.csv")
    assert_type(names, list[str])
    faces = winnow.find_faces(labels, "face", min_neighbors=2, points=(0, 1, 2, 3, 4), names=names, threads=1, note=print)
    assert_type(faces, winnow.FaceSet)
    assert_type(faces.names, list[str])
    assert_type(faces.pictures, list[str])
    assert_type(faces.sizes, list[tuple[int, int]])
    face: winnow.TrainingFace = faces.faces[0]
    assert_type(face.points, NDArray[np.float64])
    assert_type(face.box, tuple[int, int, int, int])
    again = winnow.TrainingFace(0, face.points, face.box, found=face.found)
    assert_type(faces.negatives, list[str])
    assert_type(faces.false_boxes, list[tuple[int, tuple[int, int, int, int]]])
    same = winnow.FaceSet(faces.pictures, faces.sizes, [again, *faces.faces[1:]], detector=faces.detector, hash=faces.hash)

    def watch(step: winnow.LandmarkStep) -> bool:
        assert_type(step.so_far, winnow.LandmarkStage | None)
        return step.stage + step.tree > 0

    result = winnow.train_landmarks(same, stages=1, trees=4, samples=4, eyes="", held_back=0.25, progress=watch)
    assert_type(result, winnow.LandmarkResult)
    assert_type(result.landmarks, winnow.Landmarks)
    assert_type(result.points_say, tuple[str, str])
    assert_type(result.landmarks.point_names, list[str])
    assert_type(result.landmarks.mirrored, list[int])
    assert_type(result.landmarks.eyes, tuple[list[int], list[int]])
    assert_type(result.stages[0], winnow.LandmarkStage)
    fitted: winnow.FittedFace = result.faces[0]
    assert_type(fitted.points, NDArray[np.float64])
    assert_type(winnow.training_page(same, result), str)


def landmark_evaluations() -> None:
    labels = winnow.read_truth("points.csv")
    found = winnow.Detector("face").detect([each.path for each in labels])
    assert_type(winnow.match_faces(labels[0], found[0]), list[int | None])
    shape = winnow.Shape(labels[0].labels[0].points, confidence=[0.5] * 5)
    marked = [[winnow.MarkedFace(found[0].boxes[0].tolist(), shape, label=0)], *([] for _ in labels[1:])]
    names = winnow.read_point_names("points.csv")
    judged: winnow.LandmarkEvaluation = winnow.evaluate_landmarks(labels, marked, distance=0.1, names=names, model=None)
    norm: Literal["pupils", "eye_corners", "side", "root"] = judged.main_norm
    errors: winnow.NormErrors = judged.of(norm)
    assert_type(errors.curve, NDArray[np.float64])
    face: winnow.JudgedFace = judged.found[0]
    missed: winnow.MissedFace = judged.missed[0]
    assert face.error("root") == 0 and missed.picture == 1
    reliability: winnow.Reliability | None = judged.reliability
    assert reliability is not None
    assert_type(reliability.bins, NDArray[np.void])
    model = winnow.EvaluatedLandmarks("mine", judged, boxes="face")
    report = winnow.LandmarkReport(labels, [model], title="eyes", truth=["points.csv"])
    assert_type(report.json(), str)
    assert len(winnow.write_landmark_eval(report, Path("landmarks"))) == 3


def tracking_evaluations() -> None:
    truth: winnow.BoxTrack = winnow.read_box_track("gt.txt", format="tld")
    assert_type(truth.boxes, NDArray[np.float64])
    written: Literal["otb", "tld", "vot", "tlp", "json", "csv"] = truth.format
    assert written == "tld"
    size: tuple[int, int] | None = truth.picture
    assert size is None
    result = winnow.BoxTrack(truth.boxes, confidence=[1, 0.5, 0.5])
    judged: winnow.TrackingEvaluation = winnow.evaluate_tracking(truth, result, overlap=0.5)
    figures: winnow.TrackingFigures = judged.figures
    assert_type(figures.auc, float)
    assert_type(figures.success, NDArray[np.float64])
    assert_type(judged.frames, NDArray[np.void])
    assert_type(winnow.mean_figures([judged]), winnow.TrackingFigures)
    reliability: winnow.TrackingReliability | None = winnow.joined_reliability([judged])
    assert reliability is not None
    assert_type(reliability.bins, NDArray[np.void])
    tracker = winnow.EvaluatedTracker("mine", [judged], files=["mine.csv"])
    report = winnow.TrackingReport([winnow.MarkedSequence("car", truth, file="gt.txt")], [tracker], title="cars")
    assert_type(report.json(), str)
    assert len(winnow.write_tracking_eval(report, Path("tracking"))) == 3


def evaluations() -> None:
    labels: list[winnow.LabelledPicture] = winnow.read_truth("info.dat", format="info")
    label: winnow.Label = labels[0].labels[0]
    assert_type(label.box, tuple[float, float, float, float])
    found = winnow.Detector("face").detect([each.path for each in labels])
    judged: winnow.Evaluation = winnow.evaluate(labels, found, winnow.EvalRule(match="iou", rank_by="score"))
    verdicts: list[winnow.JudgedDetection] = judged.judged
    verdict: Literal["right", "wrong", "ignored"] = verdicts[0].verdict
    assert verdict == "right"
    assert_type(judged.curve, NDArray[np.void])
    assert winnow.fddb_text(labels, found).startswith("photo.jpg")
    windows: winnow.WindowEvaluation = winnow.evaluate_windows([3.0, 2.0], 2, [1.0], 1000)
    model = winnow.EvaluatedModel("face", pictures=judged, windows=windows)
    report = winnow.EvalReport(labels, [model], title="faces")
    assert len(winnow.write_eval(report, "report")) == 3


def errors() -> None:
    try:
        winnow.load("no-such-model")
    except winnow.Error as error:
        texts: list[str] = [error.code, error.sentence, error.file, error.place]
        assert texts[0] == "usage"
    version: str = winnow.__version__
    assert version


def data() -> Any:
    return winnow.Detector("face").detect("photo.jpg").to_pandas()


def main() -> None:
    marked = (landmarks, landmark_trainings, landmark_evaluations)
    for check in (pictures, models, *marked, searches, scanning, trainings, evaluations, tracking_evaluations, errors):
        check()


if __name__ == "__main__":
    main()

"""Checks sets of faces and the training of landmarks: on pictures whose points are bright blobs."""

import copy
import math
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import winnow
from conftest import PORTRAIT, standstill

COMMAND = Path(sys.executable).parent / "winnow"
# The usual places of five blobs in a box, as fractions of its side: corners of two eyes, and a nose.
PLACES = np.array([(0.1, 0.3), (0.37, 0.3), (0.63, 0.3), (0.9, 0.3), (0.5, 0.75)])
OPTIONS: dict[str, Any] = {
    "stages": 3, "trees": 40, "depth": 3, "pixels": 80, "splits": 10, "samples": 24, "held_back": 0.3,
    "confidence_trees": 6,
}  # fmt: skip

Points = NDArray[np.float64]


def blobs(random: np.random.Generator) -> tuple[NDArray[np.uint8], Points, tuple[int, int, int, int]]:
    """A grey picture with five blobs, their middles, and a box around them."""
    x, y, side = random.integers(8, 20), random.integers(8, 20), random.integers(56, 64)
    points = np.array([x, y]) + PLACES * (side - 1) + random.uniform(-0.08, 0.08, (5, 2)) * side
    rows, columns = np.mgrid[:96, :96]
    light = random.uniform(20, 40, (96, 96))
    for px, py in points:
        light += 170 * np.exp(-((columns - px) ** 2 + (rows - py) ** 2) / 30)
    return light.clip(0, 255).astype(np.uint8), points, (int(x), int(y), int(side), int(side))


@pytest.fixture
def pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[winnow.LabelledPicture]:
    monkeypatch.chdir(tmp_path)
    random, made = np.random.default_rng(11), []
    for i in range(30):
        gray, points, box = blobs(random)
        winnow.write_picture(f"{i:02}.png", gray)
        made.append(winnow.LabelledPicture(f"{i:02}.png", [winnow.Label(box, points=points.tolist())]))
    return made


@pytest.fixture
def faces(pictures: list[winnow.LabelledPicture]) -> winnow.FaceSet:
    return winnow.find_faces(pictures, "truth")


def file_of(model: winnow.Landmarks) -> bytes:
    return model.with_card(name="x", kind="", source="", terms="").to_bytes()


def test_faces_of_the_labels(pictures: list[winnow.LabelledPicture]) -> None:
    faces = winnow.find_faces(pictures, "truth")
    assert faces.pictures == [picture.path for picture in pictures]
    assert faces.sizes == [(96, 96)] * 30
    assert faces.detector == ""
    assert [face.picture for face in faces.faces] == list(range(30))
    for face, picture in zip(faces.faces, pictures, strict=True):
        assert face.found
        assert face.box == picture.labels[0].box
        assert face.points.shape == (5, 2)
        assert face.points.tolist() == [list(point) for point in picture.labels[0].points]
    assert repr(faces) == "FaceSet(30 faces in 30 pictures)"
    assert repr(faces.faces[0]) == f"TrainingFace(5 points, {faces.faces[0].box})"
    Path("00.png").write_bytes(Path("01.png").read_bytes())
    assert winnow.find_faces(pictures, "truth").hash != faces.hash


def test_which_faces_are_taken(pictures: list[winnow.LabelledPicture]) -> None:
    points = pictures[2].labels[0].points
    Path("02.png").write_text("no picture")
    pictures[3] = winnow.LabelledPicture(
        "03.png",
        [
            winnow.Label((1, 2, 30, 31), points=points, ignore=True),
            winnow.Label((1, 2, 30, 31)),
            winnow.Label((1.5, 2.4, 30, 31), points=points),
            winnow.Label((40, 2, 30, 31), points=[(50, 5)] * 5),
        ],
    )
    notes: list[str] = []
    faces = winnow.find_faces(pictures[:5], "truth", points=[2, 0], note=notes.append)
    assert len(notes) == 2
    assert "02.png" in notes[0] and "03.png" in notes[1]
    assert faces.pictures == ["00.png", "01.png", "03.png", "04.png"]
    assert [face.picture for face in faces.faces] == [0, 1, 2, 3]
    assert faces.faces[2].box == (2, 2, 30, 31)
    assert faces.faces[2].points.tolist() == [list(points[2]), list(points[0])]


def test_boxes_of_a_detector(place: Path) -> None:
    pictures = winnow.read_truth("points.csv")
    detector = winnow.Detector("face")
    wanted = [detector.detect(picture.path).boxes.tolist() for picture in pictures]
    for backend, threads in (("reference", 1), ("cpu", 1), ("cpu", 3)):
        faces = winnow.find_faces(pictures, backend=backend, threads=threads)  # type: ignore[arg-type]
        assert [[list(face.box)] for face in faces.faces] == wanted
        assert faces.detector == "face"
        assert repr(faces) == "FaceSet(8 faces in 8 pictures, face)"
    assert winnow.find_faces(pictures, Path(winnow.resolve_model("haarcascade_frontalface_alt"))).detector == ""
    with pytest.raises(winnow.Error, match=r"finds none of the \d+ marked face"):
        winnow.find_faces(pictures, min_size=(290, 290))


def test_a_missed_face_gets_the_usual_place(place: Path) -> None:
    """The black picture has a face like that of the photo, but the detector cannot see it."""
    winnow.write_picture("black.png", np.zeros((512, 512), np.uint8))
    labels = [winnow.Label((0, 0, 9, 9), points=PORTRAIT)]
    faces = winnow.find_faces([winnow.LabelledPicture(name, labels) for name in ("photo.jpg", "black.png")])
    seen, missed = faces.faces
    assert (seen.found, missed.found) == (True, False)
    assert missed.box == seen.box == (164, 101, 204, 204)
    assert repr(missed) == "TrainingFace(5 points, (164, 101, 204, 204), not found)"


def test_negatives_teach_presence(pictures: list[winnow.LabelledPicture], faces: winnow.FaceSet, tmp_path: Path) -> None:
    # Boxes beside the faces: ground without blobs.
    paths, sizes = faces.pictures, faces.sizes
    boxes = [(i, (0, 0, 12 + i % 3, 12)) for i in range(len(paths))]
    taught = winnow.FaceSet(
        paths, sizes, faces.faces, hash=faces.hash, negatives=paths, negative_sizes=sizes, false_boxes=boxes
    )
    for form in (taught, pickle.loads(pickle.dumps(taught)), copy.deepcopy(taught)):
        assert (form.negatives, form.negative_sizes, form.false_boxes) == (paths, sizes, boxes)
    result = winnow.train_landmarks(taught, **{**OPTIONS, "held_back": 0.4}, presence_trees=10)
    assert result.landmarks.has_presence and result.presence is not None
    kept, held_back, wrong, all_wrong = result.presence
    assert kept <= held_back and wrong <= all_wrong == len(boxes)
    without = winnow.train_landmarks(taught, **{**OPTIONS, "held_back": 0.4}, presence_trees=0)
    assert not without.landmarks.has_presence and without.presence is None
    with pytest.raises(winnow.Error, match="negatives need a detector that has false alarms in them"):
        winnow.find_faces(pictures, "truth", negatives=[str(tmp_path)])
    with pytest.raises(winnow.Error, match="each negative needs a size"):
        winnow.train_landmarks(winnow.FaceSet(paths, sizes, faces.faces, negatives=paths), **OPTIONS)


def test_sets_are_values(faces: winnow.FaceSet) -> None:
    parts = [
        winnow.TrainingFace(face.picture, face.points.tolist(), list(face.box), found=face.found) for face in faces.faces
    ]
    forms = [
        winnow.FaceSet([Path(path) for path in faces.pictures], faces.sizes, parts, hash=faces.hash),
        pickle.loads(pickle.dumps(faces)),
        copy.deepcopy(faces),
    ]
    for form in forms:
        assert (form.pictures, form.sizes, form.detector, form.hash) == (faces.pictures, faces.sizes, "", faces.hash)
        for face, wanted in zip(form.faces, faces.faces, strict=True):
            assert (face.picture, face.box, face.found) == (wanted.picture, wanted.box, wanted.found)
            assert np.array_equal(face.points, wanted.points)
    missed = pickle.loads(pickle.dumps(winnow.TrainingFace(4, [(1, 2)], (0, -3, 5, 6), found=False)))
    assert (missed.picture, missed.points.tolist(), missed.box, missed.found) == (4, [[1, 2]], (0, -3, 5, 6), False)
    points = faces.faces[0].points
    points += 5  # a copy
    assert np.array_equal(points, faces.faces[0].points + 5)
    options = {**OPTIONS, "stages": 1}
    wanted_file = file_of(winnow.train_landmarks(faces, **options).landmarks)
    assert file_of(winnow.train_landmarks(forms[0], **options).landmarks) == wanted_file
    named = winnow.FaceSet(faces.pictures, faces.sizes, faces.faces, detector="people")
    assert winnow.train_landmarks(named, **options).landmarks.detector == "people"


def test_a_model_marks_blobs_that_it_never_saw(faces: winnow.FaceSet) -> None:
    result = winnow.train_landmarks(faces, **OPTIONS)
    model = result.landmarks
    assert (model.points, model.trees.stages, model.trees.trees, model.trees.depth) == (5, 3, 40, 3)
    assert model.fixed_point and model.confidence is not None
    random = np.random.default_rng(99)
    landmarker, before, after = winnow.Landmarker(model), [], []
    for _ in range(20):
        gray, points, box = blobs(random)
        (shape,) = landmarker.fit(gray, [box])
        after.append(np.hypot(*(shape.points - points).T).mean())
        before.append(np.hypot(*(box[:2] + model.mean * (box[2] - 1) - points).T).mean())
        assert shape.confidence is not None
        assert ((shape.confidence >= 0) & (shape.confidence <= 1)).all()
    assert np.mean(after) < 0.6 * np.mean(before)


def test_a_result_says_how_the_training_went(faces: winnow.FaceSet) -> None:
    result = winnow.train_landmarks(faces, **OPTIONS, backend="cpu")
    assert (len(result.stages), result.samples, result.stopped, result.backend) == (3, 21 * 24, False, "cpu")
    errors = [stage.error for stage in result.stages]
    assert errors == sorted(errors, reverse=True)
    assert result.seconds >= sum(stage.seconds for stage in result.stages) > 0
    assert [face.held_back for face in result.faces] == [False] * 21 + [True] * 9
    assert sorted(face.face for face in result.faces) == list(range(30))
    for face in result.faces:
        truth = faces.faces[face.face].points
        pupils = np.hypot(*((truth[0] + truth[1]) / 2 - (truth[2] + truth[3]) / 2))
        wanted = np.hypot(*(face.points - truth).T).mean() / pupils
        assert face.error == pytest.approx(wanted, rel=1e-12)
    for held_back, last in ((False, result.stages[-1].error), (True, result.stages[-1].held_back_error)):
        assert np.mean([face.error for face in result.faces if face.held_back == held_back]) == pytest.approx(last)
    (shape,) = winnow.Landmarker(result.landmarks).fit(faces.pictures[0], [faces.faces[0].box])
    (fitted,) = [face for face in result.faces if face.face == 0]
    assert np.abs(shape.points - fitted.points).max() < 0.01
    few = winnow.train_landmarks(faces, **{**OPTIONS, "held_back": 0.2, "stages": 1})
    assert few.stages[0].held_back_error > 0
    assert few.landmarks.confidence is None  # six faces cannot teach it
    whole = winnow.train_landmarks(faces, **{**OPTIONS, "held_back": 0, "stages": 1})
    assert math.isnan(whole.stages[0].held_back_error)
    assert whole.landmarks.confidence is None
    assert repr(result) == "LandmarkResult(3 stages, cpu)"
    assert repr(whole) == f"LandmarkResult(1 stage, {whole.backend})"
    assert repr(result.stages[0]).startswith("LandmarkStage(error 0.")
    assert repr(result.faces[-1]).endswith(", held back)")


def test_every_machine_trains_the_same(faces: winnow.FaceSet) -> None:
    files = {
        file_of(winnow.train_landmarks(faces, **OPTIONS, backend=backend, threads=threads).landmarks)  # type: ignore[arg-type]
        for backend, threads in (("reference", 1), ("cpu", 1), ("cpu", 3), ("reference", 3))
    }
    assert len(files) == 1
    assert file_of(winnow.train_landmarks(faces, **OPTIONS, seed=2).landmarks) not in files
    for change in ({"rate": 0.2}, {"calm": 1}, {"basis": 2}, {"mirror": False}, {"mirrored": range(5)}, {"move_jitter": 0.1},
                   {"scale_jitter": 0.1}, {"mixed": 0}, {"first_radius": 0.2}, {"last_radius": 0.1}, {"splits": 5},
                   {"first_closeness": 0.3}, {"last_closeness": 0.3}, {"samples": 20}, {"confidence_trees": 7}):  # fmt: skip
        assert file_of(winnow.train_landmarks(faces, **{**OPTIONS, **change}).landmarks) not in files  # type: ignore[dict-item]


def test_the_command_trains_the_same(pictures: list[winnow.LabelledPicture], faces: winnow.FaceSet) -> None:
    lines = ["<dataset><images>"]
    for picture in pictures:
        label = picture.labels[0]
        x, y, width, height = map(int, label.box)
        parts = "".join(f'<part name="{i}" x="{px}" y="{py}"/>' for i, (px, py) in enumerate(label.points))
        lines.append(
            f'<image file="{picture.path}"><box left="{x}" top="{y}" width="{width}" height="{height}">{parts}</box></image>'
        )
    Path("truth.xml").write_text("\n".join([*lines, "</images></dataset>"]))
    options = {**OPTIONS, "rate": 0.2, "calm": 5, "scale_jitter": 0.03, "move_jitter": 0.07, "basis": 4, "seed": 3}
    words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
    subprocess.run(
        [COMMAND, "train", "landmarks", "--truth", "truth.xml", "--detector", "truth", "--out", "a.winnow", *words],
        check=True, capture_output=True,
    )  # fmt: skip
    assert file_of(winnow.Landmarks.load("a.winnow")) == file_of(winnow.train_landmarks(faces, **options).landmarks)


def test_where_pixels_lie(faces: winnow.FaceSet) -> None:
    radii = winnow.train_landmarks(faces, **OPTIONS, first_radius=0.25, last_radius=0.05).landmarks
    reach = np.hypot(radii.trees.pixel_list["x"], radii.trees.pixel_list["y"]).max(axis=1)
    assert 0.15 < reach[0] <= 0.25 and 0.02 < reach[-1] <= 0.05
    same = {"first_radius": 0.2, "last_radius": 0.2}
    near = winnow.train_landmarks(faces, **OPTIONS, **same, first_closeness=0.02, last_closeness=0.5).landmarks
    apart = []
    for pixels, splits in zip(near.trees.pixel_list, near.trees.splits, strict=True):
        places = near.mean[pixels["point"]] + np.stack([pixels["x"], pixels["y"]], axis=1)
        apart.append(np.median(np.hypot(*(places[splits["first"]] - places[splits["second"]]).reshape(-1, 2).T)))
    assert 2 * apart[0] < apart[-1]
    assert near.trees.pixels == 80


def test_progress_reports_and_stops(faces: winnow.FaceSet) -> None:
    steps: list[winnow.LandmarkStep] = []

    def watch(step: winnow.LandmarkStep) -> bool | None:
        steps.append(step)
        return False if step.stage_done and step.stage == 2 else None

    stopped = winnow.train_landmarks(faces, **OPTIONS, checkpoint="state", progress=watch)
    assert stopped.stopped
    assert len(stopped.stages) == stopped.landmarks.trees.stages == 2
    assert stopped.landmarks.confidence is None
    done = [step for step in steps if step.stage_done]
    assert [step.stage for step in done] == [1, 2]
    for step, stage in zip(done, stopped.stages, strict=True):
        assert step.so_far is not None
        assert (step.so_far.error, step.so_far.held_back_error) == (stage.error, stage.held_back_error)
        assert step.tree == 40
    others = [step for step in steps if not step.stage_done]
    assert all(step.so_far is None for step in others)
    assert {step.stage for step in others} == {1, 2}
    assert steps[-1] is done[-1]
    assert [step.seconds for step in steps] == sorted(step.seconds for step in steps)
    assert repr(done[0]).startswith("LandmarkStep(stage 1, 40 trees, ")
    with pytest.raises(winnow.Error, match="holds the state of a training") as raised:
        winnow.train_landmarks(faces, **OPTIONS, checkpoint="state")
    assert raised.value.code == "usage"
    resumed = winnow.train_landmarks(faces, **OPTIONS, checkpoint="state", resume=True, backend="reference")
    whole = winnow.train_landmarks(faces, **OPTIONS)
    assert not resumed.stopped
    assert resumed.landmarks.to_bytes() == whole.landmarks.to_bytes()
    assert [stage.error for stage in resumed.stages] == [stage.error for stage in whole.stages]


def test_a_state_serves_one_training(faces: winnow.FaceSet) -> None:
    winnow.train_landmarks(faces, **{**OPTIONS, "stages": 1}, checkpoint="state")
    other = winnow.FaceSet(faces.pictures, faces.sizes, faces.faces, hash=faces.hash ^ 1)
    for given, change in ((faces, {"seed": 2}), (faces, {"depth": 2}), (other, {})):
        with pytest.raises(winnow.Error) as raised:
            winnow.train_landmarks(given, **{**OPTIONS, "stages": 1, **change}, checkpoint="state", resume=True)  # type: ignore[dict-item]
        assert raised.value.code == "usage"


def test_a_stop_before_a_stage_is_an_error(faces: winnow.FaceSet) -> None:
    with pytest.raises(winnow.Error, match="stopped before the first stage was done"):
        winnow.train_landmarks(faces, **OPTIONS, progress=lambda step: np.bool_(False))  # type: ignore[arg-type, return-value]


def test_an_exception_in_progress_comes_out(faces: winnow.FaceSet) -> None:
    def broken(step: winnow.LandmarkStep) -> None:
        raise ValueError(f"stage {step.stage}")

    with pytest.raises(ValueError, match="stage 1"):
        winnow.train_landmarks(faces, **OPTIONS, progress=broken)
    with pytest.raises(TypeError, match="progress is a function that takes a LandmarkStep, or True for a bar"):
        winnow.train_landmarks(faces, progress=3)  # type: ignore[arg-type]


def test_an_exception_in_a_note_comes_out(pictures: list[winnow.LabelledPicture]) -> None:
    def broken(sentence: str) -> None:
        raise ValueError(sentence)

    Path("07.png").write_text("no picture")
    with pytest.raises(ValueError, match="07.png"):
        winnow.find_faces(pictures, "truth", note=broken)


@pytest.mark.parametrize("progress", ["None", "lambda step: None"])
def test_interrupts_end_a_training(progress: str, faces: winnow.FaceSet) -> None:
    """The training would take many minutes."""
    Path("faces.pickle").write_bytes(pickle.dumps(faces))
    program = (
        "import pickle, winnow\n"
        "faces = pickle.load(open('faces.pickle', 'rb'))\n"
        "print('ready', flush=True)\n"
        "winnow.train_landmarks(faces, stages=60, trees=6_000, samples=100, threads=1, checkpoint='state',\n"
        f"                       progress={progress})\n"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        time.sleep(1)  # by then the training has begun
        child.send_signal(signal.SIGINT)
        try:
            _, said = child.communicate(timeout=60)
        finally:
            child.kill()
    assert said.strip().endswith(b"KeyboardInterrupt")
    assert child.returncode != 0
    assert os.path.isdir("state")


def test_a_bar_of_tqdm(faces: winnow.FaceSet, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm")
    winnow.train_landmarks(faces, **OPTIONS, progress=True)
    last = capsys.readouterr().err.split("\r")[-1]
    assert "3/3" in last and "error 0." in last and "held back 0." in last


def test_lines_without_tqdm(
    faces: winnow.FaceSet, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    result = winnow.train_landmarks(faces, **OPTIONS, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(", ")[:2] for line in lines] == [
        [f"stage {i} of 3: error {stage.error:.4f}", f"held back {stage.held_back_error:.4f}"]
        for i, stage in enumerate(result.stages, 1)
    ]


def test_python_runs_while_landmarks_are_trained(faces: winnow.FaceSet) -> None:
    assert standstill(lambda: winnow.train_landmarks(faces, **{**OPTIONS, "samples": 200, "threads": 1})) < 0.5


def test_a_page_about_a_training(faces: winnow.FaceSet) -> None:
    result = winnow.train_landmarks(faces, **OPTIONS)
    page = winnow.training_page(faces, result)
    assert "<html" in page and page.count("<figure") >= 30
    worst = max((face for face in result.faces if face.held_back), key=lambda face: face.error)
    assert faces.pictures[faces.faces[worst.face].picture] in page
    with pytest.raises(TypeError):
        winnow.training_page(result, faces)  # type: ignore[call-overload]


@pytest.mark.parametrize(
    ("change", "code", "sentence"),
    [
        ({"stages": 0}, "usage", "the number of stages must be from 1 to"),
        ({"trees": 10_001}, "usage", "the number of trees in a stage must be from 1 to 10000"),
        ({"rate": 0}, "usage", "the rate must be from 0.001 to 1"),
        ({"rate": math.nan}, "usage", "the rate must be"),
        ({"held_back": 0.6}, "usage", "the fraction that is held back must be from 0 to 0.5"),
        ({"mirrored": (1, 0)}, "usage", "the list of mirrored points has 2 numbers, faces have 5 points"),
        ({"mirrored": (1, 2, 0, 3, 4)}, "usage", "mirrored twice, point 0 must become itself"),
        ({"mirrored": (1, 0, -1, 3, 4)}, "usage", "there is no point -1 to mirror"),
        ({"memory": -1}, "usage", "the memory must not be negative"),
        ({"resume": True}, "usage", "to go on, the folder of the state is needed"),
        ({"backend": "gpu"}, "usage", "gpu"),
        ({"checkpoint": "00.png"}, "io", "00.png"),
    ],
)
def test_wrong_options(change: dict[str, Any], code: str, sentence: str, faces: winnow.FaceSet) -> None:
    with pytest.raises(winnow.Error, match=sentence) as raised:
        winnow.train_landmarks(faces, **{**OPTIONS, **change})
    assert raised.value.code == code


def test_wrong_faces(pictures: list[winnow.LabelledPicture], faces: winnow.FaceSet) -> None:
    one = faces.faces[0]
    wrong = [
        (faces.pictures, faces.sizes, [one], "from 2 faces or more"),
        (faces.pictures, faces.sizes[:1], faces.faces, "each picture of the faces needs a size"),
        (faces.pictures, faces.sizes, faces.faces[::-1], "in the order of their pictures"),
        (faces.pictures[:1], faces.sizes[:1], faces.faces, "in the order of their pictures"),
        (faces.pictures, faces.sizes, [one, winnow.TrainingFace(1, [(1, 2)], one.box)], "the same number of points"),
        (faces.pictures, faces.sizes, [winnow.TrainingFace(0, [], one.box)] * 2, "1 to 512 points"),
        (faces.pictures, faces.sizes, [one, winnow.TrainingFace(1, one.points, (0, 0, 1, 9))], "2 pixels wide and high"),
    ]
    for paths, sizes, list_of_faces, sentence in wrong:
        with pytest.raises(winnow.Error, match=sentence) as raised:
            winnow.train_landmarks(winnow.FaceSet(paths, sizes, list_of_faces))
        assert raised.value.code == "usage"
    with pytest.raises(winnow.Error, match=r"points are an array \(points, 2\)"):
        winnow.TrainingFace(0, [1, 2], (0, 0, 9, 9))
    with pytest.raises(winnow.Error, match=r"the shape \(1, 3\), and \(1, 2\) is needed"):
        winnow.TrainingFace(0, [(1, 2, 3)], (0, 0, 9, 9))
    with pytest.raises(winnow.Error, match="points are numbers"):
        winnow.TrainingFace(0, [("a", "b")], (0, 0, 9, 9))
    Path("01.png").unlink()
    with pytest.raises(winnow.Error) as raised:
        winnow.train_landmarks(faces, **{**OPTIONS, "held_back": 0})
    assert (raised.value.code, raised.value.file) == ("io", "01.png")
    flat = [winnow.LabelledPicture("00.png", [winnow.Label((0, 0, 0, 0), points=[(1, 2), (9, 9)])])] * 2
    for given, detector, code, sentence in (
        (pictures[:1], "truth", "format", "fewer than 2 faces"),
        ([], "truth", "format", "fewer than 2 faces"),
        (flat, "truth", "usage", "a label has no box"),
        (pictures, "no-such-model", "usage", "no-such-model"),
    ):
        with pytest.raises(winnow.Error, match=sentence) as raised:
            winnow.find_faces(given, detector)
        assert raised.value.code == code
    with pytest.raises(winnow.Error, match="there is no point 5: faces have 5 points"):
        winnow.find_faces(pictures, "truth", points=[0, 5])


def test_names_of_points_tell_pairs_and_eyes(tmp_path: Path) -> None:
    truth = tmp_path / "named.csv"
    truth.write_text("file,left_eye_x,left_eye_y,right_eye_x,right_eye_y\na.png,1,2,9,2\n")
    assert winnow.read_point_names(truth) == ["left_eye", "right_eye"]
    face = winnow.TrainingFace(0, [(12, 20), (31.5, 20)], (5, 5, 40, 40))
    faces = winnow.FaceSet(["a.png"], [(64, 64)], [face], names=["left_eye", "right_eye"])
    assert faces.names == ["left_eye", "right_eye"]
    assert pickle.loads(pickle.dumps(faces)).names == faces.names


def test_a_model_keeps_names_and_labels_are_compared_by_them(pictures: list[winnow.LabelledPicture]) -> None:
    names = ["left_eye_outer", "left_eye_inner", "right_eye_inner", "right_eye_outer", "nose"]
    faces = winnow.find_faces(pictures, "truth", names=names)
    result = winnow.train_landmarks(faces, **OPTIONS)
    model = result.landmarks
    assert model.point_names == names
    assert model.mirrored == [3, 2, 1, 0, 4]
    assert model.eyes == ([0, 1], [3, 2]) or model.eyes == ([0, 1], [2, 3])
    mirrored, errors = result.points_say
    assert mirrored.endswith("change places, by their names")
    assert errors == "errors are divided by the distance of the pupils"
    landmarker = winnow.Landmarker(model)
    marked = []
    for picture, face in zip(pictures, faces.faces, strict=True):
        (shape,) = landmarker.fit(picture.path, [face.box])
        marked.append([winnow.MarkedFace(face.box, shape, label=0)])
    turned = [
        winnow.LabelledPicture(each.path, [winnow.Label(each.labels[0].box, points=each.labels[0].points[::-1])])
        for each in pictures
    ]
    known = winnow.evaluate_landmarks(pictures, marked, names=names, model=model)
    other = winnow.evaluate_landmarks(turned, marked, names=names[::-1], model=model)
    assert other.of("pupils").mean == pytest.approx(known.of("pupils").mean, rel=1e-12)
    with pytest.raises(winnow.Error, match="stand in another order"):
        winnow.evaluate_landmarks(turned, marked, model=model)


def test_eyes_as_numbers(pictures: list[winnow.LabelledPicture]) -> None:
    points = (4, 0, 3)  # in this order, places tell nothing
    result = winnow.train_landmarks(winnow.find_faces(pictures, "truth", points=points), **OPTIONS, eyes="1/2")
    assert result.landmarks.eyes == ([1], [2])
    assert result.points_say[1] == "errors are divided by the distance of the pupils"
    with pytest.raises(winnow.Error, match="there is no point 3 of an eye"):
        winnow.train_landmarks(winnow.find_faces(pictures, "truth", points=points), **OPTIONS, eyes="1/3")

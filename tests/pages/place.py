"""Makes the files that the guides mention, as a reader would have them.

A block of commands runs in an empty folder. `Place.fill` makes the files whose names stand in the block, except those
that the block makes itself (`--out NAME`, `convert MODEL NAME`). The same name may stand for different things in two guides.
"""

import functools
import json
import os
import re
import shutil
import subprocess

from marked import dlib_xml, marked, points_csv
from rings import background, crop, draw_ring, noise
from runner import CASCADES, FACES
from scene import Picture

PORTRAIT, LANDSCAPE = "grace_hopper_512x512.jpg", "640px-IceBlockNearJoekullsarlon.jpg"
FACE = (164, 101, 204, 204)  # in the portrait
PEOPLE = "docs/people.md"
POINTS = "docs/training-points.md"


DLIB_POINTS = "/usr/share/dlib/shape_predictor_68_face_landmarks.dat"


class Missing(Exception):
    """Something that this machine lacks."""


def photo(root, name):
    """The path of a photograph of Debian's facedetect, installed or fetched by tools/photos.sh; None if missing."""
    for folder in (FACES, os.path.join(root, "build", "photos")):
        if os.path.exists(path := os.path.join(folder, name)):
            return path
    return None


@functools.cache
def grain(width, height, seed):
    """A picture without an object. It is a small picture with enlarged pixels, which is drawn fast."""
    factor = max(4, width // 40)
    small = noise(-(-width // factor), -(-height // factor), seed)
    picture = Picture(0, 0)
    picture.width, picture.height = width, height
    rows = [bytearray(value for value in row for _ in range(factor))[:width] for row in small.rows]
    picture.rows = [bytearray(row) for row in rows for _ in range(factor)][:height]
    return picture


def object_picture(width, height, seed):
    """A ring in the middle of a picture."""
    side = min(width, height)
    picture = grain(width, height, 1000 + seed).crop(0, 0, width, height)
    return draw_ring(picture, (width - side) // 2, (height - side) // 2, side, seed, 0.05)


class Place:
    def __init__(self, root, folder, command):
        self.root, self.folder, self.command = root, folder, command
        self.document = ""
        self.drew_portrait = False

    # ---- helpers of the makers

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)

    def run(self, *words):
        subprocess.run(words, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def winnow(self, *words):
        self.run(self.command, *words)

    def portrait(self, name, photograph=PORTRAIT):
        """The photograph, or a drawing if there is none."""
        path = photo(self.root, photograph)
        if path:
            with open(path, "rb") as file:
                self.write(name, file.read())
        else:
            self.drew_portrait = True
            self.write(name, object_picture(512, 512, 1).pgm())

    def pictures(self, folder, count, width, height, empty=False):
        for i in range(count):
            made = grain(width, height, i) if empty else object_picture(width, height, i)
            self.write(f"{folder}/{i:03}.pgm", made.pgm())

    # ---- makers, by the name in the guides

    def make_photos(self, name):
        os.makedirs(os.path.join(self.folder, "build/photos"), exist_ok=True)
        self.portrait(name + PORTRAIT)
        self.portrait(name + LANDSCAPE, LANDSCAPE)

    def make_photo_folder(self, name):
        self.portrait(name + "grace.jpg")
        self.portrait(name + "deeper/ice.jpg", LANDSCAPE)

    def make_video(self, name):
        if shutil.which("ffmpeg") is None:
            raise Missing("the ffmpeg command is missing")
        listed = subprocess.run([self.command, "backends", "--json"], check=True, stdout=subprocess.PIPE).stdout
        if not json.loads(listed)["video"]:
            raise Missing("this build reads no videos")
        self.portrait("frame.jpg")
        os.makedirs(os.path.dirname(os.path.join(self.folder, name)) or ".", exist_ok=True)
        self.run("ffmpeg", "-v", "error", "-nostdin", "-loop", "1", "-framerate", "25", "-i", "frame.jpg", "-f", "lavfi", "-i",
                 "sine", "-t", "0.12", "-c:v", "mpeg4", "-c:a", "aac", "-pix_fmt", "yuv420p", name)

    def make_boxes(self, name):
        self.portrait("marked.jpg")
        self.write(name, "file,x,y,width,height\nmarked.jpg,%d,%d,%d,%d\n" % FACE)

    def make_points(self, name):
        """Writes pictures and their labels of 68 points. The eyes are the points 36 to 41 and 42 to 47."""
        if self.document == POINTS:
            return self.make_marked_portraits(name)
        # Some points lie as in a face, since the places of points tell which points they are.
        at = {**{i: (70, 80) for i in range(36, 42)}, **{i: (130, 82) for i in range(42, 48)},
              0: (33, 82), 8: (100, 185), 16: (167, 82), 17: (45, 68), 21: (89, 63), 22: (111, 63), 26: (155, 68), 27: (100, 78),
              30: (100, 112), 33: (100, 124), 48: (74, 141), 51: (100, 137), 54: (126, 141), 57: (100, 155)}
        lines = ["file," + ",".join(f"x{i},y{i}" for i in range(68))]
        for i in range(20):
            self.write(f"{i}.pgm", object_picture(200, 200, i).pgm())
            lines.append(f"{i}.pgm," + ",".join("%d,%d" % at.get(j, (60 + j, 60 + j)) for j in range(68)))
        self.write(name, "\n".join(lines) + "\n")

    def make_marked_portraits(self, name):
        """Writes copies of the portrait, whose face the detector finds, and 68 points within the face."""
        if not photo(self.root, PORTRAIT):
            raise Missing("the photograph is not there (tools/photos.sh)")
        x, y, width, height = FACE
        at = {**{i: (0.3, 0.4) for i in range(36, 42)}, **{i: (0.7, 0.4) for i in range(42, 48)}}
        points = [at.get(i, (0.2 + 0.6 * (i % 9) / 8, 0.3 + 0.6 * (i // 9) / 7)) for i in range(68)]
        faces = []
        for i in range(20):
            self.portrait(f"{name}-{i:02}.jpg")
            faces.append((f"{name}-{i:02}.jpg", FACE, [(round(x + width * across), round(y + height * down)) for across, down in points]))
        self.write(name, points_csv(faces))

    def make_marked_objects(self, name):
        """Writes drawn objects with five points, and dlib's XML of them."""
        faces = []
        for i in range(60):
            picture, box, points = marked(i)
            self.write(f"{i:02}.pgm", picture.pgm())
            faces.append((f"{i:02}.pgm", box, points))
        self.write(name, dlib_xml(faces))

    def make_test_set(self, name):
        """Writes a face with the six points of MIT+CMU, and a picture without a face."""
        self.portrait("test/grace.jpg")
        self.portrait("test/ice.jpg", LANDSCAPE)
        self.write("test/groundtruth.txt", "grace.jpg 225 185 300 185 262 225 230 260 262 262 295 260\n")

    def make_crops(self, name):
        if self.document == "docs/evaluation.md":
            return self.pictures(name, 4, 64, 128)
        if self.document == PEOPLE:
            return self.pictures(name, 40, 66, 130)
        return self.pictures(name, 300 if self.document == "docs/training-data.md" else 40, 128, 128)

    def make_negatives(self, name):
        count, width, height = {"docs/training-data.md": (40, 640, 480), "docs/evaluation.md": (3, 200, 240)}.get(
            self.document, (2, 36, 32))
        self.pictures("nothing", count, width, height, empty=True)
        self.write(name, "".join(f"nothing/{i:03}.pgm\n" for i in range(count)))

    def make_scenes(self, name):
        self.pictures(name, 3, 200, 240, empty=True)

    def make_rings(self, name):
        """The samples of the tests of `winnow train cascade`."""
        for i in range(100):
            self.write(f"{name}{i:02}.pgm", crop(i))
        for i in range(8):
            self.write(f"nothing/{i}.png", background(i))

    def make_people(self, name):
        self.pictures(name, 20, 80, 144)

    def make_kept(self, name):
        self.pictures(name, 4, 64, 128)

    def make_kept_back(self, name):
        self.portrait(name + "grace.jpg")

    def make_model(self, name):
        self.winnow("convert", "people" if self.document == PEOPLE else "face", name)

    def make_svm(self, name):
        self.winnow("convert", "people-svm", name)

    def make_pack(self, name):
        width, height = (66, 130) if self.document == PEOPLE else (24, 24)
        self.pictures("samples", 40, width, height)
        self.pictures("without", 4, *((100, 150) if self.document == PEOPLE else (80, 60)), empty=True)
        self.winnow("train", "pack", "--positives", "samples", "--negatives", "without", "--window", f"{width}x{height}", "--out",
                    name)

    def make_dlib_faces(self, name):
        data = os.path.abspath(os.environ.get("WINNOW_DATA") or os.path.join(self.root, "..", "shared", "data"))
        if not os.path.exists(os.path.join(data, "photos", "testing.xml")):
            raise Missing("the data folder is not there (WINNOW_DATA names it)")
        os.symlink(os.path.join(data, "photos"), os.path.join(self.folder, "faces"))

    def make_tracks(self, name):
        """Writes the marks of two sequences of three frames, and the boxes of trackers."""
        for sequence in ("car", "david"):
            self.write(f"{sequence}/gt.txt", "10,10,49,49\n12,10,51,49\nNaN,NaN,NaN,NaN\n")
            self.write(f"{sequence}/TLD1.0.txt", "10,10,49,49\n14,10,53,49\nNaN,NaN,NaN,NaN\n")
            boxes = [{"id": 1, "x": 12, "y": 10, "width": 40, "height": 40, "confidence": 0.9, "state": "tracked"}] * 2
            frames = [[box] for box in boxes] + [[{"id": 1, "state": "lost"}]]
            self.write(f"{sequence}.jsonl", "".join(json.dumps({"frame": i, "tracks": box}) + "\n" for i, box in enumerate(frames)))

    def make_published_tracks(self, name):
        data = os.path.abspath(os.environ.get("WINNOW_DATA") or os.path.join(self.root, "..", "shared", "data"))
        if not os.path.exists(os.path.join(data, name)):
            raise Missing("the data folder is not there (WINNOW_DATA names it)")
        os.symlink(os.path.join(data, "tracks"), os.path.join(self.folder, "tracks"))

    MAKERS = {
        "build/photos": make_photos, "photos/": make_photo_folder, "photos": make_photo_folder,
        "group.jpg": portrait, "portrait.jpg": portrait, "passport.jpg": portrait, "photo.jpg": portrait, "street.jpg": portrait,
        "street.mp4": make_video, "walk.mp4": make_video, "videos/": lambda place, name: place.make_video(name + "walk.mp4"),
        "faces.csv": make_boxes, "street.csv": make_boxes, "streets.csv": make_boxes, "kept-back.csv": make_boxes,
        "points.csv": make_points, "kept-points.csv": make_points, "mugs.xml": make_marked_objects, "test/groundtruth.txt": make_test_set, "faces/testing.xml": make_dlib_faces,
        "rings/": make_rings, "crops/": make_crops, "people/": make_people, "kept/": make_kept, "kept-back/": make_kept_back,
        "bg.txt": make_negatives, "bg/": make_scenes, "scenes/": make_scenes, "streets/": make_scenes, "kept-streets/": make_scenes,
        "mine.winnow": make_model, "./mine.winnow": make_model, "mug.winnow": make_model, "older.winnow": make_model,
        "people.xml": make_svm, "svm.xml": make_svm,
        "faces.pack": make_pack, "mug.pack": make_pack, "mine.pack": make_pack,
        "car/gt.txt": make_tracks, "tracks/car/gt.txt": make_published_tracks,
    }  # fmt: skip

    def fill(self, document, text):
        """Makes the files that stand in this text."""
        self.document = document
        if re.search(r"\b(haar|lbp)cascade_", text) and not os.path.isdir(CASCADES):
            raise Missing("the package opencv-data is not installed")
        if DLIB_POINTS in text and not os.path.exists(DLIB_POINTS):
            raise Missing("the package libdlib-data is not installed")
        for name, make in self.MAKERS.items():
            word = re.escape(name) + ("" if name.endswith("/") or name == "build/photos" else r"(?![\w/.-])")
            if re.search(r"(?<![\w./-])" + word, text) and not re.search(r"(?:--out|convert\s+\S+)\s+" + word, text):
                make(self, name + "/" if name in ("build/photos", "photos") else name)

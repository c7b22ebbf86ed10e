"""The calls of OpenCV 4 that `winnow.cv2` has, as programs write them, and the table of them for the guide.

`python tests/cv2_forms.py` prints the table. `test_cv2_forms.py` runs every call with OpenCV and with `winnow.cv2`.

A form is a line ``name :: call``. A call may have several statements; the last one is the result. It sees these names:

- ``cv2``, ``np``, ``os``, ``Path``, and ``opencv``, which is always OpenCV;
- ``gray`` and ``bgr``, a picture; ``tinted``, a coloured one whose first channel has the largest gradients;
- ``faces``, a loaded CascadeClassifier, and ``xml``, the path of its file;
- ``hog``, a HOGDescriptor with ``people``, OpenCV's numbers for people; ``digits``, a HOGDescriptor of 20x20 pixels;
- ``patch``, 20x20 pixels, and ``window``, 64x128 pixels of the picture; ``black``, 200x200 pixels without an object;
- ``file``, a path where nothing is; ``text`` and ``storage``, paths of a text and of an XML file without a model.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

# How results are compared, and the guide's words about each comparison.
STATES = {
    "exact": "equal",
    "boxes": "equal",
    "hog": "equal boxes, weights within 0.001",
    "places": "equal places in the order given, weights within 0.001",
    "shift": "boxes within 1 pixel, weights within 1 %",
    "values": "within 0.0001",
    "refused": "raises OpenCV's exception",
    "fault": "raises `cv2.error`; OpenCV crashes or reads outside of memory",
    "small": "raises `cv2.error`, or finds nothing; OpenCV crashes or reads outside of memory",
    "wider": "answers, where OpenCV raises",
    "safe": "works; OpenCV crashes when the object is freed",
}
PICTURES = {"gray", "bgr", "tinted", "patch", "window"}


@dataclass(frozen=True)
class Form:
    """A call, and how its results are compared."""

    topic: str
    name: str
    call: str
    rule: str

    def __str__(self) -> str:
        return f"{self.topic}-{self.name}".replace(" ", "_")

    @property
    def needs_picture(self) -> bool:
        return any(isinstance(node, ast.Name) and node.id in PICTURES for node in ast.walk(ast.parse(self.call)))

    def function(self) -> Callable[[dict[str, Any]], Any]:
        """A function of the names that the call sees."""
        body = ast.parse(self.call).body
        last = body.pop()
        assert isinstance(last, ast.Expr), self.call
        before = compile(ast.Module(body, []), self.name, "exec")
        expression = compile(ast.Expression(last.value), self.name, "eval")

        def run(names: dict[str, Any]) -> Any:
            exec(before, names)
            return eval(expression, names)

        return run


def markdown() -> str:
    """The table of the guide."""
    rows = ["| | form | call | winnow.cv2 |", "|---|---|---|---|"]
    for form in FORMS:
        code = form.call.replace("|", "\\|")
        rows.append(f"| {form.topic} | {form.name} | `{code}` | {STATES[form.rule]} |")
    return "\n".join(rows) + "\n"


FORMS: list[Form] = []


def add(topic: str, rule: str, lines: str) -> None:
    for line in lines.strip().splitlines():
        name, _, call = line.partition(" :: ")
        FORMS.append(Form(topic, name.strip(), call.strip(), rule))


# fmt: off
add("load", "exact", """
a path :: cv2.CascadeClassifier(xml).empty()
the folder of the module :: cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_eye.xml").empty()
a path by name :: cv2.CascadeClassifier(filename=xml).empty()
a Path :: cv2.CascadeClassifier(Path(xml)).empty()
nothing, then load :: c = cv2.CascadeClassifier(); c.empty(), c.load(xml), c.empty()
load by name :: cv2.CascadeClassifier().load(filename=xml)
load a Path :: cv2.CascadeClassifier().load(Path(xml))
a missing file :: cv2.CascadeClassifier(file + "/missing.xml").empty()
load a missing file :: c = cv2.CascadeClassifier(xml); c.load("missing.xml"), c.empty()
read the first node :: s = cv2.FileStorage(xml, cv2.FILE_STORAGE_READ); c = cv2.CascadeClassifier(); \
c.read(s.getFirstTopLevelNode()), c.empty(), c.getOriginalWindowSize()
read a named node :: s = cv2.FileStorage(xml, cv2.FILE_STORAGE_READ); cv2.CascadeClassifier().read(s.getNode("cascade"))
read from text :: s = cv2.FileStorage(open(xml).read(), cv2.FILE_STORAGE_READ | cv2.FILE_STORAGE_MEMORY); \
cv2.CascadeClassifier().read(node=s.getFirstTopLevelNode())
read a missing node :: s = cv2.FileStorage(xml, cv2.FILE_STORAGE_READ); c = cv2.CascadeClassifier(xml); \
c.read(s.getNode("nothing")), c.empty()
read an empty node :: c = cv2.CascadeClassifier(xml); c.read(cv2.FileNode()), c.empty()
the window and the features :: faces.getOriginalWindowSize(), faces.getFeatureType(), faces.isOldFormatCascade()
convert a missing file :: cv2.CascadeClassifier.convert("missing.xml", file)
convert a new file :: cv2.CascadeClassifier_convert(oldcascade=xml, newcascade=file)
is it a classifier :: isinstance(faces, cv2.CascadeClassifier), cv2.CascadeClassifier.__name__, bool(faces)
""")
add("load", "refused", """
an empty name :: cv2.CascadeClassifier("")
None for a name :: cv2.CascadeClassifier(None)
a number for a name :: cv2.CascadeClassifier(5)
bytes for a name :: cv2.CascadeClassifier(xml.encode())
two names :: cv2.CascadeClassifier(xml, xml)
an unknown keyword :: cv2.CascadeClassifier(file=xml)
load an empty name :: cv2.CascadeClassifier().load("")
load without a name :: cv2.CascadeClassifier().load()
load a text :: cv2.CascadeClassifier().load(text)
make from a text :: cv2.CascadeClassifier(text)
load another storage :: cv2.CascadeClassifier().load(storage)
read a text :: cv2.CascadeClassifier().read("cascade")
the window of an empty one :: cv2.CascadeClassifier().getOriginalWindowSize()
the features of an empty one :: cv2.CascadeClassifier().getFeatureType()
the format of an empty one :: cv2.CascadeClassifier().isOldFormatCascade()
detect with an empty one :: cv2.CascadeClassifier().detectMultiScale(black)
copy a classifier :: import copy; copy.copy(faces)
pickle a classifier :: import pickle; pickle.dumps(faces)
""")
add("faces", "boxes", """
a picture alone :: faces.detectMultiScale(gray)
scale and neighbors :: faces.detectMultiScale(gray, 1.3, 5)
all by position :: faces.detectMultiScale(gray, 1.1, 3, 0, (30, 30), (200, 200))
all by name :: faces.detectMultiScale(image=gray, maxSize=(200, 200), minSize=(24, 24), flags=0, minNeighbors=2, \
scaleFactor=1.2)
some by name :: faces.detectMultiScale(gray, 1.1, 3, minSize=(30, 30), flags=cv2.CASCADE_SCALE_IMAGE)
a whole number as scale :: faces.detectMultiScale(gray, 2, 1)
every candidate :: faces.detectMultiScale(gray, 1.2, 0)
neighbors below 0 :: faces.detectMultiScale(gray, 1.2, -1)
the biggest object :: faces.detectMultiScale(gray, 1.2, 2, cv2.CASCADE_FIND_BIGGEST_OBJECT)
all four flags :: faces.detectMultiScale(gray, 1.2, 2, cv2.CASCADE_DO_CANNY_PRUNING | cv2.CASCADE_SCALE_IMAGE | \
cv2.CASCADE_FIND_BIGGEST_OBJECT | cv2.CASCADE_DO_ROUGH_SEARCH)
an unknown flag :: faces.detectMultiScale(gray, 1.2, 2, -1)
None for everything :: faces.detectMultiScale(gray, None, None, None, None, None)
None by name :: faces.detectMultiScale(gray, scaleFactor=None, minNeighbors=4, flags=None, minSize=None)
NumPy numbers :: faces.detectMultiScale(gray, np.float32(1.2), np.int64(3), np.int32(0), (np.int64(24), np.uint8(24)))
sizes as a list :: faces.detectMultiScale(gray, 1.2, minSize=[24, 24], maxSize=[120, 120])
sizes as an array :: faces.detectMultiScale(gray, 1.2, minSize=np.array([24, 24]), maxSize=np.array([99, 99], np.uint8))
sizes as a range :: faces.detectMultiScale(gray, 1.2, minSize=range(30, 32))
sizes of None :: faces.detectMultiScale(gray, 1.2, minSize=(None, 30))
a smallest size of the picture's shape :: faces.detectMultiScale(gray, 1.2, minSize=gray.shape)
the smallest size above the largest :: faces.detectMultiScale(gray, minSize=(100, 100), maxSize=(50, 50))
sizes below 0 :: faces.detectMultiScale(gray, 1.2, minSize=(-1, -1)), faces.detectMultiScale(gray, maxSize=(-1, -1))
a largest size of 0 :: faces.detectMultiScale(gray, 1.2, maxSize=(0, 0))
a colour picture :: faces.detectMultiScale(bgr, 1.2, 2)
red and blue changed :: faces.detectMultiScale(bgr[..., ::-1], 1.2, 2)
four channels :: faces.detectMultiScale(np.dstack([bgr, gray]), 1.2, 2)
one channel :: faces.detectMultiScale(gray[..., None], 1.2, 2)
one channel of three :: faces.detectMultiScale(bgr[:, :, 1], 1.2, 2)
a part :: faces.detectMultiScale(gray[2:, 3:-3], 1.2, 2)
a part in colour :: faces.detectMultiScale(bgr[2:, 3:-3], 1.2, 2)
mirrored :: faces.detectMultiScale(gray[:, ::-1], 1.2, 2)
every second pixel :: faces.detectMultiScale(gray[::2, ::2], 1.1, 1)
in Fortran order :: faces.detectMultiScale(np.asfortranarray(gray), 1.2, 2)
rotated :: faces.detectMultiScale(np.rot90(np.rot90(gray).copy(), 3), 1.2), faces.detectMultiScale(gray.T, 1.3, 0)
a read-only picture :: p = gray.copy(); p.setflags(write=False); faces.detectMultiScale(p, 1.2, 2)
a UMat :: faces.detectMultiScale(cv2.UMat(gray), 1.2, 2)
a UMat in colour :: faces.detectMultiScale(cv2.UMat(bgr), 1.2, 2)
no picture :: faces.detectMultiScale(None), faces.detectMultiScale2(None), faces.detectMultiScale3(None)
an empty picture :: [faces.detectMultiScale(np.zeros(shape, np.uint8)) for shape in ((0, 0), (0, 9), (0, 9, 3))]
tiny ones :: [faces.detectMultiScale(np.zeros(shape, np.uint8)) for shape in ((5, 5), (20, 20), (1, 99), (21, 9, 3))]
an array of one dimension :: faces.detectMultiScale(np.zeros(400, np.uint8))
counts :: faces.detectMultiScale2(gray, 1.2, 2)
counts of candidates :: faces.detectMultiScale2(gray, scaleFactor=1.3, minNeighbors=0)
levels and weights :: faces.detectMultiScale3(gray, 1.2, 2, outputRejectLevels=True)
levels and weights by position :: faces.detectMultiScale3(gray, 1.3, 1, 0, (24, 24), (300, 300), True)
levels and weights by 1 :: faces.detectMultiScale3(bgr, 1.3, 1, outputRejectLevels=1)
weights of candidates :: faces.detectMultiScale3(gray, 1.3, 0, outputRejectLevels=True)
the method of the class :: cv2.CascadeClassifier.detectMultiScale(faces, gray, 1.2)
one classifier a thread :: from concurrent.futures import ThreadPoolExecutor; \
list(ThreadPoolExecutor(2).map(lambda p: cv2.CascadeClassifier(xml).detectMultiScale(p, 1.3), [gray, gray[:, ::-1]]))
""")
add("faces", "exact", """
nothing is found :: faces.detectMultiScale(black)
nothing is found, with counts :: faces.detectMultiScale2(black)
nothing is found, with levels :: faces.detectMultiScale3(black, outputRejectLevels=True)
is it nothing :: f = faces.detectMultiScale(black); f is (), isinstance(f, tuple), len(f), f * 2
types of sides :: {type(side) for row in faces.detectMultiScale(gray, 1.2, 0) for side in row}
types of weights :: {type(w) for w in faces.detectMultiScale3(gray, 1.2, 0, outputRejectLevels=True)[2]}
""")
add("answers", "boxes", """
corners in place :: f = faces.detectMultiScale(gray, 1.2, 2); [np.add(r[2:], r[:2], out=r[2:]) for r in f]; f
lists :: [list(map(int, row)) for row in faces.detectMultiScale(gray, 1.2, 2)]
the largest :: max(list(faces.detectMultiScale(gray, 1.2, 2)), key=lambda r: r[2] * r[3] * 999 + r[0], default=None)
rows :: list(faces.detectMultiScale(gray, 1.2, 2))
people as corners :: np.array([[x, y, x + w, y + h] for x, y, w, h in hog.detectMultiScale(gray, winStride=(8, 8))[0]])
the best weight :: f, _, w = faces.detectMultiScale3(gray, 1.2, 2, outputRejectLevels=True); \
[float(w[i]) for i in range(len(f))]
""")
add("faces", "refused", """
scale 1 :: faces.detectMultiScale(gray, 1.0)
scale 0 :: faces.detectMultiScale(gray, 0)
scale NaN :: faces.detectMultiScale(gray, float("nan"))
scale as text :: faces.detectMultiScale(gray, "1.1")
scale True :: faces.detectMultiScale(gray, True)
scale as an array :: faces.detectMultiScale(gray, np.array(1.1))
scale as a Fraction :: from fractions import Fraction; faces.detectMultiScale(gray, Fraction(11, 10))
neighbors 3.0 :: faces.detectMultiScale(gray, 1.1, 3.0)
neighbors True :: faces.detectMultiScale(gray, 1.1, True)
neighbors as an array :: faces.detectMultiScale(gray, 1.1, np.array(3))
neighbors beyond 32 bits :: faces.detectMultiScale(gray, 1.1, 2**31)
flags 2.0 :: faces.detectMultiScale(gray, flags=2.0)
flags True :: faces.detectMultiScale(gray, flags=True)
a size of one number :: faces.detectMultiScale(gray, minSize=30)
a size of fractions :: faces.detectMultiScale(gray, minSize=(30.0, 60 / 2))
a size of three :: faces.detectMultiScale(gray, minSize=(30, 30, 30))
an empty size :: faces.detectMultiScale(gray, minSize=())
a size of two rows :: faces.detectMultiScale(gray, minSize=np.array([[30, 30]]))
a size of True :: faces.detectMultiScale(gray, minSize=(True, True))
a set as size :: faces.detectMultiScale(gray, minSize={30, 40})
an iterator as size :: faces.detectMultiScale(gray, minSize=iter((30, 30)))
a size beyond 32 bits :: faces.detectMultiScale(gray, minSize=(2**31, 5))
fractions as pixels :: faces.detectMultiScale(gray.astype(np.float32))
16 bits as pixels :: faces.detectMultiScale(gray.astype(np.uint16))
64 bits as pixels :: faces.detectMultiScale(gray.astype(np.int64))
booleans as pixels :: faces.detectMultiScale(gray > 100)
two channels :: faces.detectMultiScale(np.dstack([gray, gray]))
five channels :: faces.detectMultiScale(np.dstack([gray] * 5))
a list as picture :: faces.detectMultiScale(gray.tolist())
a name as picture :: faces.detectMultiScale("photo.jpg")
a number as picture :: faces.detectMultiScale(5)
no argument :: faces.detectMultiScale()
too many arguments :: faces.detectMultiScale(gray, 1.1, 3, 0, (30, 30), (99, 99), 7)
an unknown keyword :: faces.detectMultiScale(gray, minsize=(30, 30))
the picture by HOG's name :: faces.detectMultiScale(img=gray)
an argument twice :: faces.detectMultiScale(gray, 1.1, scaleFactor=1.1)
levels as text :: faces.detectMultiScale3(gray, outputRejectLevels="yes")
levels as 1.0 :: faces.detectMultiScale3(gray, outputRejectLevels=1.0)
""")
add("group", "boxes", """
tuples :: cv2.groupRectangles([(10, 10, 20, 20), (11, 11, 20, 20), (80, 80, 9, 9)], 1)
lists and eps :: cv2.groupRectangles([[10, 10, 20, 20], [12, 12, 24, 24]] * 2, 1, 0.5)
by name :: cv2.groupRectangles(rectList=[[10, 10, 20, 20]] * 3, groupThreshold=2, eps=0.1)
an array :: cv2.groupRectangles(np.array([[10, 10, 20, 20]] * 3), 1, 0)
an array of small numbers :: cv2.groupRectangles(np.array([[10, 10, 20, 20]] * 3, np.uint8), 1, 0.2)
rows of an answer :: cv2.groupRectangles(list(faces.detectMultiScale(gray, 1.2, 0)), 2, 0.2)
an answer :: cv2.groupRectangles(faces.detectMultiScale(gray, 1.2, 0), 2)
every box twice :: cv2.groupRectangles([b for r in faces.detectMultiScale(gray, 1.2, 2) for b in [r.tolist()] * 2], 1)
eps below 0 :: cv2.groupRectangles([(10, 10, 20, 20)] * 3, 1, -1)
a threshold of 0 :: cv2.groupRectangles([(10, 10, 20, 20)] * 3, 0)
a threshold below 0 :: cv2.groupRectangles([(10, 10, 20, 20)] * 3, -1)
a threshold of None :: cv2.groupRectangles([(10, 10, 20, 20)] * 3, None)
no boxes :: cv2.groupRectangles([], 1), cv2.groupRectangles((), 1), cv2.groupRectangles(np.array([]), 1)
None as boxes :: cv2.groupRectangles(None, 1)
boxes outside :: cv2.groupRectangles([(-10, -10, 20, 20)] * 3, 1)
""")
add("group", "refused", """
fractions :: cv2.groupRectangles([(10.0, 10, 20, 20)] * 3, 1)
an array of fractions :: cv2.groupRectangles(np.array([[10, 10, 20, 20]] * 3, np.float32), 1)
three numbers :: cv2.groupRectangles([(10, 10, 20)] * 3, 1)
an array of three dimensions :: cv2.groupRectangles(np.zeros((3, 1, 4), int), 1)
a generator :: cv2.groupRectangles((box for box in [(1, 1, 9, 9)] * 3), 1)
a threshold of 1.0 :: cv2.groupRectangles([(10, 10, 20, 20)] * 3, 1.0)
a threshold of True :: cv2.groupRectangles([(10, 10, 20, 20)] * 3, True)
no threshold :: cv2.groupRectangles([(10, 10, 20, 20)] * 3)
""")
add("module", "exact", """
the folder ends in a separator :: cv2.data.haarcascades.endswith(os.sep), os.path.isdir(cv2.data.haarcascades)
a file beside the data module :: os.path.isfile(os.path.join(os.path.dirname(cv2.data.__file__), \
"haarcascade_eye.xml"))
import the data module :: import importlib; d = importlib.import_module(cv2.__name__ + ".data"); d.haarcascades[-5:]
names of the data module :: hasattr(cv2, "data"), "haarcascades" in cv2.data.__dict__
find a sample :: os.path.isfile(cv2.samples.findFile(cv2.data.haarcascades + "haarcascade_eye.xml"))
flags :: cv2.CASCADE_DO_CANNY_PRUNING, cv2.CASCADE_SCALE_IMAGE, cv2.CASCADE_FIND_BIGGEST_OBJECT, \
cv2.CASCADE_DO_ROUGH_SEARCH
constants of HOG :: cv2.HOGDescriptor_L2Hys, cv2.HOGDESCRIPTOR_L2HYS, cv2.HOGDescriptor_DEFAULT_NLEVELS
names of OpenCV 5 :: hasattr(cv2, "objdetect"), hasattr(cv2, "HOGDescriptor")
the version :: cv2.__version__, hasattr(cv2, "typing")
""")
# fmt: on

if __name__ == "__main__":
    import cv2_forms
    import cv2_hog_forms  # noqa: F401  its forms join the others

    print(cv2_forms.markdown(), end="")

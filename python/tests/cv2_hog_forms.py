"""The calls of OpenCV 4's HOGDescriptor that `winnow.cv2` has; `cv2_forms.py` explains the lines."""

from cv2_forms import add

# fmt: off
add("make", "exact", """
nothing :: h = cv2.HOGDescriptor(); h.winSize, h.blockSize, h.blockStride, h.cellSize, h.nbins, h.gammaCorrection
five by position :: h = cv2.HOGDescriptor((48, 96), (16, 16), (8, 8), (8, 8), 9); h.winSize, h.gammaCorrection
eleven by position :: h = cv2.HOGDescriptor((88, 88), (8, 8), (8, 8), (4, 4), 9, 1, 4., 0, 0.2, 0, 64); \
h.winSigma, h.getWinSigma(), h.gammaCorrection, h.getDescriptorSize()
twelve by position :: h = cv2.HOGDescriptor((20, 20), (10, 10), (5, 5), (10, 10), 9, 1, -1., 0, 0.2, 1, 64, True); \
h.getDescriptorSize(), h.gammaCorrection, h.signedGradient, h.getWinSigma()
by name :: h = cv2.HOGDescriptor(_winSize=(64, 64), _blockSize=(16, 16), _blockStride=(8, 8), _cellSize=(8, 8), \
_nbins=9, _gammaCorrection=True, _histogramNormType=0); h.gammaCorrection, h.getDescriptorSize()
lists and arrays :: cv2.HOGDescriptor([64, 64], np.array([16, 16]), (np.int64(8), 8), [8, 8], np.int64(9)).winSize
None for the rest :: h = cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, *[None] * 7); \
h.derivAperture, h.winSigma, h.L2HysThreshold, h.gammaCorrection, h.nlevels, h.signedGradient
a derivAperture of 3 :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 3).derivAperture
a histogramNormType of 1 :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, -1, 1).histogramNormType
a winSigma of 0 :: h = cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, 0); h.winSigma, h.getWinSigma()
a winSigma below 0 :: h = cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, -3); h.winSigma, h.getWinSigma()
levels :: [cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.2, 0, n).nlevels for n in (1, 13, 1000)]
a clip :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.3).L2HysThreshold
a shape that does not fit :: type(cv2.HOGDescriptor((63, 64), (16, 16), (8, 8), (8, 8), 9)).__name__
from the attributes of another :: cv2.HOGDescriptor(digits.winSize, digits.blockSize, digits.blockStride, \
digits.cellSize, digits.nbins, digits.derivAperture, digits.winSigma, digits.histogramNormType, digits.L2HysThreshold, \
digits.gammaCorrection, digits.nlevels, digits.signedGradient).getDescriptorSize()
what is missing in Python :: [hasattr(hog, name) for name in ("read", "write", "copyTo", "empty", "detectROI")]
""")
add("make", "refused", """
too few sizes :: cv2.HOGDescriptor((64, 128), (16, 16))
one size :: cv2.HOGDescriptor((64, 128))
no bins :: cv2.HOGDescriptor((64, 128), (16, 16), (8, 8), (8, 8))
thirteen arguments :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.2, 0, 64, True, 5)
names without underscores :: cv2.HOGDescriptor(winSize=(64, 64), blockSize=(16, 16), blockStride=(8, 8), \
cellSize=(8, 8), nbins=9)
sizes of fractions :: cv2.HOGDescriptor((64 / 2, 64 / 2), (16, 16), (8, 8), (8, 8), 9)
bins of 9.0 :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9.0)
gamma of 1.0 :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.2, 1.0)
levels of 64.0 :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.2, 1, 64.0)
a missing file :: cv2.HOGDescriptor(file + "/missing.xml")
an empty name :: cv2.HOGDescriptor("")
a cascade's file :: cv2.HOGDescriptor(xml)
the size of a shape that does not fit :: cv2.HOGDescriptor((63, 64), (16, 16), (8, 8), (8, 8), 9).getDescriptorSize()
values of a shape that does not fit :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (7, 8), 9).compute(black)
write an attribute :: hog.nlevels = 13; 0
write the window :: hog.winSize = (64, 64); 0
write the numbers :: hog.svmDetector = people; 0
copy a descriptor :: import copy; copy.deepcopy(hog)
load a missing file :: cv2.HOGDescriptor().load("missing.xml")
load an empty name :: cv2.HOGDescriptor().load("")
load a cascade's file :: cv2.HOGDescriptor().load(xml)
load a text :: cv2.HOGDescriptor().load(text)
load another node :: hog.save(file + ".xml"); cv2.HOGDescriptor().load(file + ".xml", "other")
save without a name :: hog.save("")
save a node without a letter :: hog.save(file + ".xml", "1 2")
""")
add("files", "exact", """
XML :: hog.save(file + ".xml"); h = cv2.HOGDescriptor(file + ".xml"); h.svmDetector, h.winSize
YAML :: hog.save(file + ".yml"); h = cv2.HOGDescriptor(); h.load(file + ".yml"), h.svmDetector
JSON :: hog.save(file + ".json"); h = cv2.HOGDescriptor(); h.load(file + ".json"), h.svmDetector
a name that ends in bin :: hog.save(file + ".bin"); h = cv2.HOGDescriptor(); h.load(file + ".bin"), h.svmDetector
a name without an ending :: hog.save(file); open(file).read(5), cv2.HOGDescriptor().load(file)
a Path :: hog.save(Path(file)); cv2.HOGDescriptor().load(Path(file))
a named node :: hog.save(file + ".xml", "people"); h = cv2.HOGDescriptor(); h.load(file + ".xml", "people"), \
h.load(filename=file + ".xml"), h.svmDetector
a node named after the file :: hog.save(file + " man.xml"); open(file + " man.xml").read().split()[3]
without numbers :: digits.save(file + ".xml"); h = cv2.HOGDescriptor(file + ".xml"); \
h.winSize, h.cellSize, h.signedGradient, h.gammaCorrection, h.svmDetector
what no file changes :: h = cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 3, 2.5, 1, 0.2, 1, 13); \
h.save(file + ".yml"); h.load(file + ".yml"), h.derivAperture, h.winSigma, h.histogramNormType, h.nlevels
OpenCV reads it :: hog.save(file + ".yml", "p"); h = opencv.HOGDescriptor(file + ".yml"); h.svmDetector, h.nlevels
it reads OpenCV's :: opencv.HOGDescriptor().save(file); h = cv2.HOGDescriptor(file); h.svmDetector, h.winSize
""")
add("numbers", "exact", """
the default people :: cv2.HOGDescriptor_getDefaultPeopleDetector(), cv2.HOGDescriptor.getDefaultPeopleDetector()
Daimler's people :: cv2.HOGDescriptor_getDaimlerPeopleDetector(), hog.getDaimlerPeopleDetector()
set them :: h = cv2.HOGDescriptor(); h.setSVMDetector(people), h.svmDetector, h.checkDetectorSize()
by name :: h = cv2.HOGDescriptor(); h.setSVMDetector(svmdetector=people); h.svmDetector
a tuple :: h = cv2.HOGDescriptor(); h.setSVMDetector(tuple(people.tolist())); h.svmDetector
a column in 64 bits :: h = cv2.HOGDescriptor(); h.setSVMDetector(np.append(people[1:, None], [[0.5]], 0)); h.svmDetector
a row :: h = cv2.HOGDescriptor(); h.setSVMDetector(people[None]); h.svmDetector
whole numbers without a bias :: h = cv2.HOGDescriptor(); h.setSVMDetector(np.ones(3780, int)); h.svmDetector
every second number :: h = cv2.HOGDescriptor(); h.setSVMDetector(np.repeat(people, 2)[::2]); h.svmDetector
large numbers :: h = cv2.HOGDescriptor(); h.setSVMDetector(people * 1e6); h.svmDetector
forget them :: h = cv2.HOGDescriptor(); h.setSVMDetector(people); h.setSVMDetector(None); h.svmDetector
an empty array :: h = cv2.HOGDescriptor(); h.setSVMDetector(people); h.setSVMDetector(np.array([])); h.svmDetector
""")
add("numbers", "refused", """
too few :: cv2.HOGDescriptor().setSVMDetector(people[:5])
too many :: cv2.HOGDescriptor().setSVMDetector(np.append(people, 1))
a table :: cv2.HOGDescriptor().setSVMDetector(people[:-1].reshape(63, 60))
a text :: cv2.HOGDescriptor().setSVMDetector("people")
an object :: cv2.HOGDescriptor().setSVMDetector(object())
nothing :: cv2.HOGDescriptor().setSVMDetector()
the name of OpenCV 3 :: cv2.HOGDescriptor().setSVMDetector(_svmdetector=people)
""")
add("people", "hog", """
a picture alone :: hog.detectMultiScale(gray)
a stride and a scale :: hog.detectMultiScale(gray, winStride=(8, 8), scale=1.1)
a small padding :: hog.detectMultiScale(gray, winStride=(8, 8), padding=(4, 4), scale=1.05)
the usual padding :: hog.detectMultiScale(gray, winStride=(4, 4), padding=(8, 8), scale=1.2)
a wide padding :: hog.detectMultiScale(gray, winStride=(8, 8), padding=(32, 32), scale=1.05)
unequal padding :: hog.detectMultiScale(gray, winStride=(8, 8), padding=(24, 16), scale=1.1)
padding of 1 :: hog.detectMultiScale(gray, padding=(1, 1), scale=1.1)
padding to the sides alone :: hog.detectMultiScale(gray, padding=(32, 0), scale=1.1)
padding below 0 :: hog.detectMultiScale(gray, padding=(-32, -1), scale=1.1)
padding beyond the picture :: hog.detectMultiScale(gray, -1, (16, 16), (256, 256), 1.5, 0)
a stride of 5 :: hog.detectMultiScale(gray, winStride=(5, 5), padding=(3, 3), scale=1.21)
a stride of 6 :: hog.detectMultiScale(gray, winStride=(6, 6), padding=(9, 9), scale=1.1)
a stride of 6 and padding of 24 :: hog.detectMultiScale(gray, winStride=(6, 6), padding=(24, 24), scale=1.2)
a stride of 2 :: hog.detectMultiScale(gray, winStride=(2, 2), padding=(10, 10), scale=1.3)
a stride of 1 :: hog.detectMultiScale(gray, winStride=(1, 1), scale=2.65)
unequal strides :: hog.detectMultiScale(gray, winStride=(4, 8), scale=1.1), hog.detectMultiScale(gray, winStride=(8, 4))
a stride of 12 and 8 :: hog.detectMultiScale(gray, winStride=(12, 8), scale=1.05, useMeanshiftGrouping=False)
a stride beyond the picture :: hog.detectMultiScale(gray, -9, winStride=(1000, 1000), groupThreshold=0)
a stride of 0 :: hog.detectMultiScale(gray, winStride=(0, 0), padding=(0, 0), scale=1.05)
all by position :: hog.detectMultiScale(gray, 0, (8, 8), (32, 32), 1.05, 2)
all seven by position :: hog.detectMultiScale(gray, 0, (8, 8), (16, 16), 1.05, 2.0, False)
a dictionary :: hog.detectMultiScale(gray, **{"winStride": (8, 8), "padding": (32, 32), "scale": 1.2})
None for everything :: hog.detectMultiScale(gray, None, None, None, None, None, None)
lists and arrays :: hog.detectMultiScale(img=gray, winStride=np.array([8, 8]), padding=[8, 8], scale=np.float32(1.25))
every window :: hog.detectMultiScale(gray, -100, scale=1.5, groupThreshold=0)
a low threshold :: hog.detectMultiScale(gray, hitThreshold=-0.5, winStride=(8, 8), scale=1.1, groupThreshold=1)
a high threshold :: hog.detectMultiScale(gray, hitThreshold=0.8, winStride=(4, 4), scale=1.1)
thresholds without an end :: [hog.detectMultiScale(gray, float(t), scale=1.5) for t in ("nan", "inf")]
no grouping :: hog.detectMultiScale(gray, groupThreshold=0), hog.detectMultiScale(gray, groupThreshold=-1)
part of a group :: hog.detectMultiScale(gray, groupThreshold=0.5, scale=1.1)
groups of 1.9 :: hog.detectMultiScale(gray, -0.5, groupThreshold=1.9, scale=1.1)
groups of 50 :: hog.detectMultiScale(gray, groupThreshold=50)
a group threshold of NaN :: hog.detectMultiScale(gray, groupThreshold=float("nan"), scale=1.3)
a group threshold of 1e20 :: hog.detectMultiScale(gray, groupThreshold=1e20, scale=1.3)
one size :: hog.detectMultiScale(gray, -1, scale=1, groupThreshold=0)
a scale below 1 :: hog.detectMultiScale(gray, -1, winStride=(8, 8), padding=(8, 8), scale=0.5, groupThreshold=0)
a scale of 0 :: hog.detectMultiScale(gray, -1, scale=0, groupThreshold=0)
a scale of NaN :: hog.detectMultiScale(gray, -1, scale=float("nan"), groupThreshold=0)
a scale without an end :: hog.detectMultiScale(gray, -1, scale=float("inf"), groupThreshold=0)
a scale near 1 :: hog.detectMultiScale(gray, winStride=(16, 16), scale=1.0001, groupThreshold=0)
one channel :: hog.detectMultiScale(gray[..., None], scale=1.2)
a colour picture :: hog.detectMultiScale(tinted, winStride=(8, 8), scale=1.1)
a colour picture with padding :: hog.detectMultiScale(tinted, winStride=(8, 8), padding=(8, 8), scale=1.1)
colours in one size :: hog.detectMultiScale(bgr, -1, (8, 8), (8, 8), 1.0, 0)
a part :: hog.detectMultiScale(gray[8:, 4:168], winStride=(8, 8), scale=1.1)
mirrored :: hog.detectMultiScale(gray[:, ::-1], scale=1.1)
in Fortran order :: hog.detectMultiScale(np.asfortranarray(gray), scale=1.1)
a UMat :: hog.detectMultiScale(cv2.UMat(gray), scale=1.1)
in threads :: from concurrent.futures import ThreadPoolExecutor; \
tuple(ThreadPoolExecutor(2).map(lambda p: hog.detectMultiScale(p, scale=1.2), [gray, gray[:, ::-1]]))
one level :: h = cv2.HOGDescriptor((64, 128), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.2, True, 1); \
h.setSVMDetector(people); h.detectMultiScale(gray, -1, groupThreshold=0)
two levels :: h = cv2.HOGDescriptor((64, 128), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.2, True, 2); \
h.setSVMDetector(people); h.detectMultiScale(gray, -1, groupThreshold=0)
thirteen levels :: h = cv2.HOGDescriptor((64, 128), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.2, True, 13); \
h.setSVMDetector(people); h.detectMultiScale(gray, scale=1.02)
a hundred levels :: h = cv2.HOGDescriptor((64, 128), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.2, True, 100); \
h.setSVMDetector(people); h.detectMultiScale(gray, winStride=(16, 16), scale=1.004, groupThreshold=0)
Daimler's people :: h = cv2.HOGDescriptor((48, 96), (16, 16), (8, 8), (8, 8), 9); \
h.setSVMDetector(cv2.HOGDescriptor_getDaimlerPeopleDetector()); h.detectMultiScale(gray, 0.5, (8, 8), (8, 8), 1.1, 1)
blocks of stride 4 :: h = cv2.HOGDescriptor((32, 64), (8, 8), (4, 4), (8, 8), 9); \
h.setSVMDetector(np.cos(np.arange(h.getDescriptorSize()))); h.detectMultiScale(gray, 3, (8, 8), (6, 6), 1.3, 0)
a small picture with padding :: hog.detectMultiScale(gray[:90, :40], -9, padding=(32, 64), scale=1.2, groupThreshold=0)
corners :: hog.detect(gray)
corners by position :: hog.detect(gray, -0.5, (8, 8), (32, 32))
corners by name :: hog.detect(img=gray, hitThreshold=-1, winStride=(16, 32), padding=(8, 24))
corners at a stride of 6 :: hog.detect(gray, -2, winStride=(6, 6), padding=(5, 5))
corners at a stride of 5 :: hog.detect(gray, -2, winStride=(5, 5), padding=(3, 3))
corners in colour :: hog.detect(bgr, -1)
a UMat's corners :: hog.detect(cv2.UMat(gray), -1)
no places :: hog.detect(gray, -1, searchLocations=[]), hog.detect(gray, -1, searchLocations=np.zeros((0, 2), int))
""")
add("people", "places", """
places :: hog.detect(gray, -100, (8, 8), (0, 0), [(10, 20), (3, 5), (10, 20)])
places by name :: hog.detect(gray, -3, searchLocations=((60, 24), (64, 28), (68, 32)))
places as an array :: hog.detect(gray, -100, searchLocations=np.array([[10, 20], [3, 5]]))
places as lists :: hog.detect(gray, -100, searchLocations=[[10, 20], [3, 5]])
places outside :: hog.detect(gray, -100, searchLocations=[(-1, 0), (10, 20), (10000, 0)])
places on the padding :: hog.detect(gray, -100, padding=(1, 1), searchLocations=[(-8, -8), (-9, 0), (-1, 5)])
""")
add("people", "exact", """
nothing is found :: hog.detectMultiScale(black), hog.detect(black)
is it nothing :: b, w = hog.detectMultiScale(black); b is (), w is (), len(b), b != ()
without numbers :: h = cv2.HOGDescriptor(); h.detectMultiScale(black), h.detect(black), h.detectMultiScale(black * 1.0)
a picture of window size less one stride :: hog.detect(np.zeros((120, 200), np.uint8), -100)
""")
add("people", "shift", """
mean shift :: hog.detectMultiScale(gray, winStride=(4, 4), padding=(16, 16), scale=1.05, useMeanshiftGrouping=True)
mean shift from 0 :: hog.detectMultiScale(gray, 0, (4, 4), (16, 16), 1.1, 0, True)
mean shift from 0.1 :: hog.detectMultiScale(gray, groupThreshold=0.1, useMeanshiftGrouping=True)
mean shift from 0.3 :: hog.detectMultiScale(gray, 0, (8, 8), (32, 32), 1.05, 0.3, True)
mean shift from 1 :: hog.detectMultiScale(gray, winStride=(4, 4), scale=1.1, groupThreshold=1, useMeanshiftGrouping=1)
mean shift in colour :: hog.detectMultiScale(tinted, scale=1.07, groupThreshold=0.2, useMeanshiftGrouping=True)
""")
add("people", "refused", """
no picture :: hog.detectMultiScale(None)
no picture for corners :: hog.detect(None)
an empty picture :: hog.detectMultiScale(np.zeros((0, 0), np.uint8))
fractions as pixels :: hog.detectMultiScale(black.astype(np.float32))
booleans as pixels :: hog.detectMultiScale(black > 0)
four channels :: hog.detectMultiScale(np.dstack([black] * 4))
a name as picture :: hog.detectMultiScale("people.jpg")
a list as picture :: hog.detectMultiScale(black.tolist())
the picture by the cascade's name :: hog.detectMultiScale(image=black)
no argument :: hog.detectMultiScale()
eight arguments :: hog.detectMultiScale(black, 0, (8, 8), (0, 0), 1.05, 2, False, 1)
a threshold as text :: hog.detectMultiScale(black, "0")
a threshold of True :: hog.detectMultiScale(black, True)
a group threshold of True :: hog.detectMultiScale(black, groupThreshold=True)
a stride of one number :: hog.detectMultiScale(black, winStride=8)
a stride as text :: hog.detectMultiScale(black, winStride="(8, 8)")
a stride of fractions :: hog.detectMultiScale(black, winStride=(8 / 2, 8 / 2))
a padding of one number :: hog.detectMultiScale(black, padding=8)
a padding of fractions :: hog.detectMultiScale(black, padding=(8.0, 8.0))
mean shift of 2.0 :: hog.detectMultiScale(black, useMeanshiftGrouping=2.0)
no level :: h = cv2.HOGDescriptor((64, 128), (16, 16), (8, 8), (8, 8), 9, 1, -1, 0, 0.2, True, 0); \
h.setSVMDetector(people); h.detectMultiScale(black)
places of fractions :: hog.detect(black, -100, searchLocations=[(10.0, 20.0)])
places of two numbers :: hog.detect(black, -100, searchLocations=(10, 20))
places of three numbers :: hog.detect(black, -100, searchLocations=[(10, 20, 3)])
places as three dimensions :: hog.detect(black, -100, searchLocations=np.array([[[10, 20]], [[3, 5]]]))
places as one number :: hog.detect(black, -100, searchLocations=5)
""")
add("compute", "values", """
one window :: cv2.HOGDescriptor().compute(window)
digits :: digits.compute(patch)
by name :: digits.compute(img=patch)
flat :: digits.compute(patch).flatten(), digits.compute(patch).ravel(), digits.compute(patch).reshape(1, -1)
turned :: digits.compute(patch).T, digits.compute(patch).reshape(-1, 1).T, digits.compute(patch).squeeze()
many :: np.array([digits.compute(p) for p in (patch, patch.T, 255 - patch)], np.float32)
a whole picture :: cv2.HOGDescriptor().compute(gray)
a picture of digits :: digits.compute(gray[:60, :60])
a stride :: cv2.HOGDescriptor().compute(gray, (16, 8)), cv2.HOGDescriptor().compute(gray, winStride=(64, 64))
a stride of 5 and 3 :: cv2.HOGDescriptor().compute(gray[:140, :75], (5, 3))
a stride of 1 :: digits.compute(gray[:22, :23], (1, 1), (0, 0))
a stride beyond the picture :: cv2.HOGDescriptor().compute(gray, (450, 450), (15, 15))
a stride of 0 :: cv2.HOGDescriptor().compute(gray, winStride=(0, 0), padding=(0, 0), locations=[])
None for everything :: cv2.HOGDescriptor().compute(gray, None, None, None)
padding :: cv2.HOGDescriptor().compute(window, (8, 8), (8, 8))
padding of 1 and 5 :: cv2.HOGDescriptor().compute(window, (8, 8), (1, 5))
padding of 24 and 16 :: cv2.HOGDescriptor().compute(window, (16, 16), (24, 16))
padding below 0 :: cv2.HOGDescriptor().compute(window, (8, 8), (-8, -8))
padding beyond the picture :: cv2.HOGDescriptor().compute(window, (64, 64), (200, 300))
a stride of 6 and padding of 5 :: cv2.HOGDescriptor().compute(window, (6, 6), (5, 5))
a place :: cv2.HOGDescriptor().compute(gray, (8, 8), (8, 8), ((10, 20),))
a place on the padding :: cv2.HOGDescriptor().compute(window, (8, 8), (8, 8), [(-8, -8), (8, 3)])
a place outside :: cv2.HOGDescriptor().compute(window, (8, 8), (8, 8), ((10, 20),))
places as an array :: cv2.HOGDescriptor().compute(gray, locations=np.array([[10, 20], [0, 0], [10, 20]]))
places for digits :: digits.compute(gray, (8, 8), (0, 0), [(x, y) for y in (0, 7) for x in (3, 64)])
colours :: cv2.HOGDescriptor().compute(bgr[:128, :64]), digits.compute(bgr[:40, :40])
one channel :: digits.compute(patch[..., None])
a part :: cv2.HOGDescriptor().compute(gray[3:140, 5:75])
every second pixel :: digits.compute(gray[::2, ::2], (20, 20))
a UMat :: digits.compute(cv2.UMat(patch))
a derivAperture of 0 :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 0).compute(gray[:64, :64])
a histogramNormType of 1 :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, -1, 1).compute(gray[:64, :64])
a sigma :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 9, 1, 4.).compute(gray[:64, :64])
blocks of one cell :: cv2.HOGDescriptor((64, 64), (8, 8), (8, 8), (8, 8), 9).compute(gray[:64, :64])
blocks of four by four cells :: cv2.HOGDescriptor((60, 60), (20, 20), (10, 10), (5, 5), 9).compute(gray[:60, :60])
flat blocks :: cv2.HOGDescriptor((64, 64), (16, 8), (8, 8), (8, 8), 9).compute(gray[:64, :64])
flat cells :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (4, 8), 7).compute(gray[:64, :64])
eighteen directed bins :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 18, 1, -1, 0, 0.2, True, 64, True)\
.compute(gray[:64, :64])
a window of the picture's size :: h, w = gray.shape; cv2.HOGDescriptor((w // 8 * 8, h // 8 * 8), (16, 16), (8, 8), \
(8, 8), 9).compute(gray)
one stride too small :: cv2.HOGDescriptor().compute(np.zeros((120, 64), np.uint8))
""")
add("compute", "exact", """
gradients :: g, a = cv2.HOGDescriptor().computeGradient(window, None, None); g.shape, g.dtype, a.shape, a.dtype
bins of gradients :: digits.computeGradient(patch, None, None)[1]
gradients into arrays :: g = np.zeros((20, 20, 2), np.float32); a = np.zeros((20, 20, 2), np.uint8); \
r = digits.computeGradient(patch, g, a); r[0] is g, r[1] is a
""")
add("compute", "values", """
gradients of a picture :: cv2.HOGDescriptor().computeGradient(window, None, None)[0] / 32
gradients with padding :: cv2.HOGDescriptor().computeGradient(img=patch, grad=None, angleOfs=None, paddingTL=(5, 3), \
paddingBR=(1, 0))[0] / 32
""")
add("compute", "refused", """
no picture :: digits.compute(None)
an empty picture :: digits.compute(np.zeros((0, 0), np.uint8))
fractions as pixels :: digits.compute(patch.astype(np.float32))
booleans as pixels :: digits.compute(patch > 9)
four channels :: digits.compute(np.dstack([patch] * 4))
a list as picture :: digits.compute(patch.tolist())
the picture by the cascade's name :: digits.compute(image=patch)
a stride of fractions :: digits.compute(patch, (8.0, 8.0))
a stride of one number :: digits.compute(patch, 8)
places of fractions :: digits.compute(patch, locations=[(1.0, 2.0)])
places of two numbers :: digits.compute(patch, (8, 8), (0, 0), (10, 20))
places as three dimensions :: digits.compute(patch, locations=np.zeros((2, 1, 2), int))
five arguments :: digits.compute(patch, (8, 8), (0, 0), [], 5)
gradients of a picture alone :: digits.computeGradient(patch)
a column of one :: digits.compute(patch)[:, 0]
""")
add("faults", "fault", """
a stride of 0 and 8 :: hog.detectMultiScale(black, winStride=(0, 8))
a stride of 8 and 0 :: hog.detect(black, winStride=(8, 0))
a stride below 0 :: hog.detectMultiScale(black, winStride=(-8, -8))
values at a stride of 0 and 8 :: cv2.HOGDescriptor().compute(black, (0, 8))
values at a stride below 0 :: cv2.HOGDescriptor().compute(black, (-8, -8))
an array of one dimension :: hog.detectMultiScale(np.zeros(200, np.uint8))
no bins :: cv2.HOGDescriptor((64, 64), (16, 16), (8, 8), (8, 8), 0).compute(black)
a scale without an end :: faces.detectMultiScale(black, float("inf"))
""")
add("faults", "small", """
less than a stride too low :: hog.detect(np.zeros((127, 64), np.uint8), -100)
less than a stride too narrow :: hog.detectMultiScale(np.zeros((128, 57), np.uint8), -100)
much too small :: hog.detectMultiScale(np.zeros((10, 10), np.uint8))
much too low :: hog.detectMultiScale(np.zeros((100, 200), np.uint8))
values of less than a stride too low :: cv2.HOGDescriptor().compute(np.zeros((127, 64), np.uint8))
values of a patch :: cv2.HOGDescriptor().compute(patch)
""")
add("wider", "wider", """
levels without asking :: faces.detectMultiScale3(gray, 1.1, 0)
the name of OpenCV before 4.7 :: hog.detectMultiScale(gray, finalThreshold=2.0)
a list of numbers :: cv2.HOGDescriptor().setSVMDetector(people.tolist())
""")
add("wider", "safe", """
a class of one's own :: c = type("Own", (cv2.CascadeClassifier,), {})(xml); c.tag = 1; len(c.detectMultiScale(gray))
a descriptor of one's own :: h = type("Own", (cv2.HOGDescriptor,), {})(); h.setSVMDetector(people); h.detect(gray)
""")

"""A program that uses every public name of `winnow.cv2` as OpenCV documents it. Type checkers read it."""

import numpy as np
from winnow import cv2


def cascades() -> None:
    classifier = cv2.CascadeClassifier(cv2.data.haarcascades + "haarcascade_eye.xml")
    assert classifier.load(cv2.data.haarcascades + "haarcascade_frontalface_alt.xml")
    assert not classifier.empty()
    assert not classifier.isOldFormatCascade()
    width, height = classifier.getOriginalWindowSize()
    assert (width, height) == (20, 20)
    assert classifier.getFeatureType() == 0
    gray = np.zeros((60, 80), np.uint8)
    flags = cv2.CASCADE_SCALE_IMAGE | cv2.CASCADE_DO_CANNY_PRUNING
    flags |= cv2.CASCADE_FIND_BIGGEST_OBJECT | cv2.CASCADE_DO_ROUGH_SEARCH
    found = classifier.detectMultiScale(gray, scaleFactor=1.1, minNeighbors=3, flags=0, minSize=(30, 30))
    assert len(found) == 0 and flags == 15
    boxes, counts = classifier.detectMultiScale2(gray, 1.1, 3, 0, (20, 20), (40, 40))
    assert len(boxes) == len(counts) == 0
    boxes, levels, weights = classifier.detectMultiScale3(gray, outputRejectLevels=True)
    assert len(boxes) == len(levels) == len(weights) == 0
    merged, members = cv2.groupRectangles([[10, 10, 20, 20], [11, 11, 20, 20]], groupThreshold=1, eps=0.2)
    assert len(merged) == len(members) == 1
    cv2.CascadeClassifier.convert("old.xml", "new.xml")
    cv2.CascadeClassifier_convert("old.xml", "new.xml")


def people() -> None:
    hog = cv2.HOGDescriptor((48, 96), (16, 16), (8, 8), (8, 8), 9)
    hog.setSVMDetector(np.append(np.zeros(1980, np.float32), np.float32(-1)))
    assert hog.getDescriptorSize() == 1980 and hog.checkDetectorSize()
    assert hog.getWinSigma() == 4
    gray = np.zeros((120, 80), np.uint8)
    boxes, weights = hog.detectMultiScale(gray, hitThreshold=0, winStride=(8, 4), padding=(16, 16), scale=1.05)
    boxes, weights = hog.detectMultiScale(gray, 0.5, (8, 8), (0, 0), 1.05, 0.2, useMeanshiftGrouping=True)
    assert len(boxes) == len(weights) == 0
    places, weights = hog.detect(gray, winStride=(8, 8), searchLocations=[(3, 4), (5, 6)])
    assert len(places) == len(weights) == 0
    assert len(hog.compute(gray, (8, 8))) % 1980 == 0
    assert len(hog.compute(gray, padding=(8, 8), locations=[(0, 0)])) == 1980
    votes, bins = hog.computeGradient(gray, None, None, paddingTL=(1, 1))
    assert votes.shape == bins.shape == (121, 81, 2)
    hog.save("people.xml")
    assert cv2.HOGDescriptor("people.xml").load("people.xml")
    assert cv2.HOGDESCRIPTOR_DEFAULT_NLEVELS == cv2.HOGDescriptor_DEFAULT_NLEVELS == 64
    assert cv2.HOGDESCRIPTOR_DESCR_FORMAT_COL_BY_COL == cv2.HOGDescriptor_DESCR_FORMAT_COL_BY_COL == 0
    assert cv2.HOGDESCRIPTOR_DESCR_FORMAT_ROW_BY_ROW == cv2.HOGDescriptor_DESCR_FORMAT_ROW_BY_ROW == 1
    assert cv2.HOGDESCRIPTOR_L2HYS == cv2.HOGDescriptor_L2Hys == 0
    try:
        cv2.HOGDescriptor_getDefaultPeopleDetector()
        cv2.HOGDescriptor_getDaimlerPeopleDetector()
    except cv2.error:
        pass  # OpenCV is not installed


if __name__ == "__main__":
    cascades()
    people()


def trackers() -> None:
    gray = np.zeros((60, 80), np.uint8)
    tracker = cv2.legacy.TrackerTLD_create()
    begun: bool = tracker.init(gray, (10, 10.5, 20, 20))
    seen, (left, top, width, height) = tracker.update(image=gray)
    assert begun and isinstance(seen, bool) and min(left, top, width, height) >= 0
    other: cv2.legacy.TrackerTLD = cv2.legacy.TrackerTLD.create()
    assert not other.empty() and other.getDefaultName() == "my_object"
    other.clear()
    assert cv2.legacy.TrackerTLD(backend="cpu", threads=1, seed=2).init(gray, boundingBox=np.array([10, 10, 20, 20]))

"""A program with mistakes. A type checker must find an error in each line that is marked, and in no other line."""

import numpy as np

import winnow

detector = winnow.Detector("face", backend="gpu")  # wrong
winnow.Detector(5)  # wrong
gray = np.zeros((9, 9), np.uint8)
detector.detect(gray, scaleFactor=1.2)  # wrong
detector.detect(gray, merge="mean")  # wrong
detector.detect(gray, channels="hsv")  # wrong
detector.detect([gray], min_size=5)  # wrong
detector.detect([gray]).boxes  # wrong
detector.detect(gray)[0].left  # wrong
winnow.read_picture("a.png").color.shape  # wrong
winnow.read_picture("a.png", color=True).color.shape
winnow.train_cascade(winnow.read_pack("a"), features="hog")  # wrong
winnow.Cascade.load("face").save("a", format="xml")  # wrong
winnow.train_hog_svm(winnow.read_pack("a"), progress=3)  # wrong
winnow.HogShape(window=5)  # wrong
winnow.Landmarks.load("a").save("a", format="xml")  # wrong
winnow.Landmarker("a").fit(gray)  # wrong
winnow.Landmarker("a").fit([gray], [[(1, 2, 3, 4)]])[0].points  # wrong
winnow.Landmarker("a").fit(gray, [(1, 2, 3, 4)])[0].points.shape
winnow.train_landmarks(winnow.read_pack("a"))  # wrong
winnow.Flow().track(gray, gray)  # wrong
winnow.Follower("face", "face-5", between="flow")  # wrong
winnow.Follower("face", "face-5", until_found="yes")  # wrong
winnow.scan("a", "face", landmarks="face-5", between="flow")  # wrong
winnow.scan("a", "face", landmarks="face-5", between="fit", until_found=None)
winnow.Flow().next(gray, []).points  # wrong
winnow.evaluate_landmarks([], []).of("eyes")  # wrong
winnow.read_box_track("gt.txt", format="voc")  # wrong
winnow.read_box_track("gt.txt", format="tld", or_else=None, id=3)
winnow.MarkedFace((1, 2, 3, 4), [(1, 2)])  # wrong

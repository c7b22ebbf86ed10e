"""Tests of `winnow track`: lines, marks, folders as sequences, copies, and what is refused."""

import csv
import io
import os
import random
import signal
import subprocess
import unittest

import scene
from runner import HANG_SECONDS, CommandTest

SIDE = 28


def texture(seed):
    """A smooth texture, so that flow has something to hold on to."""
    numbers = random.Random(seed)
    knots = [[numbers.randrange(256) for _ in range(9)] for _ in range(9)]
    rows = []
    for y in range(SIDE):
        row = bytearray()
        for x in range(SIDE):
            u, v = 8 * x / SIDE, 8 * y / SIDE
            i, j = int(u), int(v)
            a, b = u - i, v - j
            row.append(int((knots[j][i] * (1 - a) + knots[j][i + 1] * a) * (1 - b) +
                           (knots[j + 1][i] * (1 - a) + knots[j + 1][i + 1] * a) * b))
        rows.append(row)
    return rows


LOOKS = [texture(1), texture(2)]


def frame(places, size=(120, 90)):
    """A picture with a textured object at each place; None: the object is away."""
    picture = scene.Picture(*size)
    for look, place in zip(LOOKS, places):
        for i in range(SIDE if place else 0):
            picture.rows[place[1] + i][place[0]:place[0] + SIDE] = look[i]
    return picture


def places(number):
    return [(20 + 2 * number, 15 + number), (85 - number, 55)]


def box_of(place):
    return f"{place[0]},{place[1]},{SIDE},{SIDE}"


class Track(CommandTest):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("frames"))
        for number in range(12):
            self.write(f"frames/img{number}.pgm", frame(places(number)).pgm())

    def track(self, *arguments, code=0, **more):
        result = self.run_command("track", *arguments, **more)
        self.assertEqual(result.code, code, result.err)
        return result

    def assert_near(self, track, place):
        for name, value in (("x", place[0]), ("y", place[1]), ("width", SIDE), ("height", SIDE)):
            self.assertAlmostEqual(track[name], value, delta=3, msg=str(track))

    def test_a_folder_is_a_sequence_by_number(self):
        first, second = places(0)
        result = self.track("frames", "--box", box_of(first), "--box", box_of(second))
        lines = result.lines()
        self.assertEqual([line["frame"] for line in lines], list(range(12)))
        self.assertEqual({line["source"] for line in lines}, {"frames"})
        self.assertEqual(list(lines[0]), ["source", "frame", "picture", "time", "width", "height", "tracks"])
        self.assertEqual([line["picture"] for line in lines], [f"img{number}.pgm" for number in range(12)])
        self.assertEqual(list(lines[0]["tracks"][0]), ["id", "x", "y", "width", "height", "confidence", "state"])
        self.assertEqual(lines[0]["tracks"][0], {"id": 1, "x": 20, "y": 15, "width": SIDE, "height": SIDE,
                                                 "confidence": 1, "state": "found"})
        for number, line in enumerate(lines):
            self.assertEqual([track["id"] for track in line["tracks"]], [1, 2])
            for track, place in zip(line["tracks"], places(number)):
                self.assertNotEqual(track["state"], "lost")
                self.assert_near(track, place)
        self.assertIn("12 pictures, 2 objects", result.err)

    def test_gaps_are_named(self):
        os.remove(self.path("frames/img5.pgm"))
        result = self.track("frames", "--box", box_of(places(0)[0]))
        self.assertIn("frames: no picture has a number between 4 and 6", result.err)
        self.assertEqual(len(result.lines()), 11)

    def test_an_object_begins_in_its_frame(self):
        lines = self.track("frames", "--box", box_of(places(0)[0]), "--box", box_of(places(4)[1]) + "@4").lines()
        self.assertEqual([[track["id"] for track in line["tracks"]] for line in lines], [[1]] * 4 + [[1, 2]] * 8)
        self.assert_near(lines[11]["tracks"][1], places(11)[1])
        # Ids follow the order of the boxes, not that of the frames.
        lines = self.track("frames", "--box", box_of(places(4)[1]) + "@4", "--box", box_of(places(0)[0])).lines()
        self.assertEqual([track["id"] for track in lines[0]["tracks"]], [2])
        self.assert_near(lines[11]["tracks"][0], places(11)[1])

    def test_a_later_box_corrects(self):
        lines = self.track("frames", "--box", box_of(places(0)[0]), "--box", "1=" + box_of(places(6)[1]) + "@6").lines()
        self.assert_near(lines[5]["tracks"][0], places(5)[0])
        self.assertEqual(lines[6]["tracks"][0]["state"], "found")
        self.assert_near(lines[11]["tracks"][0], places(11)[1])

    def test_an_object_that_leaves_is_lost_and_found(self):
        stream = b"".join(frame([None if 5 <= number < 8 else (40, 30)]).pgm() for number in range(12))
        lines = self.track("-", "--box", box_of((40, 30)), stdin=stream).lines()
        self.assertNotIn("picture", lines[0])
        states = [line["tracks"][0]["state"] for line in lines]
        self.assertEqual(states[6:8], ["lost"] * 2)
        self.assertEqual(lines[6]["tracks"][0]["confidence"], 0)
        self.assertEqual(states[10:], ["found"] * 2)

    def test_a_box_beyond_the_frame_is_cut(self):
        lines = self.track("frames", "--box=-10,10,50,40").lines()
        self.assertEqual([lines[0]["tracks"][0][name] for name in ("x", "y", "width", "height")], [0, 10, 40, 40])

    def test_csv_and_the_same_bytes(self):
        arguments = ("frames", "--box", box_of(places(0)[0]), "--format", "csv", "--quiet")
        result = self.track(*arguments)
        self.assertEqual(result.err, "")
        rows = list(csv.DictReader(io.StringIO(result.out.decode())))
        self.assertEqual(len(rows), 12)
        self.assertEqual(list(rows[0]), ["source", "frame", "time", "id", "state", "x", "y", "width", "height", "confidence", "picture"])
        self.assertEqual([row["picture"] for row in rows], [f"img{number}.pgm" for number in range(12)])
        for more in (("--threads", "1"), ("--backend", "reference"), ("--backend", "cpu")):
            self.assertEqual(self.track(*arguments, *more).out, result.out)
        if "cuda       no" in self.run_command("backends").out.decode():
            self.assertIn("cuda", self.track(*arguments, "--backend", "cuda", code=2).err)
        else:
            self.assertEqual(self.track(*arguments, "--backend", "cuda").out, result.out)
        self.assertNotEqual(self.track("frames", "--box", box_of(places(0)[1]), "--format", "csv").out, result.out)

    def test_copies_have_the_names_of_the_pictures(self):
        self.track("frames", "--box", box_of(places(0)[0]), "--out", "marked")
        self.assertEqual(sorted(os.listdir(self.path("marked"))), sorted(b"img%d.ppm" % number for number in range(12)))
        with open(self.path("marked/img0.ppm"), "rb") as file:
            self.assertIn(bytes([40, 120, 255]), file.read())

    def test_what_eval_reads(self):
        self.write("truth.txt", "".join(f"{x},{y},{SIDE},{SIDE}\n" for x, y in (places(n)[0] for n in range(12))))
        self.write("tracks.jsonl", self.track("frames", "--box", box_of(places(0)[0])).out)
        table = self.run_command("eval", "tracking", "--truth", "made=truth.txt", "--truth-format", "vot",
                                 "--result", "winnow=tracks.jsonl", "--out", "report", "--format", "json").lines()[0]
        self.assertIn("winnow", str(table))

    def test_refusals(self):
        good = box_of(places(0)[0])
        for arguments, sentence in (
            ((), "name a video, or a folder of pictures"),
            (("frames",), "mark what is to be followed: --box X,Y,W,H"),
            (("frames", "--box", "1,2,3"), "--box 1,2,3: a box is four numbers, X,Y,W,H: left, top, width and height in pixels"),
            (("frames", "--box", "1,2,30,30,5"), "--box 1,2,30,30,5: a box is four numbers"),
            (("frames", "--box", "1,2,0,30"), "--box 1,2,0,30: width and height must be above 0"),
            (("frames", "--box", "1,2,30,-3"), "--box 1,2,30,-3: width and height must be above 0"),
            (("frames", "--box", "1,2,nan,30"), "--box 1,2,nan,30: 'nan' is no number"),
            (("frames", "--box", "1,2,,30"), "--box 1,2,,30: '' is no number"),
            (("frames", "--box", "1,2,3x,30"), "--box 1,2,3x,30: '3x' is no number"),
            (("frames", "--box=-1e307,1,1.1e307,30"), "--box -1e307,1,1.1e307,30: -1e307 is more than any frame has pixels"),
            (("frames", "--box", good + "@-1"), "the frame behind @ is a whole number, and 0 is the first frame"),
            (("frames", "--box", good + "@x"), "the frame behind @ is a whole number, and 0 is the first frame"),
            (("frames", "--box", "a=" + good), "the id before = is a whole number, and 1 is the first object"),
            (("frames", "--box", "0=" + good + "@3"), "the id before = is a whole number, and 1 is the first object"),
            (("frames", "--box", "2=" + good + "@3"), "no box begins object 2"),
            (("frames", "--box", good, "--box", "1=" + good), "a correction comes later"),
            (("frames", "--box", "1,1,1,1"), "at least 8 x 8 pixels inside of the frame, which is 120 x 90"),
            (("frames", "--box", "500,1,30,30"), "at least 8 x 8 pixels"),
            (("frames", "--box", "80,10,90,30"), "most of a box to be tracked must lie inside of the frame"),
            (("frames", "--box", good, "--format", "xml"), "--format is jsonl or csv"),
            (("frames", "--box", good, "--out", "frames/"), "--out is the folder of the pictures"),
            (("frames", "--box", good, "--device", "-1"), "--device must be 0 or more"),
            (("frames/img0.pgm", "--box", good), "is one picture"),
            (("frames", "frames", "--box", good), "--box marks objects in one video, and these are 2; learn the objects in one"),
            (("frames", "--backward", "--load", "x"), "--backward begins at a mark: give --box X,Y,W,H@FRAME"),
            (("-", "--backward", "--box", good + "@3"), "and standard input gives them only once; name a video file or a folder"),
            (("frames", "--box", good, "--trail", "3"), "--trail draws into marked copies: give --out DIR"),
            (("frames", "--box", good, "--trail", "-3", "--out", "x"), "--trail is a number of frames, 0 or more"),
            (("frames", "--box", good, "--save", "frames"), "--save would write over the video"),
            (("frames", "--box", good, "--save", "/dev/null"), "/dev/null is no file that --save could replace"),
            (("frames", "--box", good, "--save", "frames/img1.pgm"), "holds something else than saved objects"),
            (("frames", "--box", good, "--box", "1=" + good + "@3", "--box", "1=5,5,30,30@3"), "mark object 1 in the same frame"),
            (("frames", "--save", "many.objects") + 257 * ("--box", good), "--save holds at most 256 objects, and these are 257"),
        ):
            result = self.track(*arguments, code=2)
            self.assertIn(sentence, result.err)
            self.assertEqual(result.out.count(b"\n"), 0, arguments)
        os.mkdir(self.path("empty"))
        self.assertIn("holds no pictures", self.track("empty", "--box", good, code=2).err)

    def test_what_was_learnt_is_searched_for_in_other_videos(self):
        self.track("frames", "--box", box_of(places(4)[1]) + "@4", "--box", box_of(places(0)[0]), "--save", "two.objects")
        away = [None, None]
        for name, at in (("one", (10, 50)), ("two", (70, 20))):
            os.mkdir(self.path(name))
            for number in range(6):
                self.write(f"{name}/{number}.pgm", frame([at, None] if number > 1 else away).pgm())
        result = self.track("one", "two", "frames", "--load", "two.objects")
        lines = result.lines()
        self.assertEqual([line["source"] for line in lines], ["one"] * 6 + ["two"] * 6 + ["frames"] * 12)
        self.assertEqual({tuple(track["id"] for track in line["tracks"]) for line in lines}, {(1, 2)})
        for start, at in ((0, (10, 50)), (6, (70, 20))):
            first, last = lines[start]["tracks"], lines[start + 5]["tracks"]
            self.assertEqual([track["state"] for track in first], ["lost", "lost"])
            self.assertEqual([first[0][name] for name in ("x", "y", "width", "height", "confidence")], [0] * 5)
            self.assertEqual([track["state"] for track in last], ["lost", "found"])
            self.assert_near(last[1], at)
        for track, place in zip(lines[-1]["tracks"], reversed(places(11))):
            self.assert_near(track, place)
        self.assertIn("24 pictures, 6 objects", result.err)
        self.assertIn("one: object 1: not found", result.err)
        # The videos do not influence one another.
        alone = [line for name in ("one", "two", "frames") for line in self.track(name, "--load", "two.objects").lines()]
        self.assertEqual(alone, lines)

    def test_a_loaded_object_is_corrected_and_saved_again(self):
        self.track("frames", "--box", box_of(places(0)[0]), "--save", "a.objects")
        before = self.read("a.objects")
        lines = self.track("frames", "--load", "a.objects", "--box", "1=" + box_of(places(5)[1]) + "@5", "--box",
                           box_of(places(2)[0]) + "@2", "--save", "a.objects").lines()
        self.assertEqual([[track["id"] for track in line["tracks"]] for line in lines], [[1]] * 2 + [[1, 2]] * 10)
        self.assert_near(lines[5]["tracks"][0], places(5)[1])
        self.assertEqual(lines[2]["tracks"][1]["state"], "found")
        self.assertGreater(len(self.read("a.objects")), len(before))
        self.assertEqual(len(self.track("frames", "--load", "a.objects").lines()[0]["tracks"]), 2)

    def test_a_stopped_run_saves_what_was_learnt(self):
        process = self.start("track", "-", "--box", box_of(places(0)[0]), "--save", "a.objects", stdin=subprocess.PIPE,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for number in range(3):
            process.stdin.write(frame(places(number)).pgm())
            process.stdin.flush()
            process.stdout.readline()
        process.send_signal(signal.SIGINT)
        process.wait(HANG_SECONDS)  # standard input stays open
        process.communicate()
        self.assertEqual(process.returncode, 130)
        self.assert_near(self.track("frames", "--load", "a.objects").lines()[-1]["tracks"][0], places(11)[0])

    def test_damaged_objects_are_refused(self):
        self.track("frames", "--box", box_of(places(0)[0]), "--save", "a.objects")
        whole = self.read("a.objects")
        for data, sentence in ((whole[:-1], "the bytes of the saved objects are damaged"), (b"P5 1 1 255 x", "these are no bytes of saved objects"),
                               (whole[:4] + b"\1" + whole[5:], "the saved objects have format version 1; this Winnow reads version 2")):
            self.write("b.objects", data)
            result = self.run_command("track", "frames", "--load", "b.objects")
            self.assertNotEqual(result.code, 0)
            self.assertIn("b.objects: " + sentence, result.err)
            self.assertEqual(result.out, b"")
        self.assertNotEqual(self.run_command("track", "frames", "--load", "missing").code, 0)

    def test_backward(self):
        marks = ("--box", box_of(places(7)[0]) + "@7", "--box", box_of(places(4)[1]) + "@4")
        lines = self.track("frames", *marks, "--backward").lines()
        self.assertEqual([line["frame"] for line in lines], list(range(12)))
        for number, line in enumerate(lines):
            self.assertEqual([track["id"] for track in line["tracks"]], [1, 2])
            for track, place in zip(line["tracks"], places(number)):
                self.assertNotEqual(track["state"], "lost")
                self.assert_near(track, place)
        forward = self.track("frames", *marks).lines()
        self.assertEqual([len(line["tracks"]) for line in forward], [0] * 4 + [1] * 3 + [2] * 5)
        for line, other in zip(lines, forward):
            self.assertEqual(line["tracks"][-len(other["tracks"]):] if other["tracks"] else [], other["tracks"])
        self.assertEqual(self.track("frames", "--box", box_of(places(0)[0]), "--backward").out,
                         self.track("frames", "--box", box_of(places(0)[0])).out)
        self.write("frames/img2.pgm", b"P5 120 90 255 short")
        again = self.track("frames", *marks, "--backward", code=1)
        self.assertEqual([line["frame"] for line in again.lines()], [0, 1] + list(range(3, 12)))
        self.assertEqual(again.err.count("img2.pgm"), 1)

    def test_backward_through_a_video(self):
        self.need_video()
        self.write("walk.y4m", scene.y4m([frame(places(number)) for number in range(12)]))
        lines = self.track("walk.y4m", "--box", box_of(places(8)[0]) + "@8", "--backward", "--out", "marked").lines()
        self.assertEqual([line["frame"] for line in lines], list(range(12)))
        for number, line in enumerate(lines):
            self.assert_near(line["tracks"][0], places(number)[0])
        self.assertNotIn("lost", [line["tracks"][0]["state"] for line in lines])
        self.assertEqual(os.listdir(self.path("marked")), [b"walk.mkv"])

    def test_copies_have_trails_and_show_lost_objects(self):
        for number in range(6, 12):
            self.write(f"frames/img{number}.pgm", frame([None, None]).pgm())
        self.track("frames", "--box", box_of(places(0)[0]), "--out", "plain")
        self.track("frames", "--box", box_of(places(0)[0]), "--out", "trails", "--trail", "20")
        blue, red = bytes([40, 120, 255]), bytes([255, 80, 60])
        self.assertNotIn(red, self.read("plain/img4.ppm"))
        self.assertIn(red, self.read("plain/img10.ppm"))
        self.assertGreater(self.read("trails/img4.ppm").count(blue), self.read("plain/img4.ppm").count(blue))
        self.assertIn(blue, self.read("trails/img10.ppm"))
        self.assertNotIn(blue, self.read("plain/img10.ppm"))

    def test_a_frame_that_never_comes_is_a_problem(self):
        result = self.track("frames", "--box", box_of(places(0)[0]), "--box", box_of(places(0)[1]) + "@99", code=1)
        self.assertIn("@99: there are only 12 frames", result.err)
        self.assertEqual(len(result.lines()), 12)

    def test_a_damaged_picture_is_a_problem_and_the_rest_goes_on(self):
        self.write("frames/img5.pgm", b"P5 120 90 255 short")
        result = self.track("frames", "--box", box_of(places(0)[0]), code=1)
        self.assertIn("img5.pgm", result.err)
        self.assertEqual([line["frame"] for line in result.lines()], [0, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11])
        self.assert_near(result.lines()[-1]["tracks"][0], places(11)[0])
        result = self.track("frames", "--box", box_of(places(0)[0]), "--box", box_of(places(5)[1]) + "@5", code=1)
        self.assertIn("@5: this frame could not be read", result.err)

    def test_a_bad_later_box_is_a_problem_and_the_rest_goes_on(self):
        result = self.track("frames", "--box", box_of(places(0)[0]), "--box", "500,1,30,30@4", code=1)
        self.assertIn("--box 500,1,30,30@4: a box to be tracked must have", result.err)
        self.assertEqual([len(line["tracks"]) for line in result.lines()], [1] * 12)
        result = self.track("frames", "--box", "500,1,30,30@4", "--save", "none.objects", code=1)
        self.assertIn("none.objects is not written: there is no object to save", result.err)
        self.assertFalse(os.path.exists(self.path("none.objects")))
        result = self.track("frames", "--box", box_of(places(0)[0]), "--box", "500,1,30,30@4", "--box", "2=1,1,30,30@6", code=1)
        self.assertIn("--box 2=1,1,30,30@6: the box that begins the object was not used", result.err)

    def test_the_summary_tells_how_long_an_object_was_lost(self):
        stream = b"".join(frame([None if number >= 5 else (40, 30)]).pgm() for number in range(12))
        result = self.track("-", "--box", box_of((40, 30)), stdin=stream)
        self.assertRegex(result.err, r"object 1: lost in [67] of 12 frames, first in frame [56]\n")

    def test_another_size_is_told(self):
        stream = b"".join([frame([(40, 30)]).pgm()] * 4 + [frame([(60, 40)], (160, 120)).pgm()] * 6)
        result = self.track("-", "--box", box_of((40, 30)), stdin=stream)
        self.assertIn("frame 4 has another size; objects are lost until the search finds them", result.err)
        self.assertEqual(result.lines()[-1]["tracks"][0]["state"], "found")


if __name__ == "__main__":
    unittest.main()

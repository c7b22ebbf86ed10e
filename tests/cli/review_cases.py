"""Tests of `faces --review`: the page on which a person checks what blurred copies hide."""

import html.parser
import os
import re
import urllib.parse

import scene
from faces_cases import STRIPES, points_file
from runner import CommandTest


class Page(html.parser.HTMLParser):
    """The figures of a page, and the names of its lists."""

    def __init__(self, text):
        super().__init__()
        self.figures, self.lists, self.addresses, self.inside, self.words = [], {}, [], [], ""
        self.places = set()  # where links inside the page lead
        self.feed(text)

    def files(self):
        """The files that the page shows or links."""
        return [urllib.parse.unquote(address) for address in self.addresses if not address.startswith("#")]

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        self.addresses += [values[name] for name in ("src", "href") if name in values]
        self.places.update("#" + values["id"] for name in values if name == "id")
        if tag == "figure":
            self.figures.append({"boxes": []})
        if tag == "img":
            self.figures[-1]["file"] = values["src"]
        if tag == "i":
            self.figures[-1]["boxes"].append(values["title"])
        if tag in ("figcaption", "h2", "li"):
            self.words = ""
        if tag == "br":
            self.words += "\n"

    def handle_data(self, data):
        self.words += data

    def handle_endtag(self, tag):
        if tag == "figcaption":
            self.figures[-1]["caption"] = self.words.split("\n")
        if tag == "h2":
            self.lists[self.words] = self.inside = []
        if tag == "li":
            self.inside.append(self.words)


class Review(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("in/a.pgm", scene.Picture(160, 120, [(20, 15, 20), (90, 60, 40)]).pgm())
        self.write("in/empty.pgm", b"P5 64 48 255\n" + bytes(64 * 48))
        self.write("corners.dat", points_file((0.25, 0.25, 0.75, 0.25, 0.25, 0.75), (0, 0)))

    def review(self, *arguments, code=0, stdin=b""):
        result = self.run_command("faces", "-m", "square", "--landmarks", "corners.dat", "--blur", "--out", "safe", "--review",
                                  "review", *arguments, stdin=stdin)
        self.assertEqual(result.code, code, result.err)
        return result

    def page(self):
        return Page(self.read("review/index.html").decode())

    def walk(self, count, empty=()):
        """Frames with a striped square that moves to the right. It is not there in the frames of `empty`."""
        frames = []
        for i in range(count):
            frames.append(scene.Picture(160, 120))
            for y in range(16, 40) if i not in empty else []:
                frames[i].rows[y][20 + i:44 + i] = bytes([120 if y & 2 else 220] * 24)
        return frames

    def stripes(self, source):
        """How many windows of each picture have stripes. A blur leaves none."""
        self.write("stripes.xml", STRIPES)
        lines = self.run_command("detect", "-m", "stripes.xml", "--raw", "--max-size", "20x20", source).lines()
        return [len(line["objects"]) for line in lines]

    def test_pictures_are_shown_and_those_without_covers_are_named(self):
        result = self.review("in/a.pgm", "in/empty.pgm")
        self.assertIn("winnow: what the copies hide: see review/index.html\n", result.err)
        page = self.page()
        self.assertEqual([figure["caption"][0] for figure in page.figures], ["in/a.pgm", "in/empty.pgm"])
        covers = ["cover %d: %s, 1 search" % (cover["path"], cover["why"]) for cover in result.lines()[0]["covers"]]
        self.assertGreater(len(covers), 1)
        self.assertEqual(page.figures[0]["boxes"], covers)
        self.assertEqual(page.figures[1]["caption"], ["in/empty.pgm", "nothing hidden"])
        self.assertEqual(page.lists["Nothing was hidden: 1"], ["in/empty.pgm"])
        self.assert_links_lead_somewhere(page)

    def assert_links_lead_somewhere(self, page):
        for file in page.files():
            self.assertTrue(os.path.isfile(self.path("review/" + file)), file)
        self.assertLessEqual({address for address in page.addresses if address.startswith("#")}, page.places)

    def test_copies_are_linked(self):
        for name in ("50% & \"more\".pgm", "q#1?.pgm", "a:b.pgm"):
            self.write("odd/" + name, self.read("in/a.pgm"))
        self.review("odd", "in/a.pgm", "-", "--gap", "1", stdin=b"".join(frame.pgm() for frame in self.walk(3)))
        page = self.page()
        self.assert_links_lead_somewhere(page)
        copies = sorted(file for file in page.files() if not file.startswith("pictures/"))
        self.assertEqual(copies, sorted("../safe/" + name for name in self.files("safe")))
        self.assertEqual(len(copies), 7)

    def test_a_video_links_its_copy_and_says_first_if_nothing_is_hidden(self):
        self.need_video()
        self.write("walk.y4m", scene.y4m(self.walk(4)))
        self.write("none.y4m", scene.y4m([scene.Picture(160, 120)] * 4))
        self.review("walk.y4m", "none.y4m")
        self.assert_links_lead_somewhere(self.page())
        text = self.read("review/index.html").decode()
        self.assertIn('>walk.y4m</h2>\n<p>The copy: <a href="../safe/walk.mkv">safe/walk.mkv</a></p>\n<div', text)
        self.assertIn('>none.y4m</h2>\n<p><strong>Nothing was hidden.</strong> Look at the whole copy.</p>\n'
                      '<p>The copy: <a href="../safe/none.mkv">', text)

    def test_what_could_not_be_read_or_written_is_listed(self):
        self.write("in/bad.pgm", b"P5 9")
        name = "n" * 251 + ".pgm"  # a copy of it is called .ppm; the second one needs a number
        self.write("in/" + name, self.read("in/empty.pgm"))
        result = self.review("in", "in/" + name, "absent.pgm", code=1)
        said = [line[len("winnow: "):] for line in result.err.splitlines() if re.match("winnow: (in/|absent)", line)]
        problems = [line for line in said if "nothing was found" not in line]
        self.assertEqual((len(problems), len(said)), (3, 5), result.err)
        page = self.page()
        self.assert_links_lead_somewhere(page)
        self.assertEqual(page.lists["What could not be read or written: 3"], problems)
        self.assertEqual(page.lists["Copies that are not whole: 1"], ["in/" + name])
        captions = {figure["caption"][0]: figure["caption"][1:] for figure in page.figures if "file" not in figure}
        self.assertEqual(captions, {"in/bad.pgm": [problems[0], "no copy"], "in/" + name: [problems[1], "no copy"],
                                    "absent.pgm": [problems[2], "no copy"]})
        self.assertEqual(page.lists["Nothing was hidden: 2"], ["in/empty.pgm", "in/" + name])
        self.assertNotIn("No copy was written", self.read("review/index.html").decode())

    def test_a_page_without_copies_says_so(self):
        result = self.review("absent.pgm", code=1)
        self.assertIn("see review/index.html", result.err)
        self.assertIn("<strong>No copy was written, so there is nothing to check.</strong>", self.read("review/index.html").decode())
        self.assertIn("What could not be read or written: 1", self.page().lists)

    def test_a_stream_shows_ends_of_covers_as_its_lines_have_them(self):
        frames = self.walk(90, empty=range(30, 90))
        result = self.review("-", "--gap", "5", "--quiet", stdin=b"".join(frame.pgm() for frame in frames))
        self.assertNotIn("see review", result.err)
        covered = [line["frame"] for line in result.lines() if line["covers"]]
        self.assertEqual(covered, [*range(len(covered))])
        last = covered[-1]
        self.assertGreaterEqual(last, 29)
        figures = {int(re.fullmatch(r"frame (\d+)", figure["caption"][0])[1]): figure["caption"][1:] for figure in self.page().figures}
        self.assertLessEqual({0, 25, 50, 75, last, last + 1, 89}, set(figures))
        self.assertEqual(figures[0][0], "cover 1 begins")
        self.assertIn("cover 1 ends", figures[last])
        self.assertEqual(figures[last + 1], ["cover 1 has ended", "nothing hidden"])
        self.assertEqual(figures[89], ["last frame", "nothing hidden"])
        # The small pictures are of the copy.
        self.write("first.pgm", frames[0].pgm())
        self.assertGreater(self.stripes("first.pgm")[0], 0)
        self.assertEqual(self.stripes("review/pictures/000001"), [0] * len(figures))

    def test_a_video_shows_one_frame_a_second(self):
        self.need_video()
        self.write("walk.y4m", scene.y4m(self.walk(80)))
        self.review("walk.y4m", "in/a.pgm")
        page = self.page()
        shown = [figure["caption"][0] for figure in page.figures]
        self.assertEqual(shown[-1], "in/a.pgm")
        self.assertEqual([words for words in shown[:-1] if re.match(r"0:0\d\.0, frame ", words)],
                         ["0:0%d.0, frame %d" % (i, 10 * i) for i in range(8)])  # 10 frames a second
        self.assertIn("frame 79", shown[-2])
        (videos,) = (lines for title, lines in page.lists.items() if title == "Videos and streams: 1")
        self.assertRegex(videos[0], r"^walk\.y4m: 80 frames, 80 with covers, \d+ shown; the largest cover takes ")

    def test_its_folder_is_left_out_of_a_search(self):
        search = ["faces", "-m", "square", "--landmarks", "corners.dat", "in", "--recursive", "--blur", "--out", "in/safe",
                  "--review", "in/review"]
        self.assertEqual(self.run_command(*search).code, 0)
        again = self.run_command(*search)
        self.assertEqual((again.code, again.out), (2, b""))
        self.assertIn("in/review: the folder of the review holds index.html already: name another folder", again.err)
        os.remove(self.path("in/review/index.html"))
        os.rename(self.path("in/review/pictures"), self.path("in/review/others"))
        once_more = self.run_command(*search)
        self.assertEqual([line["source"] for line in once_more.lines()], ["in/a.pgm", "in/empty.pgm"], once_more.err)

    def test_a_page_that_fails_leaves_the_copies_alone(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        os.makedirs(self.path("review"))
        os.symlink("/dev/full", self.path("review/sections.html.part"))
        result = self.review("in", "--quiet", code=1)
        self.assertEqual(result.err.count("review: there is no page to check the copies: "), 1, result.err)
        self.assertEqual(self.files("safe"), ["a.ppm", "empty.ppm"])
        self.assertEqual(len(result.lines()), 2)

    def test_a_folder_that_takes_no_files_is_named(self):
        folder = "/sys/kernel"  # also root writes no file there
        if not os.path.isdir(folder):
            self.skipTest("no /sys/kernel here")
        result = self.run_command("faces", "-m", "square", "--landmarks", "corners.dat", "in", "--blur", "--out", "o",
                                  "--review", folder)
        self.assertEqual((result.code, result.out), (1, b""))
        self.assertRegex(result.err, r"^winnow: /sys/kernel: the review cannot write: .*; name a folder that takes new files\n$")

    def test_mistakes_are_said_before_the_work(self):
        self.write("file", b"x")
        for arguments, code, words in ((["--out", "o", "--review", "r"], 2, "--review needs --blur --out DIR"),
                                       (["--review", "r"], 2, "--review needs --blur --out DIR"),
                                       (["--blur", "--out", "o", "--review", "file"], 1, "file: the folder cannot be made")):
            result = self.run_command("faces", "-m", "square", "--landmarks", "corners.dat", "in", *arguments)
            self.assertEqual((result.code, result.out), (code, b""), result.err)
            self.assertEqual(len(result.err.splitlines()), 1, result.err)
            self.assertIn(words, result.err)
        self.assert_usage_error("detect", "-m", "square", "in", "--blur", "--out", "o", "--review", "r", says="--review")

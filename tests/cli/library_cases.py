"""Tests of the folders that a shared libwinnow searches for the library that reads videos."""

import glob
import json
import os
import shutil
import struct
import subprocess
import sys

import runner
from runner import CommandTest

# Loads libwinnow by a relative name, changes the folder, and asks libwinnow for video.
ELSEWHERE = """
import ctypes, os, sys
library = ctypes.CDLL(sys.argv[1])
os.chdir(sys.argv[2])
ask = library["_ZN6winnow15video_supportedEv"]
ask.restype = ctypes.c_bool
print(ask())
"""

# Prints the stamp of a library that reads videos.
STAMP = """
import ctypes, sys
parts = ctypes.CDLL(sys.argv[1]).winnow_video_functions
parts.restype = ctypes.POINTER(ctypes.c_uint64)
print(parts()[0])
"""


class Library(CommandTest):
    def setUp(self):
        super().setUp()
        self.need_video()
        built = os.path.join(os.path.dirname(os.path.dirname(runner.command)), "lib")
        modules = glob.glob(os.path.join(built, "libwinnow-video-*.so"))
        libraries = glob.glob(os.path.join(built, "libwinnow*.so.*.*.*"))
        if len(modules) != 1 or len(libraries) != 1:
            self.skipTest("no build of a shared libwinnow beside the command")
        self.real_module, self.real_library = modules[0], libraries[0]
        self.module = os.path.basename(self.real_module)
        # Programs ask for the name without the last two numbers.
        self.library = os.path.basename(self.real_library).rsplit(".", 2)[0]

    def copy(self, source, name):
        self.write(name, b"")
        shutil.copyfile(source, self.path(name))

    def link(self, name, to):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        os.symlink(self.path(to), self.path(name))

    def run_with(self, folder, *arguments):
        environment = dict(self.environment(), LD_LIBRARY_PATH=folder)
        done = subprocess.run([runner.command, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True)
        self.assertNotIn("libwinnow.so", done.stderr)
        return done

    def assert_video(self, folder, there=True):
        self.assertEqual(json.loads(self.run_with(folder, "backends", "--json").stdout)["video"], there)

    def run_python(self, program, *arguments, variables=()):
        done = subprocess.run([sys.executable, "-c", program, *arguments], cwd=self.folder, capture_output=True, text=True,
                              env=dict(os.environ, **dict(variables)))
        if "ASan" in done.stderr:
            self.skipTest("Python does not load what is built with AddressSanitizer")
        return done

    def assert_video_elsewhere(self, library, variables=(), there=True):
        done = self.run_python(ELSEWHERE, library, "other", variables=variables)
        self.assertEqual((done.stdout, done.stderr), ("%s\n" % there, ""))

    def test_links_to_files_of_several_folders(self):
        os.mkdir(self.path("other"))
        self.copy(self.real_library, "store/a/" + self.library)
        self.copy(self.real_module, "store/b/" + self.module)
        self.link("farm/lib/" + self.library, "store/a/" + self.library)
        library = os.path.join(self.folder, "farm/lib", self.library)
        self.assert_video_elsewhere(library, there=False)
        self.link("farm/lib/" + self.module, "store/b/" + self.module)
        self.assert_video_elsewhere(library)
        self.assert_video("farm/lib")

    def test_a_link_to_libwinnow_alone(self):
        self.copy(self.real_library, "store/" + self.library)
        self.copy(self.real_module, "store/" + self.module)
        self.link("lib/" + self.library, "store/" + self.library)
        self.assert_video(os.path.join(self.folder, "lib"))

    def test_after_the_process_went_elsewhere(self):
        self.copy(self.real_library, "lib/" + self.library)
        self.copy(self.real_module, "lib/" + self.module)
        # Files of the same names in the new folder must not be used.
        self.write("other/lib/" + self.library, "no library")
        self.write("other/lib/" + self.module, "no library")
        self.assert_video_elsewhere("lib/" + self.library)
        self.assert_video_elsewhere(self.library, {"LD_LIBRARY_PATH": "lib"})

    def test_what_is_wrong_is_said(self):
        self.copy(self.real_library, "lib/" + self.library)
        self.write("a.mkv", b"\x1a\x45\xdf\xa3")
        done = self.run_with("lib", "detect", "-m", "square", "a.mkv")
        self.assertIn("a.mkv: videos need " + self.module + ", which cannot be loaded: " + self.module + ": cannot open",
                      done.stderr)
        self.write("lib/" + self.module, "no library")
        done = self.run_with("lib", "detect", "-m", "square", "a.mkv")
        self.assertRegex(done.stderr, "a.mkv: videos need .*/lib/" + self.module + ": file too short")

    def test_another_build_is_refused(self):
        self.copy(self.real_library, "lib/" + self.library)
        done = self.run_python(STAMP, self.real_module)
        stamp = struct.pack("=Q", int(done.stdout))
        with open(self.real_module, "rb") as file:
            module = file.read()
        self.assertEqual(module.count(stamp), 1)
        self.write("lib/" + self.module, module.replace(stamp, stamp[::-1]))
        self.write("a.mkv", b"\x1a\x45\xdf\xa3")
        done = self.run_with("lib", "detect", "-m", "square", "a.mkv")
        self.assertRegex(done.stderr, r"a\.mkv: videos need .* of the same build, and .*/lib/" + self.module +
                         " is of another")
        self.assertEqual(done.returncode, 1)

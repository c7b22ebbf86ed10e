"""The commands and blocks of the guides that the test of the pages does not run as they stand, and why.

Each entry must fit something in its document. An entry that fits nothing fails the test.
"""

# (document, the command's beginning, the reason)
NOT_RUN = [
    ("README.md", "./dev demo", "installs and builds"),
    ("README.md", "./dev test", "builds, and runs this test"),
    ("docs/detecting.md", "ffmpeg -i https://", "needs a network camera"),
    ("docs/detecting.md", 'python3 -c "import cv2', "needs OpenCV 4; the test of the Python package reads such a file"),
    ("docs/library/build.md", "cmake -S winnow", "takes minutes; tools/install_test.sh does the same"),
    ("docs/library/build.md", "cmake --build", "takes minutes; tools/install_test.sh does the same"),
    ("docs/library/build.md", "cmake --install", "needs the build before; tools/install_test.sh does the same"),
    ("docs/python.md", "pip install", "installs a wheel; ./dev wheel-test does the same"),
    ("docs/scanning.md", "LD_LIBRARY_PATH=", "needs the wheel of Open MPI"),
    ("docs/scanning.md", "mpi/bin/pip", "installs a wheel"),
    ("docs/scanning.md", "srun", "needs Slurm"),
    ("docs/scanning.md", "mpirun", "needs several hosts, or made folders; tests/cli/hosts_cases.py runs such commands"),
    ("docs/tracking.md", "winnow track frames/", "needs a folder of 31 frames"),
    ("docs/tracking.md", "winnow track walk.mp4 --box 120,80,40,60 --box", "the made video has three frames"),
    ("docs/tracking.md", "winnow track monday.mp4", "needs two more videos"),
    ("models/face.md", "for set in", "needs the data folder"),
    ("models/face.md", "LC_ALL=C ls", "needs the data folder"),
    ("models/face.md", "samples=", "needs the data folder"),
    ("models/face.md", "winnow train", "takes hours, and needs the data folder"),
    ("models/face.md", "for seed in", "takes hours, and needs the data folder"),
    ("models/face-68.md", "winnow train", "takes minutes, and needs the data folder"),
    ("models/people.md", "winnow train", "takes an hour, and needs the data folder"),
    ("models/people-svm.md", "winnow train", "takes an hour, and needs the data folder"),
]

# Pages in this folder tell how tables were made, often with placeholders such as MODEL for a cascade. The commands of
# these pages are not run, but their programs and options must exist.
REPRODUCTION = "docs/reproduction/"

# (document, the first words of a block that holds output alone, the command that makes it, or a reason)
OUTPUT_OF = [
    ("docs/detecting.md", "source,frame,time", "winnow detect --format csv build/photos/grace_hopper_512x512.jpg"),
    ("docs/training.md", "stage  weak", "winnow train cascade --positives rings/ --negatives nothing/ --window 12x12 "
     "--stages 12 --max-false 0.3 --stage-negatives 300 --features-per-round 300 --seed 4 --out ring.winnow"),
    ("docs/training-points.md", "stage trees", "winnow train landmarks --truth mugs.xml --detector truth --out points.winnow"),
]
OUTPUT_ALONE = [
    ("docs/detecting.md", "cuda       yes", "needs a GPU"),
    ("docs/faces.md", '{"source":"portrait.jpg"', "a line that is broken and cut on the page"),
    ("docs/faces.md", '{"source":"walk.mp4"', "a line that is broken and cut on the page"),
    ("docs/scanning.md", "left slots", "a file of hosts"),
    ("docs/scanning.md", "winnow: 1150 pictures", "the last lines of a run of many pictures"),
    ("docs/tracking.md", '{"source":"walk.mp4"', "a line that is made up"),
    ("docs/training-points.md", "points.winnow: 68 points,", "the last line of a training of many pictures"),
]

# (document, the command's beginning, the reason why only the first words of its lines are compared)
FIRST_WORDS = [
    ("docs/detecting.md", "winnow backends", "tells what the machine has"),
    ("docs/detecting.md", "winnow bench", "tells how fast the machine is"),
]

# (document or "" for all, a pattern, the reason why both sides may differ where it fits)
MAY_DIFFER = [
    ("", r"\d+\.\d+ s, \d+\.\d+ (pictures|frames)/s", "time"),
    ("docs/evaluation.md", r" +\d+\.\d\d$", "the column of seconds"),
    ("docs/training.md", r" +(\d+ s|\d+:\d+ min|\d+:\d+:\d+ h)$", "the column of time"),
    ("docs/training-points.md", r" +(\d+ s|\d+:\d+ min|\d+:\d+:\d+ h)$", "the column of time"),
    ("docs/training-data.md", r"\d+\.\d+ MB", "the size of made pictures"),
]

# (document, language of blocks, the program that runs them)
RUN_ELSEWHERE = [
    *((f"docs/library/{page}.md", "cpp", "tests/examples") for page in
      ("batches", "build", "errors", "flow", "guarantees", "inputs", "models", "pictures", "training")),
    ("docs/tracking.md", "cpp", "tests/examples"),
    ("docs/library/build.md", "cmake", "tools/install_test.sh"),
    ("docs/python.md", "python", "python/tests/test_documents.py"),
]

// Runs `winnow detect` and `winnow faces`.
#include <utility>

#include "commands.h"
#include "detecting/detect_arguments.h"
#include "detecting/detect_run.h"
#include "terminal/arguments.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Examples:\n"
    "  winnow detect group.jpg\n"
    "  winnow detect -m haarcascade_frontalface_alt --out blurred --blur --recursive photos/\n"
    "  winnow detect -m lbpcascade_frontalface --every 5 --format csv walk.mp4 > walk.csv\n"
    "  ffmpeg -i walk.mp4 -f image2pipe -c:v ppm - | winnow detect -m lbpcascade_frontalface -\n"
    "\n"
    "One line of JSON per picture or frame goes to standard output; progress and problems go to standard\n"
    "error.\n"
    "Exit code: 0 done, 1 an input could not be read or an output not be written, 2 bad usage,\n"
    "130 stopped by Ctrl-C.";

constexpr const char* kFacesExamples =
    "Examples:\n"
    "  winnow faces group.jpg\n"
    "  winnow faces --points 5 --out marked walk.mp4 > walk.jsonl\n"
    "  winnow faces --blur --out safe walk.mp4\n"
    "  winnow faces --smooth 1 --format csv /dev/video0\n"
    "  winnow faces --landmarks /usr/share/dlib/shape_predictor_68_face_landmarks.dat group.jpg\n"
    "\n"
    "One line of JSON per picture or frame goes to standard output: boxes, and the points of each face as\n"
    "[x, y, confidence]. A confidence is null if the landmarks have none. Faces of videos, cameras and\n"
    "streams also have an id, from 1 in each input, and a state: found, tracked or lost. An id is no\n"
    "person's: a face that returns after --gap frames has another. face-68 and face-5 are for "
    "non-commercial\n"
    "research, and so is dlib's 68-point file in Debian's package libdlib-data.\n"
    "Exit code: 0 done, 1 an input could not be read or an output not be written, 2 bad usage,\n"
    "130 stopped by Ctrl-C.";

int run(const Arguments& arguments, bool faces) {
  const std::string name = faces ? "winnow faces" : "winnow detect";
  CLI::App app(
      faces ? "Marks the points of faces in pictures and videos." : "Finds objects in pictures and videos.",
      name);
  app.footer(faces ? kFacesExamples : kExamples);
  DetectArguments args;
  add_detect_options(app, args, faces);
  CLI::App other("", "winnow faces");
  DetectArguments unused;
  if (!faces) add_detect_options(other, unused, true);
  if (!parse_arguments(app, arguments, faces ? nullptr : &other)) return kExitDone;

  DetectJob job = checked_job(args);
  find_models(args, faces, name, job);
  std::vector<Input> inputs = list_inputs(args, job);
  return run_detect(job, std::move(inputs));
}

}  // namespace

int detect_command(const Arguments& arguments) { return run(arguments, false); }
int faces_command(const Arguments& arguments) { return run(arguments, true); }

}  // namespace winnow::cli

// winnow_following: measures followed faces, their points and their covers, on videos that the program makes
// and on real videos.
//
//   winnow_following [--data DIR] [--videos FILE[@N]...] [--backend cpu]
//                    [--tables numbers trembling points still moved made marked needless margin]
//                    [--results FILE.json --device NAME --commit HASH]
#include <winnow/backend.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

#include "cover_tables.h"
#include "follow_tables.h"
#include "point_tables.h"
#include "results_file.h"

namespace {

struct Settings {
  std::string data = "../shared/data", backend = "cpu",
              dlib = "/usr/share/dlib/shape_predictor_68_face_landmarks.dat";
  std::vector<std::string> tables = {"numbers", "trembling", "points",   "still", "moved",
                                     "made",    "marked",    "needless", "margin"},
                           marked = {"jumping", "david"}, videos;
  int threads = 1, numbers = 5, helen = 6, moved = 12, seeds = 2, pans = 100;
  bench::ResultOptions out;
};

bench::ResultList points_in_videos(const Settings& settings,
                                   const std::vector<bench::NamedLandmarks>& landmarks,
                                   const winnow::MachineOptions& machine) {
  std::vector<bench::VideoName> videos;
  for (const char* name : {"david", "jumping"})
    videos.push_back({settings.data + "/tracks/" + name + "/" + name + ".mpg"});
  std::string command = "winnow_following --tables points";
  if (!settings.videos.empty()) command += " --videos";
  for (const std::string& text : settings.videos) {
    videos.push_back(bench::parse_video(text));
    command += " " + bench::short_name(videos.back());
  }
  return bench::points_in_videos(videos, landmarks, machine, command);
}

void run(const Settings& settings) {
  const winnow::MachineOptions machine{winnow::parse_backend(settings.backend), settings.threads, {0}};
  const auto wants = [&](const char* table) {
    return std::find(settings.tables.begin(), settings.tables.end(), table) != settings.tables.end();
  };
  const auto write = [&](const std::vector<bench::ResultList>& lists) {
    for (const bench::ResultList& list : lists) bench::print_results(list);
    if (settings.out.file.empty()) return;
    const std::string device = settings.out.device.empty() ? bench::host_in_words() : settings.out.device;
    bench::write_results(
        settings.out.file,
        {"Followed faces, and their covers",
         "Faces of a video keep their numbers, and covers hide them in every frame. No figure is "
         "a time, so the processor does not matter.",
         device, settings.out.commit},
        lists);
  };
  if (wants("numbers")) write({bench::changed_numbers(settings.data, machine, settings.numbers)});
  if (wants("trembling")) write({bench::trembling(settings.data, machine, settings.helen)});
  if (wants("points") || wants("still") || wants("moved")) {
    const std::vector<bench::NamedLandmarks> landmarks = bench::landmarks_of_68_points(settings.dlib);
    if (wants("points")) write({points_in_videos(settings, landmarks, machine)});
    if (wants("still")) write({bench::still_points(settings.data, landmarks, machine, settings.helen)});
    if (wants("moved")) write(bench::moved_points(settings.data, landmarks, machine, settings.moved));
  }
  if (wants("made")) write(bench::made_covers(settings.data, machine, settings.seeds));
  if (wants("needless")) write({bench::needless_covers(settings.data, machine, settings.pans)});
  if (wants("margin")) write({bench::cover_margins(settings.data, machine)});
  if (wants("marked")) write({bench::marked_covers(settings.data, machine, settings.marked)});
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Measures followed faces and their covers.");
  Settings settings;
  app.add_option("--data", settings.data, "the folder with faces, scenes and tracks");
  app.add_option("--tables", settings.tables,
                 "numbers, trembling, points, still, moved, made, needless, margin, marked");
  app.add_option("--videos", settings.videos,
                 "more videos for the table of points; FILE@3 enlarges the frames of FILE by 3");
  app.add_option("--dlib", settings.dlib, "dlib's file of 68 points");
  app.add_option("--marked", settings.marked, "videos of tracks/ with a marked face");
  app.add_option("--numbers", settings.numbers, "videos of five faces")->check(CLI::PositiveNumber);
  app.add_option("--helen", settings.helen, "faces that tremble")->check(CLI::PositiveNumber);
  app.add_option("--moved", settings.moved, "faces that move in a known way")->check(CLI::PositiveNumber);
  app.add_option("--seeds", settings.seeds, "videos of each kind of hiding")->check(CLI::PositiveNumber);
  app.add_option("--pans", settings.pans, "videos without faces")->check(CLI::PositiveNumber);
  app.add_option("--backend", settings.backend, "the backend");
  app.add_option("--threads", settings.threads, "threads");
  app.add_option("--results", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    if (!std::filesystem::is_directory(settings.data + "/tracks")) {
      std::printf("winnow_following: skipped, since %s/tracks is not there\n", settings.data.c_str());
      return 0;
    }
    run(settings);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_following: %s\n", error.what());
    return 1;
  }
  return 0;
}

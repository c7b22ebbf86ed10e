// winnow_landmarks_versus_dlib: times fits of landmarks beside dlib's predictor, on one thread, and says how
// far apart the points lie. The pictures, the boxes and dlib's file of 68 points are the same for both.
//
//   winnow_landmarks_versus_dlib [PICTURES] [--model shape_predictor_68_face_landmarks.dat] [--rounds 15]
//                                [--out FILE.json --device NAME --commit HASH]
//
// The rivals take turns: in a round each fits every face, one face a call. Without PICTURES, the folder
// faces/helen-train in WINNOW_DATA is used.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>

#include "landmarks/dlib_fit.h"
#include "pairs.h"
#include "picture_files.h"
#include "results_file.h"

namespace {

using winnow::Box;

struct Settings {
  std::string pictures, model = bench::kDebianModel, own = "built-in:face-68", detector = "built-in:face";
  std::size_t most = 100;
  int rounds = 15;
  bench::ResultOptions out;
};

// `found` is the box of the detector, and `placed` the box that suits dlib's file.
struct Face {
  winnow::GrayImage picture;
  dlib::array2d<unsigned char> copy;  // the picture as dlib takes it
  Box found, placed;
};

std::string read_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in)
    throw std::runtime_error(path + ": cannot be read; install libdlib-data, or name a file by --model");
  return {std::istreambuf_iterator<char>(in), {}};
}

// Places a square box of the detector, and rounds it to whole pixels.
Box placed_box(const Box& box, const winnow::BoxPlace& place) {
  const double side = box.width - 1, smaller = side * (1 - place.scale) / 2;
  const auto whole = [](double value) { return static_cast<int>(std::lround(value)); };
  const int placed = whole(side * place.scale) + 1;
  return {whole(box.x + side * place.right + smaller), whole(box.y + side * place.down + smaller), placed,
          placed};
}

// The widest face of each picture.
std::vector<Face> read_faces(const Settings& settings, const winnow::BoxPlace& place) {
  winnow::Detector detector(winnow::DetectorModel::load(settings.detector),
                            {winnow::BackendKind::kCpu, 1, {0}});
  std::vector<Face> faces;
  for (const std::string& path : bench::spread_pictures(settings.pictures, settings.most)) {
    winnow::Picture picture = winnow::read_picture(path);
    Box widest;
    for (const winnow::Detection& object : detector.detect(picture.gray.view()).objects)
      if (object.box.width > widest.width) widest = object.box;
    if (widest.width == 0) continue;
    Face& face = faces.emplace_back();
    face.found = widest;
    face.placed = placed_box(widest, place);
    face.copy = bench::dlib_picture(picture.gray.view());
    face.picture = std::move(picture.gray);
  }
  if (faces.empty()) throw std::runtime_error(settings.pictures + ": no faces are found in its pictures");
  return faces;
}

// How Winnow's points differ from dlib's points before rounding.
struct Distance {
  std::size_t equal = 0;          // faces whose points are equal to the bit
  double furthest = 0, mean = 0;  // pixels
};

Distance distance_of(winnow::Landmarker& landmarker, const bench::DlibLists& lists,
                     const std::vector<Face>& faces) {
  Distance distance;
  for (const Face& face : faces) {
    const auto theirs = bench::dlib_shape(lists, face.copy, bench::dlib_box(face.placed));
    const winnow::Shape ours = landmarker.fit(face.picture.view(), {&face.placed, 1})[0];
    bool same = true;
    for (std::size_t i = 0; i < ours.points.size(); ++i) {
      const winnow::LandmarkPoint got = ours.points[i],
                                  wanted = bench::dlib_point(theirs, static_cast<long>(i), face.placed);
      same = same && got == wanted;
      const double pixels = std::hypot(got.x - wanted.x, got.y - wanted.y);
      distance.furthest = std::max(distance.furthest, pixels);
      distance.mean += pixels / static_cast<double>(faces.size() * ours.points.size());
    }
    distance.equal += same;
  }
  return distance;
}

struct Rival {
  std::string model, program;
  std::function<void(const Face&)> fit;
  std::vector<double> times = {};  // milliseconds of each round
};

// The rivals begin one after the other, and another one is first in each round.
void time_rounds(std::vector<Rival>& rivals, const std::vector<Face>& faces, int rounds) {
  for (int round = -1; round < rounds; ++round) {
    for (std::size_t i = 0; i < rivals.size(); ++i) {
      Rival& rival = rivals[(i + static_cast<std::size_t>(round + 1)) % rivals.size()];
      const double ms = bench::processor_milliseconds([&] {
        for (const Face& face : faces) rival.fit(face);
      });
      if (round >= 0) rival.times.push_back(ms);
    }
  }
}

double median_ratio(const std::vector<double>& theirs, const std::vector<double>& ours) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.size(); ++i) ratios.push_back(theirs[i] / ours[i]);
  return bench::median(std::move(ratios));
}

bench::ResultList compare(const Settings& settings) {
  const std::string bytes = read_bytes(settings.model);
  const winnow::Landmarks model =
      winnow::Landmarks::parse(std::as_bytes(std::span(bytes.data(), bytes.size())), settings.model);
  const std::vector<Face> faces = read_faces(settings, model.for_face_boxes().model().place);
  const winnow::MachineOptions machine{winnow::BackendKind::kCpu, 1, {0}};
  winnow::Landmarker same(model, machine), small(model.with_16_bits(), machine),
      own(winnow::Landmarks::load(settings.own), machine);
  dlib::shape_predictor predictor;
  std::istringstream in(bytes);
  dlib::deserialize(predictor, in);
  std::vector<winnow::Shape> shapes;
  const auto fit = [&](winnow::Landmarker& landmarker, Box Face::*box) {
    return [&, box](const Face& face) { landmarker.fit(face.picture.view(), {&(face.*box), 1}, shapes); };
  };
  const std::string file = std::filesystem::path(settings.model).stem().string();
  volatile long kept = 0;
  std::vector<Rival> rivals = {
      {file, "dlib",
       [&](const Face& face) { kept = predictor(face.copy, bench::dlib_box(face.placed)).part(0).x(); }},
      {file, "Winnow", fit(same, &Face::placed)},
      {file + ", 16 bits", "Winnow", fit(small, &Face::placed)},
      {own.model().name(), "Winnow", fit(own, &Face::found)}};
  time_rounds(rivals, faces, settings.rounds);
  const bench::DlibLists lists = bench::read_dlib_lists(bytes);
  const Distance distances[] = {distance_of(same, lists, faces), distance_of(small, lists, faces)};
  bench::ResultList list{
      "landmarks_versus_dlib",
      "Fits of landmarks beside dlib",
      "fits a second",
      "winnow_landmarks_versus_dlib " + std::filesystem::path(settings.pictures).filename().string(),
      std::to_string(faces.size()) +
          " faces, each in its own picture, one face a call, one thread. `face` finds the boxes. "
          "The boxes of dlib's file are placed for dlib. Both programs get the same boxes. "
          "Times are processor time: medians of " +
          std::to_string(settings.rounds) +
          " rounds in which the programs take turns. The ratio is the median of the rounds' ratios. "
          "dlib's predictor is compiled for the processor that runs it (-march=native). "
          "Winnow's library chooses its instructions at run time. "
          "Points are compared before dlib rounds them to whole pixels.",
      {"model", "program", "rate", "us", "ratio", "equal", "distance", "furthest"},
      {{"model", "model"}, {"program", "program"}},
      {{"rate", "fits a second", 0},
       {"us", "microseconds a fit", 0},
       {"ratio", "times as fast as dlib", 2},
       {"equal", "faces with dlib's bits", 0},
       {"distance", "mean distance, pixels", 3},
       {"furthest", "furthest point, pixels", 3}}};
  for (std::size_t i = 0; i < rivals.size(); ++i) {
    const double us = 1e3 * bench::median(rivals[i].times) / static_cast<double>(faces.size());
    nlohmann::ordered_json row{rivals[i].model, rivals[i].program, 1e6 / us, us,
                               nullptr,         nullptr,           nullptr,  nullptr};
    if (i > 0) row[4] = median_ratio(rivals[0].times, rivals[i].times);
    if (i == 1 || i == 2) {
      row[5] = distances[i - 1].equal;
      row[6] = distances[i - 1].mean;
      row[7] = distances[i - 1].furthest;
    }
    list.rows.push_back(std::move(row));
  }
  return list;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Times fits of landmarks beside dlib.");
  Settings settings;
  app.add_option("PICTURES", settings.pictures, "a folder of pictures (faces/helen-train in WINNOW_DATA)");
  app.add_option("--model", settings.model, "dlib's file of points");
  app.add_option("--own", settings.own, "Winnow's landmarks for boxes of the detector");
  app.add_option("--detector", settings.detector, "the detector that finds the boxes");
  app.add_option("--most", settings.most, "use at most so many of the pictures")->check(CLI::PositiveNumber);
  app.add_option("--rounds", settings.rounds, "timed rounds")->check(CLI::PositiveNumber);
  app.add_option("--out", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    const char* data = std::getenv("WINNOW_DATA");
    if (settings.pictures.empty() && data != nullptr)
      settings.pictures = (std::filesystem::path(data) / "faces" / "helen-train").string();
    if (settings.pictures.empty()) throw std::runtime_error("name a folder of pictures, or set WINNOW_DATA");
    const bench::ResultList list = compare(settings);
    bench::print_results(list);
    const std::string device = settings.out.device.empty() ? bench::host_in_words() : settings.out.device;
    if (!settings.out.file.empty())
      bench::write_results(settings.out.file,
                           {"Points of faces beside dlib",
                            "dlib marks points by the same method, and Winnow reads dlib's file.", device,
                            settings.out.commit},
                           {list});
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_landmarks_versus_dlib: %s\n", error.what());
    return 1;
  }
  return 0;
}

// winnow_conformance: the same cascades and pictures through two backends; objects, scores, neighbours and
// counters must be equal, alone and in batches. The last line is "N passed, N failed"; the exit status is 1
// on any difference.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace winnow;

struct Job {
  std::string wanted = "cpu", got = "cuda", models = "*", sizes, batches = "1,7,64";
  std::vector<std::string> pictures;
  std::vector<int> devices = {0};
};

// Every pixel of a picture of any size comes from the pictures given: they are laid side by side, and begin
// elsewhere for each `start`.
GrayImage mosaic(const std::vector<Picture>& pictures, Size size, std::size_t start) {
  GrayImage image(size.width, size.height);
  if (pictures.empty()) {  // blocks and noise from a small generator
    std::uint32_t state = static_cast<std::uint32_t>(start) * 2654435761u + 1;
    for (int y = 0; y < size.height; ++y) {
      for (int x = 0; x < size.width; ++x) {
        state = state * 1664525u + 1013904223u;
        image.row(y)[x] = static_cast<std::uint8_t>(
            ((x / 9 * 7 + y / 11 * 13 + static_cast<int>(start)) * 37 & 191) + (state >> 26));
      }
    }
    return image;
  }
  std::size_t next = start;
  for (int top = 0; top < size.height;) {
    int lowest = size.height;
    for (int left = 0; left < size.width;) {
      const GrayView from = pictures[next++ % pictures.size()].gray.view();
      for (int y = 0; y < from.height && top + y < size.height; ++y) {
        const int count = std::min(from.width, size.width - left);
        std::copy_n(from.row(y), count, image.row(top + y) + left);
      }
      lowest = std::min(lowest, top + from.height);
      left += from.width;
    }
    top = lowest;
  }
  return image;
}

std::vector<int> numbers(const std::string& text) {
  std::vector<int> list;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) list.push_back(std::stoi(part));
  return list;
}

std::vector<Size> sizes(const std::string& text) {
  std::vector<Size> list;
  std::stringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) {
    Size size;
    if (std::sscanf(part.c_str(), "%dx%d", &size.width, &size.height) != 2)
      throw Error(ErrorCode::kUsage, "a size is WxH");
    list.push_back(size);
  }
  return list;
}

std::string difference(const Detections& wanted, const Detections& got) {
  const Counters &a = wanted.counters, &b = got.counters;
  const auto text = [](const char* what, std::int64_t x, std::int64_t y) {
    return std::string(what) + ": " + std::to_string(x) + ", got " + std::to_string(y);
  };
  if (a.windows != b.windows) return text("windows", a.windows, b.windows);
  if (a.skipped != b.skipped) return text("skipped", a.skipped, b.skipped);
  if (a.flat != b.flat) return text("flat", a.flat, b.flat);
  for (std::size_t s = 0; s < a.reached.size() && s < b.reached.size(); ++s) {
    if (a.reached[s] != b.reached[s])
      return text(("reached stage " + std::to_string(s)).c_str(), a.reached[s], b.reached[s]);
  }
  if (a.reached.size() != b.reached.size()) return "the number of stages";
  if (wanted.objects.size() != got.objects.size())
    return text("objects", static_cast<std::int64_t>(wanted.objects.size()),
                static_cast<std::int64_t>(got.objects.size()));
  for (std::size_t i = 0; i < wanted.objects.size(); ++i) {
    if (!(wanted.objects[i] == got.objects[i])) return "object " + std::to_string(i);
  }
  return {};
}

struct Tally {
  long passed = 0, failed = 0;
  std::int64_t windows = 0, objects = 0;
};

void compare(const std::vector<Detections>& wanted, const std::vector<Detections>& got,
             const std::string& about, Tally& tally) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::string what = i < got.size() ? difference(wanted[i], got[i]) : "no answer";
    tally.windows += wanted[i].counters.windows;
    tally.objects += static_cast<std::int64_t>(wanted[i].objects.size());
    if (what.empty()) {
      ++tally.passed;
      continue;
    }
    if (++tally.failed <= 20) std::printf("DIFFERENT %s, picture %zu: %s\n", about.c_str(), i, what.c_str());
  }
}

void check_model(const Job& job, const std::string& path, const std::vector<GrayView>& views, Tally& tally) {
  const Cascade cascade = Cascade::load(path);
  DetectorOptions wanted_options, got_options;
  wanted_options.backend = parse_backend(job.wanted);
  got_options.backend = parse_backend(job.got);
  got_options.devices = job.devices;
  Detector wanted(cascade, wanted_options), got(cascade, got_options);
  for (const bool raw : {false, true}) {
    DetectOptions options;
    options.raw = raw;
    options.min_neighbors = 2;
    std::vector<Detections> right, answer;
    wanted.detect(views, options, right);
    for (const int batch : numbers(job.batches)) {
      answer.assign(views.size(), {});
      for (std::size_t first = 0; first < views.size(); first += static_cast<std::size_t>(batch)) {
        const std::size_t count = std::min(views.size() - first, static_cast<std::size_t>(batch));
        std::vector<Detections> part;
        got.detect(std::span(views).subspan(first, count), options, part);
        std::move(part.begin(), part.end(), answer.begin() + static_cast<std::ptrdiff_t>(first));
      }
      compare(right, answer, cascade.name() + ", batches of " + std::to_string(batch) + (raw ? ", raw" : ""),
              tally);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  Job job;
  CLI::App app(
      "Compares two backends.\nExample: winnow_conformance --wanted cpu --got cuda --sizes 97x75,3840x2160 "
      "*.jpg");
  app.add_option("--wanted", job.wanted, "the backend that is right (cpu)");
  app.add_option("--got", job.got, "the backend that is judged (cuda)");
  app.add_option("--device", job.devices, "the devices of the second")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--models", job.models, "files of cascades, or one name (*: all that are installed)");
  app.add_option("--sizes", job.sizes, "pictures of these sizes, made of the given ones: WxH,WxH");
  app.add_option("--batches", job.batches, "pictures a call (1,7,64)");
  app.add_option("PICTURE", job.pictures, "pictures");
  CLI11_PARSE(app, argc, argv);
  try {
    const auto start = std::chrono::steady_clock::now();
    std::vector<std::string> models;
    if (job.models != "*") {
      models.push_back(resolve_model(job.models));
    } else {
      for (const ModelEntry& entry : find_models()) models.push_back(entry.path);
    }
    std::vector<Picture> pictures;
    for (const std::string& name : job.pictures) pictures.push_back(read_picture(name));
    std::vector<GrayImage> made;
    for (const Size& size : sizes(job.sizes)) {
      for (std::size_t i = 0; i < (pictures.empty() ? 9 : 2); ++i)
        made.push_back(mosaic(pictures, size, i * 5));
    }
    std::vector<GrayView> views;
    for (const Picture& picture : pictures) views.push_back(picture.gray.view());
    for (const GrayImage& image : made) views.push_back(image.view());
    Tally tally;
    for (const std::string& path : models) {
      const Tally before = tally;
      check_model(job, path, views, tally);
      std::printf("%-60s %6ld passed %4ld failed\n", path.c_str(), tally.passed - before.passed,
                  tally.failed - before.failed);
      std::fflush(stdout);
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    std::printf("%s against %s: %lld windows, %lld objects, %zu pictures, %.0f s\n", job.got.c_str(),
                job.wanted.c_str(), static_cast<long long>(tally.windows),
                static_cast<long long>(tally.objects), views.size(), spent.count());
    std::printf("%ld passed, %ld failed\n", tally.passed, tally.failed);
    return tally.failed > 0 || tally.passed == 0 ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_conformance: %s\n", error.what());
    return 1;
  }
}

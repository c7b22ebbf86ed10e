#include "check.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <iterator>

namespace conformance {
namespace {

using namespace winnow;

constexpr long kShown = 20;  // largest number of differences to print

std::string describe(const Detection& object) {
  char text[120];
  std::snprintf(text, sizeof text, "%dx%d at %d,%d, %d neighbours, score %.17g", object.box.width,
                object.box.height, object.box.x, object.box.y, object.neighbors, object.score);
  return text;
}

// The first difference of two answers; empty if they are equal.
std::string difference(const Detections& wanted, const Detections& got) {
  const Counters &a = wanted.counters, &b = got.counters;
  const auto text = [](const std::string& what, std::int64_t x, std::int64_t y) {
    return what + ": " + std::to_string(x) + ", got " + std::to_string(y);
  };
  if (a.windows != b.windows) return text("windows", a.windows, b.windows);
  if (a.skipped != b.skipped) return text("skipped", a.skipped, b.skipped);
  if (a.flat != b.flat) return text("flat", a.flat, b.flat);
  for (std::size_t s = 0; s < a.reached.size() && s < b.reached.size(); ++s)
    if (a.reached[s] != b.reached[s])
      return text("reached stage " + std::to_string(s), a.reached[s], b.reached[s]);
  if (a.reached.size() != b.reached.size()) return "the number of stages";
  if (wanted.objects.size() != got.objects.size())
    return text("objects", std::ssize(wanted.objects), std::ssize(got.objects));
  for (std::size_t i = 0; i < wanted.objects.size(); ++i) {
    const Detection &x = wanted.objects[i], &y = got.objects[i];
    if (!(x == y) || std::bit_cast<std::int64_t>(x.score) != std::bit_cast<std::int64_t>(y.score))
      return "object " + std::to_string(i) + ": " + describe(x) + "; got " + describe(y);
  }
  return {};
}

}  // namespace

void Check::judge(const Backends& backends, const Hashes* hashes, Tally& tally) {
  Detector got(cascade_, {.backend = parse_backend(backends.got), .threads = 0, .devices = backends.devices});
  for (const bool raw : {false, true}) {
    std::vector<Detections> right;
    if (hashes == nullptr) {
      right = ask_all(wanted(), raw, pictures_.size());
    } else if (const long missing = without_hash(*hashes, raw); missing > 0) {
      std::printf("NO HASH of %s%s: %ld of %zu answers\n", cascade_.name().c_str(), raw ? ", raw" : "",
                  missing, pictures_.size());
      tally.failed += missing;
      if (missing == std::ssize(pictures_)) continue;
    }
    for (const int batch : backends.batches) {
      const std::vector<Detections> answers = ask_all(got, raw, static_cast<std::size_t>(batch));
      for (std::size_t i = 0; i < pictures_.size(); ++i) {
        const NamedPicture& picture = pictures_[i];
        std::string what;
        if (hashes == nullptr) {
          what = difference(right[i], answers[i]);
        } else {
          const auto hash = hashes->find(key(picture, raw));
          if (!hash) continue;
          if (*hash != hash_of(answers[i]))
            what = tally.shown < kShown ? explain(*hash, picture, raw, answers[i]) : "another hash";
        }
        tally.windows += answers[i].counters.windows;
        tally.objects += std::ssize(answers[i].objects);
        if (!what.empty() && tally.shown++ < kShown)
          std::printf("DIFFERENT %s, batches of %d%s, %s of %dx%d: %s\n", cascade_.name().c_str(), batch,
                      raw ? ", raw" : "", picture.name.c_str(), picture.gray.width(), picture.gray.height(),
                      what.c_str());
        ++(what.empty() ? tally.passed : tally.failed);
      }
    }
  }
}

long Check::write(Hashes& file) {
  long added = 0;
  for (const bool raw : {false, true}) {
    for (const NamedPicture& picture : pictures_) {
      if (file.find(key(picture, raw))) continue;
      file.add(key(picture, raw), hash_of(ask_wanted(picture, raw)));
      ++added;
    }
  }
  return added;
}

DetectOptions Check::options(const NamedPicture& picture, bool raw) const {
  DetectOptions options;
  options.raw = raw;
  options.min_neighbors = making_.min_neighbors;
  const double pixels = static_cast<double>(picture.gray.width()) * picture.gray.height();
  const auto limit = static_cast<double>(making_.pixels);
  if (limit > 0 && pixels > limit) {
    const double factor = std::sqrt(pixels / limit);
    const Size window = cascade_.window();
    options.min_size = {static_cast<int>(std::lround(window.width * factor)),
                        static_cast<int>(std::lround(window.height * factor))};
  }
  return options;
}

// Searches all pictures. A call takes up to `batch` pictures that follow one another and have equal options.
std::vector<Detections> Check::ask_all(Detector& detector, bool raw, std::size_t batch) const {
  std::vector<Detections> answers;
  while (answers.size() < pictures_.size()) {
    const DetectOptions first = options(pictures_[answers.size()], raw);
    std::vector<GrayView> views;
    for (std::size_t i = answers.size(); i < pictures_.size() && views.size() < batch; ++i) {
      if (options(pictures_[i], raw).min_size != first.min_size) break;
      views.push_back(pictures_[i].gray.view());
    }
    std::vector<Detections> found;
    detector.detect(views, first, found);
    std::ranges::move(found, std::back_inserter(answers));
  }
  return answers;
}

Detector& Check::wanted() {
  if (!wanted_)
    wanted_.emplace(cascade_,
                    MachineOptions{.backend = parse_backend(making_.wanted), .threads = 0, .devices = {0}});
  return *wanted_;
}

Detections Check::ask_wanted(const NamedPicture& picture, bool raw) {
  return wanted().detect(picture.gray.view(), options(picture, raw));
}

std::string Check::key(const NamedPicture& picture, bool raw) const {
  return Hashes::key(cascade_.name(), raw, picture.name, picture.pixels);
}

long Check::without_hash(const Hashes& hashes, bool raw) const {
  return std::ranges::count_if(pictures_, [&](const NamedPicture& p) { return !hashes.find(key(p, raw)); });
}

// Says where an answer differs. A hash does not show this, so the wanted backend searches the picture again.
std::string Check::explain(std::uint64_t hash, const NamedPicture& picture, bool raw,
                           const Detections& answer) {
  const Detections right = ask_wanted(picture, raw);
  const std::string what = difference(right, answer);
  if (what.empty())
    return "the hash differs, but " + making_.wanted +
           " asked here agrees: the hash is wrong, or was made by another " + making_.wanted;
  if (hash_of(right) == hash) return what;
  return what + " (and " + making_.wanted + " asked here differs from the hash too)";
}

}  // namespace conformance

// winnow_conformance: runs the same cascades and pictures through two backends and compares the answers.
// Objects, scores, neighbours and counters must be equal, for single pictures and for batches. The answers of
// one backend may also be written as hashes, which judge the other backend on another machine. The last line
// is "N passed, N failed". The exit status is 1 on any difference.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "check.h"
#include "hashes.h"
#include "pictures.h"

namespace {

using namespace winnow;
using namespace conformance;

struct Job {
  std::string models = "*", write, hashes, share = "1/1";
  Making making;
  Backends backends;
  std::vector<std::string> files;
};

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list;
  std::stringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) list.push_back(word);
  return list;
}

// The paths of the named cascades, in that order. "*" stands for all cascades that were not named before.
std::vector<std::string> model_paths(const std::string& names) {
  std::vector<std::string> paths;
  const auto add = [&](const std::string& path) {
    if (std::ranges::find(paths, path) == paths.end()) paths.push_back(path);
  };
  for (const std::string& name : words(names)) {
    if (name != "*") {
      add(resolve_model(name));
    } else {
      for (const ModelEntry& entry : find_models()) {
        if (Model::load(entry.path).kind() == "cascade") add(entry.path);
      }
    }
  }
  return paths;
}

// For "I/N": every N-th name, beginning with the I-th.
std::vector<std::string> share_of(const std::vector<std::string>& all, const std::string& text) {
  std::size_t first = 0, step = 0;
  char rest;
  if (std::sscanf(text.c_str(), "%zu/%zu%c", &first, &step, &rest) != 2 || first < 1 || first > step)
    throw Error(ErrorCode::kUsage, "--part takes I/N with 1 <= I <= N, not " + text);
  std::vector<std::string> share;
  for (std::size_t i = first - 1; i < all.size(); i += step) share.push_back(all[i]);
  return share;
}

void write_all(const Job& job, const std::vector<std::string>& models,
               const std::vector<NamedPicture>& pictures) {
  Hashes file = Hashes::open(job.write, job.making);
  long added = 0;
  for (const std::string& path : models) {
    const long more = Check(path, job.making, pictures).write(file);
    std::printf("%-60s %6ld written %4ld were there\n", path.c_str(), more,
                2 * static_cast<long>(pictures.size()) - more);
    std::fflush(stdout);
    added += more;
  }
  std::printf("%ld written, %zu in all in %s\n", added, file.count(), job.write.c_str());
}

Tally judge_all(const Job& job, const std::vector<std::string>& models,
                const std::vector<NamedPicture>& pictures, const Hashes* hashes) {
  Tally tally;
  for (const std::string& path : models) {
    const Tally before = tally;
    Check(path, job.making, pictures).judge(job.backends, hashes, tally);
    std::printf("%-60s %6ld passed %4ld failed\n", path.c_str(), tally.passed - before.passed,
                tally.failed - before.failed);
    std::fflush(stdout);
  }
  return tally;
}

void add_options(CLI::App& app, Job& job) {
  CLI::Option* wanted = app.add_option("--wanted", job.making.wanted, "the backend that is right (cpu)");
  app.add_option("--got", job.backends.got, "the backend that is judged (cuda)");
  app.add_option("--device", job.backends.devices, "the devices of the second")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_option("--models", job.models, "names or files of cascades: A,B; *: all others that are installed");
  CLI::Option* sizes =
      app.add_option("--sizes", job.making.sizes, "pictures of these sizes, made of the given ones: WxH,WxH");
  app.add_option("--batches", job.backends.batches, "pictures a call (1,7,64)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::PositiveNumber);
  CLI::Option* pixels =
      app.add_option("--pixels", job.making.pixels,
                     "P: a picture of more pixels gets a minimum size, the cascade's window times "
                     "sqrt(pixels / P), so that it costs about what one of P pixels does; 0: none does");
  pixels->check(CLI::NonNegativeNumber);
  app.add_option("--part", job.share,
                 "I/N: every N-th model from the I-th on, to share the work among processes, which may "
                 "write one FILE");
  CLI::Option* write = app.add_option("--write", job.write,
                                      "FILE: write hashes of what the first backend answers, and judge none; "
                                      "goes on where FILE ends");
  CLI::Option* hashes = app.add_option(
      "--hashes", job.hashes,
      "FILE: judge by its hashes, made with its --wanted, --pixels and --sizes; the first backend "
      "is asked only where they differ");
  for (CLI::Option* of_the_file : {wanted, sizes, pixels, write}) hashes->excludes(of_the_file);
  app.add_option("PICTURE", job.files, "pictures");
}

}  // namespace

int main(int argc, char** argv) {
  Job job;
  CLI::App app(
      "Compares two backends.\n"
      "Example: winnow_conformance --wanted cpu --got cuda --sizes 97x75,3840x2160 *.jpg\n"
      "Or, in two places: winnow_conformance --wanted reference --write hashes.txt *.jpg\n"
      "                   winnow_conformance --got cuda --hashes hashes.txt *.jpg");
  add_options(app, job);
  CLI11_PARSE(app, argc, argv);
  try {
    const auto start = std::chrono::steady_clock::now();
    std::optional<Hashes> hashes;
    if (!job.hashes.empty()) {
      hashes = Hashes::read(job.hashes);
      job.making = hashes->making();
    }
    const std::vector<std::string> models = share_of(model_paths(job.models), job.share);
    const std::vector<NamedPicture> pictures = read_pictures(job.files, job.making.sizes);
    if (!job.write.empty()) {
      write_all(job, models, pictures);
      return 0;
    }
    const Tally tally = judge_all(job, models, pictures, hashes ? &*hashes : nullptr);
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    std::printf("%s against %s%s: %lld windows, %lld objects, %zu pictures, %.0f s\n",
                job.backends.got.c_str(), hashes ? "hashes of " : "", job.making.wanted.c_str(),
                static_cast<long long>(tally.windows), static_cast<long long>(tally.objects), pictures.size(),
                spent.count());
    std::printf("%ld passed, %ld failed\n", tally.passed, tally.failed);
    return tally.failed > 0 || tally.passed == 0 ? 1 : 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_conformance: %s\n", error.what());
    return 1;
  }
}

// Runs `winnow bench`: measures the time from decoded pictures to objects, and prints one JSON object. The
// opening comment of cli/commands.h, which declares this, holds here.
#include <winnow/detector.h>
#include <winnow/error.h>
#include <winnow/feed.h>
#include <winnow/image.h>
#include <winnow/pinned.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "commands.h"
#include "search_arguments.h"
#include "terminal/arguments.h"
#include "terminal/standard_output.h"

namespace winnow::cli {
namespace {

constexpr const char* kExamples =
    "Example:\n"
    "  winnow bench -m haarcascade_frontalface_alt --threads 1 --repeat 20 --min-size 24x24 group.jpg\n"
    "\n"
    "Each measurement searches all pictures. Times are milliseconds per picture; counters are sums over the\n"
    "pictures. A search before the first measurement is not counted. --batch N gives N pictures to each\n"
    "call, and starts again from the first picture if there are fewer.";

struct BenchJob {
  std::string model = "face";
  SearchArguments search;
  std::vector<std::string> images;
  MachineOptions detector;
  DetectOptions options;
  int batch = 1, repeat = 10;
  bool pinned = false;
};

struct Totals {
  Counters counters;
  std::size_t objects = 0;
};

void add(Totals& totals, const Detections& found) {
  Counters& sum = totals.counters;
  sum.windows += found.counters.windows;
  sum.skipped += found.counters.skipped;
  sum.flat += found.counters.flat;
  sum.weak += found.counters.weak;
  sum.reached.resize(std::max(sum.reached.size(), found.counters.reached.size()));
  for (std::size_t i = 0; i < found.counters.reached.size(); ++i) sum.reached[i] += found.counters.reached[i];
  totals.objects += found.objects.size();
}

std::vector<Picture> read_pictures(const std::vector<std::string>& names, bool color) {
  std::vector<Picture> pictures;
  for (const Input& input : expand_inputs({names, "", false})) {
    if (input.kind == InputKind::kBroken) throw Error(ErrorCode::kIo, input.problem, input.path);
    require(input.kind == InputKind::kPicture || input.kind == InputKind::kUnknown,
            "bench takes pictures only, not '" + input.path + "'");
    ReadOptions options;
    options.color = color;
    pictures.push_back(read_picture(input.path, options));
  }
  require(!pictures.empty(), "there is nothing to do: no picture was found");
  return pictures;
}

// Holds pictures one after the other in pinned memory, which a device reads by itself.
class PinnedPictures {
 public:
  explicit PinnedPictures(const std::vector<Picture>& pictures) {
    std::size_t bytes = 0;
    for (const Picture& picture : pictures) bytes += room_for(picture.gray.size());
    memory_.resize(bytes);
    pinned_ = PinnedMemory(memory_);
    require(pinned_.held(), "--pinned is for devices, and there is none here (see `winnow backends`)");
    auto* to = reinterpret_cast<std::uint8_t*>(memory_.data());
    for (const Picture& picture : pictures) {
      const GrayView view = picture.gray.view();
      for (int y = 0; y < view.height; ++y) {
        std::copy_n(view.row(y), view.width, to + static_cast<std::ptrdiff_t>(y) * view.width);
      }
      views_.push_back({GrayView{to, view.width, view.height, view.width},
                        picture.color.empty() ? RgbView{} : picture.color.view()});
      to += room_for(view.size());
    }
  }
  const std::vector<PictureView>& views() const { return views_; }

 private:
  static std::size_t room_for(Size size) {
    return (static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) + 63) / 64 * 64;
  }

  std::vector<std::byte> memory_;
  PinnedMemory pinned_;
  std::vector<PictureView> views_;
};

class Bench {
 public:
  Bench(const BenchJob& job, const DetectorModel& model, const std::vector<PictureView>& pictures)
      : job_(job), detector_(model, job.detector), frames_(pictures.size()) {
    const std::size_t batch = static_cast<std::size_t>(job.batch);
    const std::size_t frames = std::max(frames_, batch);
    for (std::size_t i = 0; i < frames; ++i) views_.push_back(pictures[i % frames_]);
    for (std::size_t first = 0; first < frames; first += batch) {
      calls_.push_back(std::span(views_).subspan(first, std::min(batch, frames - first)));
    }
  }

  nlohmann::ordered_json run() {
    const Totals totals = first_run();
    std::vector<double> times;
    for (int i = 0; i < job_.repeat; ++i) times.push_back(timed_run());
    std::sort(times.begin(), times.end());
    const double median = (times[times.size() / 2] + times[(times.size() - 1) / 2]) / 2;
    // The smallest time that `percent` % of the runs do not exceed.
    const auto not_exceeded = [&](std::size_t percent) {
      return times[(times.size() * percent + 99) / 100 - 1];
    };

    nlohmann::ordered_json report;
    report["ms_median"] = rounded(median);
    report["ms_min"] = rounded(times.front());
    report["ms_p90"] = rounded(not_exceeded(90));
    report["ms_p99"] = rounded(not_exceeded(99));
    report["fps"] = rounded(median > 0 ? 1000 / median : 0);
    report["windows"] = totals.counters.windows;
    report["skipped"] = totals.counters.skipped;
    report["flat"] = totals.counters.flat;
    report["reached"] = totals.counters.reached;
    report["weak"] = totals.counters.weak;
    report["objects"] = totals.objects;
    report["backend"] = backend_;
    report["simd"] = detector_.simd();
    report["threads"] = detector_.threads();
    report["batch"] = job_.batch;
    report["repeat"] = job_.repeat;
    report["model"] = model_name(detector_.model().card(), job_.model);
    report["width"] = views_.front().size().width;
    report["height"] = views_.front().size().height;
    if (frames_ > 1) report["images"] = frames_;
    if (job_.pinned) report["pinned"] = true;
    return report;
  }

 private:
  Totals first_run() {
    Totals totals;
    std::size_t frame = 0;
    for (const auto& call : calls_) {
      detector_.detect(call, job_.options, results_);
      backend_ = results_.front().backend;
      // Pictures that only fill up the batch are not counted.
      for (std::size_t i = 0; i < call.size() && frame < frames_; ++i, ++frame) add(totals, results_[i]);
    }
    return totals;
  }

  double timed_run() {
    const auto start = std::chrono::steady_clock::now();
    for (const auto& call : calls_) detector_.detect(call, job_.options, results_);
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    return spent.count() / static_cast<double>(views_.size());
  }

  static double rounded(double value) { return std::round(value * 1e4) / 1e4; }

  const BenchJob& job_;
  Detector detector_;
  std::size_t frames_;
  std::vector<PictureView> views_;
  std::vector<std::span<const PictureView>> calls_;
  std::vector<Detections> results_;
  std::string backend_;
};

}  // namespace

int bench_command(const Arguments& arguments) {
  CLI::App app("Measures a model on pictures.", "winnow bench");
  app.footer(kExamples);
  BenchJob job;
  app.add_option("IMAGE", job.images, "pictures, folders or patterns")->type_name("");
  add_model_option(app, job.model);
  add_machine_options(app, job.search, job.detector, "Machine");
  app.add_option("--batch", job.batch, "pictures per call (1)")->type_name("N");
  app.add_flag("--pinned", job.pinned,
               "keep the pictures in pinned memory, which a device reads without a copy by the CPU");
  app.add_option("--repeat", job.repeat, "number of measurements (10)")->type_name("N");
  add_search_options(app, job.search, job.options, "Search");
  if (!parse_arguments(app, arguments)) return kExitDone;

  finish_search(job.search, job.options, job.detector);
  require(job.batch >= 1 && job.batch <= 65536, "--batch must be 1 to 65536");
  require(job.repeat >= 1 && job.repeat <= 1000000, "--repeat must be 1 to 1000000");
  require(!job.images.empty(), "there is nothing to do: name pictures (see `winnow bench --help`)");
  job.model = find_model_file(job.model);
  const DetectorModel model = DetectorModel::load(job.model);
  const std::vector<Picture> pictures = read_pictures(job.images, model.reads_color() && !job.options.gray);
  if (job.pinned) {
    const PinnedPictures pinned(pictures);
    print(Bench(job, model, pinned.views()).run().dump() + "\n");
    return kExitDone;
  }
  std::vector<PictureView> views;
  for (const Picture& picture : pictures) views.push_back(picture.view());
  print(Bench(job, model, views).run().dump() + "\n");
  return kExitDone;
}

}  // namespace winnow::cli

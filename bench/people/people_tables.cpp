// winnow_people_tables: measures the processor's tables of a thesis on people in pictures (cascades of HOG
// blocks on a GTX 295) on today's machine. The program writes tables in the form that tools/results.py reads.
// - methods: Dalal-Triggs, CPU-II, CPU-HC and a cascade of blocks at 1280x960.
// - sparse: a sparse and a dense search at 320x240.
// - rejection: how many blocks are judged per window without people, in a folder of pictures.
// - integral: integral histograms in float, float4, double and whole numbers: time and drift.
#include <winnow/winnow.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <opencv2/core.hpp>
#include <opencv2/core/version.hpp>
#include <opencv2/imgproc.hpp>
#include <opencv2/objdetect.hpp>
#include <set>

#include "pairs.h"
#include "people/cell_hog.h"
#include "people/integral_results.h"
#include "plain_search.h"
#include "results_file.h"

namespace {

using bench::ResultList;
using Json = nlohmann::ordered_json;

constexpr const char* kPaperHost = "the thesis's 2.5 GHz CPU";

struct Settings {
  std::string picture, negatives = "../shared/data/people/test/neg", cascade = "built-in:people";
  std::vector<std::string> names = {"methods", "sparse", "rejection", "integral"};
  int repeat = 5;
  bench::ResultOptions out;
};

// A picture in the forms of OpenCV and of Winnow.
struct BothForms {
  cv::Mat color, gray;
  winnow::Picture picture;
};
BothForms read(const std::string& path, cv::Size size) {
  const winnow::Picture from = winnow::read_picture(path, {true});
  cv::Mat color(from.color.height(), from.color.width(), CV_8UC3);
  for (int y = 0; y < color.rows; ++y) {
    std::uint8_t* to = color.ptr(y);
    for (int x = 0; x < color.cols; ++x, to += 3) {
      const winnow::Rgb& pixel = from.color.row(y)[x];
      to[0] = pixel.b, to[1] = pixel.g, to[2] = pixel.r;
    }
  }
  BothForms forms;
  cv::resize(color, forms.color, size);
  forms.picture.color = winnow::RgbImage(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    const std::uint8_t* at = forms.color.ptr(y);
    for (int x = 0; x < size.width; ++x, at += 3) forms.picture.color.row(y)[x] = {at[2], at[1], at[0]};
  }
  forms.picture.gray = winnow::to_gray(std::as_const(forms.picture.color).view());
  forms.gray = cv::Mat(size, CV_8U);
  for (int y = 0; y < size.height; ++y) std::copy_n(forms.picture.gray.row(y), size.width, forms.gray.ptr(y));
  return forms;
}

// OpenCV's people model in the forms of OpenCV and of Winnow.
struct People {
  cv::HOGDescriptor hog;
  winnow::HogSvm svm;
};
winnow::HogSvm svm_of(cv::HOGDescriptor& hog) {
  hog.setSVMDetector(cv::HOGDescriptor::getDefaultPeopleDetector());
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "winnow_people_tables.xml";
  hog.save(file.string());
  winnow::HogSvm svm = winnow::HogSvm::load(file.string());
  std::filesystem::remove(file);
  return svm;
}
People people() {
  cv::HOGDescriptor hog;
  winnow::HogSvm svm = svm_of(hog);
  return {hog, std::move(svm)};
}

// Calls `scan` for each level of OpenCV's HOG search. OpenCV resizes the levels.
void over_levels(const cv::Mat& gray, double scale_factor,
                 const std::function<void(winnow::GrayView)>& scan) {
  cv::Mat level;
  for (double scale = 1;; scale *= scale_factor) {
    const cv::Size size(cvRound(gray.cols / scale), cvRound(gray.rows / scale));
    if (size.width < 64 || size.height < 128) return;
    if (size == gray.size()) {
      level = gray;
    } else {
      cv::resize(gray, level, size, 0, 0, cv::INTER_LINEAR);
    }
    scan({level.ptr(), level.cols, level.rows, static_cast<std::ptrdiff_t>(level.step)});
  }
}

struct Method {
  std::string name;
  std::function<void(double scale)> search;
};
// The median processor time of each method in milliseconds. Runs of the methods alternate.
std::vector<double> medians(int repeat, double scale, const std::vector<Method>& methods) {
  std::vector<std::vector<double>> times(methods.size());
  for (int run = -1; run < repeat; ++run) {
    for (std::size_t i = 0; i < methods.size(); ++i) {
      const double ms = bench::processor_milliseconds([&] { methods[i].search(scale); });
      if (run >= 0) times[i].push_back(ms);
    }
  }
  std::vector<double> found;
  for (const auto& list : times) found.push_back(bench::median(list));
  return found;
}

winnow::DetectOptions options_of(double scale, bool gray, int step = 0) {
  winnow::DetectOptions options = bench::plain_search(scale, 2);
  options.gray = gray;
  options.step = {step, step};
  return options;
}

ResultList methods_results(const Settings& settings) {
  const BothForms forms = read(settings.picture, {1280, 960});
  People model = people();
  winnow::Detector svm(model.svm, {winnow::BackendKind::kCpu, 1, {0}}),
      blocks(winnow::DetectorModel::load(settings.cascade), {winnow::BackendKind::kCpu, 1, {0}});
  bench::CellHog cells(model.svm.model());
  winnow::Detections found;
  std::vector<cv::Rect> rects;
  std::vector<double> weights;
  std::vector<float> scores;
  const auto opencv = [&](const cv::Mat& picture) {
    return [&](double scale) {
      model.hog.detectMultiScale(picture, rects, weights, 0, {8, 8}, {0, 0}, scale, 2, false);
    };
  };
  const auto winnow_svm = [&](bool gray) {
    return [&, gray](double scale) { svm.detect(forms.picture.view(), options_of(scale, gray), found); };
  };
  const auto plain = [&](bench::CellMethod method) {
    return [&, method](double scale) {
      over_levels(forms.gray, scale, [&](winnow::GrayView level) { cells.scan(method, level, 8, scores); });
    };
  };
  const std::vector<Method> methods = {{"Dalal-Triggs, colour, OpenCV", opencv(forms.color)},
                                       {"Dalal-Triggs, colour, Winnow", winnow_svm(false)},
                                       {"Dalal-Triggs, grey, OpenCV", opencv(forms.gray)},
                                       {"Dalal-Triggs, grey, Winnow", winnow_svm(true)},
                                       {"CPU-II", plain(bench::CellMethod::kIntegral)},
                                       {"CPU-HC", plain(bench::CellMethod::kCells)},
                                       {"CPU-HC, blocks reused, too", plain(bench::CellMethod::kBlocks)},
                                       {"cascade of blocks, Winnow", [&](double scale) {
                                          blocks.detect(forms.picture.view(), options_of(scale, true), found);
                                        }}};
  // Finds the largest change of CPU-II's scores that drift causes.
  float apart = 0;
  over_levels(forms.gray, 1.2, [&](winnow::GrayView level) {
    std::vector<float> others;
    cells.scan(bench::CellMethod::kCells, level, 8, scores);
    cells.scan(bench::CellMethod::kIntegral, level, 8, others);
    for (std::size_t i = 0; i < scores.size(); ++i) apart = std::max(apart, std::fabs(scores[i] - others[i]));
  });
  char far[64];
  std::snprintf(far, sizeof far, "%.2g", static_cast<double>(apart));
  ResultList results{
      "people_methods",
      "The methods of the thesis, 1280x960, stride 8 (its table 3-1)",
      "milliseconds a picture, processor time",
      "winnow_people_tables PICTURE --tables methods",
      "One thread. The methods run alternately, " + std::to_string(settings.repeat) +
          " times each, and times are medians. CPU-II and CPU-HC are two methods of the thesis, rewritten as "
          "plain loops for AVX-512 (`bench/people/cell_hog.cpp`). They have the weights of OpenCV's people "
          "model; other values would not change the time. CPU-HC reuses cells and normalises the blocks of "
          "each window anew. OpenCV and Winnow reuse blocks, too, so both are faster than CPU-HC here. In "
          "the thesis Dalal-Triggs is slower. Sums in float move scores of CPU-II by up to " +
          far + ".",
      {"method", "machine", "1.05", "1.10", "1.20"},
      {{"method", "method"}, {"machine", "on"}},
      {{"1.05", "1.05", 1}, {"1.10", "1.1", 1}, {"1.20", "1.2", 1}}};
  std::vector<std::vector<double>> times;
  for (const double scale : {1.05, 1.1, 1.2}) times.push_back(medians(settings.repeat, scale, methods));
  for (std::size_t i = 0; i < methods.size(); ++i)
    results.rows.push_back({methods[i].name, "this machine", times[0][i], times[1][i], times[2][i]});
  results.rows.push_back({"Dalal-Triggs, colour", kPaperHost, 24240, 13070, 7610});
  results.rows.push_back({"CPU-II", kPaperHost, 21730, 11650, 6730});
  results.rows.push_back({"CPU-HC", kPaperHost, 13060, 7080, 4090});
  results.rows.push_back({"cascade of blocks", kPaperHost, 5470, 2963, 1710});
  return results;
}

ResultList sparse_results(const Settings& settings) {
  const BothForms forms = read(settings.picture, {320, 240});
  People model = people();
  winnow::Detector svm(model.svm, {winnow::BackendKind::kCpu, 1, {0}}),
      blocks(winnow::DetectorModel::load(settings.cascade), {winnow::BackendKind::kCpu, 1, {0}});
  winnow::Detections found;
  std::vector<cv::Rect> rects;
  std::vector<double> weights;
  ResultList results{
      "people_sparse",
      "Sparse and dense searches, 320x240 (table 5-1)",
      "milliseconds a picture, processor time",
      "winnow_people_tables PICTURE --tables sparse",
      "Sparse: stride 8, scale 1.2. Dense: stride 4, scale 1.05. One thread. The methods run "
      "alternately, " +
          std::to_string(4 * settings.repeat + 1) +
          " times each, and times are medians. Dalal-Triggs reads colour, the cascade reads grey.",
      {"method", "machine", "sparse", "dense", "sparse windows", "dense windows"},
      {{"method", "method"}, {"machine", "on"}},
      {{"sparse", "sparse", 2},
       {"dense", "dense", 1},
       {"sparse windows", "windows, sparse", 0},
       {"dense windows", "windows, dense", 0}}};
  std::vector<std::vector<double>> times;
  std::vector<std::int64_t> windows;
  std::vector<std::string> names;
  for (const int step : {8, 4}) {
    const std::vector<Method> methods = {
        {"Dalal-Triggs, OpenCV",
         [&](double scale) {
           model.hog.detectMultiScale(forms.color, rects, weights, 0, {step, step}, {0, 0}, scale, 2, false);
         }},
        {"Dalal-Triggs, Winnow",
         [&](double scale) { svm.detect(forms.picture.view(), options_of(scale, false, step), found); }},
        {"cascade of blocks, Winnow",
         [&](double scale) { blocks.detect(forms.picture.view(), options_of(scale, true, step), found); }}};
    times.push_back(medians(4 * settings.repeat + 1, step == 8 ? 1.2 : 1.05, methods));
    windows.push_back(found.counters.windows);
    names.clear();
    for (const Method& method : methods) names.push_back(method.name);
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    results.rows.push_back({names[i], "this machine", times[0][i], times[1][i], windows[0], windows[1]});
  results.rows.push_back({"Dalal-Triggs", kPaperHost, 500, 7000, 800, 12800});
  results.rows.push_back({"cascade of Zhu and others", kPaperHost, 30, 250, 800, 12800});
  results.rows.push_back({"cascade of the thesis", kPaperHost, 82, 475, 800, 12800});
  return results;
}

std::vector<ResultList> rejection_results(const Settings& settings) {
  std::set<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(settings.negatives))
    if (entry.is_regular_file()) files.insert(entry.path().string());
  winnow::Detector blocks(winnow::DetectorModel::load(settings.cascade), {winnow::BackendKind::kCpu, 0, {0}});
  winnow::DetectOptions options = options_of(1.2, true);
  options.raw = true;
  options.min_score = -1000;  // so that only the cascade's own limits reject windows
  std::vector<std::int64_t> reached;
  std::int64_t weak = 0, pictures = 0;
  for (const std::string& file : files) {
    const winnow::Detections found = blocks.detect(winnow::read_picture(file).view(), options);
    reached.resize(found.counters.reached.size());
    for (std::size_t s = 0; s < reached.size(); ++s) reached[s] += found.counters.reached[s];
    weak += found.counters.weak;
    ++pictures;
  }
  const auto all = static_cast<double>(reached.front());
  const auto rejected = [&](std::size_t after) {
    return 100 - 100 * static_cast<double>(reached[after]) / all;
  };
  char text[160];
  std::snprintf(text, sizeof text,
                "%lld windows of %lld pictures without people, at scale 1.2 and stride 8. A window needs "
                "%.2f blocks on average; the thesis has 6.7.",
                static_cast<long long>(reached.front()), static_cast<long long>(pictures),
                static_cast<double>(weak) / all);
  const std::string command = "winnow_people_tables PICTURE --tables rejection --negatives people/test/neg";
  ResultList by_blocks{"people_rejection",
                       "Windows rejected after the first blocks (figure 5-5)",
                       "percent",
                       command,
                       std::string(text) + " The thesis rejects more than 90 percent after 16 blocks.",
                       {"blocks", "rejected", "left"},
                       {{"blocks", "blocks"}},
                       {{"rejected", "rejected", 3}, {"left", "windows left", 0}}};
  for (std::size_t after = 1; after < reached.size(); after = after < 8 ? after + 1 : after * 2)
    by_blocks.rows.push_back({after, rejected(after), reached[after]});
  if (reached.size() > 1 && by_blocks.rows.back()[0] != reached.size() - 1)
    by_blocks.rows.push_back({reached.size() - 1, rejected(reached.size() - 1), reached.back()});
  ResultList by_stages{
      "people_stages",
      "Blocks a stage, if a stage passes at most 0.65 of its windows (figure 5-5)",
      "blocks",
      command,
      "The cascade has one sum and a limit after each block. These stages follow the thesis's rule for false "
      "alarms, on windows of the test. Each stage ends where at most 0.65 of the windows that reached it are "
      "left.",
      {"stage", "blocks", "rejected"},
      {{"stage", "stage"}},
      {{"blocks", "blocks", 0}, {"rejected", "rejected so far, percent", 3}}};
  for (std::size_t begin = 0, end = 1, stage = 1; end < reached.size(); ++end) {
    if (reached[end] == 0 || static_cast<double>(reached[end]) > 0.65 * static_cast<double>(reached[begin]))
      continue;
    by_stages.rows.push_back({stage++, end - begin, rejected(end)});
    begin = end;
  }
  return {by_blocks, by_stages};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Prints anew the processor's tables of a thesis on people in pictures.");
  Settings settings;
  std::string svm_out;
  app.add_option("PICTURE", settings.picture, "a picture; it is resized");
  app.add_option("--svm-out", svm_out, "write OpenCV's people model there, for a device's tables");
  app.add_option("--negatives", settings.negatives, "a folder of pictures without people");
  app.add_option("--cascade", settings.cascade, "a cascade of HOG blocks");
  app.add_option("--tables", settings.names, "methods, sparse, rejection, integral");
  app.add_option("--repeat", settings.repeat, "runs of each")->check(CLI::PositiveNumber);
  app.add_option("--out", settings.out.file, "a file of bench/results/ to write");
  app.add_option("--device", settings.out.device, "the machine in words");
  app.add_option("--commit", settings.out.commit, "the commit that is measured");
  CLI11_PARSE(app, argc, argv);
  try {
    cv::setNumThreads(1);
    if (!svm_out.empty()) people().svm.save(svm_out, winnow::HogFormat::kOpenCvXml);
    if (settings.picture.empty()) {
      if (svm_out.empty()) throw std::runtime_error("name a picture, or a file for --svm-out");
      return 0;
    }
    std::vector<ResultList> all;
    for (const std::string& name : settings.names) {
      if (name == "methods") {
        all.push_back(methods_results(settings));
      } else if (name == "sparse") {
        all.push_back(sparse_results(settings));
      } else if (name == "integral") {
        const BothForms forms = read(settings.picture, {1280, 960});
        all.push_back(bench::integral_results(forms.picture.gray.view(), settings.repeat));
      } else if (name == "rejection") {
        if (!std::filesystem::is_directory(settings.negatives)) {
          std::printf("rejection: skipped, since %s is not there\n", settings.negatives.c_str());
          continue;
        }
        for (ResultList& results : rejection_results(settings)) all.push_back(std::move(results));
      } else {
        throw std::runtime_error("no table is called " + name);
      }
    }
    for (const ResultList& results : all) bench::print_results(results);
    const std::string device =
        settings.out.device.empty() ? bench::host_in_words() + "; OpenCV " CV_VERSION : settings.out.device;
    if (!settings.out.file.empty())
      bench::write_results(
          settings.out.file,
          {"On a processor",
           "The figures of the thesis come from a CPU of 2.5 GHz. Another machine, another compiler and "
           "fifteen years lie between them and Winnow's figures.",
           device, settings.out.commit},
          all);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "winnow_people_tables: %s\n", error.what());
    return 1;
  }
  return 0;
}

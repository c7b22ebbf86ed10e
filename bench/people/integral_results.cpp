#include "people/integral_results.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "pairs.h"
#include "people/vote_histograms.h"

namespace bench {

ResultList integral_results(winnow::GrayView picture, int repeat) {
  ResultList results{
      "integral_histograms_cpu",
      "Integral histograms of nine bins on a processor",
      "milliseconds of processor time; errors in gradients of full length",
      "winnow_people_tables PICTURE --tables integral",
      "One thread; times are medians of " + std::to_string(repeat) +
          " runs, and do not include the votes. Errors are differences from exact sums: of a sum, and of "
          "the vote of a cell of 8x8 pixels. Votes in whole numbers are rounded, and their sums do not "
          "drift: "
          "the error of a cell does not grow with the picture. Sums of whole numbers wrap.",
      {"kind", "size", "ms", "largest sum", "largest cell", "mean cell"},
      {{"size", "picture"}, {"kind", "sums"}},
      {{"ms", "time", 1},
       {"largest sum", "largest error of a sum", 5},
       {"largest cell", "of a cell", 6},
       {"mean cell", "mean of a cell", 8}}};
  for (const winnow::Size size : {winnow::Size{640, 480}, {1280, 960}, {2048, 2048}, {4096, 4096}}) {
    const winnow::GrayImage tiled = tiled_picture(picture, size);
    const HardVotes votes = hard_votes(tiled.view());
    const std::string name = std::to_string(size.width) + "x" + std::to_string(size.height);
    const auto pixels = votes.pixels();
    const auto time = [&](const auto& work) {
      std::vector<double> times;
      for (int run = -1; run < repeat; ++run) {
        const double ms = processor_milliseconds(work);
        if (run >= 0) times.push_back(ms);
      }
      return median(times);
    };
    const auto add = [&](const char* kind, double ms, const Drift& drift, bool wraps) {
      results.rows.push_back(
          {kind, name, ms,
           wraps ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(drift.largest_sum),
           drift.largest_cell, drift.mean_cell});
    };
    const auto planes = [&]<class T>(const char* kind, T /*sums*/) {
      std::vector<T> sums;
      const double ms = time([&] { integrate_planes(votes, sums); });
      Drift drift;
      for (int bin = 0; bin < kBins; ++bin)
        add_drift(
            votes, bin,
            [&, plane = sums.data() + static_cast<std::size_t>(bin) * pixels](std::size_t at) {
              return plane[at];
            },
            drift);
      add(kind, ms, drift, std::is_integral_v<T>);
    };
    planes("float", float{});
    {
      std::vector<Float4> fours;
      std::vector<float> ninth;
      const double ms = time([&] { integrate_float4(votes, fours, ninth); });
      Drift drift;
      for (int bin = 0; bin < kBins; ++bin)
        add_drift(
            votes, bin,
            [&, bin](std::size_t at) {
              return bin == 8 ? ninth[at]
                              : fours[static_cast<std::size_t>(bin / 4) * pixels + at].bins[bin % 4];
            },
            drift);
      add("float4, float4, float", ms, drift, false);
    }
    planes("double", double{});
    planes("whole numbers", std::uint32_t{});
    for (const int depth : {CV_32F, CV_64F}) {
      std::vector<cv::Mat> from(kBins), to(kBins);
      for (int bin = 0; bin < kBins; ++bin) {
        from[static_cast<std::size_t>(bin)] = cv::Mat::zeros(size.height, size.width, CV_32F);
        auto* pixel = from[static_cast<std::size_t>(bin)].ptr<float>();
        for (std::size_t at = 0; at < pixels; ++at)
          if (votes.bins[at] == bin) pixel[at] = votes.lengths[at];
      }
      const double ms = time([&] {
        for (std::size_t bin = 0; bin < from.size(); ++bin) cv::integral(from[bin], to[bin], depth);
      });
      Drift drift;
      const auto width = static_cast<std::size_t>(size.width);
      for (int bin = 0; bin < kBins; ++bin) {
        const cv::Mat& sums = to[static_cast<std::size_t>(bin)];
        const auto place = [width](std::size_t at) {
          return (at / width + 1) * (width + 1) + at % width + 1;
        };
        if (depth == CV_32F) {
          add_drift(
              votes, bin, [&](std::size_t at) { return sums.ptr<float>()[place(at)]; }, drift);
        } else {
          add_drift(
              votes, bin, [&](std::size_t at) { return sums.ptr<double>()[place(at)]; }, drift);
        }
      }
      add(depth == CV_32F ? "float, OpenCV" : "double, OpenCV", ms, drift, false);
    }
  }
  return results;
}

}  // namespace bench

// Makes the sections that the pages of all trainings share: the plot of the samples left after each stage,
// the plot of hit rate over false positives, the hardest samples, and the table of stages or rounds.
//
// In:     a pack, and a model that learned from it.
// Out:    HTML, for a page of `page/html.h`.
// Exact:  the same text for the same input.
// Memory: text is a new string.
// Thread: any.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/cascade.h>
#include <winnow/detector_model.h>
#include <winnow/image.h>
#include <winnow/machine.h>
#include <winnow/pack.h>
#include <winnow/train.h>

namespace winnow {

struct Hit {
  double score;
  std::size_t picture;
  Box box;
};

// A model's responses on the pack that it was trained on.
struct ModelResponse {
  std::vector<double> scores;         // the scores of positives that have a score, the highest first
  std::vector<std::size_t> rejected;  // the numbers of positives whose score is missing or too low
  // Counts of positives: all, those that reach the first stage, then those left after each stage.
  std::vector<std::int64_t> positives_left;
  std::vector<std::int64_t> windows_left;  // the same counts for windows of negatives
  std::vector<Hit> hits;                   // the listed windows of negatives, highest score first
  std::size_t passing = 0;                 // the number of `hits` that pass
  std::size_t pictures = 0;                // the number of pictures without the object that were searched
};

// The least scores with which a window of a negative is listed, and with which it passes.
struct ResponseRule {
  double search_min_score;  // the least score of a window that is listed
  double min_score;         // the least score of a window that passes
  bool color = false;       // whether the model reads the colours of the samples
};

// A model's responses for all positives.
struct PositiveResults {
  std::vector<std::optional<double>> scores;  // no value for a rejected positive
  std::vector<std::int64_t> left;             // as `ModelResponse::positives_left`
};
PositiveResults measure_positives(const Pack& pack, const Cascade& cascade, const MachineOptions& machine);

ModelResponse measure_response(const Pack& pack, const PositiveResults& positives, const DetectorModel& model,
                               const ResponseRule& rule, const MachineOptions& machine);

// Plots the fractions of positives and of windows that are left after each stage. `unit` names a stage:
// "stage" or "block".
std::string survivor_plot(const ModelResponse& response, const char* unit);
std::string curve_plot(const ModelResponse& response, std::size_t positives);
std::string picture_tag(GrayView picture, int zoom, const std::string& words);
std::string picture_tag(const RgbImage& picture, const std::string& words);
// Shows rejected positives, and the windows of negatives with the highest scores, whether they pass or not.
std::string hardest_section(const Pack& pack, const ModelResponse& response);
// `unit`: "stage" or "round".
std::string stage_rows(const char* unit, const std::vector<TrainedStage>& stages);

GrayImage enlarged(GrayView picture, int zoom);

}  // namespace winnow

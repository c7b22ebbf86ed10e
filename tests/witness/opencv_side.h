// Gives OpenCV's answers to one case, as plain boxes.
//
// In:     a cascade file, a grey picture, and the options of a call.
// Out:    raw detections with scores, and groups with neighbours and with scores.
// Exact:  scores are OpenCV's doubles, unchanged.
// Memory: owns the classifier, whose buffers only grow.
// Thread: one thread at a time.
//
// Three calls are needed, since no overload of detectMultiScale gives scores and neighbours at once.
// One classifier serves all pictures of a model. The classifier keeps buffers and feature offsets from call
// to call, which does not change answers. `winnow_witness --state` compares it with a fresh classifier for
// each picture.
#pragma once

#include <winnow/detector.h>
#include <memory>
#include <string>
#include <vector>

namespace witness {

struct OpenCvAnswer {
  std::vector<winnow::Detection> raw;        // box and score
  std::vector<winnow::Detection> neighbors;  // grouped: box and neighbours
  std::vector<winnow::Detection> scores;     // grouped: box and score
  bool has_scores = true;
};

class OpenCvSide {
 public:
  // `one_stage`: the cascade has one stage and is compared without scores. With reject levels, OpenCV reports
  // a flat window of such a cascade as a hit, because its verdict -1 also means "rejected by the last stage".
  OpenCvSide(const std::string& path, bool one_stage);
  ~OpenCvSide();
  winnow::Size window() const;
  OpenCvAnswer detect(winnow::GrayView picture, const winnow::DetectOptions& options);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace witness

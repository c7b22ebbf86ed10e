// OpenCV's answers to one case, as plain boxes. Three calls, since no overload of detectMultiScale gives
// scores and neighbours at once.
//
// One classifier serves all pictures of a model. It keeps buffers (which only grow) and feature offsets from
// call to call, but that does not change answers: `winnow_witness --state` compares it with a fresh one for
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
  // `one_stage`: with reject levels OpenCV reports a flat window of a one-stage cascade as a hit (its verdict
  // -1 is also what "rejected by the last stage" looks like), so such a model is compared without scores.
  OpenCvSide(const std::string& path, bool one_stage);
  ~OpenCvSide();
  winnow::Size window() const;
  OpenCvAnswer detect(winnow::GrayView picture, const winnow::DetectOptions& options);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace witness

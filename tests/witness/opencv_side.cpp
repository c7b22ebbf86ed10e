#include "opencv_side.h"

#include <opencv2/objdetect.hpp>
#include <stdexcept>

namespace witness {

using winnow::Detection;

struct OpenCvSide::State {
  cv::CascadeClassifier classifier;
  bool one_stage = false;

  // Returns boxes with the number of windows in each, grouped with the limit `neighbors`. 0 gives raw boxes.
  std::vector<Detection> counted(const cv::Mat& picture, const winnow::DetectOptions& o, int neighbors) {
    std::vector<cv::Rect> boxes;
    std::vector<int> counts;
    classifier.detectMultiScale(picture, boxes, counts, *o.scale_factor, neighbors, 0, size_of(o.min_size),
                                size_of(o.max_size));
    std::vector<Detection> found;
    for (std::size_t i = 0; i < boxes.size(); ++i) found.push_back({box_of(boxes[i]), 0, counts[i]});
    return found;
  }

  std::vector<Detection> scored(const cv::Mat& picture, const winnow::DetectOptions& o, int neighbors) {
    std::vector<cv::Rect> boxes;
    std::vector<int> levels;
    std::vector<double> weights;
    classifier.detectMultiScale(picture, boxes, levels, weights, *o.scale_factor, neighbors, 0,
                                size_of(o.min_size), size_of(o.max_size), true);
    std::vector<Detection> found;
    for (std::size_t i = 0; i < boxes.size(); ++i) found.push_back({box_of(boxes[i]), weights[i], 1});
    return found;
  }

  static cv::Size size_of(winnow::Size size) { return {size.width, size.height}; }
  static winnow::Box box_of(const cv::Rect& r) { return {r.x, r.y, r.width, r.height}; }
};

OpenCvSide::OpenCvSide(const std::string& path, bool one_stage) : state_(std::make_unique<State>()) {
  cv::setNumThreads(1);
  state_->one_stage = one_stage;
  if (!state_->classifier.load(path)) throw std::runtime_error("OpenCV cannot load " + path);
}
OpenCvSide::~OpenCvSide() = default;

winnow::Size OpenCvSide::window() const {
  const cv::Size size = state_->classifier.getOriginalWindowSize();
  return {size.width, size.height};
}

OpenCvAnswer OpenCvSide::detect(winnow::GrayView picture, const winnow::DetectOptions& given) {
  const winnow::DetectOptions options = winnow::complete_options(given, {});
  const cv::Mat mat(picture.height, picture.width, CV_8UC1, const_cast<std::uint8_t*>(picture.data),
                    static_cast<std::size_t>(picture.stride));
  OpenCvAnswer answer;
  answer.neighbors = state_->counted(mat, options, *options.min_neighbors);
  answer.has_scores = !state_->one_stage;
  if (answer.has_scores) {
    answer.raw = state_->scored(mat, options, 0);
    answer.scores =
        *options.min_neighbors > 0 ? state_->scored(mat, options, *options.min_neighbors) : answer.raw;
  } else {
    answer.raw = state_->counted(mat, options, 0);
  }
  return answer;
}

}  // namespace witness

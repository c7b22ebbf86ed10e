#include "follow/opencv/cascade_follower.h"

#include <dlib/image_processing/shape_predictor.h>
#include <dlib/opencv/cv_image.h>

#include <algorithm>
#include <cmath>
#include <opencv2/objdetect.hpp>
#include <opencv2/video/tracking.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "follow/opencv/point_motion.h"

namespace bench {
namespace {

const cv::Size kWindow(21, 21);
constexpr int kMaxLevel = 3;
constexpr std::size_t kFewest = 10;  // found points, without which the face counts as lost

}  // namespace

struct CascadeFollower::State {
  cv::CascadeClassifier cascade;
  dlib::shape_predictor predictor;
  CascadeOptions options;
  int since_search = 0;
  bool has_face = false;
  cv::Rect2d box;
  std::vector<cv::Point2f> points, carried_points;
  std::vector<unsigned char> found;
  std::vector<float> errors;
  std::vector<cv::Rect> rects;
  std::vector<cv::Mat> before, now;  // pyramids with derivatives

  // Takes the widest face.
  bool search(const cv::Mat& gray) {
    cascade.detectMultiScale(gray, rects, options.scale_factor, options.min_neighbors, 0,
                             cv::Size(options.min_side, options.min_side));
    since_search = 0;
    if (rects.empty()) return false;
    box = *std::max_element(rects.begin(), rects.end(),
                            [](const cv::Rect& a, const cv::Rect& b) { return a.width < b.width; });
    return true;
  }

  bool carry() {
    cv::calcOpticalFlowPyrLK(before, now, points, carried_points, found, errors, kWindow, kMaxLevel);
    const PointMotion motion = point_motion(points, carried_points, found);
    if (motion.points < kFewest) return false;
    const double width = box.width * motion.scale, height = box.height * motion.scale;
    box = {box.x + motion.right + (box.width - width) / 2, box.y + motion.down + (box.height - height) / 2,
           width, height};
    return true;
  }

  void fit(const cv::Mat& gray) {
    const auto whole = [](double value) { return std::lround(value); };
    const long left = whole(box.x), top = whole(box.y);
    const dlib::rectangle place(left, top, left + whole(box.width) - 1, top + whole(box.height) - 1);
    const dlib::full_object_detection shape = predictor(dlib::cv_image<unsigned char>(gray), place);
    points.resize(shape.num_parts());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const dlib::point& part = shape.part(i);
      points[i] = {static_cast<float>(part.x()), static_cast<float>(part.y())};
    }
  }
};

CascadeFollower::CascadeFollower(const std::string& cascade, const std::string& predictor,
                                 CascadeOptions options)
    : state_(std::make_unique<State>()) {
  if (!state_->cascade.load(cascade)) throw std::runtime_error(cascade + ": OpenCV cannot read the cascade");
  dlib::deserialize(predictor) >> state_->predictor;
  state_->options = options;
}
CascadeFollower::~CascadeFollower() = default;

bool CascadeFollower::next(winnow::GrayView frame) {
  State& state = *state_;
  const cv::Mat gray(frame.height, frame.width, CV_8U, const_cast<std::uint8_t*>(frame.data),
                     static_cast<std::size_t>(frame.stride));
  const bool flows = state.options.detect_every > 1;  // without frames between searches there is no flow
  if (flows) cv::buildOpticalFlowPyramid(gray, state.now, kWindow, kMaxLevel, true);
  const bool searches = !state.has_face || ++state.since_search >= state.options.detect_every;
  state.has_face = searches ? state.search(gray) : state.carry();
  if (state.has_face) state.fit(gray);
  std::swap(state.before, state.now);
  return state.has_face;
}

const cv::Rect2d& CascadeFollower::box() const { return state_->box; }
const std::vector<cv::Point2f>& CascadeFollower::points() const { return state_->points; }

}  // namespace bench

// Follows one face as a thesis on faces does, with parts of OpenCV and dlib: the rival of
// `winnow::Follower`.
//
// A cascade of OpenCV searches a face in every tenth frame, and in each frame while no face is there. In the
// frames between, OpenCV's flow carries the points of the frame before. The box moves by the median of the
// points, and grows by the median of their distances. dlib's predictor marks the points in the box of each
// frame.
//
// In:     the file of a cascade, the file of dlib's predictor, and grey frames of one size in their order.
// Out:    the box and the points of the face in the frame, if there is one.
// Memory: a follower owns its parts and pyramids. The frame is read only during the call.
// Thread: one thread at a time. OpenCV uses the threads of cv::setNumThreads.
#pragma once

#include <winnow/image.h>

#include <memory>
#include <opencv2/core.hpp>
#include <string>
#include <vector>

namespace bench {

struct CascadeOptions {
  int detect_every = 10;
  double scale_factor = 1.1;
  int min_neighbors = 3;
  int min_side = 0;  // pixels; 0 for the cascade's window
};

class CascadeFollower {
 public:
  CascadeFollower(const std::string& cascade, const std::string& predictor, CascadeOptions options = {});

  ~CascadeFollower();

  // Whether there is a face in the frame.
  bool next(winnow::GrayView frame);
  // The box and the points of the last frame's face.
  const cv::Rect2d& box() const;
  const std::vector<cv::Point2f>& points() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace bench

// Fits points with dlib, the rival of landmarks, and gives dlib's points before they are rounded to whole
// pixels.
//
// In:     the bytes of a file of dlib's, pictures and boxes of Winnow.
// Out:    dlib's own types, and dlib's points as Winnow's.
// Exact:  calls dlib's functions in the order in which dlib's predictor calls them.
// Memory: the caller owns all that is returned. dlib's pictures are copies.
// Thread: any.
#pragma once

#include <dlib/image_processing/shape_predictor.h>
#include <winnow/box.h>
#include <winnow/image.h>
#include <winnow/landmarker.h>

#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace bench {

// The file of Debian's package libdlib-data.
inline constexpr const char* kDebianModel = "/usr/share/dlib/shape_predictor_68_face_landmarks.dat";

// The lists of a dlib model. dlib's predictor does not give them out, so the file is read a second time. The
// lists give the shape before rounding.
struct DlibLists {
  dlib::matrix<float, 0, 1> initial;
  std::vector<std::vector<dlib::impl::regression_tree>> forests;
  std::vector<std::vector<unsigned long>> anchors;
  std::vector<std::vector<dlib::vector<float, 2>>> deltas;
};

inline DlibLists read_dlib_lists(const std::string& bytes) {
  std::istringstream in(bytes);
  DlibLists lists;
  int version = 0;
  dlib::deserialize(version, in);
  dlib::deserialize(lists.initial, in);
  dlib::deserialize(lists.forests, in);
  dlib::deserialize(lists.anchors, in);
  dlib::deserialize(lists.deltas, in);
  return lists;
}

inline dlib::rectangle dlib_box(const winnow::Box& box) {
  return {box.x, box.y, box.x + box.width - 1, box.y + box.height - 1};
}

inline dlib::array2d<unsigned char> dlib_picture(winnow::GrayView view) {
  dlib::array2d<unsigned char> picture(view.height, view.width);
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) picture[y][x] = view.row(y)[x];
  return picture;
}

inline dlib::matrix<float, 0, 1> dlib_shape(const DlibLists& lists,
                                            const dlib::array2d<unsigned char>& picture,
                                            const dlib::rectangle& box) {
  dlib::matrix<float, 0, 1> shape = lists.initial;
  std::vector<float> values;
  unsigned long leaf = 0;
  for (std::size_t stage = 0; stage < lists.forests.size(); ++stage) {
    dlib::impl::extract_feature_pixel_values(picture, box, shape, lists.initial, lists.anchors[stage],
                                             lists.deltas[stage], values);
    for (const auto& tree : lists.forests[stage]) shape += tree(values, leaf);
  }
  return shape;
}

// A point of dlib's shape in the picture, without rounding to whole pixels.
inline winnow::LandmarkPoint dlib_point(const dlib::matrix<float, 0, 1>& shape, long point,
                                        const winnow::Box& box) {
  return {box.x + (box.width - 1.) * static_cast<double>(shape(2 * point)),
          box.y + (box.height - 1.) * static_cast<double>(shape(2 * point + 1))};
}

}  // namespace bench

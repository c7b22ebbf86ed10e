// Holds the options of a search and its answer: plain data, the same for every kind of model and backend.
//
// In:     `DetectOptions`. Sizes are pixels of the picture.
// Out:    `Detections`: objects and counters, which also convert to bytes and back.
// Exact:  every backend, thread count and batch size gives the same answer, except for the backend's name.
// Memory: plain data of the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>
#include <winnow/search_defaults.h>

namespace winnow {

// A field without a value takes the model's value (`DetectorModel::search_defaults`). A `step` of Size{} also
// takes the model's value. Models in OpenCV's form have OpenCV's values. Any other model has the values that
// were found best for this model.
struct DetectOptions {
  std::optional<double> scale_factor{};  // the ratio of the sizes of neighbouring levels; above 1
  // From 1 to 4: the largest factor by which the picture is enlarged to find objects smaller than the model's
  // window. Enlarged levels are scale_factor, scale_factor^2, ... times as large as the picture, up to this
  // factor. They are searched before the other levels, and no rows of their windows are left out. A picture
  // smaller than the window is searched, too, if an enlarged level holds a window. Windows at `locations` are
  // judged without enlarging.
  std::optional<double> enlarge{};
  // An object of n candidates is kept if n > min_neighbors. With kGroups, 0 or less turns merging off. With
  // other merges, 0 or less keeps all objects.
  std::optional<int> min_neighbors{};
  // The sizes of the smallest and the largest object. A side of 0 does not limit that side. Cascades have two
  // more rules, which are OpenCV's:
  // - If a side of `max_size` is 0, the other side is not a limit, either.
  // - If no level is within both sizes, only the level nearest to `min_size` is searched. That level is never
  //   an enlarged one.
  Size min_size;
  Size max_size;
  bool raw = false;  // return candidates without merging, each with 1 neighbour
  // Objects with a lower score are dropped after merging; with `raw`, candidates with a lower score are
  // dropped. With HOG models, each window also needs this score before merging, and minus infinity means 0.
  std::optional<double> min_score{};
  // With kSupport: objects with a lower support are dropped after merging.
  std::optional<double> min_support{};
  // The distance of neighbouring windows along x and y, in pixels of the level. A side of 0 takes the model's
  // distance. Only for models whose windows lie a fixed number of pixels apart: for cascades of Haar or LBP
  // features, a side other than 0 is kUsage.
  Size step{};
  bool gray = false;  // ignore the picture's colour
  std::optional<Merge> merge{};
  // From 0 to 1. The picture is searched with a border on each side. The border is this fraction of the
  // picture's longer side. In the border the picture is mirrored about its outermost pixels (OpenCV's
  // BORDER_REFLECT_101). The border lets the search find objects at the edges of the picture. Boxes are moved
  // back and clipped to the picture. An object whose middle lies in the border is a mirror image, and is
  // dropped. Counters include the border's windows. Pictures on a device and searches of locations cannot
  // have a border: a value above 0 is kUsage, and a model's own border is not used.
  std::optional<double> border{};
  // Windows begin up to this many pixels outside of each level. The level is mirrored there, as the picture
  // is for `border`. OpenCV's padding is the same, but rounded up to strides. The Python module `winnow.cv2`
  // rounds, too. Unlike with a border, an object whose middle lies outside of the picture is kept. `padding`,
  // `locations` and `max_levels` are for linear SVMs; for other models they are kUsage.
  Size padding{};
  // The top left corners of the windows to judge in place of a search, in pixels of the picture. Windows have
  // the model's size and are numbered in this order. kUsage if a window begins or ends more than `padding`
  // outside of the picture. kUsage together with a border, kLimit above 1,048,576 windows.
  std::vector<PixelPoint> locations{};
  int max_levels = 0;  // the most levels, up to 4096, not counting enlarged ones; 0 means 64
  bool clip = true;    // whether boxes are cut to the picture, and boxes outside of the picture dropped
  // The region to search, in pixels of the picture; {} is the whole picture. The region is searched as if it
  // were a whole picture: pixels outside are cut off. Boxes and locations still count from the picture's
  // corner. `clip`, `border` and `padding` use the region's edges as the picture's. kUsage for a region
  // outside of the picture.
  Box region{};
};

// Returns `options` with a value in every field. Fields without a value take the value of `defaults`.
WINNOW_API DetectOptions complete_options(DetectOptions options, const SearchDefaults& defaults);

struct Detection {
  Box box;  // in pixels of the picture, clipped to it
  // A window's score is its sum in the last stage; in a soft cascade that sum runs over all stages. An
  // object's score is the largest score of its candidates (OpenCV's levelWeights). With kSupport, an object's
  // score is its support.
  double score = 0;
  int neighbors = 1;  // number of candidates that were merged into the object
  bool operator==(const Detection&) const = default;
};

// Counters of one picture, equal on every backend. For a cascade, windows = skipped + flat + reached[0].
struct Counters {
  std::int64_t windows = 0;  // windows on the grids of all levels
  std::int64_t skipped = 0;  // windows not visited: the first stage rejected the window to the left
  std::int64_t flat = 0;     // windows rejected before any stage, for lack of contrast
  // Entry i counts the windows that entered stage i. The last entry counts windows that passed all stages.
  std::vector<std::int64_t> reached;
  std::int64_t weak = 0;  // weak classifiers in all stages that a window entered, summed over all windows
  bool same_answer(const Counters& o) const {
    return windows == o.windows && skipped == o.skipped && flat == o.flat && reached == o.reached &&
           weak == o.weak;
  }
};

struct WINNOW_API Detections {
  // In the order of each object's first window. Windows are numbered level by level, the smallest objects
  // first, and row by row in a level.
  std::vector<Detection> objects;
  Counters counters;
  std::string backend;  // the name of the backend that searched: "cpu"
  Size picture;         // the whole picture's size, also after a search in a region

  // The bytes of the answer, to keep or to send. Equal answers of one backend have equal bytes everywhere.
  // kLimit for a backend's name of more than 256 bytes.
  std::vector<std::byte> to_bytes() const;
  // The same answer, to the bit, from the bytes of `to_bytes`. kFormat for damaged bytes, and for values that
  // no search gives, such as a side below 0 or a box beyond 2^31 pixels; `to_bytes` refuses these with kLimit.
  static Detections parse(std::span<const std::byte> bytes);
};

}  // namespace winnow

// Collects pictures and labels as a reader finds them, checks each label, and keeps each picture once.
//
// In:     names, boxes, points and categories, possibly hostile.
// Out:    a `Truth`, or an `Error` without a place (truth/place.h adds it). The code is kFormat for numbers
//         beyond kLargestNumber, boxes without an area, empty lists of points, and names that are empty or
//         hold control characters. The code is kLimit for names that are too long, and for counts beyond
//         the limits kMax... below.
// Exact:  numbers stay as they are given; a box around points has their extreme coordinates.
// Memory: owns the pictures and labels until `finish` hands them over.
// Thread: one thread at a time.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>

#include <winnow/truth.h>

namespace winnow {

// 16 Mi labels are more than the largest public sets have.
inline constexpr std::size_t kMaxPictures = std::size_t{1} << 24, kMaxLabels = std::size_t{1} << 24,
                             kMaxPoints = std::size_t{1} << 26, kMaxCategories = std::size_t{1} << 20;

class Gather {
 public:
  // Relative paths of pictures begin at `folder`.
  Gather(TruthFormat format, std::string folder) : folder_(std::move(folder)) { truth_.format = format; }

  std::string path_of(const std::string& name) const;
  // The index of the picture of this name, which is added if it is new. An empty `path` stands for the name
  // within the folder. If a name comes with several paths, the first is used.
  std::size_t picture(const std::string& name, const std::string& path = {});
  // Adds a category, even if no label has it.
  void category(const std::string& name);
  // Adds a label with a box. The caller has checked its points.
  void box(std::size_t picture, Label label);
  // Adds an object that is marked by points alone. The object's box is the box around the points, and may
  // have no area.
  void points(std::size_t picture, std::vector<Point> points);
  // Names the points of the objects that follow. kFormat if other objects have other names.
  void name_points(std::vector<std::string> names);
  // Adds a sentence for the reader of the labels.
  void note(std::string sentence) { truth_.notes.push_back(std::move(sentence)); }
  // Adds the notes about labels of YOLO: numbers of pictures without a file of labels, and of polygons.
  void note_yolo(std::size_t without, std::size_t polygons);
  // Hands over all pictures. If `category` is not "", they keep only the labels of this category. kUsage if
  // there is no such category, kFormat if there is no picture.
  Truth finish(const std::string& category);

 private:
  void add(std::size_t picture, Label label);

  std::string folder_;
  Truth truth_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::set<std::string> categories_;
  std::size_t labels_ = 0, points_ = 0;
  bool named_ = false;
};

}  // namespace winnow

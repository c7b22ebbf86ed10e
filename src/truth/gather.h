// Pictures and labels as they come out of a file, checked one by one, each picture once.
//
// Refused: numbers beyond kLargestNumber, boxes without an area, names that are empty, endless or hold
// control characters, and more of anything than kMax...: 16 Mi labels are more than the largest public sets
// have. Errors know no place (truth/place.h adds it).
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>

#include <winnow/truth.h>

namespace winnow {

inline constexpr std::size_t kMaxPictures = std::size_t{1} << 24, kMaxLabels = std::size_t{1} << 24,
                             kMaxPoints = std::size_t{1} << 26, kMaxCategories = std::size_t{1} << 20;

class Gather {
 public:
  // Relative names lie in `folder`.
  Gather(TruthFormat format, std::string folder) : folder_(std::move(folder)) { truth_.format = format; }

  std::string path_of(const std::string& name) const;
  // Its number; the same for the same name. `path`: where it lies, if the name does not say.
  std::size_t picture(const std::string& name, const std::string& path = {});
  // A category that is there, though perhaps no label has it.
  void category(const std::string& name);
  void box(std::size_t picture, Label label);
  // An object that is marked by points alone; its box is what holds them, and may be empty.
  void points(std::size_t picture, std::vector<Point> points);
  // Only the labels of `category` unless it is "". kUsage if there is none such, kFormat if there is no
  // picture.
  Truth finish(const std::string& category);

 private:
  void add(std::size_t picture, Label label);

  std::string folder_;
  Truth truth_;
  std::unordered_map<std::string, std::size_t> by_name_;
  std::set<std::string> categories_;
  std::size_t labels_ = 0, points_ = 0;
};

}  // namespace winnow

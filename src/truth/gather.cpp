#include "truth/gather.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <utility>

#include <winnow/error.h>

#include "base/count_text.h"
#include "truth/words.h"

namespace winnow {
namespace {

void check_name(const std::string& name, const char* what) {
  constexpr std::size_t kLongest = 4096;
  if (name.empty()) throw Error(ErrorCode::kFormat, std::string(what) + " has no name");
  if (name.size() > kLongest)
    throw Error(ErrorCode::kLimit, std::string(what) + " has a name of more than 4096 bytes");
  for (const char letter : name)
    if (static_cast<unsigned char>(letter) < ' ' || letter == '\x7f')
      throw Error(ErrorCode::kFormat, std::string(what) + " has a control character in its name");
}

void check_room(std::size_t have, std::size_t more, std::size_t most, const char* what) {
  if (more > most - have)
    throw Error(ErrorCode::kLimit, "there may be " + std::to_string(most) + " " + what + ", here are more");
}

void check_side(double length, const char* how) {
  if (length > 0 && length <= kLargestNumber) return;  // NaN fails both comparisons
  throw Error(ErrorCode::kFormat, "the box is " + shown(length) + " pixels " + how);
}

void check_coordinate(double value) {
  if (!(std::fabs(value) <= kLargestNumber))
    throw Error(ErrorCode::kFormat, "a coordinate is " + shown(value) + ", which is in no picture");
}

std::string listed(const std::set<std::string>& categories) {
  constexpr std::size_t kMost = 30;
  std::string text;
  std::size_t count = 0;
  for (const std::string& name : categories) {
    if (count == kMost) return text + " and " + std::to_string(categories.size() - kMost) + " more";
    text += (count++ == 0 ? "'" : ", '") + name + "'";
  }
  return text;
}

}  // namespace

std::string Gather::path_of(const std::string& name) const {
  return (std::filesystem::path(folder_) / name).string();
}

std::size_t Gather::picture(const std::string& name, const std::string& path) {
  if (const auto found = by_name_.find(name); found != by_name_.end()) return found->second;
  check_name(name, "a picture");
  check_room(truth_.pictures.size(), 1, kMaxPictures, "pictures");
  const std::size_t number = truth_.pictures.size();
  truth_.pictures.push_back({path.empty() ? path_of(name) : path, name, {}});
  by_name_.emplace(name, number);
  return number;
}

void Gather::category(const std::string& name) {
  if (categories_.contains(name)) return;
  check_name(name, "a category");
  check_room(categories_.size(), 1, kMaxCategories, "categories");
  categories_.insert(name);
}

void Gather::box(std::size_t picture, Label label) {
  check_coordinate(label.box.x);
  check_coordinate(label.box.y);
  check_side(label.box.width, "wide");
  check_side(label.box.height, "high");
  add(picture, std::move(label));
}

void Gather::points(std::size_t picture, std::vector<Point> points) {
  if (points.empty()) throw Error(ErrorCode::kFormat, "the object has no points");
  double left = points[0].x, top = points[0].y, right = left, bottom = top;
  for (const Point& point : points) {
    check_coordinate(point.x);
    check_coordinate(point.y);
    left = std::min(left, point.x);
    right = std::max(right, point.x);
    top = std::min(top, point.y);
    bottom = std::max(bottom, point.y);
  }
  Label label;
  label.box = {left, top, right - left, bottom - top};
  label.points = std::move(points);
  add(picture, std::move(label));
}

void Gather::name_points(std::vector<std::string> names) {
  for (const std::string& name : names) check_name(name, "a point");
  if (std::exchange(named_, true) && names.size() == truth_.point_names.size() && names != truth_.point_names)
    throw Error(ErrorCode::kFormat, "the object's points have other names than those of an object before");
  if (truth_.point_names.empty()) truth_.point_names = std::move(names);
}

void Gather::add(std::size_t picture, Label label) {
  check_room(labels_, 1, kMaxLabels, "objects");
  check_room(points_, label.points.size(), kMaxPoints, "points");
  if (!label.category.empty()) category(label.category);
  ++labels_;
  points_ += label.points.size();
  truth_.pictures[picture].labels.push_back(std::move(label));
}

void Gather::note_yolo(std::size_t without, std::size_t polygons) {
  if (without > 0)
    note(count_text(static_cast<std::int64_t>(without), "picture") + (without == 1 ? " has" : " have") +
         " no file of labels, taken as empty");
  if (polygons > 0)
    note(count_text(static_cast<std::int64_t>(polygons), "polygon") +
         (polygons == 1 ? " becomes the box around it" : " become the boxes around them"));
}

Truth Gather::finish(const std::string& category) {
  if (truth_.pictures.empty()) throw Error(ErrorCode::kFormat, "names no picture");
  std::set<std::string> used;
  for (const LabelledPicture& picture : truth_.pictures)
    for (const Label& label : picture.labels)
      if (!label.ignore && !label.category.empty()) used.insert(label.category);
  if (category.empty() && used.size() > 1)
    note("objects of " + std::to_string(used.size()) + " classes are taken together: " + listed(used));
  if (!category.empty()) {
    if (categories_.empty())
      throw Error(ErrorCode::kUsage, "no label has a category, so none is " + shown(category));
    if (!categories_.contains(category))
      throw Error(ErrorCode::kUsage, "has no category " + shown(category) + ", but " + listed(categories_));
    for (LabelledPicture& picture : truth_.pictures)
      std::erase_if(picture.labels, [&](const Label& label) { return label.category != category; });
  }
  return std::move(truth_);
}

}  // namespace winnow

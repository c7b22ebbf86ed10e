// Reads COCO's JSON, as truth/formats/readers.h declares; its opening comment holds here. The JSON has three
// lists: images, annotations and categories. An annotation names its image and its category by ids.
//
// The text is read as a stream, so values that are not needed use no memory. Annotations are joined to their
// images at the end, since the lists may come in any order.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include <winnow/error.h>

#include "truth/formats/readers.h"
#include "truth/place.h"
#include "truth/words.h"

namespace winnow {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxAnnotations = kMaxLabels;

// An iterator over the text that notes how far the parser has read, so that an error can name its line.
class Watched {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Watched(const char* at, const char** taken) : at_(at), taken_(taken) {}
  reference operator*() const { return *at_; }
  Watched& operator++() {
    *taken_ = ++at_;
    return *this;
  }
  Watched operator++(int) {
    const Watched before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Watched& other) const { return at_ == other.at_; }
  bool operator!=(const Watched& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** taken_;
};

enum class List { kNone, kImages, kAnnotations, kCategories };
constexpr const char* kListNames[] = {"", "images", "annotations", "categories"};

// The fields of an item in any of the lists.
struct Item {
  std::optional<std::int64_t> id, image, category;
  std::optional<std::string> file, name;
  std::vector<double> box;
  bool crowd = false;
};

struct Annotation {
  std::int64_t image = 0;
  std::optional<std::int64_t> category;
  RealBox box;
  bool crowd = false;
  const char* at = nullptr;
};

struct Image {
  std::int64_t id = 0;
  std::string file;
  const char* at = nullptr;
};

using Json = nlohmann::json;

class CocoReader final : public nlohmann::json_sax<Json> {
 public:
  explicit CocoReader(std::string_view text) : text_(text), taken_(text.data()) {}

  void read() {
    const auto here = [&] { return line_of(taken_); };
    const Watched first(text_.data(), &taken_), last(text_.data() + text_.size(), &taken_);
    at_line(here, [&] { Json::sax_parse(first, last, this); });
  }

  void give(Gather& gather) const;

  bool null() override { return other(); }
  bool boolean(bool value) override { return number(value ? 1 : 0, true); }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value), true); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value), true); }
  bool number_float(number_float_t value, const string_t&) override { return number(value, false); }
  bool string(string_t& value) override;
  bool binary(binary_t&) override { return other(); }
  bool start_object(std::size_t) override;
  bool key(string_t& value) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t, const std::string&, const Json::exception& error) override;

 private:
  [[noreturn]] static void fail(const std::string& sentence) { throw Error(ErrorCode::kFormat, sentence); }
  std::int64_t line_of(const char* at) const {
    // To end a number, the parser reads one letter more, which may be a line feed.
    return 1 + std::count(text_.data(), std::max(text_.data(), at - 1), '\n');
  }
  bool in_item() const { return list_ != List::kNone && depth_ == 3; }
  bool number(double value, bool whole);
  bool other();
  void deeper() {
    if (++depth_ > kMaxDepth) throw Error(ErrorCode::kLimit, "JSON may be 64 levels deep, this is deeper");
  }
  void keep_item();

  std::string_view text_;
  const char* taken_;
  int depth_ = 0;
  List list_ = List::kNone;
  bool seen_[4] = {};
  bool in_box_ = false;
  std::string field_;
  Item item_;
  std::vector<Image> images_;
  std::vector<Annotation> annotations_;
  std::unordered_map<std::int64_t, std::string> categories_;
};

bool CocoReader::start_object(std::size_t) {
  if (in_box_) fail("a bbox is four numbers");
  deeper();
  if (depth_ == 2 && list_ != List::kNone) fail("'" + field_ + "' is not a list");
  if (in_item()) item_ = {};
  return true;
}

bool CocoReader::start_array(std::size_t) {
  if (in_box_) fail("a bbox is four numbers");
  if (depth_ == 0) fail("is a list in JSON, and COCO's labels are an object with images and annotations");
  deeper();
  if (in_item()) fail("an item of '" + std::string(kListNames[static_cast<int>(list_)]) + "' is a list");
  if (list_ == List::kAnnotations && depth_ == 4 && field_ == "bbox") {
    in_box_ = true;
    item_.box.clear();
  }
  return true;
}

bool CocoReader::end_array() {
  if (in_box_ && depth_ == 4) {
    in_box_ = false;
    if (item_.box.size() != 4) fail("a bbox is four numbers");
  }
  --depth_;
  return true;
}

bool CocoReader::end_object() {
  if (in_item()) keep_item();
  --depth_;
  return true;
}

bool CocoReader::key(string_t& value) {
  if (depth_ == 1) {
    list_ = List::kNone;
    for (const List list : {List::kImages, List::kAnnotations, List::kCategories})
      if (value == kListNames[static_cast<int>(list)]) list_ = list;
    bool& seen = seen_[static_cast<int>(list_)];
    if (seen && list_ != List::kNone) fail("a second list '" + value + "'");
    seen = true;
  }
  if (depth_ == 1 || in_item()) field_ = value;
  return true;
}

bool CocoReader::string(string_t& value) {
  if (!in_item()) return other();
  if (field_ == "file_name") {
    item_.file = value;
  } else if (field_ == "name") {
    item_.name = value;
  } else {
    return other();
  }
  return true;
}

bool CocoReader::number(double value, bool whole) {
  if (in_box_) {
    if (item_.box.size() == 4) fail("a bbox is four numbers");
    item_.box.push_back(value);
    return true;
  }
  if (!in_item()) return other();
  std::optional<std::int64_t>* id = field_ == "id"            ? &item_.id
                                    : field_ == "image_id"    ? &item_.image
                                    : field_ == "category_id" ? &item_.category
                                                              : nullptr;
  constexpr double kExact = 0x1p53;
  if (id != nullptr) {
    if (!whole || value < -kExact || value > kExact) fail("'" + field_ + "' is no whole number below 2^53");
    *id = static_cast<std::int64_t>(value);
  } else if (field_ == "iscrowd") {
    if (value != 0 && value != 1) fail("'iscrowd' is neither 0 nor 1");
    item_.crowd = value == 1;
  } else {
    return other();
  }
  return true;
}

// Skips a value that is not needed. Fails if the format requires another sort of value here.
bool CocoReader::other() {
  if (in_box_) fail("a bbox is four numbers");
  if (depth_ == 0) fail("is no object in JSON");
  if (list_ != List::kNone && depth_ == 1) fail("'" + field_ + "' is not a list");
  if (list_ != List::kNone && depth_ == 2)
    fail("an item of '" + std::string(kListNames[static_cast<int>(list_)]) + "' is no object");
  return true;
}

void CocoReader::keep_item() {
  const auto need = [](bool there, const char* what) {
    if (!there) fail(std::string(what) + " is missing, or not of its kind");
  };
  const auto room = [](std::size_t have, std::size_t most) {
    if (have == most) throw Error(ErrorCode::kLimit, "a list may have " + std::to_string(most) + " items");
  };
  switch (list_) {
    case List::kImages:
      need(item_.id.has_value(), "an image's 'id'");
      need(item_.file.has_value(), "an image's 'file_name'");
      room(images_.size(), kMaxPictures);
      images_.push_back({*item_.id, std::move(*item_.file), taken_});
      break;
    case List::kAnnotations:
      need(item_.image.has_value(), "an annotation's 'image_id'");
      need(item_.box.size() == 4, "an annotation's 'bbox'");
      room(annotations_.size(), kMaxAnnotations);
      annotations_.push_back({*item_.image,
                              item_.category,
                              {item_.box[0], item_.box[1], item_.box[2], item_.box[3]},
                              item_.crowd,
                              taken_});
      break;
    case List::kCategories:
      need(item_.id.has_value(), "a category's 'id'");
      need(item_.name.has_value(), "a category's 'name'");
      room(categories_.size(), kMaxCategories);
      if (!categories_.emplace(*item_.id, std::move(*item_.name)).second)
        fail("a second category with the id " + std::to_string(*item_.id));
      break;
    case List::kNone:
      break;
  }
}

bool CocoReader::parse_error(std::size_t, const std::string& token, const Json::exception& error) {
  // The parser's own sentence is not for users: it begins with a name and error numbers.
  if (dynamic_cast<const Json::out_of_range*>(&error) != nullptr)
    fail("broken JSON: a number beyond the range of numbers");
  const bool ended = std::string_view(error.what()).find("unexpected end of input") != std::string_view::npos;
  fail(ended ? "broken JSON: it ends too soon" : "broken JSON near " + shown(token));
}

void CocoReader::give(Gather& gather) const {
  for (const List list : {List::kImages, List::kAnnotations})
    if (!seen_[static_cast<int>(list)])
      fail("is JSON without a list '" + std::string(kListNames[static_cast<int>(list)]) +
           "', as COCO has it");
  std::unordered_map<std::int64_t, std::size_t> pictures;
  for (const Image& image : images_) {
    at_line([&] { return line_of(image.at); },
            [&] {
              if (!pictures.emplace(image.id, gather.picture(image.file)).second)
                fail("a second image with the id " + std::to_string(image.id));
            });
  }
  for (const auto& [id, name] : categories_) gather.category(name);
  for (const Annotation& annotation : annotations_) {
    at_line(
        [&] { return line_of(annotation.at); },
        [&] {
          const auto picture = pictures.find(annotation.image);
          if (picture == pictures.end())
            fail("the annotation is of image " + std::to_string(annotation.image) + ", which is not there");
          Label label{annotation.box, {}, {}, annotation.crowd};
          if (annotation.category) {
            const auto category = categories_.find(*annotation.category);
            if (category == categories_.end())
              fail("the annotation is of category " + std::to_string(*annotation.category) +
                   ", which is not there");
            label.category = category->second;
          }
          // Boxes without an area are left out. COCO's own files hold a few.
          if (label.box.width == 0 || label.box.height == 0) return;
          gather.box(picture->second, std::move(label));
        });
  }
}

}  // namespace

void read_coco(std::string_view text, Gather& gather) {
  CocoReader reader(text);
  reader.read();
  reader.give(gather);
}

}  // namespace winnow

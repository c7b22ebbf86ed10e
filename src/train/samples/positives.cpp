#include "train/samples/positives.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include <winnow/error.h>
#include <winnow/truth.h>

#include "base/clean_text.h"
#include "base/count_text.h"
#include "base/file.h"
#include "base/random.h"
#include "hog/hog_steps.h"
#include "image/warp_picture.h"
#include "train/samples/crop_folder.h"
#include "train/samples/pack_options.h"
#include "train/samples/pack_sources.h"
#include "train/samples/picture_planes.h"
#include "train/samples/vec_file.h"

namespace winnow {
namespace {

class VecSource : public PositiveSource {
 public:
  VecSource(const std::string& path, const PackOptions& options) : path_(path), color_(options.color) {
    const std::vector<std::byte> bytes = read_file(path, kMaxVecBytes);
    try {
      samples_ = read_vec(bytes, options.window);
    } catch (const Error& error) {
      throw error.in_file(path);
    }
  }
  std::string kind() const override { return "vec"; }
  std::size_t count() const override { return samples_.size(); }
  bool open(std::size_t i, Positive& positive, const PackNote&) override {
    const GrayView sample = std::as_const(samples_[i]).view();
    positive = {sample, {}, {}, path_ + ": " + std::to_string(i + 1)};
    if (color_) positive.channels.fill(sample);
    return true;
  }

 private:
  std::string path_;
  bool color_;
  std::vector<GrayImage> samples_;
};

class TruthSource : public PositiveSource {
 public:
  TruthSource(const std::string& path, const PackOptions& options, const PackNote& note)
      : options_(options),
        eyes_(options.eyes.empty() ? EyePoints{} : parse_eyes(options.eyes)),
        truth_(read_truth(path, {options.pictures, options.category, options.truth_format})),
        picture_(options) {
    std::size_t ignored = 0, pointed = 0, around = 0;
    for (std::size_t picture = 0; picture < truth_.pictures.size(); ++picture) {
      const auto& labels = truth_.pictures[picture].labels;
      for (std::size_t label = 0; label < labels.size(); ++label) {
        if (labels[label].ignore) {
          ++ignored;
          continue;
        }
        if (!labels[label].points.empty()) ++pointed;
        if (is_around(labels[label])) ++around;
        places_.emplace_back(picture, label);
      }
    }
    refuse_several_classes(path);
    for (const std::string& sentence : truth_.notes) note(path + ": " + sentence);
    if (ignored > 0)
      note(path + ": " + count_text(static_cast<std::int64_t>(ignored), "object") +
           (ignored == 1 ? " is" : " are") + " marked to be ignored");
    note_without_labels(path, note);
    if (options.eyes.empty() && around > 0)
      note(path +
           ": the boxes are those around the points; --eyes says which points are eyes to be levelled");
    if (!options.eyes.empty() && !places_.empty() && pointed == 0)
      throw Error(ErrorCode::kUsage, "has no points, so there are no eyes to be levelled", path);
  }
  std::string kind() const override { return truth_format_name(truth_.format); }
  std::size_t count() const override { return places_.size(); }
  std::vector<std::string> pictures() const override {
    std::vector<std::string> paths;
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (i == 0 || places_[i].first != places_[i - 1].first)
        paths.push_back(truth_.pictures[places_[i].first].path);
    return paths;
  }
  bool open(std::size_t i, Positive& positive, const PackNote& note) override {
    const LabelledPicture& labelled = truth_.pictures[places_[i].first];
    const Label& label = labelled.labels[places_[i].second];
    const Planes* image = picture_.read(labelled.path, note);
    if (image == nullptr) return false;
    const std::string name = labelled.name + ": " + std::to_string(places_[i].second + 1);
    const char* wrong = place(label, positive.place);
    if (wrong == nullptr) wrong = what_is_wrong(positive.place, image->size(), options_.window);
    if (wrong != nullptr) {
      note(name + " " + wrong);
      return false;
    }
    image->show(positive);
    positive.name = name;
    return true;
  }

 private:
  static bool is_around(const Label& label) {
    if (label.points.empty()) return false;
    const auto [left, right] = std::minmax_element(label.points.begin(), label.points.end(),
                                                   [](const Point& a, const Point& b) { return a.x < b.x; });
    const auto [top, bottom] = std::minmax_element(label.points.begin(), label.points.end(),
                                                   [](const Point& a, const Point& b) { return a.y < b.y; });
    return label.box == RealBox{left->x, top->y, right->x - left->x, bottom->y - top->y};
  }
  // A cascade of several classes together is of use to nobody, and the labels may be meant for one of them.
  void refuse_several_classes(const std::string& path) const {
    if (!options_.category.empty()) return;
    std::map<std::string, std::size_t> counts;
    for (const auto& [picture, label] : places_) {
      const std::string& category = truth_.pictures[picture].labels[label].category;
      if (!category.empty()) ++counts[category];
    }
    if (counts.size() < 2) return;
    constexpr std::size_t kMostShown = 12;
    std::string names;
    std::size_t shown = 0;
    for (const auto& [name, count] : counts) {
      if (shown++ == kMostShown) break;
      names += (names.empty() ? "" : ", ") + clean_text(name) + " (" + std::to_string(count) + ")";
    }
    throw Error(ErrorCode::kUsage,
                "has objects of " + std::to_string(counts.size()) + " classes: " + names +
                    (counts.size() > kMostShown ? " and more" : "") +
                    "; name the one to learn with --category",
                path);
  }
  // One label file is enough for a folder of crops to be taken for a truth. A note tells the user about
  // pictures without labels.
  void note_without_labels(const std::string& path, const PackNote& note) const {
    // The notes of YOLO's labels tell this.
    if (!is_folder(path) || truth_.format == TruthFormat::kYolo) return;
    const std::vector<std::string> pictures = pictures_in(path);
    const auto labelled = std::find_if(pictures.begin(), pictures.end(), has_labels);
    const auto without = std::count_if(pictures.begin(), pictures.end(),
                                       [](const std::string& picture) { return !has_labels(picture); });
    if (labelled == pictures.end() || without == 0) return;
    note(path + ": is taken for labelled pictures, since " + file_name(*labelled) +
         " has a file of labels; " + count_text(without, "picture") +
         (without == 1 ? " has none, and gives nothing" : " have none, and give nothing"));
  }
  const char* place(const Label& label, Affine& at) const {
    if (options_.eyes.empty()) {
      if (!(label.box.width > 0 && label.box.height > 0)) return "is empty";
      at = place_label(label.box, options_.margin, options_.window);
      return nullptr;
    }
    Point left, right;
    if (!mean(label.points, eyes_.left, left) || !mean(label.points, eyes_.right, right))
      return "does not have all points of the eyes";
    if (left == right) return "has both eyes in one place";
    // Data sets differ in the meaning of left: the viewer's or the subject's. No set has faces upside down.
    if (right.x < left.x) std::swap(left, right);
    at = place_eyes(left, right, options_.eye_span, options_.eye_line, options_.window);
    return nullptr;
  }
  static bool mean(const std::vector<Point>& points, const std::vector<std::size_t>& which, Point& result) {
    result = {};
    for (const std::size_t i : which) {
      if (i >= points.size()) return false;
      result.x += points[i].x;
      result.y += points[i].y;
    }
    const double count = static_cast<double>(which.size());
    result = {result.x / count, result.y / count};
    return std::isfinite(result.x) && std::isfinite(result.y);
  }

  const PackOptions& options_;
  EyePoints eyes_;
  Truth truth_;
  std::vector<std::pair<std::size_t, std::size_t>> places_;  // the numbers of the picture and of its label
  LastPicture picture_;
};

class WarpSource : public PositiveSource {
 public:
  WarpSource(const std::string& path, const std::vector<Pack::Negative>& negatives,
             const PackOptions& options)
      : path_(path),
        image_(read_picture(path).gray),
        negatives_(negatives),
        bounds_(warp_bounds(options)),
        seed_(options.seed),
        count_(static_cast<std::size_t>(options.warps)),
        window_(options.window.width, options.window.height) {}
  std::string kind() const override { return "warps"; }
  std::size_t count() const override { return count_; }
  bool open(std::size_t i, Positive& positive, const PackNote&) override {
    if (negatives_.empty())
      throw Error(ErrorCode::kUsage, "this picture is to be warped onto negatives, and there are none",
                  path_);
    Random random(seed_, kPurpose, i);
    const auto which = static_cast<std::size_t>(random.bits() % negatives_.size());
    if (which != held_ || negative_.empty()) negative_ = decode_picture(negatives_[which].file).gray;
    held_ = which;
    warp_picture(std::as_const(image_).view(), std::as_const(negative_).view(), bounds_, random,
                 window_.view());
    positive = {std::as_const(window_).view(), {}, {}, path_ + ": warp " + std::to_string(i + 1)};
    return true;
  }

 private:
  static constexpr std::uint64_t kPurpose = 0x77617270;  // no positive that is copied has this number

  std::string path_;
  GrayImage image_;
  const std::vector<Pack::Negative>& negatives_;
  WarpBounds bounds_;
  std::uint64_t seed_;
  std::size_t count_;
  GrayImage window_, negative_;
  std::size_t held_ = 0;
};

// Reads numbers and ranges of numbers, such as "36-41,50".
std::vector<std::size_t> parse_points(const std::string& text, const Error& wrong) {
  constexpr std::size_t kMostPoints = 10000;
  std::vector<std::size_t> points;
  const char* at = text.data();
  const char* end = at + text.size();
  const auto number = [&] {
    std::size_t value = 0;
    const auto read = std::from_chars(at, end, value);
    if (read.ec != std::errc() || value >= kMostPoints) throw wrong;
    at = read.ptr;
    return value;
  };
  for (;;) {
    const std::size_t first = number();
    std::size_t last = first;
    if (at != end && *at == '-') ++at, last = number();
    if (last < first || points.size() + (last - first) >= kMostPoints) throw wrong;
    for (std::size_t i = first; i <= last; ++i) points.push_back(i);
    if (at == end) return points;
    if (*at++ != ',') throw wrong;
  }
}

}  // namespace

std::unique_ptr<PositiveSource> open_positives(const std::string& path,
                                               const std::vector<Pack::Negative>& negatives,
                                               const PackOptions& options, const PackNote& note) {
  switch (positive_kind(path)) {
    case SourceKind::kCrops:
      return open_crops(path, options);
    case SourceKind::kVec:
      if (options.encode > 0)
        throw Error(ErrorCode::kUsage, "holds samples, not pictures, which cannot be encoded again", path);
      return std::make_unique<VecSource>(path, options);
    case SourceKind::kPicture:
      if (options.warps > 0 && (options.color || options.encode > 0))
        throw Error(ErrorCode::kUsage, "is to be warped, and warps are grey and not encoded again", path);
      if (options.warps > 0) return std::make_unique<WarpSource>(path, negatives, options);
      throw Error(ErrorCode::kUsage, "is one picture: say how many warps are to be made of it", path);
    case SourceKind::kTruth:
      break;
  }
  try {
    return std::make_unique<TruthSource>(path, options, note);
  } catch (const Error& error) {
    // The user may have meant a folder of crops, so the message names pictures, too.
    const bool no_labels = error.sentence().starts_with("is a folder without labels");
    if (!no_labels || error.file() != path || !pictures_in(path).empty()) throw;
    throw Error(error.code(),
                "holds no picture of its own, and no labels (YOLO's .txt, VOC's .xml or iBUG's .pts)", path);
  }
}

Affine place_crop(Size crop, const RealBox& area, Size window) {
  RealBox box = area.width > 0 ? area : RealBox{0, 0, double(crop.width), double(crop.height)};
  const double shape = box.width * window.height / (box.height * window.width);
  if (shape > 1.02) {
    const double width = box.height * window.width / window.height;
    box = {box.x + (box.width - width) / 2, box.y, width, box.height};
  } else if (shape < 1 / 1.02) {
    const double height = box.width * window.height / window.width;
    box = {box.x, box.y + (box.height - height) / 2, box.width, height};
  }
  return place_box(box, window);
}

Affine place_label(const RealBox& box, double margin, Size window) {
  const double scale = std::max(box.width * margin / window.width, box.height * margin / window.height);
  const double width = scale * window.width, height = scale * window.height;
  return place_box({box.x + (box.width - width) / 2, box.y + (box.height - height) / 2, width, height},
                   window);
}

Affine place_eyes(const Point& left, const Point& right, double span, double line, Size window) {
  // (x, y) is the step of one window pixel along the line of the eyes. The step down is (x, y) after a
  // quarter turn.
  const double x = (right.x - left.x) * span / window.width, y = (right.y - left.y) * span / window.width;
  const double across = window.width / 2.0, down = window.height * line;
  return {x, -y, (left.x + right.x) / 2 - x * across + y * down,
          y, x,  (left.y + right.y) / 2 - y * across - x * down};
}

EyePoints parse_eyes(const std::string& text) {
  const Error wrong(ErrorCode::kUsage,
                    "the eyes are two lists of points such as 0/1 or 36-41/42-47, not '" + text + "'");
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw wrong;
  return {parse_points(text.substr(0, slash), wrong), parse_points(text.substr(slash + 1), wrong)};
}

}  // namespace winnow

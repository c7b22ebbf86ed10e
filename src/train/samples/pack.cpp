// Makes a pack: windows of positives with their copies, and negatives. The opening comment of winnow/pack.h,
// which declares `make_pack`, holds here.
#include <winnow/error.h>
#include <winnow/pack.h>
#include <winnow/version.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <string_view>
#include <unordered_map>

#include "base/clean_text.h"
#include "train/samples/jitter.h"
#include "train/samples/negatives.h"
#include "train/samples/pack_options.h"
#include "train/samples/pack_sources.h"
#include "train/samples/positives.h"

namespace winnow {
namespace {

// The pixels of a window: its grey, and its colours in a pack with colours.
struct Pixels {
  std::vector<std::uint8_t> gray, color;
  bool operator==(const Pixels&) const = default;
};

// A positive before its mirror image and copies are made.
struct Found {
  std::size_t source = 0, index = 0;
  // The positive's number among all that were opened. The random changes of its copies depend on this number,
  // so they do not depend on which samples `choose` keeps.
  std::uint64_t number = 0;
  Pixels pixels;
  std::string name;
};

ImageView<std::uint8_t> view_of(std::vector<std::uint8_t>& pixels, Size window) {
  return {pixels.data(), window.width, window.height, window.width};
}

template <class Pixel>
void flip(ImageView<Pixel> window) {
  for (int y = 0; y < window.height; ++y) std::reverse(window.row(y), window.row(y) + window.width);
}

void flip(Pixels& pixels, Size window) {
  flip(view_of(pixels.gray, window));
  if (pixels.color.empty()) return;
  flip(ImageView<Rgb>{reinterpret_cast<Rgb*>(pixels.color.data()), window.width, window.height,
                      static_cast<std::ptrdiff_t>(sizeof(Rgb)) * window.width});
}

// Cuts a positive's window from its grey and from each colour channel. `sample(picture, window)` cuts the
// window of one channel, and must give equal windows for equal channels.
template <class Sample>
void sample_channels(const Positive& positive, Size window, const Sample& sample, Pixels& pixels) {
  const std::size_t count = static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height);
  pixels.gray.resize(count);
  sample(positive.picture, view_of(pixels.gray, window));
  if (positive.channels[0].data == nullptr) return;
  pixels.color.resize(3 * count);
  std::vector<std::uint8_t> channel(count);
  for (std::size_t c = 0; c < 3; ++c) {
    sample(positive.channels[c], view_of(channel, window));
    for (std::size_t i = 0; i < count; ++i) pixels.color[3 * i + c] = channel[i];
  }
}

// A set of windows that tells whether an equal window was added before.
class Distinct {
 public:
  // Adds a window. Returns false, and adds nothing, if an equal window was added before. `is_equal(i)`
  // compares the window with the i-th window added, from 0.
  template <class IsEqual>
  bool add(const Pixels& pixels, IsEqual is_equal) {
    const std::string_view text(reinterpret_cast<const char*>(pixels.gray.data()), pixels.gray.size());
    const std::size_t key = std::hash<std::string_view>{}(text);
    const auto [begin, end] = seen_.equal_range(key);
    for (auto it = begin; it != end; ++it) {
      if (is_equal(it->second)) return false;
    }
    seen_.emplace(key, count_++);
    return true;
  }

 private:
  std::unordered_multimap<std::size_t, std::size_t> seen_;
  std::size_t count_ = 0;
};

class Maker {
 public:
  Maker(const PackOptions& options, const PackNote& note) : options_(options), note_(note) {
    pack_.window = options.window;
    pack_.color = options.color;
  }

  Pack make(const std::vector<std::string>& positives, const std::vector<std::string>& negatives) {
    std::set<std::string> shown;  // the files of the pictures that show positives
    for (const std::string& path : positives) {
      sources_.push_back(open_positives(path, pack_.negatives, options_, note_));
      // A part of such a picture may show none.
      if (negatives.empty() || options_.negative_crop.width > 0) continue;
      for (const std::string& picture : sources_.back()->pictures()) shown.insert(real_path(picture));
    }
    pack_.negatives =
        load_negatives(negatives, options_.negative_crop, options_.window, options_.color, note_, shown);
    find();
    choose();
    for (Found& found : found_) add_with_copies(found);
    if (twice_ > 0) {
      note_(std::to_string(twice_) + (twice_ == 1 ? " positive is" : " positives are") +
            " equal to another one and left out");
    }
    write_recipe(positives, negatives);
    return std::move(pack_);
  }

 private:
  void find() {
    Distinct distinct;
    std::uint64_t number = 0;
    for (std::size_t source = 0; source < sources_.size(); ++source) {
      for (std::size_t i = 0; i < sources_[source]->count(); ++i, ++number) {
        Positive positive;
        if (!sources_[source]->open(i, positive, note_)) continue;
        Found found{source, i, number, {}, clean_text(positive.name)};
        sample_channels(
            positive, options_.window,
            [&](GrayView picture, ImageView<std::uint8_t> window) {
              sample_affine(picture, positive.place, window);
            },
            found.pixels);
        if (distinct.add(found.pixels, [&](std::size_t k) { return found_[k].pixels == found.pixels; })) {
          found_.push_back(std::move(found));
        } else {
          ++twice_;
        }
      }
      sources_[source]->check_opened(note_);
    }
    if (found_.empty() && !sources_.empty())
      throw Error(ErrorCode::kUsage, "there is no positive to be used");
  }

  void choose() {
    const std::size_t wanted = static_cast<std::size_t>(options_.samples);
    if (wanted == 0 || wanted >= found_.size()) return;
    std::vector<Found> chosen;
    for (std::size_t i = 0; i < wanted; ++i) chosen.push_back(std::move(found_[i * found_.size() / wanted]));
    found_ = std::move(chosen);
  }

  void add_with_copies(Found& found) {
    add(found.pixels, found.name);
    if (options_.mirror) {
      flip(found.pixels, options_.window);
      add(found.pixels, found.name + " mirrored");
    }
    const int copies = options_.jitter.copies;
    if (copies == 0) return;
    Positive positive;
    if (!sources_[found.source]->open(found.index, positive, note_))
      throw Error(ErrorCode::kIo, "cannot be read a second time", found.name);
    for (int copy = 1; copy <= (options_.mirror ? 2 * copies : copies); ++copy) {
      sample_channels(
          positive, options_.window,
          [&](GrayView picture, ImageView<std::uint8_t> window) {
            sample_jittered(picture, positive.place, options_.jitter, options_.seed, found.number,
                            static_cast<std::uint64_t>(copy), window);
          },
          found.pixels);
      if (copy > copies) flip(found.pixels, options_.window);
      add(found.pixels, found.name + (copy > copies ? " mirrored copy " : " copy ") +
                            std::to_string(copy > copies ? copy - copies : copy));
    }
  }

  bool equals_added(const Pixels& pixels, std::size_t k) const {
    const std::size_t size = pixels.gray.size();
    return std::memcmp(pack_.positive(k).data, pixels.gray.data(), size) == 0 &&
           (!pack_.color || std::memcmp(pack_.positive_color(k).data, pixels.color.data(), 3 * size) == 0);
  }

  void add(const Pixels& pixels, const std::string& name) {
    if (!added_.add(pixels, [&](std::size_t k) { return equals_added(pixels, k); })) {
      ++twice_;
      return;
    }
    pack_.positives.insert(pack_.positives.end(), pixels.gray.begin(), pixels.gray.end());
    pack_.colors.insert(pack_.colors.end(), pixels.color.begin(), pixels.color.end());
    pack_.names.push_back(name);
  }

  void write_recipe(const std::vector<std::string>& positives, const std::vector<std::string>& negatives) {
    nlohmann::ordered_json recipe;
    recipe["winnow"] = WINNOW_VERSION;
    recipe["window"] = {options_.window.width, options_.window.height};
    std::vector<std::size_t> taken(sources_.size());
    for (const Found& found : found_) ++taken[found.source];
    for (std::size_t i = 0; i < sources_.size(); ++i) {
      recipe["positives"].push_back({{"source", clean_text(positives[i])},
                                     {"kind", sources_[i]->kind()},
                                     {"found", sources_[i]->count()},
                                     {"taken", taken[i]}});
    }
    for (const std::string& negative : negatives) recipe["negatives"].push_back(clean_text(negative));
    recipe["options"] = options_json(options_);
    recipe["counts"] = {
        {"positives", pack_.positive_count()}, {"negatives", pack_.negatives.size()}, {"equal", twice_}};
    pack_.recipe = recipe.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  const PackOptions& options_;
  const PackNote& note_;
  std::vector<std::unique_ptr<PositiveSource>> sources_;
  std::vector<Found> found_;
  Distinct added_;
  std::size_t twice_ = 0;
  Pack pack_;
};

}  // namespace

Pack make_pack(const std::vector<std::string>& positives, const std::vector<std::string>& negatives,
               const PackOptions& options, const PackNote& note) {
  check_pack_options(options);
  if (positives.empty() && negatives.empty())
    throw Error(ErrorCode::kUsage, "a pack needs positives or negatives");
  for (const std::string& positive : positives)
    for (const std::string& negative : negatives)
      if (is_folder(positive) && same_source(positive, negative))
        throw Error(ErrorCode::kUsage,
                    "is given for positives and for negatives, and can be one of them only", positive);
  const PackNote say = note ? note : PackNote([](const std::string&) {});
  return Maker(options, say).make(positives, negatives);
}

}  // namespace winnow

// Keeps the picture from which positives are cut, and judges the places of windows in it.
//
// In:     paths of pictures, and the options of a pack.
// Out:    planes of grey and of colours, or a note about a picture that cannot be read.
// Exact:  pictures that are encoded again have the same pixels on each call.
// Memory: owns the planes of one picture. Views live until the next picture is read.
// Thread: one thread at a time.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <winnow/error.h>
#include <winnow/pack.h>

#include "hog/hog_steps.h"
#include "image/warp.h"
#include "train/samples/positives.h"

namespace winnow {

// A picture as separate planes: grey, and the colour channels if there are any.
class Planes {
 public:
  void set(Picture&& picture) {
    gray_ = std::move(picture.gray);
    channels_.clear();
    if (!picture.color.empty()) split_channels(picture.color.view(), channels_);
  }
  Size size() const { return gray_.size(); }
  void show(Positive& positive) const {
    positive.picture = gray_.view();
    // `split_channels` has OpenCV's order: blue first.
    for (std::size_t c = 0; c < channels_.size(); ++c) positive.channels[2 - c] = channels_[c].view();
  }

 private:
  GrayImage gray_;
  std::vector<GrayImage> channels_;
};

// Keeps the picture that was read last, because labels of one picture follow each other.
class LastPicture {
 public:
  explicit LastPicture(const PackOptions& options) : options_(options) {}
  // Returns null, with one note, if the picture cannot be read.
  const Planes* read(const std::string& path, const PackNote& note) {
    if (path != path_ || path.empty()) {
      path_ = path;
      good_ = false;
      try {
        ReadOptions how;
        // A picture is always encoded with its colours, so that its grey does not depend on `color`.
        how.color = options_.color || options_.encode > 0;
        Picture picture = read_picture(path, how);
        if (options_.encode > 0) picture = encode_again(picture.view(), options_.encode);
        if (!options_.color) picture.color = {};
        planes_.set(std::move(picture));
        good_ = true;
      } catch (const Error& error) {
        note(error.what());
      }
    }
    return good_ ? &planes_ : nullptr;
  }

 private:
  const PackOptions& options_;
  std::string path_;
  Planes planes_;
  bool good_ = false;
};

// Returns the reason why the window cannot lie at `place`, or null if the place is good.
const char* what_is_wrong(const Affine& place, Size picture, Size window);

}  // namespace winnow

// Takes pictures from Python in all usual forms.
//
// In:     a `Picture`; an array of uint8 (`array.h`); a Pillow image; a path; bytes of a picture's file,
//         or such a file that is open.
// Out:    a `PictureArgument`. Its constructor throws `Error` with one sentence for another type or shape,
//         for no pixels, and for an array of colour if the order of its channels is not given.
// Exact:  colour becomes grey by the formula of `Picture::gray`, whatever the order of its channels. A file
//         gives the same pixels as `read_picture`.
// Memory: grey rows are not copied if their pixels lie side by side. Everything else is copied once.
// Thread: a `PictureArgument` is made and destroyed under Python's lock; `host` needs no lock.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include <winnow/device_picture.h>
#include <winnow/error.h>
#include <winnow/image.h>

#include "arrays/array.h"
#include "words.h"

namespace winnow::python {

enum class Channels { kNone, kRgb, kBgr };
// The order that the word names; kNone without a word. kUsage for a word other than "rgb" and "bgr".
Channels parse_channels(const std::optional<ChannelsWord>& word);

struct PictureRules {
  Channels channels = Channels::kNone;  // the order in arrays of colour
  bool color = true;                    // whether files are read in colour
};

// Returns `work()`. If `work` throws an `Error`, an error with the number of the picture in the call is
// thrown instead.
template <class Work>
decltype(auto) for_picture(std::size_t number, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    throw Error(error.code(), "picture " + std::to_string(number) + " of the call: " + error.sentence(),
                error.file(), error.place());
  }
}

class PictureArgument {
 public:
  // With `or_many`, the object may also be several pictures: an array (n, height, width) of grey or (n,
  // height, width, 3) of colour, or any object that can be iterated over.
  PictureArgument(nb::handle object, const PictureRules& rules, bool or_many = false);

  // The object to iterate over, if several pictures were given; else null.
  const nb::object& many() const { return many_; }

  // Whether `host` must read a file first.
  bool in_file() const { return !array_ && view_.empty(); }
  // (0, 0) while the picture is in a file.
  Size size() const;
  bool on_device() const { return array_ && array_->view().on_device; }
  // kUsage if the picture is on a device.
  void refuse_device() const;
  // The picture, if it is on a device. Its `stream` is the one that the array's owner named.
  DevicePicture device() const;
  // The picture, if it is in host memory. The first call reads the file, and copies pixels if necessary.
  const PictureView& host();

 private:
  void take_file(nb::handle object);
  void take_array(nb::handle object, bool or_many);
  void take_pillow(nb::handle object);
  void read_file();

  PictureView view_;
  std::optional<Array> array_;
  PictureRules rules_;
  nb::object owner_;  // the `Picture` or the bytes that `view_` or `file_` point into
  nb::object many_;
  std::string path_;
  std::span<const std::byte> file_;
  std::unique_ptr<Picture> read_;  // what was read from `path_` or `file_`
  GrayImage gray_;
  RgbImage color_;
};

}  // namespace winnow::python

// What training reads: aligned positives of one size and pictures without the object, in memory or as files
// that need no folders beside them.
//
//   winnow::PackOptions options;
//   options.window = {24, 24};
//   winnow::Pack pack = winnow::make_pack({"crops/"}, {"bg.txt"}, options);
//   winnow::write_pack(pack, "faces.pack");
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/export.h>
#include <winnow/image.h>
#include <winnow/truth.h>

namespace winnow {

struct Pack {
  // Bytes of a picture file: the JPEG that was found, or what is smaller of the file that was found and a PNG
  // of its grey, or a PNG of a part. `decode_picture(file).gray` is the grey that was found either way.
  struct Negative {
    std::string name;
    Size size;
    std::vector<std::byte> file;
  };
  Size window;
  std::vector<std::uint8_t> positives;  // window.width * window.height bytes each, row by row
  std::vector<std::string> names;       // one a positive: where it came from
  std::vector<Negative> negatives;
  std::string recipe;  // how it was made: JSON

  std::size_t positive_bytes() const {
    return static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height);
  }
  std::size_t positive_count() const { return names.size(); }
  GrayView positive(std::size_t i) const {
    return {positives.data() + i * positive_bytes(), window.width, window.height, window.width};
  }
};

// Copies of a positive, each turned, scaled, moved and lit at random within these bounds, cut from the
// picture itself where the positive is a part of one.
struct Jitter {
  int copies = 0;       // beside the positive itself
  double roll = 5;      // degrees either way
  double scale = 0.04;  // part of the size
  double shift = 0.02;  // part of the side, along x and y
  double blur = 0;      // pixels of the window, at most
  double gamma = 0;     // exponent from 1 / (1 + g) to 1 + g
  double gradient = 0;  // of the light across the window, in any direction: part of 255, at most
  double shade = 0;     // of the light that is lost towards one side, at most
  double noise = 0;     // standard deviation, of 255
};

struct PackOptions {
  Size window{24, 24};
  bool mirror = false;  // each positive also from the other side, with copies of its own
  Jitter jitter;
  std::uint64_t seed = 1;
  int samples = 0;  // at most so many positives before mirror and jitter, taken evenly; 0: all
  // Of each picture of a folder of crops only this part; width 0: all of it.
  RealBox crop;
  // Of each negative picture only this part, which must lie inside it; empty: all of it.
  Box negative_crop;
  // A box of the truth is widened (or cut) to this many times its size about its middle first, and then to
  // the window's shape.
  double margin = 1;
  std::string category;      // of the truth
  std::string pictures;      // the folder of the truth's pictures; "": where the truth is
  std::string truth_format;  // as `truth_format_name` has it; "": known by its content
  // Of truths with points: the numbers of points whose mean is one eye and the other ("0/1", or
  // "36-41/42-47"), how many times their distance the window is wide, and at which part of its height their
  // line lies; their middle is its middle. Turns the picture so that they are level. "": the boxes are taken.
  std::string eyes;
  double eye_span = 2.38, eye_line = 0.355;
  // One picture warped onto negatives, as opencv_createsamples does: so many, turned at most so far
  // (radians).
  int warps = 0;
  double warp_x = 1.1, warp_y = 1.1, warp_z = 0.5;
  int warp_intensity = 40;
  int background = -1, background_tolerance = 80;  // a colour of the picture that is clear; -1: none
};

// What was left out, and why ("crops/a.txt is no picture").
using PackNote = std::function<void(const std::string& sentence)>;

// Each positive source is a folder of crops, a picture (with `warps`), a `.vec`, or a truth that `read_truth`
// knows; each negative source a folder, a list of names (`bg.txt`) or a picture. Folders are read in the
// order of names, their own pictures only. Left out and said: what cannot be read, lies outside its picture
// or is smaller than half the window; negatives smaller than the window; positives equal to one before. None
// left of a kind that was named is an error. The order is that of the sources, and of one positive: itself,
// mirrored, copies, copies of the mirrored. exact: names, bytes and order depend on files and options only.
WINNOW_API Pack make_pack(const std::vector<std::string>& positives,
                          const std::vector<std::string>& negatives, const PackOptions& options,
                          const PackNote& note = {});

// Into one file, or, if `part_bytes` > 0, into path.1, path.2, ... of at most that size each. The names of
// what was written. If one cannot be written none is, and what was there before stays. `path` beside a path.1
// is a kUsage error for both functions: one of them would be old.
WINNOW_API std::vector<std::string> write_pack(const Pack& pack, const std::string& path,
                                               std::int64_t part_bytes = 0);
// Parts in any order, or joined into one file (cat); all are needed. Of several packs of one window all
// positives and all negatives, in the order in which the packs are named. A path that is not there but whose
// path.1 is names all parts beside it.
WINNOW_API Pack read_pack(const std::vector<std::string>& paths);

}  // namespace winnow

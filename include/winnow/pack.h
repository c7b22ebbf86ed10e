// Makes, writes and reads packs. A pack holds all samples of a training, in memory or in files that need no
// other files.
//
//   winnow::PackOptions options;
//   options.window = {24, 24};
//   winnow::Pack pack = winnow::make_pack({"crops/"}, {"bg.txt"}, options);
//   winnow::write_pack(pack, "faces.pack");
//
// In:     pictures, labels or `.vec` files of the object, and pictures without it.
// Out:    aligned positives of one size, and negatives as picture files.
// Exact:  names, bytes and order depend on files and options only.
// Memory: a pack owns its positives and the bytes of its negatives. Views of positives live until the pack or
//         its lists change. Arguments are read only during the call.
// Thread: any thread may call the functions.
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
  // A picture without the object, as the bytes of a picture file. `decode_picture(file).gray` gives the grey
  // of the original. A JPEG stays as it is. Any other file is kept as it is or as a PNG of its grey,
  // whichever is smaller. A piece cut from a picture (`PackOptions::negative_crop`) is a PNG. In a pack with
  // colours, these PNGs have the colours, and the grey of a piece is made from its colours.
  struct Negative {
    std::string name;
    Size size;
    std::vector<std::byte> file;
  };
  Size window;
  std::vector<std::uint8_t> positives;  // window.width * window.height bytes for each positive, row by row
  bool color = false;                   // whether the pack has colours beside the grey of its samples
  std::vector<std::uint8_t> colors;     // red, green and blue of each pixel of `positives`; empty if grey
  std::vector<std::string> names;       // the origin of each positive
  std::vector<Negative> negatives;
  std::string recipe;  // how the pack was made: a JSON object, or an array of objects for joined packs

  std::size_t positive_bytes() const {
    return static_cast<std::size_t>(window.width) * static_cast<std::size_t>(window.height);
  }
  std::size_t positive_count() const { return names.size(); }
  GrayView positive(std::size_t i) const {
    return {positives.data() + i * positive_bytes(), window.width, window.height, window.width};
  }
  // Only for packs with colours.
  RgbView positive_color(std::size_t i) const {
    return {reinterpret_cast<const Rgb*>(colors.data()) + i * positive_bytes(), window.width, window.height,
            static_cast<std::ptrdiff_t>(sizeof(Rgb)) * window.width};
  }
};

// Bounds for the copies of a positive. Each copy is turned, scaled, moved and lit at random. If the positive
// was cut from a larger picture, its copies are cut from that picture, too.
struct Jitter {
  int copies = 0;       // number of copies beside the positive itself
  double roll = 5;      // the largest rotation in degrees, in both directions
  double scale = 0.04;  // the largest change of size, as a fraction of the size
  double shift = 0.02;  // the largest move along x and y, as a fraction of the side
  double blur = 0;      // the largest blur, in pixels of the window
  double gamma = 0;     // g: the exponent of gamma is drawn from 1 / (1 + g) to 1 + g
  double gradient = 0;  // the largest difference of light across the window, as a fraction of 255
  double shade = 0;     // the largest fraction of the light that is lost towards one side
  double noise = 0;     // the standard deviation of the noise in each copy, as a fraction of 255
};

struct PackOptions {
  Size window{24, 24};
  bool mirror = false;  // add the mirror image of each positive, with copies of its own
  Jitter jitter;
  std::uint64_t seed = 1;
  // Keep the colours of all samples beside their grey, for models that read colour. Samples of a `.vec` have
  // equal channels. kUsage with warps, which are grey only.
  bool color = false;
  // Write each picture of positives as a JPEG of this quality and read it again, before positives are cut
  // (`encode_again`). If positives and negatives differ in JPEG quality, a training in colour learns the
  // quality, not the object. 0: off. kUsage with warps and with `.vec` files.
  int encode = 0;
  int samples = 0;  // the most positives before mirror and jitter, spread evenly over all; 0: all
  // Take only this piece of each picture in a folder of crops, in pixels; with width 0 the whole picture.
  RealBox crop;
  // Take only this piece of each negative picture, and leave out pictures that do not contain the piece. An
  // empty box takes whole pictures.
  Box negative_crop;
  // A labelled box is scaled about its middle to this many times its size, then widened to the window's
  // shape.
  double margin = 1;
  std::string category;      // take only labels of this category; "": all
  std::string pictures;      // the folder of the labelled pictures; "": the folder of the labels
  std::string truth_format;  // a name from `truth_format_name`; "": recognised by content
  // For labels with points: the points whose means are the two eyes, such as "0/1" or "36-41/42-47". The
  // picture is turned so that the eyes are level. The window is `eye_span` times as wide as the distance of
  // the eyes. The middle of the eyes lies in the window's middle column, at the fraction `eye_line` of its
  // height. "": the boxes are taken.
  std::string eyes;
  double eye_span = 2.38, eye_line = 0.355;
  // Positives made by warping one picture onto negatives, as opencv_createsamples does. `warps` is how many.
  // `warp_x`, `warp_y` and `warp_z` are the largest angles about the three axes, in radians.
  int warps = 0;
  double warp_x = 1.1, warp_y = 1.1, warp_z = 0.5;
  int warp_intensity = 40;  // the largest change of a warped picture's grey values
  // The grey level that is transparent in the warped picture (-1: none). Levels that differ by at most the
  // tolerance are transparent, too.
  int background = -1, background_tolerance = 80;
};

// Takes a sentence about something that was left out, such as "crops/a.txt is no picture".
using PackNote = std::function<void(const std::string& sentence)>;

// The pictures directly in a folder, in the order of names. Labels of YOLO may lie beside the pictures, or
// in labels/ beside images/; labels of COCO where `read_truth` finds them. Then pictures with objects are left
// out, and `note` says how many there are. A data.yaml of YOLO's stands for the pictures that it names.
WINNOW_API std::vector<std::string> pictures_without_objects(const std::string& source,
                                                             const PackNote& note = {});

// Makes a pack.
// - A positive source is a folder of crops, a picture (with `warps`), a `.vec`, or labels that `read_truth`
//   knows.
// - A negative source is a folder, a list of names (`bg.txt`), a data.yaml of YOLO's or a picture.
// - Folders are read in the order of names, without the folders inside.
// - Left out with a note: positives that cannot be read, lie outside their picture, are smaller than half the
//   window, or equal an earlier one. Also left out: negatives that cannot be read or are smaller than the
//   window, and, without `negative_crop`, pictures that show positives, whatever names lead to them.
// - In YOLO's folders, boxes are positives, and pictures without objects are negatives.
// - kUsage if labels have several classes and `category` names none, if the pictures of a folder of crops
//   differ widely in shape, and if one folder is given for positives and for negatives.
// - kUsage if positive sources are named but give no positive, and the same for negatives. Also kUsage if no
//   source is named, or if an option is out of its range; the message gives the range.
// - Samples are in the order of their sources. A positive gives itself, its mirror image, its copies, and
//   copies of the mirror image, in this order.
WINNOW_API Pack make_pack(const std::vector<std::string>& positives,
                          const std::vector<std::string>& negatives, const PackOptions& options,
                          const PackNote& note = {});

// Writes a pack into one file, or, if `shard_bytes` > 0, into shards path.1, path.2, ... of at most that
// size. Returns the names of the files. If one file cannot be written, no file is written, and older files
// stay. If all are written but one cannot be renamed to its name, the shards before it are removed. kUsage
// for `shard_bytes` from 1 to 4095, for more than 10,000 shards, and for a pack that makes no sense.
// `write_pack` and `read_pack` throw kUsage if `path` and `path.1` both exist, since one of these files is
// old.
WINNOW_API std::vector<std::string> write_pack(const Pack& pack, const std::string& path,
                                               std::int64_t shard_bytes = 0);
// Reads packs. Shards may come in any order, or joined into one file (cat); all shards are needed. Several
// packs with the same window become one pack, with samples in the order in which the packs are named. A
// `path` that does not exist stands for all shards if `path.1` exists. Errors: kUsage for a shard that is
// missing or given twice, for packs of different windows, and if only some of the packs have colours. kFormat
// for bytes that are no pack; kUnsupported for a pack of another version. Messages call a shard a part.
WINNOW_API Pack read_pack(const std::vector<std::string>& paths);

}  // namespace winnow

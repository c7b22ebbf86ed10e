// Reads pictures without the object as the bytes of picture files.
//
// In:     names of folders, lists and pictures; the box to cut from each picture; the window.
// Out:    negatives in the order of the sources, each with its name, size and file.
// Exact:  `decode_picture(file).gray` equals `read_picture(path).gray`, or its crop.
// Memory: the caller owns the negatives. One picture is decoded at a time.
// Thread: any.
//
// - A JPEG stays as it is, with its colours, because a lossless file of its grey would be larger.
// - Any other file becomes a PNG if the PNG is smaller: of its grey, or with `color` of its colours.
// - A box cut from a picture always becomes a PNG.
#pragma once

#include <set>
#include <string>
#include <vector>

#include <winnow/pack.h>

namespace winnow {

// The pictures that a source names, in order. A folder or a data.yaml names its `pictures_without_objects`.
std::vector<std::string> pictures_of(const std::string& source, const PackNote& note);

// Removes the pictures of a source whose `real_path` is one of `positives`. A note counts them.
void leave_out(std::vector<std::string>& pictures, const std::set<std::string>& positives,
               const std::string& source, const PackNote& note);

// A source is a folder of pictures, a list of names, a data.yaml of YOLO's, or a picture.
// - A list has one name per line, relative to the list's folder. Empty lines and lines that begin with # are
//   skipped.
// - A picture is left out, with a note, if it cannot be read, is smaller than the window, or does not hold
//   `crop`.
// - Pictures of `positives` are left out, too, as `leave_out` says.
// - A `crop` without width takes the whole of each picture.
// - kUsage if sources were named and no picture is left; kFormat if a list is a binary file.
std::vector<Pack::Negative> load_negatives(const std::vector<std::string>& sources, Box crop, Size window,
                                           bool color, const PackNote& note,
                                           const std::set<std::string>& positives = {});

}  // namespace winnow

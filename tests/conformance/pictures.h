// The pictures of a comparison: files, and pictures of any size made of them.
#pragma once

#include <winnow/image.h>
#include <cstdint>
#include <string>
#include <vector>

namespace conformance {

struct NamedPicture {
  std::string name;  // the file's, without its folder; or "made/WxH/I"
  winnow::GrayImage gray;
  std::uint64_t pixels = 0;  // a hash of them
};

// Those of `files`, and a few of each of `sizes` ("WxH,WxH"): laid side by side from the files in the order
// of their names, or drawn where there are none. In an order of their sizes, so that pictures of one size,
// which a device takes together, are neighbours. The order of `files` makes no difference.
std::vector<NamedPicture> read_pictures(const std::vector<std::string>& files, const std::string& sizes);

}  // namespace conformance

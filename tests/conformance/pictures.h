// Gives the pictures of a comparison: files, and pictures of any size made of them.
//
// In:     paths of picture files, and sizes such as "640x480,1920x1080".
// Out:    grey pictures with names and hashes, sorted by size.
// Exact:  the same pictures for the same files and sizes. The order of `files` does not matter.
// Memory: the caller owns the pictures.
#pragma once

#include <winnow/image.h>
#include <cstdint>
#include <string>
#include <vector>

namespace conformance {

struct NamedPicture {
  std::string name;  // the file's name without its folder, or "made/WxH/I"
  winnow::GrayImage gray;
  std::uint64_t pixels = 0;  // a hash of the pixels
};

// Reads `files`, and makes a few pictures of each of `sizes` ("WxH,WxH"). A made picture has the files side
// by side in the order of their names; without files, rectangles and noise. Pictures of one size are
// neighbours in the result, because a device searches them together.
std::vector<NamedPicture> read_pictures(const std::vector<std::string>& files, const std::string& sizes);

}  // namespace conformance

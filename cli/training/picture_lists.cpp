#include "training/picture_lists.h"

#include <winnow/feed.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace winnow::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestLine = 8192;  // no path is this long
constexpr std::streamsize kMaxListBytes = 1 << 28;
constexpr const char* kNoList = ": is neither a picture nor a folder nor a list of pictures";

void add_list(PictureList& list, const std::string& file) {
  std::ifstream lines(file, std::ios::binary);
  if (!lines.is_open()) {
    list.problems.push_back(file + ": this list of pictures cannot be read");
    return;
  }
  const fs::path folder = fs::path(file).parent_path();
  // A file that is no list may have lines of any length, so a line is read only up to kLongestLine.
  std::vector<char> buffer(kLongestLine + 1);
  std::streamsize bytes = 0;
  for (bool first = true; lines.getline(buffer.data(), static_cast<std::streamsize>(buffer.size()));
       first = false) {
    const std::streamsize got = lines.gcount();
    std::string line(buffer.data(), static_cast<std::size_t>(lines.eof() ? got : got - 1));
    if ((bytes += got) > kMaxListBytes) {
      list.problems.push_back(file + ": this list of pictures is larger than the " +
                              std::to_string(kMaxListBytes) + " bytes allowed");
      return;
    }
    if (first && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    if (line.find('\0') != std::string::npos) {
      list.problems.push_back(file + kNoList);
      return;
    }
    line.erase(0, std::min(line.find_first_not_of(" \t"), line.size()));
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t'))
      line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    list.paths.push_back((folder / line).string());
  }
  if (lines.bad()) {
    list.problems.push_back(file + ": this list of pictures cannot be read to its end");
  } else if (!lines.eof()) {
    list.problems.push_back(file + kNoList);
  }
}

}  // namespace

PictureList list_pictures(const std::string& name) {
  PictureList list;
  for (const Input& input : expand_inputs({{name}, "", false})) {
    switch (input.kind) {
      case InputKind::kPicture:
        list.paths.push_back(input.path);
        break;
      case InputKind::kUnknown:
        add_list(list, input.path);
        break;
      case InputKind::kBroken:
        list.problems.push_back(input.path + ": " + input.problem);
        break;
      case InputKind::kVideo:
      case InputKind::kCamera:
      case InputKind::kStream:
        list.problems.push_back(input.path + ": is neither a picture nor a folder nor a list");
        break;
    }
  }
  return list;
}

}  // namespace winnow::cli

// Lists the picture files of a folder.
//
// In:     a folder.
// Out:    paths of files .jpg, .png and .pgm, in the order of their names.
// Memory: the caller owns the list.
// Thread: any.
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace bench {

// At most `most` pictures of the folder, evenly spread in the order of their names.
inline std::vector<std::string> spread_pictures(const std::string& folder, std::size_t most) {
  std::vector<std::string> all, chosen;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string ending = entry.path().extension().string();
    if (ending == ".jpg" || ending == ".png" || ending == ".pgm") all.push_back(entry.path().string());
  }
  std::sort(all.begin(), all.end());
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(all[i * all.size() / count]);
  return chosen;
}

}  // namespace bench

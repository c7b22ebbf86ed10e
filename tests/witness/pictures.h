// The pictures to compare on, by name: files of the data folder (their path in it), "synthetic/..." and
// "tiled/<path>", which is a 4K picture made of a file of the data folder. What is chosen depends on the seed
// and the folder's content alone.
#pragma once

#include <winnow/image.h>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace witness {

using SharedGray = std::shared_ptr<const winnow::GrayImage>;

class Pictures {
 public:
  Pictures(std::string data_folder, std::uint64_t seed) : folder_(std::move(data_folder)), seed_(seed) {}

  bool has_data() const;
  const std::string& folder() const { return folder_; }
  // `count` files, a spread over the known folders (or over everything below, where none of those is there).
  std::vector<std::string> choose(int count) const;
  // The grey picture; decoded files are kept, since every model wants them. Throws winnow::Error or
  // std::runtime_error.
  SharedGray get(const std::string& name, winnow::Size window);

 private:
  std::string folder_;
  std::uint64_t seed_;
  std::map<std::string, SharedGray> decoded_;
};

}  // namespace witness

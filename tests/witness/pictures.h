// Gives the pictures to compare on, by name.
//
// In:     a data folder, a seed, and names: a file's path in the folder, "synthetic/...", or "tiled/<path>",
//         a 4K picture made of a file.
// Out:    names of pictures, and grey pictures.
// Exact:  the choice depends only on the seed and the folder's content.
// Memory: decoded files are kept and shared, since every model needs them.
// Thread: one thread at a time.
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
  // Chooses `count` files from the known folders inside `folder()`. If they hold no picture, chooses from all
  // files below `folder()`.
  std::vector<std::string> choose(int count) const;
  // Synthetic pictures depend on `window`, the model's window. Throws winnow::Error or std::runtime_error.
  SharedGray get(const std::string& name, winnow::Size window);

 private:
  std::string folder_;
  std::uint64_t seed_;
  std::map<std::string, SharedGray> decoded_;
};

}  // namespace witness

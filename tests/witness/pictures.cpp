#include "pictures.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "random.h"
#include "synthetic.h"

namespace fs = std::filesystem;

namespace witness {
namespace {

// Number of pictures to take from each folder.
struct Quota {
  const char* folder;
  int quota;
};
constexpr std::array<Quota, 9> kQuotas{{{"faces/mit-cmu/test", 4},
                                        {"faces/mit-cmu/test-low", 2},
                                        {"faces/lfw", 5},
                                        {"faces/helen-test", 4},
                                        {"photos", 2},
                                        {"scenes", 5},
                                        {"people/test/pos", 2},
                                        {"people/test/neg", 2},
                                        {"people/train/neg", 3}}};
constexpr winnow::Size kTiled{3840, 2160};

bool is_picture(const fs::path& path) {
  const std::string ending = path.extension().string();
  for (const char* known : {".jpg", ".jpeg", ".png", ".pgm", ".ppm", ".JPG", ".PNG"})
    if (ending == known) return true;
  return false;
}

// Shuffles names by the seed. The names are sorted first, since folders are listed in no fixed order.
std::vector<std::string> shuffled(std::vector<std::string> names, std::uint64_t seed) {
  std::sort(names.begin(), names.end());
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return hash_text(a, seed) < hash_text(b, seed);
  });
  return names;
}

template <class Iterator>
std::vector<std::string> pictures_in(const fs::path& root, const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : Iterator(folder, none))
    if (is_picture(entry.path())) names.push_back(entry.path().lexically_relative(root).string());
  return names;
}

winnow::Picture read(const fs::path& path) { return winnow::read_picture(path.string()); }

}  // namespace

bool Pictures::has_data() const { return fs::is_directory(folder_); }

std::vector<std::string> Pictures::choose(int count) const {
  std::vector<std::string> chosen;
  std::array<std::vector<std::string>, kQuotas.size()> lists;
  std::size_t known = 0;
  for (std::size_t i = 0; i < kQuotas.size(); ++i) {
    lists[i] =
        shuffled(pictures_in<fs::directory_iterator>(folder_, fs::path(folder_) / kQuotas[i].folder), seed_);
    known += lists[i].size();
  }
  if (known == 0) {
    chosen = shuffled(pictures_in<fs::recursive_directory_iterator>(folder_, folder_), seed_);
    if (static_cast<int>(chosen.size()) > count) chosen.resize(static_cast<std::size_t>(count));
    return chosen;
  }
  for (std::size_t round = 0; static_cast<int>(chosen.size()) < count && round < known; ++round)
    for (std::size_t i = 0; i < kQuotas.size(); ++i) {
      const auto quota = static_cast<std::size_t>(kQuotas[i].quota);
      for (std::size_t n = round * quota; n < (round + 1) * quota && n < lists[i].size(); ++n)
        if (static_cast<int>(chosen.size()) < count) chosen.push_back(lists[i][n]);
    }
  return chosen;
}

SharedGray Pictures::get(const std::string& name, winnow::Size window) {
  if (name.starts_with("synthetic/"))
    return std::make_shared<winnow::GrayImage>(make_synthetic(name, window, Random(hash_text(name, seed_))));
  if (name.starts_with("tiled/")) {
    const SharedGray tile = get(name.substr(6), window);
    return std::make_shared<winnow::GrayImage>(make_tiled(tile->view(), kTiled));
  }
  SharedGray& kept = decoded_[name];
  if (!kept) kept = std::make_shared<winnow::GrayImage>(std::move(read(fs::path(folder_) / name).gray));
  return kept;
}

}  // namespace witness

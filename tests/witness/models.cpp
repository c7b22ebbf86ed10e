#include "models.h"

#include <fnmatch.h>
#include <glob.h>
#include <stdlib.h>
#include <winnow/cascade.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "made_models.h"
#include "tied_model.h"

namespace witness {
namespace {

using winnow::CascadeFormat;

// A folder that is removed when the program ends.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "winnow_witness.XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make the folder " + pattern);
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path_, none);
  }
  std::string file(std::string name) const {
    std::replace(name.begin(), name.end(), '/', '-');
    return (path_ / (name + ".xml")).string();
  }

 private:
  std::filesystem::path path_;
};

ModelFile write(const std::string& name, const winnow::CascadeModel& model, CascadeFormat format) {
  static const TemporaryFolder folder;
  const std::string path = folder.file(name);
  winnow::Cascade(model).save(path, format);
  return {name, path, true};
}

}  // namespace

std::vector<ModelFile> list_models(const std::string& glob) {
  std::vector<ModelFile> models;
  if (glob.find('/') != std::string::npos) {
    glob_t found{};
    if (::glob(glob.c_str(), 0, nullptr, &found) == 0)
      for (std::size_t i = 0; i < found.gl_pathc; ++i)
        models.push_back({found.gl_pathv[i], found.gl_pathv[i], false});
    globfree(&found);
  } else {
    for (const char* root : {"/usr/share/opencv4", "/usr/local/share/opencv4"})
      for (const char* kind : {"haarcascades", "lbpcascades"}) {
        std::error_code none;
        for (const auto& entry :
             std::filesystem::directory_iterator(std::filesystem::path(root) / kind, none)) {
          const std::string name = entry.path().stem().string();
          if (entry.path().extension() == ".xml" && fnmatch(glob.c_str(), name.c_str(), 0) == 0)
            models.push_back({name, entry.path().string(), false});
        }
      }
  }
  std::sort(models.begin(), models.end(),
            [](const ModelFile& a, const ModelFile& b) { return a.name < b.name; });
  return models;
}

std::vector<std::string> made_models(const std::vector<ModelFile>& models, bool subset, std::uint64_t seed) {
  std::vector<std::string> names;
  for (const ModelFile& model : models) {
    const int stages = static_cast<int>(winnow::Cascade::load(model.path).model().stages.size());
    const int cut = Random(hash_text(model.name, seed)).between(1, std::min(6, stages - 1));
    if (stages > 1) names.push_back(model.name + "@" + std::to_string(cut));
    if (!subset && model.name.starts_with("haar")) names.push_back(model.name + "@old");
  }
  const std::uint64_t first = seed * 1000;
  for (std::uint64_t i = 0; i < (subset ? 10 : 60); ++i)
    names.push_back("random/" + std::to_string(first + i));
  for (std::uint64_t i = 0; i < (subset ? 4 : 20); ++i)
    names.push_back("random-old/" + std::to_string(first + i / 4 * 10 + i % 4));
  for (std::uint64_t i = 0; i < (subset ? 8 : 40); ++i) names.push_back("ties/" + std::to_string(first + i));
  return names;
}

ModelFile find_model(const std::string& name) {
  if (name.starts_with("ties/"))
    return write(name, tied_model(Random(hash_text(name))), CascadeFormat::kOpenCvXml);
  if (name.starts_with("random/") || name.starts_with("random-old/")) {
    const std::string number = name.substr(name.find('/') + 1);
    const bool lbp = number.ends_with('8') || number.ends_with('9');
    const auto kind = lbp ? winnow::FeatureKind::kLbp : winnow::FeatureKind::kHaar;
    return write(name, random_model(Random(hash_text(number)), kind),
                 name.starts_with("random-old/") ? CascadeFormat::kOpenCvOldXml : CascadeFormat::kOpenCvXml);
  }
  if (const std::size_t at = name.rfind('@'); at != std::string::npos) {
    const winnow::CascadeModel model = winnow::Cascade::load(find_model(name.substr(0, at)).path).model();
    const std::string suffix = name.substr(at + 1);
    if (suffix == "old") return write(name, model, CascadeFormat::kOpenCvOldXml);
    const int stages = std::atoi(suffix.c_str());
    if (stages < 1 || stages > static_cast<int>(model.stages.size()))
      throw std::runtime_error(name + ": there are no " + suffix + " stages");
    return write(name, first_stages(model, stages), CascadeFormat::kOpenCvXml);
  }
  const std::vector<ModelFile> models = list_models(name);
  if (models.size() != 1) throw std::runtime_error("there is no single cascade called " + name);
  return models.front();
}

}  // namespace witness

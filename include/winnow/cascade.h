// Trained cascades: `Cascade` is immutable and cheap to copy (copies share the data); any number of threads
// may use one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <winnow/box.h>
#include <winnow/cascade_model.h>
#include <winnow/error.h>
#include <winnow/export.h>

namespace winnow {

enum class CascadeFormat {
  kOpenCvXml,     // opencv_traincascade's XML
  kOpenCvOldXml,  // opencv_haartraining's XML (Haar only)
  kWinnow,        // Winnow's own file
};
WINNOW_API const char* cascade_format_name(CascadeFormat format);

class WINNOW_API Cascade {
 public:
  // Each of the three formats, known by its content. The model is checked whole before it is returned.
  // "built-in:face" is the model of faces that is a part of the library.
  static Cascade load(const std::string& path);
  static Cascade parse(std::span<const std::byte> bytes, const std::string& name);
  // `file` stands in errors instead of `name`, which is for the card of a file without one.
  static Cascade parse(std::span<const std::byte> bytes, const std::string& name, const std::string& file);
  // The same without exceptions: empty on failure, and `error` (if given) says why.
  static std::optional<Cascade> try_load(const std::string& path, std::optional<Error>* error = nullptr);
  // Checks `model` and takes it over.
  explicit Cascade(CascadeModel model);

  const CascadeModel& model() const { return *model_; }
  const std::string& name() const { return model_->card.name; }
  Size window() const { return model_->window; }

  // What the file holds, as bytes of the given format; exact: parsing it gives an equal model. (The old
  // format has its own order of features and leaves: parsing it gives a model that decides the same with the
  // same numbers.)
  std::vector<std::byte> to_bytes(CascadeFormat format) const;
  void save(const std::string& path, CascadeFormat format) const;

 private:
  std::shared_ptr<const CascadeModel> model_;
};

// Where cascades are looked for by name: the folders of WINNOW_MODELS (separated by ':'), the installed
// models folder, the system's OpenCV folders, then the library itself.
struct ModelEntry {
  std::string name;  // "haarcascade_frontalface_alt"
  std::string path;
};
WINNOW_API std::vector<std::string> model_folders();
WINNOW_API std::vector<ModelEntry> find_models();  // sorted by name; the first folder that has a name wins
// A path that exists is returned as it is; else a name found in the folders or in the library ("face" is
// "built-in:face"); else an Error that lists what was searched.
WINNOW_API std::string resolve_model(const std::string& name_or_path);

}  // namespace winnow

// Loads, saves and finds trained cascades.
//
// In:     a file in one of three formats, recognised by its content, or a model as plain data.
// Out:    a checked `Cascade`, or the bytes of a file. `Error` for a file that cannot be read (kIo), is no
//         cascade (kFormat), or fails the check (kFormat, kLimit, kUnsupported).
// Exact:  reading the bytes of `to_bytes` gives an equal model (`CascadeModel::same_as`); OpenCV's old format
//         renumbers features and leaves (see `Cascade::to_bytes`). Only Winnow's own format keeps the whole
//         card and the notes.
// Memory: a `Cascade` is immutable and cheap to copy. `model()` and `name()` live as long as any copy. Names
//         of formats live as long as the program. Bytes to parse are read only during the call.
// Thread: any number of threads may use one cascade.
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
  kWinnow,        // Winnow's own format
};
WINNOW_API const char* cascade_format_name(CascadeFormat format);

class WINNOW_API Cascade {
 public:
  // Reads any of the three formats. The whole model is checked before it is returned. "built-in:face" is the
  // cascade inside the library. `name` stands for the file in errors, and becomes the model's name if the
  // bytes hold none.
  static Cascade load(const std::string& path);
  static Cascade parse(std::span<const std::byte> bytes, const std::string& name);
  // Like `load`, but returns an empty value on failure. `error`, if given, then holds the reason.
  static std::optional<Cascade> try_load(const std::string& path, std::optional<Error>* error = nullptr);
  // Checks `model` and takes it over. Throws `Error` if the check fails. Puts the data into a standard form
  // that decides the same: empties unused rectangles, and puts leaf 0 of a stump on the left.
  explicit Cascade(CascadeModel model);

  const CascadeModel& model() const { return *model_; }
  const std::string& name() const { return model_->card.name; }
  Size window() const { return model_->window; }

  // The bytes of a file in this format; parsing them gives an equal model. kOpenCvOldXml has its own order of
  // features and leaves, so parsing gives a model that is ordered differently. That model decides the same,
  // with the same thresholds and leaf values. kUnsupported or kUsage if the format cannot express the model;
  // kLimit for more than 64 MiB of XML.
  std::vector<std::byte> to_bytes(CascadeFormat format) const;
  // Replaces an existing file only after all bytes are written. kIo if the file cannot be written.
  void save(const std::string& path, CascadeFormat format) const;

 private:
  std::shared_ptr<const CascadeModel> model_;
};

// A model that can be found by its name. `model_folders` lists the searched folders: those in the environment
// variable WINNOW_MODELS (separated by ':'), the installed models folder, and the system's OpenCV folders.
struct ModelEntry {
  std::string name;  // "haarcascade_frontalface_alt"
  std::string path;
};
WINNOW_API std::vector<std::string> model_folders();
// All models in the folders and in the library, sorted by name. If two folders hold the same name, the first
// folder wins. A model's name is its file's name without the ending .winnow or .xml. If a folder has both
// files, the .winnow file is taken. Files are not opened.
WINNOW_API std::vector<ModelEntry> find_models();
// Turns a name into a path. The path of a file or of a model inside the library, such as "built-in:face", is
// returned unchanged. Any other name is searched for in the folders, then in the library: "face" gives
// "built-in:face". If there is no such model, throws a kUsage error that lists the searched folders. kIo for
// a name with '/' that is no file, kUsage for a folder.
WINNOW_API std::string resolve_model(const std::string& name_or_path);

}  // namespace winnow

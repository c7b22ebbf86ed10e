// Gives one type for trained models of all kinds, with the model's purpose, size, card and bytes.
//
//   winnow::Model model = winnow::Model::load(winnow::resolve_model("people"));
//   std::puts(model.does().c_str());                       // "finds person"
//   std::vector<std::byte> bytes = model.to_bytes();       // Model::parse gives the same model
//
// In:     a model file of a known kind, recognised by its content.
// Out:    the model, completely checked, and the bytes of a file. `Error` for a file that cannot be read
//         (kIo), is no model (kFormat), or fails its kind's check (kFormat, kLimit, kUnsupported).
// Exact:  parsing `to_bytes()` gives a model that decides the same, with the same card and notes. The bytes
//         depend on the model only.
// Memory: a model is immutable. Copies refer to the same data, and references live as long as any copy. Bytes
//         to parse are read only during the call.
// Thread: any number of threads may use one model.
//
// A model that finds objects is also a `DetectorModel` (detector_model.h).
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <winnow/cascade_model.h>
#include <winnow/export.h>

namespace winnow {

class ModelBody;  // src/model/model_body.h: what each kind of model implements

// A format in which models of a kind can be written.
struct ModelFormat {
  std::string name;    // "winnow", "opencv-xml"
  std::string ending;  // the ending of file names: ".winnow"
  bool whole = true;   // whether a file keeps the card and the notes
};

class WINNOW_API Model {
 public:
  explicit Model(std::shared_ptr<const ModelBody> body);  // kUsage if it is null

  // `path` may name a model inside the library, as "built-in:face" does. `resolve_model` finds a path by
  // name. `name` stands for the file in errors, and becomes the model's name if the bytes hold none.
  static Model load(const std::string& path);
  static Model parse(std::span<const std::byte> bytes, const std::string& name);

  const std::string& kind() const;        // "cascade", "hog-svm"
  const std::string& kind_words() const;  // "a cascade", "a linear SVM over HOG"
  const ModelCard& card() const;
  const std::string& name() const { return card().name; }
  const std::vector<std::string>& notes() const;  // what is unusual about the model's file
  std::string does() const;                       // the model's purpose in a few words: "finds face"
  std::string holds() const;                      // the model's size in a few words: "22 stages"

  // The formats of the model's kind. The first format keeps all of the model.
  std::vector<ModelFormat> formats() const;
  // The first of `formats()` whose files have the ending of `path`; kUsage if there is none.
  ModelFormat format_of(const std::string& path) const;
  // The bytes of a file. A `format` of "" is the first of `formats()`. kUsage for a format that is not in
  // `formats()`; kUnsupported if the format cannot express this model.
  std::vector<std::byte> to_bytes(const std::string& format = {}) const;
  // Replaces an existing file only after all bytes are written. kIo if the file cannot be written. A `format`
  // of "" chooses the format by the path's ending.
  void save(const std::string& path, const std::string& format = {}) const;
  // The same model with another card. Throws the errors of `check_card`.
  Model with_card(const ModelCard& card) const;

  const ModelBody& body() const { return *body_; }

 private:
  std::shared_ptr<const ModelBody> body_;
};

}  // namespace winnow

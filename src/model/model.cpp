// Loads and saves a `Model` by the list of kinds, as winnow/model.h declares; its opening comment holds here.
#include <winnow/model.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include <winnow/error.h>

#include "base/file.h"
#include "model/file_kind.h"
#include "model/model_bytes.h"
#include "model/model_kinds.h"

namespace winnow {
namespace {

// Joins words as "a or b" or "a, b, or c".
std::string listed(const std::vector<std::string>& words) {
  const char* last = words.size() > 2 ? ", or " : " or ";
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i)
    text += (i == 0 ? "" : i + 1 < words.size() ? ", " : last) + words[i];
  return text;
}

std::string known_files() {
  std::vector<std::string> files = {"a " + kWinnowEnding + " file"};
  for (const ModelKind& kind : model_kinds())
    if (!kind.files.empty()) files.push_back(kind.files);
  return listed(files);
}

// `name` goes on the model's card. `file` is the name of the file in error messages.
Model parse_as(std::span<const std::byte> bytes, const std::string& name, const std::string& file) {
  const std::vector<ModelKind>& kinds = model_kinds();
  const auto kind = std::find_if(kinds.rbegin(), kinds.rend(),
                                 [&](const ModelKind& each) { return each.recognizes(bytes); });
  if (kind == kinds.rend())
    throw Error(ErrorCode::kFormat,
                std::string("this is ") + describe_bytes(bytes) + "; a model is needed: " + known_files(),
                file);
  return parse_in_file(file, kind->name, [&] { return Model(kind->parse(bytes, name)); });
}

}  // namespace

Model::Model(std::shared_ptr<const ModelBody> body) : body_(std::move(body)) {
  if (body_ == nullptr) throw Error(ErrorCode::kUsage, "a model must not be empty");
}

Model Model::load(const std::string& path) {
  const ModelBytes bytes(path);
  return parse_as(bytes.view(), bytes.name(), path);
}

Model Model::parse(std::span<const std::byte> bytes, const std::string& name) {
  return parse_as(bytes, name, name);
}

const std::string& Model::kind() const { return body_->kind(); }
const std::string& Model::kind_words() const { return model_kind(kind()).words; }
const ModelCard& Model::card() const { return body_->card(); }
const std::vector<std::string>& Model::notes() const { return body_->notes(); }
std::string Model::does() const { return body_->does(); }
std::string Model::holds() const { return body_->holds(); }

std::vector<ModelFormat> Model::formats() const {
  std::vector<ModelFormat> formats;
  for (const ModelWriter& writer : model_kind(kind()).writers) formats.push_back(writer.format);
  return formats;
}

ModelFormat Model::format_of(const std::string& path) const {
  const std::string ending = std::filesystem::path(path).extension().string();
  std::vector<std::string> endings;
  for (ModelFormat& format : formats()) {
    if (format.ending == ending) return format;
    if (std::find(endings.begin(), endings.end(), format.ending) == endings.end())
      endings.push_back(format.ending);
  }
  throw Error(ErrorCode::kUsage, "a file of " + kind_words() + " must end in " + listed(endings), path);
}

std::vector<std::byte> Model::to_bytes(const std::string& format) const {
  const std::vector<ModelWriter>& writers = model_kind(kind()).writers;
  if (writers.empty())
    throw Error(ErrorCode::kUnsupported, "models of kind " + kind() + " have no format to be written in");
  const auto writer = std::find_if(writers.begin(), writers.end(), [&](const ModelWriter& each) {
    return format.empty() || each.format.name == format;
  });
  if (writer != writers.end()) return writer->write(*body_);
  std::string known;
  for (const ModelWriter& each : writers) known += (known.empty() ? "" : ", ") + each.format.name;
  throw Error(ErrorCode::kUsage,
              kind_words() + " cannot be written as '" + format + "'; its formats are: " + known);
}

void Model::save(const std::string& path, const std::string& format) const {
  try {
    write_file(path, to_bytes(format.empty() ? format_of(path).name : format));
  } catch (const Error& error) {
    throw error.in_file(path);
  }
}

Model Model::with_card(const ModelCard& card) const { return Model(body_->with_card(card)); }

}  // namespace winnow

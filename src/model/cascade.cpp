// Loads, parses and saves a `Cascade`, as winnow/cascade.h declares; its opening comment holds here.
#include <winnow/cascade.h>

#include <exception>
#include <utility>

#include "base/clean_text.h"
#include "base/file.h"
#include "model/check.h"
#include "model/file_kind.h"
#include "model/model_bytes.h"
#include "model/model_kinds.h"
#include "model/opencv/opencv_xml.h"
#include "model/winnow/winnow_file.h"

namespace winnow {
namespace {

// `name` goes on the model's card. `file` is the name of the file in error messages.
Cascade parse_as(std::span<const std::byte> bytes, const std::string& name, const std::string& file) {
  return parse_in_file(file, kCascadeKind, [&] { return Cascade(read_cascade(bytes, name)); });
}

std::vector<std::byte> as_bytes(const std::string& text) {
  const std::span<const std::byte> view = std::as_bytes(std::span(text.data(), text.size()));
  return {view.begin(), view.end()};
}

}  // namespace

CascadeModel read_cascade(std::span<const std::byte> bytes, const std::string& name) {
  CascadeModel model;
  if (is_winnow_file(bytes)) {
    model = read_winnow_file(bytes);
  } else if (is_probably_xml(bytes)) {
    model = read_opencv_xml(bytes);
  } else {
    throw Error(ErrorCode::kFormat,
                std::string("this is ") + describe_bytes(bytes) +
                    "; a cascade is needed: OpenCV's XML (haartraining or traincascade) or a .winnow file");
  }
  if (model.card.name.empty()) model.card.name = clean_text(name);
  return model;
}

const char* cascade_format_name(CascadeFormat format) {
  switch (format) {
    case CascadeFormat::kOpenCvXml:
      return "opencv-xml";
    case CascadeFormat::kOpenCvOldXml:
      return "opencv-old-xml";
    case CascadeFormat::kWinnow:
      return "winnow";
  }
  return "unknown";
}

Cascade::Cascade(CascadeModel model) {
  make_canonical(model);
  check_model(model);
  model_ = std::make_shared<const CascadeModel>(std::move(model));
}

Cascade Cascade::load(const std::string& path) {
  const ModelBytes bytes(path);
  return parse_as(bytes.view(), bytes.name(), path);
}

Cascade Cascade::parse(std::span<const std::byte> bytes, const std::string& name) {
  return parse_as(bytes, name, name);
}

std::optional<Cascade> Cascade::try_load(const std::string& path, std::optional<Error>* error) {
  if (error != nullptr) error->reset();
  try {
    return load(path);
  } catch (const Error& caught) {
    if (error != nullptr) error->emplace(caught);
  } catch (const std::exception& caught) {
    if (error != nullptr) error->emplace(ErrorCode::kLimit, caught.what(), path);
  }
  return std::nullopt;
}

std::vector<std::byte> Cascade::to_bytes(CascadeFormat format) const {
  switch (format) {
    case CascadeFormat::kOpenCvXml:
      return as_bytes(write_opencv_xml(*model_));
    case CascadeFormat::kOpenCvOldXml:
      return as_bytes(write_opencv_old_xml(*model_));
    case CascadeFormat::kWinnow:
      return write_winnow_file(*model_);
  }
  throw Error(ErrorCode::kUsage, "there is no such cascade format");
}

void Cascade::save(const std::string& path, CascadeFormat format) const {
  try {
    write_file(path, to_bytes(format));
  } catch (const Error& error) {
    throw error.in_file(path);
  }
}

}  // namespace winnow

// Reads OpenCV's YAML and JSON of a HOGDescriptor, as model/opencv/hog_storage.h declares; its opening
// comment holds here.
//
// Exact:  numbers are read as OpenCV reads them, but a `winSigma` that means the default becomes 0.
// Memory: the model belongs to the caller; `bytes` are read only during the call.
#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/clean_text.h"
#include "model/file_kind.h"
#include "model/hog_model.h"
#include "model/numbers.h"
#include "model/opencv/hog_storage.h"
#include "model/opencv/yaml_events.h"

namespace winnow {
namespace {

using Kind = YamlEvents::Kind;

constexpr std::array kFields = {"winSize", "blockSize",         "blockStride",    "cellSize",
                                "nbins",   "winSigma",          "L2HysThreshold", "gammaCorrection",
                                "nlevels", "histogramNormType", "signedGradient", "SVMDetector"};

const std::string kOneNumber = " must be one number, not a list";

struct Number {
  std::string_view text;
  std::size_t line = 0;
};

// A field: one number, or a list of numbers, spelled as in the file.
class YamlField {
 public:
  std::size_t line = 0;
  bool list = false;

  void add(std::string_view text, std::size_t at) {
    texts_.append(text);
    ends_.push_back(texts_.size());
    lines_.push_back(at);
  }
  std::size_t size() const { return ends_.size(); }
  Number number(std::size_t i) const {
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return {std::string_view(texts_).substr(begin, ends_[i] - begin), lines_[i]};
  }

 private:
  std::string texts_;
  std::vector<std::size_t> ends_, lines_;
};

class YamlStorage final : public HogStorage {
 public:
  // Reads the map whose start is the current event.
  explicit YamlStorage(YamlEvents& events) : line_(events.event().line), tag_(events.event().tag) {
    while (events.next().kind != Kind::kMapEnd) {
      const std::string key(events.event().text.substr(0, 64));
      const bool is_scalar = events.event().kind == Kind::kScalar;
      events.skip();
      events.next();
      if (is_scalar && key == "type_id" && events.event().kind == Kind::kScalar) tag_ = events.event().text;
      const auto known = std::find(kFields.begin(), kFields.end(), key);
      if (!is_scalar || known == kFields.end()) {
        events.skip();
      } else {
        read_field(events, fields_[static_cast<std::size_t>(known - kFields.begin())], key);
      }
    }
  }

  std::size_t line() const { return line_; }
  const std::string& tag() const { return tag_; }

  bool has(const char* name) const override { return field(name).has_value(); }

  std::vector<std::int32_t> integers(const char* name, std::size_t count) const override {
    const YamlField& field = require(name);
    if (field.size() != count || field.list != (count > 1)) {
      const std::string wanted = " must be a list of " + std::to_string(count) + " numbers";
      fail(name, name + (count > 1 ? wanted : kOneNumber));
    }
    std::vector<std::int32_t> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(value<std::int32_t>(field.number(i)));
    return values;
  }

  double real(const char* name) const override {
    const YamlField& field = require(name);
    if (field.list) fail(name, name + kOneNumber);
    return value<double>(field.number(0));
  }

  std::vector<float> reals(const char* name, std::size_t most) const override {
    const YamlField& field = require(name);
    std::vector<float> values;
    for (std::size_t i = 0; i < std::min(field.size(), most + 1); ++i)
      values.push_back(value<float>(field.number(i)));
    return values;
  }

  std::string shown(const char* name) const override { return name; }

  [[noreturn]] void fail(const char* name, const std::string& sentence, ErrorCode code) const override {
    const std::optional<YamlField>& at = field(name);
    YamlEvents::fail(at ? at->line : line_, sentence, code);
  }
  [[noreturn]] void fail(const char* name, const std::string& sentence) const {
    fail(name, sentence, ErrorCode::kFormat);
  }

 private:
  static void read_field(YamlEvents& events, std::optional<YamlField>& field, const std::string& key) {
    const YamlEvents::Event& event = events.event();
    if (field) YamlEvents::fail(event.line, "a second " + key);
    field.emplace();
    field->line = event.line;
    if (event.kind == Kind::kScalar) {
      field->add(event.text, event.line);
      return;
    }
    if (event.kind != Kind::kListStart)
      YamlEvents::fail(event.line, key + " must be a number or a list of numbers");
    field->list = true;
    while (events.next().kind != Kind::kListEnd) {
      if (event.kind != Kind::kScalar)
        YamlEvents::fail(event.line, "a list or map where a number of " + key + " is expected");
      if (field->size() > kMaxHogValues)
        YamlEvents::fail(event.line, key + " has more than " + std::to_string(kMaxHogValues) + " numbers",
                         ErrorCode::kLimit);
      field->add(event.text, event.line);
    }
  }

  const std::optional<YamlField>& field(std::string_view name) const {
    static const std::optional<YamlField> none;
    const auto known = std::find(kFields.begin(), kFields.end(), name);
    return known == kFields.end() ? none : fields_[static_cast<std::size_t>(known - kFields.begin())];
  }

  const YamlField& require(const char* name) const {
    const std::optional<YamlField>& found = field(name);
    if (!found) YamlEvents::fail(line_, std::string(name) + " is missing");
    return *found;
  }

  template <class T>
  static T value(const Number& number) {
    T value{};
    if (const char* problem = parse_number(number.text, value))
      YamlEvents::fail(number.line, quoted_text(number.text) + " " + problem);
    return value;
  }

  std::size_t line_ = 0;
  std::string tag_;
  std::array<std::optional<YamlField>, kFields.size()> fields_;
};

}  // namespace

bool is_hog_yaml(std::span<const std::byte> bytes) {
  constexpr std::size_t kHead = std::size_t{128} << 10;
  const std::string_view head(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kHead));
  return is_probably_yaml(bytes) && (head.find(kOpenCvHogType) != std::string_view::npos ||
                                     head.find(kOpenCvSvmName) != std::string_view::npos);
}

HogSvmModel read_hog_yaml(std::span<const std::byte> bytes) {
  YamlEvents events(bytes);
  if (events.next().kind != Kind::kMapStart)
    YamlEvents::fail(events.event().line, "the file is no map of names, as OpenCV's files are");
  if (events.next().kind != Kind::kScalar)
    YamlEvents::fail(events.event().line, "a name is expected where OpenCV's HOGDescriptor begins");
  const std::string name = clean_text(events.event().text.substr(0, 64));
  if (events.next().kind != Kind::kMapStart) YamlEvents::fail(events.event().line, no_descriptor(name));
  const YamlStorage storage(events);
  if (!storage.tag().ends_with(kOpenCvHogType)) YamlEvents::fail(storage.line(), no_descriptor(name));
  bool more = false;
  for (; events.next().kind != Kind::kEnd; events.skip()) more = more || events.event().kind == Kind::kScalar;
  HogSvmModel model;
  read_hog_fields(storage, model);
  if (more) model.notes.emplace_back(kMoreThanOneThing);
  return model;
}

}  // namespace winnow

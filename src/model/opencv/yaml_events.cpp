#include "model/opencv/yaml_events.h"

#include <yaml.h>

#include <algorithm>

#include "base/clean_text.h"

namespace winnow {
namespace {

constexpr int kMaxDepth = 32;  // libyaml's time grows with depth; OpenCV's files have a depth of 3

std::string_view view_of(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

}  // namespace

struct YamlEvents::Parser {
  yaml_parser_t parser{};
  yaml_event_t event{};
  std::string_view text;       // the text that libyaml reads
  std::size_t first_line = 1;  // the line of the file at which `text` begins

  // For invalid bytes libyaml gives a byte's position, for any other error a line.
  std::size_t problem_line() const {
    if (parser.error != YAML_READER_ERROR) return first_line + parser.problem_mark.line;
    const std::string_view before = text.substr(0, std::min(parser.problem_offset, text.size()));
    return first_line + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
  }

  ~Parser() {
    yaml_event_delete(&event);
    yaml_parser_delete(&parser);
  }
};

YamlEvents::YamlEvents(std::span<const std::byte> bytes) : parser_(std::make_unique<Parser>()) {
  if (bytes.size() > kMaxYamlBytes)
    throw Error(ErrorCode::kLimit,
                "a YAML file may have " + std::to_string(kMaxYamlBytes) + " bytes at most");
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  // OpenCV writes "%YAML:1.0", which is no directive of YAML.
  if (text.starts_with("%YAML")) {
    text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
    parser_->first_line = 2;
  }
  if (yaml_parser_initialize(&parser_->parser) == 0)
    throw Error(ErrorCode::kLimit, "not enough memory for the YAML");
  parser_->text = text;
  yaml_parser_set_encoding(&parser_->parser, YAML_UTF8_ENCODING);
  yaml_parser_set_input_string(&parser_->parser, reinterpret_cast<const unsigned char*>(text.data()),
                               text.size());
}

YamlEvents::~YamlEvents() = default;

void YamlEvents::fail(std::size_t line, const std::string& sentence, ErrorCode code) {
  throw Error(code, sentence, {}, "line " + std::to_string(line));
}

const YamlEvents::Event& YamlEvents::next() {
  yaml_parser_t& parser = parser_->parser;
  yaml_event_t& event = parser_->event;
  for (;;) {
    yaml_event_delete(&event);
    event_ = {};
    if (yaml_parser_parse(&parser, &event) == 0) {
      event = {};
      if (parser.error == YAML_MEMORY_ERROR) throw Error(ErrorCode::kLimit, "not enough memory for the YAML");
      fail(parser_->problem_line(),
           std::string("broken YAML: ") + (parser.problem == nullptr ? "?" : parser.problem));
    }
    event_.line = parser_->first_line + event.start_mark.line;
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        event_.kind = Kind::kScalar;
        event_.text = {reinterpret_cast<const char*>(event.data.scalar.value), event.data.scalar.length};
        return event_;
      case YAML_SEQUENCE_START_EVENT:
        event_.kind = Kind::kListStart;
        event_.tag = view_of(event.data.sequence_start.tag);
        break;
      case YAML_MAPPING_START_EVENT:
        event_.kind = Kind::kMapStart;
        event_.tag = view_of(event.data.mapping_start.tag);
        break;
      case YAML_SEQUENCE_END_EVENT:
        event_.kind = Kind::kListEnd;
        break;
      case YAML_MAPPING_END_EVENT:
        event_.kind = Kind::kMapEnd;
        break;
      case YAML_ALIAS_EVENT:
        fail(event_.line, "an alias '*" + clean_text(view_of(event.data.alias.anchor).substr(0, 40)) +
                              "', which OpenCV's files do not have");
      case YAML_DOCUMENT_END_EVENT:
      case YAML_STREAM_END_EVENT:
        event_.kind = Kind::kEnd;
        return event_;
      default:
        continue;  // skips the events that begin the stream and the document
    }
    const bool start = event_.kind == Kind::kListStart || event_.kind == Kind::kMapStart;
    depth_ += start ? 1 : -1;
    if (depth_ > kMaxDepth)
      fail(event_.line, "lists and maps are nested more than " + std::to_string(kMaxDepth) + " deep",
           ErrorCode::kLimit);
    return event_;
  }
}

void YamlEvents::skip() {
  if (event_.kind != Kind::kListStart && event_.kind != Kind::kMapStart) return;
  const int outside = depth_ - 1;
  while (depth_ > outside) next();
}

}  // namespace winnow

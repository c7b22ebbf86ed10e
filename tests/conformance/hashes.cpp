#include "hashes.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>
#include <winnow/error.h>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

namespace conformance {
namespace {

using winnow::Error;
using winnow::ErrorCode;

constexpr std::string_view kTitle = "winnow_conformance hashes 1: ";

// Keeps other processes away from the file: they would take a half-written line for one that was cut off.
class FileLock {
 public:
  explicit FileLock(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0)
      throw Error(ErrorCode::kIo, std::string("cannot be written: ") + std::strerror(errno), path);
    while (::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FileLock() { ::close(descriptor_); }
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int descriptor_;
};

// FNV-1a of 64 bits. A number is hashed as eight bytes, the lowest first.
class Fnv {
 public:
  void byte(std::uint8_t value) { hash_ = (hash_ ^ value) * 0x100000001b3u; }
  void number(std::int64_t value) {
    for (int shift = 0; shift < 64; shift += 8)
      byte(static_cast<std::uint8_t>(static_cast<std::uint64_t>(value) >> shift));
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325u;
};

std::string hex(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

Making parse_making(const std::string& line, const std::string& path) {
  if (!line.starts_with(kTitle)) throw Error(ErrorCode::kFormat, "is not a file of hashes", path, "line 1");
  Making making;
  std::istringstream words(line.substr(kTitle.size()));
  for (std::string option; words >> option;) {
    if (option == "--wanted") words >> making.wanted;
    if (option == "--pixels") words >> making.pixels;
    if (option == "--sizes") words >> making.sizes;
    if (option == "min-neighbors") words >> making.min_neighbors;
  }
  if (making.line() != line) throw Error(ErrorCode::kFormat, "is of a making unknown here", path, "line 1");
  return making;
}

}  // namespace

std::string Making::line() const {
  std::string text = std::string(kTitle) + "--wanted " + wanted + " --pixels " + std::to_string(pixels);
  if (!sizes.empty()) text += " --sizes " + sizes;
  return text + " min-neighbors " + std::to_string(min_neighbors);
}

std::uint64_t hash_of(winnow::GrayView picture) {
  Fnv fnv;
  fnv.number(picture.width);
  fnv.number(picture.height);
  for (int y = 0; y < picture.height; ++y)
    for (int x = 0; x < picture.width; ++x) fnv.byte(picture.row(y)[x]);
  return fnv.value();
}

std::uint64_t hash_of(const winnow::Detections& answer) {
  Fnv fnv;
  const winnow::Counters& counters = answer.counters;
  for (const std::int64_t count : {counters.windows, counters.skipped, counters.flat}) fnv.number(count);
  fnv.number(std::ssize(counters.reached));
  for (const std::int64_t count : counters.reached) fnv.number(count);
  fnv.number(std::ssize(answer.objects));
  for (const winnow::Detection& object : answer.objects) {
    const winnow::Box& box = object.box;
    for (const int value : {box.x, box.y, box.width, box.height, object.neighbors}) fnv.number(value);
    fnv.number(std::bit_cast<std::int64_t>(object.score));
  }
  return fnv.value();
}

Hashes Hashes::read(const std::string& path) {
  Hashes hashes;
  std::ifstream in(path);
  if (!in) throw Error(ErrorCode::kIo, "cannot be read", path);
  std::string line;
  std::getline(in, line);
  hashes.making_ = parse_making(line, path);
  for (std::size_t number = 2; std::getline(in, line); ++number) {
    if (line == hashes.making_.line()) continue;
    const std::size_t last = line.rfind(' ');
    std::uint64_t hash = 0;
    const char* end = line.data() + line.size();
    if (last == std::string::npos || line.size() - last != 17 ||
        std::from_chars(line.data() + last + 1, end, hash, 16).ptr != end)
      throw Error(ErrorCode::kFormat, "is neither an answer nor of the first line's making: " + line, path,
                  "line " + std::to_string(number));
    const auto [at, is_new] = hashes.hashes_.try_emplace(line.substr(0, last), hash);
    if (!is_new && at->second != hash)
      throw Error(ErrorCode::kFormat, "contradicts an earlier line", path, "line " + std::to_string(number));
  }
  return hashes;
}

Hashes Hashes::open(const std::string& path, const Making& making) {
  const FileLock lock(path);
  Hashes hashes;
  std::string text;
  if (std::ifstream in(path); in) text.assign(std::istreambuf_iterator<char>(in), {});
  const std::size_t whole = text.rfind('\n') + 1;  // 0 if there is no line
  if (whole == 0 && !making.line().starts_with(text))
    throw Error(ErrorCode::kFormat, "is not a file of hashes", path);
  if (whole < text.size()) std::filesystem::resize_file(path, whole);
  if (whole > 0) hashes = read(path);
  if (whole > 0 && hashes.making_.line() != making.line())
    throw Error(ErrorCode::kUsage, "was made otherwise (" + hashes.making_.line() + "), so name another file",
                path);
  hashes.making_ = making;
  hashes.path_ = path;
  hashes.out_.open(path, std::ios::app);
  if (whole == 0) hashes.out_ << making.line() + "\n" << std::flush;
  if (!hashes.out_) throw Error(ErrorCode::kIo, "cannot be written", path);
  return hashes;
}

std::string Hashes::key(const std::string& model, bool raw, const std::string& picture,
                        std::uint64_t pixels) {
  return model + (raw ? " raw " : " grouped ") + picture + " " + hex(pixels);
}

std::optional<std::uint64_t> Hashes::find(const std::string& key) const {
  const auto at = hashes_.find(key);
  if (at == hashes_.end()) return {};
  return at->second;
}

void Hashes::add(const std::string& key, std::uint64_t hash) {
  const FileLock lock(path_);
  out_ << key + " " + hex(hash) + "\n" << std::flush;
  if (!out_) throw Error(ErrorCode::kIo, "cannot be written", path_);
  hashes_.emplace(key, hash);
}

}  // namespace conformance

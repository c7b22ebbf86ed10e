// Lists the inputs that names stand for (`expand_inputs`, winnow/feed.h), and distinguishes pictures from
// videos by their first bytes.
//
// Exact:  entries of a folder come in byte order of their names, and matches of a pattern in glob's order.
#include "feed/inputs.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <span>
#include <string_view>
#include <system_error>

#include <glob.h>
#include <sys/stat.h>

#include <winnow/error.h>

#include "feed/address.h"
#include "image/picture_format.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 19> kVideoEndings{
    ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".mpg", ".mpeg",  ".ts",  ".m2ts",
    ".mts", ".flv", ".wmv", ".ogv", ".3gp",  ".y4m", ".vob", ".mjpeg", ".mjpg"};

InputKind kind_of_ending(const fs::path& path) {
  if (format_of_ending(path.native()) != nullptr) return InputKind::kPicture;
  if (std::count(kVideoEndings.begin(), kVideoEndings.end(), ending_of(path.native())) > 0)
    return InputKind::kVideo;
  return InputKind::kUnknown;
}

// Whether the file begins like a picture that is read. A file that cannot be read is none.
bool begins_as_picture(const fs::path& path) {
  std::array<char, kFormatBytes> buffer{};
  std::ifstream file(path, std::ios::binary);
  file.read(buffer.data(), buffer.size());
  const auto* bytes = reinterpret_cast<const std::byte*>(buffer.data());
  const PictureFormat* format = format_of({bytes, static_cast<std::size_t>(file.gcount())});
  return format != nullptr && format->is_read;
}

Input broken(const std::string& path, const std::string& problem) {
  return {InputKind::kBroken, path, "", problem};
}

// Appends the whole stream to `text`. False if reading fails, for instance because the file is a folder.
bool read_all(std::istream& stream, std::string& text) {
  std::array<char, 1 << 14> buffer;
  while (stream.read(buffer.data(), buffer.size()) || stream.gcount() > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(stream.gcount()));
  }
  return !stream.bad();
}

class Expansion {
 public:
  Expansion(const InputRequest& request, std::vector<std::string>* left_out)
      : recursive_(request.recursive),
        addresses_(request.addresses),
        without_(request.without_folders),
        left_out_(left_out) {}

  void add_argument(const std::string& name) {
    if (name == "-") {
      inputs_.push_back({InputKind::kStream, "-", "stream", ""});
      return;
    }
    struct stat status {};
    const bool exists = ::stat(name.c_str(), &status) == 0;
    if (addresses_ && !exists && is_address(name)) {
      inputs_.push_back(input_of_address(name));
    } else if (addresses_ && !exists && is_camera_number(name)) {
      add_camera(name);
      // A name is a pattern only if no file has the name, because the name of a file may hold brackets.
    } else if (!exists && name.find_first_of("*?[") != std::string::npos) {
      add_pattern(name);
    } else {
      add_name(name);
    }
  }

  void add_name(const std::string& name) {
    struct stat status {};
    if (name.empty() || ::stat(name.c_str(), &status) != 0) {
      inputs_.push_back(broken(name, name.empty() ? "an input has an empty name" : std::strerror(errno)));
      return;
    }
    const std::string place = fs::path(name).filename().string();
    if (S_ISDIR(status.st_mode)) {
      add_folder(name, "");
    } else if (S_ISREG(status.st_mode)) {
      inputs_.push_back({kind_of_ending(name), name, place, ""});
    } else if (S_ISFIFO(status.st_mode)) {
      inputs_.push_back({InputKind::kStream, name, place, ""});
    } else if (S_ISCHR(status.st_mode)) {
      inputs_.push_back({InputKind::kCamera, name, place, ""});
    } else {
      inputs_.push_back(broken(name, "is neither a file nor a folder nor a camera"));
    }
  }

  void add_list(const std::string& list) {
    std::string text;
    std::ifstream file;
    if (list != "-") file.open(list, std::ios::binary);
    if ((list != "-" && !file.is_open()) || !read_all(list == "-" ? std::cin : file, text)) {
      inputs_.push_back(broken(list, "this list of files cannot be read"));
      return;
    }
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // some editors begin texts with it
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    const char separator = text.find('\0') != std::string::npos ? '\0' : '\n';
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find(separator, begin), text.size());
      std::string name = text.substr(begin, end - begin);
      if (separator == '\n' && !name.empty() && name.back() == '\r') name.pop_back();
      if (!name.empty()) add_listed(name);
      begin = end + 1;
    }
  }

  std::vector<Input> take() { return std::move(inputs_); }

 private:
  void add_camera(const std::string& number) {
    const std::string device = "/dev/video" + number;
    struct stat status {};
    if (::stat(device.c_str(), &status) == 0) return add_name(device);
    inputs_.push_back(
        broken(number, "no file has this name, and " + device + " is no camera: " + std::strerror(errno)));
  }

  void add_listed(const std::string& name) {
    struct stat status {};
    if (!is_address(name) || ::stat(name.c_str(), &status) == 0) return add_name(name);
    inputs_.push_back(broken(input_of_address(name).path,
                             "a list holds names of files; give an address as a word of the command"));
  }

  void add_pattern(const std::string& pattern) {
    glob_t matches{};
    const int result = ::glob(pattern.c_str(), 0, nullptr, &matches);
    for (std::size_t i = 0; result == 0 && i < matches.gl_pathc; ++i) add_name(matches.gl_pathv[i]);
    ::globfree(&matches);
    if (result != 0) inputs_.push_back(broken(pattern, "no file matches this pattern"));
  }

  // `place` is the path of `folder`, relative to the folder that the user named.
  void add_folder(const fs::path& folder, const fs::path& place) {
    std::error_code error;
    std::vector<fs::directory_entry> entries;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
      entries.push_back(*it);
    }
    if (error) inputs_.push_back(broken(folder.string(), "this folder cannot be read: " + error.message()));
    std::sort(entries.begin(), entries.end(), [](const fs::directory_entry& a, const fs::directory_entry& b) {
      return a.path().native() < b.path().native();
    });
    for (const fs::directory_entry& entry : entries) {
      const fs::path name = entry.path().filename();
      if (name.native().front() == '.') continue;
      std::error_code ignored;
      if (entry.is_directory(ignored)) {
        const bool counts = std::none_of(without_.begin(), without_.end(), [&](const std::string& other) {
          return fs::equivalent(entry.path(), other, ignored);
        });
        if (recursive_ && counts && !entry.is_symlink(ignored)) add_folder(entry.path(), place / name);
        continue;
      }
      // A broken link is reported when it is read. A pipe or device inside a folder is no picture.
      const bool is_other = entry.exists(ignored) && !entry.is_regular_file(ignored);
      InputKind kind = is_other ? InputKind::kUnknown : kind_of_ending(name);
      if (!is_other && kind == InputKind::kUnknown && ending_of(name.native()).empty() &&
          begins_as_picture(entry.path()))
        kind = InputKind::kPicture;
      if (kind == InputKind::kUnknown) {
        if (left_out_ != nullptr) left_out_->push_back(entry.path().string());
        continue;
      }
      inputs_.push_back({kind, entry.path().string(), (place / name).string(), ""});
    }
  }

  bool recursive_, addresses_;
  std::vector<std::string> without_;
  std::vector<std::string>* left_out_;
  std::vector<Input> inputs_;
};

bool is_probably_text(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(),
                     [](char c) { return (c >= 0x20 && c < 0x7F) || c == '\n' || c == '\r' || c == '\t'; });
}

}  // namespace

std::string input_name(const Input& input) { return input.path == "-" ? "standard input" : input.path; }

std::vector<Input> expand_inputs(const InputRequest& request, std::vector<std::string>* left_out) {
  Expansion expansion(request, left_out);
  for (const std::string& name : request.names) expansion.add_argument(name);
  if (!request.files_from.empty()) expansion.add_list(request.files_from);
  return expansion.take();
}

InputKind read_input_kind(const std::string& path) {
  std::array<char, 512> buffer{};
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  file.read(buffer.data(), buffer.size());
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(file.gcount()));
  if (bytes.empty() && errno != 0) throw Error(ErrorCode::kIo, std::strerror(errno), path);
  if (bytes.empty()) throw Error(ErrorCode::kFormat, "the file is empty", path);
  if (format_of(std::as_bytes(std::span(buffer.data(), bytes.size()))) != nullptr) return InputKind::kPicture;
  if (is_probably_text(bytes))
    throw Error(ErrorCode::kFormat, "this is text, neither a picture nor a video", path);
  return InputKind::kVideo;
}

}  // namespace winnow

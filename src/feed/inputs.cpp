// Lists the inputs that names stand for, as winnow/feed.h declares; its opening comment holds here.
//
// Exact:  entries of a folder come in byte order of their names, and matches of a pattern in glob's order.
#include <winnow/feed.h>

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
#include <limits.h>
#include <sys/stat.h>

#include <winnow/error.h>

#include "base/clean_text.h"
#include "feed/address.h"
#include "feed/input_kind.h"
#include "image/picture_format.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

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

// Whether the text may hold names of files, with `separator` between them. Pictures and other binary files
// hold zero bytes in a row, a control character, or pieces that are too long for a name.
bool is_list(std::string_view text, char separator, const std::string& path) {
  if (kind_of_bytes(std::as_bytes(std::span(text.substr(0, kKindBytes))), path) != InputKind::kUnknown)
    return false;
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return false;  // UTF-16
  const auto is_control = [](char c) {
    return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\r';
  };
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    if (name.size() > PATH_MAX) return false;
    if (separator == '\0' ? name.empty() : std::any_of(name.begin(), name.end(), is_control)) return false;
    begin = end + 1;
  }
  return true;
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
      inputs_.push_back({kind_of_file(name), name, place, ""});
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
      inputs_.push_back(broken(list == "-" ? "standard input" : list, "this list of files cannot be read"));
      return;
    }
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // some editors begin texts with it
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    const char separator = text.find('\0') != std::string::npos ? '\0' : '\n';
    if (!is_list(text, separator, list)) {
      inputs_.push_back(broken(list == "-" ? "standard input" : list,
                               "this is no list of files: a list is text with one name a line; give pictures "
                               "and videos as words of the command"));
      return;
    }
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
    for (std::size_t i = 0; result == 0 && i < matches.gl_pathc; ++i) add_match(matches.gl_pathv[i]);
    ::globfree(&matches);
    if (result != 0) inputs_.push_back(broken(pattern, "no file matches this pattern"));
  }

  // A pipe is left out, as in a folder. Nobody may ever write to a pipe that was not named.
  void add_match(const std::string& name) {
    struct stat status {};
    const bool is_pipe = ::stat(name.c_str(), &status) == 0 && S_ISFIFO(status.st_mode);
    if (!is_pipe) return add_name(name);
    if (left_out_ != nullptr) left_out_->push_back(name);
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
      // A large folder is listed faster if few of its files are opened. The reader opens each anyway.
      const bool has_ending = !ending_of(name.native()).empty();
      const InputKind kind = is_other     ? InputKind::kUnknown
                             : has_ending ? kind_of_ending(name.native())
                                          : kind_of_file(entry.path().native());
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

}  // namespace

std::string input_name(const Input& input) {
  return input.path == "-" ? "standard input" : one_line(input.path);
}

std::vector<Input> expand_inputs(const InputRequest& request, std::vector<std::string>* left_out) {
  Expansion expansion(request, left_out);
  for (const std::string& name : request.names) expansion.add_argument(name);
  if (!request.files_from.empty()) expansion.add_list(request.files_from);
  return expansion.take();
}

}  // namespace winnow

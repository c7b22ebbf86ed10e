// Gives a test a folder for its label files. The folder is removed when its object is destroyed.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include <winnow/error.h>
#include <winnow/image.h>
#include <winnow/truth.h>

#include "base/file.h"
#include "base/folder_for_test.h"

namespace winnow {

class TruthFolder : public TestFolder {
 public:
  using TestFolder::path;
  std::string path(const std::string& name) const { return file(name); }
  std::string write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    write_file(path(name), std::as_bytes(std::span(text)));
    return path(name);
  }
  std::string picture(const std::string& name, int width, int height) const {
    std::filesystem::create_directories(std::filesystem::path(path(name)).parent_path());
    write_picture(path(name), GrayImage(width, height).view());
    return path(name);
  }
  // The labels that `read_truth` reads from a file with this text.
  Truth read(std::string_view text, const TruthOptions& options = {},
             const std::string& name = "labels") const {
    return read_truth(write(name, text), options);
  }
  // The sentence of the error with its place, but without the folder's path; "read" if there is no error.
  std::string refused(std::string_view text, const TruthOptions& options = {},
                      const std::string& name = "labels") const {
    return refusal(write(name, text), options);
  }
  std::string refusal(const std::string& truth, const TruthOptions& options = {}) const {
    try {
      read_truth(truth, options);
    } catch (const Error& error) {
      const std::string what = error.what();
      return what.starts_with(path() + "/") ? what.substr(path().size() + 1) : what;
    }
    return "read";
  }
};

inline TruthOptions as(const std::string& format) {
  TruthOptions options;
  options.format = format;
  return options;
}

}  // namespace winnow

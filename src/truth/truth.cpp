// Reads labels in the named or recognised format, as winnow/truth.h declares; its opening comment holds here.
#include <winnow/truth.h>

#include <filesystem>
#include <new>
#include <stdexcept>

#include <winnow/error.h>

#include "base/file.h"
#include "truth/truth_file.h"
#include "truth/words.h"

namespace winnow {

Truth read_truth(const std::string& path, const TruthOptions& options) {
  try {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) return read_truth_folder(path, options);
    BesideLabels around(std::filesystem::path(path).parent_path().string(), options.pictures);
    const std::vector<std::byte> bytes = read_file(path, kMaxTruthBytes);
    if (options.format.empty() || options.format == truth_format_name(TruthFormat::kYolo)) {
      const std::string ending = lower(std::filesystem::path(path).extension().string());
      const bool yaml = ending == ".yaml" || ending == ".yml";
      if (yaml) return read_data_yaml(truth_text(bytes), path, options);
      if (ending == ".txt" && is_picture_list(truth_text(bytes)))
        return read_picture_list(truth_text(bytes), path, options);
    }
    return parse_truth(bytes, path, options, around);
  } catch (const Error& error) {
    if (!error.file().empty()) throw;
    throw error.in_file(path);
  } catch (const std::filesystem::filesystem_error& error) {
    throw Error(ErrorCode::kIo, error.code().message(), path);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kLimit, "there is not enough memory for the labels", path);
  } catch (const std::length_error&) {
    throw Error(ErrorCode::kLimit, "there is not enough memory for the labels", path);
  }
}

}  // namespace winnow

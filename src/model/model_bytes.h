// Gives the bytes of a model by its path, and reads bytes as a model with errors that name the file.
//
// In:     a path; "built-in:face" names a model inside the library.
// Out:    the bytes, and a name for the card of a model without a name: the file's name without its ending.
// Exact:  bytes are those of the file.
// Memory: `ModelBytes` owns the bytes of a file; the library owns those of a built-in model. `view()` and
//         `name()` live as long as the `ModelBytes`. A model keeps nothing of the bytes.
#pragma once

#include <cstddef>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <winnow/cascade_model.h>
#include <winnow/error.h>

namespace winnow {

class ModelBytes {
 public:
  // kIo if the file cannot be read, kLimit if the file is larger than any model.
  explicit ModelBytes(const std::string& path);
  std::span<const std::byte> view() const { return view_; }
  const std::string& name() const { return name_; }

 private:
  std::vector<std::byte> file_;
  std::span<const std::byte> view_;
  std::string name_;
};

// Reads a cascade of any of the formats. `name` goes on the card if the bytes hold no name. Errors name no
// file.
CascadeModel read_cascade(std::span<const std::byte> bytes, const std::string& name);

// Returns the result of `parse()`. Errors of `parse` name the file, and too little memory becomes a kLimit
// error. `kind`: the kind of model for that error, such as "cascade".
template <class Parse>
auto parse_in_file(const std::string& file, const std::string& kind, Parse parse) {
  try {
    return parse();
  } catch (const Error& error) {
    throw error.in_file(file);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::kLimit, "not enough memory to read the " + kind, file);
  }
}

}  // namespace winnow

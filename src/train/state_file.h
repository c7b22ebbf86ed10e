// Writes and reads files that keep the state of a training.
//
// In:     numbers and lists. They must be read in the order in which they were written.
// Out:    a file that ends in a checksum. The new file replaces an older file only when all its bytes are
//         written.
// Exact:  the numbers and lists that are read equal those that were written.
// Memory: the writer and the reader hold the whole file.
// Thread: one thread per writer or reader.
//
// A file is hostile input. The reader throws kFormat for bytes that are cut off or damaged, kIo for a file
// that cannot be read, kLimit above 16 GiB.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace winnow {

std::uint64_t hash_bytes(std::span<const std::byte> bytes, std::uint64_t seed = 0);

// Writes numbers one after the other, and lists with their length in front.
class StateWriter {
 public:
  template <class T>
  void put(const T& value) {
    static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
    append(std::as_bytes(std::span(&value, 1)));
  }
  template <class T>
  void put_list(const std::vector<T>& list) {
    put(static_cast<std::uint64_t>(list.size()));
    append(std::as_bytes(std::span(list)));
  }
  void write(const std::string& path);

 private:
  void append(std::span<const std::byte> bytes);

  std::vector<std::byte> bytes_;
};

class StateReader {
 public:
  explicit StateReader(const std::string& path);
  template <class T>
  T get() {
    T value;
    if (left_.size() < sizeof(T)) fail("it is cut off");
    std::memcpy(&value, left_.data(), sizeof(T));
    left_ = left_.subspan(sizeof(T));
    return value;
  }
  // Reads the length of a list whose items take at least `bytes` bytes each.
  std::size_t get_count(std::size_t bytes);
  template <class T>
  std::vector<T> get_list() {
    const std::size_t count = get_count(sizeof(T));
    std::vector<T> list(count);
    if (count > 0) std::memcpy(static_cast<void*>(list.data()), left_.data(), count * sizeof(T));
    left_ = left_.subspan(count * sizeof(T));
    return list;
  }
  [[noreturn]] void fail(const std::string& why) const;

 private:
  std::string path_;
  std::vector<std::byte> bytes_;
  std::span<const std::byte> left_;
};

}  // namespace winnow

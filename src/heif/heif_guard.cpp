// A box is a length, four letters and contents, which may be boxes. The box `meta` lists items: `iinf` gives
// their kinds, `iloc` the places of their bytes, `iref` how items refer to one another, and `ipco` properties.
// Where libheif takes the first of several boxes, all are read here. Boxes may so be cut at the end of what
// holds them, and nothing but a limit is an error.
#include "heif/heif_guard.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <winnow/error.h>

#include "heif/coded_size.h"

namespace winnow {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuse(ErrorCode code, const std::string& sentence) {
  throw Error(code, "HEIC or AVIF: " + sentence);
}

[[noreturn]] void refuse_damage(const char* what) {
  refuse(ErrorCode::kFormat, std::string("the file ends early or is damaged: ") + what);
}

// Reads numbers, the highest byte first. Bytes behind the end are 0.
class Reader {
 public:
  explicit Reader(Bytes bytes) : left_(bytes) {}
  std::uint64_t number(int size) {
    std::uint64_t value = 0;
    for (; size > 0; --size) {
      value = value << 8 | (left_.empty() ? 0 : std::to_integer<std::uint64_t>(left_[0]));
      skip(1);
    }
    return value;
  }
  Bytes take(std::uint64_t size) {
    const Bytes taken =
        left_.subspan(0, static_cast<std::size_t>(std::min<std::uint64_t>(size, left_.size())));
    left_ = left_.subspan(taken.size());
    return taken;
  }
  void skip(std::uint64_t size) { take(size); }
  // Letters up to a zero.
  std::string_view text() {
    const Bytes before = left_;
    std::size_t size = 0;
    while (number(1) != 0) ++size;
    return {reinterpret_cast<const char*>(before.data()), size};
  }
  bool empty() const { return left_.empty(); }
  Bytes left() const { return left_; }

 private:
  Bytes left_;
};

// Calls `work` with the letters and the contents of each box.
template <class Work>
void each_box(Bytes bytes, Work work) {
  Reader reader(bytes);
  while (reader.left().size() >= 8) {
    std::uint64_t size = reader.number(4), head = 8;
    const Bytes name = reader.take(4);
    if (size == 1) {
      size = reader.number(8);
      head = 16;
    } else if (size == 0) {
      size = head + reader.left().size();
    }
    if (size < head) return;
    work(std::string_view(reinterpret_cast<const char*>(name.data()), 4), reader.take(size - head));
  }
}

// The version of a box, whose flags are behind it.
int version_of(Reader& reader) { return static_cast<int>(reader.number(4) >> 24); }

struct Item {
  std::vector<std::string_view> kinds;
  bool deflated = false;
  std::vector<std::uint32_t> parts;  // that are decoded for this one: tiles, alpha
  std::int64_t pictures = 0;  // that are decoded for it, itself included; 0 if not counted, -1 meanwhile
  int layers = 0;             // of pictures that are made of pictures

  bool is_picture() const {
    const auto known = [](std::string_view kind) {
      return kind == "hvc1" || kind == "av01" || kind == "grid" || kind == "iden";
    };
    return !kinds.empty() && std::all_of(kinds.begin(), kinds.end(), known);
  }
};

class Guard {
 public:
  Guard(Bytes file, std::int64_t max_pixels) : file_(file), max_pixels_(max_pixels) {}

  void read_meta(Bytes meta) {
    items_.clear();
    Bytes inside;  // `idat`
    std::vector<Bytes> places;
    Reader reader(meta);
    version_of(reader);
    each_box(reader.left(), [&](std::string_view name, Bytes box) {
      if (name == "iinf") read_kinds(box);
      if (name == "iref") read_references(box);
      if (name == "iprp")
        each_box(box, [&](std::string_view list, Bytes properties) {
          if (list == "ipco")
            each_box(properties, [&](std::string_view kind, Bytes p) { check_property(kind, p); });
        });
      // libheif may read some bytes more than the box has.
      if (name == "idat" && inside.empty())
        inside = file_.subspan(static_cast<std::size_t>(box.data() - file_.data()));
      if (name == "iloc") places.push_back(box);
    });
    for (const Bytes& box : places) read_places(box, inside);
    for (auto& [number, item] : items_) count_pictures(item, 0);
  }

 private:
  void check_size(const char* what, const CodedSize& size, std::int64_t padding) const {
    const std::int64_t width = std::max<std::int64_t>(size.width - padding, 1),
                       height = std::max<std::int64_t>(size.height - padding, 1);
    if (size.pixels() > 0 && width > max_pixels_ / height)
      refuse(ErrorCode::kLimit, std::string(what) + " has " + std::to_string(size.width) + "x" +
                                    std::to_string(size.height) + " pixels, more than the " +
                                    std::to_string(max_pixels_) + " pixels allowed");
  }
  void check_coded(const CodedSize& size) const { check_size("a coded picture", size, 63); }

  void read_kinds(Bytes box) {
    Reader list(box);
    list.skip(version_of(list) == 0 ? 2 : 4);
    each_box(list.left(), [&](std::string_view name, Bytes entry) {
      if (name != "infe") return;
      Reader reader(entry);
      const int version = version_of(reader);
      if (version < 2) return;
      Item& item = items_[static_cast<std::uint32_t>(reader.number(version == 2 ? 2 : 4))];
      reader.skip(2);
      const Bytes kind = reader.take(4);
      if (kind.size() < 4) return;
      item.kinds.emplace_back(reinterpret_cast<const char*>(kind.data()), 4);
      if (item.kinds.back() == "iovl")
        refuse(ErrorCode::kUnsupported, "pictures laid over one another are not read; convert the picture");
      if (item.kinds.back() != "mime") return;
      reader.text();
      reader.text();
      item.deflated = item.deflated || reader.text() == "deflate";
    });
  }

  void read_references(Bytes box) {
    Reader list(box);
    const int size = version_of(list) == 0 ? 2 : 4;
    each_box(list.left(), [&](std::string_view name, Bytes entry) {
      Reader reader(entry);
      const auto from = static_cast<std::uint32_t>(reader.number(size));
      for (std::uint64_t left = reader.number(2); left > 0 && !reader.empty(); --left) {
        const auto to = static_cast<std::uint32_t>(reader.number(size));
        if (name == "dimg") items_[from].parts.push_back(to);
        if (name == "auxl") items_[to].parts.push_back(from);  // the alpha of `to`
      }
    });
  }

  void check_property(std::string_view name, Bytes box) const {
    if (name == "av1C") {
      bool whole = true;
      check_coded(av1_size(box.subspan(std::min<std::size_t>(4, box.size())), whole));
      // The bytes of an item would complete the last header.
      if (!whole) refuse_damage("a header is not whole");
    }
    if (name != "hvcC") return;
    Reader reader(box);
    reader.skip(22);
    for (std::uint64_t arrays = reader.number(1); arrays > 0; --arrays) {
      reader.skip(1);
      for (std::uint64_t units = reader.number(2); units > 0 && !reader.empty(); --units)
        check_coded(hevc_unit_size(reader.take(reader.number(2))));
    }
  }

  // libheif reads the bytes of every item when it opens the file.
  void read_places(Bytes box, Bytes inside) {
    Reader reader(box);
    const int version = version_of(reader);
    const auto sizes = static_cast<int>(reader.number(2));
    const auto size_at = [&](int shift) {
      const int size = sizes >> shift & 15;
      return size == 4 || size == 8 ? size : 0;
    };
    const int offset_size = size_at(12), length_size = size_at(8), base_size = size_at(4),
              index_size = version > 1 ? size_at(0) : 0;
    for (std::uint64_t left = reader.number(version < 2 ? 2 : 4); left > 0 && !reader.empty(); --left) {
      const auto number = static_cast<std::uint32_t>(reader.number(version < 2 ? 2 : 4));
      const bool in_file = version == 0 || (reader.number(2) & 15) == 0;
      reader.skip(2);
      const std::uint64_t base = reader.number(base_size);
      std::vector<std::byte> data;
      for (std::uint64_t extents = reader.number(2); extents > 0 && !reader.empty(); --extents) {
        reader.skip(static_cast<std::uint64_t>(index_size));
        const std::uint64_t offset = base + reader.number(offset_size), length = reader.number(length_size);
        Reader from(in_file ? file_ : inside);
        from.skip(offset);
        const Bytes extent = from.take(length);
        count_bytes(extent.size());
        data.insert(data.end(), extent.begin(), extent.end());
      }
      check_item(items_[number], data);
    }
  }

  void count_bytes(std::size_t size) {
    read_ += size;
    // Items of an honest file share few bytes.
    if (read_ > 2 * file_.size() + (1 << 16)) refuse(ErrorCode::kLimit, "its items share too many bytes");
  }

  void check_item(const Item& item, const std::vector<std::byte>& data) {
    // Zlib makes at most 1032 bytes of one.
    constexpr std::size_t kMostDeflated = std::size_t{1} << 16;
    if (item.deflated && (deflated_ += data.size()) > kMostDeflated)
      refuse(ErrorCode::kLimit, "its packed metadata is too large");
    for (const std::string_view kind : item.kinds) {
      if (kind == "hvc1") check_coded(hevc_size(data));
      bool whole = true;
      if (kind == "av01") check_coded(av1_size(data, whole));
      // dav1d 1.0 leaks memory if it gets no bytes.
      if (kind == "av01" && data.empty()) refuse_damage("a coded picture is empty");
      if (kind == "grid") check_grid(data);
    }
  }

  void check_grid(const std::vector<std::byte>& data) const {
    Reader reader(data);
    reader.skip(1);
    const int size = (reader.number(1) & 1) != 0 ? 4 : 2;
    reader.skip(2);  // numbers of rows and columns
    const auto width = static_cast<std::int64_t>(reader.number(size)),
               height = static_cast<std::int64_t>(reader.number(size));
    constexpr std::int64_t kMostSide = std::int64_t{1} << 30;
    check_size("a grid", {std::min(width, kMostSide), std::min(height, kMostSide)}, 0);
  }

  // A grid may have grids as parts, and libheif follows them without an end.
  void count_pictures(Item& item, int depth) {
    constexpr int kMostLayers = 8;
    constexpr std::int64_t kMostPictures = std::int64_t{1}
                                           << 18;  // a grid has up to 2^16, with as many alphas
    if (item.pictures > 0) return;
    if (item.pictures < 0 || depth > kMostLayers) refuse_layers();
    item.pictures = -1;
    std::int64_t pictures = 1;
    int layers = 1;
    for (const std::uint32_t number : item.parts) {
      const auto part = items_.find(number);
      if (part == items_.end() || !part->second.is_picture())
        refuse_damage("a part of a picture is no picture");
      count_pictures(part->second, depth + 1);
      pictures += part->second.pictures;
      layers = std::max(layers, part->second.layers + 1);
      if (layers > kMostLayers) refuse_layers();
      if (pictures > kMostPictures) refuse(ErrorCode::kLimit, "a picture is made of too many pictures");
    }
    item.pictures = pictures;
    item.layers = layers;
  }
  [[noreturn]] static void refuse_layers() {
    refuse(ErrorCode::kFormat, "a picture is made of itself, or of too many layers of pictures");
  }

  const Bytes file_;
  const std::int64_t max_pixels_;
  std::map<std::uint32_t, Item> items_;
  std::size_t read_ = 0, deflated_ = 0;  // bytes of items; and packed bytes among them
};

}  // namespace

void guard_heif(std::span<const std::byte> bytes, std::int64_t max_pixels) {
  each_box(bytes, [&](std::string_view name, Bytes box) {
    if (name == "meta") Guard(bytes, max_pixels).read_meta(box);
  });
}

}  // namespace winnow

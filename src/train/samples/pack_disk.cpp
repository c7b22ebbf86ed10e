// Writes packs to files, and reads them, as winnow/pack.h declares; its opening comment holds here.
#include <winnow/error.h>
#include <winnow/pack.h>

#include <cstdio>
#include <deque>
#include <filesystem>
#include <span>
#include <system_error>

#include "base/file.h"
#include "train/samples/pack_file.h"
#include "train/samples/pack_sources.h"

namespace winnow {
namespace {

constexpr std::int64_t kMaxPackBytes = std::int64_t{1} << 40;

bool is_there(const std::string& path) {
  std::error_code error;
  return std::filesystem::exists(path, error);
}

std::string shard_name(const std::string& path, std::size_t shard) {
  return path + "." + std::to_string(shard);
}

// Renames all written files to the names of their shards. If a rename fails, the shards renamed before are
// removed, because a pack needs all of its shards.
void put_in_place(std::deque<FileWriter>& files, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < files.size(); ++i) {
    try {
      files[i].finish();
    } catch (...) {
      for (std::size_t k = 0; k < i; ++k) std::remove(names[k].c_str());
      throw;
    }
  }
}

}  // namespace

std::vector<std::string> write_pack(const Pack& pack, const std::string& path, std::int64_t shard_bytes) {
  const std::string other = shard_bytes == 0 ? shard_name(path, 1) : path;
  if (is_there(other)) {
    throw Error(ErrorCode::kUsage,
                "is there already, and a pack is one file or parts: remove it, or write to another name",
                other);
  }
  std::vector<std::string> names;
  std::deque<FileWriter> files;  // renamed only when all are written: a failed write keeps an older pack
  write_shards(pack, shard_bytes, [&](std::uint32_t shard, std::span<const std::byte> bytes) {
    if (shard > files.size()) {
      if (!files.empty()) files.back().close();
      names.push_back(shard_bytes == 0 ? path : shard_name(path, shard));
      if (is_folder(names.back())) throw Error(ErrorCode::kIo, "is a folder, not a file", names.back());
      files.emplace_back(names.back());
    }
    files.back().write(bytes);
  });
  files.back().close();
  put_in_place(files, names);
  return names;
}

Pack read_pack(const std::vector<std::string>& paths) {
  std::vector<std::vector<std::byte>> files;
  std::vector<NamedBytes> named;
  const auto add = [&](const std::string& path) {
    files.push_back(read_file(path, kMaxPackBytes));
    named.push_back({path, files.back()});
  };
  for (const std::string& path : paths) {
    const bool whole = is_there(path), in_shards = is_there(shard_name(path, 1));
    if (whole && in_shards) {
      throw Error(
          ErrorCode::kUsage,
          shard_name(path, 1) + " is there too, and which of them is meant cannot be told: remove one", path);
    }
    if (whole || !in_shards) {
      add(path);
      continue;
    }
    add(shard_name(path, 1));
    const std::size_t shards = shards_of(named.back());
    for (std::size_t shard = 2; shard <= shards && is_there(shard_name(path, shard)); ++shard)
      add(shard_name(path, shard));
  }
  return parse_pack(named);
}

}  // namespace winnow

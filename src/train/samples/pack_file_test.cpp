#include "train/samples/pack_file.h"

#include <algorithm>

#include "train/samples/pack_for_test.h"
#include "train/shards_for_test.h"

namespace winnow {
namespace {

using sample::pack_shards;
using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

Pack small_pack(std::uint64_t seed = 1) {
  Random random(seed);
  Pack pack;
  pack.window = {8, 6};
  for (int i = 0; i < 200; ++i) {
    pack.names.push_back("crops/" + std::to_string(i) + ".png");
    for (int k = 0; k < 48; ++k) pack.positives.push_back(static_cast<std::uint8_t>(random.below(256)));
  }
  for (int i = 0; i < 3; ++i) {
    Pack::Negative& negative = pack.negatives.emplace_back();
    negative.name = "scenes/" + std::to_string(i) + ".jpg";
    negative.size = {640, 480 + i};
    for (int k = 0; k < 9000; ++k) negative.file.push_back(static_cast<std::byte>(random.below(256)));
  }
  pack.recipe = R"({"window":[8,6]})";
  return pack;
}

void expect_equal(const Pack& a, const Pack& b) {
  EXPECT_EQ(a.window, b.window);
  EXPECT_EQ(a.positives, b.positives);
  EXPECT_EQ(a.color, b.color);
  EXPECT_EQ(a.colors, b.colors);
  EXPECT_EQ(a.names, b.names);
  EXPECT_EQ(a.recipe, b.recipe);
  ASSERT_EQ(a.negatives.size(), b.negatives.size());
  for (std::size_t i = 0; i < a.negatives.size(); ++i) {
    EXPECT_EQ(a.negatives[i].name, b.negatives[i].name);
    EXPECT_EQ(a.negatives[i].size, b.negatives[i].size);
    EXPECT_EQ(a.negatives[i].file, b.negatives[i].file);
  }
}

Pack parsed(const std::vector<Bytes>& shards) {
  std::vector<NamedBytes> files;
  for (std::size_t i = 0; i < shards.size(); ++i) files.push_back({"part" + std::to_string(i), shards[i]});
  return parse_pack(files);
}
std::string refused(const std::vector<Bytes>& shards) {
  return error_of([&] { parsed(shards); }).what();
}

Bytes joined(const std::vector<Bytes>& shards) {
  Bytes all;
  for (const Bytes& shard : shards) all.insert(all.end(), shard.begin(), shard.end());
  return all;
}

TEST(PackFile, IsExact) {
  const Pack pack = small_pack();
  const auto shards = pack_shards(pack, 0);
  ASSERT_EQ(shards.size(), 1u);
  expect_equal(parsed(shards), pack);
  EXPECT_EQ(pack_shards(parsed(shards), 0), shards);
  Pack large = small_pack();
  large.negatives[1].file.resize((5 << 20) + 3, std::byte{7});
  expect_equal(parsed(pack_shards(large, 0)), large);
  expect_equal(parsed(pack_shards(large, 3 << 20)), large);
  Pack empty;
  empty.window = {24, 24};
  expect_equal(parsed(pack_shards(empty, 0)), empty);
}

TEST(PackFile, ShardsComeInAnyOrderOrJoined) {
  const Pack pack = small_pack();
  for (const std::int64_t size : {4096, 5000, 12345, 1 << 20}) {
    auto shards = pack_shards(pack, size);
    for (const Bytes& shard : shards) EXPECT_LE(static_cast<std::int64_t>(shard.size()), size);
    expect_equal(parsed(shards), pack);
    expect_equal(parsed({joined(shards)}), pack);
    std::reverse(shards.begin(), shards.end());
    expect_equal(parsed(shards), pack);
    expect_equal(parsed({joined(shards)}), pack);
  }
}

TEST(PackFile, ShardsAreAsLargeAsAllowed) {
  Pack pack = small_pack();
  pack.negatives[0].file.resize(4 << 20);
  for (std::int64_t size = (1 << 20) + 50; size < (1 << 20) + 80; ++size) {
    const auto shards = pack_shards(pack, size);
    for (const Bytes& shard : shards) EXPECT_LE(static_cast<std::int64_t>(shard.size()), size);
    EXPECT_GE(static_cast<std::int64_t>(shards[0].size()), size - 4);
    expect_equal(parsed(shards), pack);
  }
}

TEST(PackFile, ShardsThatDoNotFitSaySo) {
  const auto shards = pack_shards(small_pack(), 10000), others = pack_shards(small_pack(2), 10000);
  ASSERT_EQ(shards.size(), 5u);
  EXPECT_EQ(refused({shards[0], shards[1], shards[3], shards[4]}), "part0: part 3 of 5 is missing");
  EXPECT_EQ(refused({shards[1]}), "part0: part 1 of 5 is missing");
  EXPECT_EQ(refused({shards[0], others[1], shards[2], shards[3], shards[4]}),
            "part0: part 2 of 5 is missing");
  EXPECT_EQ(refused({joined(shards), shards[2]}), "part1: part 3 of 5 is given twice");
  EXPECT_EQ(refused({}), "no file of a pack was given");
}

TEST(PackFile, SeveralPacksBecomeOne) {
  const Pack first = small_pack(), second = small_pack(2);
  const auto shards = pack_shards(first, 10000), others = pack_shards(second, 10000);
  const Pack both = parsed({others[2], shards[0], others[0], joined({shards[1], shards[2]}), others[1],
                            shards[4], shards[3], others[3], others[4]});
  Pack wanted = second;
  wanted.positives.insert(wanted.positives.end(), first.positives.begin(), first.positives.end());
  wanted.names.insert(wanted.names.end(), first.names.begin(), first.names.end());
  wanted.negatives.insert(wanted.negatives.end(), first.negatives.begin(), first.negatives.end());
  wanted.recipe = "[" + second.recipe + "," + first.recipe + "]";
  expect_equal(both, wanted);
  Pack wide = first;
  wide.window.width *= 2;
  wide.positives.resize(wide.positives.size() * 2);
  EXPECT_THAT(refused({joined(shards), joined(pack_shards(wide, 0))}),
              ::testing::HasSubstr("and the pack before it has one of"));
}

Pack colored_pack() {
  Pack pack = small_pack();
  pack.color = true;
  Random random(7);
  for (std::size_t i = 0; i < 3 * pack.positives.size(); ++i)
    pack.colors.push_back(static_cast<std::uint8_t>(random.below(256)));
  return pack;
}

TEST(PackFile, ColoursAreKept) {
  const Pack pack = colored_pack();
  expect_equal(parsed(pack_shards(pack, 0)), pack);
  expect_equal(parsed(pack_shards(pack, 5000)), pack);
  EXPECT_EQ(parsed(pack_shards(pack, 0)).positive_color(3).row(2)[1].b,
            pack.colors[3 * (3 * 48 + 2 * 8 + 1) + 2]);
  Pack none;
  none.window = {24, 24};
  none.color = true;
  expect_equal(parsed(pack_shards(none, 0)), none);
  // A grey pack has version 1, which older readers accept.
  EXPECT_EQ(pack_shards(small_pack(), 0)[0][8], std::byte{1});
  EXPECT_EQ(pack_shards(pack, 0)[0][8], std::byte{2});
  Pack other = colored_pack();
  other.names[0] = "another";
  const Pack both = parsed({joined(pack_shards(pack, 0)), joined(pack_shards(other, 0))});
  EXPECT_EQ(both.colors.size(), 3 * both.positives.size());
}

TEST(PackFile, ColoursThatDoNotFitAreRefused) {
  const Bytes gray = joined(pack_shards(small_pack(2), 0)), color = joined(pack_shards(colored_pack(), 0));
  EXPECT_THAT(refused({gray, color}), HasSubstr("part1: has colours, and the pack before it has none"));
  EXPECT_THAT(refused({color, gray}), HasSubstr("part1: has no colours, and the pack before it has"));
  Pack pack = colored_pack();
  pack.colors.pop_back();
  EXPECT_EQ(error_of([&] { pack_shards(pack, 0); }).sentence(),
            "the pack's colours are not as many as its positives");
  pack = small_pack();
  pack.colors.resize(3);
  EXPECT_EQ(error_of([&] { pack_shards(pack, 0); }).code(), ErrorCode::kUsage);
}

TEST(PackFile, EachCutIsRefused) {
  const Bytes whole = joined(pack_shards(small_pack(), 10000));
  for (std::size_t size = 0; size < whole.size(); size += size < 200 ? 1 : 97) {
    const Bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const Error error = error_of([&] { parsed({cut}); });
    EXPECT_TRUE(error.code() == ErrorCode::kFormat || error.code() == ErrorCode::kUsage) << size;
  }
  const Bytes cut(whole.begin(), whole.begin() + 5000);
  EXPECT_EQ(refused({cut}), "part0: is cut off: part 1 of 5 has 10000 bytes, and 5000 are there");
}

TEST(PackFile, EachBrokenByteIsFound) {
  const Bytes whole = joined(pack_shards(small_pack(), 10000));
  for (std::size_t at = 0; at < whole.size(); at += at < 200 ? 1 : 41) {
    Bytes broken = whole;
    broken[at] ^= std::byte{0x10};
    EXPECT_THROW(parsed({broken}), Error) << at;
  }
  Bytes broken = whole;
  broken[100] ^= std::byte{1};
  EXPECT_EQ(refused({broken}), "part0: byte 56: is broken (a CRC is wrong) in part 1 of 5");
  broken = whole;
  broken[20] ^= std::byte{1};
  EXPECT_EQ(refused({broken}), "part0: has a broken head (its CRC is wrong)");
  broken = whole;
  broken[6] = std::byte{'\n'};
  EXPECT_EQ(refused({broken}), "part0: is a pack whose line ends were changed in transfer");
  broken = whole;
  broken[8] = std::byte{3};
  EXPECT_EQ(refused({broken}), "part0: is a pack of version 3, and this library reads versions 1 and 2");
  EXPECT_EQ(refused({Bytes(100, std::byte{'x'})}), "part0: is no pack");
}

TEST(PackFile, PacksThatMakeNoSenseAreNotWritten) {
  Pack pack = small_pack();
  pack.positives.pop_back();
  EXPECT_EQ(error_of([&] { pack_shards(pack, 0); }).code(), ErrorCode::kUsage);
  pack = small_pack();
  pack.names[3] = "\x1b[2J";
  EXPECT_EQ(error_of([&] { pack_shards(pack, 0); }).code(), ErrorCode::kUsage);
  EXPECT_EQ(error_of([&] { pack_shards(small_pack(), 100); }).sentence(), "parts have at least 4096 bytes");
}

TEST(PackFile, OnDisk) {
  const sample::Folder folder;
  const Pack pack = small_pack();
  EXPECT_THAT(write_pack(pack, folder / "a.pack"), testing::ElementsAre(folder / "a.pack"));
  expect_equal(read_pack({folder / "a.pack"}), pack);
  const auto written = write_pack(pack, folder / "b.pack", 10000);
  ASSERT_EQ(written.size(), 5u);
  EXPECT_EQ(written[4], folder / "b.pack.5");
  expect_equal(read_pack({written[4], written[1], written[0], written[3], written[2]}), pack);
  expect_equal(read_pack({folder / "b.pack"}), pack);
  std::filesystem::remove(written[3]);
  EXPECT_THAT(error_of([&] { read_pack({folder / "b.pack"}); }).what(), HasSubstr("part 4 of 5 is missing"));
  EXPECT_THAT(error_of([&] { read_pack({folder / "c.pack"}); }).what(), HasSubstr("c.pack: cannot open"));
  // If the third shard cannot be written, the first two are removed.
  std::filesystem::create_directories(folder / "d.pack.3/x");
  EXPECT_EQ(error_of([&] { write_pack(pack, folder / "d.pack", 10000); }).code(), ErrorCode::kIo);
  EXPECT_FALSE(std::filesystem::exists(folder / "d.pack.1"));
  EXPECT_FALSE(std::filesystem::exists(folder / "d.pack.3.part"));
  EXPECT_THAT(error_of([&] { write_pack(pack, "/no/such/folder/x.pack"); }).what(),
              HasSubstr("cannot write"));
}

TEST(PackFile, WhatIsThereStaysWhenTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const sample::Folder folder;
  folder.put("a.pack.2", "mine");
  std::filesystem::create_symlink("/dev/full", folder / "a.pack.2.part");
  EXPECT_EQ(error_of([&] { write_pack(small_pack(), folder / "a.pack", 10000); }).code(), ErrorCode::kIo);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.pack.1"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "a.pack.2.part"));
  EXPECT_EQ(std::filesystem::file_size(folder / "a.pack.2"), 4u);
}

TEST(PackFile, APackThatIsThereStaysWhenAnotherCannotBeWritten) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const sample::Folder folder;
  const std::string path = folder / "a.pack";
  ASSERT_EQ(write_pack(small_pack(), path, 10000).size(), 5u);
  for (const char* full : {"a.pack.3.part", "a.pack.5.part"}) {
    std::filesystem::create_symlink("/dev/full", folder / full);
    EXPECT_EQ(error_of([&] { write_pack(small_pack(2), path, 10000); }).code(), ErrorCode::kIo);
    expect_equal(read_pack({path}), small_pack());
  }
  // If a folder has the name of a shard, the older shards stay.
  std::filesystem::create_directory(path + ".6");
  EXPECT_THAT(error_of([&] { write_pack(small_pack(2), path, 8000); }).what(),
              HasSubstr("a.pack.6: is a folder"));
  expect_equal(read_pack({path}), small_pack());
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path())) ++files;
  EXPECT_EQ(files, 6u) << "five parts and the folder";
}

TEST(PackFile, OneFormOnDisk) {
  const sample::Folder folder;
  const Pack pack = small_pack();
  const std::string path = folder / "a.pack";
  write_pack(pack, path);
  const auto in_shards = [&] { write_pack(pack, path, 10000); };
  EXPECT_EQ(error_of(in_shards).code(), ErrorCode::kUsage);
  EXPECT_THAT(error_of(in_shards).what(), HasSubstr("a.pack: is there already"));
  EXPECT_FALSE(std::filesystem::exists(path + ".1"));
  std::filesystem::rename(path, folder / "b.pack");
  in_shards();
  const auto whole = [&] { write_pack(pack, path); };
  EXPECT_EQ(error_of(whole).code(), ErrorCode::kUsage);
  EXPECT_THAT(error_of(whole).what(), HasSubstr("a.pack.1: is there already"));
  EXPECT_FALSE(std::filesystem::exists(path));
  // If a.pack and a.pack.1 both exist, neither is read.
  std::filesystem::rename(folder / "b.pack", path);
  const auto read = [&] { read_pack({path}); };
  EXPECT_EQ(error_of(read).code(), ErrorCode::kUsage);
  EXPECT_THAT(error_of(read).what(), HasSubstr("a.pack.1 is there too"));
  std::filesystem::remove(path);
  expect_equal(read_pack({path}), pack);
}

}  // namespace
}  // namespace winnow

#include "base/file.h"

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <filesystem>
#include <string>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

constexpr std::byte kBytes[] = {std::byte{1}, std::byte{2}, std::byte{3}};

TEST(File, IsThereOnceItIsFinished) {
  const TestFolder folder;
  const std::string path = folder.file("a");
  {
    FileWriter file(path);
    file.write(kBytes);
    file.close();
    EXPECT_FALSE(std::filesystem::exists(path));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  FileWriter file(path);
  file.write(kBytes);
  file.finish();
  EXPECT_EQ(read_file(path, 3).size(), 3u);
}

TEST(File, NamesMayBeAsLongAsTheDiskAllows) {
  const TestFolder folder;
  for (const std::size_t length : {250, 251, 255}) {
    const std::string path = folder.file(std::string(length, 'n'));
    write_file(path, kBytes);
    EXPECT_EQ(read_file(path, 3).size(), 3u) << length;
    std::filesystem::remove(path);
    EXPECT_TRUE(std::filesystem::is_empty(folder.path())) << length;
  }
  try {
    write_file(folder.file(std::string(256, 'n')), kBytes);
    ADD_FAILURE() << "no error was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kLimit);
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace winnow

// Tests which files of a folder become inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <winnow/feed.h>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

using testing::ElementsAre;

TEST(Inputs, APipeInAFolderIsLeftOut) {
  const TestFolder folder;
  std::ofstream(folder.file("a.pgm")) << "P5 1 1 255 x";
  std::ofstream(folder.file("words.txt")) << "words";
  ASSERT_EQ(mkfifo(folder.file("pipe.pgm").c_str(), 0600), 0);
  std::filesystem::create_symlink(folder.file("absent.pgm"), folder.file("broken.pgm"));
  std::vector<std::string> left_out, places;
  for (const Input& input : expand_inputs({.names = {folder.path()}, .files_from = ""}, &left_out))
    places.push_back(input.place);
  EXPECT_THAT(places, ElementsAre("a.pgm", "broken.pgm"));
  EXPECT_THAT(left_out, ElementsAre(folder.file("pipe.pgm"), folder.file("words.txt")));
  // A pipe that is named gives its pictures.
  const std::vector<Input> named =
      expand_inputs({.names = {folder.file("pipe.pgm")}, .files_from = ""}, &left_out);
  ASSERT_EQ(named.size(), 1u);
  EXPECT_EQ(named.front().kind, InputKind::kStream);
  EXPECT_EQ(left_out.size(), 2u);
}

}  // namespace
}  // namespace winnow

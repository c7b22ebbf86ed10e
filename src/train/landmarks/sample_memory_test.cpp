// Checks lists of samples: which of them lie in memory and which in a file, and that they keep their numbers.
#include "train/landmarks/sample_memory.h"

#include <gtest/gtest.h>
#include <winnow/error.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/folder_for_test.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

void fill(SampleList<std::int32_t>& list) {
  for (std::size_t i = 0; i < list.size(); ++i) list[i] = static_cast<std::int32_t>(i * 7919);
}

bool is_filled(const SampleList<std::int32_t>& list) {
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i] != static_cast<std::int32_t>(i * 7919)) return false;
  return true;
}

TEST(SampleMemory, ListsBeyondTheBudgetLieInAFile) {
  const TestFolder folder;
  SampleMemory memory(5000, folder.path());
  SampleList<std::int32_t> first(memory, 1000);
  EXPECT_FALSE(memory.uses_file()) << "4000 of 5000 bytes";
  SampleList<std::int32_t> second(memory, 300);
  EXPECT_TRUE(memory.uses_file()) << "1200 bytes more";
  SampleMemory later(5000, folder.path());
  SampleList<std::int32_t> third(later, 1250);
  EXPECT_FALSE(later.uses_file()) << "all of the budget";
  EXPECT_TRUE(fs::is_empty(folder.path())) << "the file has no name";
  for (SampleList<std::int32_t>* list : {&first, &second, &third}) {
    EXPECT_TRUE(std::all_of(list->all().begin(), list->all().end(), [](int each) { return each == 0; }));
    fill(*list);
  }
  EXPECT_TRUE(is_filled(first) && is_filled(second) && is_filled(third)) << "each has pages of its own";
  EXPECT_EQ(second.size(), 300u);
  EXPECT_EQ(second.data() + 299, &second[299]);
}

TEST(SampleMemory, WhatIsSetAsideLeavesLess) {
  const TestFolder folder;
  SampleMemory memory(5000, folder.path());
  memory.set_aside(4000);
  const SampleList<std::int32_t> small(memory, 250);
  EXPECT_FALSE(memory.uses_file());
  const SampleList<std::int32_t> next(memory, 1);
  EXPECT_TRUE(memory.uses_file());
  SampleMemory none(100, folder.path());
  none.set_aside(4000);
  const SampleList<std::int32_t> list(none, 1);
  EXPECT_TRUE(none.uses_file());
}

TEST(SampleMemory, ListsMoveAndOutliveTheirMaker) {
  const TestFolder folder;
  SampleList<std::int32_t> kept;
  EXPECT_EQ(kept.size(), 0u);
  for (const std::int64_t budget : {0, 100'000}) {
    SampleMemory memory(budget, folder.path());
    SampleList<std::int32_t> list(memory, 2000);
    fill(list);
    SampleList<std::int32_t> moved(std::move(list));
    kept = std::move(moved);
    EXPECT_EQ(memory.uses_file(), budget == 0);
  }
  EXPECT_EQ(kept.size(), 2000u);
  EXPECT_TRUE(is_filled(kept));
  SampleMemory memory(0, "/nowhere");
  kept = SampleList<std::int32_t>(memory, 0);
  EXPECT_EQ(kept.data(), nullptr) << "an empty list needs no file";
}

// Returns the folder that the error names.
std::string refused(const std::string& folder) {
  SampleMemory memory(0, folder);
  try {
    const SampleList<std::int32_t> list(memory, 10);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::kIo);
    EXPECT_NE(error.sentence().find("no room for the samples in this folder"), std::string::npos);
    return error.file();
  }
  return "no error";
}

TEST(SampleMemory, FoldersThatAreNotThere) {
  EXPECT_EQ(refused("/nowhere/at/all"), "/nowhere/at/all");
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  ASSERT_EQ(setenv("TMPDIR", "/nowhere/at/all", 1), 0);
  EXPECT_NE(refused(""), "no error");
  if (before == nullptr) {
    unsetenv("TMPDIR");
  } else {
    setenv("TMPDIR", kept.c_str(), 1);
  }
}

}  // namespace
}  // namespace winnow

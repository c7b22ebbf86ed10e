// Runs the examples of docs/library/ that train and evaluate.
#include <gtest/gtest.h>

#include <filesystem>

#include "base/folder_for_test.h"
#include "guide_for_test.h"
#include "library_guide.h"

namespace {

using winnow::Cascade;
using winnow::Detector;
using winnow::Error;
using winnow::ErrorCode;
using winnow::TestFolder;

// Writes crops of bright squares, and backgrounds without a square.
void write_samples(const TestFolder& folder) {
  for (const char* name : {"crops", "backgrounds"}) std::filesystem::create_directory(folder.file(name));
  for (int i = 0; i < 30; ++i) {
    const int x = 4 + i % 3, y = 4 + i / 3 % 3;
    winnow::write_picture(folder.file("crops/" + std::to_string(100 + i) + ".pgm"),
                          draw({20, 20}, {{x, y, 10, 10}}, i).view());
  }
  for (int i = 0; i < 6; ++i)
    winnow::write_picture(folder.file("backgrounds/" + std::to_string(i) + ".pgm"),
                          draw({160, 120}, {}, 40 + i).view());
}

TEST(Guide, TrainsAndResumes) {
  const TestFolder folder;
  write_samples(folder);
  const auto train = [&](std::stop_token stop) {
    return guide::train_mugs(folder.file("crops"), folder.file("backgrounds"), folder.file("state"), stop);
  };
  std::stop_source stop;
  stop.request_stop();
  expect_message(ErrorCode::kUsage, [&] { train(stop.get_token()); });
  const Cascade resumed = train({});
  EXPECT_EQ(resumed.window(), (winnow::Size{20, 20}));
  std::filesystem::remove_all(folder.file("state"));
  EXPECT_TRUE(resumed.model().same_as(train({}).model()));

  // A pack of the samples that the folder holds now.
  winnow::PackOptions samples;
  samples.window = {20, 20};
  const winnow::Pack pack = winnow::make_pack({folder.file("crops")}, {folder.file("backgrounds")}, samples);
  winnow::RunOptions run;
  run.checkpoint = folder.file("state");
  expect_row("state: " +
             error_of([&] { winnow::train_cascade(pack, winnow::CascadeOptions(), run); }).sentence());
  run.resume = true;
  const Error other = error_of([&] { winnow::train_cascade(pack, winnow::CascadeOptions(), run); });
  expect_row("state/stage: " + other.sentence().substr(0, other.sentence().find(';') + 1));
}

TEST(Guide, Evaluates) {
  const TestFolder folder;
  std::filesystem::copy(kPicture, folder.file("squares.pgm"));
  Detector detector(square_finder());
  std::string truth = "file,x,y,width,height\n";
  for (const winnow::Detection& object : detector.detect(winnow::read_picture(kPicture).view()).objects) {
    truth += "squares.pgm," + std::to_string(object.box.x) + "," + std::to_string(object.box.y) + "," +
             std::to_string(object.box.width) + "," + std::to_string(object.box.height) + "\n";
  }
  write_text(folder.file("truth.csv"), truth);
  const winnow::Evaluation result = guide::judge(detector, folder.file("truth.csv"));
  EXPECT_EQ(result.labels, 2);
  EXPECT_EQ(result.found(), 2);
}

}  // namespace

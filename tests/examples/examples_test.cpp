// Runs the examples of docs/library/ on drawn pictures, and compares the messages in the table of errors.md with
// those of the library.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

#include "library_guide.h"

namespace {

using winnow::BackendKind;
using winnow::Box;
using winnow::Cascade;
using winnow::Detections;
using winnow::Detector;
using winnow::DetectorModel;
using winnow::Error;
using winnow::ErrorCode;
using winnow::GrayImage;
using winnow::GrayView;

const std::string kCascade = WINNOW_SCENE "/square.xml", kPicture = WINNOW_SCENE "/squares.pgm";

// A folder of a test's own, gone afterwards.
class TestFolder {
 public:
  TestFolder() : path_((std::filesystem::temp_directory_path() / "winnow_test_XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no folder for the test");
  }
  ~TestFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;

  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

DetectorModel square_finder() { return DetectorModel::load(kCascade); }

// Bright squares on darker ground that is nowhere flat.
GrayImage draw(winnow::Size size, const std::vector<Box>& squares, int seed = 0) {
  GrayImage image(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x)
      image.row(y)[x] = static_cast<std::uint8_t>(20 + (x * (7 + seed % 5) + y * 13 + seed * 3) % 61);
  }
  for (const Box& square : squares) {
    for (int y = square.y; y < square.y + square.height; ++y)
      std::fill_n(image.row(y) + square.x, square.width, std::uint8_t{220});
  }
  return image;
}

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The error that `work` throws.
template <class Work>
Error error_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return error;
  }
  throw std::runtime_error("there was no error");
}

// Fails unless a row of the table of messages holds this text.
void expect_row(const std::string& text) {
  EXPECT_NE(text_of(WINNOW_MESSAGES).find("\n| `" + text), std::string::npos) << text;
}
// Fails unless the work throws, and a row of the table of messages holds the sentence.
template <class Work>
void expect_message(ErrorCode code, Work work) {
  const Error error = error_of(work);
  EXPECT_EQ(error.code(), code) << error.what();
  expect_row(error.sentence());
}

bool has(BackendKind kind) {
  for (const winnow::BackendInfo& backend : winnow::list_backends())
    if (backend.kind == kind) return backend.available;
  return false;
}

TEST(Guide, LoadsAModelByName) {
  EXPECT_EQ(guide::load_by_name("built-in:face").window(), (winnow::Size{24, 24}));
  EXPECT_EQ(guide::load_by_name(kCascade).kind(), "cascade");
}

TEST(Guide, EditsAndConverts) {
  const TestFolder folder;
  guide::rename_and_convert(kCascade, folder.file("mugs.winnow"));
  const Cascade cascade = Cascade::load(folder.file("mugs.winnow"));
  EXPECT_EQ(cascade.name(), "mugs");
  EXPECT_TRUE(cascade.model().same_as(Cascade::load(kCascade).model()));
}

TEST(Guide, KeepsPeople) {
  const TestFolder folder;
  winnow::HogSvmModel plain;
  plain.weights.assign(plain.shape.values(), 0.5f);
  guide::keep_people(winnow::HogSvm(plain), folder.file("people.winnow"), folder.file("weights.png"));
  const winnow::HogSvm svm = winnow::HogSvm::load(folder.file("people.winnow"));
  EXPECT_EQ(svm.model().card.kind, "person");
  EXPECT_TRUE(svm.model().same_as(plain));
  EXPECT_GT(winnow::read_picture(folder.file("weights.png")).gray.height(), 512);
  guide::keep_people(Cascade::load(kCascade), folder.file("none.winnow"), folder.file("none.png"));
  testing::internal::CaptureStdout();
  guide::show_model(folder.file("people.winnow"), folder.file("shown.png"));
  std::fflush(stdout);
  EXPECT_NE(testing::internal::GetCapturedStdout().find("finds person and holds 3780 weights"),
            std::string::npos);
  EXPECT_GT(winnow::read_picture(folder.file("shown.png")).gray.width(), 100);
  EXPECT_FALSE(std::filesystem::exists(folder.file("none.winnow")));
}

TEST(Guide, SearchesOnePicture) {
  Detector detector(square_finder());
  const Detections large = guide::find_large_ones(detector, kPicture);
  EXPECT_FALSE(large.objects.empty());
  for (const winnow::Detection& object : large.objects) EXPECT_GE(object.box.width, 48);
  const winnow::Counters& c = large.counters;
  EXPECT_EQ(c.windows, c.skipped + c.flat + c.reached[0]);
}

TEST(Guide, SearchesPixels) {
  const GrayImage image = draw({200, 200}, {{40, 120, 40, 40}});
  Detector detector(square_finder());
  const Detections found =
      guide::search_pixels(detector, image.row(0), image.width(), image.height(), image.width());
  ASSERT_EQ(found.objects.size(), 1u);
  const Box box = found.objects[0].box;
  EXPECT_NEAR(box.x + box.width / 2, 60, 4);
  EXPECT_NEAR(box.y + box.height / 2, 140, 4);
}

TEST(Guide, FindsPeopleThatTouch) {
  const GrayImage image = draw({200, 200}, {{40, 120, 40, 40}});
  Detector detector(square_finder());
  const Detections found = guide::find_people(detector, image.view());
  ASSERT_EQ(found.objects.size(), 1u);
  EXPECT_GT(found.objects[0].neighbors, 1);
}

TEST(Guide, SearchesManyPictures) {
  Detector detector(square_finder());
  std::vector<winnow::Picture> pictures(5);
  for (int i = 0; i < 5; ++i)
    pictures[static_cast<std::size_t>(i)].gray = draw({120 + i % 2 * 30, 100}, {{20 + 5 * i, 30, 30, 30}});
  const std::vector<Detections> results = guide::search_all(detector, pictures);
  ASSERT_EQ(results.size(), pictures.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    EXPECT_EQ(results[i].objects, detector.detect(pictures[i].view()).objects);
    EXPECT_FALSE(results[i].objects.empty());
  }
}

TEST(Guide, SearchesInThreads) {
  const TestFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 9; ++i) {
    paths.push_back(folder.file(std::to_string(i) + ".pgm"));
    const std::vector<Box> squares{{20, 20, 30, 30}, {90, 60, 30, 30}};
    winnow::write_picture(paths.back(), draw({160, 120}, {squares.begin(), squares.begin() + i % 3}).view());
  }
  EXPECT_EQ(guide::count_in_threads(square_finder(), paths),
            (std::vector<std::size_t>{0, 1, 2, 0, 1, 2, 0, 1, 2}));
}

TEST(Guide, ReadsColourForModelsOfColour) {
  Detector detector(square_finder());
  EXPECT_FALSE(detector.model().reads_color());
  EXPECT_EQ(guide::search_as_the_model_wants(detector, kPicture).objects.size(), 2u);
}

TEST(Guide, ChoosesTheMachine) {
  Detector detector = guide::detector_on_processor(square_finder());
  EXPECT_EQ(detector.backend(), BackendKind::kCpu);
  EXPECT_EQ(detector.threads(), 2);
}

TEST(Guide, UsesSeveralDevices) {
  if (has(BackendKind::kCuda)) {
    EXPECT_EQ(guide::detector_on_devices(square_finder(), 1).backend(), BackendKind::kCuda);
    return;
  }
  const Error error = error_of([] { guide::detector_on_devices(square_finder(), 2); });
  EXPECT_EQ(error.code(), ErrorCode::kBackend);
  expect_row("the backend cuda is not here: ...");
  EXPECT_TRUE(error.sentence().starts_with("the backend cuda is not here: ")) << error.what();
}

TEST(Guide, SearchesARing) {
  constexpr int kWidth = 160, kHeight = 120, kFrames = 4;
  std::vector<std::uint8_t> ring;
  for (int i = 0; i < kFrames; ++i) {
    const GrayImage frame = draw({kWidth, kHeight}, {{20 + 10 * i, 30, 30, 30}}, i);
    ring.insert(ring.end(), frame.row(0), frame.row(0) + kWidth * kHeight);
  }
  Detector detector(square_finder());
  EXPECT_EQ(guide::search_ring(detector, ring, {kWidth, kHeight}, kFrames), 4u);
}

TEST(Guide, PicturesOnADeviceNeedTheBackend) {
  const GrayImage image = draw({60, 60}, {});
  Detector detector(square_finder(), {.backend = BackendKind::kCpu, .threads = 1});
  std::vector<Detections> results;
  expect_message(ErrorCode::kUsage, [&] {
    guide::search_on_device(detector, image.row(0), {60, 60}, nullptr, results);
  });
}

// Pixels in the memory of device 0, through CUDA's driver alone, since builds without CUDA compile this, too.
class DevicePixels {
 public:
  explicit DevicePixels(const GrayImage& image) {
    int device = 0;
    void* context = nullptr;
    call<unsigned>("cuInit", 0u);
    call<int*, int>("cuDeviceGet", &device, 0);
    call<void**, int>("cuDevicePrimaryCtxRetain", &context, device);
    call<void*>("cuCtxSetCurrent", context);
    const auto bytes = static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height());
    call<unsigned long long*, std::size_t>("cuMemAlloc_v2", &address_, bytes);
    call<unsigned long long, const void*, std::size_t>("cuMemcpyHtoD_v2", address_, image.row(0), bytes);
  }
  ~DevicePixels() { call<unsigned long long>("cuMemFree_v2", address_); }
  DevicePixels(const DevicePixels&) = delete;
  DevicePixels& operator=(const DevicePixels&) = delete;

  const std::uint8_t* data() const { return reinterpret_cast<const std::uint8_t*>(address_); }

 private:
  template <class... Arguments>
  void call(const char* name, Arguments... arguments) {
    void* function = driver_ != nullptr ? dlsym(driver_, name) : nullptr;
    ASSERT_NE(function, nullptr) << name;
    ASSERT_EQ(reinterpret_cast<int (*)(Arguments...)>(function)(arguments...), 0) << name;
  }

  void* driver_ = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  unsigned long long address_ = 0;
};

TEST(Guide, SearchesOnADevice) {
  if (!has(BackendKind::kCuda)) GTEST_SKIP() << "needs the backend cuda";
  const GrayImage image = draw({160, 120}, {{30, 30, 40, 40}});
  const DevicePixels pixels(image);
  Detector detector = guide::detector_on_devices(square_finder(), 1);
  Detector processor(square_finder(), {.backend = BackendKind::kCpu, .threads = 1});
  std::vector<Detections> results;
  guide::search_on_device(detector, pixels.data(), image.size(), nullptr, results);
  ASSERT_EQ(results.size(), 1u);
  EXPECT_EQ(results[0].objects, processor.detect(image.view()).objects);
  EXPECT_EQ(results[0].objects.size(), 1u);
}

TEST(Guide, SearchesAhead) {
  Detector detector(square_finder());
  const std::vector<std::string> paths(20, kPicture);
  EXPECT_EQ(guide::search_ahead(detector, paths), 40u);
  EXPECT_EQ(detector.pending(), 0);
}

TEST(Guide, SearchesAVideo) {
  if (!winnow::video_supported()) GTEST_SKIP() << "this build or machine has no video";
  const TestFolder folder;
  std::string film = "YUV4MPEG2 W160 H120 F10:1 Ip A1:1 C420jpeg\n";
  for (int i = 0; i < 12; ++i) {
    std::vector<Box> squares;
    if (i != 5) squares.push_back({30, 30, 40, 40});
    const GrayImage frame = draw({160, 120}, squares);
    film += "FRAME\n" + std::string(reinterpret_cast<const char*>(frame.row(0)), 160 * 120) +
            std::string(160 * 120 / 2, '\x80');
  }
  write_text(folder.file("film.y4m"), film);
  Detector detector(square_finder());
  EXPECT_EQ(guide::frames_with_objects(detector, folder.file("film.y4m")), 2) << "of frames 0, 5 and 10";
}

TEST(Guide, SearchesInputs) {
  const TestFolder folder;
  std::filesystem::create_directory(folder.file("photos"));
  std::filesystem::copy(kPicture, folder.file("photos/squares.pgm"));
  write_text(folder.file("photos/wrong.png"), "this is no picture");
  testing::internal::CaptureStdout();
  const int problems = guide::search_inputs(square_finder(), {folder.file("photos")}, folder.file("marked"));
  const std::string lines = testing::internal::GetCapturedStdout();
  EXPECT_EQ(problems, 1);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1);
  EXPECT_NE(lines.find("\"width\":200,\"height\":150,"), std::string::npos) << lines;
  EXPECT_EQ(winnow::read_picture(folder.file("marked/squares.ppm"), {.color = true}).color.size(),
            (winnow::Size{200, 150}));
}

TEST(Guide, CountsFramesInAState) {
  const TestFolder folder;
  // Squares in frames 0 and 4 of the first stream, and in none of the second.
  const auto stream = [&](const std::string& name, int frames, int period) {
    std::string text;
    for (int i = 0; i < frames; ++i) {
      std::vector<Box> squares;
      if (i % period == 0) squares.push_back({30, 30, 40, 40});
      const GrayImage frame = draw({160, 120}, squares);
      text += "P5 160 120 255\n" + std::string(reinterpret_cast<const char*>(frame.row(0)), 160 * 120);
    }
    write_text(folder.file(name), text);
    return winnow::Input{winnow::InputKind::kStream, folder.file(name), name, ""};
  };
  const winnow::Input first = stream("first", 7, 4), second = stream("second", 3, 2);
  EXPECT_EQ(guide::longest_absence(square_finder(), {first}), 3);
  EXPECT_EQ(guide::longest_absence(square_finder(), {first, second}), 3) << "states were not parted";
}

TEST(Guide, SearchesInTheBackground) {
  std::vector<winnow::Input> inputs(3, {winnow::InputKind::kPicture, kPicture, "squares.pgm", ""});
  std::promise<void> answered;
  std::atomic<int> answers = 0;
  std::jthread thread = guide::search_in_background(square_finder(), inputs, [&](const Detections& found) {
    EXPECT_EQ(found.objects.size(), 2u);
    if (++answers == 3) answered.set_value();
  });
  answered.get_future().wait();
  thread.join();
  EXPECT_EQ(answers, 3);
}

TEST(Guide, AStopEndsTheBackground) {
  std::atomic<int> answers = 0;
  std::vector<winnow::Input> inputs(100000, {winnow::InputKind::kPicture, kPicture, "squares.pgm", ""});
  std::promise<void> answered;
  std::jthread thread = guide::search_in_background(square_finder(), inputs, [&](const Detections&) {
    if (++answers == 1) answered.set_value();
  });
  answered.get_future().wait();
  thread.request_stop();
  thread.join();
  EXPECT_LT(answers, 100000);
}

TEST(Guide, LeavesOutWhatIsTooLarge) {
  const TestFolder folder;
  EXPECT_TRUE(guide::read_unless_too_large(kPicture));
  write_text(folder.file("large.pgm"), "P5 12000 9000 255\n");
  EXPECT_FALSE(guide::read_unless_too_large(folder.file("large.pgm")));
  EXPECT_THROW(guide::read_unless_too_large(folder.file("nothing.pgm")), Error);
  expect_row("...: " + error_of([&] {
                         winnow::read_picture(folder.file("large.pgm"), {.max_pixels = 1'000'000});
                       }).sentence());
}

TEST(Guide, LoadsTheFirstGoodModel) {
  const std::optional<Cascade> cascade = guide::load_first({"/no/such/file", kPicture, kCascade});
  ASSERT_TRUE(cascade);
  EXPECT_EQ(cascade->name(), "square");
  EXPECT_FALSE(guide::load_first({kPicture}));
}

TEST(Guide, UsesAResultAgain) {
  const GrayImage two = draw({160, 120}, {{20, 20, 30, 30}, {90, 60, 30, 30}}), none = draw({160, 120}, {});
  Detector detector(square_finder());
  EXPECT_EQ(guide::mean_objects(detector, {two.view(), none.view()}), 1);
  EXPECT_EQ(guide::mean_objects(detector, {}), 0);
}

TEST(Guide, BackendsAnswerTheSame) {
  EXPECT_TRUE(guide::same_answer(square_finder(), winnow::read_picture(kPicture).gray.view()));
}

// Crops of bright squares, and ground without one.
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

  // The samples that the folder holds now.
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

TEST(Guide, MessagesOfModels) {
  const std::string said = error_of([] { winnow::resolve_model("faec"); }).sentence();
  expect_row(said.substr(0, said.find("searched in: ")) + "searched in: ...");
  const TestFolder folder;
  EXPECT_EQ(error_of([&] { DetectorModel::load(folder.file("face")); }).sentence(),
            "cannot open: No such file or directory");
  expect_row("face: cannot open: No such file or directory");
  winnow::write_picture(folder.file("grace.jpg"), draw({60, 60}, {}).view());
  const std::string wrong = error_of([&] { DetectorModel::load(folder.file("grace.jpg")); }).sentence();
  expect_row("grace.jpg: " + wrong.substr(0, wrong.find(": ")) + ": ...");
  expect_message(ErrorCode::kUnsupported,
                 [] { Cascade::load("built-in:face").to_bytes(winnow::CascadeFormat::kOpenCvXml); });
}

TEST(Guide, MessagesOfASearch) {
  Detector detector(square_finder(), {.backend = BackendKind::kCpu, .threads = 1});
  const GrayImage image = draw({60, 60}, {});
  winnow::DetectOptions options;
  options.scale_factor = 1;
  expect_message(ErrorCode::kUsage, [&] { detector.detect(image.view(), options); });
  expect_message(ErrorCode::kUsage, [&] { detector.detect(GrayView{nullptr, 30, 30, 30}); });
  const winnow::RgbImage color(59, 60);
  expect_message(ErrorCode::kUsage,
                 [&] { detector.detect(winnow::PictureView(image.view(), color.view())); });
  expect_message(ErrorCode::kLimit, [&] { detector.detect(GrayView{image.row(0), 65537, 1, 0}); });
  expect_message(ErrorCode::kUsage, [&] { detector.collect(); });
  for (int i = 0; i < Detector::most_pending(); ++i) detector.enqueue(image.view());
  expect_message(ErrorCode::kUsage, [&] { detector.enqueue(image.view()); });
  expect_message(ErrorCode::kUsage, [&] { detector.detect(image.view()); });
  while (detector.pending() > 0) detector.collect();
  EXPECT_EQ(detector.detect(image.view().crop({0, 0, 19, 60})).counters.windows, 0);
}

TEST(Guide, MessagesOfOutput) {
  const TestFolder folder;
  winnow::Annotator annotator({.folder = folder.file("marked")});
  winnow::FrameEvent event;
  event.picture.gray = draw({60, 60}, {});
  const winnow::Input input{winnow::InputKind::kPicture, "a.png", "a.png", ""};
  expect_row("marked/a.png: " + error_of([&] { annotator.write(input, event, {}); }).sentence());
  const std::vector<winnow::LabelledPicture> pictures(2);
  expect_message(ErrorCode::kUsage,
                 [&] { winnow::evaluate(pictures, std::vector<std::vector<winnow::Detection>>(1)); });
}

}  // namespace

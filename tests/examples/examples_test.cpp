// Runs the examples of docs/library/ on drawn pictures, and compares the messages in the table of errors.md
// with those of the library.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <winnow/face_search.h>
#include <winnow/train_landmarks.h>

#include <cstdio>
#include <filesystem>

#include "base/folder_for_test.h"
#include "guide_for_test.h"
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
using winnow::TestFolder;

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
  EXPECT_EQ(guide::find_small_ones(svm).search_defaults().enlarge, 2);
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

TEST(Guide, CarriesPoints) {
  std::vector<GrayImage> images;
  std::vector<GrayView> frames;
  for (int i = 0; i < 4; ++i)
    images.push_back(draw({200, 160}, {{60 + 3 * i, 40, 40, 40}, {20, 100 + 2 * i, 30, 30}}));
  for (const GrayImage& image : images) frames.push_back(image.view());
  // Corners of the squares. The first square moves to the right, the second down.
  const std::vector<winnow::LandmarkPoint> points = {{60, 40}, {99, 79}, {20, 100}, {49, 129}};
  const std::vector<winnow::LandmarkPoint> carried = guide::carry_points(frames[0], frames[1], points);
  ASSERT_EQ(carried.size(), 4U);
  EXPECT_NEAR(carried[0].x, 63, 0.5);
  EXPECT_NEAR(carried[3].y, 131, 0.5);
  EXPECT_NEAR(guide::mean_motion(frames, points), 7.5, 0.5);
  EXPECT_EQ(guide::mean_motion({}, points), 0);
  EXPECT_EQ(guide::frames_with(frames, {50, 30, 60, 60}), 4);
  EXPECT_EQ(guide::frames_of_each({frames, {frames[0], frames[1]}}, {{50, 30, 60, 60}, {15, 95, 40, 40}}),
            (std::vector{4, 2}));
}

TEST(Guide, CountsFacesOfAVideo) {
  std::vector<GrayImage> images;
  std::vector<GrayView> frames;
  for (int i = 0; i < 6; ++i) {
    std::vector<Box> squares{{20 + 3 * i, 20, 30, 30}};
    if (i > 2) squares.push_back({120, 90, 40, 40});
    images.push_back(draw({200, 160}, squares));
  }
  for (const GrayImage& image : images) frames.push_back(image.view());
  winnow::FollowOptions options;
  options.detect_every = 1;
  winnow::Follower follower(square_finder(), winnow::Landmarks::load("built-in:face-5"), options,
                            {BackendKind::kCpu, 1});
  EXPECT_EQ(guide::count_faces(follower, frames), 2);
  follower.restart();
  EXPECT_EQ(guide::count_faces(follower, {}), 0);
}

TEST(Guide, BlursFaces) {
  winnow::FollowOptions follow;
  follow.begin = 0;
  winnow::Follower follower(square_finder(), winnow::Landmarks::load("built-in:face-5"), follow,
                            {BackendKind::kCpu, 1});
  const GrayImage still = draw({200, 160}, {{50, 40, 60, 60}});
  int read = 0, written = 0, changed = 0;
  winnow::CoverOptions options;
  options.gap = 3;
  guide::blur_faces(
      follower, options,
      [&](winnow::Picture& frame) {
        frame.gray = still.clone();
        frame.color = winnow::to_color(still.view());
        return ++read <= 8;
      },
      [&](const winnow::Picture& frame) {
        EXPECT_GE(read, std::min(8, written + 1 + 3)) << "frames come late by the gap";
        ++written;
        for (int y = 0; y < 160; ++y)
          for (int x = 0; x < 200; ++x) changed += frame.color.row(y)[x].r != frame.gray.row(y)[x];
      });
  EXPECT_EQ(written, 8);
  EXPECT_GT(changed, 8 * 1000);
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

// Pixels in the memory of device 0. The class calls CUDA's driver by name, because builds without CUDA
// compile the class, too.
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
  winnow::Flow flow;
  expect_message(ErrorCode::kUsage, [&] { flow.track(image.view(), image.view().crop({0, 0, 9, 9}), {}); });
  expect_message(ErrorCode::kUsage, [&] { flow.track(image.view(), {}, {}); });
  expect_message(ErrorCode::kUsage, [&] { flow.track(image.view(), image.view(), {}, {.window = {2, 2}}); });
  expect_message(ErrorCode::kUsage, [&] { flow.track(image.view(), image.view(), {}, {.levels = 17}); });
  expect_message(ErrorCode::kUsage, [&] { detector.collect(); });
  for (int i = 0; i < Detector::most_pending(); ++i) detector.enqueue(image.view());
  expect_message(ErrorCode::kUsage, [&] { detector.enqueue(image.view()); });
  expect_message(ErrorCode::kUsage, [&] { detector.detect(image.view()); });
  while (detector.pending() > 0) detector.collect();
  EXPECT_EQ(detector.detect(image.view().crop({0, 0, 19, 60})).counters.windows, 0);
}

TEST(Guide, MessagesOfFaces) {
  winnow::LandmarkModel model;
  model.mean = {{0, 0}, {1, 1}};
  model.trees = {1, 1, 1, 1, {{0, {0, 0}}}, {{0, 0, 0}}};
  model.float_leaves.assign(8, 0);
  const winnow::Landmarks unsure(model), sure = winnow::Landmarks::load("built-in:face-5");
  const DetectorModel face = DetectorModel::load("built-in:face");
  expect_message(ErrorCode::kUsage, [&] { winnow::face_search(face, sure, {}, 2); });
  expect_message(ErrorCode::kUsage, [&] { winnow::face_search(face, unsure, {}, 0.5); });
  const auto follow = [&](const winnow::FollowOptions& how) { winnow::Follower(face, sure, how); };
  expect_message(ErrorCode::kUsage, [&] { follow({.detect_every = 0}); });
  expect_message(ErrorCode::kUsage, [&] { follow({.gap = -1}); });
  expect_message(ErrorCode::kUsage, [&] { follow({.smooth = 2}); });
  expect_message(ErrorCode::kUsage, [&] { follow({.begin = 2}); });
  const auto cover = [](const winnow::CoverOptions& how) { winnow::FaceCovers{how}; };
  expect_message(ErrorCode::kUsage, [&] { cover({.gap = -1}); });
  expect_message(ErrorCode::kUsage, [&] { cover({.linger = -1}); });
  expect_message(ErrorCode::kUsage, [&] { cover({.margin = 2}); });
  expect_message(ErrorCode::kUsage, [&] { cover({.memory = -1}); });
  expect_message(ErrorCode::kUsage, [&] {
    winnow::FaceCovers covers;
    covers.finish();
    covers.add({}, {});
  });
  winnow::FollowOptions raw;
  raw.search.raw = true;
  expect_message(ErrorCode::kUsage, [&] { follow(raw); });
  winnow::FaceSetOptions options;
  options.detector = "truth";
  options.negatives = {"scenes"};
  expect_message(ErrorCode::kUsage, [&] { winnow::find_faces({}, options); });
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

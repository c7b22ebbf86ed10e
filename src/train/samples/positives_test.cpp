#include "train/samples/positives.h"

#include <cmath>

#include "train/samples/pack_for_test.h"

namespace winnow {
namespace {

using sample::pixels;
using sample::texture;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr Size kWindow{24, 24};

// The windows that are cut from all positives of a source, with their names and the notes.
struct Cut {
  std::vector<std::string> names, notes;
  std::vector<GrayImage> windows;
  std::string kind;
};

Cut cut(const std::string& path, const PackOptions& options,
        const std::vector<Pack::Negative>& negatives = {}) {
  Cut result;
  const auto source = open_positives(path, negatives, options, sample::keep(result.notes));
  result.kind = source->kind();
  for (std::size_t i = 0; i < source->count(); ++i) {
    Positive positive;
    if (!source->open(i, positive, sample::keep(result.notes))) continue;
    result.names.push_back(positive.name);
    sample_affine(positive.picture, positive.place,
                  result.windows.emplace_back(options.window.width, options.window.height).view());
  }
  return result;
}

TEST(Positives, CropsAreWholePictures) {
  const sample::Folder folder;
  folder.put("crops/b.pgm", texture(24, 24, 1).view());
  folder.put("crops/a.png", texture(48, 48, 2).view());
  folder.put("crops/wide.pgm", texture(60, 24, 3).view());
  folder.put("crops/broken.jpg", "no picture");
  folder.put("crops/small.pgm", texture(11, 11, 3).view());
  folder.put("crops/.hidden.pgm", texture(24, 24, 4).view());
  folder.put("crops/notes.md", "not looked at");
  folder.put("crops/deeper/c.pgm", texture(24, 24, 5).view());
  const Cut found = cut(folder / "crops", {});
  EXPECT_EQ(found.kind, "crops");
  EXPECT_THAT(found.names,
              ElementsAre(folder / "crops/a.png", folder / "crops/b.pgm", folder / "crops/wide.pgm"));
  EXPECT_EQ(pixels(found.windows[1].view()), pixels(texture(24, 24, 1).view()));
  EXPECT_EQ(pixels(found.windows[2].view()), pixels(texture(60, 24, 3).view().crop({18, 0, 24, 24})));
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("broken.jpg"),
                                       folder / "crops/small.pgm is smaller than half the window"));
}

TEST(Positives, CropsByArea) {
  const sample::Folder folder;
  folder.put("a.pgm", texture(40, 40, 1).view());
  folder.put("b.pgm", texture(30, 30, 1).view());
  PackOptions options;
  options.crop = {9, 8, 24, 24};
  const Cut found = cut(folder / "", options);
  ASSERT_EQ(found.windows.size(), 1u);
  EXPECT_EQ(pixels(found.windows[0].view()), pixels(texture(40, 40, 1).view().crop({9, 8, 24, 24})));
  EXPECT_THAT(found.notes, ElementsAre(HasSubstr("b.pgm does not hold the part")));
  for (const auto& [width, height] : {std::pair{31, 31}, {32, 31}, {31, 32}}) {
    options.crop = {9, 9, static_cast<double>(width), static_cast<double>(height)};
    EXPECT_EQ(cut(folder / "", options).names.size(), width == 31 && height == 31 ? 1u : 0u);
  }
}

// A crop whose ratio of sides is nearly the window's is taken if each side is at least half of the window's
// side.
TEST(Positives, HalfTheWindowIsEnough) {
  const sample::Folder folder;
  folder.put("a.pgm", texture(60, 60, 1).view());
  folder.put("b.pgm", texture(59, 60, 2).view());
  folder.put("c.pgm", texture(60, 59, 3).view());
  PackOptions options;
  options.window = {120, 120};
  const Cut found = cut(folder / "", options);
  EXPECT_THAT(found.names, ElementsAre(folder / "a.pgm"));
  EXPECT_THAT(found.notes, ElementsAre(folder / "b.pgm is smaller than half the window",
                                       folder / "c.pgm is smaller than half the window"));
}

TEST(Positives, ShapesWithinAFiftiethAreTaken) {
  EXPECT_EQ(place_crop({97, 96}, {}, kWindow), place_box({0, 0, 97, 96}, kWindow));
  EXPECT_EQ(place_crop({50, 48}, {}, kWindow), place_box({1, 0, 48, 48}, kWindow));
  EXPECT_EQ(place_crop({48, 52}, {}, kWindow), place_box({0, 2, 48, 48}, kWindow));
  EXPECT_EQ(place_crop({100, 100}, {}, {20, 40}), place_box({25, 0, 50, 100}, {20, 40}));
}

TEST(Positives, VecSamplesKeepTheirBytes) {
  const sample::Folder folder;
  std::vector<int> a(576), b(576);
  for (int i = 0; i < 576; ++i) a[i] = i % 256, b[i] = 255 - i % 250;
  const std::string path = folder.put("p.vec", sample::vec_of({a, b}));
  const Cut found = cut(path, {});
  EXPECT_EQ(found.kind, "vec");
  EXPECT_THAT(found.names, ElementsAre(path + ": 1", path + ": 2"));
  EXPECT_TRUE(std::equal(b.begin(), b.end(), found.windows[1].row(0)));
  PackOptions other;
  other.window = {20, 20};
  EXPECT_EQ(error_of([&] { cut(path, other); }).what(),
            path + ": holds 2 samples of 576 values, and the window 20x20 has 400 pixels");
  // A `.vec` file is recognised without the ending .vec, too.
  EXPECT_EQ(cut(folder.put("samples", sample::vec_of({a, b})), {}).kind, "vec");
}

TEST(Positives, BoxesGrowToTheWindowsShape) {
  EXPECT_EQ(place_label({10, 20, 24, 24}, 1, kWindow), place_box({10, 20, 24, 24}, kWindow));
  EXPECT_EQ(place_label({10, 20, 24, 24}, 2, kWindow), place_box({-2, 8, 48, 48}, kWindow));
  EXPECT_EQ(place_label({10, 20, 48, 24}, 1, kWindow), place_box({10, 8, 48, 48}, kWindow));
  EXPECT_EQ(place_label({10, 20, 10, 40}, 1, {24, 48}), place_box({5, 20, 20, 40}, {24, 48}));
}

TEST(Positives, BoxesOfATruth) {
  const sample::Folder folder;
  const GrayImage picture = texture(100, 80);
  folder.put("a.pgm", picture.view());
  const std::string info =
      folder.put("info.dat",
                 "a.pgm 8 10 20 24 24 80 60 40 40 200 200 30 30 5 5 6 6 -30 10 28 24 "
                 "-200 -200 410 300 -24 10 24 24 10 -24 24 24\nlost.pgm 2 0 0 24 24 1 1 24 24\n");
  const Cut found = cut(info, {});
  EXPECT_EQ(found.kind, "info");
  EXPECT_THAT(found.names, ElementsAre("a.pgm: 1", "a.pgm: 2"));
  EXPECT_EQ(pixels(found.windows[0].view()), pixels(picture.view().crop({10, 20, 24, 24})));
  // The second window reaches beyond the picture, where the pixels at the picture's edge are repeated.
  EXPECT_EQ(found.windows[1].row(23)[2], found.windows[1].row(16)[2]);
  EXPECT_THAT(found.notes,
              ElementsAre("a.pgm: 3 lies outside its picture", "a.pgm: 4 is smaller than half the window",
                          "a.pgm: 5 lies outside its picture", "a.pgm: 6 is far larger than its picture",
                          "a.pgm: 7 lies outside its picture", "a.pgm: 8 lies outside its picture",
                          HasSubstr("lost.pgm")));
}

TEST(Positives, EyesLandWhereTheyShould) {
  // Two dots on uniform grey stand for the eyes, at several angles and distances. The test measures where the
  // middles of the dots lie in the window.
  const sample::Folder folder;
  std::string csv = "file,x0,y0,x1,y1\n";
  const double angles[] = {0, 0.3, -0.5, 1.2, -1.4};
  for (int i = 0; i < 5; ++i) {
    GrayImage picture(600, 600);
    std::fill_n(picture.row(0), 600 * 600, 200);
    const double radius = 40 + 10 * i;
    const double x = radius * std::cos(angles[i]), y = radius * std::sin(angles[i]);
    const Point left{300 - x, 310 - y}, right{300 + x, 310 + y};
    for (int py = 0; py < 600; ++py) {
      for (int px = 0; px < 600; ++px) {
        const auto near = [&](const Point& p) { return std::hypot(px + 0.5 - p.x, py + 0.5 - p.y) < 8; };
        if (near(left) || near(right)) picture.row(py)[px] = 0;
      }
    }
    const std::string name = std::to_string(i) + ".pgm";
    folder.put(name, picture.view());
    // The last picture has its eyes in reverse order.
    const Point& first = i == 4 ? right : left;
    const Point& second = i == 4 ? left : right;
    csv += name + "," + std::to_string(first.x) + "," + std::to_string(first.y) + "," +
           std::to_string(second.x) + "," + std::to_string(second.y) + "\n";
  }
  PackOptions options;
  options.eyes = "0/1";
  const Cut found = cut(folder.put("points.csv", csv), options);
  ASSERT_EQ(found.windows.size(), 5u);
  for (const GrayImage& window : found.windows) {
    for (const int side : {0, 1}) {
      double dark = 0, across = 0, down = 0;
      for (int y = 0; y < 24; ++y) {
        for (int x = 12 * side; x < 12 + 12 * side; ++x) {
          const double weight = 200 - window.row(y)[x];
          dark += weight, across += weight * (x + 0.5), down += weight * (y + 0.5);
        }
      }
      EXPECT_NEAR(down / dark, 0.355 * 24, 0.25);
      EXPECT_NEAR(across / dark, 12 + (side == 0 ? -12 : 12) / 2.38, 0.25);
    }
  }
}

TEST(Positives, EyesInAHighWindow) {
  const Affine place = place_eyes({40, 50}, {60, 50}, 2, 0.25, {20, 40});
  EXPECT_EQ(place.at(10, 10), (Point{50, 50}));
  EXPECT_EQ(place.at(20, 10), (Point{70, 50}));
  EXPECT_EQ(place.at(10, 0), (Point{50, 30}));
}

// The mouth lies below the eyes, whether the left eye is the viewer's or the subject's.
TEST(Positives, NoFaceIsUpsideDown) {
  const sample::Folder folder;
  GrayImage picture(100, 100);
  std::fill_n(picture.row(0), 100 * 100, 200);
  for (int y = 66; y < 70; ++y) std::fill_n(picture.row(y) + 44, 12, 0);
  folder.put("a.pgm", picture.view());
  PackOptions options;
  options.eyes = "0/1";
  const Cut found =
      cut(folder.put("points.csv", "file,x0,y0,x1,y1\na.pgm,38,46,62,46\na.pgm,62,46,38,46\n"), options);
  ASSERT_EQ(found.windows.size(), 2u);
  EXPECT_EQ(pixels(found.windows[0].view()), pixels(found.windows[1].view()));
  EXPECT_LT(found.windows[0].row(17)[12], 100);
  EXPECT_EQ(found.windows[0].row(6)[12], 200);
}

TEST(Positives, WhatIsToBeIgnoredIsNoPositive) {
  const sample::Folder folder;
  folder.put("a.pgm", texture(100, 80).view());
  const Cut found = cut(folder.put("boxes.csv",
                                   "file,x,y,width,height,ignore\na.pgm,10,20,24,24,0\n"
                                   "a.pgm,40,20,24,24,1\na.pgm,60,40,30,30,0\n"),
                        {});
  EXPECT_THAT(found.names, ElementsAre("a.pgm: 1", "a.pgm: 3"));
  EXPECT_THAT(found.notes, ElementsAre(folder / "boxes.csv: 1 object is marked to be ignored"));
}

TEST(Positives, SeveralClassesNeedACategory) {
  const sample::Folder folder;
  folder.put("a.pgm", texture(100, 80).view());
  const std::string boxes = folder.put("boxes.csv",
                                       "file,x,y,width,height,category\na.pgm,10,20,24,24,mug\n"
                                       "a.pgm,40,20,24,24,cup\na.pgm,60,40,30,30,mug\n");
  std::vector<std::string> notes;
  EXPECT_THAT(error_of([&] { open_positives(boxes, {}, PackOptions(), sample::keep(notes)); }).what(),
              HasSubstr("has objects of 2 classes: cup (1), mug (2); name the one to learn"));
  EXPECT_THAT(notes, testing::IsEmpty()) << "a note that they are taken together would contradict";
  PackOptions options;
  options.category = "mug";
  EXPECT_THAT(cut(boxes, options).names, ElementsAre("a.pgm: 1", "a.pgm: 2"));
}

TEST(Positives, EyesThatAreNotThere) {
  const sample::Folder folder;
  folder.put("a.pgm", texture(100, 80).view());
  PackOptions options;
  options.eyes = "0/7";
  const Cut found = cut(folder.put("points.csv", "file,x0,y0,x1,y1\na.pgm,30,40,50,40\n"), options);
  EXPECT_TRUE(found.windows.empty());
  EXPECT_THAT(found.notes, ElementsAre("a.pgm: 1 does not have all points of the eyes"));
  options.eyes = "0/1";
  EXPECT_THAT(cut(folder.put("same.csv", "file,x0,y0,x1,y1\na.pgm,30,40,30,40\n"), options).notes,
              ElementsAre("a.pgm: 1 has both eyes in one place"));
  const std::string info = folder.put("info.dat", "a.pgm 1 10 20 24 24\n");
  EXPECT_EQ(error_of([&] { cut(info, options); }).what(),
            info + ": has no points, so there are no eyes to be levelled");
}

TEST(Positives, EyesAreListsOfPoints) {
  const EyePoints eyes = parse_eyes("36-38,41/7");
  EXPECT_THAT(eyes.left, ElementsAre(36, 37, 38, 41));
  EXPECT_THAT(eyes.right, ElementsAre(7));
  for (const char* wrong : {"", "1", "/", "1/", "/2", "1/2/3", "a/b", "5-3/1", "1,/2", "-1/2", "0-9999999/1"})
    EXPECT_THAT(error_of([&] { parse_eyes(wrong); }).sentence(), HasSubstr("such as 0/1")) << wrong;
}

TEST(Positives, WarpsOfAPicture) {
  const sample::Folder folder;
  const std::string path = folder.put("logo.png", texture(60, 60, 9).view());
  EXPECT_EQ(error_of([&] { cut(path, {}); }).what(),
            path + ": is one picture: say how many warps are to be made of it");
  std::vector<Pack::Negative> negatives(1);
  negatives[0].size = {50, 50};
  const std::string file = "P5 50 50 255\n" + std::string(2500, 'x');
  const auto* bytes = reinterpret_cast<const std::byte*>(file.data());
  negatives[0].file.assign(bytes, bytes + file.size());
  PackOptions options;
  options.warps = 5;
  EXPECT_EQ(error_of([&] { cut(path, options, {}); }).what(),
            path + ": this picture is to be warped onto negatives, and there are none");
  const Cut once = cut(path, options, negatives), again = cut(path, options, negatives);
  EXPECT_EQ(once.kind, "warps");
  ASSERT_EQ(once.windows.size(), 5u);
  for (std::size_t i = 0; i < 5; ++i)
    EXPECT_EQ(pixels(once.windows[i].view()), pixels(again.windows[i].view()));
  EXPECT_NE(pixels(once.windows[0].view()), pixels(once.windows[1].view()));
  options.seed = 2;
  EXPECT_NE(pixels(cut(path, options, negatives).windows[0].view()), pixels(once.windows[0].view()));
}

TEST(Positives, WarpsAreOnAllNegatives) {
  const sample::Folder folder;
  const std::string path = folder.put("narrow.png", texture(20, 60, 9).view());
  std::vector<Pack::Negative> negatives(2);
  for (const int dark : {0, 1}) {
    negatives[dark].size = {50, 50};
    const std::string file = "P5 50 50 255\n" + std::string(2500, dark != 0 ? '\x05' : '\x7F');
    const auto* bytes = reinterpret_cast<const std::byte*>(file.data());
    negatives[dark].file.assign(bytes, bytes + file.size());
  }
  PackOptions options;
  options.warps = 30;
  options.warp_x = options.warp_y = options.warp_z = 0;
  int light = 0, dark = 0;
  for (const GrayImage& window : cut(path, options, negatives).windows) {
    light += window.row(0)[0] == 0x7F ? 1 : 0;
    dark += window.row(0)[0] == 0x05 ? 1 : 0;
  }
  EXPECT_EQ(light + dark, 30);
  EXPECT_GT(light, 5);
  EXPECT_GT(dark, 5);
}

}  // namespace
}  // namespace winnow

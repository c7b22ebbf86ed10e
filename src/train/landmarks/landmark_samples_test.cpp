// Checks the samples of a training of landmarks: boxes, starts, true shapes, and what mirrored samples read.
#include "train/landmarks/landmark_samples.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <numeric>

#include <winnow/error.h>

#include "shape/shape_turn.h"
#include "train/landmarks/made_faces_for_test.h"
#include "train/landmarks/stage_pixels.h"

namespace winnow {
namespace {

using sample::made_faces;

constexpr double kUnit = 1 << kCoordinateBits;

std::vector<std::uint32_t> all_of(const FaceSet& faces) {
  std::vector<std::uint32_t> all(faces.faces.size());
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

const std::vector<std::size_t> kNoMirror;
const std::vector<std::size_t> kFive = {3, 2, 1, 0, 4};

GrayImage flipped(GrayView from) {
  GrayImage to(from.width, from.height);
  for (int y = 0; y < from.height; ++y) std::reverse_copy(from.row(y), from.row(y) + from.width, to.row(y));
  return to;
}

// Returns the faces as they would be in mirrored pictures.
FaceSet mirrored_set(const FaceSet& faces) {
  FaceSet turned = faces;
  for (TrainingFace& face : turned.faces) {
    const int width = faces.sizes[face.picture].width;
    const std::vector<Point> before = face.points;
    for (std::size_t p = 0; p < before.size(); ++p)
      face.points[p] = {width - 1 - before[kFive[p]].x, before[kFive[p]].y};
    face.box.x = width - face.box.x - face.box.width;
  }
  return turned;
}

struct Drawn {
  SampleMemory memory{1 << 30, ""};
  FixedMean mean;
  LandmarkSamples samples;

  Drawn(const FaceSet& faces, const std::vector<std::size_t>& mirrored, int per_face,
        const LandmarkOptions& options, std::uint64_t seed = 1)
      : mean(fixed_mean_of(mean_shape(faces, mirrored, all_of(faces)))),
        samples(faces, mirrored, all_of(faces), per_face) {
    samples.draw_boxes(options, seed);
    samples.draw_starts(options, seed + 100, mean, memory);
  }
};

std::vector<std::int32_t> truth_of(const LandmarkSamples& samples, std::size_t i) {
  std::vector<std::int32_t> truth(2 * samples.points());
  samples.truth(i, truth.data());
  return truth;
}

TEST(LandmarkSamples, TheFirstSampleIsWhatAUserGets) {
  const FaceSet& faces = made_faces().set;
  const Drawn drawn(faces, kNoMirror, 4, {});
  ASSERT_EQ(drawn.samples.count(), 4 * faces.faces.size());
  for (std::size_t f = 0; f < faces.faces.size(); ++f) {
    const LandmarkSample& first = drawn.samples[4 * f];
    const Box& box = faces.faces[f].box;
    EXPECT_EQ(first.face, f);
    EXPECT_FALSE(first.mirrored);
    EXPECT_EQ(first.box.left, box.x);
    EXPECT_EQ(first.box.top, box.y);
    EXPECT_EQ(first.box.across, box.width - 1);
    EXPECT_EQ(first.box.down, box.height - 1);
    EXPECT_TRUE(std::equal(drawn.mean.start.begin(), drawn.mean.start.end(), drawn.samples.shape(4 * f)));
  }
}

TEST(LandmarkSamples, BoxesDifferAsOptionsSay) {
  const FaceSet& faces = made_faces().set;
  LandmarkOptions options;
  options.scale_jitter = 0.1;
  options.move_jitter = 0.03;
  constexpr int kEach = 60;
  const Drawn drawn(faces, kNoMirror, kEach, options), again(faces, kNoMirror, kEach, options),
      other(faces, kNoMirror, kEach, options, 2);
  double scale = 0, scale_squares = 0, right_squares = 0, down_squares = 0, both = 0, count = 0;
  bool differs = false;
  for (std::size_t i = 0; i < drawn.samples.count(); ++i) {
    EXPECT_EQ(again.samples[i].box.left, drawn.samples[i].box.left);
    differs = differs || other.samples[i].box.left != drawn.samples[i].box.left;
    if (i % kEach == 0) continue;
    const ShapeBox &own = drawn.samples[i / kEach * kEach].box, &box = drawn.samples[i].box;
    const double s = box.across / own.across - 1;
    EXPECT_NEAR(box.down / own.down - 1, s, 1e-12);
    const double right = (box.left + box.across / 2 - own.left - own.across / 2) / own.across,
                 down = (box.top + box.down / 2 - own.top - own.down / 2) / own.down;
    scale += s;
    scale_squares += s * s;
    right_squares += right * right;
    down_squares += down * down;
    both += right * down;
    ++count;
  }
  EXPECT_TRUE(differs);
  EXPECT_NEAR(scale / count, 0, 0.01);
  EXPECT_NEAR(std::sqrt(scale_squares / count), 0.1, 0.01);
  EXPECT_NEAR(std::sqrt(right_squares / count), 0.03, 0.003);
  EXPECT_NEAR(std::sqrt(down_squares / count), 0.03, 0.003);
  EXPECT_NEAR(both / count, 0, 0.03 * 0.03 / 5) << "both directions are drawn";
}

TEST(LandmarkSamples, StartsAreTheMeanOrMixturesOfFaces) {
  const FaceSet& faces = made_faces().set;
  for (const std::vector<std::size_t>* mirrored : {&kNoMirror, &kFive}) {
    LandmarkOptions options;
    const auto mixed_part = [&](double wanted) {
      options.mixed = wanted;
      const Drawn drawn(faces, *mirrored, 20, options);
      const std::size_t coordinates = drawn.mean.start.size(), firsts = mirrored->empty() ? 1 : 2;
      // Bounds of all true shapes in the faces' own boxes.
      std::vector<std::int32_t> least(coordinates, INT32_MAX), most(coordinates, INT32_MIN);
      for (std::size_t i = 0; i < drawn.samples.count(); ++i) {
        if (i % 20 >= firsts) continue;
        const auto truth = truth_of(drawn.samples, i);
        for (std::size_t c = 0; c < coordinates; ++c) {
          least[c] = std::min(least[c], truth[c]);
          most[c] = std::max(most[c], truth[c]);
        }
      }
      double mixed = 0;
      for (std::size_t i = 0; i < drawn.samples.count(); ++i) {
        const std::int32_t* const start = drawn.samples.shape(i);
        const bool is_mean = std::equal(drawn.mean.start.begin(), drawn.mean.start.end(), start);
        EXPECT_TRUE(is_mean || i % 20 >= firsts);
        mixed += is_mean ? 0 : 1;
        for (std::size_t c = 0; c < coordinates; ++c) {
          EXPECT_GE(start[c], least[c] - 1);
          EXPECT_LE(start[c], most[c] + 1);
        }
      }
      return mixed / static_cast<double>(drawn.samples.count()) * 20 / static_cast<double>(20 - firsts);
    };
    EXPECT_EQ(mixed_part(0), 0);
    EXPECT_EQ(mixed_part(1), 1);
    EXPECT_NEAR(mixed_part(0.6), 0.6, 0.06);
  }
}

TEST(LandmarkSamples, TrueShapesAreThePointsInTheBox) {
  const FaceSet& faces = made_faces().set;
  Drawn drawn(faces, kFive, 6, {});
  for (std::size_t i = 0; i < drawn.samples.count(); ++i) {
    const std::vector<std::int32_t> truth = truth_of(drawn.samples, i);
    const LandmarkSample& sample = drawn.samples[i];
    const std::vector<Point>& points = faces.faces[sample.face].points;
    EXPECT_EQ(sample.mirrored, i % 2 == 1);
    if (!sample.mirrored)
      for (std::size_t p = 0; p < 5; ++p) {
        EXPECT_NEAR(sample.box.left + sample.box.across * truth[p] / kUnit, points[p].x, 1e-4);
        EXPECT_NEAR(sample.box.top + sample.box.down * truth[5 + p] / kUnit, points[p].y, 1e-4);
      }
    // A sample at its true shape has the points of its face, mirrored or not.
    std::copy(truth.begin(), truth.end(), drawn.samples.shape(i));
    const std::vector<Point> back = drawn.samples.points_of(i);
    for (std::size_t p = 0; p < 5; ++p) {
      EXPECT_NEAR(back[p].x, points[p].x, 1e-4) << i << ", point " << p;
      EXPECT_NEAR(back[p].y, points[p].y, 1e-4) << i << ", point " << p;
    }
  }
  EXPECT_LT(drawn.samples.mean_error({}), 1e-5);
}

// A mirrored sample equals the plain sample of the mirrored picture. Mirrored twice, a sample is the plain
// sample again.
TEST(LandmarkSamples, MirroredSamplesAreThoseOfMirroredPictures) {
  const FaceSet& faces = made_faces().set;
  const FaceSet turned = mirrored_set(faces), back = mirrored_set(turned);
  const LandmarkOptions options;
  const Drawn own(faces, kFive, 2, options), other(turned, kFive, 2, options), same(back, kFive, 2, options);
  for (std::size_t f = 0; f < faces.faces.size(); ++f) {
    EXPECT_EQ(other.samples[2 * f].box.left, own.samples[2 * f + 1].box.left);
    const auto plain = truth_of(own.samples, 2 * f), mirrored = truth_of(own.samples, 2 * f + 1);
    EXPECT_EQ(truth_of(other.samples, 2 * f), mirrored);
    EXPECT_EQ(truth_of(other.samples, 2 * f + 1), plain) << "mirrored twice";
    EXPECT_EQ(truth_of(same.samples, 2 * f), plain);
    EXPECT_NE(plain, mirrored);
  }
}

ShapePixels some_pixels(const FixedMean& mean, std::size_t count) {
  Random random(3);
  ShapePixels pixels;
  for (std::size_t i = 0; i < count; ++i) {
    pixels.point.push_back(static_cast<std::uint16_t>(random.below(static_cast<int>(mean.start.size() / 2))));
    pixels.x.push_back(static_cast<float>(random.real(-0.4, 0.4)));
    pixels.y.push_back(static_cast<float>(random.real(-0.4, 0.4)));
  }
  return pixels;
}

TEST(LandmarkSamples, MirroredSamplesReadTheMirroredPicture) {
  const FaceSet& faces = made_faces().set;
  LandmarkOptions options;
  options.move_jitter = 0.3;  // boxes reach beyond pictures
  const Drawn drawn(faces, kFive, 8, options);
  constexpr std::size_t kPixels = 50;
  const ShapePixels pixels = some_pixels(drawn.mean, kPixels);
  std::size_t outside = 0, inside = 0;
  for (std::size_t i = 0; i < drawn.samples.count(); ++i) {
    LandmarkSample sample = drawn.samples[i];
    if (!sample.mirrored) continue;
    const GrayImage picture = read_picture(faces.pictures[faces.faces[sample.face].picture]).gray;
    const GrayImage mirror = flipped(picture.view());
    const ShapeTurn turn = turn_of_shape(drawn.mean, drawn.samples.shape(i), 5);
    std::vector<std::uint8_t> mirrored(kPixels), plain(kPixels);
    read_sample_pixels(picture.view(), sample, drawn.samples.shape(i), 5, turn, pixels, kPixels,
                       mirrored.data());
    sample.mirrored = false;
    read_sample_pixels(mirror.view(), sample, drawn.samples.shape(i), 5, turn, pixels, kPixels, plain.data());
    EXPECT_EQ(mirrored, plain);
    outside += static_cast<std::size_t>(std::count(plain.begin(), plain.end(), 0));
    inside += kPixels - static_cast<std::size_t>(std::count(plain.begin(), plain.end(), 0));
  }
  EXPECT_GT(outside, 20u);
  EXPECT_GT(inside, 1000u);
}

// Without a turn, a pixel lies at its point plus the pixel's offset. Offsets are fractions of the box's side.
TEST(LandmarkSamples, PixelsLieAtPointsPlusOffsets) {
  const FaceSet& faces = made_faces().set;
  const Drawn drawn(faces, kNoMirror, 1, {});
  const ShapePixels pixels = some_pixels(drawn.mean, 80);
  for (std::size_t i = 0; i < drawn.samples.count(); ++i) {
    const TrainingFace& face = faces.faces[i];
    const GrayImage picture = read_picture(faces.pictures[face.picture]).gray;
    std::vector<std::uint8_t> row(80);
    read_sample_pixels(picture.view(), drawn.samples[i], drawn.samples.shape(i), 5, {}, pixels, 80,
                       row.data());
    for (std::size_t k = 0; k < 80; ++k) {
      const std::size_t p = pixels.point[k];
      const double u = drawn.mean.start[p] / kUnit + static_cast<double>(pixels.x[k]),
                   v = drawn.mean.start[5 + p] / kUnit + static_cast<double>(pixels.y[k]);
      const int x = static_cast<int>(std::lround(face.box.x + (face.box.width - 1) * u)),
                y = static_cast<int>(std::lround(face.box.y + (face.box.height - 1) * v));
      const bool in = x >= 0 && y >= 0 && x < picture.width() && y < picture.height();
      EXPECT_EQ(row[k], in ? picture.row(y)[x] : 0) << x << ", " << y;
    }
  }
}

TEST(LandmarkSamples, TheMeanShapeIsTheMeanOfFaces) {
  FaceSet faces = made_faces().set;
  faces.faces.resize(2);
  faces.faces[0].box = {10, 20, 41, 21};
  faces.faces[1].box = {0, 0, 101, 101};
  faces.faces[0].points = {{10, 20}, {50, 40}, {30, 30}, {12, 30}, {-900, 30}};
  faces.faces[1].points = {{50, 0}, {100, 50}, {25, 75}, {-100, 10}, {-900, 10}};
  const std::vector<ShapePoint> mean = mean_shape(faces, kNoMirror, {0, 1});
  const std::vector<ShapePoint> wanted = {
      {0.25F, 0}, {1, 0.75F}, {0.375F, 0.625F}, {-0.475F, 0.3F}, {-4, 0.3F}};
  ASSERT_EQ(mean.size(), wanted.size());
  for (std::size_t p = 0; p < wanted.size(); ++p) {
    EXPECT_NEAR(mean[p].x, wanted[p].x, 1e-6) << p;
    EXPECT_NEAR(mean[p].y, wanted[p].y, 1e-6) << p;
  }
  // With mirrored samples, the mean shape is its own mirror image.
  const FaceSet& all = made_faces().set;
  const std::vector<ShapePoint> even = mean_shape(all, kFive, all_of(all));
  for (std::size_t p = 0; p < 5; ++p) {
    EXPECT_NEAR(even[kFive[p]].x, 1 - even[p].x, 1e-6);
    EXPECT_NEAR(even[kFive[p]].y, even[p].y, 1e-6);
  }
}

TEST(LandmarkSamples, ErrorsAreFractionsOfTheMainLength) {
  // One pupil lies between points 0 and 1, the other between points 2 and 3.
  const std::vector<Point> five = {{0, 0}, {10, 0}, {40, 0}, {50, 0}, {25, 30}};
  std::vector<Point> moved = five;
  moved[0].x += 3;
  moved[4].y -= 4;
  EXPECT_DOUBLE_EQ(face_error(moved, five, {{}, {}, {0, 1}, {2, 3}, {}}), 7.0 / 5 / 40);
  // Without eyes, errors are divided by the side of a square with the area of the box around the points.
  EXPECT_DOUBLE_EQ(face_error(std::vector<Point>{{0, 3}, {16, 9}}, std::vector<Point>{{0, 0}, {16, 9}}, {}),
                   3.0 / 2 / 12);
}

TEST(LandmarkSamples, EachPictureIsOpenedOnce) {
  const FaceSet& faces = made_faces().set;
  // The second face of the first picture is not chosen.
  std::vector<std::uint32_t> chosen = all_of(faces);
  chosen.erase(chosen.begin() + 1);
  for (const int threads : {1, 3}) {
    LandmarkSamples samples(faces, kNoMirror, chosen, 3);
    samples.draw_boxes({}, 1);
    std::vector<int> seen(samples.count());
    std::mutex mutex;
    int pictures = 0;
    samples.each_picture(
        threads, [&](std::size_t thread, const GrayView& picture, std::size_t first, std::size_t last) {
          const std::lock_guard lock(mutex);
          EXPECT_LT(thread, static_cast<std::size_t>(threads));
          ++pictures;
          for (std::size_t i = first; i < last; ++i) {
            ++seen[i];
            EXPECT_EQ(samples[i].face, chosen[i / 3]);
            EXPECT_EQ(faces.sizes[faces.faces[samples[i].face].picture].width, picture.width);
          }
        });
    EXPECT_EQ(seen, std::vector<int>(samples.count(), 1));
    EXPECT_EQ(pictures, 40);
  }
  const LandmarkSamples none(faces, kNoMirror, {}, 3);
  none.each_picture(2, [](auto...) { FAIL(); });
}

}  // namespace
}  // namespace winnow

// Tests that each wish of a set gets its frames, for several sets of wishes. The pictures lie in ordinary or
// pinned memory of the host.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <winnow/pinned.h>

#include "base/device/device_for_test.h"
#include "base/random.h"
#include "image/border.h"

#ifdef WINNOW_HAVE_CUDA

#include "scale/frames/frame_batch_cuda.h"
#include "scale/resize.h"

namespace winnow {
namespace {

constexpr Size kSize{70, 50};  // of pictures with their borders

Picture noise(std::uint64_t seed, Size size) {
  Random random(seed);
  Picture picture;
  picture.gray = GrayImage(size.width, size.height);
  picture.color = RgbImage(size.width, size.height);
  for (int y = 0; y < size.height; ++y) {
    for (int x = 0; x < size.width; ++x) {
      picture.gray.row(y)[x] = static_cast<std::uint8_t>(random.bits());
      picture.color.row(y)[x] = {static_cast<std::uint8_t>(random.bits()),
                                 static_cast<std::uint8_t>(random.bits()),
                                 static_cast<std::uint8_t>(random.bits())};
    }
  }
  return picture;
}

PixelTable halves() {
  PixelTable table;
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = static_cast<std::uint8_t>(i / 2);
  return table;
}

Size inside(int margin) { return {kSize.width - 2 * margin, kSize.height - 2 * margin}; }

// The expected plane of a wish.
GrayImage wanted_plane(const Picture& picture, const FrameForm& form, int plane) {
  GrayImage wanted(kSize.width, kSize.height);
  const Size size = inside(form.margin);
  for (int y = 0; y < kSize.height; ++y) {
    for (int x = 0; x < kSize.width; ++x) {
      const int from_x = mirrored(x - form.margin, size.width),
                from_y = mirrored(y - form.margin, size.height);
      const Rgb color = std::as_const(picture.color).row(from_y)[from_x];
      const std::uint8_t channels[] = {color.b, color.g, color.r};
      std::uint8_t value =
          form.planes == 3 ? channels[plane] : std::as_const(picture.gray).row(from_y)[from_x];
      if (form.table) value = (*form.table)[value];
      wanted.row(y)[x] = value;
    }
  }
  return wanted;
}

void expect_level(const PyramidView& view, int frame, int plane, const LevelImage& image, Size size,
                  const GrayImage& source) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(image.pitch) *
                                  static_cast<std::size_t>(size.height));
  check_cuda(cudaMemcpy(bytes.data(), view.pixels(frame, image, plane), bytes.size(), cudaMemcpyDeviceToHost),
             "reading a level");
  GrayImage wanted(size.width, size.height);
  resize_ref(source.view(), wanted.view());
  for (int y = 0; y < size.height; ++y) {
    const std::uint8_t* row = bytes.data() + y * image.pitch;
    ASSERT_TRUE(std::equal(row, row + size.width, std::as_const(wanted).row(y))) << "row " << y;
  }
}

LevelPlan plan_of(std::initializer_list<Size> sizes) {
  LevelPlan plan;
  for (const Size size : sizes) {
    Level level;
    level.width = size.width;
    level.height = size.height;
    plan.levels.push_back(level);
  }
  return plan;
}

TEST(FrameBatchCuda, EachWishHasItsFrames) {
  WINNOW_NEEDS_DEVICE();
  const LevelPlan first = plan_of({kSize, {50, 40}, {31, 22}}), second = plan_of({{50, 40}, {20, 20}});
  const FrameForm gray{}, table{1, halves()}, color{3, {}};
  const FrameForm bordered{1, {}, 9}, bordered_table{1, halves(), 9}, bordered_color{3, {}, 9};
  const std::vector<std::vector<FrameWish>> sets{
      {{&first, gray}},
      {{&first, table}},
      {{&first, color}},
      {{&first, gray}, {&second, gray}},
      {{nullptr, gray}, {&second, table}, {&first, gray}},
      {{&first, color}, {&second, table}, {nullptr, gray}, {&second, color}},
      {{nullptr, gray}},
      {{&first, bordered}},
      {{&first, bordered_color}, {&second, bordered}, {nullptr, bordered_table}},
      {{&first, {3, {}, 20}}},  // wider than what is inside, so that it is mirrored more than once
      {{&first, color}},
  };
  FrameBatch batch;  // one for all sets, so that each plan but the first follows another plan
  std::uint64_t seed = 0;
  for (const std::vector<FrameWish>& wishes : sets) {
    batch.plan(kSize, wishes, 3);
    for (int round = 0; round < 6; ++round) {  // round 1 captures a graph, 2 launches it; 3 to 5 pin pictures
      std::vector<Picture> pictures;
      std::vector<PictureView> views;
      std::vector<PinnedMemory> pinned;
      const Size size = inside(wishes.front().form.margin);
      for (int i = 0; i < 3; ++i) pictures.push_back(noise(++seed, size));
      for (Picture& picture : pictures) {
        views.push_back(std::as_const(picture).view());
        if (round < 3) continue;
        const auto pixels = static_cast<std::size_t>(size.width * size.height);
        pinned.emplace_back(std::as_bytes(std::span(picture.gray.row(0), pixels)));
        pinned.emplace_back(std::as_bytes(std::span(picture.color.row(0), pixels)));
      }
      batch.start(views, {}, 3);
      batch.wait();
      for (std::size_t w = 0; w < wishes.size(); ++w) {
        const FrameWish& wish = wishes[w];
        const PyramidView view = batch.view(w);
        EXPECT_EQ(view.planes, wish.form.planes);
        for (int frame = 0; frame < 3; ++frame) {
          for (int plane = 0; plane < wish.form.planes; ++plane) {
            SCOPED_TRACE(testing::Message() << "wish " << w << " of " << wishes.size() << ", round " << round
                                            << ", frame " << frame << ", plane " << plane);
            const GrayImage source =
                wanted_plane(pictures[static_cast<std::size_t>(frame)], wish.form, plane);
            const LevelImage whole{0, kSize.width, kSize.height,
                                   static_cast<std::int32_t>(frame_pitch(kSize.width)), 1};
            expect_level(view, frame, plane, whole, kSize, source);
            if (wish.plan == nullptr) continue;
            std::vector<LevelImage> images(wish.plan->levels.size());
            check_cuda(cudaMemcpy(images.data(), view.images, images.size() * sizeof(LevelImage),
                                  cudaMemcpyDeviceToHost),
                       "reading the levels");
            for (std::size_t l = 0; l < images.size(); ++l) {
              const Level& level = wish.plan->levels[l];
              expect_level(view, frame, plane, images[l], {level.width, level.height}, source);
            }
          }
        }
        if (HasFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace winnow

#endif

#include "train/samples/negatives.h"

#include "train/samples/pack_for_test.h"

namespace winnow {
namespace {

using sample::pixels;
using sample::texture;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const std::vector<Pack::Negative>& negatives) {
  std::vector<std::string> all;
  for (const Pack::Negative& negative : negatives)
    all.push_back(std::filesystem::path(negative.name).filename().string());
  return all;
}

TEST(Negatives, KeepTheirGreyExactly) {
  const sample::Folder folder;
  RgbImage color(40, 30);
  Random random(4);
  for (int i = 0; i < 1200; ++i)
    color.row(0)[i] = {static_cast<std::uint8_t>(random.below(256)), static_cast<std::uint8_t>(i % 256), 50};
  const RgbView view = std::as_const(color).view();
  for (const char* name : {"color.jpg", "color.png", "color.ppm"}) write_picture(folder / name, view);
  for (const char* name : {"grey.jpg", "grey.png", "grey.pgm"}) folder.put(name, texture(50, 40).view());
  GrayImage noise(25, 24);  // compression does not make it smaller
  for (int i = 0; i < 25 * 24; ++i) noise.row(0)[i] = static_cast<std::uint8_t>(random.below(256));
  folder.put("noise.pgm", noise.view());
  std::vector<std::string> notes;
  const auto negatives = load_negatives({folder / ""}, {}, {24, 24}, false, sample::keep(notes));
  EXPECT_THAT(names(negatives), ElementsAre("color.jpg", "color.png", "color.ppm", "grey.jpg", "grey.pgm",
                                            "grey.png", "noise.pgm"));
  EXPECT_TRUE(notes.empty());
  for (const Pack::Negative& negative : negatives) {
    const GrayImage gray = read_picture(negative.name).gray;
    EXPECT_EQ(negative.size, gray.size());
    EXPECT_EQ(pixels(decode_picture(negative.file).gray.view()), pixels(gray.view())) << negative.name;
    EXPECT_LE(negative.file.size(), std::filesystem::file_size(negative.name));
  }
}

TEST(Negatives, ListsAreSeenFromTheirFolder) {
  const sample::Folder folder;
  folder.put("list/pictures/a.pgm", texture(40, 40, 1).view());
  folder.put("b.pgm", texture(40, 40, 2).view());
  const std::string list =
      folder.put("list/bg.txt",
                 "\xEF\xBB\xBF# scenes\r\npictures/a.pgm\r\n\n \t../b.pgm \nlost.pgm\n" + folder / "b.pgm");
  std::vector<std::string> notes;
  EXPECT_THAT(names(load_negatives({list, folder / "b.pgm"}, {}, {24, 24}, false, sample::keep(notes))),
              ElementsAre("a.pgm", "b.pgm", "b.pgm", "b.pgm"));
  EXPECT_THAT(notes, ElementsAre(HasSubstr("lost.pgm: cannot open")));
}

TEST(Negatives, AreCropped) {
  const sample::Folder folder;
  const GrayImage picture = texture(60, 50);
  folder.put("a.png", picture.view());
  for (const Box crop : {Box{30, 20, 30, 30}, {31, 20, 30, 30}, {30, 21, 30, 30}}) {
    std::vector<std::string> notes;
    std::vector<Pack::Negative> negatives;
    const auto load = [&] {
      negatives = load_negatives({folder / ""}, crop, {24, 24}, false, sample::keep(notes));
    };
    if (crop == Box{30, 20, 30, 30}) {
      load();
      ASSERT_EQ(negatives.size(), 1u);
      EXPECT_EQ(negatives[0].size, (Size{30, 30}));
      EXPECT_EQ(pixels(decode_picture(negatives[0].file).gray.view()), pixels(picture.view().crop(crop)));
    } else {
      EXPECT_EQ(error_of(load).sentence(), "there is no negative picture to be used");
      EXPECT_THAT(notes, ElementsAre(HasSubstr("a.png is too small for the part")));
    }
  }
}

TEST(Negatives, WhatCannotBeUsedIsSaid) {
  const sample::Folder folder;
  folder.put("n/low.pgm", texture(40, 23).view());
  folder.put("n/text.png", "text");
  folder.put("n/read.me", "not looked at");
  std::vector<std::string> notes;
  const Error error = error_of([&] {
    load_negatives({folder / "n"}, {}, {24, 24}, false, sample::keep(notes));
  });
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_EQ(error.sentence(), "there is no negative picture to be used");
  EXPECT_THAT(notes,
              ElementsAre(HasSubstr("low.pgm is smaller than the window"), HasSubstr("not a picture")));
  const std::string binary = folder.put("b.dat", std::string("a\0b", 3));
  EXPECT_EQ(error_of([&] {
              load_negatives({binary}, {}, {24, 24}, false, sample::keep(notes));
            }).what(),
            binary + ": is neither a picture nor a list of pictures");
  EXPECT_EQ(error_of([&] {
              load_negatives({folder / "none"}, {}, {24, 24}, false, sample::keep(notes));
            }).code(),
            ErrorCode::kIo);
}

TEST(Negatives, PicturesWithLabelledObjectsAreLeftOut) {
  const sample::Folder folder;
  for (const std::string place : {"beside/", "yolo/images/"})
    for (const char* name : {"cup.pgm", "empty.pgm", "none.pgm"})
      folder.put(place + name, texture(40, 30).view());
  for (const std::string place : {"beside/", "yolo/labels/"}) {
    folder.put(place + "cup.txt", "0 .5 .5 .5 .5\n");
    folder.put(place + "empty.txt", "");
  }
  for (const std::string place : {"beside", "yolo/images"}) {
    std::vector<std::string> notes;
    EXPECT_THAT(names(load_negatives({folder / place}, {}, {24, 24}, false, sample::keep(notes))),
                ElementsAre("empty.pgm", "none.pgm"))
        << place;
    EXPECT_THAT(notes, ElementsAre(folder / place + ": 1 picture has no file of labels, taken as empty",
                                   folder / place +
                                       ": 1 picture has marked objects, and is left out of the negatives"));
  }
  folder.put("beside/none.txt", "a caption\n");
  EXPECT_THAT(error_of([&] { pictures_without_objects(folder / "beside", {}); }).what(),
              HasSubstr("none.txt: line 1"));
}

TEST(Negatives, KeepTheirColours) {
  const sample::Folder folder;
  const RgbImage color = sample::colored({50, 40}, 3);
  for (const char* name : {"a.jpg", "b.png", "c.ppm"}) write_picture(folder / name, color.view());
  std::vector<std::string> notes;
  ReadOptions how;
  how.color = true;
  for (const Pack::Negative& negative :
       load_negatives({folder / ""}, {}, {24, 24}, true, sample::keep(notes))) {
    const Picture original = read_picture(negative.name, how), kept = decode_picture(negative.file, how);
    EXPECT_EQ(sample::pixels(kept.color.view()), sample::pixels(original.color.view())) << negative.name;
    EXPECT_EQ(pixels(kept.gray.view()), pixels(original.gray.view())) << negative.name;
  }
  const Box crop{5, 6, 30, 30};
  const auto cropped = load_negatives({folder / "b.png"}, crop, {24, 24}, true, sample::keep(notes));
  ASSERT_EQ(cropped.size(), 1u);
  EXPECT_EQ(sample::pixels(decode_picture(cropped[0].file, how).color.view()),
            sample::pixels(color.view().crop(crop)));
  EXPECT_TRUE(notes.empty());
}

}  // namespace
}  // namespace winnow

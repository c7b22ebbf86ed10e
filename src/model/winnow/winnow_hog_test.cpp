// Tests Winnow's own file of HOG SVMs: exact round trips, which bytes are refused, and the words of the
// errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "model/hog_samples_for_test.h"
#include "model/samples_for_test.h"
#include "model/winnow/winnow_fields.h"
#include "model/winnow/winnow_file.h"

namespace winnow {
namespace {

using sample::hog_svms;
using sample::refused_hog;
using testing::HasSubstr;

std::vector<std::byte> file_of_version(std::uint32_t version, stored::Kind kind) {
  flatbuffers::FlatBufferBuilder builder;
  builder.ForceDefaults(true);
  const auto svm = stored::CreateHogSvm(builder).Union();
  builder.Finish(stored::CreateModel(builder, version, kind, svm), stored::CascadeIdentifier());
  return bytes_of(builder);
}

std::string text_of(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

TEST(WinnowHog, IsExact) {
  for (HogSvmModel model : hog_svms()) {
    model.bias = 0.1;  // no float has this value
    model.card = {"a name", "person", "nobody\ntrained it", "none; \xc3\xbc"};
    model.notes = {"A note.", "Another one."};
    const std::vector<std::byte> bytes = HogSvm(model).to_bytes(HogFormat::kWinnow);
    const HogSvmModel back = HogSvm::parse(bytes, "other").model();
    EXPECT_TRUE(back.same_as(model));
    EXPECT_EQ(back.card, model.card);
    EXPECT_EQ(back.notes, model.notes);
    EXPECT_EQ(write_winnow_hog_svm(back), bytes);
    EXPECT_EQ(DetectorModel::parse(bytes, "other").search_defaults().scale_factor, 1.05) << "OpenCV's";
    model.card.search = SearchDefaults{1.2, 1.5, {4, 8}, Merge::kSupport, 7, -0.5, 2.5, 0.3};
    model.card.place = ObjectPlace{0.125, 0.41};
    const DetectorModel told = DetectorModel::parse(HogSvm(model).to_bytes(HogFormat::kWinnow), "other");
    EXPECT_EQ(told.card(), model.card);
    EXPECT_EQ(told.search_defaults(), *model.card.search);
    model.card.search->enlarge = 5;
    EXPECT_THROW(HogSvm{model}, Error);
    model.card.search.reset();
    model.card.place->margin = 0.5;
    EXPECT_THROW(HogSvm{model}, Error);
    model.card.place.reset();
    const DetectorModel detector = DetectorModel::parse(bytes, "other");
    EXPECT_EQ(detector.kind(), "hog-svm");
    EXPECT_EQ(detector.name(), "a name");
    ASSERT_TRUE(HogSvm::from(detector).has_value());
    EXPECT_TRUE(HogSvm::from(detector)->model().same_as(model));
  }
  EXPECT_FALSE(HogSvm::from(Cascade(sample::stumps())).has_value());
}

TEST(WinnowHog, MayLieAnywhereInMemory) {
  const HogSvmModel model = hog_svms()[2];
  const std::vector<std::byte> bytes = write_winnow_hog_svm(model);
  std::vector<std::byte> room(bytes.size() + 8);
  for (std::size_t shift = 0; shift < 8; ++shift) {
    std::copy(bytes.begin(), bytes.end(), room.begin() + static_cast<std::ptrdiff_t>(shift));
    const std::span<const std::byte> view = std::span(room).subspan(shift, bytes.size());
    EXPECT_EQ(winnow_kind(view), WinnowKind::kHogSvm);
    EXPECT_TRUE(HogSvm::parse(view, "x").model().same_as(model)) << shift;
  }
}

TEST(WinnowHog, SavesAndLoadsFiles) {
  const sample::Folder folder;
  const std::string path = folder.file("people.winnow");
  const HogSvm svm(hog_svms()[0]);
  svm.save(path, HogFormat::kWinnow);
  EXPECT_TRUE(HogSvm::load(path).model().same_as(svm.model()));
  EXPECT_EQ(HogSvm::load(path).name(), "sample");
  EXPECT_EQ(DetectorModel::load(path).kind(), "hog-svm");
  EXPECT_THROW(svm.save(folder.file("none/people.winnow"), HogFormat::kWinnow), Error);
}

TEST(WinnowHog, EachReaderNamesTheOtherKind) {
  const std::string hog = text_of(write_winnow_hog_svm(hog_svms()[0]));
  EXPECT_EQ(sample::refused(hog).sentence(), "this file holds a linear SVM over HOG, a cascade is needed");
  const std::string cascade = text_of(write_winnow_file(sample::stumps()));
  EXPECT_EQ(refused_hog(cascade).sentence(), "this file holds a cascade, a linear SVM over HOG is needed");
}

TEST(WinnowHog, NewerVersionsAndKindsAreRefusedByName) {
  const Error newer = refused_hog(text_of(file_of_version(5, stored::Kind::HogSvm)));
  EXPECT_EQ(newer.code(), ErrorCode::kUnsupported);
  EXPECT_EQ(newer.sentence(), "the .winnow file is of version 5, this library reads up to 4");
  const std::vector<std::byte> unknown = file_of_version(4, static_cast<stored::Kind>(200));
  for (const Error& error : {refused_hog(text_of(unknown)), sample::refused(text_of(unknown))}) {
    EXPECT_EQ(error.code(), ErrorCode::kUnsupported);
    EXPECT_EQ(error.sentence(), "the .winnow file holds a kind of model that this library does not know");
  }
  EXPECT_THAT(refused_hog(text_of(file_of_version(4, stored::Kind::HogSvm))).sentence(),
              HasSubstr("no shape or no weights"));
}

TEST(WinnowHog, CutOffFilesAreRefused) {
  const std::vector<std::byte> bytes = write_winnow_hog_svm(hog_svms()[0]);
  for (std::size_t size = 0; size < bytes.size(); size += 3) {
    const Error error = refused_hog(text_of({bytes.begin(), bytes.begin() + static_cast<int>(size)}));
    EXPECT_EQ(error.code(), ErrorCode::kFormat) << size;
  }
}

TEST(WinnowHog, NoBrokenByteDoesHarm) {
  const sample::BrokenFiles files =
      sample::break_bytes(write_winnow_hog_svm(hog_svms()[0]), [](const std::vector<std::byte>& broken) {
        const DetectorModel model = DetectorModel::parse(broken, "broken");
        const HogSvm svm = HogSvm::from(model).value();
        EXPECT_TRUE(HogSvm::parse(svm.to_bytes(HogFormat::kWinnow), "again").model().same_as(svm.model()));
      });
  EXPECT_GT(files.taken, 100);
  EXPECT_GT(files.refused, 100);
}

TEST(WinnowHog, ValuesAreChecked) {
  const auto refusal = [](void (*change)(HogSvmModel&)) {
    HogSvmModel model = hog_svms()[0];
    change(model);
    return refused_hog(text_of(write_winnow_hog_svm(model)));
  };
  EXPECT_EQ(refusal([](HogSvmModel& m) { m.weights[1] = NAN; }).place(), "weight 1");
  EXPECT_EQ(refusal([](HogSvmModel& m) { m.bias = INFINITY; }).sentence(),
            "the bias must be a number from -1e9 to 1e9");
  EXPECT_EQ(refusal([](HogSvmModel& m) { m.weights.pop_back(); }).sentence(),
            "there are 7 weights, a window has 8 values");
  EXPECT_EQ(refusal([](HogSvmModel& m) { m.shape.sigma = NAN; }).sentence(), "sigma must be 0 or more");
  EXPECT_EQ(refusal([](HogSvmModel& m) {
              m.shape.cell = {0, 8};
            }).sentence(),
            "sizes of window, block, stride and cell must be 1 or more");
  EXPECT_EQ(refusal([](HogSvmModel& m) { m.notes.assign(300, "x"); }).sentence(),
            "the model has too many notes");
  EXPECT_EQ(refusal([](HogSvmModel& m) { m.card.terms = "\x1b[31m"; }).sentence(),
            "the card's terms is not clean UTF-8 text");
}

}  // namespace
}  // namespace winnow

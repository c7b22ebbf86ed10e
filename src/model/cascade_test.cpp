#include <winnow/cascade.h>

#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/samples_for_test.h"

namespace winnow {
namespace {

using sample::Folder;
using testing::HasSubstr;

constexpr CascadeFormat kFormats[] = {CascadeFormat::kOpenCvXml, CascadeFormat::kOpenCvOldXml,
                                      CascadeFormat::kWinnow};

TEST(Cascade, SavesAndLoadsEveryFormat) {
  const Folder folder;
  for (const CascadeModel& model : sample::all()) {
    for (const CascadeFormat format : kFormats) {
      if (model.kind == FeatureKind::kLbp && format == CascadeFormat::kOpenCvOldXml) continue;
      const std::string path = folder.file("my.model.file");
      Cascade(model).save(path, format);
      const Cascade back = Cascade::load(path);
      EXPECT_EQ(back.name(), format == CascadeFormat::kWinnow ? model.card.name : "my.model");
      EXPECT_EQ(back.window(), model.window);
      EXPECT_TRUE(format == CascadeFormat::kOpenCvOldXml || back.model().same_as(model));
    }
  }
}

TEST(Cascade, EveryPairOfFormatsAgrees) {
  for (const CascadeModel& model : {sample::stumps(), sample::trees()}) {
    // The old format reorders features and leaves. A cascade that was read from the old format has that
    // format's order already, so further round trips do not change the cascade.
    const Cascade settled = Cascade::parse(Cascade(model).to_bytes(CascadeFormat::kOpenCvOldXml), "x");
    for (const CascadeFormat first : kFormats) {
      for (const CascadeFormat second : kFormats) {
        const Cascade one = Cascade::parse(settled.to_bytes(first), "x");
        const Cascade two = Cascade::parse(one.to_bytes(second), "x");
        EXPECT_TRUE(two.model().same_as(settled.model()))
            << cascade_format_name(first) << " to " << cascade_format_name(second);
      }
    }
  }
}

TEST(Cascade, CopiesShareTheModel) {
  const Cascade cascade(sample::lbp());
  const Cascade copy = cascade;
  EXPECT_EQ(&copy.model(), &cascade.model());
}

TEST(Cascade, TryLoadSaysWhy) {
  const Folder folder;
  std::optional<Error> error;
  EXPECT_FALSE(Cascade::try_load(folder.file("none.xml"), &error));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kIo);
  EXPECT_FALSE(Cascade::try_load(folder.path(), &error));
  EXPECT_EQ(error->code(), ErrorCode::kIo);
  EXPECT_FALSE(Cascade::try_load(folder.file("none.xml")));
  Cascade(sample::lbp()).save(folder.file("a.winnow"), CascadeFormat::kWinnow);
  EXPECT_TRUE(Cascade::try_load(folder.file("a.winnow"), &error));
  EXPECT_FALSE(error);
}

TEST(Cascade, ErrorsNameTheFile) {
  const Folder folder;
  const std::string path = folder.file("broken.xml");
  std::ofstream(path) << "<opencv_storage>\n<cascade>\n</opencv_storage>\n";
  std::optional<Error> error;
  EXPECT_FALSE(Cascade::try_load(path, &error));
  ASSERT_TRUE(error);
  EXPECT_EQ(error->file(), path);
  EXPECT_THAT(error->place(), HasSubstr("line 3"));
  EXPECT_THAT(error->what(), HasSubstr(path + ": line 3"));
  EXPECT_THROW(Cascade(sample::lbp()).save(folder.file("no/such/folder/a.winnow"), CascadeFormat::kWinnow),
               Error);
}

TEST(Cascade, OtherFilesAreRecognised) {
  using std::string;
  for (const auto& [bytes, words] : {std::pair<string, string>{"", "an empty file"},
                                     {" \n\t", "nothing but white space"},
                                     {"\xff\xd8\xff\xe0 JFIF", "a JPEG picture"},
                                     {"\x89PNG\r\n", "a PNG picture"},
                                     {"P5\n3 3\n", "a PNM picture"},
                                     {"\x1f\x8b\x08", "gzip"},
                                     {"PK\x03\x04", "ZIP"},
                                     {"%YAML:1.0\n---\ncascade: 1\n", "YAML"},
                                     {"{\"cascade\": 1}", "JSON"},
                                     {"<!DOCTYPE HTML>\n<html><br></html>", "HTML"},
                                     {"\xff\xfe<\0o\0", "UTF-16"},
                                     {"version https://git-lfs.github.com/spec/v1\n", "Git LFS"},
                                     {"hello", "no kind of file that is known here"}}) {
    const Error error = sample::refused(bytes);
    EXPECT_EQ(error.code(), ErrorCode::kFormat);
    EXPECT_THAT(error.sentence(), HasSubstr(words));
    EXPECT_THAT(error.sentence(), HasSubstr("a cascade is needed"));
  }
}

TEST(Cascade, AModelOfOnesOwnIsChecked) {
  CascadeModel model = sample::trees();
  model.nodes[0].left = 77;
  EXPECT_THROW(Cascade{model}, Error);
  EXPECT_THROW(Cascade{CascadeModel{}}, Error);
}

TEST(Cascade, FormatsHaveNames) {
  EXPECT_STREQ(cascade_format_name(CascadeFormat::kOpenCvXml), "opencv-xml");
  EXPECT_STREQ(cascade_format_name(CascadeFormat::kOpenCvOldXml), "opencv-old-xml");
  EXPECT_STREQ(cascade_format_name(CascadeFormat::kWinnow), "winnow");
}

}  // namespace
}  // namespace winnow

#include <winnow/cascade.h>
#include <winnow/detector_model.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/samples_for_test.h"

namespace winnow {
namespace {

using sample::Folder;
using testing::HasSubstr;
namespace fs = std::filesystem;

// Sets WINNOW_MODELS while a test runs.
class Models : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(folder_.file("a"));
    fs::create_directories(folder_.file("b"));
    ::setenv("WINNOW_MODELS",
             (std::string(":") + folder_.file("a") + ":" + folder_.file("b") + "::" + folder_.file("missing"))
                 .c_str(),
             1);
  }
  void TearDown() override { ::unsetenv("WINNOW_MODELS"); }
  void put(const std::string& name) const { std::ofstream(folder_.file(name)) << "x"; }
  Folder folder_;
};

TEST_F(Models, FoldersComeInOrder) {
  const std::vector<std::string> folders = model_folders();
  ASSERT_GE(folders.size(), 5u);
  EXPECT_EQ(folders[0], folder_.file("a"));
  EXPECT_EQ(folders[1], folder_.file("b"));
  EXPECT_EQ(folders[2], folder_.file("missing"));
  EXPECT_THAT(folders, testing::Contains("/usr/share/opencv4/haarcascades"));
}

TEST_F(Models, TheFirstFolderAndOurOwnFormatWin) {
  put("a/one_of_these.xml");
  put("b/one_of_these.winnow");
  put("b/two_of_these.xml");
  put("b/two_of_these.winnow");
  put("b/not_a_model.txt");
  fs::create_directories(folder_.file("b/a_folder.xml"));
  EXPECT_EQ(resolve_model("one_of_these"), folder_.file("a/one_of_these.xml"));
  EXPECT_EQ(resolve_model("two_of_these"), folder_.file("b/two_of_these.winnow"));
  EXPECT_EQ(resolve_model("two_of_these.xml"), folder_.file("b/two_of_these.xml"));
  EXPECT_EQ(resolve_model(folder_.file("b/not_a_model.txt")), folder_.file("b/not_a_model.txt"))
      << "a path is returned as it is";
  std::vector<std::string> ours;
  std::string before;
  for (const ModelEntry& model : find_models()) {
    EXPECT_LT(before, model.name);
    before = model.name;
    if (model.path.starts_with(folder_.path())) ours.push_back(model.path);
  }
  EXPECT_EQ(ours, (std::vector<std::string>{folder_.file("a/one_of_these.xml"),
                                            folder_.file("b/two_of_these.winnow")}));
}

TEST_F(Models, OneIsInTheLibrary) {
  EXPECT_EQ(resolve_model("face"), "built-in:face");
  EXPECT_EQ(resolve_model("built-in:face"), "built-in:face");
  const Cascade face = Cascade::load("built-in:face");
  EXPECT_EQ(face.name(), "face");
  EXPECT_EQ(face.model().card.kind, "face");
  EXPECT_NE(face.model().card.terms, "");
  EXPECT_THROW(Cascade::load("built-in:mug"), Error);
  EXPECT_THAT(find_models(), testing::Contains(testing::Field(&ModelEntry::path, "built-in:face")));
  put("b/face.xml");
  EXPECT_EQ(resolve_model("face"), folder_.file("b/face.xml")) << "a user's own comes first";
}

TEST_F(Models, PeopleAreFoundByTwo) {
  EXPECT_EQ(resolve_model("people-svm"), "built-in:people-svm");
  const DetectorModel svm = DetectorModel::load("built-in:people-svm"),
                      cascade = DetectorModel::load("built-in:people");
  for (const DetectorModel& model : {svm, cascade}) {
    EXPECT_EQ(model.window(), (Size{64, 128}));
    EXPECT_EQ(model.search_defaults().border, 0.2);
    EXPECT_EQ(model.card().place, (ObjectPlace{0.125, 0.41}));
    EXPECT_NE(model.card().terms, "");
    EXPECT_NE(model.card().kind, "");
  }
  EXPECT_EQ(svm.card().name, "people-svm");
  EXPECT_TRUE(svm.reads_color());
  EXPECT_FALSE(cascade.reads_color());
}

TEST_F(Models, UnknownNamesGetHelp) {
  for (const char* name : {"a/winnow_face_one.xml", "a/winnow_face_two.xml", "b/winnow_car.xml"}) put(name);
  const auto refused = [](const std::string& name) {
    try {
      resolve_model(name);
    } catch (const Error& error) {
      return error;
    }
    ADD_FAILURE() << "was found";
    return Error(ErrorCode::kFormat, "");
  };
  Error error = refused("winnow_fase_one");
  EXPECT_EQ(error.code(), ErrorCode::kUsage);
  EXPECT_THAT(error.sentence(), HasSubstr("close to it: winnow_face_one"));
  EXPECT_THAT(error.sentence(), HasSubstr(folder_.file("a")));
  EXPECT_THAT(error.sentence(), HasSubstr("/usr/share/opencv4/lbpcascades"));
  EXPECT_THAT(refused("WINNOW_FACE").sentence(), HasSubstr("close to it: winnow_face_one, winnow_face_two"));
  for (const char* name :
       {"a/winnow_mug_1.xml", "a/winnow_mug_2.xml", "b/winnow_mug_3.xml", "b/winnow_mug_4.xml"})
    put(name);
  EXPECT_THAT(refused("winow_mug").sentence(),
              HasSubstr("close to it: winnow_mug_1, winnow_mug_2, winnow_mug_3;"));
  EXPECT_THAT(refused("q").sentence(), testing::Not(HasSubstr("winnow_car")));
  EXPECT_EQ(refused("").code(), ErrorCode::kUsage);
  EXPECT_EQ(refused("no/such/file.xml").code(), ErrorCode::kIo);
  EXPECT_EQ(refused(folder_.path()).code(), ErrorCode::kUsage);
}

}  // namespace
}  // namespace winnow

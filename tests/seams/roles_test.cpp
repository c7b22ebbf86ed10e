// Runs the models of `dot_model.h`, which find no objects, through the library and the commands. The sources
// of the library and the commands do not know this kind of model.
#include <gtest/gtest.h>
#include <winnow/winnow.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "answer/inspect/model_pages.h"
#include "base/folder_for_test.h"
#include "commands.h"
#include "dot_model.h"

namespace winnow {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDots = "dots \"pair\" \"face\" \"\" \"\"\n0.25 0.5\n0.75 0.5\n";

class Roles : public testing::Test {
 protected:
  void SetUp() override {
    sample::add_dot_kind();
    model_ = folder_.file("pair.dots");
    std::ofstream(model_) << kDots;
  }

  std::string run(int (*command)(const cli::Arguments&), const cli::Arguments& arguments) {
    testing::internal::CaptureStdout();
    const int status = command(arguments);
    std::fflush(stdout);
    std::string output = testing::internal::GetCapturedStdout();
    EXPECT_EQ(status, 0) << output;
    return output;
  }

  static std::string text_of(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TestFolder folder_;
  std::string model_;
};

Error refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "not refused";
  return {ErrorCode::kUsage, ""};
}

TEST_F(Roles, AModelIsLoadedAndSaysWhatItDoes) {
  const Model model = Model::load(model_);
  EXPECT_EQ(model.kind(), "dots");
  EXPECT_EQ(model.name(), "pair");
  EXPECT_EQ(model.does(), "marks points of face");
  EXPECT_EQ(model.holds(), "2 points");
  const std::vector<std::byte> bytes = model.to_bytes();
  const Model back = Model::parse(bytes, "other");
  EXPECT_EQ(back.name(), "pair");
  EXPECT_EQ(back.to_bytes(), bytes);
  EXPECT_EQ(Model::parse(model.with_card({"two eyes", "face", "", ""}).to_bytes(), "").name(), "two eyes");
  const Error wrong = refusal([&] { model.to_bytes("opencv-xml"); });
  EXPECT_EQ(wrong.code(), ErrorCode::kUsage);
  EXPECT_STREQ(wrong.what(),
               "a model of dots cannot be written as 'opencv-xml'; its formats are: dots, table");
  EXPECT_EQ(model.format_of("a/b.tsv").name, "table");
  EXPECT_FALSE(model.format_of("b.tsv").whole);
  model.save(folder_.file("saved.tsv"));
  EXPECT_EQ(text_of(folder_.file("saved.tsv")), "0.25\t0.5\n0.75\t0.5\n");
  EXPECT_EQ(refusal([&] { model.save(folder_.file("saved")); }).code(), ErrorCode::kUsage);
  std::ofstream(model_) << "dots none\n";
  const Error empty = refusal([&] { Model::load(model_); });
  EXPECT_EQ(empty.code(), ErrorCode::kFormat);
  EXPECT_EQ(empty.file(), model_);
  EXPECT_NE(std::string(refusal([] { Model::parse(std::as_bytes(std::span("neither", 7)), "x"); }).what())
                .find("a text of dots"),
            std::string::npos);
}

TEST_F(Roles, ADetectorSaysThatItNeedsAnother) {
  const Error refused = refusal([&] { DetectorModel::load(model_); });
  EXPECT_EQ(refused.code(), ErrorCode::kUsage);
  EXPECT_EQ(refused.file(), model_);
  EXPECT_EQ(std::string(refused.what()),
            model_ +
                ": the model 'pair' is a model of dots, which marks points of face; a detector needs a model "
                "that finds objects (`winnow models` says what each model does)");
  EXPECT_THROW(DetectorModel(Model::load(model_)), Error);
  EXPECT_EQ(DetectorModel(Model::load("built-in:face")).window(), (Size{24, 24}));
  EXPECT_THROW(cli::detect_command({"-m", model_, "none.png"}), Error);
}

TEST_F(Roles, TheCommandListsIt) {
  ASSERT_EQ(setenv("WINNOW_MODELS", folder_.path().c_str(), 1), 0);
  std::ofstream(folder_.file("broken.dots")) << "dots none\n";
  EXPECT_EQ(resolve_model("pair"), model_);
  const nlohmann::json list = nlohmann::json::parse(run(cli::models_command, {"--json"}));
  testing::internal::CaptureStderr();
  const std::string text = run(cli::models_command, {});
  const std::string said = testing::internal::GetCapturedStderr();
  unsetenv("WINNOW_MODELS");
  nlohmann::json pair, broken, face;
  for (const nlohmann::json& entry : list) {
    if (entry["name"] == "pair") pair = entry;
    if (entry["name"] == "broken") broken = entry;
    if (entry["name"] == "face") face = entry;
  }
  EXPECT_EQ(pair["kind"], "dots");
  EXPECT_EQ(pair["does"], "marks points of face");
  EXPECT_NE(broken["problem"].get<std::string>().find("there are no dots"), std::string::npos);
  EXPECT_FALSE(broken.contains("does"));
  EXPECT_EQ(face["does"], "finds face");
  const std::size_t line = text.find("\npair ");
  ASSERT_NE(line, std::string::npos) << text;
  EXPECT_NE(text.find(" marks points of face ", line), std::string::npos);
  EXPECT_NE(text.find(" " + model_ + "\n", line), std::string::npos);
  EXPECT_NE(text.find("cannot be read"), std::string::npos);
  EXPECT_NE(said.find("broken.dots"), std::string::npos);
}

TEST_F(Roles, TheCommandConvertsIt) {
  const std::string to = folder_.file("new.dots"), rows = folder_.file("new.tsv");
  const std::string said = run(cli::convert_command, {model_, to, "--name", "eyes"});
  EXPECT_EQ(said, to + ": eyes as dots, 2 points, 43 bytes\n");
  EXPECT_EQ(text_of(to), "dots \"eyes\" \"face\" \"\" \"\"\n0.25 0.5\n0.75 0.5\n");
  run(cli::convert_command, {model_, rows});
  EXPECT_EQ(text_of(rows), "0.25\t0.5\n0.75\t0.5\n");
  EXPECT_THROW(cli::convert_command({model_, folder_.file("b.tsv"), "--name", "eyes"}), Error);
  const Error refused = refusal([&] { cli::convert_command({model_, folder_.file("a.xml")}); });
  EXPECT_NE(std::string(refused.what()).find("a file of a model of dots must end in .dots or .tsv"),
            std::string::npos);
  EXPECT_THROW(cli::convert_command({model_, folder_.file("a.dots"), "--old"}), Error);
}

TEST_F(Roles, TheCommandInspectsItWithAndWithoutPages) {
  EXPECT_EQ(run(cli::inspect_command, {model_}),
            "pair\nfile       " + model_ + "\nkind       a model of dots\nholds      2 points\n" +
                "does       marks points of face\nfor        face\n\nNothing unusual.\n");
  EXPECT_EQ(nlohmann::json::parse(run(cli::inspect_command, {model_, "--json"}))["holds"], "2 points");
  const std::string out = folder_.file("dots.png");
  EXPECT_EQ(refusal([&] { cli::inspect_command({model_, "--out", out}); }).code(), ErrorCode::kUnsupported);
  sample::add_dot_pages();
  EXPECT_EQ(run(cli::inspect_command, {model_}), "pair\nfile       " + model_ +
                                                     "\nkind       dots in a face\nfor        face\n" +
                                                     "\nfirst dot  at 0.250000\n\nNothing unusual.\n");
  EXPECT_EQ(nlohmann::json::parse(run(cli::inspect_command, {model_, "--json"}))["dots"], 2);
  testing::internal::CaptureStderr();
  run(cli::inspect_command, {model_, "--out", out});
  EXPECT_NE(testing::internal::GetCapturedStderr().find("only the ground is drawn"), std::string::npos);
  EXPECT_EQ(read_picture(out).view().size(), (Size{8, 4}));
  add_model_pages({.kind = sample::kDotKind});  // as if the kind had no pages
}

}  // namespace
}  // namespace winnow

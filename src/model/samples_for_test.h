// Makes small cascades for the tests of this room, one of each kind, and texts for tests of readers.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <stdlib.h>

#include <winnow/cascade.h>

#include "base/folder_for_test.h"
#include "model/check.h"

namespace winnow::sample {

inline CascadeModel stumps() {
  CascadeModel model;
  model.kind = FeatureKind::kHaar;
  model.window = {20, 24};
  model.haar = {
      HaarFeature{{HaarRect{{2, 3, 12, 6}, -1.f}, HaarRect{{2, 5, 12, 2}, 3.f}, HaarRect{}}, false},
      HaarFeature{
          {HaarRect{{0, 0, 20, 24}, -1.f}, HaarRect{{0, 0, 10, 12}, 2.f}, HaarRect{{10, 12, 10, 12}, 2.f}},
          false},
      HaarFeature{{HaarRect{{8, 1, 4, 6}, -1.f}, HaarRect{{8, 1, 2, 6}, 2.f}, HaarRect{}}, true},
      HaarFeature{{HaarRect{{1, 1, 3, 3}, 0.3333333432674408f}, HaarRect{}, HaarRect{}}, false},
  };
  model.nodes = {
      {0, -1, 0, 0.0123456791f}, {0, -1, 1, -3.40282347e+38f}, {0, -1, 2, 1e-45f}, {0, -1, 3, 7.f}};
  model.leaves = {-0.75f, 0.683501482f, 1.f, -0.f, 0.1f, -0.2f, 16777216.f, 123456.789f};
  model.trees = {{0, 1, 0}, {1, 1, 2}, {2, 1, 4}, {3, 1, 6}};
  model.stages = {{0, 1, -1.4562761f}, {1, 3, 0.30000001f}};
  model.rules = opencv_rules(model.kind);
  model.card.name = "stumps";
  return model;
}

// Deeper trees, with nodes and leaves in no particular order, and one leaf used twice.
inline CascadeModel trees() {
  CascadeModel model = stumps();
  model.card.name = "trees";
  model.nodes = {{2, 1, 0, 0.5f}, {-3, -1, 3, 0.25f}, {-2, 0, 2, -0.125f},
                 {-1, 0, 1, 2.f}, {-2, 1, 1, 2.f},    {-1, -1, 2, 3.f}};
  model.leaves = {0.1f, 0.2f, 0.3f, 0.4f, -1.f, 1.f, 5.f, 6.f, 7.f};
  model.trees = {{0, 3, 0}, {3, 1, 4}, {4, 2, 6}};
  model.stages = {{0, 2, 0.f}, {2, 1, 1.5f}};
  return model;
}

inline CascadeModel lbp() {
  CascadeModel model;
  model.kind = FeatureKind::kLbp;
  model.window = {12, 15};
  model.lbp = {LbpFeature{{0, 0, 4, 5}}, LbpFeature{{3, 6, 1, 3}}};
  model.nodes = {{0, -1, 1, 0.f}, {1, 0, 0, 0.f}, {-1, -2, 1, 0.f}};
  model.subsets = {
      {-1, 0, 1, 2, 3, 4, 5, -2147483647 - 1}, {7, 6, 5, 4, 3, 2, 1, 0}, {1, 1, 2, 3, 5, 8, 13, 2147483647}};
  model.leaves = {-0.5f, 0.5f, 0.7f, -0.7f, 0.9f};
  model.trees = {{0, 1, 0}, {1, 2, 2}};
  model.stages = {{0, 1, -0.75f}, {1, 1, 0.25f}};
  model.rules = opencv_rules(model.kind);
  model.card.name = "lbp";
  return model;
}

// Two stages of stumps with one running sum.
inline CascadeModel soft() {
  CascadeModel model = stumps();
  model.card.name = "soft";
  model.rules.sum = SumRule::kRunning;
  model.rules.skip_after_first_stage_reject = false;
  model.rules.threshold_slack = 0;
  model.leaves = {-0.75f, 0.5f, 1.f, -8.f, 0.000244140625f, -0.25f, 7.999755859375f, 0.f};
  model.stages = {{0, 1, -0.5f}, {1, 3, 4095.f}};
  return model;
}

inline CascadeModel tables() {
  CascadeModel model = soft();
  model.card.name = "tables";
  model.rules.sum = SumRule::kStage;
  model.trees.clear();
  model.nodes.clear();
  model.leaves.clear();
  model.tables = {{0, -0.125f, 40.f, {-1.f, -0.5f, 0.25f}}, {2, 0.f, 0.f, {1.f}}, {0, 1e-3f, 1e30f, {}}};
  for (int i = 0; i < kTableBins; ++i)
    model.tables[2].leaves[static_cast<std::size_t>(i)] = static_cast<float>(i - 8);
  model.stages = {{0, 2, -0.5f}, {2, 1, -4096.f}};
  return model;
}

// Tables, then stumps of LBP features, with one running sum.
inline CascadeModel mixed() {
  CascadeModel model = tables();
  model.card.name = "mixed";
  model.rules.sum = SumRule::kRunning;
  model.lbp = {LbpFeature{{0, 0, 4, 5}}, LbpFeature{{3, 6, 5, 6}}};
  model.nodes = {{0, -1, 1, 0.f}, {0, -1, 0, 0.f}, {0, -1, 1, 0.f}};
  model.subsets = {lbp().subsets[0], lbp().subsets[1], lbp().subsets[2]};
  model.leaves = {-0.5f, 0.5f, 1.f, -2.f, 0.25f, 0.f};
  model.trees = {{0, 1, 0}, {1, 1, 2}, {2, 1, 4}};
  model.stages.push_back({3, 1, -5.f});
  model.stages.push_back({4, 2, 0.25f});
  return model;
}

// Fixed-point cascades, which OpenCV's files cannot express.
inline std::vector<CascadeModel> fixed_point() {
  CascadeModel both = tables();
  both.card.name = "soft tables";
  both.rules.sum = SumRule::kRunning;
  return {soft(), tables(), both, mixed()};
}

inline std::vector<CascadeModel> all() { return {stumps(), trees(), lbp()}; }

inline std::span<const std::byte> bytes_of(const std::string& text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
inline std::string text_of(const std::vector<std::byte>& bytes) {
  return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
}
inline std::string xml(const CascadeModel& model, CascadeFormat format) {
  return text_of(Cascade(model).to_bytes(format));
}
inline Cascade parse(const std::string& text) { return Cascade::parse(bytes_of(text), "sample"); }

// Returns `text` with the first occurrence of `from` replaced by `to`. The test fails if `from` does not
// occur.
inline std::string with(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "the sample has no " << from;
  if (at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

// The Error of reading `text`. The test fails if reading succeeds.
inline Error refused(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "was read without an error";
  return Error(ErrorCode::kUsage, "no error");
}

inline Error refused(const CascadeModel& model) {
  try {
    const Cascade cascade(model);
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "was taken without an error";
  return Error(ErrorCode::kUsage, "no error");
}

using Folder = TestFolder;

// Sets each byte to a few values in turn, and reads each changed file by `read`. Returns how many files were
// read (`taken`) and how many were refused.
struct BrokenFiles {
  int taken = 0, refused = 0;
};
template <class Read>
BrokenFiles break_bytes(const std::vector<std::byte>& bytes, Read read) {
  BrokenFiles files;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (const int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
      std::vector<std::byte> broken = bytes;
      broken[i] = static_cast<std::byte>(value);
      try {
        read(broken);
        ++files.taken;
      } catch (const Error&) {
        ++files.refused;
      }
    }
  }
  return files;
}

}  // namespace winnow::sample

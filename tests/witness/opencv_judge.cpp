// Judges that compare OpenCV with Winnow, and OpenCV with itself.
#include <winnow/winnow.h>

#include <exception>

#include "compare.h"
#include "judge.h"
#include "opencv_side.h"
#include "stopwatch.h"

namespace witness {
namespace {

using winnow::Detection;
using winnow::Detections;

struct WinnowAnswer {
  std::vector<Detection> raw, grouped;
};

WinnowAnswer ask_winnow(winnow::Detector& detector, winnow::GrayView view, winnow::DetectOptions options) {
  WinnowAnswer answer;
  const Detections grouped = detector.detect(view, options);
  answer.grouped = grouped.objects;
  options.raw = true;
  answer.raw = detector.detect(view, options).objects;
  return answer;
}

void add(std::vector<std::string>& list, std::string text) {
  if (!text.empty()) list.push_back(std::move(text));
}

std::vector<std::string> differences(const OpenCvAnswer& theirs, const WinnowAnswer& ours) {
  std::vector<std::string> list;
  add(list, difference("raw boxes", theirs.raw, ours.raw, kBoxes));
  if (list.empty() && theirs.has_scores) add(list, difference("raw scores", theirs.raw, ours.raw, kScores));
  for (const Detection& d : ours.raw)
    if (d.neighbors != 1) {
      list.push_back("raw neighbours: a candidate says " + std::to_string(d.neighbors));
      break;
    }
  const std::size_t before = list.size();
  add(list, difference("grouped boxes", theirs.neighbors, ours.grouped, kBoxes));
  if (list.size() == before) add(list, difference("neighbours", theirs.neighbors, ours.grouped, kNeighbors));
  if (list.size() == before && theirs.has_scores)
    add(list, difference("grouped scores", theirs.scores, ours.grouped, kScores));
  return list;
}

class OpenCvJudge : public Judge {
 public:
  OpenCvJudge(const ModelFile& model, const Settings& settings)
      : path_(model.path),
        settings_(settings),
        cascade_(winnow::Cascade::load(model.path)),
        one_stage_(cascade_.model().stages.size() == 1 &&
                   cascade_.model().rules.flat != winnow::FlatRule::kNone),
        theirs_(model.path, one_stage_),
        ours_(make_detector()) {}

  winnow::Size window() const override { return cascade_.window(); }
  std::string note() const override {
    return one_stage_ ? "one stage: OpenCV's levels overload is wrong for flat windows, scores not compared"
                      : "";
  }

  Verdict judge(const Case& c, const Prepared& prepared) override {
    Verdict verdict;
    Stopwatch watch;
    const OpenCvAnswer theirs = theirs_.detect(prepared.view, c.options);
    verdict.seconds_theirs = watch.seconds();
    verdict.raw = static_cast<long>(theirs.raw.size());
    verdict.groups = static_cast<long>(theirs.neighbors.size());
    verdict.differences = compare(ours_, prepared, c, theirs);
    verdict.seconds_ours = watch.seconds() - verdict.seconds_theirs;
    if (verdict.differences.empty()) return verdict;
    // Fresh detectors show whether the difference comes from earlier pictures.
    OpenCvSide fresh_theirs(path_, one_stage_);
    winnow::Detector fresh_ours = make_detector();
    const OpenCvAnswer again = fresh_theirs.detect(prepared.view, c.options);
    if (compare(fresh_ours, prepared, c, theirs).empty())
      verdict.differences.push_back("state: a fresh Winnow detector agrees with OpenCV");
    if (compare(ours_, prepared, c, again).empty())
      verdict.differences.push_back("state: a fresh OpenCV classifier agrees with Winnow");
    return verdict;
  }

 private:
  winnow::Detector make_detector() const {
    winnow::MachineOptions options;
    options.backend = winnow::parse_backend(settings_.backend);
    options.threads = settings_.threads;
    return winnow::Detector(cascade_, options);
  }

  static std::vector<std::string> compare(winnow::Detector& ours, const Prepared& prepared, const Case& c,
                                          const OpenCvAnswer& theirs) {
    try {
      return differences(theirs, ask_winnow(ours, prepared.view, c.options));
    } catch (const std::exception& error) {
      return {std::string("error: ") + error.what()};
    }
  }

  std::string path_;
  Settings settings_;
  winnow::Cascade cascade_;
  bool one_stage_;
  OpenCvSide theirs_;
  winnow::Detector ours_;
};

class StateJudge : public Judge {
 public:
  explicit StateJudge(const ModelFile& model) : path_(model.path), used_(model.path, false) {}
  winnow::Size window() const override { return used_.window(); }
  Verdict judge(const Case& c, const Prepared& prepared) override {
    Verdict verdict;
    const OpenCvAnswer used = used_.detect(prepared.view, c.options);
    const OpenCvAnswer fresh = OpenCvSide(path_, false).detect(prepared.view, c.options);
    verdict.raw = static_cast<long>(fresh.raw.size());
    verdict.groups = static_cast<long>(fresh.neighbors.size());
    add(verdict.differences, difference("raw", fresh.raw, used.raw, kScores, "fresh", "used"));
    add(verdict.differences,
        difference("neighbours", fresh.neighbors, used.neighbors, kNeighbors, "fresh", "used"));
    add(verdict.differences, difference("grouped", fresh.scores, used.scores, kScores, "fresh", "used"));
    return verdict;
  }

 private:
  std::string path_;
  OpenCvSide used_;
};

}  // namespace

std::unique_ptr<Judge> make_opencv_judge(const ModelFile& model, const Settings& settings) {
  return std::make_unique<OpenCvJudge>(model, settings);
}
std::unique_ptr<Judge> make_state_judge(const ModelFile& model, const Settings&) {
  return std::make_unique<StateJudge>(model);
}

}  // namespace witness

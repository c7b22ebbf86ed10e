#include "detecting/job_search.h"

#include <winnow/error.h>

#include <cctype>
#include <string>
#include <utility>

#include "search_arguments.h"
#include "terminal/arguments.h"

namespace winnow::cli {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Refuses a detector of other objects than the landmarks mark. A model that does not say what it finds, as
// cascades of OpenCV, may find these.
void check_kinds(const DetectorModel& model, const std::string& name, const Landmarks& landmarks) {
  const std::string found = lower(model.card().kind), marked = lower(landmarks.model().card.kind);
  if (found.find(marked) != std::string::npos || marked.find(found) != std::string::npos) return;
  throw Error(ErrorCode::kUsage, "the landmarks mark points of a " + landmarks.model().card.kind + ", and " +
                                     name + " finds " + model.card().kind + "; name a detector of a " +
                                     landmarks.model().card.kind + " with -m");
}

}  // namespace

Landmarks load_landmarks(const std::string& path) {
  try {
    return Landmarks::load(path);
  } catch (const Error& error) {
    if (error.code() != ErrorCode::kFormat) throw;
    // If the file holds a valid model of another kind, the user named the wrong file: kUsage.
    std::optional<Model> other;
    try {
      other = Model::load(path);
    } catch (const Error&) {
    }
    if (!other) throw;
    throw Error(ErrorCode::kUsage, "--landmarks wants a model that marks points, and " + path + " is " +
                                       other->kind_words() + ", which " + other->does());
  }
}

RecordRules rules_of(const DetectJob& job, const DetectorModel& model,
                     const std::optional<Landmarks>& landmarks) {
  RecordRules rules{job.format, job.timing, model_name(model.card(), job.model), model.window(),
                    landmarks ? landmarks->points() : 0};
  check_windows(model, rules.model, job.options);
  if (landmarks) check_kinds(model, rules.model, *landmarks);
  return rules;
}

JobSearch make_job_search(const DetectJob& job, const DetectorModel& model,
                          const std::optional<Landmarks>& landmarks) {
  JobSearch search;
  search.rules = rules_of(job, model, landmarks);
  if (!landmarks) {
    search.work = make_detect_work(model, job.options, job.detector);
    return search;
  }
  FollowOptions follow = job.follow;
  follow.search = job.options;
  FollowScan parts = make_follow_scan(model, *landmarks, follow, job.detector);
  search.work = std::move(parts.work);
  search.make_state = [raw = job.options.raw, neighbors = job.options.min_neighbors,
                       make = std::move(parts.make_state)](const Input& input, const ScanEvent& first) {
    if (first.sequence) require_merged(raw, neighbors);  // a file whose name did not say that it is a video
    return make(input, first);
  };
  return search;
}

}  // namespace winnow::cli
